package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
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

// namesScope reports whether the sentence says whose word it is, or in what case it holds. A verb of wishing does so before what is wished: failed to sell,
// not: the harvest failed.
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
	if g.from == g.to {
		return nothing
	}
	from := m.strongBreak(g)
	if from == g.to {
		return nothing
	}
	if lexicon.Address.At(m.s.Words[:g.to], from) > 0 && strings.ContainsAny(m.s.Tokens[g.to].Gap, ",!") {
		return nothing
	}
	parts := m.s.Parts(from, g.to)
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

// strongBreak returns the token after the last semicolon, after the last "but" that a comma precedes or after the times of a cue, within a gap at
// the beginning: what a scope before it says does not reach the claim.
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
	if last && !closed && len(words) > 2 && lexicon.Coordinator.Has(end) && strings.Contains(m.s.Tokens[p.To-1].Gap, ",") {
		finite = true // a clause with a verb that is not known
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
	if _, found := m.find(p.From, p.To, lexicon.Fiction, lexicon.Announcement, lexicon.Hearsay); found && closed && (first == "as" || first == "wie") {
		return all // as the story has it
	}
	if dependent && closed || lexicon.Relative.Has(first) && closed {
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

// opensComplement reports whether a word of saying has its complement open where the claim begins: "said that", "wrote, in June,", not "the
// rumour spread, and".
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
	head := k
	for head+1 < to && m.continues(head+1) {
		head++
	}
	t := &m.s.Tokens[head]
	if m.s.Tokens[k].Number && k+1 < to && lexicon.TimeUnit.Has(words[k+1]) && (words[i] == "in" || words[i] == "within" || words[i] == "after" || words[i] == "nach") {
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
	return m.s.Tokens[k].Gap == " " && !m.isMatched(k) && !lexicon.Preposition.Has(w) && !lexicon.Coordinator.Has(w) && !lexicon.Determiner.Has(w) && !m.s.Finite(k) &&
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

// isMatched reports whether a token is one of the claim's.
func (m *match) isMatched(k int) bool { return slices.Contains(m.at, k) }

// hasQuantifier reports whether the matched clause has a quantifier, with which nothing may be left out.
func (m *match) hasQuantifier() bool {
	words := m.s.Words[m.at[0] : m.at[len(m.at)-1]+1]
	return lexicon.Quantifier.In(words) != "" || lexicon.Superlative.In(words) != "" ||
		slices.ContainsFunc(words, func(w string) bool { return len(w) > 5 && strings.HasSuffix(w, "est") })
}

// trail classifies the tokens after the claim in its sentence.
func (m *match) trail(g gap) finding {
	parts := m.s.Parts(g.from, g.to)
	own := false // a clause that is joined to the claim has begun, and what restricts is part of it
	for k, p := range parts {
		if strings.ContainsAny(p.Stop, ";:") {
			return m.trailClauses(parts[k:])
		}
		if f := m.trailPart(p, k == 0); f.rule == Scope || f.rule != "" && !own {
			return f
		}
		own = own || lexicon.Coordinator.Has(m.s.Words[p.From]) && p.Stop != ""
	}
	return nothing
}

// trailClauses classifies what a semicolon or a colon divides from the claim, up to the end: clauses of their own, of which each may take the claim back or hold it
// to a case.
func (m *match) trailClauses(parts []clause.Part) finding {
	says := match{c: m.c, s: m.c}
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && !strings.ContainsAny(parts[n].Stop, ";:") {
			n++
		}
		whole := clause.Part{From: parts[0].From, To: parts[n-1].To, Stop: parts[0].Stop}
		all := finding{Scope, whole.From, whole.To}
		if _, found := m.find(whole.From, parts[0].To, turns...); found && m.refersBack(parts[0]) {
			return all
		}
		if !says.isScoped() && takesBack(m.rawOf(whole.From, whole.To), m.s.Raw) {
			return all
		}
		if f := m.limit(parts[0]); f.rule != "" {
			return f
		}
		clause := m.s.HasFinite(whole.From, whole.To) && (whole.Stop != ":" || m.event()) // not: on Sundays, in winter
		for _, p := range parts[1:n] {
			if f := m.trailPart(p, false); f.rule != "" && !clause && !m.counts(parts[0].From) {
				return f
			}
		}
		if m.excepts(whole) {
			return finding{Restriction, whole.From, whole.To}
		}
		last := parts[n-1]
		if _, found := m.find(last.From, last.To, lexicon.Report); n > 1 && found && m.s.Words[last.From] == "so" || lexicon.InView.At(m.s.Words, last.From) > 0 {
			return finding{Scope, last.From, last.To} // so the prisoners swore
		}
		parts = parts[n:]
	}
	return nothing
}

// counts reports whether a list of things begins at a token: three folders, two rolls and an atlas.
func (m *match) counts(i int) bool {
	return m.s.Tokens[i].Number || lexicon.Determiner.Has(m.s.Words[i]) && !m.s.HasFinite(i, len(m.s.Tokens))
}

// excepts reports whether a clause after the claim says of what or when the state, habit or rule that the claim tells does not hold: with wet samples it fails.
func (m *match) excepts(p clause.Part) bool {
	if m.event() {
		return false
	}
	words := m.s.Words[p.From:p.To]
	denies := lexicon.Negation.In(words) != "" || lexicon.ImplicitNegation.In(words) != ""
	if !denies {
		return false
	}
	claimed := stemsOf(m.c)
	for k := p.From; k < p.To; k++ {
		if w := m.s.Words[k]; lexicon.ThirdPerson.Has(w) && lexicon.Pronoun.Has(w) || m.s.Tokens[k].Content() && claimed[segment.Stem(w)] && m.isVerb(k) {
			return true
		}
	}
	return false
}

// isVerb reports whether the token before one is a noun, a name or a pronoun, and no preposition or article.
func (m *match) isVerb(k int) bool {
	w := m.s.Words[k-1]
	return !lexicon.Determiner.Has(w) && !lexicon.Preposition.Has(w) && !m.s.Tokens[k-1].Number
}

// trailPart classifies a part after the claim: one that continues its clause, or one that a comma, a semicolon or a bracket opens.
func (m *match) trailPart(p clause.Part, continues bool) finding {
	words := m.s.Words[p.From:p.To]
	first := words[0]
	all := finding{Scope, p.From, p.To}
	if _, found := m.find(p.From, p.To, turns...); found && m.refersBack(p) {
		return all
	}
	if strings.ContainsAny(p.Stop, "([") {
		if _, found := m.find(p.From, p.To, slices.Concat(scopes, turns)...); found {
			return all
		}
		return finding{Restriction, p.From, p.To}
	}
	divided := strings.ContainsAny(p.Stop, "–—")
	says := match{c: m.c, s: m.c}
	if (divided || lexicon.Coordinator.Has(first) && p.Stop != "") && !says.isScoped() && takesBack(m.rawOf(p.From, p.To), m.s.Raw) {
		return all
	}
	if n := lexicon.Condition.At(m.s.Words[:p.To], p.From); n > 0 && !concedes(words) {
		return all
	}
	if _, found := m.find(p.From, p.To, lexicon.Report); found && first == "so" && len(words) <= 6 {
		return all // so the prisoners swore
	}
	if lexicon.Coordinator.Has(first) && first != "or" && first != "oder" && first != "nor" {
		if m.s.HasFinite(p.From, p.To) || m.s.Presents(p.From+1, p.To) || first == "denn" && p.Stop != "" || (first == "and" || first == "und") && m.goesOn(p.From+1, p.To) {
			return nothing
		}
		return finding{Restriction, p.From, p.To}
	}
	if _, found := m.find(p.From, p.To, scopes...); !found && p.Stop != "" && (m.bearsOut(p) || m.joins(p)) {
		return nothing
	}
	if n := lexicon.Subordinator.At(m.s.Words[:p.To], p.From); n > 0 && m.s.HasFinite(p.From, p.To) {
		if m.event() || first == "because" || first == "since" || first == "although" || first == "though" || first == "whereas" || first == "while" && p.Stop != "" || first == "weil" || first == "während" && p.Stop != "" || first == "obwohl" || first == "da" {
			return nothing
		}
		return all
	}
	if p.Stop != "" && lexicon.Relative.Has(first) && first != "that" && !m.lacksVerb(p) {
		if _, found := m.find(p.From, p.To, lexicon.Doubt, lexicon.Hearsay); found {
			return all
		}
		if m.restricts(p.From) {
			return finding{Restriction, p.From, p.To}
		}
		return nothing
	}
	if f, found := m.find(p.From, p.To, scopes...); found {
		return finding{Scope, f.from, p.To}
	}
	if p.Stop != "" && !m.s.HasFinite(p.From, p.To) && lexicon.Determiner.Has(first) && !lexicon.Quantifier.Has(first) {
		return nothing // another name of the thing before it: a town in Kent
	}
	if p.Stop == "" && !continues {
		return nothing
	}
	if (first == "after" || first == "following" || first == "nach") && m.event() && !m.hasQuantifier() && !m.s.HasFinite(p.From, p.To) {
		return nothing
	}
	if n := m.phrase(p.From, p.To); n > 0 {
		if p.From+n == p.To {
			return nothing
		}
		return m.trailPart(clause.Part{From: p.From + n, To: p.To}, true)
	}
	return finding{Restriction, p.From, p.To}
}

// goesOn reports whether a token after "and" is a verb in the present with an object or a place after it: and hires a third, und mietet im Sommer eines.
func (m *match) goesOn(i, to int) bool {
	if i+1 >= to {
		return false
	}
	w, next := m.s.Words[i], m.s.Words[i+1]
	ends := strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "t")
	return ends && len(w) > 3 && !m.s.Tokens[i].Upper && !lexicon.Function.Has(w) && (lexicon.Determiner.Has(next) || m.s.Tokens[i+1].Number || strings.HasSuffix(w, "t") && lexicon.Preposition.Has(next))
}

// bearsOut reports whether a part says what shows that the claim is so: as the books show, wie die Bücher zeigen.
func (m *match) bearsOut(p clause.Part) bool {
	first := m.s.Words[p.From]
	return (first == "as" || first == "wie") && p.To > p.From+2 && lexicon.Vouching.In(m.s.Words[p.From:p.To]) != ""
}

// joins reports whether a part is a clause of its own that only a comma divides from the claim, and that says what is: the roof is of straw, sie hat zwölf
// Register. It may repeat the claim's verb. A verb of saying, which may be any other one, has what is said before it: the foreman explained.
func (m *match) joins(p clause.Part) bool {
	first := &m.s.Tokens[p.From]
	if first.Text == "for" {
		return m.s.HasFinite(p.From, p.To)
	}
	if first.Text == "was" && p.To > p.From+2 {
		return true // what angered the dealers
	}
	if !lexicon.Determiner.Has(first.Text) && !lexicon.Pronoun.Has(first.Text) && !isName(m.s, p.From) && !first.Upper {
		return false
	}
	claimed := stemsOf(m.c)
	for k := p.From + 1; k < p.To-1; k++ {
		w := m.s.Words[k]
		if lexicon.Auxiliary.Has(w) && !m.s.Finite(p.To-1) && !strings.HasSuffix(m.s.Words[p.To-1], "t") || m.s.Tokens[k].Content() && !m.s.Tokens[k].Upper && claimed[segment.Stem(w)] {
			return true
		}
	}
	return false
}

// lacksVerb reports whether a German part that begins as a relative clause does ends in a noun: die Kirche dagegen am Fluss.
func (m *match) lacksVerb(p clause.Part) bool {
	return language(m.words, m.s.Raw) == "de" && m.s.Tokens[p.To-1].Upper
}

// limit classifies a part that a semicolon or a colon divides from the claim: a condition that governs no clause of its own, or words without a verb that
// begin by a limit, hold the claim to a case: only in March, unless it froze. A clause of its own leaves the claim as it is.
func (m *match) limit(p clause.Part) finding {
	words, from := m.s.Words[:p.To], p.From
	for from < p.To-1 && (lexicon.Coordinator.Has(words[from]) || words[from] == "jedoch") {
		from++
	}
	if max(lexicon.Condition.At(words, from), lexicon.Proviso.At(words, from)) > 0 && words[from] != "once" && words[from] != "otherwise" && !m.s.HasFinite(p.To, len(m.s.Tokens)) {
		return finding{Scope, p.From, p.To}
	}
	opens := max(lexicon.Only.At(words, from), lexicon.Exception.At(words, from), lexicon.Exception.At(words, p.From), lexicon.Negation.At(words, from))
	if lexicon.Exception.At(words, p.To-1) > 0 || opens > 0 && !m.s.HasFinite(from, p.To) { // students excepted; only in March
		return finding{Restriction, p.From, p.To}
	}
	return nothing
}

// restricts reports whether a relative clause that begins at a token says which things are meant. A comma in German does not say that it adds only:
// it adds where its noun is a name or has a definite article.
func (m *match) restricts(at int) bool {
	if language(m.words, m.s.Raw) != "de" || at < 1 {
		return false
	}
	if m.hasQuantifier() {
		return true
	}
	for k := at - 2; k >= max(0, at-4); k-- {
		if w := m.s.Words[k]; lexicon.Determiner.Has(w) {
			return strings.HasPrefix(w, "ein")
		}
	}
	return !m.event()
}

// refersBack reports whether a part speaks of what was said: this is false, which he denied, he withdrew it.
func (m *match) refersBack(p clause.Part) bool {
	for _, w := range m.s.Words[p.From:p.To] {
		switch w {
		case "this", "that", "which", "it", "these", "all", "so", "none", "das", "dies", "was", "es":
			return true
		}
	}
	return strings.ContainsAny(p.Stop, "([")
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
	if len(words) == 1 && (words[0] == "that" || words[0] == "also" || words[0] == "then") {
		return nothing
	}
	if lexicon.Opener.At(m.s.Words[:g.to], g.from) == len(words) && m.s.Tokens[g.from].Start == 0 {
		return nothing
	}
	if !m.verbBefore(g.from) {
		return finding{Restriction, g.from, g.to}
	}
	return m.phrases(g.from, g.to)
}

// sharesSubject reports whether a gap between a subject and its last verb has other verbs of that subject, of which one that tells or dreams has all of what
// it says before the next: she dreamed of fire, woke at four, and found. What is said may not follow it, by a conjunction or a clause.
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

// verbBefore reports whether the matched clause has its finite verb before a token, so that a phrase there belongs to what happened and not to
// the subject.
func (m *match) verbBefore(i int) bool { return m.s.HasFinite(m.at[0], i) }
