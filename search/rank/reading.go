package rank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/text/segment"
)

// A reading is a passage whose words are compared with those of a question.
type reading struct {
	q         *Question
	table     *table
	text      string
	lang      string
	sentences []segment.Range
	first     []int // index of the first token of each sentence, and the number of tokens
	tokens    []token
	around    []bool // terms that the passage, its title, author or date holds
	document  []bool // terms that the passages of its document hold; nil for those of the passage
	bm25      int    // of the passage, in the unit of idf
	dated     bool   // the document's date is the one asked for, so that no sentence needs to say it
	all       int    // idf of the terms that a sentence may be asked to hold
	formal    []bool // sentences that are a heading, a salutation or a signature
	parties   correspondence
}

// A token is one word of a passage.
type token struct {
	word     segment.Word
	term     int        // index of the term that it is, -1 for none
	contrary int        // index of the term of which it is the contrary, -1 for none
	kin      []int      // indices of the terms that it may stand for, where it is none
	alike    []likeness // terms that it is much like, where it is none
	head     bool       // the first word of a sentence
	means    []int      // terms that name whom a pronoun means: the writer, the addressee
}

// A likeness is how much a word is like a term, in thousandths.
type likeness struct{ term, much int }

const (
	// leastCommon is how many bytes two words have in common that are like each other.
	leastCommon = 4
	// leastLike is how much of the longer one they have in common at least, in thousandths.
	leastLike = 500
)

// resemblance returns how much of the longer of two keys they have in common: as a beginning, or where
// the shorter one is the end of the other.
func resemblance(a, b string) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	if strings.HasSuffix(b, a) {
		n = len(a)
	}
	if n < leastCommon {
		return 0
	}
	if n == len(a) && n > leastCommon { // a part of a compound
		return max(leastLike, 1000*n/len(b))
	}
	if much := 1000 * n / len(b); much >= leastLike {
		return much
	}
	return 0
}

func (q *Question) read(p Passage) *reading {
	lang := p.Lang
	if lang == "" {
		lang = segment.Detect(p.Text)
	}
	terms := make(map[string]int, len(q.terms))
	keys := make([]string, len(q.terms))
	for i, t := range q.terms {
		key := segment.SearchKey(t.lower, lang)
		if !t.named && lang != q.lang && segment.SaysNothing(t.lower, lang) {
			continue
		}
		keys[i] = key
		if _, twice := terms[key]; !twice {
			terms[key] = i
		}
	}
	r := &reading{q: q, text: p.Text, lang: lang, sentences: sentencesOf(p.Text, lang), around: make([]bool, len(q.terms))}
	r.readAround(p, terms)
	counts, length := make([]int, len(q.terms)), 0
	words := segment.Words(p.Text)
	r.table = tableOf(lang, words)
	var kin map[string][]int
	if isEnglish(lang) {
		kin = q.kin()
	}
	contraries := q.contraries(lang, r.table.reversals)
	s, head := 0, false
	for at, w := range words {
		for s < len(r.sentences) && w.Start >= r.sentences[s].Start {
			r.first = append(r.first, len(r.tokens))
			s, head = s+1, true
		}
		if s == 0 || w.Start >= r.sentences[s-1].End || isLabel(p.Text, w, head) {
			continue
		}
		t := token{word: w, term: -1, contrary: -1, head: head, means: r.parties.refersTo(w.Lower)}
		key := segment.SearchKey(w.Lower, lang)
		if i, ok := terms[key]; ok {
			t.term, r.around[i] = i, true
			counts[i]++
			if r.table.followsReversal(p.Text, words, at) != q.terms[i].turned {
				t.contrary = i
			}
		} else if i, ok := contraries[key]; ok {
			t.contrary = i
		}
		if !segment.Function(w.Lower) {
			length++
			if t.term < 0 && t.contrary < 0 {
				t.kin = kin[key]
				for i, k := range keys {
					if much := resemblance(k, key); much > 0 {
						t.alike = append(t.alike, likeness{i, much})
					}
				}
			}
		}
		r.tokens, head = append(r.tokens, t), false
	}
	for len(r.first) <= len(r.sentences) {
		r.first = append(r.first, len(r.tokens))
	}
	for i, n := range counts {
		r.bm25 += saturate(q.terms[i].idf, n, length)
	}
	return r
}

// readAround notes which terms of the question the paper around a passage has: its title and heading,
// who wrote it to whom, and its date.
func (r *reading) readAround(p Passage, terms map[string]int) {
	q := r.q
	for _, w := range segment.Words(p.Title + "\n" + p.Heading) {
		if i, ok := terms[segment.SearchKey(w.Lower, r.lang)]; ok {
			r.around[i] = true
		}
	}
	r.parties = q.correspondenceOf(p)
	for _, i := range slices.Concat(r.parties.writer, r.parties.addressee) {
		r.around[i] = true
	}
	r.formal = formalSentences(p, r.sentences)
	r.all, r.dated = q.all, p.Dated && q.dated < q.all
	if p.Dated {
		for i, t := range q.terms {
			r.around[i] = r.around[i] || t.date
		}
	}
	if r.dated {
		r.all -= q.dated
	}
}

// A stretch is one sentence or two.
type stretch struct {
	from, to int // bytes
	index    int // of the first sentence
	pair     bool
	tokens   []token
	found    []bool // terms

	main int  // the sentence that answers
	both bool // its neighbour says who a pronoun of it is
}

// stretch returns the sentences from one to before another, and whether they hold a term or a word for one.
func (r *reading) stretch(from, to int) (stretch, bool) {
	s := stretch{from: r.sentences[from].Start, to: r.sentences[to-1].End, index: from, pair: to > from+1,
		tokens: r.tokens[r.first[from]:r.first[to]], found: r.held(from, to)}
	return s, slices.Contains(s.found, true) || slices.ContainsFunc(s.tokens, func(t token) bool { return len(t.kin)+len(t.alike) > 0 })
}

// saturate returns the score of a word that occurs n times in a passage of length content words:
// BM25 with k1 = 1.2, b = 0.4 and a usual length of 60, as package retrieve orders passages, in
// integers.
func saturate(idf, n, length int) int {
	return idf * n * 2200 / (1000*n + 1200*600/1000 + 1200*400*length/(60*1000))
}

// longLength is the number of words from which Length grows no more.
const longLength = 60

func (r *reading) features(s *stretch) Features {
	q := r.q
	var found, around, absent, pairs, adjacent int
	next := r.follows(*s)
	for i, t := range q.terms {
		if r.dated && t.date {
			continue
		}
		if s.found[i] {
			found += t.idf
		}
		if r.around[i] {
			around += t.idf
		}
		if t.named && !r.around[i] {
			absent += t.idf
		}
		if t.next >= 0 && !(r.dated && q.terms[t.next].date) {
			pairs += t.idf + q.terms[t.next].idf
			if next[i] {
				adjacent += t.idf + q.terms[t.next].idf
			}
		}
	}
	rare := found // a date is as rare as a word that no passage holds
	if r.dated {
		rare += q.dated
	}
	f := Features{
		Sentence: share(found, r.all), Around: share(around, r.all), Bigrams: share(adjacent, pairs),
		Passage: int32(1000 * r.bm25 / r.all), Proximity: share(r.near(*s), r.all), Absent: share(absent, q.named),
		Unknown: share(q.unknown, r.all), Size: int32(q.rarest), First: int32(1000 / (s.index + 1)),
		Length: share(len(s.tokens), longLength), Surprise: int32(max(-MaxSurprise, min(MaxSurprise, rare-q.rarest))),
	}
	r.surround(&f, *s)
	r.whole(&f, s)
	if q.asks != anything {
		if r.answersKind(*s) {
			f.Typed = 1000
		} else {
			f.Untyped = 1000
		}
	}
	negated, intended := r.moods(s)
	if negated != q.negated || isReversed(*s) {
		f.Contrary = 1000
	}
	if intended && !q.intended {
		f.Intended = 1000
	}
	if text := r.text[s.from:s.to]; isQuestion(text) || segment.IsHeading(text) {
		f.Untold = 1000
	}
	if s.pair {
		f.Pair = 1000
	}
	return f
}

// surround computes the features of the text around a stretch and of synonyms of question words
// that the stretch lacks.
func (r *reading) surround(f *Features, s stretch) {
	q := r.q
	to := s.index + 1
	if s.pair {
		to++
	}
	beside := r.held(max(0, s.index-1), min(len(r.sentences), to+1))
	much := make([]int, len(q.terms))
	stands := make([]bool, len(q.terms)) // terms for which a word of the candidate may stand
	for _, t := range s.tokens {
		for _, i := range t.kin {
			stands[i] = true
		}
		for _, l := range t.alike {
			much[l.term] = max(much[l.term], l.much)
		}
	}
	var document, near, alike, kin int
	for i, t := range q.terms {
		if r.dated && t.date {
			continue
		}
		if r.document != nil && r.document[i] || r.document == nil && r.around[i] {
			document += t.idf
		}
		if beside[i] {
			near += t.idf
		}
		if !s.found[i] {
			alike += t.idf * much[i] / 1000
			if stands[i] {
				kin += t.idf
			}
			if i == q.focus {
				f.Focus = share(t.idf, r.all)
			}
		}
	}
	f.Document, f.Beside, f.Alike, f.Kin = share(document, r.all), share(near, r.all), share(alike, r.all), share(kin, r.all)
}

// held reports for each term whether the sentences from one to before another hold it.
func (r *reading) held(from, to int) []bool {
	out := make([]bool, len(r.q.terms))
	for _, t := range r.tokens[r.first[from]:r.first[to]] {
		if t.term >= 0 {
			out[t.term] = true
		}
		for _, i := range t.means {
			out[i] = true
		}
	}
	return out
}

// isQuestion reports whether a text ends as a question; the last of the marks is Greek.
func isQuestion(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»«)]*_"))
	return strings.ContainsRune("?؟\u037e", last)
}

// adjacentWords is the largest distance of adjacent words: articles and prepositions go between.
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

// nearWords is the largest distance of words that are near each other.
const nearWords = 6

// near returns the idf of the terms that are near another term.
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
		if near[i] && !(r.dated && t.date) {
			sum += t.idf
		}
	}
	return sum
}

// isReversed reports whether the candidate holds the contrary of a term and nowhere the term itself.
func isReversed(s stretch) bool {
	straight := make([]bool, len(s.found))
	for _, t := range s.tokens {
		if t.term >= 0 && t.contrary < 0 {
			straight[t.term] = true
		}
	}
	return slices.ContainsFunc(s.tokens, func(t token) bool { return t.contrary >= 0 && !straight[t.contrary] })
}

// answersKind reports whether the candidate holds a thing of the type asked for that is not in the question.
func (r *reading) answersKind(s stretch) bool {
	return r.hasOther(s.tokens, func(t token) bool {
		w := t.word
		name := w.Upper && !t.head && utf8.RuneCountInString(w.Lower) > 1
		switch r.q.asks {
		case person:
			return name || r.table.relatives[w.Lower]
		case place:
			return name
		case time:
			return hasDigit(w.Lower) || r.table.months[w.Lower]
		case count, price:
			return hasDigit(w.Lower) || r.table.numerals[w.Lower]
		}
		return r.q.asks == reason && r.table.because[w.Lower]
	})
}
