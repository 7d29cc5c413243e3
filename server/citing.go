package server

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"muniment/archive"
	"muniment/cite"
	"muniment/engine"
)

// Cite registers a claim with its evidence. It returns when the citation is on
// disk.
func (c *Client) Cite(ctx context.Context, r CiteRequest) (*CiteReply, error) {
	lines, err := c.citeAll(ctx, []CiteRequest{r})
	if err != nil {
		return nil, err
	}
	if lines[0].Error != nil {
		return nil, lines[0].Error
	}
	return lines[0].Citation, nil
}

// CiteBatch registers citations in their order. One that cannot be registered is
// an error of its line and keeps no other from being registered.
func (c *Client) CiteBatch(ctx context.Context, all []CiteRequest) (*CiteLines, error) {
	out := &CiteLines{Results: []CiteLine{}}
	for start := 0; start < len(all); start += maxTogether {
		part := all[start:min(start+maxTogether, len(all))]
		lines, err := c.citeAll(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			l.Line += start
			out.Results = append(out.Results, l)
		}
	}
	return out, nil
}

// citeAll registers citations, and returns a line for each: a reader's handle looks
// them up, the writer registers what was found.
func (c *Client) citeAll(ctx context.Context, calls []CiteRequest) ([]CiteLine, error) {
	j := &citeJob{ctx: context.WithoutCancel(ctx), client: c, calls: calls, found: make([]examined, len(calls)), done: make(chan struct{})}
	err := c.server.with(ctx, func(h *handle) error {
		for i := range calls {
			if ctx.Err() != nil {
				return archive.InterruptedError()
			}
			j.found[i] = c.examine(ctx, h, calls[i])
		}
		return nil
	})
	if err == nil {
		err = c.server.register(ctx, j)
	}
	if err != nil {
		return nil, err
	}
	lines := make([]CiteLine, len(calls))
	return lines, c.server.with(ctx, func(h *handle) error {
		for i := range j.found {
			lines[i].Line = i + 1
			reply, err := j.found[i].answer(c, h)
			if err != nil {
				lines[i].Error = faultOf(err)
				continue
			}
			lines[i].Citation = reply
		}
		return nil
	})
}

// An examined is a citation that was looked up: candidate, or err. When it is registered
// it has its result, or err.
type examined struct {
	candidate *engine.Candidate
	artifact  *archive.Artifact // whose words may be kept from the client; nil for a record
	result    *engine.CiteResult
	err       error
}

// examine looks up a citation of an artifact whose words the client may see.
func (c *Client) examine(ctx context.Context, h *handle, r CiteRequest) (out examined) {
	o, err := r.options()
	if err != nil {
		return examined{err: err}
	}
	o.Remote, o.ReasoningRequired = true, c.options().ReasoningRequired
	v, err := h.view(c)
	if err != nil {
		return examined{err: err}
	}
	e, err := c.engine(h, r.Session)
	if err != nil {
		return examined{err: err}
	}
	if out.artifact, out.err = v.target(ctx, e, &o); out.err == nil {
		out.candidate, out.err = e.Examine(ctx, o)
	}
	return out
}

// answer returns the reply to a citation that was registered: with the words that the
// client may see, and the calls that would mend it.
func (x *examined) answer(c *Client, h *handle) (*CiteReply, error) {
	if x.err != nil {
		return nil, x.err
	}
	reply := &CiteReply{CiteResult: *x.result}
	if x.artifact != nil {
		v, err := h.view(c)
		if err != nil {
			return nil, err
		}
		if err := v.conceal(x.artifact, &reply.CiteResult); err != nil {
			return nil, err
		}
	}
	if reply.VerificationStatus != "verified" {
		reply.NextCall, reply.Suggestion = callOf(reply.Next), adviceOf(reply.Next)
	}
	for i := range reply.Warnings {
		reply.Warnings[i].Suggestion = adviceOf(reply.Warnings[i].Next)
	}
	return reply, nil
}

// find returns the artifact that a reference names, else the one that a title, a number or a
// search for the quote finds among those that the caller may know of.
func (v *view) find(ctx context.Context, e *engine.Engine, ref, quote string) (*archive.Artifact, error) {
	var art *archive.Artifact
	var err error = errUnknown(ref)
	if ref != "" {
		art, err = v.resolve(ref)
	}
	var missing *archive.Error
	if ref == "" || errors.As(err, &missing) && missing.Kind == archive.TypeSourceNotFound {
		found, findErr := e.FindCited(ctx, ref, quote, v.knows)
		if findErr == nil || ref == "" || errors.As(findErr, &missing) && missing.Kind == archive.TypeAmbiguous {
			return found, findErr
		}
	}
	return art, err
}

// target finds the artifact that a call cites and puts its id into the call. It is
// nil for a record, which has no text to keep from anybody.
func (v *view) target(ctx context.Context, e *engine.Engine, o *engine.CiteOptions) (*archive.Artifact, error) {
	ref := o.Artifact
	if o.Source != 0 {
		s, err := e.Source(o.Source)
		if err != nil {
			return nil, err
		}
		if ref = s.Artifact; ref == "" {
			return nil, nil
		}
	}
	quote := cmp.Or(o.Quote, o.Context)
	if ref == "" && quote == "" {
		return nil, nil // the engine says what is missing
	}
	if o.Relation == "" && strings.HasPrefix(o.Span, cite.MetaPrefix) {
		o.Relation = string(cite.MetadataFact)
	}
	if o.Relation == string(cite.MetadataFact) && o.Source == 0 {
		_, _, err := v.catalog.ResolveRecord(ref)
		return nil, err
	}
	art, err := v.find(ctx, e, ref, quote)
	if err != nil {
		return nil, err
	}
	if o.Source == 0 {
		o.Artifact = art.ID.String()
	}
	perm, err := v.permission(art, "")
	if err == nil && !perm.Display {
		err = errHidden(art)
	}
	return art, err
}

// conceal takes words out of a verdict that the client may not see: where the
// source names persons near the quote whom the archive protects.
func (v *view) conceal(art *archive.Artifact, r *engine.CiteResult) error {
	if v.rules == nil {
		return nil
	}
	words := []string{r.Quote}
	if r.Nearest != nil {
		words = append(words, r.Nearest.Text)
	}
	for _, p := range r.Places {
		words = append(words, p.Text)
	}
	for _, k := range r.Checks {
		words = append(words, k.Found)
	}
	words = append(words, r.Next.Args...)
	perm, err := v.permission(art, strings.Join(words, "\n"))
	if err != nil {
		return err
	}
	if r.ContextFrom == engine.ContextFilled {
		around, err := v.permission(art, r.QuoteContext)
		if err != nil {
			return err
		}
		if len([]rune(r.QuoteContext)) > around.Excerpt || !around.Display || !perm.Display {
			r.QuoteContext, r.ContextFrom = "", ""
		}
	}
	if perm.Display {
		return nil
	}
	r.Quote, r.Nearest, r.Places, r.Checks, r.Findings, r.Next = "", nil, nil, nil, nil, archive.Advise("the words there may not be shown to this tier")
	return nil
}

// CiteNegative registers a search without support.
func (c *Client) CiteNegative(ctx context.Context, r NegativeRequest) (*engine.SearchRecord, error) {
	var out *engine.SearchRecord
	return out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		if r.Artifact != "" {
			art, err := v.resolve(r.Artifact)
			if err != nil {
				return err
			}
			r.Artifact = art.ID.String()
		}
		e, err := c.engine(h, r.Session)
		if err != nil {
			return err
		}
		if r.Source != 0 { // a source may be of an artifact that the client may not know of
			s, err := e.Source(r.Source)
			if err == nil && s.Artifact != "" {
				_, err = v.resolve(s.Artifact)
			}
			if err != nil {
				return err
			}
		}
		locator, err := locatorText(r.Locator)
		if err != nil {
			return err
		}
		out, err = e.CiteNegative(ctx, engine.NegativeOptions{Claim: r.Claim, Query: r.Query, Artifact: r.Artifact, Source: r.Source, Locator: locator, Spans: r.Spans, Reasoning: r.Reasoning})
		return err
	})
}

// Citations returns a page of the citations that the client may read.
func (c *Client) Citations(ctx context.Context, r CitationsRequest) (*CitationList, error) {
	if r.Limit == 0 {
		r.Limit = 100
	}
	out := &CitationList{}
	return out, c.server.with(ctx, func(h *handle) error {
		e, err := c.engine(h, r.Session)
		if err != nil {
			return err
		}
		v, err := h.view(c)
		if err != nil {
			return err
		}
		out.Citations, out.Next, err = v.citations(e, engine.CitationFilter{Source: r.Source, Claim: r.Claim, Session: r.Session, Project: r.Project, Status: r.Status, After: r.After, Limit: r.Limit})
		return err
	})
}

// Citation returns a citation by its number or its id.
func (c *Client) Citation(ctx context.Context, r CitationRequest) (*engine.CitationInfo, error) {
	var out *engine.CitationInfo
	return out, c.withView(ctx, "", func(v *view, e *engine.Engine) error {
		one, err := e.Citation(r.Citation)
		if err != nil {
			return err
		}
		if may, err := v.reads(one); err != nil || !may {
			return cmp.Or(err, errNoCitation(r.Citation))
		}
		out = one
		return nil
	})
}

// errNoCitation is the error for a citation that is not there, for this client.
func errNoCitation(ref string) error {
	return archive.Problem(archive.TypeNotFound, archive.Next(engine.DoListCitations), "no citation %s", archive.Printable(ref))
}

// Claims returns a page of the claims of which the client may read citations.
func (c *Client) Claims(ctx context.Context, session string, after int64, limit int) (*ClaimList, error) {
	out := &ClaimList{}
	return out, c.withView(ctx, session, func(v *view, e *engine.Engine) error {
		all, err := e.Claims(session, after, limit)
		if n := len(all); err == nil && n == limit {
			out.Next = all[n-1].ClaimID
		}
		if out.Claims = all; err != nil || v.rules == nil {
			return err
		}
		out.Claims = []engine.ClaimInfo{}
		for _, one := range all { // counted again: the client may not know of every citation
			cited, _, err := v.citations(e, engine.CitationFilter{Session: session, Claim: one.ClaimID})
			if err != nil {
				return err
			}
			if one.Citations, one.Verified = len(cited), 0; len(cited) == 0 {
				continue
			}
			for _, k := range cited {
				if k.VerificationStatus == "verified" && k.SupersededBy == 0 {
					one.Verified++
				}
			}
			out.Claims = append(out.Claims, one)
		}
		return nil
	})
}

// Link links two citations.
func (c *Client) Link(ctx context.Context, r LinkRequest) (*engine.LinkResult, error) {
	var out *engine.LinkResult
	return out, c.withEngine(ctx, r.Session, func(e *engine.Engine) (err error) {
		out, err = e.Link(r.From, r.Type, r.To)
		return err
	})
}

// Why returns what is on file of a citation, from the claim down to the original.
func (c *Client) Why(ctx context.Context, r CitationRequest) (*engine.WhyResult, error) {
	var out *engine.WhyResult
	return out, c.withView(ctx, "", func(v *view, e *engine.Engine) error {
		why, err := e.Why(r.Citation)
		if err != nil {
			return err
		}
		before := why.Text
		if may, err := v.reads(&why.CitationInfo); err != nil || !may {
			return cmp.Or(err, errNoCitation(r.Citation))
		}
		if out = why; v.rules != nil {
			return v.concealWhy(e, why, before != why.Text)
		}
		return nil
	})
}

// concealWhy takes out of an explanation what the client may not know: words that
// may not be shown, what a model was asked, and links and inputs that are hidden.
func (v *view) concealWhy(e *engine.Engine, why *engine.WhyResult, changed bool) error {
	why.Judgements = []engine.WhyJudgement{}
	for _, steps := range [][]engine.WhyStep{why.Steps, why.Now} {
		for i := range steps {
			if changed || len(v.rules.Mentions(steps[i].Found+"\n"+steps[i].Expected)) > 0 {
				steps[i].Found, steps[i].Expected = "", ""
			}
		}
	}
	inputs := []engine.WhyInput{}
	for _, in := range why.Inputs {
		if _, err := v.resolve(in.Ref); err == nil && in.Kind == "artifact" {
			in.From = nil
			inputs = append(inputs, in)
		}
	}
	links := []engine.WhyLink{}
	for _, k := range why.Links {
		other, err := e.Citation(itoa(int(k.From + k.To - why.CitationID)))
		if err != nil {
			continue
		}
		if may, err := v.reads(other); err != nil {
			return err
		} else if may {
			links = append(links, k)
		}
	}
	why.Inputs, why.Links, why.DerivedFrom = inputs, links, nil
	return nil
}

// citations returns the citations of a filter that the client may know of, and the
// number after which the next page begins, 0 at the end.
func (v *view) citations(e *engine.Engine, f engine.CitationFilter) (shown []engine.CitationInfo, next int64, err error) {
	all, err := e.Citations(f)
	if n := len(all); err == nil && f.Limit > 0 && n == f.Limit {
		next = all[n-1].CitationID
	}
	shown = []engine.CitationInfo{}
	for i := range all {
		may, err := v.reads(&all[i])
		if err != nil {
			return nil, 0, err
		}
		if may {
			shown = append(shown, all[i])
		}
	}
	return shown, next, err
}

// withView runs fn with a reader's view and the client's engine in a session.
func (c *Client) withView(ctx context.Context, session string, fn func(*view, *engine.Engine) error) error {
	return c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		e, err := c.engine(h, session)
		if err != nil {
			return err
		}
		return fn(v, e)
	})
}
