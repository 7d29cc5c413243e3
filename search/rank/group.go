package rank

import (
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// An assertion is what a candidate states, as far as two are compared: whether they tell the same event.
type assertion struct {
	words    []string // of the candidate in lower case, in order
	keys     []string // search keys of its content words that the question does not have, sorted
	values   []string // what it gives for what the question asks: names, times, numbers; sorted
	wording  []string // the same in the order and the letters of the text
	years    []string // years that are not in the question, sorted
	numbers  []string // digits, numerals and ordinals that are not in the question, sorted
	negated  bool
	share    int32 // Features.Sentence
	whole    bool  // it holds the verb and what is asked for
	document string
	origin   string
	author   string
}

const (
	// leastAsserted is the share of the question that a candidate holds at least that tells the same as another.
	leastAsserted = 600
	// leastCopy is the share of pairs of adjacent words, in percent, that copies of one text have in common.
	leastCopy = 80
	// leastAgreed is the share of the rarer words, in percent, that two tellings of one event have in common where the question does not
	// say what value to compare.
	leastAgreed = 50
	// leastWording is the share of other words, in percent, that two sentences share which differ in the value alone.
	leastWording = 70
	// mostOther is how many words a candidate has at most besides the question's and its value that is held to contradict another: a
	// longer sentence tells of other things, and its times and numbers are theirs.
	mostOther = 8
)

// assert returns the assertion of a stretch; nil below leastAsserted.
func (r *reading) assert(s *stretch, f Features, p *Passage) *assertion {
	if f.Sentence < leastAsserted {
		return nil
	}
	a := &assertion{negated: f.Contrary > 0, share: f.Sentence, whole: f.Verbless == 0 && (f.Slotless == 0 || f.Contrary > 0) && f.Apart == 0, document: p.Document, origin: p.Origin, author: p.Author}
	tokens := s.tokens
	if !s.both {
		tokens = r.sentence(s.main)
	}
	for _, t := range tokens {
		w := t.word.Lower
		a.words = append(a.words, w)
		if t.term >= 0 {
			continue
		}
		if !a.negated && r.isValue(t) {
			a.values = append(a.values, w)
			a.wording = append(a.wording, r.text[t.word.Start:t.word.End])
		}
		if len(w) == 4 && isDigits(w) {
			a.years = append(a.years, w)
		}
		if hasDigit(w) || r.table.numerals[w] || lexicon.Ordinal.Has(w) {
			a.numbers = append(a.numbers, w)
		}
		if !segment.Function(w) && !lexicon.Function.Has(w) {
			a.keys = append(a.keys, segment.SearchKey(w, r.lang))
		}
	}
	for _, list := range []*[]string{&a.keys, &a.values, &a.years, &a.numbers} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return a
}

// isValue reports whether a token may be the value of what the question asks for.
func (r *reading) isValue(t token) bool {
	switch r.q.asks {
	case person, place:
		return r.isName(t) || r.q.asks == person && r.table.relatives[t.word.Lower]
	case time:
		return r.isTime(t)
	case count, price:
		return r.isNumber(t)
	}
	return false
}

func isDigits(w string) bool {
	return w != "" && strings.IndexFunc(w, func(c rune) bool { return c < '0' || c > '9' }) < 0
}

// copies reports whether two candidates have nearly equal words, and equal values.
func (a *assertion) copies(b *assertion) bool {
	if !slices.Equal(a.values, b.values) || !slices.Equal(a.numbers, b.numbers) {
		return false
	}
	return slices.Equal(a.words, b.words) || overlap(pairsOf(a.words), pairsOf(b.words)) >= leastCopy
}

// agrees reports whether two candidates tell the same event: in nearly equal words, or both with the verb, the words and the value that the
// question asks for, in no other year.
func (a *assertion) agrees(b *assertion) bool {
	if a.negated != b.negated {
		return false
	}
	if a.copies(b) {
		return true
	}
	if !a.whole || !b.whole || disjoint(a.years, b.years) || disjoint(a.numbers, b.numbers) {
		return false
	}
	if len(a.values) > 0 && len(b.values) > 0 {
		return subset(a.values, b.values) || subset(b.values, a.values)
	}
	return len(a.values) == len(b.values) && min(len(a.keys), len(b.keys)) >= 2 && overlap(a.keys, b.keys) >= leastAgreed
}

// opposes reports whether one paper denies what another one states, or the two give different values for one event: for a time or a number where all
// else is as the question has it, for anything else where the sentences differ in the value alone.
func (a *assertion) opposes(b *assertion, asks kind) bool {
	if a.document == b.document || !a.whole || !b.whole || a.tellsOfOthers() || b.tellsOfOthers() {
		return false
	}
	if a.negated != b.negated {
		return a.share == 1000 && b.share == 1000 && !disjoint(a.years, b.years)
	}
	if len(a.values) == 0 || len(b.values) == 0 || subset(a.values, b.values) || subset(b.values, a.values) {
		return false
	}
	if asks == time || asks == count || asks == price {
		return a.share == 1000 && b.share == 1000
	}
	return !disjoint(a.years, b.years) && overlap(without(a.keys, a.values), without(b.keys, b.values)) >= leastWording
}

// tellsOfOthers reports whether a candidate has many words that are neither the question's nor its value.
func (a *assertion) tellsOfOthers() bool { return len(without(a.keys, a.values)) > mostOther }

// disjoint reports whether two lists, neither empty, have nothing in common.
func disjoint(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool {
		return slices.ContainsFunc(other, func(o string) bool { return strings.HasPrefix(o, w) || strings.HasPrefix(w, o) })
	})
}

func pairsOf(words []string) []string {
	var out []string
	for i := 1; i < len(words); i++ {
		out = append(out, words[i-1]+" "+words[i])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overlap returns how much two sorted lists have in common, in percent of their mean length; 100 of two empty ones.
func overlap(a, b []string) int {
	if len(a)+len(b) == 0 {
		return 100
	}
	n := 0
	for _, w := range a {
		if _, found := slices.BinarySearch(b, w); found {
			n++
		}
	}
	return 200 * n / (len(a) + len(b))
}

// maxGrouped is how many of the best candidates are compared with each other: more are never shown.
const maxGrouped = 24

// group sets the group of each of the best candidates, and the features of the first one's.
func group(out []Candidate) {
	for i := range out {
		out[i].Group = i
	}
	best := out[:min(len(out), maxGrouped)]
	for i := range best {
		for k := range i {
			if best[k].Group == k && best[i].says != nil && best[k].says != nil && best[k].says.agrees(best[i].says) {
				best[i].Group = k
				best[i].Copy = slices.ContainsFunc(best[:i], func(c Candidate) bool { return c.Group == k && c.says != nil && c.says.copies(best[i].says) })
				break
			}
		}
	}
	first := &best[0]
	if first.says == nil {
		return
	}
	members := []*assertion{first.says}
	papers, sources := []string{first.says.document}, 1
	for i := range best[1:] {
		c := &best[i+1]
		if c.says == nil {
			continue
		}
		if c.Group != 0 {
			if first.says.opposes(c.says, c.asks) {
				first.Features.Opposed = 1000
				c.Opposes = true
			}
			continue
		}
		if !slices.Contains(papers, c.says.document) {
			papers = append(papers, c.says.document)
			if isIndependent(c.says, members) {
				sources++
			}
			members = append(members, c.says)
		}
	}
	first.Features.Papers, first.Features.Sources = int32(1000*len(papers)), int32(1000*sources)
}

// Value returns the words of a candidate for the person, time or number that the question asks for; all its words where it has none.
func (c *Candidate) Value() string {
	if c.says == nil || len(c.says.values) == 0 {
		return "“" + c.Text + "”"
	}
	return "“" + strings.Join(c.says.wording, " ") + "”"
}

// Repeats reports whether a candidate has nearly the words of another one.
func (c *Candidate) Repeats(other *Candidate) bool {
	return c != nil && other != nil && NearlyEqual(c.Text, other.Text)
}

// NearlyEqual reports whether two texts have nearly the same pairs of adjacent words.
func NearlyEqual(a, b string) bool {
	return a == b || overlap(pairsOf(segment.LowerWords(a)), pairsOf(segment.LowerWords(b))) >= leastCopy
}

// PapersOf returns how many papers of a list that Choose returned tell the same event as the candidate.
func (c *Candidate) PapersOf(all []Candidate) int {
	var papers []string
	for i := range all {
		if o := &all[i]; o.Group == c.Group && o.says != nil && !slices.Contains(papers, o.says.document) {
			papers = append(papers, o.says.document)
		}
	}
	return max(1, len(papers))
}

// isIndependent reports whether a paper counts as a further source: it has other words, another origin, and another author where both
// are known.
func isIndependent(a *assertion, others []*assertion) bool {
	return !slices.ContainsFunc(others, func(b *assertion) bool {
		return a.copies(b) || a.origin != "" && a.origin == b.origin || a.author != "" && a.author == b.author
	})
}
