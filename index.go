package muniment

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"

	"muniment/answer/model"
	"muniment/answer/policy"
	"muniment/answer/retrieve"
	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
)

// index opens the search index of a snapshot, bringing it up to date first.
func (a *Archive) index(ctx context.Context, s *snapshot.Snapshot, progress func(done, total int)) (retrieve.Index, *catalog, error) {
	c, err := a.load(s.Tree)
	if err != nil {
		return nil, nil, err
	}
	for try := 1; ; try++ {
		ix, err := a.openIndex(ctx)
		if err != nil {
			return nil, nil, environment(err, "search index")
		}
		if ix.Snapshot() != s.ID.String() {
			var old *catalog
			if old, err = a.indexed(ix.Snapshot()); err == nil {
				err = a.updateIndex(ctx, ix, s, c, old, progress)
			}
		}
		if err == nil && a.world.Embedder != nil {
			var e *retrieve.Embedded
			if e, err = a.embedded(ctx, ix, s, c, progress); err == nil {
				return e, c, nil
			}
		}
		if err == nil {
			return ix, c, nil
		}
		ix.Close()
		// Another process may have been at it; what it left is gone on from.
		if !errors.Is(err, retrieve.ErrMoved) || try == 3 {
			return nil, nil, err
		}
	}
}

// embedded adds the vectors of the world's embedding model to an index, and
// makes those that are missing.
func (a *Archive) embedded(ctx context.Context, ix retrieve.Index, s *snapshot.Snapshot, c *catalog, progress func(done, total int)) (*retrieve.Embedded, error) {
	dir, err := a.local("vectors")
	if err != nil {
		return nil, err
	}
	v, err := retrieve.OpenVectors(dir, cmp.Or(a.world.Embedder.Model, model.DefaultModel))
	if err != nil {
		return nil, environment(err, "vectors")
	}
	if v.Covered() != s.ID.String() {
		old, err := a.indexed(v.Covered())
		if err != nil {
			return nil, err
		}
		var fault error
		err = v.Add(ctx, a.texts(s, c, old, progress, &fault), a.world.Embedder.Embed, nil)
		if err = broken(ctx, fault, embedding(err)); err != nil {
			return nil, err
		}
		if err := v.Cover(s.ID.String()); err != nil {
			return nil, environment(err, "vectors")
		}
	}
	ask := func(ctx context.Context, texts []string) ([][]float32, error) {
		vectors, err := a.world.Embedder.Embed(ctx, texts)
		return vectors, embedding(err)
	}
	return &retrieve.Embedded{Index: ix, Vectors: v, Embed: ask}, nil
}

// embedding is the error of an endpoint for vectors.
func embedding(err error) error {
	var away *model.UnavailableError
	var reply *model.ReplyError
	switch {
	case errors.As(err, &away), errors.As(err, &reply):
		return problem(TypeEnvironment, ExitEnvironment, "start it, or unset MUNIMENT_EMBED_URL to search by words alone", "MUNIMENT_EMBED_URL: %w", err)
	}
	return environment(err, "vectors")
}

// broken is what ended an update: a fault of the archive, the user, or what
// was updated.
func broken(ctx context.Context, fault, err error) error {
	switch {
	case fault != nil:
		return fault
	case err != nil && ctx.Err() != nil:
		return interrupted()
	}
	return err
}

// openIndex opens the index as it is. It is derived: it lies in
// archive.local/search, or in a schema of its own beside a shared ledger, and
// can be deleted.
func (a *Archive) openIndex(ctx context.Context) (retrieve.Index, error) {
	if a.world.LedgerURL != "" {
		return retrieve.OpenServer(ctx, a.world.LedgerURL, "muniment_index_"+a.id.Hex()[:16])
	}
	dir, err := a.local("search")
	if err != nil {
		return nil, err
	}
	return retrieve.Open(dir)
}

// HasIndex tells whether there is a search index here to keep up to date: an
// archive that nobody asks has none.
func (a *Archive) HasIndex() bool {
	if a.world.LedgerURL != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(a.dir, LocalDir, "search", "current"))
	return err == nil
}

// An IndexResult tells what a search index stands for.
type IndexResult struct {
	Snapshot  string `json:"snapshot"`
	Seq       int64  `json:"seq"`
	Artifacts int    `json:"artifacts"` // texts that can be found
}

// UpdateIndex brings the search index to the newest snapshot; with rebuild it
// is made anew from the archive. Searches and questions do so by themselves.
func (a *Archive) UpdateIndex(ctx context.Context, rebuild bool, progress func(done, total int)) (*IndexResult, error) {
	head, _, err := a.mustHead()
	if err != nil {
		return nil, err
	}
	if rebuild {
		ix, err := a.openIndex(ctx)
		if err != nil {
			return nil, environment(err, "search index")
		}
		if err := errors.Join(ix.Reset(ctx), ix.Close()); err != nil {
			return nil, environment(err, "search index")
		}
	}
	ix, _, err := a.index(ctx, head, progress)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	ids, err := ix.Artifacts(ctx)
	if err != nil {
		return nil, environment(err, "search index")
	}
	return &IndexResult{Snapshot: head.ID.String(), Seq: int64(head.Seq), Artifacts: len(ids)}, nil
}

// indexed returns the catalogue of the snapshot an index was made for, nil
// when there is none or the history no longer holds it.
func (a *Archive) indexed(id string) (*catalog, error) {
	if id == "" {
		return nil, nil
	}
	_, tip, err := a.head()
	if err != nil {
		return nil, err
	}
	history, err := a.history(tip)
	if err != nil {
		return nil, err
	}
	for _, s := range history {
		if s.ID.String() == id {
			return a.loadAside(s.Tree)
		}
	}
	return nil, nil
}

// loadAside reads the catalogue of a tree and keeps the one at hand.
func (a *Archive) loadAside(tree objects.Hash) (*catalog, error) {
	if a.catalog != nil && a.catalog.tree == tree {
		return a.catalog, nil
	}
	return a.readCatalog(tree)
}

// updateIndex adds what is new since old and removes what is gone.
func (a *Archive) updateIndex(ctx context.Context, ix retrieve.Index, s *snapshot.Snapshot, c, old *catalog, progress func(done, total int)) error {
	var gone []string
	if old == nil {
		had, err := ix.Artifacts(ctx)
		if err != nil {
			return environment(err, "search index")
		}
		gone = had
	} else {
		for _, was := range old.artifacts {
			if c.byID[was.id] == nil || len(c.byID[was.id].records) == 0 {
				gone = append(gone, was.id.String())
			}
		}
	}
	var fault error
	err := ix.Update(ctx, s.ID.String(), a.texts(s, c, old, progress, &fault), gone, nil)
	return broken(ctx, fault, environment(err, "search index"))
}

// texts are the documents of a snapshot that an older catalogue, which may be
// nil, does not have. An error of the archive goes to fault.
func (a *Archive) texts(s *snapshot.Snapshot, c, old *catalog, progress func(done, total int), fault *error) iter.Seq2[retrieve.Doc, error] {
	return func(yield func(retrieve.Doc, error) bool) {
		for i, art := range c.artifacts {
			h, ok := art.first()
			if !ok || !h.rec.Textual() || unchanged(old, art.id, h.id) {
				continue
			}
			data, err := a.payload(s.Tree, art.id)
			if err != nil {
				*fault = err
				yield(retrieve.Doc{}, err)
				return
			}
			doc := retrieve.Doc{Artifact: art.id.String(), Date: h.rec.Date(), Document: canon.NewDocument(data), Rows: rowForms[h.rec.Canonicalizer]}
			if h.rec.Source != nil {
				doc.Title, doc.Lang = h.rec.Source.Title, h.rec.Source.Language
				if len(h.rec.Source.Creators) > 0 {
					doc.Author = h.rec.Source.Creators[0]
				}
			}
			if progress != nil {
				progress(i+1, len(c.artifacts))
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

// unchanged tells whether the catalogue before has an artifact with the same
// first record.
func unchanged(old *catalog, id, rec cid.ID) bool {
	if old == nil || old.byID[id] == nil {
		return false
	}
	before, ok := old.byID[id].first()
	return ok && before.id == rec
}

// readPolicy loads the policy of a tree.
func (a *Archive) readPolicy(tree objects.Hash) (*policy.Policy, error) {
	files := map[string][]byte{}
	err := a.store.Walk(tree, "policy", func(path string, h objects.Hash) error {
		_, data, err := a.store.Get(h)
		files[path] = data
		return err
	})
	if err != nil {
		return nil, environment(err, "policy")
	}
	p, err := policy.Load(files)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment show and muniment verify say more; the previous snapshot holds the last good policy", "policy: %w", err)
	}
	return p, nil
}

// mayWrite says what is in the way of a new file: callers ask before they do
// what cannot be taken back, such as appending to the answer log.
func mayWrite(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return problem(TypeUsage, ExitUsage, "choose another name, or move it away first", "%s is there already and is not replaced", printable(path))
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil {
		return problem(TypeUsage, ExitUsage, "make the folder first, or choose another one", "%s cannot be written: %s: %s", printable(path), printable(dir), reason(err))
	} else if !info.IsDir() {
		return problem(TypeUsage, ExitUsage, "choose another folder", "%s cannot be written: %s is not a folder", printable(path), printable(dir))
	}
	return nil
}

// writeNew writes a file that must not exist yet, through a temporary one, so
// that what is there is whole.
func writeNew(path string, data []byte) error {
	if err := mayWrite(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".muniment-*")
	if err != nil {
		return environment(err, "write "+path)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	return environment(err, "write "+path)
}
