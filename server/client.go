package server

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/search"
	"muniment/cite"
	"muniment/engine"
	"muniment/history"
)

// A Client is one credential with the archive of a server. Its methods are the
// calls of HTTP and of MCP.
type Client struct {
	server  *Server
	cred    Credential
	session string // of calls that name none
	reader  bool   // reads citations of every project, and nothing of custody
}

// Client returns the client of a credential. Calls that name no session are of
// the one given.
func (s *Server) Client(cred Credential, session string) *Client {
	return &Client{server: s, cred: cred, session: session}
}

// Reader returns the client of somebody of a tier who reads a site: citations of every
// project, as far as consent shows them, and nothing that is for auditors.
func (s *Server) Reader(tier string) *Client {
	return &Client{server: s, cred: Credential{Name: "reader", Role: engine.RoleAuditor, Tier: tier}, session: defaultSession, reader: true}
}

// SeesAll reports whether consent and policy keep nothing from the client.
func (c *Client) SeesAll() bool { return c.cred.seesAll() }

// Now returns the time by the server's clock.
func (c *Client) Now() time.Time {
	if c.server == nil || c.server.now == nil {
		return time.Time{}
	}
	return c.server.now()
}

// options returns the options of the server, none for the zero Client.
func (c *Client) options() Options {
	if c.server == nil {
		return Options{}
	}
	return c.server.o
}

// engine returns the citation engine of the client in a session, of the client's
// own where it is "".
func (c *Client) engine(h *handle, session string) (*engine.Engine, error) {
	if session == "" {
		session = c.session
	}
	return engine.New(h.archive, engine.Caller{Role: c.cred.Role, Session: session, Agent: c.cred.Name, Project: c.cred.Project})
}

// errHidden returns the error for words that consent keeps from the client.
func errHidden(art *archive.Artifact) error {
	return archive.Problem(archive.TypeNotPermitted, archive.Advise("a token of a higher tier may show more"), "the words of %s may not be shown to this tier", archive.Printable(art.Name()))
}

// Search returns passages of the newest snapshot, those that the client may see.
func (c *Client) Search(ctx context.Context, r SearchRequest) (*search.Result, error) {
	if r.Limit == 0 {
		r.Limit = 10
	}
	var out *search.Result
	return out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		found, err := search.Search(ctx, h.archive, r.Query, r.Limit, nil)
		if err != nil {
			return err
		}
		out = &search.Result{Snapshot: found.Snapshot, Query: found.Query, Hits: []search.Hit{}}
		for _, hit := range found.Hits {
			art, err := v.resolve(hit.Artifact)
			if err != nil {
				continue // withdrawn since, or hidden from this client
			}
			shown, _, err := v.show(art, hit.Text)
			if err != nil {
				return err
			}
			if hit.Text = shown; shown != "" {
				out.Hits = append(out.Hits, hit)
			}
		}
		return nil
	})
}

// Read returns words of an artifact: those at a span, or paragraphs from one on, as
// many as one reply may show.
func (c *Client) Read(ctx context.Context, r ReadRequest) (*ReadReply, error) {
	var out *ReadReply
	return out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		art, err := v.resolve(r.Artifact)
		if err != nil {
			return err
		}
		perm, err := v.permission(art, "")
		if err != nil {
			return err
		}
		if !perm.Display {
			return errHidden(art)
		}
		doc, err := h.archive.Document(v.tree, art)
		if err != nil {
			return err
		}
		reply := &ReadReply{Artifact: art.ID.String(), Name: art.Name(), Passages: []Passage{}}
		add := func(span, words string) (bool, error) {
			shown, whole, err := v.show(art, words)
			if err == nil && shown != "" {
				reply.Passages = append(reply.Passages, Passage{span, shown})
			}
			reply.Clipped = reply.Clipped || !whole
			return whole, err
		}
		if r.Span != "" {
			span, err := inventory.ParseSpan(doc, r.Span)
			if err != nil {
				return err
			}
			words, err := cite.Quote(doc, span)
			if err != nil {
				return archive.Problem(archive.TypeInvalidLocator, archive.Advise("read without a span first"), "%w", err)
			}
			out = reply
			_, err = add(span.String(), words)
			return err
		}
		left := perm.Excerpt
		units := doc.Units(cite.Paragraphs)
		for i := max(r.From, 1); i <= len(units); i++ {
			words := string(doc.Payload()[units[i-1].Start:units[i-1].End])
			n := len([]rune(words))
			if n > left && len(reply.Passages) > 0 {
				reply.Next = i
				break
			}
			left -= n
			if _, err := add("p"+itoa(i), words); err != nil {
				return err
			}
		}
		out = reply
		return nil
	})
}

// Artifacts returns a page of the artifacts that the client may know of, by id,
// those whose names contain part.
func (c *Client) Artifacts(ctx context.Context, part, after string, limit int) (*ArtifactList, error) {
	out := &ArtifactList{Artifacts: []archive.ArtifactInfo{}}
	return out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		return v.artifacts(part, after, func(info archive.ArtifactInfo) bool {
			if len(out.Artifacts) == limit {
				out.Next = out.Artifacts[limit-1].ID
				return false
			}
			out.Artifacts = append(out.Artifacts, info)
			return true
		})
	})
}

// Artifact returns the description of an artifact that the client may know of.
func (c *Client) Artifact(ctx context.Context, ref string) (*archive.ArtifactInfo, error) {
	var out archive.ArtifactInfo
	return &out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		art, err := v.resolve(ref)
		if err == nil {
			out = art.Info()
		}
		return err
	})
}

// Cite registers a claim with its evidence. It returns when the citation is on
// disk.
func (c *Client) Cite(ctx context.Context, r CiteRequest) (*CiteReply, error) {
	lines, err := c.server.register(ctx, c, []CiteRequest{r})
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
		lines, err := c.server.register(ctx, c, part)
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

// citeAll registers citations with the writer's handle.
func (c *Client) citeAll(ctx context.Context, h *handle, all []CiteRequest) []CiteLine {
	lines := make([]CiteLine, len(all))
	for i := range all {
		lines[i].Line = i + 1
		reply, err := c.citeOne(ctx, h, all[i])
		if err != nil {
			lines[i].Error = faultOf(err)
			continue
		}
		lines[i].Citation = reply
	}
	return lines
}

// citeOne registers a citation of an artifact whose words the client may see.
func (c *Client) citeOne(ctx context.Context, h *handle, r CiteRequest) (*CiteReply, error) {
	o, err := r.options()
	if err != nil {
		return nil, err
	}
	o.Remote, o.ReasoningRequired = true, c.options().ReasoningRequired
	v, err := h.view(c)
	if err != nil {
		return nil, err
	}
	e, err := c.engine(h, r.Session)
	if err != nil {
		return nil, err
	}
	art, err := v.target(ctx, e, &o)
	if err != nil {
		return nil, err
	}
	result, err := e.Cite(ctx, o)
	if err != nil {
		return nil, err
	}
	reply := &CiteReply{CiteResult: *result}
	if art != nil {
		if err := v.conceal(art, &reply.CiteResult); err != nil {
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

// Sources returns the registered sources that the client may read, of one type or
// of every type for "".
func (c *Client) Sources(ctx context.Context, typ string) (*SourceList, error) {
	out := &SourceList{}
	return out, c.withEngine(ctx, "", func(e *engine.Engine) (err error) {
		out.Sources, err = e.Sources(typ)
		return err
	})
}

// Source returns a registered source by its number.
func (c *Client) Source(ctx context.Context, id int64) (*engine.RegisteredSource, error) {
	var out *engine.RegisteredSource
	return out, c.withEngine(ctx, "", func(e *engine.Engine) (err error) {
		out, err = e.Source(id)
		return err
	})
}

// RegisterSource registers a source. No file of the server's machine is read, and
// no page of its own network.
func (c *Client) RegisterSource(ctx context.Context, r SourceRequest) (*engine.RegisteredSource, error) {
	var out *engine.RegisteredSource
	return out, c.server.with(ctx, func(h *handle) error {
		e, err := c.engine(h, r.Session)
		if err != nil {
			return err
		}
		if r.Type != "document" {
			out, err = r.register(ctx, e)
			return err
		}
		v, err := h.view(c)
		if err != nil {
			return err
		}
		art, err := v.resolve(r.Artifact)
		if err != nil {
			return err
		}
		out, err = e.RegisterArtifact(art.ID.String(), engine.SourceOptions{Name: r.Name, Version: r.Version, Metadata: r.Metadata})
		return err
	})
}

// Ask answers a question from the newest snapshot, for the client's tier.
func (c *Client) Ask(ctx context.Context, r AskRequest) (*AskReply, error) {
	if c.options().Signer == nil {
		return nil, errNoSigner()
	}
	out := &AskReply{}
	return out, c.server.with(ctx, func(h *handle) error {
		who := c.cred.requestor()
		got, err := answer.Ask(ctx, h.archive, r.Question, answer.AskOptions{Profile: r.Profile, Requestor: who.Name, Tier: who.Tier, NoModel: r.NoModel, Signer: c.options().Signer})
		if err != nil {
			return err
		}
		out.Result = *got
		out.Bundle, out.Display = "", "" // paths of this machine
		if got.Refusal != nil {
			out.NextCall = &NextCall{Tool: "search_archive", Arguments: map[string]string{"query": r.Question}}
		}
		return nil
	})
}

// Check validates a draft against the citations on file.
func (c *Client) Check(ctx context.Context, r CheckRequest) (*answer.CheckResult, error) {
	var out *answer.CheckResult
	who := c.cred.requestor()
	return out, c.withEngine(ctx, r.Session, func(e *engine.Engine) (err error) {
		out, err = answer.CheckDraft(ctx, e, r.Draft, answer.CheckOptions{Profile: r.Profile, Second: r.Second, NoRepair: r.NoRepair, Query: r.Query, On: r.On, Requestor: who.Name, Tier: who.Tier})
		return err
	})
}

// Segment cuts a text into sentences and claims.
func (c *Client) Segment(_ context.Context, r SegmentRequest) (*answer.SegmentResult, error) {
	return answer.Segment([]byte(r.Text), r.Language)
}

// Snapshots returns the snapshots, newest first.
func (c *Client) Snapshots(ctx context.Context) (*SnapshotList, error) {
	out := &SnapshotList{}
	return out, c.server.with(ctx, func(h *handle) (err error) {
		out.Snapshots, err = history.Log(h.archive)
		if !c.cred.seesAll() {
			for i := range out.Snapshots { // counts of what the client may not know of
				out.Snapshots[i].Artifacts, out.Snapshots[i].Entries = 0, 0
			}
		}
		return err
	})
}

// Status returns what is served, and who the client is.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	out := &Status{Role: c.cred.Role, Tier: c.cred.Tier, Project: c.cred.Project, Ask: c.options().Signer != nil}
	return out, c.server.with(ctx, func(h *handle) error {
		v, err := h.view(c)
		if err != nil {
			return err
		}
		out.Archive, out.Name = h.archive.ID().String(), h.archive.Name()
		if v.rules == nil {
			totals, err := v.catalog.Totals()
			if err != nil {
				return err
			}
			out.Artifacts = totals.Artifacts
		} else if out.Tier == "" {
			out.Tier = v.rules.Lowest()
		}
		head, _, err := h.archive.Head()
		if err != nil || head == nil {
			return err
		}
		out.Snapshot, out.Seq, out.Staged = head.ID.String(), head.Seq, head.Tree != v.tree
		return nil
	})
}

// withEngine runs fn with a reader's handle and the client's engine in a session.
func (c *Client) withEngine(ctx context.Context, session string, fn func(*engine.Engine) error) error {
	return c.server.with(ctx, func(h *handle) error {
		e, err := c.engine(h, session)
		if err != nil {
			return err
		}
		return fn(e)
	})
}
