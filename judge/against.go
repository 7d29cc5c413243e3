package judge

import (
	"fmt"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Test names what a finding is about.
type Test string

// The tests, in the order in which they are asked.
const (
	Marked      Test = "marked"      // the paper shows the words struck through or reversed
	Cut         Test = "cut"         // the words begin or end inside a word
	Number      Test = "number"      // a number of the claim is not there, or counts another thing
	Unit        Test = "unit"        // the number is there with another unit
	Date        Test = "date"        // a day, month or weekday that neither the words nor the paper's date have
	Name        Test = "name"        // a name that is not there, where the words have another one
	Negation    Test = "negation"    // one of the two denies what the other states
	Opposite    Test = "opposite"    // a word in place of its contrary, or two words that have changed places
	Scoped      Test = "scope"       // the words say it only in a sense that the claim leaves out
	Restricting Test = "restriction" // the claim leaves out of whom, where, when or how far
)

// A Finding is a difference that no model's yes overrules. Claim and Words are what each of the two says; one of them may be empty.
type Finding struct {
	Test  Test   `json:"test"`
	Claim string `json:"claim"`
	Words string `json:"words"`
}

// Explain returns findings in words, one after the other.
func Explain(findings []Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, f.explain())
	}
	return strings.Join(out, "; ")
}

func (f *Finding) explain() string {
	switch f.Test {
	default:
		if f.Words == "" {
			return fmt.Sprintf("the claim says “%s”, which the words do not", f.Claim)
		}
		return fmt.Sprintf("the words say “%s”, the claim says “%s”", f.Words, f.Claim)
	case Negation:
		if f.Words == "" {
			return fmt.Sprintf("the claim denies (“%s”) what the words state", f.Claim)
		}
		return fmt.Sprintf("the words deny it (“%s”)", f.Words)
	case Scoped:
		if f.Words == "" {
			return fmt.Sprintf("the claim says “%s”, and the words do not leave it open", f.Claim)
		}
		return fmt.Sprintf("the words say it only with “%s”, which the claim leaves out", f.Words)
	case Restricting:
		return fmt.Sprintf("the words add “%s”", f.Words)
	case Marked:
		return fmt.Sprintf("the source shows words of the quotation as %s", f.Words)
	case Cut:
		return fmt.Sprintf("the quotation is cut inside “%s”", f.Words)
	}
}

// Against returns the findings on a claim that no model overrules, at most one of each test. It asks less than Judge: a
// claim in other words than the paper's has none.
func Against(claim string, words ...Passage) []Finding {
	if len(claim) > MaxText || len(words) == 0 {
		return nil
	}
	c := clause.Parse(blankNotes(claim))
	e := gatherEvidence(claim, words)
	if len(c.Tokens) == 0 || len(e.sentences) == 0 {
		return nil
	}
	var out []Finding
	for _, find := range []func(*clause.Sentence, *evidence) (Finding, bool){findMarked, findNumber, findAmount, findUnit, findDate, findName, findDenial, findOpposite, findScope, findModal} {
		if f, found := find(&c, e); found {
			out = append(out, f)
		}
	}
	return out
}

// findDate finds a date, month or weekday of the claim that neither the paragraph nor the paper has.
func findDate(c *clause.Sentence, e *evidence) (Finding, bool) {
	for i, t := range c.Tokens {
		switch {
		case t.Date:
		case t.Upper && lexicon.Month.Has(t.Text) && t.Text != "may" && t.Text != "mai", lexicon.Weekday.Has(t.Text):
		default:
			continue
		}
		known, found := false, ""
		for _, s := range []*clause.Sentence{&e.paragraph, &e.paper} {
			for _, o := range s.Tokens {
				switch {
				case t.Date && o.Date && within(t.Text, o.Text), o.Text == t.Text, !t.Date && o.Date && lexicon.Month.Has(t.Text) && clause.MonthOf(o.Text) == clause.MonthOf(t.Text):
					known = true
				case s == &e.paragraph && (t.Date && o.Date || !t.Date && (months(t, o) || sameClass(t, o) && lexicon.Weekday.Has(o.Text))):
					found = o.Text
				}
			}
		}
		if known {
			continue
		}
		if t.Date && (e.date != "" && (within(t.Text, e.date) || strings.HasPrefix(e.date, t.Text)) || e.hasParts(t.Text)) {
			continue
		}
		return Finding{Date, raw(c, i), found}, true
	}
	return Finding{}, false
}

// hasParts reports whether the paragraph has day, month and year of a date, though not together: from 4 to 25 November.
func (e *evidence) hasParts(date string) bool {
	for part := range strings.SplitSeq(date, "-") {
		if !slices.ContainsFunc(e.paragraph.Tokens, func(t clause.Token) bool {
			return t.Date && slices.Contains(strings.Split(t.Text, "-"), part) || t.Number && strings.TrimLeft(part, "0") == t.Text || t.Upper && len(part) == 2 && clause.MonthOf(t.Text) == clause.MonthOf(part+"-01")
		}) {
			return false
		}
	}
	return true
}

// findName finds a name of the claim that is nowhere, where the nearest sentence has a name in its place that the claim lacks.
func findName(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, _ := e.nearest(c)
	have, claimed := stemsOf(&e.paragraph), stemsOf(c)
	known := stemsOf(&e.paper)
	for i, t := range c.Tokens {
		stem := segment.Stem(strings.TrimSuffix(t.Text, "'s"))
		if !isName(c, i) {
			continue
		}
		if have[stem] || known[stem] || derives(t.Text, &e.paragraph) {
			if other := nameInSlot(c, i, s); other != "" && e.lang != "de" && !derives(t.Text, s) {
				return Finding{Name, raw(c, i), other}, true
			}
			continue
		}
		for j, o := range s.Tokens {
			other := segment.Stem(strings.TrimSuffix(o.Text, "'s"))
			if !isName(s, j) || claimed[other] || derives(o.Text, c) {
				continue
			}
			if e.lang != "de" || samePlace(c, i, s, j) {
				if e.lang == "de" {
					return Finding{Name, raw(c, i), raw(s, j)}, true
				}
				return Finding{Name, wholeName(c, i), wholeName(s, j)}, true
			}
		}
	}
	return Finding{}, false
}

// wholeName returns a name with the names that only a space divides from it.
func wholeName(s *clause.Sentence, i int) string {
	at := [2]int{i, i}
	for at[0] > 0 && s.Tokens[at[0]].Gap == " " && isName(s, at[0]-1) {
		at[0]--
	}
	for at[1]+1 < len(s.Tokens) && s.Tokens[at[1]+1].Gap == " " && isName(s, at[1]+1) {
		at[1]++
	}
	return span(s, at)
}

// isName reports whether a token can be a name: it has a capital letter and opens no sentence, or opens one before a verb or another name.
func isName(s *clause.Sentence, i int) bool {
	t := &s.Tokens[i]
	if !t.Upper || t.Number || t.Date || !t.Content() || lexicon.Month.Has(t.Text) || lexicon.Weekday.Has(t.Text) || lexicon.Honorific.Has(t.Text) {
		return false
	}
	opens := i == 0 || strings.ContainsAny(t.Gap, ".!?:") && !lexicon.Honorific.Has(s.Words[i-1]) && len(s.Words[i-1]) > 1
	return !opens || i+1 < len(s.Tokens) && (s.Tokens[i+1].Upper || s.Finite(i+1) && !lexicon.Quantifier.Has(s.Words[i+1])) || strings.HasSuffix(t.Text, "'s")
}

// samePlace reports whether two tokens have the same word before them, none that a noun has, or open their sentences before the same word.
func samePlace(c *clause.Sentence, i int, s *clause.Sentence, j int) bool {
	word := func(t *clause.Sentence, k int) string {
		if k < 0 || k >= len(t.Words) {
			return ""
		}
		return segment.Stem(t.Words[k])
	}
	before := word(c, i-1)
	if i == 0 || j == 0 {
		return i == j && word(c, 1) == word(s, 1)
	}
	return before == word(s, j-1) && !lexicon.Determiner.Has(before) && !c.Tokens[i-1].Number && (lexicon.Function.Has(before) || c.Tokens[i-1].Upper || c.Finite(i-1))
}

// nameInSlot returns the name that a sentence has between the same two words as a name of the claim, where the claim lacks it; "" for none.
func nameInSlot(c *clause.Sentence, i int, s *clause.Sentence) string {
	if i == 0 || i+1 >= len(c.Tokens) {
		return ""
	}
	claimed := stemsOf(c)
	for j := 1; j+1 < len(s.Tokens); j++ {
		if isName(s, j) && isName(c, i) && !claimed[segment.Stem(strings.TrimSuffix(s.Words[j], "'s"))] && c.Tokens[i-1].Content() &&
			segment.Stem(c.Words[i-1]) == segment.Stem(s.Words[j-1]) && c.Words[i+1] == s.Words[j+1] {
			return raw(s, j)
		}
	}
	return ""
}

// minCommon is how many letters a name and the word derived from it have in common at least: Norway, Norwegian.
const minCommon = 4

// derives reports whether a sentence has a capitalised word that begins as a name does.
func derives(name string, s *clause.Sentence) bool {
	for _, o := range s.Tokens {
		n, least := 0, min(len(name), len(o.Text))
		for n < least && name[n] == o.Text[n] {
			n++
		}
		if o.Upper && n >= minCommon && n >= least-3 && n*3 >= 2*least {
			return true
		}
	}
	return false
}

// findDenial finds a claim that denies what the nearest sentence states, or states what it denies. A word such as
// failed or unable on either side leaves it to a model.
func findDenial(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, shared := e.nearest(c)
	if shared < 2 {
		return Finding{}, false
	}
	claims, says := denialOf(c, s), denialOf(s, c)
	if a, b := insteadOf(c), insteadOf(s); a != "" && b != "" && a != b && slices.Contains(c.Words, b) && slices.Contains(s.Words, a) {
		return Finding{Negation, a, b}, true
	}
	if (claims == "") == (says == "") {
		return Finding{}, false
	}
	return Finding{Negation, claims, says}, true
}

// insteadOf returns the content word that something takes the place of: orphanage in "to the church rather than to the orphanage".
func insteadOf(s *clause.Sentence) string {
	for i := range s.Words {
		n := lexicon.Instead.At(s.Words, i)
		for k := i + n; n > 0 && k < len(s.Words); k++ {
			if s.Tokens[k].Content() {
				return s.Words[k]
			}
		}
	}
	return ""
}

// denialOf returns the word of a sentence that denies something which the other sentence states: the content word after
// it or before it. One that turns nothing round does not count: not only, no doubt.
func denialOf(s, other *clause.Sentence) string {
	for i := 0; i < len(s.Tokens); i++ {
		if n := lexicon.IdleNegation.At(s.Words, i); n > 0 {
			i += n - 1
			continue
		}
		if !lexicon.Negation.Has(s.Words[i]) {
			continue
		}
		after, before := i+1, i-1
		for after < len(s.Tokens) && !s.Tokens[after].Content() {
			after++
		}
		for before >= 0 && !s.Tokens[before].Content() {
			before--
		}
		if after < len(s.Tokens) && statesWord(other, s.Words[after]) || before >= 0 && after == len(s.Tokens) && lexicon.Function.Has(s.Words[i]) && statesWord(other, s.Words[before]) {
			return s.Words[i]
		}
	}
	return ""
}

// governs is how many words before another one may deny it by what they mean: failed to close the gate.
const governs = 4

// statesWord reports whether a sentence has a word, and nothing before it that denies it by what it means: failed, refused, without.
func statesWord(s *clause.Sentence, word string) bool {
	stem := segment.Stem(word)
	for j, w := range s.Words {
		if segment.Stem(w) != stem {
			continue
		}
		for k := max(0, j-governs); k < j; k++ {
			if lexicon.ImplicitNegation.Has(s.Words[k]) || lexicon.Negation.Has(s.Words[k]) || s.Words[k] == "only" || s.Words[k] == "nur" || s.Words[k] == "too" {
				return false
			}
		}
		return true
	}
	return false
}

// nearestPart returns the part of a sentence that has most of the claim's content words.
func nearestPart(c, s *clause.Sentence, parts []clause.Part) int {
	best, most := 0, -1
	for i, p := range parts {
		if n := countContent(c, s, p); n > most {
			best, most = i, n
		}
	}
	return best
}

// countContent returns how many content words of a part another sentence has.
func countContent(c, s *clause.Sentence, p clause.Part) int {
	n := 0
	for k := p.From; k < p.To; k++ {
		if s.Tokens[k].Content() && hasWords(c, s.Words[k:k+1]) {
			n++
		}
	}
	return n
}

// findScope finds words by which the nearest sentence holds only in a sense, where the claim has no such word at all.
func findScope(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, shared := e.nearest(c)
	if shared < min(2, countContent(c, c, clause.Part{To: len(c.Tokens)})) {
		return Finding{}, false
	}
	if s.Asks() && !c.Asks() {
		return Finding{Scoped, "", "?"}, true
	}
	m := match{c: s, s: s}
	if said := (&match{c: c, s: c}); said.isScoped() || lexicon.Resolution.In(c.Words) != "" {
		return Finding{}, false
	}
	parts := s.Parts(0, len(s.Tokens))
	if len(parts) == 0 {
		return Finding{}, false // words without a letter: …
	}
	verb := contentVerb(c, s)
	if verb == "" && e.lang == "de" {
		verb = reportedVerb(c, s)
	}
	if verb != "" {
		return Finding{Scoped, "", verb}, true
	}
	best := nearestPart(c, s, parts)
	for _, i := range []int{best, best - 1} {
		if i < 0 || i < best && !opensWith(s, parts[i]) {
			continue
		}
		if f, found := m.find(parts[i].From, parts[i].To, governing...); found && !lexicon.Determiner.Has(s.Words[max(0, f.from-1)]) && !appears(s, f) {
			return Finding{Scoped, "", strings.Join(s.Words[f.from:f.to], " ")}, true
		}
	}
	return Finding{}, false
}

// appears reports whether a verb of seeming tells that something came: appeared at the gate.
func appears(s *clause.Sentence, f finding) bool {
	return lexicon.Doubt.Has(s.Words[f.from]) && f.to < len(s.Words) && s.Words[f.to] != "to" && lexicon.Preposition.Has(s.Words[f.to])
}

// reportedVerb returns a German verb that a sentence has in the mood of reported speech, and a claim only in that of a
// statement: umfasse for umfasst, habe for hat; "" for none.
func reportedVerb(c, s *clause.Sentence) string {
	if hasWord(s.Words, "ich") {
		return "" // whose verbs end alike
	}
	for i, w := range s.Words {
		stem, ends := strings.CutSuffix(w, "e")
		if !s.Tokens[i].Upper && !slices.Contains(c.Words, w) && (ends && slices.Contains(c.Words, stem+"t") || inReportedMood(s.Words[i:i+1])) {
			return w
		}
	}
	return ""
}

// contentVerb returns the words that make all that a claim repeats of a sentence the content of somebody's saying or
// thinking: believed that; "" for none. What is seen or proved is so.
func contentVerb(c, s *clause.Sentence) string {
	first := slices.IndexFunc(s.Words, func(w string) bool { return !lexicon.Function.Has(w) && hasWords(c, []string{w}) })
	for i := first - 1; i > 0; i-- {
		before := s.Words[:i]
		if opensThat(s.Words[i]) && opensContent(s, i) && s.HasFinite(0, i) && !hasWord(before, "so", "such", "solche") && lexicon.Vouching.In(before) == "" {
			return strings.Join(s.Words[i-1:i+1], " ")
		}
	}
	return ""
}

// governing are the lists of words that a paraphrase must keep in some form: reports, doubts, fiction, conditions.
var governing = []lexicon.List{lexicon.Report, lexicon.Hearsay, lexicon.Doubt, lexicon.Fiction, lexicon.Condition}

// findModal finds a verb of the claim by which it says only what may, could or should be, where the words state it or
// say nothing of the kind; and the other way round, what the words say was only to be done.
func findModal(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, shared := e.nearest(c)
	if shared < 2 {
		return Finding{}, false
	}
	parts := s.Parts(0, len(s.Tokens))
	p := parts[nearestPart(c, s, parts)]
	if i := supposes(c); i >= 0 && lexicon.Ability.In(s.Words) == "" && lexicon.Modal.In(s.Words) == "" && !leavesOpen(s, p.From, p.To, governing...) {
		return Finding{Scoped, c.Words[i], ""}, true
	}
	if leavesOpen(c, 0, len(c.Tokens), append([]lexicon.List{lexicon.Ability, lexicon.Resolution}, scopes...)...) || toBe(c, 0) >= 0 {
		return Finding{}, false
	}
	if i := toBe(s, p.From); i >= 0 && i+2 < p.To && (hasWords(c, s.Words[i+2:i+3]) || s.Words[i+2] == "be") {
		return Finding{Scoped, "", s.Words[i] + " to"}, true
	}
	for i := p.From; i < p.To; i++ {
		if s.Words[i] == "be" && opensMandate(s, i) {
			return Finding{Scoped, "", "be"}, true
		}
	}
	from := p.From
	if best := slices.Index(parts, p); best > 0 && (opensThat(s.Words[p.From]) || slices.Contains(s.Words[p.From:p.To], "zu")) {
		from = parts[best-1].From
	}
	m := match{c: s, s: s}
	f, found := m.find(from, p.To, lexicon.Unreal)
	if !found { // the council ordered the gates closed, not: ordered a bell
		f, found = m.find(from, p.To, lexicon.Resolution)
		found = found && (hasComplement(s, f.to) || f.to < p.To && s.Finite(p.To-1) || slices.ContainsFunc(c.Words, lexicon.Auxiliary.Has))
	}
	if found {
		return Finding{Scoped, "", strings.Join(s.Words[f.from:f.to], " ")}, true
	}
	return Finding{}, false
}

// supposes returns the token of a verb by which a claim only supposes: may, might, must have; -1 for none.
func supposes(c *clause.Sentence) int {
	for i, w := range c.Words {
		if i > 0 && c.Tokens[i].Upper {
			continue // in May
		}
		if lexicon.Uncertain.Has(w) || lexicon.Modal.Has(w) && i+1 < len(c.Words) && c.Words[i+1] == "have" {
			return i
		}
	}
	return -1
}

// leavesOpen reports whether one of the tokens from one to before another is in a list.
func leavesOpen(s *clause.Sentence, from, to int, lists ...lexicon.List) bool {
	_, found := (&match{c: s, s: s}).find(from, to, lists...)
	return found || slices.ContainsFunc(s.Words[from:to], func(w string) bool { return strings.HasSuffix(w, "able") || strings.HasSuffix(w, "ible") })
}

// toBe returns the first token from one on where a form of be and to say what is only planned: was to sail; -1 for none.
func toBe(s *clause.Sentence, from int) int {
	for i := from; i+2 < len(s.Words); i++ {
		if isBe(s.Words[i]) && s.Words[i+1] == "to" && !s.Tokens[i+2].Upper && (s.Words[i+2] == "be" || s.Tokens[i+2].Content()) {
			return i
		}
	}
	return -1
}

// opensMandate reports whether a bare be is the verb of what is demanded: that the bridge be repaired.
func opensMandate(s *clause.Sentence, i int) bool {
	for k := i - 1; k >= max(0, i-6); k-- {
		switch w := s.Words[k]; {
		case lexicon.Modal.Has(w), w == "to", lexicon.Auxiliary.Has(w):
			return false
		case w == "that":
			return true
		}
	}
	return false
}

// findOpposite finds a word of the claim in place of its contrary, and two words that have changed places.
func findOpposite(c *clause.Sentence, e *evidence) (Finding, bool) {
	s, shared := e.nearest(c)
	if shared < 2 {
		return Finding{}, false
	}
	claimed, have := stemsOf(c), stemsOf(s)
	parts := s.Parts(0, len(s.Tokens))
	p := parts[nearestPart(c, s, parts)]
	for i, w := range c.Words {
		for j := p.From; j < p.To && (c.Tokens[i].Content() || lexicon.Preposition.Has(w) || w == "more" || w == "less" || w == "mehr" || w == "weniger"); j++ {
			o := s.Words[j]
			if s.Tokens[j].Content() == c.Tokens[i].Content() && lexicon.AreOpposites(w, o) && !have[segment.Stem(w)] && !claimed[segment.Stem(o)] {
				return Finding{Opposite, w, o}, !(isConverse(w) && isReversed(c, s))
			}
		}
	}
	if swaps(c, s) {
		return Finding{Opposite, strings.TrimSpace(c.Raw), strings.TrimSpace(s.Raw)}, true
	}
	return Finding{}, false
}

// isConverse reports whether a word says of one thing what its contrary says of the other: older, above, bought.
func isConverse(w string) bool {
	return strings.HasSuffix(w, "er") || lexicon.Preposition.Has(w) || hasWord([]string{w}, "more", "less", "mehr", "bought", "sold", "buys", "sells", "lent", "borrowed", "won", "lost", "half", "twice", "gekauft", "verkauft")
}

// isReversed reports whether a claim ends with what a sentence begins with: the church is younger than the manuscript,
// the manuscript is older than the church. With a contrary between them both say the same.
func isReversed(c, s *clause.Sentence) bool {
	first, last := -1, -1
	for _, t := range c.Tokens {
		if at := slices.IndexFunc(s.Words, func(w string) bool { return segment.Stem(w) == segment.Stem(t.Text) }); t.Content() && at >= 0 {
			if last = at; first < 0 {
				first = at
			}
		}
	}
	return first > last
}

// opensWith reports whether a part that has nothing of the claim makes what follows depend on it: if it rains, he said that.
func opensWith(s *clause.Sentence, p clause.Part) bool {
	return lexicon.Condition.At(s.Words, p.From) > 0 || lexicon.Report.Has(s.Words[p.To-1]) || s.Words[p.To-1] == "that" || s.Words[p.To-1] == "dass"
}
