package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// maxComment is how many words a sentence has at most that only says something of the one before it.
const maxComment = 25

// A backward sentence is read for what it says of the statement before it.
type backward struct {
	clause.Sentence
}

// takesBack reports whether a sentence says of the one before that it is not so, not proved, invented, or only
// somebody's word. It does so where it refers to that statement, by a demonstrative, by it or by a noun such as story,
// as what is said to be untrue or as the object of a verb of denying; where it is a bare denial; or where it opens as a
// correction. A sentence about something else takes nothing back, whatever words it has.
func takesBack(text, before string) bool {
	s := backward{clause.Parse(text)}
	if len(s.Words) == 0 || strings.HasSuffix(strings.TrimSpace(text), ":") { // it leads to what comes after it
		return false
	}
	first := s.Words[:1]
	limits := lexicon.Only.At(s.Words, 0) > 0 && !hasWord(first, "but", "all", "alles", "just") && len(s.Words) <= maxFragment
	if hasWord(first, "or", "oder") || limits && s.Tail != "" && !s.HasFinite(0, len(s.Words)) {
		return true // or so one hoped; at any rate in the film
	}
	limited := s.limitsBefore()
	for n := s.opener(); n > 0 && n < len(s.Words); n = s.opener() {
		s.Tokens, s.Words = s.Tokens[n:], s.Words[n:]
	}
	limited = limited || s.limitsBefore()
	if s.Asks() || len(s.Words) > maxComment && !limited {
		return false
	}
	said := clause.Parse(before)
	if limited || s.namesStatement(&said) || s.Tail != "" && !strings.HasPrefix(s.Tail, ",") && s.isFragment() || s.isDenial() || s.disputes() || s.corrects(before) || s.ownsError(before) || s.holdsToCase() {
		return true
	}
	return s.judgesAnaphor()
}

// judgesAnaphor reports whether a sentence says of what it only refers to that it is not so: This was a jest. I made it up.
func (s *backward) judgesAnaphor() bool {
	for i := range s.Words {
		n, weak := s.anaphor(i)
		if n > 0 && (s.judgesSubject(i, n, weak) || s.judgesObject(i, n, weak)) {
			return true
		}
	}
	return false
}

// maxFragment is how many words without a verb only say something of the sentence before: a longer run of them is an item of a list.
const maxFragment = 8

// isFragment reports whether the sentence has no verb, and names nothing, denies, cries out or is in brackets: Humbug! As if. Far from it. (Wrong: see the deed.)
func (s *backward) isFragment() bool {
	if len(s.Words) > maxFragment || s.opener() == len(s.Words) || slices.ContainsFunc(s.Tokens, func(t clause.Token) bool { return t.Number || t.Date }) {
		return false
	}
	bracketed := strings.ContainsAny(s.Tokens[0].Gap, "([")
	if s.HasFinite(0, len(s.Words)) && !(bracketed && s.Finite(0)) {
		return false
	}
	named := slices.ContainsFunc(s.Tokens[1:], clause.Token.Content)
	return bracketed || !named || lexicon.Negation.Has(s.Words[0]) && !lexicon.Quantifier.Has(s.Words[0]) && !(len(s.Words) > 3 && s.Words[1] == "so" && s.opensSubject(2)) || strings.Contains(s.Tail, "!")
}

// holdsToCase reports whether the sentence says of the statement before that it is so in one case: this is so only in winter.
func (s *backward) holdsToCase() bool {
	n, weak := s.anaphor(0)
	if n == 0 || weak || n >= len(s.Words) {
		return false
	}
	return !hasWord(s.Words[:1], "so", "such", "thus") && slices.ContainsFunc(s.Words[n:s.clauseTo(n)], limits)
}

// opener returns how many words open the sentence and say nothing: but, alas, at least.
func (s *backward) opener() int {
	if len(s.Words) == 0 || s.Words[0] == "so" || s.Words[0] == "thus" || lexicon.Anaphor.At(s.Words, 0) > 1 {
		return 0
	}
	return max(lexicon.Coordinator.At(s.Words, 0), lexicon.Opener.At(s.Words, 0), lexicon.Only.At(s.Words, 0))
}

// isDenial reports whether the sentence is a denial without a subject of its own: Not so. No: it was let. We later learned otherwise.
func (s *backward) isDenial() bool {
	first := s.Words[0]
	if (first == "no" || first == "nein") && len(s.Words) > 1 && strings.ContainsAny(s.Tokens[1].Gap, ",:;") {
		return true
	}
	if n := lexicon.TakenBack.Denial.At(s.Words, 0); n > 0 && n >= len(s.Words)-2 {
		return true
	}
	revoked := lexicon.Revocation.Has(first) || lexicon.Refusal.Has(first) || lexicon.Retraction.Has(first)
	if revoked && len(s.Words) <= maxFragment && !s.HasFinite(1, len(s.Words)) && (len(s.Words) == 1 || !s.Tokens[1].Content()) {
		return true // withdrawn before the vote
	}
	const short = 10 // words of a sentence that is about nothing else
	return len(s.Words) <= short && lexicon.TakenBack.Otherwise.In(s.Words) != ""
}

// disputes reports whether a short sentence ends in a verb of denying without an object, in what was not proved or believed, or in a negated
// auxiliary that repeats the verb before: The coroner disagrees. The experts were not convinced. The judges ruled that it had not.
func (s *backward) disputes() bool {
	const short = 8
	n := len(s.Words)
	if n < 2 || n > short {
		return false
	}
	last := s.Words[n-1]
	that := slices.IndexFunc(s.Words, opensThat)
	return (lexicon.Retraction.Has(last) || hasWord(s.Words[n-1:], "disagree", "disagrees", "disagreed")) && !slices.ContainsFunc(s.Words, isBe) || lexicon.Negation.Has(last) && that > 0 && that == n-4 && lexicon.Pronoun.Has(s.Words[n-3]) && lexicon.Auxiliary.Has(s.Words[n-2]) ||
		hasWord(s.Words[n-1:], "convinced", "persuaded", "überzeugt") && lexicon.Negation.In(s.Words) != ""
}

// corrects reports whether the sentence opens as a correction: Correction: …; For vicar read rector. "In truth"
// corrects where a negation follows, or a word of what was said.
func (s *backward) corrects(before string) bool {
	if n := lexicon.TakenBack.Reflection.At(s.Words, 0); n > 0 { // on reflection it was only smoke; I now know that it was boys
		for n < len(s.Words)-1 && opensThat(s.Words[n]) && !lexicon.Auxiliary.Has(s.Words[n+1]) {
			n++
		}
		return n < len(s.Words)-1 && (lexicon.Anaphor.Has(s.Words[n]) || hasWord(s.Words[n:n+1], "it", "es")) && lexicon.Auxiliary.Has(s.Words[n+1]) && (lexicon.Negation.In(s.Words) != "" || !s.repeats(0, before))
	}
	if lexicon.TakenBack.Correction.At(s.Words, 0) > 0 { // one that tells what was said, as of another thing, corrects that
		that := slices.IndexFunc(s.Words, opensThat)
		return that < 0 || s.repeats(that, before)
	}
	if s.Words[0] == "for" && len(s.Words) <= 6 && slices.Contains(s.Words, "read") {
		return true
	}
	n := lexicon.TakenBack.Truth.At(s.Words, 0)
	return n > 0 && (slices.ContainsFunc(s.Words[n:], lexicon.Negation.Has) || s.repeats(n, before))
}

// ownsError reports whether the writer says in a few words, or of something in the statement before, that he erred: I was mistaken about this. Mit der Glocke habe ich mich geirrt.
func (s *backward) ownsError(before string) bool {
	const few = 8
	at := slices.IndexFunc(s.Words, lexicon.TakenBack.Error.Has)
	return at >= 0 && (len(s.Words) <= few || len(s.Words) <= maxComment && s.repeats(0, before)) && slices.ContainsFunc(s.Words, lexicon.Singular.Has) && !hasComplement(&s.Sentence, at)
}

// repeats reports whether the sentence has, from a token on, a content word of another one.
func (s *backward) repeats(from int, before string) bool {
	said := clause.Parse(before)
	return names(s.Tokens[from:], &said)
}

// ends reports whether a phrase ends before a token: no complement follows that says what the statement is.
func (s *backward) ends(i int) bool {
	return i >= len(s.Words) || !lexicon.Preposition.Has(s.Words[i]) && !hasComplement(&clause.Sentence{Words: s.Words[i:min(i+1, len(s.Words))]}, 0)
}

// anaphor returns how many words at a token refer to the statement before, 0 for none: this, none of it, that story.
// weak says that they may as well mean a thing.
func (s *backward) anaphor(i int) (n int, weak bool) {
	w := s.Words[i]
	if i > 0 && lexicon.Relative.Has(w) && strings.Contains(s.Tokens[i].Gap, ",") && w != "das" {
		return 0, false
	}
	switch {
	case i+1 < len(s.Words) && (w == "so" && i > 0 || lexicon.TimeNoun.Has(s.Words[i+1]) || w == "that" && s.opensSubject(i+1)):
		return 0, false // so vexed, this day, that he
	case w == "it" || w == "es":
		return 1, true
	case lexicon.Determiner.Has(w) && i+1 < len(s.Words) && lexicon.TakenBack.Statement.Has(s.Words[i+1]) && s.ends(i+2):
		return 2, false
	}
	n = lexicon.Anaphor.At(s.Words, i)
	if n == 0 {
		return 0, false
	}
	if next := i + n; next < len(s.Words) && s.Tokens[next].Content() && !s.Finite(next) && !strings.ContainsAny(s.Tokens[next].Gap, ",;:") &&
		!(w == "this" && strings.HasSuffix(s.Words[next], "s")) && !lexicon.TakenBack.Particle.Has(s.Words[next]) && lexicon.Determiner.Has(w) && (s.Tokens[next].Upper || w != "das" && w != "dies") {
		return 0, false // this warning
	}
	return n, false
}

// opensSubject reports whether a token is a pronoun, an article or a name.
func (s *backward) opensSubject(i int) bool {
	return lexicon.Pronoun.Has(s.Words[i]) || lexicon.Determiner.Has(s.Words[i]) || s.Tokens[i].Upper
}

// opensReport reports whether the subject or the verb of a clause is at a token, after so or thus: so the clerk says, so runs the tale, so at least I read.
func (s *backward) opensReport(i int) bool {
	return i < len(s.Words) && (s.opensSubject(i) || s.Finite(i) || lexicon.Tells.Has(s.Words[i]) || lexicon.Only.At(s.Words, i) > 0)
}

// clauseFrom returns the first token of the part that ends before a token: after a comma, a semicolon or a dash.
func (s *backward) clauseFrom(i int) int {
	for i > 0 && !strings.ContainsAny(s.Tokens[i].Gap, ",;:–—") {
		i--
	}
	return i
}

// clauseTo returns the token after the part that goes on at a token.
func (s *backward) clauseTo(i int) int {
	for i < len(s.Words) && !strings.ContainsAny(s.Tokens[i].Gap, ",;:–—") {
		i++
	}
	return i
}

// judgesSubject reports whether the sentence says of the reference that begins at a token that it is untrue, unproved
// or invented. It is the subject, or the object before its verb: All this I only imagined.
func (s *backward) judgesSubject(i, n int, weak bool) bool {
	if i > 0 && !opensThat(s.Words[i-1]) && !strings.ContainsAny(s.Tokens[i].Gap, ",;:–—") && !(i == 1 && !s.Tokens[0].Content()) && !s.Finite(i-1) {
		return false
	}
	from := i + n
	to := from
	for to < len(s.Words) && !(lexicon.QuestionWord.Has(s.Words[to]) && !lexicon.Auxiliary.Has(s.Words[to])) && !(lexicon.Relative.Has(s.Words[to]) && strings.Contains(s.Tokens[to].Gap, ",")) {
		to++
	}
	denied := lexicon.Negation.In(s.Words[i:to]) != "" || lexicon.Negation.In(s.Words[s.clauseFrom(i):i]) != ""
	for k := from; k < len(s.Words) && k <= to; k++ {
		switch {
		case denied && lexicon.Proof.At(s.Words, k) > 0 && (s.Words[k] != "so" || k+1 == len(s.Words)):
			return !weak || !hasComplement(&s.Sentence, k)
		case k == to:
		case k == from && (s.Words[k] == "lies" || s.Words[k] == "lie"): // beside it lies a field
			return false
		case lexicon.Falsehood.At(s.Words, k) > 0, lexicon.Invention.Has(s.Words[k]):
			return !weak || !hasComplement(&s.Sentence, k)
		case lexicon.Retraction.Has(s.Words[k]), !weak && lexicon.Revocation.Has(s.Words[k]):
			return slices.ContainsFunc(s.Words[from:k], lexicon.Auxiliary.Has) // this was denied
		}
	}
	return s.namesSpeaker(i, from, weak)
}

// namesSpeaker reports whether the sentence says of the reference whose word it is: such was the tale, that is what we
// believed, so the Gazette told its readers. One that goes on with a clause of its own says it of that; what the writer
// himself said or wrote is his word.
func (s *backward) namesSpeaker(i, from int, weak bool) bool {
	if from >= len(s.Words) {
		return false
	}
	m := match{c: &s.Sentence, s: &s.Sentence}
	if w := s.Words[i]; w == "so" || w == "thus" {
		if !s.opensReport(from) {
			return false // so home
		}
		f, found := m.find(from, len(s.Words), lexicon.Announcement, lexicon.Report, lexicon.Hearsay, lexicon.Fiction, lexicon.Tells, lexicon.Dream)
		const near = 6 // words between so and its verb
		return found && i == 0 && f.from <= from+near && !hasComplement(&s.Sentence, f.to)
	}
	if lexicon.Report.Has(s.Words[from]) && !s.Tokens[from].Upper && !weak && from+1 < len(s.Words) && !slices.ContainsFunc(s.Words[from:], lexicon.FirstPerson.Has) && (lexicon.Determiner.Has(s.Words[from+1]) || s.Tokens[from+1].Upper) && !hasComplement(&s.Sentence, from) {
		return true // dies behauptet der Prospekt
	}
	be := from
	for be < min(len(s.Words), from+3) && !lexicon.Auxiliary.Has(s.Words[be]) {
		be++
	}
	if be == len(s.Words) || !lexicon.Auxiliary.Has(s.Words[be]) {
		return false
	}
	next := be + 1
	for next < len(s.Words) && (lexicon.Opener.Has(s.Words[next]) || lexicon.Only.Has(s.Words[next])) {
		next++
	}
	if next == len(s.Words) {
		return false
	}
	if q := s.Words[next]; q == "what" || q == "as" || q == "was" || q == "wie" || q == "how" {
		f, found := m.find(next+1, len(s.Words), lexicon.Report, lexicon.Hearsay, lexicon.Tells)
		return found && !weak && !(lexicon.Attribution.Has(s.Words[f.from]) && slices.ContainsFunc(s.Words[next:f.from], lexicon.FirstPerson.Has))
	}
	return s.isTale(next, weak)
}

// isTale reports whether what the reference is called is a tale, a dream or somebody's promise: its noun ends the
// sentence, or what follows says who told it.
func (s *backward) isTale(at int, weak bool) bool {
	for k := at; k < len(s.Words); k++ {
		if lexicon.Preposition.Has(s.Words[k]) {
			return false
		}
		held := k > 0 && lexicon.Determiner.Has(s.Words[k-1]) && (lexicon.Standpoint.Has(s.Words[k]) || lexicon.Report.Has(s.Words[k]))
		tale := held || lexicon.Fiction.At(s.Words, k) > 0 || lexicon.Dream.Has(s.Words[k]) || lexicon.Announcement.Has(s.Words[k]) || lexicon.Hearsay.At(s.Words, k) > 0
		if !tale {
			continue
		}
		if k > at+1 && (strings.HasPrefix(s.Words[at], "ein") || s.Words[at] == "a" || s.Words[at] == "an") {
			return false // a long story
		}
		next := k + 1
		if next == len(s.Words) {
			return true
		}
		of := s.Words[next] == "of" && (held || lexicon.Announcement.Has(s.Words[k]))
		return !weak && (of || !lexicon.Preposition.Has(s.Words[next]))
	}
	return false
}

// reach is how many words before its object a verb may be: denied under oath that.
const reach = 5

// judgesObject reports whether the reference is the object of a verb of denying, inventing or taking back, or, with a
// negation, of proving, believing or doing: I made that up. Nobody could confirm it. He did nothing of the sort.
func (s *backward) judgesObject(i, n int, weak bool) bool {
	end := i + n
	near := s.Words[max(0, i-reach):i]
	if w := s.Words[i]; i == 0 || w == "so" || w == "such" || w == "thus" || end < len(s.Words) && opensThat(s.Words[end]) {
		return false
	}
	if lexicon.TakenBack.Takes.In(near) != "" && end < len(s.Words) && lexicon.TakenBack.Particle.Has(s.Words[end]) {
		return true // made that up, nehme das zurück
	}
	for _, w := range near {
		if lexicon.Retraction.Has(w) || w == "doubt" && s.clauseTo(end) == end || lexicon.Invention.Has(w) || !weak && (lexicon.Falsehood.Has(w) || lexicon.Revocation.Has(w)) {
			return true
		}
	}
	rest := s.Words[end:min(s.clauseTo(end), end+reach)] // the verb of a German perfect is last: konnte es nicht beweisen
	verbs := slices.Concat(near, s.Words[i:end], rest)
	does := !weak && slices.ContainsFunc(verbs, lexicon.TakenBack.Does.Has) || lexicon.TakenBack.Does.Has(s.Words[i-1]) || slices.ContainsFunc(rest, lexicon.TakenBack.Does.Has) && slices.ContainsFunc(near, lexicon.Auxiliary.Has)
	return lexicon.Negation.In(verbs) != "" && (does || lexicon.Proof.In(near) != "" || lexicon.Proof.In(rest) != "")
}
