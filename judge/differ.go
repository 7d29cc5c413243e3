package judge

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// An edit is one step from the sentence's tokens to the claim's.
type edit struct {
	i, j int // tokens of claim and sentence; -1 where one has none
}

// differ judges a claim that the sentence does not hold word for word: contradicted where the two agree but for one
// thing that has one value; else not shown, with what is missing.
func differ(c, s *clause.Sentence, r *referents, p *place) Judgement {
	j := Judgement{Verdict: cite.ClaimNotShown, Rule: Missing}
	if len(c.Tokens)*len(s.Tokens) <= maxCells {
		stated := withoutLead(c)
		if d, found := findContradiction(stated, s, &referents{stated, s, r.known}, p); found {
			return d
		}
		if d, found := findShare(stated, s, r.known, p); found {
			return d
		}
	}
	paragraph := clause.Parse(p.text)
	if len(paragraph.Tokens) == 0 {
		paragraph = *s
	}
	if j.Missing = missingWords(c, &paragraph); len(j.Missing) > 0 {
		j.Reason = fmt.Sprintf("the words do not say “%s”", strings.Join(j.Missing, "”, “"))
		return j
	}
	cited := clause.Parse(p.raw()[p.from:p.to])
	if around := missingWords(c, &cited); len(around) > 0 {
		j.Reason = fmt.Sprintf("the words cited do not say “%s”, which is only around them", strings.Join(around, "”, “"))
	} else {
		j.Reason = explainEdits(c, s, align(c, s, r))
	}
	return j
}

// explainEdits returns the difference between a claim and the sentence that holds its words: the first place at which
// one has a content word, a modal or a denial that the other lacks there.
func explainEdits(c, s *clause.Sentence, edits []edit) string {
	for n := 0; n < len(edits); n++ {
		claim, words := [2]int{-1, -1}, [2]int{-1, -1} // first and last token
		note := func(at *[2]int, i int) {
			if at[1] = i; at[0] < 0 {
				at[0] = i
			}
		}
		tells, first := false, n
		for ; n < len(edits); n++ {
			e := edits[n]
			if e.i >= 0 && e.j >= 0 && segment.Stem(c.Words[e.i]) == segment.Stem(s.Words[e.j]) {
				break
			}
			if e.i >= 0 {
				note(&claim, e.i)
				tells = tells || weighs(c, e.i)
			}
			if e.j >= 0 {
				note(&words, e.j)
				tells = tells || weighs(s, e.j)
			}
		}
		outer := claim[0] < 0 && (first == 0 || n == len(edits)) // what the sentence has before and after the claim
		switch {
		case !tells || outer:
		case claim[0] < 0:
			return fmt.Sprintf("the words add “%s”", span(s, words))
		case words[0] < 0:
			return fmt.Sprintf("the claim adds “%s” there", span(c, claim))
		default:
			return fmt.Sprintf("the words say “%s”, the claim says “%s”", span(s, words), span(c, claim))
		}
	}
	return "the words hold those of the claim, in another order"
}

// weighs reports whether a token changes what a clause says.
func weighs(s *clause.Sentence, i int) bool {
	w := s.Words[i]
	return s.Tokens[i].Content() || lexicon.Modal.Has(w) || lexicon.Negation.Has(w) || lexicon.Quantifier.Has(w) || lexicon.Preposition.Has(w)
}

// span returns the bytes of a sentence from one token to another.
func span(s *clause.Sentence, at [2]int) string {
	return s.Raw[s.Tokens[at[0]].Start:s.Tokens[at[1]].End]
}

// withoutLead returns a claim without an opening phrase that says whose word it is: "according to limited reports, the
// mill burned" is as much contradicted as the rest of it.
func withoutLead(c *clause.Sentence) *clause.Sentence {
	parts := c.Parts(0, len(c.Tokens))
	if len(parts) < 2 || lexicon.Report.At(c.Words, 0) == 0 && lexicon.Hearsay.At(c.Words, 0) == 0 {
		return c
	}
	out := *c
	out.Tokens, out.Words = c.Tokens[parts[0].To:], c.Words[parts[0].To:]
	return &out
}

// maxCells bounds the table of an alignment: two sentences of 500 words.
const maxCells = 250_000

// findContradiction returns the contradiction between a claim and the clause that it otherwise repeats.
func findContradiction(c, s *clause.Sentence, r *referents, p *place) (Judgement, bool) {
	edits := align(c, s, r)
	var added, swapped []edit // of the claim
	var left []int            // tokens of the sentence within the aligned clause
	first, last := -1, -1
	for _, e := range edits {
		if e.i >= 0 && e.j >= 0 {
			if first < 0 {
				first = e.j
			}
			last = e.j
		}
	}
	for _, e := range edits {
		switch {
		case e.i >= 0 && e.j < 0:
			added = append(added, e)
		case e.i < 0 && e.j > first && e.j < last:
			left = append(left, e.j)
		case e.i >= 0 && !sameStem(c, s, r, e.i, e.j):
			swapped = append(swapped, e)
		}
	}
	if first < 0 || countShared(edits, c, s, r) < 2 {
		return Judgement{}, false
	}
	if reason, _ := p.scopeAround(&match{c: c, s: s, at: []int{first, last}}); reason != "" || s.Asks() || scopedBy(c, s, first, last) {
		return Judgement{}, false
	}
	switch {
	case len(swapped) == 0:
		return findNegation(c, s, added, left)
	case len(swapped) == 1 && len(left) == 0 && len(added) <= 1 && (len(added) == 0 || c.Words[added[0].i] == "all" || c.Words[added[0].i] == "the"):
		return findValue(c, s, swapped[0], first, last)
	}
	return Judgement{}, false
}

// scopedBy reports whether the sentence holds the aligned clause in a sense of its own, so that it contradicts nothing.
func scopedBy(c, s *clause.Sentence, first, last int) bool {
	for _, l := range scopes {
		if w := l.In(s.Words); w != "" && l.In(c.Words) == "" && !hasWords(c, strings.Fields(w)) {
			return true
		}
	}
	return false
}

// findShare returns the contradiction of two fractions of one whole, which are compared as percentages: one third, two thirds of the cost.
func findShare(c, s *clause.Sentence, known bool, p *place) (Judgement, bool) {
	lang := language(*p.words, s.Raw)
	a, b := c.Amounts(lang), s.Amounts(lang)
	i, j := slices.Index(a.Words, "percent"), slices.Index(b.Words, "percent")
	if i < 1 || j < 1 || c.Percentage() || s.Percentage() {
		return Judgement{}, false
	}
	d, found := findContradiction(&a, &b, &referents{&a, &b, known}, p)
	if found && d.test == Number {
		d.Claim, d.Words = raw(&a, i-1), raw(&b, j-1)
		d.Reason = fmt.Sprintf("the words say “%s”, the claim says “%s”", d.Words, d.Claim)
	}
	return d, found
}

// findNegation returns the contradiction of a claim and a clause of which exactly one denies. A form of do that the denial needs is no difference.
func findNegation(c, s *clause.Sentence, added []edit, left []int) (Judgement, bool) {
	denies := func(w string) bool {
		switch w {
		case "not", "never", "no", "nicht", "nie", "niemals", "kein", "keine", "keinen":
			return true
		}
		return false
	}
	support := func(w string) bool {
		return w == "do" || w == "does" || w == "did" || w == "a" || w == "an" || w == "any" || w == "ein" || w == "eine" || w == "einen"
	}
	claims, says := "", ""
	for _, e := range added {
		switch w := c.Words[e.i]; {
		case denies(w) && claims == "":
			claims = w
		case !support(w):
			return Judgement{}, false
		}
	}
	for _, k := range left {
		switch w := s.Words[k]; {
		case denies(w) && says == "":
			says = w
		case !support(w):
			return Judgement{}, false
		}
	}
	if (claims == "") == (says == "") {
		return Judgement{}, false
	}
	reason := "the claim denies what the words state"
	if says != "" {
		reason = fmt.Sprintf("the words deny it (“%s”), and the claim states it", says)
	}
	return Judgement{Verdict: cite.ClaimContradicted, Rule: Contradiction, Reason: reason, Claim: claims, Words: says, test: Negation}, true
}

// findValue returns the contradiction of two tokens in one slot: another number before the same thing, another date of
// one event, another unit, or another name where there can be one only.
func findValue(c, s *clause.Sentence, e edit, first, last int) (Judgement, bool) {
	a, b := c.Tokens[e.i], s.Tokens[e.j]
	one := false
	switch {
	case a.Number && b.Number:
		one = !near(c, e.i, s, e.j)
	case a.Date && b.Date:
		one = s.Event(first, last+1) && !within(a.Text, b.Text)
	case lexicon.IsUnit(a.Text) && lexicon.IsUnit(b.Text) && e.i > 0 && c.Tokens[e.i-1].Number:
		one = true
	case months(a, b) || lexicon.Weekday.Has(a.Text) && lexicon.Weekday.Has(b.Text):
		one = s.Event(first, last+1)
	case a.Upper && b.Upper && e.i > 0 && e.j > 0:
		one = lexicon.SingleValue.In(s.Words[first:last+1]) != "" // where somebody was born, what something is called
	}
	if !one {
		return Judgement{}, false
	}
	claim, words := withPercent(c, e.i), withPercent(s, e.j)
	test := Name
	switch {
	case a.Number:
		test = Number
	case a.Date || lexicon.Month.Has(a.Text) || lexicon.Weekday.Has(a.Text):
		test = Date
	case lexicon.IsUnit(a.Text):
		test = Unit
	}
	return Judgement{Verdict: cite.ClaimContradicted, Rule: Contradiction, Claim: claim, Words: words, test: test,
		Reason: fmt.Sprintf("the words say “%s”, the claim says “%s”", words, claim)}, true
}

func raw(s *clause.Sentence, i int) string { return s.Raw[s.Tokens[i].Start:s.Tokens[i].End] }

// withPercent returns a token as it is written, a percentage with its sign, also where the sentence gives it as a part of a whole.
func withPercent(s *clause.Sentence, i int) string {
	if i+1 < len(s.Words) && s.Words[i+1] == "percent" {
		return s.Words[i] + "%"
	}
	return raw(s, i)
}

func months(a, b clause.Token) bool {
	return a.Upper && b.Upper && lexicon.Month.Has(a.Text) && lexicon.Month.Has(b.Text)
}

// near reports whether one of two numbers is made less exact by its words, so that both may be right.
func near(c *clause.Sentence, i int, s *clause.Sentence, j int) bool {
	if !isRough(c, i) && !isRough(s, j) {
		return false
	}
	a, errA := strconv.ParseFloat(c.Words[i], 64)
	b, errB := strconv.ParseFloat(s.Words[j], 64)
	return errA != nil || errB != nil || math.Abs(a-b) <= 0.5*math.Max(a, b)
}

// within reports whether one date is the other given less exactly: 05-03 and 1871-05-03.
func within(a, b string) bool {
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// Costs of the steps of an alignment. A substitution within a class of values costs less than leaving both out.
const (
	costSame, costValue, costAdd, costLeave = 0, 3, 4, 2
)

// align returns the cheapest edits between a sentence and a claim; what the sentence has before and after the claim costs nothing.
func align(c, s *clause.Sentence, r *referents) []edit {
	n, k := len(c.Tokens), len(s.Tokens)
	cost := make([][]int, n+1)
	for i := range cost {
		cost[i] = make([]int, k+1)
		cost[i][0] = i * costAdd
	}
	step := func(i, j int) int {
		switch {
		case sameStem(c, s, r, i, j):
			return costSame
		case sameClass(c.Tokens[i], s.Tokens[j]):
			return costValue
		}
		return costAdd + costLeave + 1
	}
	leave := func(i int) int {
		if i == 0 || i == n {
			return 0
		}
		return costLeave
	}
	for i := 0; i <= n; i++ {
		for j := 0; j <= k; j++ {
			switch {
			case i == 0:
				cost[0][j] = 0
			case j > 0:
				cost[i][j] = min(cost[i-1][j]+costAdd, cost[i][j-1]+leave(i), cost[i-1][j-1]+step(i-1, j-1))
			}
		}
	}
	var out []edit
	for i, j := n, k; i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && cost[i][j] == cost[i-1][j-1]+step(i-1, j-1):
			i, j = i-1, j-1
			out = append(out, edit{i, j})
		case j > 0 && (i == 0 || cost[i][j] == cost[i][j-1]+leave(i)):
			j--
			out = append(out, edit{-1, j})
		default:
			i--
			out = append(out, edit{i, -1})
		}
	}
	slices.Reverse(out)
	return out
}

// sameClass reports whether two tokens are values of one kind: numbers, dates, units, names.
func sameClass(a, b clause.Token) bool {
	switch {
	case a.Number || b.Number:
		return a.Number && b.Number
	case a.Date || b.Date:
		return a.Date && b.Date
	case lexicon.IsUnit(a.Text) && lexicon.IsUnit(b.Text), lexicon.Weekday.Has(a.Text) && lexicon.Weekday.Has(b.Text):
		return true
	}
	return a.Upper && b.Upper
}

// sameStem reports whether two tokens are forms of one word, or a pronoun and the name that it means.
func sameStem(c, s *clause.Sentence, r *referents, i, j int) bool {
	if r.same(i, j) {
		return true
	}
	a, b := c.Tokens[i], s.Tokens[j]
	if a.Number || b.Number || a.Date || b.Date || a.Content() != b.Content() {
		return false
	}
	return segment.Stem(a.Text) == segment.Stem(b.Text)
}

// countShared returns how many content words the aligned tokens have in common.
func countShared(edits []edit, c, s *clause.Sentence, r *referents) int {
	n := 0
	for _, e := range edits {
		if e.i >= 0 && e.j >= 0 && c.Tokens[e.i].Content() && sameStem(c, s, r, e.i, e.j) {
			n++
		}
	}
	return n
}

// maxMissing is how many missing words a reason lists.
const maxMissing = 6

// fileName matches the name of a file: minutes-1871.txt.
var fileName = regexp.MustCompile(`[^\s("“„]+[^\s("“„.]\.[a-z][a-z0-9]{1,4}\b`)

// missingWords returns the content words of a claim that a text lacks, each once and as the claim writes them.
func missingWords(c, text *clause.Sentence) []string {
	have := stemsOf(text)
	files := fileName.FindAllStringIndex(c.Raw, -1)
	var out []string
	for i, t := range c.Tokens {
		if slices.ContainsFunc(files, func(at []int) bool { return t.Start >= at[0] && t.End <= at[1] }) {
			continue // it names the paper
		}
		stem := segment.Stem(strings.TrimSuffix(t.Text, "'s"))
		if t.Content() && !have[stem] && !strings.HasPrefix(t.Text, writer) && len(out) < maxMissing {
			have[stem] = true
			if w := raw(c, i); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}
