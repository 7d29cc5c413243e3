package search

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"

	"muniment/answer/model"
	"muniment/answer/retrieve"
	"muniment/archive"
	"muniment/canon"
	"muniment/canon/forms"
	"muniment/cid"
	"muniment/snapshot"
)

// Index returns the search index of a snapshot, brought up to date, and the
// catalogue of the snapshot. progress, which may be nil, counts the artifacts.
func Index(ctx context.Context, a *archive.Archive, s *snapshot.Snapshot, progress func(done, total int)) (retrieve.Index, *archive.Catalog, error) {
	c := a.Catalog(s.Tree)
	for try := 1; ; try++ {
		ix, err := openIndex(ctx, a)
		if err != nil {
			return nil, nil, archive.Environment(err, "search index")
		}
		if ix.Snapshot() != s.ID.String() {
			var old *archive.Catalog
			if old, err = indexedCatalog(a, ix.Snapshot()); err == nil {
				err = updateIndex(ctx, a, ix, s, c, old, progress)
			}
		}
		if err == nil && a.World().Embedder != nil {
			var e *retrieve.Embedded
			if e, err = addVectors(ctx, a, ix, s, c, progress); err == nil {
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

// addVectors returns the index together with the vectors of the world's embedding
// model, and computes those that are missing.
func addVectors(ctx context.Context, a *archive.Archive, ix retrieve.Index, s *snapshot.Snapshot, c *archive.Catalog, progress func(done, total int)) (*retrieve.Embedded, error) {
	dir, err := a.LocalPath("vectors")
	if err != nil {
		return nil, err
	}
	v, err := retrieve.OpenVectors(dir, cmp.Or(a.World().Embedder.Model, model.DefaultModel))
	if err != nil {
		return nil, archive.Environment(err, "vectors")
	}
	if v.Covered() != s.ID.String() {
		old, err := indexedCatalog(a, v.Covered())
		if err != nil {
			return nil, err
		}
		var fault error
		artifacts, _, err := artifactsSince(a, c, old)
		if err != nil {
			return nil, err
		}
		err = v.Add(ctx, newTexts(a, s, artifacts, progress, &fault), a.World().Embedder.Embed, nil)
		if err = updateError(ctx, fault, embeddingError(err)); err != nil {
			return nil, err
		}
		if err := v.Cover(s.ID.String()); err != nil {
			return nil, archive.Environment(err, "vectors")
		}
	}
	ask := func(ctx context.Context, texts []string) ([][]float32, error) {
		vectors, err := a.World().Embedder.Embed(ctx, texts)
		return vectors, embeddingError(err)
	}
	return &retrieve.Embedded{Index: ix, Vectors: v, Embed: ask}, nil
}

// embeddingError returns the *archive.Error of a failure to compute vectors.
func embeddingError(err error) error {
	var away *model.UnavailableError
	var reply *model.ReplyError
	var wrong *model.ConfigurationError
	switch {
	case errors.As(err, &wrong):
		return archive.Problem(archive.TypeEnvironment, archive.Advise("check the address, MUNIMENT_EMBED_MODEL and MUNIMENT_EMBED_KEY_FILE, or unset MUNIMENT_EMBED_URL"), "MUNIMENT_EMBED_URL: %w", err)
	case errors.As(err, &away), errors.As(err, &reply):
		return archive.Problem(archive.TypeEnvironment, archive.Advise("start it, or unset MUNIMENT_EMBED_URL to search by words alone"), "MUNIMENT_EMBED_URL: %w", err)
	}
	return archive.Environment(err, "vectors")
}

// updateError returns what ended an update: a fault of the archive, an
// interruption, or the error of the index.
func updateError(ctx context.Context, fault, err error) error {
	switch {
	case fault != nil:
		return fault
	case err != nil && ctx.Err() != nil:
		return archive.InterruptedError()
	}
	return err
}

// openIndex returns the index as it is. It is derived: it lies in
// archive.local/search, or in a schema of its own beside a shared ledger, and
// can be deleted.
func openIndex(ctx context.Context, a *archive.Archive) (retrieve.Index, error) {
	if a.World().LedgerURL != "" {
		return retrieve.OpenServer(ctx, a.World().LedgerURL, "muniment_index_"+a.ID().Hex()[:16])
	}
	dir, err := a.LocalPath("search")
	if err != nil {
		return nil, err
	}
	return retrieve.Open(dir)
}

// HasIndex reports whether there is a search index here to keep up to date: an
// archive that nobody asks has none.
func HasIndex(a *archive.Archive) bool {
	if a.World().LedgerURL != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(a.Dir(), archive.LocalDir, "search", "current"))
	return err == nil
}

// An IndexResult names the snapshot that a search index is of.
type IndexResult struct {
	Snapshot  string `json:"snapshot"`
	Seq       int64  `json:"seq"`
	Artifacts int    `json:"artifacts"` // texts that can be found
}

// UpdateIndex brings the search index to the newest snapshot; with rebuild it
// is made anew from the archive. Searches and questions do so by themselves.
func UpdateIndex(ctx context.Context, a *archive.Archive, rebuild bool, progress func(done, total int)) (*IndexResult, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if rebuild {
		ix, err := openIndex(ctx, a)
		if err != nil {
			return nil, archive.Environment(err, "search index")
		}
		if err := errors.Join(ix.Reset(ctx), ix.Close()); err != nil {
			return nil, archive.Environment(err, "search index")
		}
	}
	ix, _, err := Index(ctx, a, head, progress)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	ids, err := ix.Artifacts(ctx)
	if err != nil {
		return nil, archive.Environment(err, "search index")
	}
	return &IndexResult{Snapshot: head.ID.String(), Seq: int64(head.Seq), Artifacts: len(ids)}, nil
}

// indexedCatalog returns the catalogue of the snapshot an index was made for, nil
// when there is none or the history no longer holds it.
func indexedCatalog(a *archive.Archive, id string) (*archive.Catalog, error) {
	if id == "" {
		return nil, nil
	}
	row, there, err := a.HasSnapshot(id)
	if err != nil || !there {
		return nil, err
	}
	return a.PeekCatalog(row.Tree), nil
}

// updateIndex adds what is new since old and removes what is gone.
func updateIndex(ctx context.Context, a *archive.Archive, ix retrieve.Index, s *snapshot.Snapshot, c, old *archive.Catalog, progress func(done, total int)) error {
	artifacts, gone, err := artifactsSince(a, c, old)
	if err != nil {
		return err
	}
	if old == nil {
		if gone, err = ix.Artifacts(ctx); err != nil {
			return archive.Environment(err, "search index")
		}
	}
	var fault error
	err = ix.Update(ctx, s.ID.String(), newTexts(a, s, artifacts, progress, &fault), gone, nil)
	return updateError(ctx, fault, archive.Environment(err, "search index"))
}

// artifactsSince returns the artifacts whose first record the catalogue old, which
// may be nil, does not have so, and the IDs of those that are gone since.
func artifactsSince(a *archive.Archive, c, old *archive.Catalog) (artifacts []*archive.Artifact, gone []string, err error) {
	if old == nil {
		all, err := c.ReadAll()
		if err != nil {
			return nil, nil, err
		}
		return all.Artifacts, nil, nil
	}
	changes, err := snapshot.Diff(a.Store(), old.Tree, c.Tree)
	if err != nil {
		return nil, nil, archive.Environment(err, "search index")
	}
	last := cid.ID{}
	for _, ch := range changes {
		if ch.Artifact.IsZero() || ch.Artifact == last {
			continue
		}
		last = ch.Artifact
		now, err := c.Artifact(last)
		if err != nil {
			return nil, nil, err
		}
		before, err := old.Artifact(last)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case now == nil || len(now.Records) == 0:
			if before != nil {
				gone = append(gone, last.String())
			}
		case !isUnchanged(before, now):
			artifacts = append(artifacts, now)
		}
	}
	return artifacts, gone, nil
}

// newTexts returns the documents of artifacts of a snapshot. An error of the archive
// goes to fault.
func newTexts(a *archive.Archive, s *snapshot.Snapshot, artifacts []*archive.Artifact, progress func(done, total int), fault *error) iter.Seq2[retrieve.Doc, error] {
	return func(yield func(retrieve.Doc, error) bool) {
		for i, art := range artifacts {
			h, ok := art.FirstRecord()
			if !ok || !h.Record.Textual() {
				continue
			}
			data, err := a.Payload(s.Tree, art.ID)
			if err != nil {
				*fault = err
				yield(retrieve.Doc{}, err)
				return
			}
			doc := retrieve.Doc{Artifact: art.ID.String(), Date: archive.DateOf(h.Record).String(), Document: canon.NewDocument(data), Rows: forms.Rows(h.Record.Canonicalizer)}
			if h.Record.Source != nil {
				doc.Title, doc.Lang = h.Record.Source.Title, h.Record.Source.Language
				if len(h.Record.Source.Creators) > 0 {
					doc.Author = h.Record.Source.Creators[0]
				}
			}
			if progress != nil {
				progress(i+1, len(artifacts))
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

// isUnchanged reports whether an artifact, which may be nil, had the same first
// record before.
func isUnchanged(before, now *archive.Artifact) bool {
	if before == nil {
		return false
	}
	was, ok := before.FirstRecord()
	is, _ := now.FirstRecord()
	return ok && was.ID == is.ID
}
