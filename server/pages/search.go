package pages

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"muniment/server"
	"muniment/text/typo"
)

const (
	searchDepth    = 80 // passages among which a search counts and filters
	fewHits        = 3  // passages below which a page asks whether another word was meant
	maxCorrections = 3
)

// A searchAsk is what a reader searches.
type searchAsk struct {
	words  string
	byDate bool
	filter Filter // of the papers in which it is found
}

// link returns the address of a search with another filter.
func (q searchAsk) link(l links, f Filter) string {
	v := f.values(1)
	v.Set("q", q.words)
	if q.byDate {
		v.Set("order", "date")
	}
	return l.Page("search") + "?" + v.Encode()
}

func (s *source) search(ctx context.Context, q searchAsk) (*frame, error) {
	p := &Search{Query: strings.TrimSpace(q.words), ByDate: q.byDate, Ask: q.filter, Found: []FoundPaper{}, Corrections: []Correction{}}
	q.words = p.Query
	if p.Query != "" {
		if err := s.fillSearch(ctx, q, p); err != nil {
			return nil, err
		}
	}
	return s.frame(ctx, "search", cmp.Or(p.Query, s.say("search.title")), p)
}

// fillSearch fills in the papers in which words are found, with their passages.
func (s *source) fillSearch(ctx context.Context, q searchAsk, p *Search) error {
	r, err := s.client.Search(ctx, server.SearchRequest{Query: p.Query, Limit: searchDepth})
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, hit := range r.Hits {
		ids[hit.Artifact] = true
	}
	of, err := s.client.HoldingsOf(ctx, slices.Collect(maps.Keys(ids)))
	if err != nil {
		return err
	}
	at := map[string]int{}
	var among []server.Holding
	for _, hit := range r.Hits {
		h := of[hit.Artifact]
		if _, ok := at[hit.Artifact]; !ok && !q.filter.Selects(&h) {
			continue
		}
		i, ok := at[hit.Artifact]
		if !ok {
			i = len(p.Found)
			at[hit.Artifact], among = i, append(among, h)
			p.Found = append(p.Found, FoundPaper{Artifact: hit.Artifact, Name: hit.Name, Title: h.Title, Date: hit.Date, Of: h})
		}
		if p.Hits < searchHits {
			cue, stamped := cueOf(hit.Text)
			if _, sign := h.HeadingOf(hit.Text); cue == nil {
				stamped = sign
			}
			p.Found[i].Passages = append(p.Found[i].Passages, FoundHit{hit.Span, hit.Text, marksOf(hit.Text[stamped:], p.Query), cue})
			p.Hits++
		}
	}
	p.Found = slices.DeleteFunc(p.Found, func(f FoundPaper) bool { return len(f.Passages) == 0 })
	if q.byDate {
		slices.SortStableFunc(p.Found, func(a, b FoundPaper) int { return server.CompareDates(a.Of.Dated, b.Of.Dated) })
	}
	p.Facets = facetsOf(server.CountAll(among), q.filter, s.links, func(f Filter) string { return q.link(s.links, f) })
	p.Cut = len(r.Hits) > p.Hits
	if len(r.Hits) < fewHits {
		p.Corrections, err = s.correct(ctx, q)
	}
	return err
}

// correct returns searches with words that differ little from those of a search: those of names that the
// reader may know, which find something.
func (s *source) correct(ctx context.Context, q searchAsk) ([]Correction, error) {
	list, err := s.client.Holdings(ctx, server.HoldingsRequest{})
	if err != nil {
		return nil, err
	}
	var words []string
	for _, n := range slices.Concat(list.Creators, list.To, list.Places, list.Tags) {
		words = append(words, strings.FieldsFunc(n.Name, isGap)...)
	}
	out := []Correction{}
	for _, asked := range strings.FieldsFunc(q.words, isGap) {
		best := typo.Nearest(asked, words, mayDiffer(asked))
		if best == "" || strings.EqualFold(best, asked) || len(out) == maxCorrections {
			continue
		}
		other := q
		other.words = strings.Replace(q.words, asked, best, 1)
		r, err := s.client.Search(ctx, server.SearchRequest{Query: other.words, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(r.Hits) > 0 {
			out = append(out, Correction{other.words, other.link(s.links, Filter{})})
		}
	}
	return out, nil
}

// mayDiffer returns in how many letters a word may differ from the one that was meant.
func mayDiffer(word string) int {
	switch n := len([]rune(word)); {
	case n < 4:
		return 0
	case n < 7:
		return 1
	}
	return 2
}
