package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/audit"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// Limits of calls that answer with a stream of events.
const (
	progressEvery = 250 * time.Millisecond // what a person still sees move
	maxAdded      = 1000                   // files in one body, which is bounded in bytes too
	atStreams     = "/api/v1/archive/"     // where these calls are
)

// A Progress is the event that says how far a long call is.
type Progress struct {
	Done  int `json:"done"`
	Total int `json:"total" doc:"0 while it is not known"`
}

// An AddRequest is files to be taken in. They are staged and not signed.
type AddRequest struct {
	Files []AddedFile `json:"files" minItems:"1" maxItems:"1000"` // maxAdded
}

// An AddedFile is one file: Text, or the bytes in Base64.
type AddedFile struct {
	Name      string `json:"name" doc:"its relative name, such as letters/07.txt"`
	Text      string `json:"text,omitempty"`
	Base64    []byte `json:"base64,omitempty"`
	MediaType string `json:"media_type,omitempty" doc:"found out where it is left out"`
}

// An IndexRequest asks for the search index of the newest snapshot.
type IndexRequest struct {
	Rebuild bool `json:"rebuild,omitempty" doc:"make it anew from the archive"`
}

// A tell tells how far a call is.
type tell func(done, total int)

// VerifyArchive verifies the whole archive, as muniment verify does. The client must
// be one that reads how the archive is kept.
func (c *Client) VerifyArchive(ctx context.Context, progress tell) (*audit.ArchiveVerdict, error) {
	if !c.audits() {
		return nil, errRole("an auditor or an admin verifies the archive")
	}
	return alone(ctx, c.server, func(a *archive.Archive) (*audit.ArchiveVerdict, error) {
		return audit.Verify(a, audit.ArchiveVerifyOptions{Progress: progress})
	})
}

// UpdateIndex brings the search index to the newest snapshot. The client must see everything.
func (c *Client) UpdateIndex(ctx context.Context, r IndexRequest, progress tell) (*search.IndexResult, error) {
	if !c.cred.seesAll() {
		return nil, errRole("an admin brings the index up to date; a search does so by itself")
	}
	return alone(ctx, c.server, func(a *archive.Archive) (*search.IndexResult, error) {
		return search.UpdateIndex(ctx, a, search.UpdateOptions{Rebuild: r.Rebuild, Progress: progress})
	})
}

// Add takes files in, which the next snapshot signs. The client must see everything.
func (c *Client) Add(ctx context.Context, r AddRequest, progress tell) (*accession.AddResult, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	if !c.cred.seesAll() {
		return nil, errRole("an admin takes files in; an agent registers sources")
	}
	if len(r.Files) == 0 || len(r.Files) > maxAdded {
		return nil, problem.New(problem.Usage, problem.Advise("send from 1 to 1,000 files in one call"), "%d files", len(r.Files))
	}
	inputs := make([]accession.Input, len(r.Files))
	for i, f := range r.Files {
		data := []byte(f.Text)
		if len(f.Base64) > 0 {
			if f.Text != "" {
				return nil, problem.New(problem.Usage, problem.Advise("give one of them"), "file %d has both text and bytes", i+1)
			}
			data = f.Base64
		}
		name, encoded := record.EncodeName(f.Name)
		if name == "" {
			return nil, problem.New(problem.Usage, problem.Advise("a relative name without . and .. in it"), "file %d has the name %q", i+1, legible.Printable(f.Name))
		}
		got := accession.Body{Data: data, MediaType: f.MediaType}
		inputs[i] = accession.Input{Name: name, Encoded: encoded, Fetch: func(context.Context) (accession.Body, error) { return got, nil }}
	}
	return alone(ctx, c.server, func(a *archive.Archive) (*accession.AddResult, error) {
		return accession.AddInputs(ctx, a, inputs, nil, accession.AddOptions{Progress: progress})
	})
}

// errRole is the error of a call that is for another role.
func errRole(who string) error {
	return problem.New(problem.NotPermitted, problem.Advise("use a token of such a role"), "%s", who)
}

// alone runs a long call with an archive of its own, so that no reader waits for it.
func alone[T any](ctx context.Context, s *Server, fn func(*archive.Archive) (*T, error)) (*T, error) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return nil, problem.New(problem.Busy, problem.Advise("call again when it has ended"), "another long call is under way")
	}
	a, err := s.o.Open()
	if err != nil {
		return nil, s.logCause(err)
	}
	defer a.Close()
	out, err := fn(a)
	return out, s.logCause(err)
}

// addStreams adds the calls that answer with events: progress, then result or error.
func (s *Server) addStreams(api huma.API) {
	addStream(api, operation{http.MethodPost, "/archive/verify", "verify_archive", "Verify the whole archive"}, func(ctx context.Context, c *Client, _ *struct{}, progress tell) (*audit.ArchiveVerdict, error) {
		return c.VerifyArchive(ctx, progress)
	})
	addStream(api, operation{http.MethodPost, "/archive/index", "update_index", "Bring the search index up to date"}, func(ctx context.Context, c *Client, in *posted[IndexRequest], progress tell) (*search.IndexResult, error) {
		return c.UpdateIndex(ctx, in.Body, progress)
	})
	addStream(api, operation{http.MethodPost, "/archive/add", "add", "Take files in for the next snapshot"}, func(ctx context.Context, c *Client, in *posted[AddRequest], progress tell) (*accession.AddResult, error) {
		return c.Add(ctx, in.Body, progress)
	})
}

// addStream adds one call that answers with events.
func addStream[I, O any](api huma.API, c operation, do func(context.Context, *Client, *I, tell) (*O, error)) {
	op := huma.Operation{OperationID: c.id, Method: c.method, Path: "/api/v1" + c.at, Summary: c.summary, MaxBodyBytes: noBound, Parameters: onceParameter(c.method), Errors: faults}
	events := map[string]any{"progress": Progress{}, "result": *new(O), "error": Fault{}}
	sse.Register(api, op, events, func(ctx context.Context, in *I, send sse.Sender) {
		var mu sync.Mutex
		var last time.Time
		progress := func(done, total int) {
			mu.Lock()
			defer mu.Unlock()
			if now := time.Now(); done == total || now.Sub(last) >= progressEvery {
				last = now
				_ = send.Data(Progress{done, total}) // a client that went away is told nothing
			}
		}
		out, err := do(ctx, clientOf(ctx), in, progress)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			_ = send.Data(*faultOf(err))
			return
		}
		_ = send.Data(*out)
	})
}
