package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// An Embedded index also finds passages that share no word with the query, by the vectors of an
// embedding model. Its order is that of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)
// of the index's own list and the list of the nearest vectors: 1 / (60 + rank) from each, equal ones by
// artifact ID and span. Similarity is the cosine, negative ones as 0; Share, Terms, Missing and Dated
// are those of the words: what an answer is drafted from still has to hold them. Dates restrict both lists. An endpoint that does not answer is an error, so that
// one question does not have two answers.
type Embedded struct {
	Index
	Vectors *Vectors
	Embed   Embed
}

const (
	fusion = 60 // of reciprocal rank fusion: the constant of its authors
	deeper = 4  // how many times K each list is read
)

// Search returns the passages that hold words of the query or are near to it, best first.
func (x *Embedded) Search(ctx context.Context, q Query) ([]Passage, error) {
	k := q.K
	if k <= 0 {
		k = DefaultK
	}
	k = min(k, MaxK)
	words := q
	words.K, words.Bare = k*deeper, false
	byWords, err := x.Index.Search(ctx, words)
	if err != nil {
		return nil, err
	}
	if x.Vectors.Len() == 0 || strings.TrimSpace(q.Text) == "" {
		return byWords[:min(k, len(byWords))], nil
	}
	asked, err := x.Embed(ctx, []string{q.Text})
	if err != nil {
		return nil, err
	}
	// Vectors outlive their passages and know no dates: more are taken than are wanted.
	names := x.Vectors.nearest(asked[0], 2*k*deeper, setOf(q.Hidden))
	cosines := map[string]float64{}
	var ids []string
	for _, n := range names {
		cosines[n.name] = n.cosine
		ids = append(ids, n.name)
	}
	byVectors, err := x.Index.Fetch(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	return fuse(byWords, byVectors[:min(len(byVectors), k*deeper)], func(p Passage) float64 {
		if c, ok := cosines[p.ID]; ok {
			return c
		}
		return x.Vectors.cosine(p.ID, asked[0])
	}, k), nil
}

// cosine returns how near a passage is to a vector, 0 when it has none.
func (v *Vectors) cosine(name string, q []float32) float64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	i, ok := v.at[name]
	if !ok || len(q) != v.dims {
		return 0
	}
	return cosine(q, v.values[i*v.dims:(i+1)*v.dims])
}

// fuse makes one list of two.
func fuse(a, b []Passage, similarity func(Passage) float64, k int) []Passage {
	score := map[string]float64{}
	var all []Passage
	for _, list := range [][]Passage{a, b} {
		for i, p := range list {
			if score[p.ID] == 0 {
				all = append(all, p)
			}
			score[p.ID] += 1 / float64(fusion+i+1)
		}
	}
	for i := range all {
		all[i].Similarity = max(0, min(1, similarity(all[i])))
	}
	slices.SortFunc(all, func(p, q Passage) int {
		return cmp.Or(cmp.Compare(score[q.ID], score[p.ID]), strings.Compare(p.ID, q.ID))
	})
	return all[:min(k, len(all))]
}
