package assign

import (
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

const (
	maxGap    = 12  // words between two aligned ones; what is further apart belongs to another clause
	maxTokens = 200 // words of a claim or of evidence that are compared; longer ones do not align
)

// alignment is the best result of comparing a claim with one window of evidence.
type alignment struct {
	share  float64 // of the claim's content words found at all
	failed string  // the test that failed; "" when all passed
}

// align compares a claim with a window of a passage's text.
func align(claim, window string, p *retrieve.Passage, self map[string]bool) alignment {
	c := tokens(claim, self, heldDates(claim, window, p))
	w := tokens(window, self, nil)
	if len(c) > maxTokens || len(w) > maxTokens {
		return alignment{failed: "words"}
	}
	a := alignment{}
	a.share, a.failed = coverage(c, w)
	switch {
	case a.failed != "":
		return a
	case passive(c) != passive(w):
		a.failed = "voice"
		return a
	}
	a.failed = "order"
	for _, v := range variants(c) {
		switch f := embed(v, c, w, p, self); f {
		case "":
			a.failed = ""
			return a
		case "order":
		default:
			a.failed = f
		}
	}
	return a
}

// heldDates returns the dates of a claim that hold by themselves: the document's date, or a date in
// the window, lies in them.
func heldDates(claim, window string, p *retrieve.Passage) []retrieve.DateRange {
	said := retrieve.Dates(window)
	if own := retrieve.Dates(p.Date); len(own) == 1 {
		said = append(said, own[0])
	}
	var held []retrieve.DateRange
	for _, d := range retrieve.Dates(claim) {
		if slices.ContainsFunc(said, func(s retrieve.DateRange) bool { return s.From >= d.From && s.To <= d.To }) {
			held = append(held, d)
		}
	}
	return held
}

// coverage returns the share of the claim's content words that the window holds, and the test that
// the first missing one fails.
func coverage(c, w []token) (share float64, failed string) {
	total, found := 0, 0
	for _, t := range c {
		if quantities[t.Lower] && !slices.ContainsFunc(w, func(o token) bool { return o.Lower == t.Lower }) {
			failed = first(failed, "quantity")
		}
		if !t.content {
			continue
		}
		total++
		switch {
		case slices.ContainsFunc(w, func(o token) bool { return same(t, o) }):
			found++
		case t.number != "":
			failed = "number"
		case t.name:
			failed = first(failed, "name")
		default:
			failed = first(failed, "words")
		}
	}
	if total == 0 {
		return 0, "words"
	}
	return float64(found) / float64(total), failed
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func same(a, b token) bool {
	if a.number != "" || b.number != "" {
		return a.number == b.number
	}
	return a.stem == b.stem
}

// variants returns the orders in which the claim's content words may stand, as indexes: as they
// are, with the phrase before a first comma moved to the end, and with a last prepositional phrase
// moved to the front.
func variants(c []token) [][]int {
	var base []int
	for i, t := range c {
		if t.content {
			base = append(base, i)
		}
	}
	out := [][]int{base}
	rotate := func(at int) {
		k, _ := slices.BinarySearch(base, at)
		if k > 0 && k < len(base) {
			out = append(out, append(slices.Clone(base[k:]), base[:k]...))
		}
	}
	for i, t := range c {
		switch {
		case i == 0:
		case movable[t.Lower] && i > 1:
			rotate(i)
		case movable[c[0].Lower] && (strings.Contains(t.gap, ",") || segment.Pronoun(t.Lower)):
			rotate(i)
		}
	}
	return out
}

// embed looks for the claim's content words, in the order given, as a subsequence of the window, and
// runs the other tests on each place found. It returns the failed test of the last one, or "".
func embed(order []int, c, w []token, p *retrieve.Passage, self map[string]bool) string {
	failed := "order"
	for start := range w {
		if !same(c[order[0]], w[start]) {
			continue
		}
		at := []int{start}
		for _, k := range order[1:] {
			j := at[len(at)-1] + 1
			for j < len(w) && !same(c[k], w[j]) {
				j++
			}
			if j == len(w) || j-at[len(at)-1] > maxGap {
				break
			}
			at = append(at, j)
		}
		if len(at) < len(order) {
			continue
		}
		m := match{c: c, w: w, order: order, at: at, p: p, self: self, pivot: max(0, slices.Index(order, firstContent(c)))}
		if failed = m.test(); failed == "" {
			return ""
		}
	}
	return failed
}

// match is one place where the words align.
type match struct {
	c, w      []token
	order, at []int
	pivot     int // where in order the claim's first content word stands; above 0 a phrase was moved before it
	p         *retrieve.Passage
	self      map[string]bool
}

func (m *match) test() string {
	from, to := m.clause()
	switch {
	case !m.numbers():
		return "number"
	case !m.roles():
		return "role"
	case m.count(m.c, negation) != m.count(m.w[from:to], negation):
		return "negation"
	case !m.modality(from, to):
		return "modality"
	case !m.undisturbed() || !m.subject(from):
		return "subject"
	}
	return ""
}

func negation(t token) bool { return t.negation }

func (m *match) count(ts []token, is func(token) bool) int {
	n := 0
	for _, t := range ts {
		if is(t) {
			n++
		}
	}
	return n
}

// clause returns the tokens around the aligned ones whose sense reaches them: back to a full stop,
// semicolon or colon, or to a comma before and, but; on to the next stop or to and, but.
func (m *match) clause() (from, to int) {
	from, to = m.at[0], m.at[len(m.at)-1]+1
	for from > 0 {
		gap := m.w[from].gap
		if strings.ContainsAny(gap, ".;:!?()") || strings.Contains(gap, ",") && joins(m.w[from].Lower) {
			break
		}
		from--
	}
	for to < len(m.w) && !strings.ContainsAny(m.w[to].gap, ".;:!?()") && !joins(m.w[to].Lower) {
		to++
	}
	return from, to
}

func joins(w string) bool {
	switch w {
	case "and", "but", "und", "aber":
		return true
	}
	return false
}

// numbers tells whether each number counts the same thing in both.
func (m *match) numbers() bool {
	for i, k := range m.order {
		t, o := m.c[k], m.w[m.at[i]]
		if t.number == "" || t.head < 0 {
			continue
		}
		if o.head < 0 {
			return false
		}
		// The claim may leave out an adjective, so the thing counted need only be the next aligned word.
		j := slices.Index(m.order, t.head)
		if j < 0 || m.at[j] < m.at[i] || m.at[j]-m.at[i] > 4 {
			return false
		}
		for b := m.at[i] + 1; b < m.at[j]; b++ {
			if m.w[b].number != "" && !slices.Contains(m.at, b) || strings.ContainsAny(m.w[b].gap, ",;") {
				return false
			}
		}
	}
	return true
}

// roles compares the prepositions of aligned words.
func (m *match) roles() bool {
	for i, k := range m.order {
		p, q := m.c[k].prep, m.w[m.at[i]].prep
		switch {
		case m.c[k].Possessive != m.w[m.at[i]].Possessive:
			return false
		case p == q:
		case p == "" && strict[q], q == "" && strict[p]:
			return false
		case p != "" && q != "" && (strict[p] || strict[q] || p == "with" || q == "with"):
			return false
		}
	}
	return true
}

// modality tells whether the clause is as much of a plain statement as the claim is.
func (m *match) modality(from, to int) bool {
	for _, t := range m.w[from:to] {
		if t.modal && !slices.ContainsFunc(m.c, func(o token) bool { return o.stem == t.stem }) {
			return false
		}
	}
	for _, t := range m.c {
		if t.modal && !slices.ContainsFunc(m.w[from:to], func(o token) bool { return o.stem == t.stem }) {
			return false
		}
	}
	return true
}

// undisturbed tells whether nothing between the aligned words changes who did what: no person, no
// other verb, no "to" before a verb; and whether the last word does not begin a clause of its own.
func (m *match) undisturbed() bool {
	for i := 1; i < len(m.at); i++ {
		for j := m.at[i-1] + 1; j < m.at[i] && i != m.pivot; j++ {
			t := m.w[j]
			claims := slices.ContainsFunc(m.c, func(o token) bool { return o.Lower == t.Lower })
			if claims {
				continue
			}
			if t.name || person(t.Lower) != "" || !segment.Function(t.Lower) && (segment.FiniteVerb(t.Lower) || t.negation) {
				return false
			}
			if strings.ContainsAny(t.gap, ";.!?:") {
				return false
			}
		}
		if strings.ContainsAny(m.w[m.at[i]].gap, ";.!?:") {
			return false
		}
	}
	next := m.at[len(m.at)-1] + 1
	if next < len(m.w) && strings.TrimSpace(m.w[next].gap) == "" && segment.FiniteVerb(m.w[next].Lower) {
		return slices.ContainsFunc(m.c, func(o token) bool { return o.Lower == m.w[next].Lower })
	}
	return true
}
