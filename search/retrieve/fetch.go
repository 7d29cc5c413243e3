package retrieve

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// manyEqual is from how many hits of one score on their names are not all read: reading one takes
// two microseconds.
const manyEqual = 4096

// names returns the IDs of the k best hits, best first; among equals those of the first names.
func (b *best) names(r index.IndexReader) ([]string, error) {
	b.cut()
	n := 0 // hits above the last score
	for n < len(b.hits) && b.hits[n].score > b.least {
		n++
	}
	above, err := externalIDs(r, b.hits[:n])
	if err != nil {
		return nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(b.hits[j].score, b.hits[i].score), strings.Compare(above[i], above[j]))
	})
	var ids []string
	for _, i := range order {
		ids = append(ids, above[i])
	}
	var equal []string
	if tied := b.hits[n:]; len(tied) < manyEqual {
		equal, err = externalIDs(r, tied)
		slices.Sort(equal)
	} else {
		equal, err = firstIDs(r, tied, b.plan.k-n)
	}
	if err != nil {
		return nil, err
	}
	ids = append(ids, equal...)
	return ids[:min(len(ids), b.plan.k)], nil
}

func externalIDs(r index.IndexReader, hits []hit) ([]string, error) {
	var out []string
	for _, h := range hits {
		id, err := r.ExternalID(index.NewIndexInternalID(nil, h.at))
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

// firstIDs returns the first k names of many hits, going through the artifacts by name.
func firstIDs(r index.IndexReader, hits []hit, k int) ([]string, error) {
	among := make(map[uint64]bool, len(hits))
	for _, h := range hits {
		among[h.at] = true
	}
	dict, err := r.FieldDict("artifact")
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	var out []string
	for len(out) < k {
		e, err := dict.Next()
		if err != nil || e == nil {
			return out, err
		}
		p, err := newPostings(r, e.Term, "artifact", false)
		if err != nil {
			return nil, err
		}
		var of []hit
		for ; p.at != end && err == nil; err = p.next() {
			if among[p.at] {
				of = append(of, hit{at: p.at})
			}
		}
		if err := errors.Join(err, p.reader.Close()); err != nil {
			return nil, err
		}
		ids, err := externalIDs(r, of)
		if err != nil {
			return nil, err
		}
		slices.Sort(ids)
		out = append(out, ids...)
	}
	return out, nil
}

// Fetch returns passages by their IDs.
func (x *Folder) Fetch(ctx context.Context, q Query, ids []string) (found []Passage, err error) {
	err = x.weigh(q, func(s *plan, one part) error {
		found, err = s.loadAll(ctx, ids, nil, one)
		return err
	})
	return found, err
}

// errGone says that an index lacks a passage which its postings name.
var errGone = errors.New("a passage that was found is gone")

// loadAll loads the passages of some IDs, each from the first part that has it. Where no part has one, it returns
// the error gone, or leaves the passage out where that is nil.
func (s *plan) loadAll(ctx context.Context, ids []string, gone error, parts ...part) ([]Passage, error) {
	var found []Passage
	for _, id := range ids {
		var c *stored
		for _, p := range parts {
			var err error
			if c, err = load(p.r, id); err != nil {
				return nil, errors.Join(err, ctx.Err())
			}
			if c != nil {
				break
			}
		}
		if c == nil && gone != nil {
			return nil, gone
		}
		if c == nil {
			continue
		}
		p, ok, err := s.score(c)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, p)
		}
	}
	return found, nil
}

// Weigh returns the weights of a query's words, without searching.
func (x *Folder) Weigh(_ context.Context, q Query) (w Weighing, err error) {
	err = x.weigh(q, func(s *plan, _ part) error {
		w = s.weighing()
		return nil
	})
	return w, err
}

// load reads a passage; nil when there is none of the name.
func load(r index.IndexReader, id string) (*stored, error) {
	d, err := r.Document(id)
	if err != nil || d == nil {
		return nil, err
	}
	c := &stored{id: id}
	into := map[string]*string{"artifact": &c.Artifact, "title": &c.Title, "head": &c.Head, "author": &c.Author, "date": &c.Date,
		"lang": &c.Lang, "span": &c.Span, "text": &c.Text}
	d.VisitFields(func(f index.Field) {
		if s := into[f.Name()]; s != nil {
			*s = string(f.Value())
		}
	})
	c.analyse()
	return c, nil
}
