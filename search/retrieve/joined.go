package retrieve

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// Scan returns an index of documents that lies in memory, for a search where none can be
// written or another process writes one.
func Scan(ctx context.Context, docs iter.Seq2[Doc, error]) (*Folder, error) {
	m, err := newMapping()
	if err != nil {
		return nil, err
	}
	ix, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, err
	}
	in := newDocuments(docs)
	defer in.stop()
	w := &writer{ix: ix, limit: math.MaxInt}
	if err := w.write(ctx, in, nil); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return &Folder{ix: ix}, nil
}

// A Joined index is an index that lacks documents, with a Scan of these: passages and
// scores are those of one index of all. It cannot be updated.
type Joined struct {
	*Folder
	Rest  *Folder
	Stale []string // artifacts of which the Folder holds an earlier text or description
}

// Search returns the passages of both parts that hold words of the query, best first.
func (x *Joined) Search(ctx context.Context, q Query) ([]Passage, error) {
	var found []Passage
	q.Bare = false // passages of two parts are ranked by their scores
	s, err := x.plan(q, func(s *plan, parts []part) error {
		for _, p := range parts {
			more, err := s.search(ctx, p)
			if err != nil {
				return err
			}
			found = append(found, more...)
		}
		return nil
	})
	if err != nil || s == nil {
		return nil, err
	}
	return rank(found, s.k), nil
}

// Fetch returns passages of both parts by their IDs.
func (x *Joined) Fetch(ctx context.Context, q Query, ids []string) (found []Passage, err error) {
	_, err = x.plan(q, func(s *plan, parts []part) error {
		slices.Reverse(parts) // a stale text has the same names
		found, err = s.loadAll(ctx, ids, nil, parts...)
		return err
	})
	return found, err
}

// Weigh returns the weights of a query's words over both parts.
func (x *Joined) Weigh(_ context.Context, q Query) (w Weighing, err error) {
	_, err = x.plan(q, func(s *plan, _ []part) error { w = s.weighing(); return nil })
	return w, err
}

// Artifacts returns the IDs of the artifacts in both parts, sorted.
func (x *Joined) Artifacts(ctx context.Context) ([]string, error) {
	old, err := x.Folder.Artifacts(ctx)
	rest, failed := x.Rest.Artifacts(ctx)
	all := slices.Concat(slices.DeleteFunc(old, func(id string) bool { return slices.Contains(x.Stale, id) }), rest)
	slices.Sort(all)
	return slices.Compact(all), errors.Join(err, failed)
}

// Close releases both parts.
func (x *Joined) Close() error { return errors.Join(x.Folder.Close(), x.Rest.Close()) }

// plan calls fn with the weighed plan of a query and the parts that have documents; it
// returns nil where the query asks for nothing.
func (x *Joined) plan(q Query, fn func(*plan, []part) error) (*plan, error) {
	s, err := newPlan(q)
	if err != nil || s == nil {
		return nil, err
	}
	stale := slices.Compact(slices.Sorted(slices.Values(slices.Concat(q.Hidden, x.Stale))))
	return s, x.Folder.readOrNone(func(old index.IndexReader) error {
		return x.Rest.readOrNone(func(rest index.IndexReader) error {
			var parts []part
			for _, p := range []part{{old, stale}, {rest, q.Hidden}} {
				if p.r != nil {
					parts = append(parts, p)
				}
			}
			if err := s.weighIn(parts...); err != nil {
				return err
			}
			return fn(s, parts)
		})
	})
}

// readOrNone gives the index to fn, nil where it is empty.
func (x *Folder) readOrNone(fn func(index.IndexReader) error) error {
	called := false
	err := x.read(func(r index.IndexReader) error { called = true; return fn(r) })
	if err == nil && !called {
		return fn(nil)
	}
	return err
}
