package search

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/judge/model"
	"muniment/search/retrieve"
	"muniment/snapshot"
)

// tries is how often an index is opened that others change meanwhile, or that is
// found to be damaged.
const tries = 5

// An Opened index is the search index of a snapshot, or as much of it as there is. It is
// for one goroutine.
type Opened struct {
	retrieve.Index
	// Searched says which share of the snapshot is searched. Where it is not the whole, nobody
	// may say of words that they are nowhere: its NotSearched is the error.
	Searched Coverage
	// Notice says, in a sentence for people, of what the index is while it is not yet of
	// the whole snapshot; "" where it is.
	Notice string

	hidden []string // artifacts in the index that the snapshot does not have so
	texts  func(cid.ID) (*canon.Document, error)
	again  func(context.Context) (*Opened, error)
}

// Index returns the search index of a snapshot, brought up to date, and the catalogue of
// the snapshot. Where there is much to index and the archive's World knows how to begin
// that elsewhere, or another process is at it, or the index cannot be written, what it lacks
// is scanned directly where it is as little as a search indexes itself; else the index
// is of what there is, and its fields Searched and Notice say so. progress, which may be nil, counts the
// artifacts.
func Index(ctx context.Context, a *archive.Archive, s *snapshot.Snapshot, progress func(done, total int)) (*Opened, *holdings.Catalog, error) {
	c := a.Catalog(s.Tree)
	open := func(ctx context.Context) (*Opened, error) { return openUpdated(ctx, a, s, progress) }
	o, err := open(ctx)
	if err != nil {
		return nil, nil, err
	}
	o.again, o.texts = open, func(id cid.ID) (*canon.Document, error) {
		art, err := c.Artifact(id)
		if err != nil || art == nil {
			return nil, err
		}
		return a.Document(s.Tree, art)
	}
	if a.World().Embedder != nil {
		if err := addVectors(ctx, a, o, s, c, progress); err != nil {
			o.Close()
			return nil, nil, err
		}
	}
	return o, c, nil
}

// Search returns the passages that hold words of the query, best first.
func (o *Opened) Search(ctx context.Context, q retrieve.Query) (found []retrieve.Passage, err error) {
	err = o.try(ctx, &q, func() error { found, err = o.Index.Search(ctx, q); return err })
	return found, err
}

// Fetch returns passages by their IDs.
func (o *Opened) Fetch(ctx context.Context, q retrieve.Query, ids []string) (found []retrieve.Passage, err error) {
	err = o.try(ctx, &q, func() error { found, err = o.Index.Fetch(ctx, q, ids); return err })
	return found, err
}

// Weigh returns what the words of a query weigh.
func (o *Opened) Weigh(ctx context.Context, q retrieve.Query) (w retrieve.Weighing, err error) {
	err = o.try(ctx, &q, func() error { w, err = o.Index.Weigh(ctx, q); return err })
	return w, err
}

// try runs fn on a query that hides what the snapshot does not have. Where the index was
// moved by another process or is damaged, it is opened again.
func (o *Opened) try(ctx context.Context, q *retrieve.Query, fn func() error) error {
	hidden := q.Hidden
	for try := 1; ; try++ {
		q.Hidden = hidden
		if len(o.hidden) > 0 {
			q.Hidden = slices.Compact(slices.Sorted(slices.Values(slices.Concat(hidden, o.hidden))))
		}
		err := fn()
		if err == nil || try == tries || o.again == nil || !errors.Is(err, retrieve.ErrMoved) && !errors.Is(err, retrieve.ErrDamaged) {
			return err
		}
		next, e := o.again(ctx)
		if e != nil {
			return e
		}
		_ = o.Close()
		if e, ok := o.Index.(*retrieve.Embedded); ok {
			next.Index = &retrieve.Embedded{Index: next.Index, Vectors: e.Vectors, Embed: e.Embed}
		}
		o.Index, o.Searched, o.Notice, o.hidden = next.Index, next.Searched, next.Notice, next.hidden
	}
}

const (
	// inlinePassages is how many passages at most a search indexes before it answers,
	// about: more take above a second.
	inlinePassages = 2000
	// passageText is how much text a passage has, about, in bytes.
	passageText = 500

	// busyWait is how long a search waits while another process builds: as long as a
	// small update takes. Where nothing is indexed yet it waits firstWait, in which the
	// first stage ends.
	busyWait, firstWait = 2 * time.Second, 10 * time.Second
	pollEvery           = 25 * time.Millisecond
)

// openUpdated opens the index and brings it to a snapshot, as far as Index says.
func openUpdated(ctx context.Context, a *archive.Archive, s *snapshot.Snapshot, progress func(done, total int)) (*Opened, error) {
	waited, begun := time.Duration(0), false
	for try := 1; ; {
		ix, err := openIndex(ctx, a)
		if err != nil {
			return nil, problem.Wrap(err, "search index")
		}
		u, err := planUpdate(ctx, a, ix, s)
		switch {
		case err != nil:
			ix.Close()
			return nil, err
		case u == nil:
			return (&update{wanted: s}).searchedWhole(ix), nil
		case u.newer:
			return u.orPartly(ctx, "the index is of a newer one")
		case a.ReadOnly():
			return u.orPartly(ctx, "nothing can be written in this archive")
		case u.large && a.World().IndexAside != nil && beginAside(a, &begun) == nil:
			err = retrieve.ErrBusy
		default:
			err = u.run(ctx, progress)
		}
		if err == nil { // what was interrupted is whole: now from there to the snapshot
			ix.Close()
			continue
		}
		var fault *problem.Error
		switch {
		case errors.Is(err, retrieve.ErrBusy):
			wait := busyWait
			if u.at == nil {
				wait = firstWait
			} else if u.large {
				wait = 0
			}
			if waited >= wait {
				return u.orPartly(ctx, "the rest is being indexed")
			}
			if err := pause(ctx, pollEvery); err != nil {
				ix.Close()
				return nil, err
			}
			waited += pollEvery
		case errors.Is(err, retrieve.ErrMoved) && try < tries:
			try++
		case ctx.Err() == nil && !errors.Is(err, retrieve.ErrDamaged) && errors.As(err, &fault) && fault.Kind == problem.Environment:
			return u.orPartly(ctx, "the rest could not be indexed")
		default:
			ix.Close()
			return nil, err
		}
		ix.Close()
	}
}

// beginAside has the index brought up to date aside, once, unless a process does that now.
func beginAside(a *archive.Archive, begun *bool) error {
	state, err := a.IndexState()
	if err != nil || *begun || state != nil && state.Building {
		return err
	}
	*begun = true
	return a.World().IndexAside()
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return problem.InterruptedError()
	case <-time.After(d):
		return nil
	}
}

// addVectors puts the vectors of the world's embedding model beside an index. It computes
// those that are missing, but where the index is not of the whole snapshot yet.
func addVectors(ctx context.Context, a *archive.Archive, o *Opened, s *snapshot.Snapshot, c *holdings.Catalog, progress func(done, total int)) error {
	dir, err := a.LocalPath("vectors")
	if err != nil {
		return err
	}
	v, err := retrieve.OpenVectors(dir, cmp.Or(a.World().Embedder.Model, model.DefaultModel))
	if err != nil {
		return problem.Wrap(err, "vectors")
	}
	if v.Covered() != s.ID.String() && o.Index.Snapshot() == s.ID.String() {
		old, err := indexedCatalog(a, v.Covered())
		if err != nil {
			return err
		}
		var fault error
		artifacts, _, err := artifactsSince(a, c, old)
		if err == nil {
			artifacts, err = sendable(a, s, artifacts)
		}
		if err != nil {
			return err
		}
		err = v.Add(ctx, newTexts(a, s.Tree, artifacts, 0, progress, &fault), a.World().Embedder.Embed, nil)
		if err = updateError(ctx, fault, embeddingError(err)); err != nil {
			return err
		}
		if err := v.Cover(s.ID.String()); err != nil {
			return problem.Wrap(err, "vectors")
		}
	}
	ask := func(ctx context.Context, texts []string) ([][]float32, error) {
		vectors, err := a.World().Embedder.Embed(ctx, texts)
		return vectors, embeddingError(err)
	}
	o.Index = &retrieve.Embedded{Index: o.Index, Vectors: v, Embed: ask}
	return nil
}

// sendable returns the artifacts whose words may be sent to the world's embedding model, and
// logs that they are.
func sendable(a *archive.Archive, s *snapshot.Snapshot, all []*holdings.Artifact) ([]*holdings.Artifact, error) {
	rules, err := a.ReadPolicy(s.Tree)
	if err != nil {
		return nil, err
	}
	var out []*holdings.Artifact
	var ids []string
	for _, art := range all {
		may, err := a.MaySend(s.Tree, rules, art.ID, a.World().Embedder.URL)
		if err != nil {
			return nil, err
		}
		if h, ok := art.FirstRecord(); may && ok && h.Record.Textual() {
			out, ids = append(out, art), append(ids, art.ID.String())
		}
	}
	return out, a.LogSent(a.World().Embedder.URL, "embedding", ids)
}

// embeddingError returns the *problem.Error of a failure to compute vectors.
func embeddingError(err error) error {
	var away *model.UnavailableError
	var reply *model.ReplyError
	var wrong *model.ConfigurationError
	switch {
	case errors.As(err, &wrong):
		return problem.New(problem.Environment, problem.Advise("check the address, MUNIMENT_EMBED_MODEL and MUNIMENT_EMBED_KEY_FILE, or unset MUNIMENT_EMBED_URL"), "MUNIMENT_EMBED_URL: %w", err)
	case errors.As(err, &away), errors.As(err, &reply):
		return problem.New(problem.Environment, problem.Advise("start it, or unset MUNIMENT_EMBED_URL to search by words alone"), "MUNIMENT_EMBED_URL: %w", err)
	}
	return problem.Wrap(err, "vectors")
}

// updateError returns what ended an update: a fault of the archive, an
// interruption, or the error of the index.
func updateError(ctx context.Context, fault, err error) error {
	switch {
	case fault != nil:
		return fault
	case err != nil && ctx.Err() != nil:
		return problem.InterruptedError()
	}
	return err
}

// openIndex returns the index as it is. It is derived: it lies in
// archive.local/search and can be deleted.
func openIndex(ctx context.Context, a *archive.Archive) (retrieve.Index, error) {
	dir, err := a.LocalPath("search")
	if err != nil {
		return nil, err
	}
	return retrieve.Open(dir)
}

// HasIndex reports whether there is a search index here to keep up to date: an
// archive that nobody asks has none.
func HasIndex(a *archive.Archive) bool {
	_, err := os.Stat(filepath.Join(a.Dir(), archive.LocalDir, "search", "current"))
	return err == nil
}

// Lag returns how many snapshots the search index lacks; an index whose snapshot the history
// does not have lacks all of them. It opens the index that HasIndex reports, and updates nothing.
func Lag(ctx context.Context, a *archive.Archive) (snapshots int64, err error) {
	head, _, err := a.Head()
	if err != nil || head == nil {
		return 0, err
	}
	ix, err := openIndex(ctx, a)
	if err != nil {
		return 0, err
	}
	defer func() {
		if end := ix.Close(); err == nil {
			err = end
		}
	}()
	at, known, err := row(a, ix.Extent().Snapshot)
	if err != nil || !known {
		return head.Seq, err
	}
	return max(0, head.Seq-at.Seq), nil
}

// An IndexResult names the snapshot that a search index is of.
type IndexResult struct {
	Snapshot  string `json:"snapshot"`
	Seq       int64  `json:"seq"`
	Artifacts int    `json:"artifacts"`      // texts that can be found
	Busy      bool   `json:"busy,omitempty"` // another process builds it, and nothing was done here
}

// An UpdateOptions chooses how UpdateIndex works.
type UpdateOptions struct {
	Rebuild bool // make the index anew
	// Alone ends where another process builds the index, instead of waiting for it.
	Alone    bool
	Progress func(done, total int) // may be nil; counts the artifacts
}

// UpdateIndex brings the search index to the newest snapshot, from the archive. Searches
// and questions do so by themselves where there is little to index, and have it begun where
// there is much.
func UpdateIndex(ctx context.Context, a *archive.Archive, o UpdateOptions) (*IndexResult, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	dir, err := a.LocalPath("search")
	if err != nil {
		return nil, err
	}
	claim, err := retrieve.Claim(dir)
	for errors.Is(err, retrieve.ErrBusy) {
		if o.Alone {
			return &IndexResult{Snapshot: head.ID.String(), Seq: head.Seq, Busy: true}, nil
		}
		if err := awaitOther(ctx, a, o.Progress); err != nil {
			return nil, err
		}
		claim, err = retrieve.Claim(dir)
	}
	if err != nil {
		return nil, problem.Wrap(err, "search index")
	}
	defer claim.Close()
	if o.Rebuild {
		if err := resetIndex(ctx, a); err != nil {
			return nil, err
		}
	}
	for moved := 0; ; {
		if head, _, err = a.RequireHead(); err != nil {
			return nil, err
		}
		r, err := updateOnce(ctx, a, head, o.Progress)
		switch {
		case errors.Is(err, retrieve.ErrBusy):
			if err := awaitOther(ctx, a, o.Progress); err != nil {
				return nil, err
			}
		case errors.Is(err, retrieve.ErrMoved) && moved < tries:
			moved++
		case err != nil || r != nil:
			return r, err
		}
	}
}

// awaitOther waits a moment while another process builds the index, and tells how far it is.
func awaitOther(ctx context.Context, a *archive.Archive, progress func(done, total int)) error {
	head, _, err := a.RequireHead()
	if err != nil {
		return err
	}
	if state, err := a.IndexState(); err == nil && state != nil && state.Texts > 0 && progress != nil {
		progress(state.Texts, int(head.Entries/entriesPerArtifact))
	}
	return pause(ctx, pollEvery)
}

// updateOnce does one update on the way to a snapshot. The result is nil while there is
// another one to do.
func updateOnce(ctx context.Context, a *archive.Archive, s *snapshot.Snapshot, progress func(done, total int)) (*IndexResult, error) {
	ix, err := openIndex(ctx, a)
	if err != nil {
		return nil, problem.Wrap(err, "search index")
	}
	defer func() { ix.Close() }()
	c := a.Catalog(s.Tree)
	u, err := planUpdate(ctx, a, ix, s)
	if err != nil {
		return nil, err
	}
	if u != nil && !u.newer {
		return nil, u.run(ctx, progress)
	}
	if a.World().Embedder != nil {
		o := &Opened{Index: ix}
		if err := addVectors(ctx, a, o, s, c, progress); err != nil {
			return nil, err
		}
	}
	ids, err := ix.Artifacts(ctx)
	if err != nil {
		return nil, problem.Wrap(err, "search index")
	}
	return &IndexResult{Snapshot: s.ID.String(), Seq: s.Seq, Artifacts: len(ids)}, nil
}

// resetIndex empties the index.
func resetIndex(ctx context.Context, a *archive.Archive) error {
	ix, err := openIndex(ctx, a)
	if err != nil {
		return problem.Wrap(err, "search index")
	}
	if err := errors.Join(ix.Reset(ctx), ix.Close()); err != nil {
		return problem.Wrap(err, "search index")
	}
	return nil
}
