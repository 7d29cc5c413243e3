package server

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cite"
	"muniment/engine"
	"muniment/text/legible"
)

// maxQuote is the longest text of a citation, in code points, that a caller of a server has looked up:
// some four pages. The time of a search for changed words grows with their number.
const maxQuote = 8_000

// Cite registers a claim with its evidence. It returns when the citation is on disk.
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
	if c == nil || c.server == nil {
		return nil, errNoSigner()
	}
	leave, err := c.server.turns.take(ctx, "batch "+c.cred.account()) // so that other principals' citations come between
	if err != nil {
		return nil, err
	}
	defer leave()
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
	j := &citeJob{ctx: context.WithoutCancel(ctx), client: c, calls: calls, found: make([]lookedUp, len(calls)), done: make(chan struct{})}
	err := c.server.with(ctx, func(h *handle) error {
		for i := range calls {
			if ctx.Err() != nil {
				return problem.InterruptedError()
			}
			j.found[i] = c.examine(ctx, h, calls[i])
		}
		return nil
	})
	if err == nil {
		err = c.server.logCause(c.server.register(ctx, j))
	}
	if err != nil {
		return nil, err
	}
	return call(ctx, c, func(h *handle) ([]CiteLine, error) {
		lines := make([]CiteLine, len(calls))
		for i := range j.found {
			lines[i].Line = i + 1
			reply, err := j.found[i].answer(c, h, &calls[i])
			if err != nil {
				lines[i].Error = calls[i].faultOf(c.server.logCause(err))
				continue
			}
			lines[i].Citation = reply
		}
		return lines, nil
	})
}

// A lookedUp is a citation that was looked up: candidate, or err. When it is registered it has its result, or err.
type lookedUp struct {
	candidate *engine.Candidate
	artifact  *holdings.Artifact // whose words may be kept from the client; nil for a record
	result    *engine.CiteResult
	err       error
}

// examine looks up a citation of an artifact whose words the client may see.
func (c *Client) examine(ctx context.Context, h *handle, r CiteRequest) (out lookedUp) {
	o, err := r.options()
	if err != nil {
		return lookedUp{err: err}
	}
	for _, text := range [][2]string{{"quote", o.Quote}, {"quote_context", o.Context}, {"claim", o.Claim}, {"reasoning", o.Reasoning}, {"locator", o.Locator}} {
		if n := utf8.RuneCountInString(text[1]); n > maxQuote {
			return lookedUp{err: problem.New(problem.Usage, problem.Advise("claim one sentence, and quote the words that it rests on; cite a long passage by its span, or in parts"), "the %s has %d characters, at most %d are taken", text[0], n, maxQuote)}
		}
	}
	o.Remote, o.ReasoningRequired = true, c.options().ReasoningRequired
	v, err := h.view(c)
	if err != nil {
		return lookedUp{err: err}
	}
	e, err := c.engine(v, r.Session)
	if err != nil {
		return lookedUp{err: err}
	}
	if out.artifact, out.err = v.target(ctx, e, &o); out.err == nil {
		out.candidate, out.err = e.Examine(ctx, o)
	}
	return out
}

// readerOn returns the client as searches and references know it on a handle.
func (c *Client) readerOn(h *handle) (search.Reader, error) {
	v, err := h.view(c)
	if err != nil {
		return search.Reader{}, err
	}
	return v.reader()
}

// answer returns the reply to a citation that was registered: with the words that the
// client may see, and the calls that would mend it.
func (x *lookedUp) answer(c *Client, h *handle, r *CiteRequest) (*CiteReply, error) {
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
		reply.NextCall, reply.Suggestion = r.nextOf(reply.Next, reply.Artifact, reply.Span), adviceOf(reply.Next)
	}
	for i := range reply.Warnings {
		reply.Warnings[i].Suggestion = adviceOf(reply.Warnings[i].Next)
	}
	return reply, nil
}

// findCited returns the artifact that a reference names, else the one that a title, a number or a
// search for the quote finds among those that the caller may know of.
func (v *view) findCited(ctx context.Context, e *engine.Engine, ref, quote string) (*holdings.Artifact, error) {
	var art *holdings.Artifact
	var err error = errUnknown(ref)
	if ref != "" {
		art, err = v.resolve(ref)
	}
	var missing *problem.Error
	if ref == "" || errors.As(err, &missing) && missing.Kind == problem.SourceNotFound {
		found, findErr := e.FindCited(ctx, ref, quote)
		if findErr == nil || ref == "" || errors.As(findErr, &missing) && missing.Kind == problem.Ambiguous {
			return found, findErr
		}
	}
	return art, err
}

// target finds the artifact that a call cites and puts its id into the call. It is
// nil for a record, which has no text to keep from anybody.
func (v *view) target(ctx context.Context, e *engine.Engine, o *engine.CiteOptions) (*holdings.Artifact, error) {
	ref := o.Artifact
	if o.Source != 0 {
		s, err := v.source(e, o.Source)
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
		ref, err := v.resolveRecord(ref)
		if err == nil {
			o.Artifact = ref
		}
		return nil, err
	}
	art, err := v.findCited(ctx, e, ref, quote)
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

// resolveRecord returns the reference with which the engine finds the record that a
// reference names: one without a body, or one of an artifact that the client may know of.
func (v *view) resolveRecord(ref string) (string, error) {
	h, _, err := v.catalog.ResolveRecord(ref)
	if v.rules == nil {
		return ref, err
	}
	if err == nil {
		at, _, err := v.catalog.FindPlace(h.ID)
		if err != nil {
			return "", err
		}
		if at.Artifact == nil {
			return ref, nil
		}
		if known, err := v.knows(at.Artifact); err != nil || known {
			return ref, err
		}
	}
	art, err := v.resolve(ref)
	if err != nil {
		return "", err
	}
	return art.ID.String(), nil
}

// conceal takes words out of a verdict that the client may not see: where the
// source names persons near the quote whom the archive protects.
func (v *view) conceal(art *holdings.Artifact, r *engine.CiteResult) error {
	if v.rules == nil {
		return nil
	}
	v.concealReplyNames(art, r)
	words := []string{r.Quote}
	spans := []string{r.Span}
	if r.Nearest != nil {
		words, spans = append(words, r.Nearest.Text), append(spans, r.Nearest.Span)
	}
	sealed := false // a line that names a sealed person is withheld whole, and so is each piece of it
	for _, text := range spans {
		around, err := v.paragraphsOf(art, text)
		if err != nil {
			return err
		}
		perm, err := v.permissionVeiled(art, around)
		if err != nil {
			return err
		}
		sealed = sealed || !perm.Display
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
		if _, whole := around.Cut(r.QuoteContext); !whole || !perm.Display {
			r.QuoteContext, r.ContextFrom = "", ""
		}
	}
	if perm.Display && !sealed {
		return nil
	}
	r.Reason, r.VerificationNotes = "", ""
	r.Quote, r.Nearest, r.Places, r.Checks, r.Findings, r.Next = "", nil, nil, nil, nil, problem.Advise("the words there may not be shown to this tier")
	if isGuess(r.Match) {
		r.Match, r.Edits, r.Length, r.Similarity, r.Difference = string(cite.Absent), 0, 0, 0, ""
		r.Span, r.MatchedLocation, r.SummaryNote, r.ErrorType = "", nil, "the words there may not be shown to this tier", "VerificationFailed"
		r.ClaimVerdict, r.Missing, r.Likely, r.Warnings = "", nil, false, nil
	}
	return nil
}

// isGuess reports whether a match is not exact. For a passage that may not be shown, the distance between a quote and
// the passage would tell its words letter by letter, so such a quote is treated as absent.
func isGuess(match string) bool {
	return match != "" && match != string(cite.Exact) && match != string(cite.Normalized)
}

// paragraphsOf returns the paragraphs in which a span of an artifact lies, "" for one of no text.
func (v *view) paragraphsOf(art *holdings.Artifact, span string) (string, error) {
	if span == "" || art == nil {
		return "", nil
	}
	s, err := cite.ParseSpan(span)
	if err != nil {
		return "", nil // of a record, a picture or a recording
	}
	doc, err := v.document(art)
	if err != nil {
		return "", err
	}
	_, words, err := search.Paragraphs(doc, s)
	return words, err
}

// CiteNegative registers a search without support.
func (c *Client) CiteNegative(ctx context.Context, r NegativeRequest) (*engine.SearchRecord, error) {
	return withView(ctx, c, func(v *view) (*engine.SearchRecord, error) {
		e, err := c.engine(v, r.Session)
		if err != nil {
			return nil, err
		}
		ref := r.Artifact
		if r.Source != 0 && ref == "" {
			s, err := v.source(e, r.Source)
			if err != nil {
				return nil, err
			}
			ref = s.Artifact
		}
		if ref != "" {
			art, err := v.resolve(ref)
			if err != nil {
				return nil, err
			}
			if perm, err := v.permission(art, ""); err != nil || !perm.Display {
				return nil, cmp.Or(err, errHidden(art))
			}
			if r.Source == 0 {
				r.Artifact = art.ID.String()
			}
		}
		locator, err := locatorText(r.Locator)
		if err != nil {
			return nil, err
		}
		s, err := e.CiteNegative(ctx, engine.NegativeOptions{Claim: r.Claim, Query: r.Query, Artifact: r.Artifact, Source: r.Source, Locator: locator, Spans: r.Spans, Reasoning: r.Reasoning})
		if err == nil && s.Artifact != "" {
			s.LookedThrough, s.Name, s.SummaryNote = cmp.Or(v.door.FileName(s.LookedThrough), s.Artifact), v.door.FileName(s.Name), v.door.FileName(s.SummaryNote)
		}
		return s, err
	})
}

// Citations returns a page of the citations that the client may read.
func (c *Client) Citations(ctx context.Context, r CitationsRequest) (*CitationList, error) {
	return callView(ctx, c, r.Session, func(v *view, e *engine.Engine) (*CitationList, error) {
		shown, next, err := v.citationList(e, engine.CitationFilter{Source: r.Source, Claim: r.Claim, Session: r.Session, Project: r.Project, Status: r.Status}).page(r.After, cmp.Or(r.Limit, pageLength))
		return &CitationList{shown, next}, err
	})
}

// Citation returns a citation by its number or its id.
func (c *Client) Citation(ctx context.Context, r CitationRequest) (*engine.CitationInfo, error) {
	return callView(ctx, c, "", func(v *view, e *engine.Engine) (*engine.CitationInfo, error) {
		return v.citation(e, r.Citation)
	})
}

// citation returns a citation that the client may read.
func (v *view) citation(e *engine.Engine, ref string) (*engine.CitationInfo, error) {
	one, err := e.Citations().Get(ref)
	if err != nil {
		return nil, err
	}
	if may, err := v.readsWith(e, one); err != nil || !may {
		return nil, cmp.Or(err, errNoCitation(ref))
	}
	return one, nil
}

// errNoCitation is the error for a citation that is not there, for this client.
func errNoCitation(ref string) error {
	return problem.New(problem.NotFound, problem.Next(engine.DoListCitations), "no citation %s", legible.Printable(ref))
}

// Claims returns a page of the claims of which the client may read citations.
func (c *Client) Claims(ctx context.Context, session string, after int64, limit int) (*ClaimList, error) {
	return callView(ctx, c, session, func(v *view, e *engine.Engine) (*ClaimList, error) {
		claims, next, err := list[engine.ClaimInfo]{
			read: func(after int64, most int) ([]engine.ClaimInfo, error) {
				return e.Citations().Claims(session, after, most)
			},
			number: func(k *engine.ClaimInfo) int64 { return cmp.Or(k.ClaimID, k.Place) },
			shows:  func(k *engine.ClaimInfo) (bool, error) { return v.readsClaim(e, session, k) },
		}.page(after, limit)
		return &ClaimList{claims, next}, err
	})
}

// readsClaim reports whether the client may read a citation of a claim, and counts the readable ones in the claim.
func (v *view) readsClaim(e *engine.Engine, session string, one *engine.ClaimInfo) (bool, error) {
	if v.rules == nil {
		return true, nil
	}
	type ref struct { // the number of a citation, or the ID of one without
		number int64
		id     string
	}
	read := map[ref]bool{}
	one.Verified = 0
	f := engine.CitationFilter{Session: session, Claim: one.ClaimID}
	if one.ClaimID == 0 {
		f.Words = one.Claim
	}
	cited := v.citationList(e, f)
	may := cited.shows
	cited.shows = func(k *engine.CitationInfo) (bool, error) { // counted, and not kept
		reads, err := may(k)
		if reads {
			if k.CitationID != 0 {
				read[ref{number: k.CitationID}] = true
			} else {
				read[ref{id: k.Citation}] = true
			}
			if k.VerificationStatus == "verified" && k.SupersededBy == 0 {
				one.Verified++
			}
		}
		return false, err
	}
	if _, _, err := cited.page(0, 0); err != nil || len(read) == 0 {
		return false, err
	}
	one.Citations = len(read)
	one.Support = slices.DeleteFunc(slices.Clone(one.Support), func(s engine.ClaimSupport) bool { return !read[ref{s.CitationID, s.Citation}] })
	return true, nil
}

// Link links two citations.
func (c *Client) Link(ctx context.Context, r LinkRequest) (*engine.LinkResult, error) {
	return callView(ctx, c, r.Session, func(v *view, e *engine.Engine) (*engine.LinkResult, error) {
		for _, ref := range []string{r.From, r.To} {
			if _, err := v.citation(e, ref); err != nil {
				return nil, err
			}
		}
		return e.Link(r.From, r.Type, r.To)
	})
}

// Why returns the provenance of a citation, from the claim down to the original.
func (c *Client) Why(ctx context.Context, r CitationRequest) (*engine.WhyResult, error) {
	return callView(ctx, c, "", func(v *view, e *engine.Engine) (*engine.WhyResult, error) {
		why, err := e.Citations().Why(r.Citation)
		if err != nil {
			return nil, err
		}
		before := why.Text
		if may, err := v.reads(&why.CitationInfo); err != nil || !may {
			return nil, cmp.Or(err, errNoCitation(r.Citation))
		}
		if v.rules == nil {
			return why, nil
		}
		return why, v.concealWhy(e, why, before != why.Text)
	})
}

// concealWhy takes out of an explanation what the client may not know: words that
// may not be shown, what a model was asked, and links and inputs that are hidden.
func (v *view) concealWhy(e *engine.Engine, why *engine.WhyResult, changed bool) error {
	why.Judgements = []engine.WhyJudgement{}
	hides := func(said string) bool {
		return changed || len(v.rules.Mentions(said)) > 0 || v.door.FileName(said) == ""
	}
	if hides(strings.Join(append(why.Missing, why.Reason), "\n")) {
		why.Reason, why.Missing = "", nil
	}
	for _, steps := range [][]engine.WhyStep{why.Steps, why.Now} {
		for i := range steps {
			if hides(steps[i].Found + "\n" + steps[i].Expected) {
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
		other, err := e.Citations().Get(itoa(int(k.From + k.To - why.CitationID)))
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

// citationList is the list of the citations of a filter that the client may know of.
func (v *view) citationList(e *engine.Engine, f engine.CitationFilter) list[engine.CitationInfo] {
	return list[engine.CitationInfo]{
		read: func(after int64, most int) ([]engine.CitationInfo, error) {
			f.After, f.Limit = after, most
			return e.Citations().List(f)
		},
		number: func(k *engine.CitationInfo) int64 { return cmp.Or(k.CitationID, k.Place) },
		shows:  func(k *engine.CitationInfo) (bool, error) { return v.readsWith(e, k) },
	}
}
