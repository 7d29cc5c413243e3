package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"muniment/text/segment"
)

const (
	// DefaultK is how many passages a query gets that does not say.
	DefaultK = 10
	// MaxK bounds what one query may ask for.
	MaxK = 1000
	// MaxTerms is how many content words of a query count; the rest of a longer text is ignored, so
	// that a pasted book costs no more than a long question.
	MaxTerms = 64

	germanWas     = "war" // in a German question a form of be and no topic; segment.Function leaves it to the English
	undatedFactor = 0.5   // of the score, for a text without a date when the query has one
	saturation    = 1.2   // BM25's k1
	lengthWeight  = 0.4   // BM25's b: low, since passages have nearly one size
	usualLength   = 60    // content words of a full passage: a constant, so that no score depends on history
)

// plan is one query, analysed.
type plan struct {
	terms []Term
	keys  [][]string     // of each term: what it may be indexed as, by language; none of a date
	in    map[string]int // position of a language in keys
	lang  string         // that of the question
	dates []DateRange    // empty: no restriction
	asked string         // the date as written
	k     int
	bare  bool
	text  bool    // titles and heads find nothing
	all   float64 // the sum of the idf of all terms
	total uint64  // passages
	query Query
}

// newPlan analyses a query; nil when it asks for nothing.
func newPlan(q Query) (*plan, error) {
	s := &plan{dates: Dates(q.Text), k: q.K, bare: q.Bare, text: q.Sees != nil, query: q}
	if s.k <= 0 {
		s.k = DefaultK
	}
	s.k = min(s.k, MaxK)
	skip := nameWords(q.Ignore)
	var weak []Term
	seen := map[string]bool{}
	joint := false // the word before was the last name taken
	isName := capitals(q.Text)
	s.lang, _, _ = strings.Cut(segment.Detect(q.Text), "-")
	for i, w := range segment.Words(q.Text) {
		stem := segment.Stem(w.Lower)
		upper := i > 0 && w.Upper
		name := upper && isName(w)
		if segment.Function(w.Lower) || skip[segment.Fold(w.Lower)] || seen[stem] || inDates(w, s.dates) {
			joint = false
			continue
		}
		seen[stem] = true
		t := Term{Word: w.Lower, Stem: stem, Upper: upper, Name: name}
		t.Joint, joint = joint && t.Name, t.Name
		if asking[stem] || s.lang == "de" && w.Lower == germanWas {
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
			return r, fmt.Errorf("query from %q: not a date of EDTF, such as YYYY, YYYY-MM or YYYY-MM-DD", from)
		}
		r.From = f
	}
	if to != "" {
		_, t, ok := period(to)
		if !ok {
			return r, fmt.Errorf("query to %q: not a date of EDTF, such as YYYY, YYYY-MM or YYYY-MM-DD", to)
		}
		r.To = t
	}
	return r, nil
}

// translate looks the terms up as each of some languages writes them.
func (s *plan) translate(languages []string) {
	s.in = make(map[string]int, len(languages))
	for i, l := range languages {
		s.in[l] = i
	}
	for _, t := range s.terms {
		s.keys = append(s.keys, indexKeys(languages, s.lang, t))
	}
}

// key returns the index term of a query term in a language.
func (s *plan) key(term int, lang string) string {
	i, ok := s.in[lang]
	if !ok || i >= len(s.keys[term]) {
		return ""
	}
	return s.keys[term][i]
}

// weigh computes the idf of every term, and makes the date one. holding tells how many of the total
// passages hold a key; no passage holds two of one term.
func (s *plan) weigh(total uint64, holding func(key string) (uint64, error)) error {
	s.total = total
	for i := range s.terms {
		t, n := &s.terms[i], uint64(0)
		for _, key := range s.keys[i] {
			more, err := holding(key)
			if err != nil {
				return err
			}
			n += more
		}
		t.IDF, t.Known = idf(total, n), n > 0
	}
	if len(s.dates) > 0 {
		s.keys = append(s.keys, nil)
		s.terms = append(s.terms, Term{Word: s.asked, IDF: idf(total, 0), Known: true})
	}
	for _, t := range s.terms {
		s.all += t.IDF
	}
	return nil
}

// weighing returns the result of weigh.
func (s *plan) weighing() Weighing { return Weighing{Terms: slices.Clone(s.terms), Passages: s.total} }

func idf(total, holding uint64) float64 {
	n := float64(min(holding, total))
	return math.Log(1 + (float64(total)-n+0.5)/(n+0.5))
}

// worth returns the score of a word that a passage of length content words has tf times, at most
// mostWorth times its idf. A date, and a name that only the title has, add their idf.
func worth(idf float64, tf, length int) float64 {
	// The conversions keep a processor from fusing operations: scores have the same bits everywhere.
	norm := float64(saturation * (1 - lengthWeight + float64(lengthWeight*float64(length))/usualLength))
	return idf * float64(tf) * (saturation + 1) / (float64(tf) + norm)
}

const mostWorth = saturation + 1

// score computes what a passage is worth; false when it is of another date.
func (s *plan) score(c *stored) (Passage, bool, error) {
	p, err := c.passage()
	if err != nil {
		return p, false, err
	}
	if words, titled, err := s.sees(&p); err != nil || !words {
		return p, false, err
	} else if !titled {
		p.Title = ""
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
	words, caps := strings.Fields(c.Words), strings.Fields(c.Caps)
	freq, capital, names := count(words), count(caps), count(strings.Fields(c.Names))
	var found, sum float64
	p.Terms = slices.Clone(s.terms)
	for i := range p.Terms {
		t := &p.Terms[i]
		key := s.key(i, c.tongue)
		tf := freq[key]
		if t.Name {
			tf = capital[key]
		}
		switch {
		case t.Stem == "" && p.Dated, t.Upper && !s.text && tf == 0 && names[key] > 0:
			t.Found = true
			sum += t.IDF
		case tf > 0:
			t.Found = true
			sum += worth(t.IDF, tf, len(words))
		}
		if !t.Found {
			p.Missing = append(p.Missing, t.Word)
			continue
		}
		found += t.IDF
	}
	p.Share = found / s.all
	p.Similarity = p.Share
	p.Score = factor * sum / s.all
	return p, true, nil
}

// sees reports whether the words of a passage and the title of its artifact may be read.
func (s *plan) sees(p *Passage) (words, titled bool, err error) {
	if s.query.Sees == nil {
		return true, true, nil
	}
	return s.query.Sees(p.Artifact, p.Span, p.Title)
}

// seesAt is sees for the words of a passage of an index.
func (s *plan) seesAt(r index.IndexReader, id string) (words bool, err error) {
	c, err := load(r, id)
	if err == nil && c == nil {
		err = errGone
	}
	if err != nil {
		return false, err
	}
	p, err := c.passage()
	if err == nil {
		words, _, err = s.sees(&p)
	}
	return words, err
}

func count(words []string) map[string]int {
	m := make(map[string]int, len(words))
	for _, w := range words {
		m[w]++
	}
	return m
}

// inDates reports whether the document's date or one in the passage's words or head lies in a range asked for, and
// whether the document has a date at all.
func (s *plan) inDates(c *stored) (in, dated bool) {
	from, to, dated := period(c.Date)
	said := Dates(c.Text)
	if !s.text {
		said = append(said, Dates(c.Head)...)
	}
	for _, d := range s.dates {
		if dated && from <= d.To && to >= d.From {
			return true, true
		}
		for _, said := range said {
			if said.From >= d.From && said.To <= d.To {
				return true, dated
			}
		}
	}
	return false, dated
}

// rank puts the best first: by score, then by artifact ID and span.
func rank(found []Passage, k int) []Passage {
	slices.SortFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Artifact, b.Artifact),
			cmp.Compare(a.Span.From.Unit, b.Span.From.Unit), cmp.Compare(a.Span.From.Offset, b.Span.From.Offset))
	})
	return found[:min(k, len(found))]
}
