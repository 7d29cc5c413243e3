package rank

import (
	"unicode/utf8"

	"muniment/answer/segment"
)

// A reading is a passage whose words are compared with those of a question.
type reading struct {
	q         *Question
	table     *table
	dated     bool
	sentences []segment.Range
	first     []int // index of the first token of each sentence, and the number of tokens
	tokens    []token
	titled    []bool // terms that the title holds
	around    []bool // terms that passage or title holds
}

// A token is one word of a passage.
type token struct {
	word segment.Word
	term int  // index of the term that it is, -1 for none
	head bool // the first word of a sentence
}

func (q *Question) read(p Passage) *reading {
	lang := p.Lang
	if lang == "" {
		lang = segment.Detect(p.Text)
	}
	terms := make(map[string]int, len(q.terms))
	for i, t := range q.terms {
		key := segment.SearchKey(t.lower, lang)
		if _, twice := terms[key]; !twice {
			terms[key] = i
		}
	}
	r := &reading{q: q, dated: p.Dated, sentences: sentencesOf(p.Text, lang), titled: make([]bool, len(q.terms)), around: make([]bool, len(q.terms))}
	for _, w := range segment.Words(p.Title) {
		if i, ok := terms[segment.SearchKey(w.Lower, lang)]; ok {
			r.titled[i], r.around[i] = true, true
		}
	}
	words := segment.Words(p.Text)
	r.table = tableOf(lang, words)
	s := 0
	for _, w := range words {
		head := false
		for s < len(r.sentences) && w.Start >= r.sentences[s].Start {
			r.first = append(r.first, len(r.tokens))
			s, head = s+1, true
		}
		if s == 0 || w.Start >= r.sentences[s-1].End {
			continue
		}
		t := token{word: w, term: -1, head: head}
		if i, ok := terms[segment.SearchKey(w.Lower, lang)]; ok {
			t.term, r.around[i] = i, true
		}
		r.tokens = append(r.tokens, t)
	}
	for len(r.first) <= len(r.sentences) {
		r.first = append(r.first, len(r.tokens))
	}
	return r
}

// A stretch is one sentence or two.
type stretch struct {
	from, to int // bytes
	index    int // of the first sentence
	pair     bool
	tokens   []token
	found    []bool // terms
}

// stretch returns the sentences from one to before another, and whether they hold a term.
func (r *reading) stretch(from, to int) (stretch, bool) {
	s := stretch{from: r.sentences[from].Start, to: r.sentences[to-1].End, index: from, pair: to > from+1,
		tokens: r.tokens[r.first[from]:r.first[to]], found: make([]bool, len(r.q.terms))}
	any := false
	for _, t := range s.tokens {
		if t.term >= 0 {
			s.found[t.term], any = true, true
		}
	}
	return s, any
}

// longLength is the number of words from which Length grows no more.
const longLength = 60

func (r *reading) features(s stretch) Features {
	q := r.q
	var found, around, titled, named, absent, pairs, adjacent int
	next := r.follows(s)
	for i, t := range q.terms {
		if s.found[i] {
			found += t.idf
		}
		if r.around[i] {
			around += t.idf
		}
		if r.titled[i] {
			titled += t.idf
		}
		if t.named && s.found[i] {
			named += t.idf
		}
		if t.named && !r.around[i] {
			absent += t.idf
		}
		if t.next >= 0 {
			pairs += t.idf + q.terms[t.next].idf
			if next[i] {
				adjacent += t.idf + q.terms[t.next].idf
			}
		}
	}
	f := Features{
		Sentence: share(found, q.all), Around: share(around, q.all), Bigrams: share(adjacent, pairs),
		Proximity: share(r.near(s), q.all), Named: share(named, q.named), Absent: share(absent, q.named),
		Unknown: share(q.unknown, q.all), Titled: share(titled, q.all), First: int32(1000 / (s.index + 1)),
		Length: share(len(s.tokens), longLength),
	}
	if q.named == 0 {
		f.Named = 1000
	}
	if q.rarest > 0 {
		f.Surprise = int32(min(MaxSurprise, 1000*found/q.rarest))
	}
	if q.asks != anything {
		if r.answersKind(s) {
			f.Typed = 1000
		} else {
			f.Untyped = 1000
		}
	}
	negated, intended := r.moods(s)
	if negated != q.negated {
		f.Contrary = 1000
	}
	if intended && !q.intended {
		f.Intended = 1000
	}
	if r.dated {
		f.Dated = 1000
	}
	if s.pair {
		f.Pair = 1000
	}
	return f
}

// adjacentWords is how far a word may stand behind the one before it: articles and prepositions go between.
const adjacentWords = 3

// follows reports for each term whether the next one follows it somewhere.
func (r *reading) follows(s stretch) []bool {
	out := make([]bool, len(r.q.terms))
	for i, t := range s.tokens {
		if t.term < 0 {
			continue
		}
		for _, u := range s.tokens[i+1 : min(len(s.tokens), i+1+adjacentWords)] {
			if u.term >= 0 && u.term == r.q.terms[t.term].next {
				out[t.term] = true
			}
		}
	}
	return out
}

// nearWords is how far apart words are that stand near each other.
const nearWords = 6

// near returns the idf of the terms that stand near another one.
func (r *reading) near(s stretch) int {
	near := make([]bool, len(r.q.terms))
	last := -1
	for i, t := range s.tokens {
		if t.term < 0 {
			continue
		}
		if last >= 0 && i-last <= nearWords && s.tokens[last].term != t.term {
			near[t.term], near[s.tokens[last].term] = true, true
		}
		last = i
	}
	sum := 0
	for i, t := range r.q.terms {
		if near[i] {
			sum += t.idf
		}
	}
	return sum
}

// moods reports whether the candidate is negated, and whether it tells an intention or a possibility.
func (r *reading) moods(s stretch) (negated, intended bool) {
	for _, t := range s.tokens {
		negated = negated || r.table.negations[t.word.Lower]
		intended = intended || r.table.intentions[t.word.Lower]
	}
	return negated, intended
}

// answersKind reports whether the candidate holds a thing of the type asked for that is not in the question.
func (r *reading) answersKind(s stretch) bool {
	for _, t := range s.tokens {
		if t.term >= 0 {
			continue
		}
		w := t.word
		number := hasDigit(w.Lower) || r.table.numerals[w.Lower]
		name := w.Upper && !t.head && utf8.RuneCountInString(w.Lower) > 1
		switch r.q.asks {
		case person:
			if name || r.table.relatives[w.Lower] {
				return true
			}
		case place:
			if name {
				return true
			}
		case time:
			if hasDigit(w.Lower) || r.table.months[w.Lower] {
				return true
			}
		case count:
			if number {
				return true
			}
		case reason:
			if r.table.because[w.Lower] {
				return true
			}
		}
	}
	return false
}
