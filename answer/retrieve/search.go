package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"

	"muniment/answer/segment"
)

const (
	// DefaultK is how many passages a query gets that does not say.
	DefaultK = 10
	// MaxK bounds what one query may ask for.
	MaxK = 1000
	// MaxTerms is how many content words of a query count; the rest of a longer text is ignored, so
	// that a pasted book costs no more than a long question.
	MaxTerms = 64
	// pool is how many candidates bleve proposes for each passage wanted, and poolMin the least; the
	// order is computed here, over candidates that bleve's own score ranks a little differently.
	pool    = 8
	poolMin = 128

	undatedFactor = 0.5 // of the score, for a text without a date when the query has one
	saturation    = 1.2 // BM25's k1
	lengthWeight  = 0.4 // BM25's b: low, since passages have nearly one size
	usualLength   = 60  // content words of a full passage: a constant, so that no score depends on history
)

// Search returns the passages that hold words of the query, best first. An empty index and a query
// without content words or dates find nothing.
func (x *Index) Search(q Query) ([]Passage, error) {
	k := q.K
	if k <= 0 {
		k = DefaultK
	}
	k = min(k, MaxK)
	s, err := newSearch(q)
	if err != nil || s == nil {
		return nil, err
	}
	var found []Passage
	err = x.read(func(r index.IndexReader) error {
		if err := s.weigh(r); err != nil {
			return err
		}
		candidates, err := s.candidates(x.ix, max(poolMin, k*pool))
		if err != nil {
			return err
		}
		for i := range candidates {
			p, ok, err := s.score(&candidates[i])
			if err != nil {
				return err
			}
			if ok {
				found = append(found, p)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Artifact, b.Artifact),
			cmp.Compare(a.Span.From.Unit, b.Span.From.Unit), cmp.Compare(a.Span.From.Offset, b.Span.From.Offset))
	})
	return found[:min(k, len(found))], nil
}

// search is one query at work.
type search struct {
	terms []Term
	dates []DateRange // empty: no restriction
	asked string      // the date as written
}

// newSearch analyses a query; nil when it asks for nothing.
func newSearch(q Query) (*search, error) {
	s := &search{dates: Dates(q.Text)}
	skip := nameWords(q.Ignore)
	var weak []Term
	seen := map[string]bool{}
	joint := false // the word before was the last name taken
	for i, w := range segment.Words(q.Text) {
		stem := segment.Stem(w.Lower)
		if segment.Function(w.Lower) || skip[w.Lower] || seen[stem] || inDates(w, s.dates) {
			joint = false
			continue
		}
		seen[stem] = true
		t := Term{Word: w.Lower, Stem: stem, Name: w.Upper && i > 0}
		t.Joint, joint = joint && t.Name, t.Name
		if asking[stem] {
			weak = append(weak, t)
		} else if len(s.terms) < MaxTerms {
			s.terms = append(s.terms, t)
		}
	}
	var words []string
	for _, d := range s.dates {
		words = append(words, q.Text[d.Start:d.End])
	}
	if q.From != "" || q.To != "" {
		d, err := between(q.From, q.To)
		if err != nil {
			return nil, err
		}
		s.dates = append(s.dates, d)
		words = append(words, strings.TrimSpace(q.From+"–"+q.To))
	}
	s.asked = strings.ToLower(strings.Join(words, ", "))
	if len(s.terms) == 0 && len(s.dates) == 0 {
		s.terms = weak[:min(len(weak), MaxTerms)]
	}
	if len(s.terms) == 0 && len(s.dates) == 0 {
		return nil, nil
	}
	return s, nil
}

// between returns the range of two dates, each of which may be missing.
func between(from, to string) (DateRange, error) {
	r := DateRange{From: "0000-01-01", To: "9999-12-31"}
	if from != "" {
		f, _, ok := period(from)
		if !ok {
			return r, fmt.Errorf("query from %q: not YYYY, YYYY-MM or YYYY-MM-DD", from)
		}
		r.From = f
	}
	if to != "" {
		_, t, ok := period(to)
		if !ok {
			return r, fmt.Errorf("query to %q: not YYYY, YYYY-MM or YYYY-MM-DD", to)
		}
		r.To = t
	}
	return r, nil
}

// weigh computes the idf of every term.
func (s *search) weigh(r index.IndexReader) error {
	total, err := r.DocCount()
	if err != nil {
		return err
	}
	for i := range s.terms {
		t := &s.terms[i]
		n, err := holding(r, t.Stem, "words")
		if err != nil {
			return err
		}
		t.IDF, t.Known = idf(total, n), n > 0
	}
	if len(s.dates) > 0 {
		s.terms = append(s.terms, Term{Word: s.asked, IDF: idf(total, 0), Known: true})
	}
	return nil
}

// holding returns how many passages hold a term.
func holding(r index.IndexReader, term, field string) (uint64, error) {
	t, err := r.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
	if err != nil {
		return 0, err
	}
	n := t.Count()
	return n, t.Close()
}

func idf(total, holding uint64) float64 {
	n := float64(min(holding, total))
	return math.Log(1 + (float64(total)-n+0.5)/(n+0.5))
}

// candidates asks bleve for passages that hold any of the terms, in the dates asked for.
func (s *search) candidates(ix bleve.Index, size int) ([]stored, error) {
	var words []query.Query
	for _, t := range s.terms {
		if t.Stem == "" {
			continue
		}
		words = append(words, termQuery(t.Stem, "words"))
		if t.Name {
			words = append(words, termQuery(t.Stem, "names"))
		}
	}
	var q query.Query = bleve.NewMatchAllQuery()
	if len(words) > 0 {
		q = bleve.NewDisjunctionQuery(words...)
	}
	if d := s.dateQuery(); d != nil {
		q = bleve.NewConjunctionQuery(q, d)
	}
	req := bleve.NewSearchRequestOptions(q, size, 0, false)
	req.Fields = []string{"artifact", "title", "author", "date", "lang", "span", "text"}
	req.SortBy([]string{"-_score", "_id"})
	res, err := ix.Search(req)
	if err != nil {
		return nil, err
	}
	out := make([]stored, 0, len(res.Hits))
	for _, h := range res.Hits {
		get := func(name string) string { v, _ := h.Fields[name].(string); return v }
		out = append(out, stored{Artifact: get("artifact"), Title: get("title"), Author: get("author"),
			Date: get("date"), Lang: get("lang"), Span: get("span"), Text: get("text")})
	}
	return out, nil
}

func termQuery(term, field string) query.Query {
	t := bleve.NewTermQuery(term)
	t.SetField(field)
	return t
}

// maxYears is how many years of a range are looked for as words in texts of another date.
const maxYears = 10

// dateQuery selects documents in the ranges, documents without a date, and passages that name one of
// the years; nil when the query has no date.
func (s *search) dateQuery() query.Query {
	var any []query.Query
	weightless := 0.0
	for _, d := range s.dates {
		from, to := dayNumber(d.From), dayNumber(d.To)
		yes := true
		first := bleve.NewNumericRangeInclusiveQuery(nil, &to, nil, &yes)
		first.SetField("first") // weighs 1, so that texts of the date come before texts that name its year
		last := bleve.NewNumericRangeInclusiveQuery(&from, nil, &yes, nil)
		last.SetField("last")
		last.SetBoost(weightless)
		dated := bleve.NewTermQuery("yes")
		dated.SetField("dated")
		dated.SetBoost(weightless)
		any = append(any, bleve.NewConjunctionQuery(first, last, dated))
		for y, n := int(from)/10000, 0; y <= int(to)/10000 && n < maxYears && y > 0; y, n = y+1, n+1 {
			year := bleve.NewTermQuery(fmt.Sprintf("%04d", y))
			year.SetField("words")
			year.SetBoost(weightless)
			any = append(any, year)
		}
	}
	if any == nil {
		return nil
	}
	undated := bleve.NewTermQuery("no")
	undated.SetField("dated")
	undated.SetBoost(weightless)
	return bleve.NewDisjunctionQuery(append(any, undated)...)
}

// score computes what a passage is worth; false when it is of another date.
func (s *search) score(c *stored) (Passage, bool, error) {
	p, err := c.passage()
	if err != nil {
		return p, false, err
	}
	factor := 1.0
	if len(s.dates) > 0 {
		var dated bool
		p.Dated, dated = s.inDates(c)
		if !p.Dated && dated {
			return p, false, nil
		}
		if !p.Dated {
			factor = undatedFactor
		}
	}
	length := 0
	freq, capital := map[string]int{}, map[string]int{}
	for _, w := range segment.Words(c.Text) {
		if segment.Function(w.Lower) {
			continue
		}
		stem := segment.Stem(w.Lower)
		length++
		freq[stem]++
		if w.Upper {
			capital[stem]++
		}
	}
	var names []string
	if slices.ContainsFunc(s.terms, func(t Term) bool { return t.Name }) {
		names = titleNames(c.Title)
	}
	norm := saturation * (1 - lengthWeight + lengthWeight*float64(length)/usualLength)
	var all, found, sum float64
	p.Terms = slices.Clone(s.terms)
	for i := range p.Terms {
		t := &p.Terms[i]
		all += t.IDF
		tf := float64(freq[t.Stem])
		if t.Name {
			tf = float64(capital[t.Stem])
		}
		switch {
		case t.Stem == "":
			t.Found = p.Dated
		case tf > 0:
			t.Found = true
		case t.Name && slices.Contains(names, t.Stem):
			t.Found = true
		}
		if !t.Found {
			p.Missing = append(p.Missing, t.Word)
			continue
		}
		found += t.IDF
		tf = max(tf, 1)
		sum += t.IDF * tf * (saturation + 1) / (tf + norm)
	}
	p.Similarity = found / all
	p.Score = factor * sum / all
	return p, true, nil
}

// inDates tells whether the document's date or the passage's words lie in a range asked for, and
// whether the document has a date at all.
func (s *search) inDates(c *stored) (in, dated bool) {
	from, to, dated := period(c.Date)
	for _, d := range s.dates {
		if dated && from <= d.To && to >= d.From {
			return true, true
		}
		for _, said := range Dates(c.Text) {
			if said.From >= d.From && said.To <= d.To {
				return true, dated
			}
		}
	}
	return false, dated
}
