package cite

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"muniment/canon"
)

// A Status says how a quote was found.
type Status string

// The five statuses. docs/spec/citation.md defines them by the step of the
// search that gives them.
const (
	Exact      Status = "exact"      // the same bytes, in one place
	Normalized Status = "normalized" // the same in the match view, in one place
	Fuzzy      Status = "fuzzy"      // within MaxEdits of it
	Ambiguous  Status = "ambiguous"  // exact or normalized in several places
	Absent     Status = "absent"
	NoWords    Status = "none" // of a picture or a recording: there is nothing to look up
)

// Limits of the search.
const (
	// ShortQuote is the length in code points below which nothing but an equal
	// text matches: a few edits turn a short quote into any other.
	ShortQuote = 12
	// MaxPlaces bounds the places looked at when a quote occurs again and
	// again; a caller shows a handful.
	MaxPlaces = 64
	// LongQuote is the length in code points above which nothing but an equal
	// text matches: the tables of the search grow with its square.
	LongQuote = 1 << 14
	// maxSteps bounds the block steps of one approximate search, about a second:
	// code points read times blocks of 64 of the quote. It stops a text made to
	// have millions of near matches.
	maxSteps = 1 << 28
)

// MaxEdits returns how many edits a fuzzy match of a quote of length code
// points may have: a quarter, and none below ShortQuote or above LongQuote.
func MaxEdits(length int) int {
	if length < ShortQuote || length > LongQuote {
		return 0
	}
	return length / 4
}

// A Match is what the search for a quote found.
type Match struct {
	Status Status
	Span   Span   // where; zero when Absent, the first place when Ambiguous
	Others []Span // further places as good as Span, at most MaxPlaces

	// Similarity is kept as two integers: 1 − Edits/Length. Length is the number
	// of code points of the quote in the match view. When Absent they compare
	// the quote with Nearest, or Edits is Length.
	Edits, Length int

	Elided     bool   // the quote leaves words out, by an ellipsis; Found has them
	Difference string // the worst kind of change between quote and Found, "" where they agree
	Nearest    *Span  // when Absent: the place most like the quote, a suggestion only
	Found      string // the text at Span or Nearest
}

// Verifies reports whether the quote counts as words of the text: it was found, exactly or but for
// typography, in one place. A fuzzy match never verifies; its Difference says what the caller has
// to correct.
func (m Match) Verifies() bool { return m.Status == Exact || m.Status == Normalized }

// Similarity returns 1 − Edits/Length, from 0 to 1.
func (m Match) Similarity() float64 {
	if m.Length == 0 || m.Edits >= m.Length {
		return 0
	}
	return 1 - float64(m.Edits)/float64(m.Length)
}

// Find looks for quote in d, or only in the run within when it is not nil.
// White space around the quote is ignored, and so is a pair of quotation marks
// that the text does not have, a hyphen at a line break, and emphasis by _ or *:
// such a match is Normalized, never Exact. Where the quote leaves words out by an
// ellipsis, the match reaches from its first piece to its last. Spans are in the
// unit kind of within, else in paragraphs.
//
// It is an error when the quote holds nothing to look for or is not UTF-8, or
// when within does not resolve.
func Find(d *canon.Document, quote string, within *Span) (Match, error) {
	if !utf8.ValidString(quote) {
		return Match{}, fmt.Errorf("quote is not valid UTF-8")
	}
	folded := foldQuote(quote)
	if len(folded) == 0 {
		return Match{}, fmt.Errorf("quote is empty")
	}
	f := &finder{d: d, payload: d.Payload(), quote: folded, runes: []rune(string(folded)), kind: Paragraphs}
	f.to = len(f.payload)
	if within != nil {
		var err error
		if f.from, f.to, err = Resolve(d, *within); err != nil {
			return Match{}, err
		}
		f.kind = within.Kind
	}
	// 1. and 2. The quote's own bytes.
	if places := f.places(f.payload[f.from:f.to], bytes.TrimFunc([]byte(quote), isSpace), f.exactEdge); len(places) > 0 {
		return f.match(Exact, places)
	}
	// 3. and 4. Its match view.
	f.view = fold(f.payload[f.from:f.to])
	if places := f.places(f.view.text, folded, f.edge); len(places) > 0 {
		return f.match(Normalized, places)
	}
	// 4a. The quotation marks around it may be the caller's own.
	if inner := trimQuotes(folded); inner != nil {
		if places := f.places(f.view.text, inner, f.edge); len(places) > 0 {
			f.quote, f.runes = inner, []rune(string(inner))
			return f.match(Normalized, places)
		}
	}
	// 4b. and 4c. Broken words, emphasis, and words that the caller leaves out.
	if m, found, err := f.matchReading(); found || err != nil {
		return m, err
	}
	// 5. to 8. At most a quarter of it changed.
	if places := f.findFuzzy(MaxEdits(len(f.runes))); len(places) > 0 {
		return f.match(Fuzzy, places)
	}
	// 9. Not there: the nearest place is offered.
	return f.matchAbsent(quote, within)
}

// trimQuotes returns a folded quote without the pair of quotation marks around
// it, nil if there is none or nothing in it.
func trimQuotes(folded []byte) []byte {
	last := len(folded) - 1
	if last < 2 || folded[0] != folded[last] || folded[0] != '"' && folded[0] != '\'' {
		return nil
	}
	inner := bytes.Trim(folded[1:last], " ")
	if len(inner) == 0 {
		return nil
	}
	return inner
}

// A finder is one search. Offsets of places are in the run it searches: bytes
// of the text for an exact search (view is nil), else of the view.
type finder struct {
	d        *canon.Document
	payload  []byte
	from, to int    // the run of payload that is searched
	quote    []byte // in the match view
	runes    []rune // of quote
	kind     byte   // of the spans in the answer
	view     *view
}

// A place is a run that matches.
type place struct{ start, end, edits int }

// An edge function reports whether a match may begin (or end) at an offset.
type edge func(at int, isEnd bool) bool

// exactEdge is the edge function of a search in the text itself.
func (f *finder) exactEdge(at int, isEnd bool) bool { return !splitsWord(f.payload, f.from+at) }

// edge is the edge function of a search in the view.
func (f *finder) edge(at int, isEnd bool) bool {
	var src int
	var ok bool
	if isEnd {
		if at == 0 || f.view.text[at-1] == ' ' {
			return false
		}
		src, ok = f.view.end(at)
	} else {
		if at == len(f.view.text) || f.view.text[at] == ' ' {
			return false
		}
		src, ok = f.view.start(at)
	}
	if f.view.reading {
		return ok && !splitsWord(f.view.text, at)
	}
	return ok && !splitsWord(f.payload, f.from+src)
}

// places returns every occurrence of quote in text that begins and ends at
// word boundaries, at most MaxPlaces of them.
func (f *finder) places(text, quote []byte, ok edge) []place {
	var found []place
	for at := 0; len(found) < MaxPlaces; {
		i := bytes.Index(text[at:], quote)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(quote)
		if ok(start, false) && ok(end, true) {
			found = append(found, place{start: start, end: end})
		}
		// The next one begins at a later boundary: without this skip a text of
		// one letter repeated would be searched in quadratic time.
		at = start + 1
		for at < len(text) && !(utf8.RuneStart(text[at]) && ok(at, false)) {
			at++
		}
	}
	return found
}

// source returns the bytes of the payload that p covers.
func (f *finder) source(p place) (start, end int) {
	start, end = p.start, p.end
	if f.view != nil {
		start, _ = f.view.start(p.start)
		end, _ = f.view.end(p.end)
	}
	return f.from + start, f.from + end
}

// match returns the Match of the places found, which are in reading order.
func (f *finder) match(status Status, places []place) (Match, error) {
	if len(places) > 1 && status != Fuzzy {
		status = Ambiguous
	}
	m := Match{Status: status, Edits: places[0].edits, Length: len(f.runes)}
	for i, p := range places {
		start, end := f.source(p)
		s, err := SpanIn(f.d, f.kind, start, end)
		if err != nil {
			return Match{}, err
		}
		if i == 0 {
			m.Span, m.Found = s, string(f.payload[start:end])
		} else {
			m.Others = append(m.Others, s)
		}
	}
	if status == Fuzzy {
		// 8. What changed.
		m.Difference = Compare(string(f.quote), m.Found)
	}
	return m, nil
}

// matchAbsent returns the Match of a quote that was not found.
func (f *finder) matchAbsent(quote string, within *Span) (Match, error) {
	if within != nil {
		whole, err := Find(f.d, quote, nil)
		if err != nil {
			return Match{}, err
		}
		if whole.Nearest == nil {
			whole.Nearest = &whole.Span
		}
		if start, end, err := Resolve(f.d, *whole.Nearest); err == nil {
			if s, err := SpanIn(f.d, f.kind, start, end); err == nil {
				whole.Nearest = &s
			}
		} else {
			whole.Nearest = nil
		}
		whole.Status, whole.Span, whole.Others = Absent, Span{}, nil
		return whole, nil
	}
	m := Match{Status: Absent, Edits: len(f.runes), Length: len(f.runes)}
	p, ok := f.findNearest()
	if !ok {
		return m, nil
	}
	start, end := f.source(p)
	s, err := SpanIn(f.d, f.kind, start, end)
	if err != nil {
		return Match{}, err
	}
	m.Nearest, m.Found = &s, string(f.payload[start:end])
	m.Edits = min(m.Length, f.distance(p))
	m.Difference = Compare(string(f.quote), m.Found)
	return m, nil
}

// distance returns the edits between the quote and the run p of the view.
func (f *finder) distance(p place) int {
	edits := len(f.runes)
	n := utf8.RuneCount(f.view.text[p.start:p.end])
	if edits > LongQuote || n*((edits+word-1)/word) > maxSteps {
		return edits
	}
	compileReversed(f.runes).back(f.view.text, p.end, n, func(_, e int) { edits = e })
	return edits
}

// compileReversed compiles the quote read from its end.
func compileReversed(runes []rune) *pattern {
	back := slices.Clone(runes)
	slices.Reverse(back)
	return compile(back)
}
