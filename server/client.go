package server

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"muniment/answer"
	"muniment/archive/holdings"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cite"
	"muniment/draft"
	"muniment/engine"
	"muniment/history"
	"muniment/text/legible"
)

// A Client is one credential with the archive of a server. Its methods are the calls of HTTP and of MCP.
type Client struct {
	server  *Server
	cred    Credential
	session string // of calls that name none
	reader  bool   // reads citations of every project, and nothing of custody
	signed  bool   // is shown signed papers alone: nobody whom the archive gave a token
}

// Client returns the client of a credential. Calls that name no session are of the one given.
func (s *Server) Client(cred Credential, session string) *Client {
	return &Client{server: s, cred: cred, session: session}
}

// Reader returns the client of somebody of a tier who reads a site: citations of every
// project, as far as consent shows them, and nothing that is for auditors.
func (s *Server) Reader(tier string) *Client {
	return &Client{server: s, cred: Credential{Name: "reader", Role: engine.RoleAuditor, Tier: tier, principal: readerPrincipal}, session: defaultSession, reader: true, signed: true}
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
// own where it is "". It reads for the client: what the client may not see is not there.
func (c *Client) engine(v *view, session string) (*engine.Engine, error) {
	account := ""
	if c.cred.isNamed() {
		account = c.cred.account()
	}
	e, err := engine.New(v.handle.archive, engine.Caller{Role: c.cred.Role, Session: cmp.Or(session, c.session), Agent: c.cred.Name, Project: c.cred.Project, Account: account})
	if err != nil {
		return nil, err
	}
	r, err := v.reader()
	return e.In(v.handle.group).For(r), err
}

// errHidden returns the error for words that consent keeps from the client.
func errHidden(art *holdings.Artifact) error {
	return problem.New(problem.NotPermitted, problem.Advise("a token of a higher tier may show more"), "the words of %s may not be shown to this tier", legible.Printable(art.Name()))
}

// Search returns passages of the newest snapshot, those that the client may see.
func (c *Client) Search(ctx context.Context, r SearchRequest) (*search.Result, error) {
	r.Limit = cmp.Or(r.Limit, 10)
	return withView(ctx, c, func(v *view) (*search.Result, error) {
		reader, err := v.reader()
		if err != nil {
			return nil, err
		}
		found, err := search.Search(ctx, v.handle.archive, r.Query, r.Limit, reader, nil)
		if err != nil {
			return nil, err
		}
		out := &search.Result{Snapshot: found.Snapshot, Query: found.Query, Hits: []search.Hit{}, Searched: found.Searched, Notice: found.Notice}
		for _, hit := range found.Hits {
			art, err := v.resolve(hit.Artifact)
			if err != nil {
				continue // withdrawn since, or hidden from this client
			}
			shown, hidden, _, err := v.showIn(art, hit.Text)
			if err != nil {
				return nil, err
			}
			if hit.Text = shown; shown != "" && !asksFor(r.Query, hidden) {
				out.Hits = append(out.Hits, hit)
			}
		}
		if len(out.Hits) == 0 { // the same error as where nothing was found
			if err := out.Searched.NotSearched(); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
}

// Read returns words of an artifact: those at a span, or paragraphs from one on, as many as one reply may show.
func (c *Client) Read(ctx context.Context, r ReadRequest) (*ReadReply, error) {
	return call(ctx, c, func(h *handle) (*ReadReply, error) {
		v, art, err := h.find(c, r.Artifact)
		if err != nil {
			return nil, err
		}
		perm, err := v.permission(art, "")
		if err != nil {
			return nil, err
		}
		if !perm.Display {
			return nil, errHidden(art)
		}
		doc, err := v.document(art)
		if err != nil {
			return nil, err
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
				return nil, err
			}
			words, err := cite.Quote(doc, span)
			if err != nil {
				return nil, problem.New(problem.InvalidLocator, problem.Advise("read without a span first"), "%w", err)
			}
			// A slice of a name, or of a line that names somebody, is no words of its own: the whole paragraphs decide.
			whole, around, err := search.Paragraphs(doc, span)
			if err != nil {
				return nil, err
			}
			if hidden, err := v.namesHidden(art, around); err != nil {
				return nil, err
			} else if hidden {
				span, words = whole, around
			}
			_, err = add(span.String(), words)
			return reply, err
		}
		left := min(perm.Piece(), maxReply)
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
				return nil, err
			}
		}
		return reply, nil
	})
}

// Artifacts returns a page of the artifacts that the client may know of, by id, those whose names contain part.
func (c *Client) Artifacts(ctx context.Context, part, after string, limit int) (*ArtifactList, error) {
	return withView(ctx, c, func(v *view) (_ *ArtifactList, err error) {
		out := &ArtifactList{Artifacts: []holdings.ArtifactInfo{}}
		err = v.artifacts(part, after, func(info holdings.ArtifactInfo) bool {
			if len(out.Artifacts) == limit {
				out.Next = out.Artifacts[limit-1].ID
				return false
			}
			out.Artifacts = append(out.Artifacts, info)
			return true
		})
		return out, err
	})
}

// Artifact returns the description of an artifact that the client may know of.
func (c *Client) Artifact(ctx context.Context, ref string) (*holdings.ArtifactInfo, error) {
	return call(ctx, c, func(h *handle) (*holdings.ArtifactInfo, error) {
		_, art, err := h.find(c, ref)
		if err != nil {
			return nil, err
		}
		info := art.Info()
		return &info, nil
	})
}

// pageLength is the most items of a page of a list whose request names no limit.
const pageLength = 100

// Sources returns a page of the registered sources that the client may read.
func (c *Client) Sources(ctx context.Context, r SourcesRequest) (*SourceList, error) {
	return callView(ctx, c, "", func(v *view, e *engine.Engine) (*SourceList, error) {
		sources, next, err := list[engine.RegisteredSource]{
			read: func(after int64, most int) ([]engine.RegisteredSource, error) {
				return e.Sources().List(r.Type, after, most)
			},
			number: func(s *engine.RegisteredSource) int64 { return s.SourceID },
			shows:  func(s *engine.RegisteredSource) (bool, error) { return v.readsSource(e, s), nil },
		}.page(r.After, cmp.Or(r.Limit, pageLength))
		return &SourceList{sources, next}, err
	})
}

// Source returns a registered source by its number.
func (c *Client) Source(ctx context.Context, r NumberedSource) (*engine.RegisteredSource, error) {
	return callView(ctx, c, "", func(v *view, e *engine.Engine) (*engine.RegisteredSource, error) {
		return v.source(e, r.Source)
	})
}

// RegisterSource registers a source. No file of the server's machine is read, and no page of its own network.
func (c *Client) RegisterSource(ctx context.Context, r SourceRequest) (*engine.RegisteredSource, error) {
	said := r
	said.Content = ""
	if data, err := json.Marshal(said); err != nil || len(data) > maxString {
		return nil, problem.New(problem.Usage, problem.Advise("give what has many words as content"), "the description of a source has %d bytes, at most %d are taken", len(data), maxString)
	}
	return withView(ctx, c, func(v *view) (*engine.RegisteredSource, error) {
		e, err := c.engine(v, r.Session)
		if err != nil {
			return nil, err
		}
		if r.Type != "document" {
			return r.register(ctx, e)
		}
		art, err := v.resolve(r.Artifact)
		if err != nil {
			return nil, err
		}
		s, err := e.Sources().AddArtifact(art.ID.String(), engine.SourceOptions{Name: r.Name, Version: r.Version, Metadata: r.Metadata})
		if err == nil {
			v.concealNames(s)
		}
		return s, err
	})
}

// Ask answers a question from the newest snapshot, for the client's tier, and keeps the answer for its id.
func (c *Client) Ask(ctx context.Context, r AskRequest) (*AskReply, error) {
	kept, err := c.deliver(ctx, delivery{question: r.Question, request: r.Question, profile: r.Profile, nonce: r.Nonce, noModel: r.NoModel}, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		return answer.Ask(ctx, h.archive, r.Question, o)
	})
	if err != nil {
		return nil, err
	}
	out := kept.AskReply
	if out.Refusal != nil {
		out.NextCall = callOf(problem.Next(engine.DoSearch, r.Question))
	}
	return &out, nil
}

// requestSnapshot asks for a snapshot of what the client added itself. It is signed where the credential has that
// right and the server a key; else it waits for a person.
func requestSnapshot(c *Client, ctx context.Context, r snapshotRequest) (*engine.SnapshotOutcome, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	signer := c.options().Signer
	if !c.cred.Snapshots {
		signer = nil
	}
	return callEngine(ctx, c, r.Session, func(e *engine.Engine) (*engine.SnapshotOutcome, error) { return e.RequestSnapshot(signer) })
}

// askOptions returns who asks, and the key that signs the answer. An archivist whose server has a key
// without the right to loosen asks as everybody without a name.
func (c *Client) askOptions(h *handle) (answer.AskOptions, error) {
	who := c.cred.requestor()
	o := answer.AskOptions{Requestor: who.Name, Tier: who.Tier, Signer: c.options().Signer}
	if !c.cred.Archivist {
		return o, nil
	}
	head, _, err := h.archive.Head()
	if err != nil || head == nil {
		return o, err
	}
	o.Archivist, err = history.IsArchivist(h.archive, head, o.Signer.Key())
	return o, err
}

// Check validates a draft against the citations on file.
func (c *Client) Check(ctx context.Context, r CheckRequest) (*draft.CheckResult, error) {
	if n := max(len(r.Draft), len(r.Second)); n > c.options().Limits.Draft {
		return nil, problem.New(problem.Usage, problem.Advise("check it in parts, or with muniment check"), "a draft of %d bytes, at most %d", n, c.options().Limits.Draft)
	}
	who := c.cred.requestor()
	return callEngine(ctx, c, r.Session, func(e *engine.Engine) (*draft.CheckResult, error) {
		return draft.Check(ctx, e, r.Draft, draft.CheckOptions{Profile: r.Profile, Second: r.Second, NoRepair: r.NoRepair, Query: r.Query, On: r.On, Requestor: who.Name, Tier: who.Tier})
	})
}

// Segment cuts a text into sentences and claims.
func (c *Client) Segment(_ context.Context, r SegmentRequest) (*draft.SegmentResult, error) {
	return draft.Segment([]byte(r.Text), r.Language)
}

// Snapshots returns a page of the snapshots, newest first, without messages that name protected persons.
func (c *Client) Snapshots(ctx context.Context, o history.LogOptions) (*SnapshotList, error) {
	return withView(ctx, c, func(v *view) (*SnapshotList, error) {
		all, more, err := history.Log(v.handle.archive, o)
		for i := 0; v.rules != nil && i < len(all); i++ {
			one := &all[i]
			one.Artifacts, one.Entries = 0, 0 // counts of what the client may not know of
			for _, words := range []*string{&one.Text, &one.Author} {
				if v.door.Word(*words) != *words {
					*words = "message withheld"
				}
			}
			one.Tags = slices.DeleteFunc(one.Tags, func(name string) bool { return v.door.FileName(name) == "" })
		}
		out := &SnapshotList{Snapshots: all}
		if more > 0 {
			out.Next = all[len(all)-1].Seq
		}
		return out, err
	})
}

// Status describes the archive that is served, and the client.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	return withView(ctx, c, func(v *view) (*Status, error) {
		out := &Status{Role: c.cred.Role, Tier: c.cred.Tier, Project: c.cred.Project, Ask: c.options().Signer != nil}
		out.Archive, out.Name = v.handle.archive.ID().String(), v.handle.archive.Name()
		if v.rules == nil {
			totals, err := v.catalog.Totals()
			if err != nil {
				return nil, err
			}
			out.Artifacts = totals.Artifacts
		} else if out.Tier == "" {
			out.Tier = v.rules.Lowest()
		}
		head, _, err := v.handle.archive.Head()
		if err != nil || head == nil {
			return out, err
		}
		out.Snapshot, out.Seq, out.Staged = head.ID.String(), head.Seq, head.Tree != v.tree // false where papers are signed
		return out, nil
	})
}

// call runs fn with a reader's handle; with an error the result is the zero value.
func call[T any](ctx context.Context, c *Client, fn func(*handle) (T, error)) (T, error) {
	var out, zero T
	err := c.server.with(ctx, func(h *handle) (err error) {
		out, err = fn(h)
		return err
	})
	if err != nil {
		return zero, err
	}
	return out, nil
}

// withView is call with the client's view instead of the handle.
func withView[T any](ctx context.Context, c *Client, fn func(*view) (T, error)) (T, error) {
	return call(ctx, c, func(h *handle) (out T, err error) {
		v, err := h.view(c)
		if err != nil {
			return out, err
		}
		return fn(v)
	})
}

// callEngine is call with the client's engine in a session.
func callEngine[T any](ctx context.Context, c *Client, session string, fn func(*engine.Engine) (T, error)) (T, error) {
	return callView(ctx, c, session, func(_ *view, e *engine.Engine) (T, error) { return fn(e) })
}

// callView is callEngine with the client's view.
func callView[T any](ctx context.Context, c *Client, session string, fn func(*view, *engine.Engine) (T, error)) (T, error) {
	return withView(ctx, c, func(v *view) (out T, err error) {
		e, err := c.engine(v, session)
		if err != nil {
			return out, err
		}
		return fn(v, e)
	})
}
