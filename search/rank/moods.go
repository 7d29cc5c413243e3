package rank

import (
	"slices"
	"strings"

	"muniment/text/lexicon"
)

// moods reports whether a candidate is negated, and whether it tells an intention or a possibility. Where the question has a verb and the
// answering sentence holds it, only the part of the sentence around that verb counts: nobody else in it answers.
func (r *reading) moods(s *stretch) (negated, intended bool) {
	tokens := s.tokens
	at := -1
	if main := r.sentence(s.main); r.q.verb >= 0 {
		if at = r.verbIn(main); at >= 0 {
			tokens, at = r.partOf(main, at)
		}
	}
	for i, t := range tokens {
		w := t.word.Lower
		negated = negated || r.table.negations[w] && r.denies(tokens, i, at)
		next := tokens[i+1 : min(len(tokens), i+3)]
		intended = intended || i == 0 && at > 0 && slices.Contains([]string{"had", "hätte", "hätten", "wäre"}, w) || // had he mended it, we should
			r.table.intentions[w] || lexicon.Modal.Has(w) && holdsWord(next, "have") ||
			lexicon.Report.Has(w) && i > 0 && slices.Contains(beForms, tokens[i-1].word.Lower) && holdsWord(next, "to")
	}
	return negated, intended
}

// holdsWord reports whether one of the tokens is a word.
func holdsWord(tokens []token, word string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.word.Lower == word })
}

// partOf returns the tokens around one that commas, semicolons and dashes divide from the rest of the sentence, and the index of the token
// in them.
func (r *reading) partOf(tokens []token, at int) (part []token, index int) {
	divides := func(i int) bool {
		return strings.ContainsAny(r.text[tokens[i-1].word.End:tokens[i].word.Start], ",;:()|\t—–")
	}
	from, to := at, at+1
	for from > 0 && !divides(from) {
		from--
	}
	for to < len(tokens) && !divides(to) && !(lexicon.Coordinator.Has(tokens[to].word.Lower) && to+1 < len(tokens) && r.opensClause(tokens[to+1:])) {
		to++
	}
	return tokens[from:to], at - from
}

// opensClause reports whether the tokens after a coordinator begin another clause: a pronoun, or a verb.
func (r *reading) opensClause(tokens []token) bool {
	w := tokens[0].word.Lower
	return lexicon.Pronoun.Has(w) || lexicon.Modal.Has(w) || lexicon.Auxiliary.Has(w) || r.table.negations[w]
}

// weak are negations of a word that follows them, and of no verb before them.
var weak = map[string]bool{"without": true, "ohne": true}

// stronger are negations that deny the verb also where they follow it.
var stronger = []string{"not", "n't", "never", "nicht", "nie", "niemals"}

// denies reports whether negation i denies the verb at an index of the tokens, -1 for one that is not known: it comes before it, or is
// one of stronger, or denies a word of the question.
func (r *reading) denies(tokens []token, i, at int) bool {
	if at < 0 || i < at || slices.Contains(stronger, tokens[i].word.Lower) {
		return true
	}
	if weak[tokens[i].word.Lower] {
		return false
	}
	return slices.ContainsFunc(tokens[i+1:min(len(tokens), i+4)], func(t token) bool { return t.term >= 0 })
}
