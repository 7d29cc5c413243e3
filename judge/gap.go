package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// A finding is what the tokens of a gap do to the claim: nothing, or a rule that they break.
type finding struct {
	rule     Rule
	from, to int // the tokens to name
}

var nothing = finding{}

// Lists by whose words a clause holds only in a sense that the claim must say too.
var scopes = []lexicon.List{lexicon.Report, lexicon.Hearsay, lexicon.Doubt, lexicon.Wish, lexicon.Fiction, lexicon.Partial, lexicon.Condition, lexicon.Modal}

// turns are the lists by which a later clause takes back an earlier one.
var turns = []lexicon.List{lexicon.Falsehood, lexicon.Retraction, lexicon.Revocation}

// classify returns the rule that a gap breaks, if any.
func (m *match) classify(g gap) finding {
	switch {
	case g.from == 0:
		return m.lead(g)
	case g.to == len(m.s.Tokens):
		return m.trail(g)
	}
	return m.interior(g)
}

// event reports whether the matched clause tells one event of the past, of which place, time and manner may be left out.
func (m *match) event() bool { return m.s.Event(m.at[0], m.at[len(m.at)-1]+1) }

// find returns the first entry of any of the lists among the tokens of the sentence.
func (m *match) find(from, to int, in ...lexicon.List) (finding, bool) {
	words := m.s.Words[:to]
	for i := from; i < to; i++ {
		if i > 0 && m.s.Tokens[i].Upper && lexicon.Modal.Has(words[i]) {
			continue // May and Mr. Will are no modals
		}
		for _, l := range in {
			if n := l.At(words, i); n > 0 {
				return finding{Scope, i, i + n}, true
			}
		}
	}
	return nothing, false
}

// isScoped reports whether the sentence says itself in what sense it holds.
func (m *match) isScoped() bool {
	_, found := m.find(0, len(m.s.Tokens), scopes...)
	return found
}

// namesScope reports whether the sentence says whose word it is, or in what case it holds. A verb of wishing does so
// before what is wished: failed to sell, not: the harvest failed.
func (m *match) namesScope() bool {
	if _, found := m.find(0, len(m.s.Tokens), governing...); found {
		return true
	}
	f, found := m.find(0, len(m.s.Tokens), lexicon.Wish)
	return found && hasComplement(m.s, f.to)
}

// lead classifies the tokens before the claim in its sentence.
func (m *match) lead(g gap) finding {
	if m.s.Tokens[0].End == 0 {
		g.from++ // the subject that refer has added
	}
	if strings.HasSuffix(strings.TrimSpace(m.stopAfter(g.to)), ":") && isPlain(m.rawOf(g.from, g.to), false) {
		return nothing // Facts: the mill burned
	}
	parts := m.s.Parts(m.strongBreak(g), g.to)
	own := false // the claim is a clause that a comma and an "and" join to what is before
	for k := len(parts) - 1; k >= 0; k-- {
		p := parts[k]
		closed := strings.ContainsAny(m.stopAfter(p.To), ",–—")
		f := m.leadPart(p, closed, k == len(parts)-1)
		if f.rule == Scope || f.rule != "" && !own {
			return f
		}
		own = own || k > 0 && p.To == g.to && p.To == p.From+1 && lexicon.Coordinator.Has(m.s.Words[p.From]) && m.s.HasFinite(g.to, len(m.s.Tokens))
	}
	return nothing
}

// addresses reports whether a part only speaks to somebody: my dear mother.
func (m *match) addresses(p clause.Part) bool {
	const few = 4
	return p.To-p.From < few && lexicon.Address.At(m.s.Words[:p.To], p.From) > 0
}

// stopAfter returns the punctuation before a token, or of the end.
func (m *match) stopAfter(i int) string {
	if i < len(m.s.Tokens) {
		return m.s.Tokens[i].Gap
	}
	return m.s.Tail
}

// strongBreak returns the token after the last semicolon, after the last "but" that a comma precedes or after the times
// of a cue, within a gap at the beginning: what a scope before it says does not reach the claim.
func (m *match) strongBreak(g gap) int {
	from := g.from
	for i := g.from; i < g.to; i++ {
		gap := m.s.Tokens[i].Gap
		if strings.Contains(gap, ";") {
			from = i
		}
		if strings.Contains(gap, "-->") { // the times of a cue are no words
			for from = i + 1; from < g.to && m.s.Tokens[from].Gap == ":"; {
				from++
			}
		}
		if i > g.from && strings.Contains(gap, ",") && (m.s.Words[i] == "but" || m.s.Words[i] == "yet" || m.s.Words[i] == "aber" || m.s.Words[i] == "doch") && m.s.HasFinite(g.from, i) {
			from = i + 1
		}
	}
	if strings.Contains(m.s.Tokens[g.to].Gap, ";") {
		return g.to
	}
	return from
}

// leadPart classifies a part before the claim. closed says that a comma ends it, last that the claim follows it.
func (m *match) leadPart(p clause.Part, closed, last bool) finding {
	words := m.s.Words[p.From:p.To]
	all := finding{Scope, p.From, p.To}
	first, end := words[0], words[len(words)-1]
	dependent := lexicon.Subordinator.At(m.s.Words[:p.To], p.From) > 0
	finite := m.s.HasFinite(p.From, p.To)
	if closed && m.addresses(p) {
		return nothing
	}
	if !concedes(words) && lexicon.Condition.In(words) != "" || (first == "when" || first == "while") && closed && !m.event() {
		return all
	}
	if last && !closed && len(words) == 1 && lexicon.Complementizer.Has(first) {
		return finding{Scope, 0, p.To}
	}
	if last && (end == "or" || end == "oder") {
		return all
	}
	if last && len(words) == 1 && !closed && (lexicon.Subordinator.Has(first) && !isBefore(first) || lexicon.Coordinator.Has(first)) {
		return nothing
	}
	if !finite {
		if closed && m.event() && (first == "after" || first == "during" || first == "following" || first == "nach") {
			if _, found := m.find(p.From, p.To, scopes...); !found {
				return nothing
			}
		}
		return m.phrases(p.From, p.To)
	}
	if p.From == 0 && closed && invertsClause(first) {
		return all // had he come, …
	}
	if _, found := m.find(p.From, p.To, lexicon.Fiction, lexicon.Announcement, lexicon.Hearsay, lexicon.Report); found && closed && (first == "as" || first == "wie") {
		return all // as the story has it
	}
	if closed && (dependent || p.From > 0 && lexicon.Relative.Has(first)) {
		return nothing // a clause of its own, which ends before the claim
	}
	if _, found := m.find(p.From, p.To, lexicon.Partial); found && last && !closed {
		return all // he talked as though
	}
	if f, found := m.find(p.From, p.To, lexicon.Report, lexicon.Hearsay, lexicon.Doubt, lexicon.Wish, lexicon.Fiction, lexicon.Modal); found {
		if m.opensComplement(f, p, last) {
			return all
		}
	}
	if last && !closed && lexicon.Coordinator.Has(end) && slices.ContainsFunc(words[1:], lexicon.Complementizer.Has) {
		return all // printed that one came and
	}
	if !last || closed || lexicon.Coordinator.Has(end) || lexicon.Subordinator.Has(end) && !isBefore(end) {
		return nothing
	}
	return all // a clause that runs on into the claim governs it: we know that, the board writes:
}

// concedes reports whether words grant what does not matter: even if it rained, wenn er auch alt war.
func concedes(words []string) bool {
	for i, w := range words {
		if w == "wenn" && (i > 0 && words[i-1] == "auch" || slices.Contains(words[i:min(i+4, len(words))], "auch")) || w == "if" && i > 0 && words[i-1] == "even" {
			return true
		}
	}
	return false
}

// isBefore reports whether what follows a word need not have happened: before they came.
func isBefore(w string) bool {
	return w == "before" || w == "until" || w == "till" || w == "bevor" || w == "bis"
}

// opensComplement reports whether a word of saying has its complement open where the claim begins: "said that", "wrote,
// in June,", not "the rumour spread, and".
func (m *match) opensComplement(f finding, p clause.Part, last bool) bool {
	next := f.to
	if next >= p.To {
		return last || next < len(m.s.Words) // the words end with the verb: what follows is what is said
	}
	for i := next; i < p.To; i++ {
		if w := m.s.Words[i]; w == "that" || w == "dass" || w == "daß" || w == "whether" || w == "how" {
			return true
		}
	}
	if f.from > 0 && lexicon.Determiner.Has(m.s.Words[f.from-1]) {
		return false // a noun with a verb of its own: the rumour spread
	}
	if w := m.s.Words[next]; p.From == 0 && lexicon.Relative.Has(m.s.Words[0]) && lexicon.PlacePrep.Has(w) && !lexicon.TimePrep.Has(w) {
		return false // Der Wirt dachte an das Fest, die Magd schlief.
	}
	if m.s.HasFinite(next, p.To) {
		return true
	}
	return last && !lexicon.Coordinator.Has(m.s.Words[p.To-1])
}

// phrases classifies a run of phrases without a verb: openers, addresses, time and place.
func (m *match) phrases(from, to int) finding {
	if f, found := m.find(from, to, scopes...); found {
		return finding{Scope, f.from, to}
	}
	for i := from; i < to; {
		n := m.phrase(i, to)
		if n == 0 {
			return finding{Restriction, i, to}
		}
		i += n
	}
	return nothing
}

// phrase returns how many tokens a phrase that may be left out has; 0 for none.
func (m *match) phrase(i, to int) int {
	words := m.s.Words[:to]
	if n := lexicon.Opener.At(words, i); n > 0 && (i == 0 || m.s.Tokens[i].Gap != " ") {
		return n
	}
	if !m.event() || m.hasQuantifier() {
		return 0
	}
	switch {
	case lexicon.Manner.Has(words[i]), strings.HasSuffix(words[i], "ly") && len(words[i]) > 4 && !lexicon.TimeNoun.Has(words[i]), lexicon.TimeNoun.Has(words[i]), m.s.Tokens[i].Date, lexicon.Weekday.Has(words[i]):
		return 1
	case (words[i] == "early" || words[i] == "late" || words[i] == "shortly" || words[i] == "soon" || words[i] == "just") && i+1 < to && lexicon.TimePrep.Has(words[i+1]):
		if n := m.prepositional(i+1, to); n > 0 {
			return n + 1
		}
		return 0
	case lexicon.Determiner.Has(words[i]) && i+1 < to && (words[i] == "this" || words[i] == "that" || words[i] == "next" || words[i] == "last"):
		if lexicon.TimeNoun.Has(words[i+1]) {
			return 2
		}
		return 0
	case !lexicon.Preposition.Has(words[i]):
		return 0
	}
	return m.prepositional(i, to)
}

// tellsState reports whether the matched clause has a form of "be", so that it may tell a state.
func (m *match) tellsState() bool {
	return slices.ContainsFunc(m.at, func(i int) bool {
		return hasWord(m.s.Words[i:i+1], "was", "were", "war", "waren", "wurde", "wurden")
	})
}

// prepositional returns how many tokens a phrase of time or place has that begins with a preposition: in 1871, at the mill, in York. Its noun is a place, a name or a time: "in mice" and "on Sundays" say of whom and how often, "in the catalogue" who says it.
func (m *match) prepositional(i, to int) int {
	words := m.s.Words
	if !lexicon.Circumstance.Has(words[i]) && words[i] != "within" {
		return 0
	}
	k := i + 1
	determined := strings.HasSuffix(words[i], "m") && words[i] != "from" || words[i] == "zur" || words[i] == "ins" // German: im, am, zum
	for k < to && (lexicon.Determiner.Has(words[k]) || words[k] == "great" || words[k] == "much") {
		determined = true
		k++
	}
	if k >= to {
		return 0
	}
	isSeason := hasWord(words[k:k+1], "spring", "summer", "autumn", "winter", "frühling", "sommer", "herbst")
	if isSeason && (words[i] == "in" || words[i] == "im") && m.tellsState() && (k+1 == to || !m.s.Tokens[k+1].Number) {
		return 0 // was lit in winter: how it was then
	}
	head := k
	for head+1 < to && m.continues(head+1) {
		head++
	}
	t := &m.s.Tokens[head]
	if m.s.Tokens[k].Number && k+1 < to && lexicon.TimeUnit.Has(words[k+1]) && hasWord(words[i:i+1], "in", "within", "after", "nach") {
		return k + 2 - i // in nine days
	}
	when := lexicon.TimePrep.Has(words[i]) && (m.s.Tokens[k].Date || m.s.Tokens[k].Number && len(m.s.Tokens[k].Text) == 4 || lexicon.Month.Has(words[k]) && m.s.Tokens[k].Upper ||
		lexicon.Weekday.Has(words[k]) || lexicon.TimeNoun.Has(words[k]) || m.s.Tokens[k].Number && head == k)
	switch {
	case when, lexicon.PlaceNoun.Has(words[head]) && (head == k || determined) && words[i] != "with" && words[i] != "by":
	case language(m.words, m.s.Raw) == "de" && (words[i] == "bei" || strings.HasSuffix(words[head], "n") || determined): // a noun, whose capital says nothing
		return 0
	case t.Upper && m.s.Tokens[k].Upper && lexicon.PlacePrep.Has(words[i]) && !lexicon.Weekday.Has(strings.TrimSuffix(t.Text, "s")):
	default:
		return 0
	}
	end := head + 1
	if end < to && words[end] == "of" {
		return end - i + m.ofPhrase(end, to)
	}
	return end - i
}

// continues reports whether a token goes on with a phrase: a plain space is before it, and it begins no phrase of its own.
func (m *match) continues(k int) bool {
	w := m.s.Words[k]
	return m.s.Tokens[k].Gap == " " && !slices.Contains(m.at, k) && !lexicon.Preposition.Has(w) && !lexicon.Coordinator.Has(w) && !lexicon.Determiner.Has(w) && !m.s.Finite(k) &&
		!lexicon.Relative.Has(w) && !(lexicon.TimeNoun.Has(w) && w != "night") && !lexicon.Subordinator.Has(w)
}

// ofPhrase returns how many tokens "of" and its noun have.
func (m *match) ofPhrase(k, to int) int {
	n := 1
	for k+n < to && (m.s.Tokens[k+n].Gap == " " && !lexicon.Preposition.Has(m.s.Words[k+n]) && !lexicon.Coordinator.Has(m.s.Words[k+n])) {
		n++
	}
	return n
}

// hasQuantifier reports whether the matched clause has a quantifier, with which nothing may be left out.
func (m *match) hasQuantifier() bool {
	words := m.s.Words[m.at[0] : m.at[len(m.at)-1]+1]
	return lexicon.Quantifier.In(words) != "" || lexicon.Superlative.In(words) != "" ||
		slices.ContainsFunc(words, func(w string) bool { return len(w) > 5 && strings.HasSuffix(w, "est") })
}

// interior classifies the tokens that the claim leaves out between its own words.
func (m *match) interior(g gap) finding {
	words := m.s.Words[g.from:g.to]
	before, after := m.s.Tokens[g.from].Gap, m.s.Tokens[g.to].Gap
	if lexicon.Negation.In(words) != "" {
		return finding{Contradiction, g.from, g.to}
	}
	if f, found := m.find(g.from, g.to, slices.Concat(scopes, turns)...); found {
		if m.sharesSubject(g, f) {
			return nothing
		}
		return finding{Scope, f.from, g.to}
	}
	if strings.ContainsAny(before, "([") {
		return finding{Restriction, g.from, g.to}
	}
	if strings.ContainsAny(before, ",(–—") && strings.ContainsAny(after, ",)–—") {
		switch {
		case lexicon.Relative.Has(words[0]) && m.restricts(g.from):
			return finding{Restriction, g.from, g.to}
		case lexicon.Relative.Has(words[0]):
			return nothing
		case !m.s.HasFinite(g.from, g.to) && lexicon.Determiner.Has(words[0]):
			return nothing
		}
		return m.phrases(g.from, g.to)
	}
	if lexicon.Opener.At(m.s.Words[:g.to], g.from) == len(words) && m.s.Tokens[g.from].Start == 0 {
		return nothing
	}
	if !m.s.HasFinite(m.at[0], g.from) { // the phrase belongs to the subject
		return finding{Restriction, g.from, g.to}
	}
	return m.phrases(g.from, g.to)
}

// sharesSubject reports whether a gap between a subject and its last verb has other verbs of that subject, of which one
// that tells or dreams has all of what it says before the next: she dreamed of fire, woke at four, and found. What is
// said may not follow it, by a conjunction or a clause.
func (m *match) sharesSubject(g gap, f finding) bool {
	told := lexicon.Report.Has(m.s.Words[f.from]) || lexicon.Dream.Has(m.s.Words[f.from]) || lexicon.Fiction.Has(m.s.Words[f.from])
	if !told || !lexicon.Coordinator.Has(m.s.Words[g.to-1]) || !m.s.Finite(g.to) || hasComplement(m.s, f.to) || !m.s.Finite(f.from) && f.from != g.from {
		return false
	}
	for k := f.to; k < g.to; k++ {
		if lexicon.Pronoun.Has(m.s.Words[k]) || m.s.Finite(k) && m.s.Tokens[k].Gap == " " && !lexicon.Coordinator.Has(m.s.Words[k-1]) {
			return false // said he woke
		}
	}
	return true
}
