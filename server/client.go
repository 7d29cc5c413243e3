package server

import (
	"context"
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
		out = &search.Result{Snapshot: found.Snapshot, Query: found.Query, Hits: []search.Hit{}, Notice: found.Notice}
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
