package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// findNumber finds a number of the claim that the paragraph does not have, or that counts another thing there. A share
// of a whole that the words do not give as such is for a model to judge.
func findNumber(c *clause.Sentence, e *evidence) (Finding, bool) {
	for i, t := range c.Tokens {
		if !t.Number || t.Date || i+1 < len(c.Words) && lexicon.Fraction.Has(c.Words[i+1]) {
			continue
		}
		percentage := i+1 < len(c.Words) && c.Words[i+1] == "percent"
		if percentage && !e.paragraph.Percentage() {
			shares := e.paragraph.Shares()
			if at := slices.Index(shares.Words, "percent"); at > 0 && shares.Percentage() && !slices.Contains(shares.Words, t.Text) {
				return Finding{Number, raw(c, i) + "%", shares.Words[at-1] + "%"}, true
			}
			continue
		}
		if !e.has(t.Text, percentage) {
			if derivable(c, i, e) || isComputed(c, i, e) {
				continue
			}
			return Finding{Number, raw(c, i), rivals(c, i, e)}, true
		}
		if other := countedOtherwise(c, i, e); other != "" {
			return Finding{Number, raw(c, i), other}, true
		}
	}
	return Finding{}, false
}

// has reports whether paragraph or paper have a number.
func (e *evidence) has(number string, percentage bool) bool {
	for _, s := range []*clause.Sentence{&e.paragraph, &e.paper} {
		for j, t := range s.Tokens {
			if t.Text == number && (t.Number || t.Date) && (!percentage || j+1 < len(s.Words) && s.Words[j+1] == "percent") {
				return true
			}
			if t.Date && slices.Contains(strings.Split(t.Text, "-"), number) {
				return true
			}
		}
	}
	return false
}

// rivals returns the numbers of the words that the claim does not have.
func rivals(c *clause.Sentence, i int, e *evidence) string {
	var out []string
	for k := range e.sentences {
		s := &e.sentences[k]
		for j, t := range s.Tokens {
			if t.Number && !slices.Contains(c.Words, t.Text) {
				out = append(out, raw(s, j))
			}
		}
	}
	return strings.Join(out, ", ")
}

// nearly is the largest relative difference of a number after about or over from the exact one.
const nearly = 0.15

// derivable reports whether a number follows from the words by rounding, in another unit, by adding years to a year, or
// by counting: two of something are often counted.
func derivable(c *clause.Sentence, i int, e *evidence) bool {
	value, err := strconv.ParseFloat(c.Words[i], 64)
	if err != nil {
		return true
	}
	unit := unitAfter(c, i)
	rough := isRough(c, i)
	var all []float64
	for k := range e.sentences {
		s := &e.sentences[k]
		for j, t := range s.Tokens {
			v, err := strconv.ParseFloat(t.Text, 64)
			if !t.Number || err != nil {
				continue
			}
			all = append(all, v)
			other := unitAfter(s, j)
			if rough && (unit == other || unit == "" || other == "") && math.Abs(v-value) <= nearly*v {
				return true
			}
			if factor, ok := lexicon.Convert(other, unit); ok && (math.Abs(v*factor-value) <= 0.005*value || rough && math.Abs(v*factor-value) <= nearly*value) {
				return true
			}
		}
	}
	for k, a := range all {
		for _, b := range all[k+1:] {
			if a+b == value || math.Abs(a-b) == value {
				return !isPartOf(c, i, e)
			}
		}
	}
	times := i+1 < len(c.Words) && (c.Words[i+1] == "times" || c.Words[i+1] == "mal")
	if times {
		return value == 2 && slices.Contains(e.paragraph.Words, "twice") || value == 3 && slices.Contains(e.paragraph.Words, "thrice")
	}
	return len(all) == 0 && value <= maxCounted && int(value) <= e.countListed()
}

// countListed returns how many things the sentences may list: one more than they have commas and coordinators.
func (e *evidence) countListed() int {
	n := 1
	for i := range e.paragraph.Tokens {
		if strings.ContainsAny(e.paragraph.Tokens[i].Gap, ",;") || lexicon.Coordinator.Has(e.paragraph.Words[i]) {
			n++
		}
	}
	return n + len(e.sentences) - 1
}

// partOf returns the part and the whole that tokens give at one of them: 52 of the 80; ok is false where they give none.
func partOf(s *clause.Sentence, i int) (part, whole string, ok bool) {
	k := i + 2
	if k < len(s.Words) && lexicon.Determiner.Has(s.Words[k]) {
		k++
	}
	if k >= len(s.Words) || !s.Tokens[i].Number || !s.Tokens[k].Number || s.Words[i+1] != "of" && s.Words[i+1] != "von" {
		return "", "", false
	}
	return s.Words[i], s.Words[k], true
}

// isPartOf reports whether a number of the claim is a part of a whole of which the words give another part.
func isPartOf(c *clause.Sentence, i int, e *evidence) bool {
	_, whole, ok := partOf(c, i)
	for j := range e.paragraph.Tokens {
		if _, all, given := partOf(&e.paragraph, j); ok && given && all == whole {
			return true
		}
	}
	return false
}

// A bound is how a number is made less exact.
type bound int

const (
	exact bound = iota
	about
	below
	above
	least
	most
	precise
)

// boundOf returns how the words at a number bound it.
func boundOf(s *clause.Sentence, i int) bound {
	lists := []struct {
		in lexicon.List
		is bound
	}{{lexicon.Bound.Below, below}, {lexicon.Bound.Above, above}, {lexicon.Bound.AtLeast, least}, {lexicon.Bound.AtMost, most}, {lexicon.Bound.Precisely, precise}}
	for from := max(0, i-3); from < i; from++ {
		for _, l := range lists {
			if n := l.in.At(s.Words[:i], from); n > 0 && from+n == i {
				return l.is
			}
		}
	}
	if isRough(s, i) {
		return about
	}
	if end := unitEnd(s, i); end > 0 {
		for _, l := range lists {
			if l.is != below && l.is != above && l.in.At(s.Words, end) > 1 {
				return l.is // 140 grams to the ton at most
			}
		}
	}
	return exact
}

// unitEnd returns the token after the amount that a number begins, at most five on, where a bound may follow it.
func unitEnd(s *clause.Sentence, i int) int {
	for k := i + 1; k < min(len(s.Tokens), i+6); k++ {
		if strings.ContainsAny(s.Tokens[k].Gap, ",;:.") {
			return 0
		}
		if lexicon.Bound.AtLeast.At(s.Words, k) > 1 || lexicon.Bound.AtMost.At(s.Words, k) > 1 {
			return k
		}
	}
	return 0
}

// conflicts are the limits of the words under which the bound of the claim is wrong.
var conflicts = map[bound][]bound{below: {exact, above, least, precise}, above: {exact, below, most, precise}, least: {below, most}, most: {above, least}, precise: {about, below, above, least, most}}

// findAmount finds an amount that the claim gives in other words than the words do: almost eleven for eleven, at least
// for at most, a quarter for a third, all of the twelve for three of them, within a month for within a week.
func findAmount(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, shared := e.nearest(c)
	if shared < 2 {
		return Finding{}, false
	}
	for i, t := range c.Tokens {
		for j, o := range s.Tokens {
			if t.Number && o.Number && t.Text == o.Text && slices.Contains(conflicts[boundOf(c, i)], boundOf(s, j)) {
				return Finding{Number, withLead(c, i), withLead(s, j)}, true
			}
			if part, whole, ok := partOf(s, j); ok && t.Number && t.Text == whole && part != whole && takesAll(c, i) {
				return Finding{Number, withLead(c, i), part + " of " + whole}, true
			}
		}
	}
	for _, l := range []lexicon.List{lexicon.Fraction, lexicon.Bound.Frequency} {
		mine, theirs := amountIn(c, l), amountIn(s, l)
		if mine != "" && theirs != "" && mine != theirs && !slices.Contains(s.Words, mine) {
			return Finding{Number, mine, theirs}, true
		}
	}
	return findSpan(c, s)
}

// withLead returns a number with the two words before it.
func withLead(s *clause.Sentence, i int) string {
	return s.Raw[s.Tokens[max(0, i-2)].Start:s.Tokens[i].End]
}

// takesAll reports whether all comes just before a number.
func takesAll(s *clause.Sentence, i int) bool {
	return slices.ContainsFunc(s.Words[max(0, i-3):i], func(w string) bool { return w == "all" || w == "every" || w == "alle" || w == "sämtliche" })
}

// amountIn returns the first word of a list that gives an amount: a quarter of, twice; not the third of May.
func amountIn(s *clause.Sentence, l lexicon.List) string {
	for i, w := range s.Words {
		if !l.Has(w) || lexicon.Ordinal.Has(w) && (i == 0 || s.Words[i-1] != "a" && s.Words[i-1] != "one") {
			continue
		}
		return w
	}
	return ""
}

// findSpan finds a length of time that is another one in the words: within a month, within a week.
func findSpan(c, s *clause.Sentence) (Finding, bool) {
	for i := 2; i < len(c.Words); i++ {
		if !lexicon.TimeUnit.Has(c.Words[i]) || !lexicon.Determiner.Has(c.Words[i-1]) || !lexicon.Preposition.Has(c.Words[i-2]) || slices.Contains(s.Words, c.Words[i]) {
			continue
		}
		for j := 2; j < len(s.Words); j++ {
			if lexicon.TimeUnit.Has(s.Words[j]) && s.Words[j-1] == c.Words[i-1] && s.Words[j-2] == c.Words[i-2] && !slices.Contains(c.Words, s.Words[j]) {
				return Finding{Unit, c.Words[i], s.Words[j]}, true
			}
		}
	}
	return Finding{}, false
}

// maxCounted is up to which number things that the words list may be counted.
const maxCounted = 12

// unitAfter returns the unit after a number, "" for none.
func unitAfter(s *clause.Sentence, i int) string {
	if i+1 < len(s.Words) && lexicon.IsUnit(s.Words[i+1]) {
		return s.Words[i+1]
	}
	return ""
}

// isRough reports whether words before a number make it less exact.
func isRough(s *clause.Sentence, i int) bool {
	return lexicon.Approximation.In(s.Words[max(0, i-3):i]) != ""
}

// thingAfter returns the stem of the content word that a number counts, "" where none follows.
func thingAfter(s *clause.Sentence, i int) string {
	for k := i + 1; k < min(len(s.Tokens), i+3); k++ {
		if strings.ContainsAny(s.Tokens[k].Gap, ",;.()") || s.Tokens[k].Number {
			return ""
		}
		if s.Tokens[k].Content() && s.Words[k] != "percent" {
			return segment.Stem(s.Words[k])
		}
	}
	return ""
}

// countedOtherwise returns the number that the words have before the thing which a number of the claim counts, where they have no other; else "".
func countedOtherwise(c *clause.Sentence, i int, e *evidence) string {
	thing, other := thingAfter(c, i), ""
	if thing == "" || lexicon.IsUnit(thing) {
		return ""
	}
	for j := range e.paragraph.Tokens {
		t := &e.paragraph.Tokens[j]
		counted := ""
		if t.Number {
			counted = thingAfter(&e.paragraph, j)
		}
		switch {
		case !t.Number:
		case t.Text == c.Words[i] && (counted == "" || counted == thing || j+1 < len(e.paragraph.Words) && lexicon.Preposition.Has(e.paragraph.Words[j+1])):
			return ""
		case counted == thing:
			other = t.Text
		}
	}
	return other
}

// findUnit finds a number that the words have with another unit, and never with the claim's, and a rate for another time.
func findUnit(c *clause.Sentence, e *evidence) (Finding, bool) {
	if per, other := rateIn(c), rateIn(&e.paragraph); per != "" && other != "" && segment.Stem(per) != segment.Stem(other) {
		return Finding{Unit, per, other}, true
	}
	for i, t := range c.Tokens {
		unit := unitAfter(c, i)
		if !t.Number || unit == "" {
			continue
		}
		other := ""
		for j, o := range e.paragraph.Tokens {
			if u := unitAfter(&e.paragraph, j); o.Number && o.Text == t.Text {
				if u == "" || segment.Stem(u) == segment.Stem(unit) || lexicon.SameUnit(u, unit) {
					other = ""
					break
				}
				other = u
			}
		}
		if other != "" {
			return Finding{Unit, raw(c, i+1), other}, true
		}
	}
	return Finding{}, false
}

// rateIn returns the unit of time for which a sentence gives an amount: £40 a year.
func rateIn(s *clause.Sentence) string {
	for i, w := range s.Words {
		if i > 1 && lexicon.TimeUnit.Has(w) && (lexicon.Bound.Rate.Has(s.Words[i-1])) && (lexicon.IsUnit(s.Words[i-2]) || s.Tokens[i-2].Number) {
			return w
		}
	}
	return ""
}
