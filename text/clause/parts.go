package clause

import (
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Part is a run of tokens that punctuation or a connecting word divides from the next.
type Part struct {
	From, To int    // tokens
	Stop     string // punctuation before it, without spaces; "" for none
}

// Parts divides the tokens from one to before another at commas, semicolons, colons, dashes and brackets.
func (s *Sentence) Parts(from, to int) []Part {
	var out []Part
	for i := from; i < to; i++ {
		stop := stopOf(s.Tokens[i].Gap)
		if i == from || stop != "" {
			if n := len(out); n > 0 {
				out[n-1].To = i
			}
			out = append(out, Part{From: i, Stop: stop})
		}
	}
	if n := len(out); n > 0 {
		out[n-1].To = to
	}
	return out
}

// stopOf returns the punctuation of a gap that divides; quotation marks and apostrophes do not.
func stopOf(gap string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(",;:()[]{}–—", r) {
			return r
		}
		return -1
	}, gap)
}

// Finite reports whether a token can only, or mostly, be a verb with a tense.
func (s *Sentence) Finite(i int) bool {
	if i < 0 || i >= len(s.Words) {
		return false
	}
	w := s.Words[i]
	if i > 0 && s.Tokens[i].Upper && lexicon.Modal.Has(w) {
		return false // May and Mr. Will are no modals
	}
	if w == "am" && !slices.Contains(s.Words[max(0, i-1):min(len(s.Words), i+2)], "i") {
		return false // am Markt
	}
	if lexicon.Auxiliary.Has(w) || lexicon.Modal.Has(w) || lexicon.Past.Has(w) {
		return w != "been" && w != "being" && w != "having" && w != "be"
	}
	return segment.FiniteVerb(w) || germanPast(w) && !s.Tokens[i].Upper
}

// germanPast reports whether a word has the ending of a German past tense, or is the plural of a strong one or that with a prefix: lasen, abriet.
func germanPast(w string) bool {
	if len(w) < 5 || lexicon.Function.Has(w) {
		return false
	}
	if strings.HasSuffix(w, "te") || strings.HasSuffix(w, "ten") {
		return true
	}
	stem := strings.TrimSuffix(w, "en")
	for at := range stem {
		if (at == 0 || lexicon.VerbPrefix.Has(stem[:at])) && lexicon.Past.Has(stem[at:]) {
			return !lexicon.NoPast.Has(w)
		}
	}
	return false
}

// HasFinite reports whether the tokens from one to before another hold a finite verb.
func (s *Sentence) HasFinite(from, to int) bool {
	for i := from; i < to; i++ {
		if s.Finite(i) {
			return true
		}
	}
	return false
}

// Event reports whether the clause of the tokens tells one event of the past: it has a past form that is no state, or a
// passive, no modal, no negation, no word of habit, and no clause that says what somebody said or wants.
func (s *Sentence) Event(from, to int) bool {
	words := s.Words[from:to]
	if lexicon.Habit.In(words) != "" || lexicon.Modal.In(words) != "" || lexicon.Negation.In(words) != "" || lexicon.Quantifier.In(words) != "" {
		return false
	}
	for i := from; i < to; i++ {
		w := s.Words[i]
		if i > from && s.complement(i, to) {
			return false
		}
		switch {
		case lexicon.Stative.Has(w) && !(isBe(w) && s.participleAfter(i, to)):
			if lexicon.Auxiliary.Has(w) || lexicon.Past.Has(w) || strings.HasSuffix(w, "ed") {
				return false
			}
		case isBe(w):
			return isPastBe(w)
		case lexicon.Past.Has(w), segment.FiniteVerb(w) && !lexicon.Auxiliary.Has(w), germanPast(w) && !s.Tokens[i].Upper:
			return true
		}
	}
	return false
}

// complement reports whether a clause that a verb has for its object begins at a token: that the gates stay shut, dass er kam.
func (s *Sentence) complement(i, to int) bool {
	if s.Words[i] == "dass" || s.Words[i] == "daß" {
		return true
	}
	if s.Words[i] != "that" || i+2 >= to || lexicon.Determiner.Has(s.Words[i-1]) || lexicon.Preposition.Has(s.Words[i-1]) {
		return false
	}
	next := s.Words[i+1]
	return lexicon.Determiner.Has(next) || lexicon.Pronoun.Has(next) || s.Tokens[i+1].Upper
}

func isBe(w string) bool {
	return slices.Contains([]string{"was", "were", "is", "are", "wurde", "wurden", "war", "waren", "ist", "sind"}, w)
}

func isPastBe(w string) bool { return w != "is" && w != "are" && w != "ist" && w != "sind" }

// participleAfter reports whether a participle follows a form of be within three words, or ends the clause in German.
func (s *Sentence) participleAfter(i, to int) bool {
	for k := i + 1; k < to; k++ {
		w := s.Words[k]
		near := k <= i+3
		if near && (len(w) > 4 && strings.HasSuffix(w, "ed") || lexicon.Past.Has(w) || strings.HasSuffix(w, "wn") || strings.HasSuffix(w, "ken") || strings.HasSuffix(w, "ten")) {
			return true
		}
		if strings.HasPrefix(w, "ge") && (strings.HasSuffix(w, "t") || strings.HasSuffix(w, "en")) {
			return true
		}
	}
	return false
}

// Asks reports whether a sentence is a question.
func (s *Sentence) Asks() bool { return strings.Contains(s.Tail, "?") }

// Commands reports whether a sentence begins with the verb of a command and states nothing.
func (s *Sentence) Commands() bool {
	if len(s.Tokens) == 0 {
		return false
	}
	to := 1 // what is to be told has a verb of its own
	for to < len(s.Words) && !(to > 1 && s.complement(to, len(s.Words))) {
		to++
	}
	return lexicon.Imperative.Has(s.Words[0]) && !s.HasFinite(1, to) && (len(s.Words) < 2 || !lexicon.Auxiliary.Has(s.Words[1]))
}

// Clauses divides a sentence at coordinators and semicolons where each side has a subject and a verb of its own; the
// coordinator belongs to none. A sentence that cannot be divided with certainty is one clause.
func (s *Sentence) Clauses() []Part {
	var out []Part
	cur := Part{}
	for i := 1; i < len(s.Tokens)-1; i++ {
		stop := stopOf(s.Tokens[i].Gap)
		from := i
		switch {
		case strings.Contains(stop, ";"):
		case lexicon.Coordinator.Has(s.Words[i]) && s.Words[i] != "or" && s.Words[i] != "oder" && s.Words[i] != "nor":
			from = i + 1
		default:
			continue
		}
		if !s.opensClause(from) || !s.HasFinite(cur.From, i) || !s.HasFinite(from, len(s.Tokens)) {
			continue
		}
		cur.To = i
		out = append(out, cur)
		cur = Part{From: from, Stop: stop}
	}
	cur.To = len(s.Tokens)
	return append(out, cur)
}

// opensClause reports whether the token can begin a subject: a pronoun, a determiner, a name or a number.
func (s *Sentence) opensClause(i int) bool {
	t := &s.Tokens[i]
	return lexicon.Pronoun.Has(t.Text) || lexicon.Determiner.Has(t.Text) || t.Upper || t.Number || lexicon.Quantifier.Has(t.Text)
}

// DateLast returns the sentence with a date or year that opens it, with its preposition, moved to its end: in 1912 the mine closed, the mine closed in
// 1912.
func (s *Sentence) DateLast() Sentence {
	n := 0
	if len(s.Tokens) > 0 && lexicon.TimePrep.Has(s.Words[0]) {
		n = 1
	}
	if n >= len(s.Tokens)-1 || !s.Tokens[n].Date && !(s.Tokens[n].Number && len(s.Tokens[n].Text) == 4) {
		return *s
	}
	n++
	out := *s
	out.Tokens = append(slices.Clone(s.Tokens[n:]), s.Tokens[:n]...)
	out.Words = append(slices.Clone(s.Words[n:]), s.Words[:n]...)
	return out
}

// SubjectFirst returns a German sentence that begins with a time, a place or an adverb in the order of a claim: im Mai
// verkaufte der Müller das Wehr, der Müller verkaufte im Mai das Wehr. The claim says which words are the subject:
// those before its verb. ok is false where the sentence has another order; one that begins with its object is not read,
// as the object may be a subject.
func (s *Sentence) SubjectFirst(claim *Sentence) (out Sentence, ok bool) {
	if len(s.Words) == 0 || !lexicon.Preposition.Has(s.Words[0]) && !lexicon.TimeNoun.Has(s.Words[0]) && lexicon.Opener.At(s.Words, 0) == 0 && !lexicon.Weekday.Has(strings.TrimSuffix(s.Words[0], "s")) {
		return *s, false
	}
	for verb := 1; verb < len(claim.Words); verb++ {
		for k := 1; k+verb < len(s.Words); k++ {
			if s.Words[k] != claim.Words[verb] || s.Tokens[k].Upper || s.Tokens[k].Gap != " " || !slices.Equal(s.Words[k+1:k+1+verb], claim.Words[:verb]) {
				continue
			}
			out := *s
			out.Tokens = slices.Concat(s.Tokens[k+1:k+1+verb], s.Tokens[k:k+1], s.Tokens[:k], s.Tokens[k+1+verb:])
			out.setWords()
			return out, true
		}
	}
	return *s, false
}

// Presents reports whether the tokens from one to before another hold what may be a verb in the present after its subject: Miss Pope teaches.
func (s *Sentence) Presents(from, to int) bool {
	for i := from + 1; i < to; i++ {
		before := &s.Tokens[i-1]
		if w := s.Words[i]; len(w) > 3 && strings.HasSuffix(w, "s") && !s.Tokens[i].Upper && !lexicon.Function.Has(w) && (before.Upper || lexicon.Pronoun.Has(before.Text)) {
			return true
		}
	}
	return false
}
