package retrieve

import (
	"iter"
	"slices"
)

// sequence returns documents one by one, as Update takes them.
func sequence(docs []Doc) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// holds reports whether a passage that was scored has a word of the query, or the date of a query
// without words.
func holds(p *Passage) bool {
	return slices.ContainsFunc(p.Terms, func(t Term) bool { return t.Found && (t.Stem != "" || len(p.Terms) == 1) })
}
