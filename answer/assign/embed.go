package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// An embedding compares one clause of evidence with a claim: every word of the claim must stand in the
// clause, in its order, and between these words only phrases may stand that can be left out.
type embedding struct {
	claim, given []form
	verb         int             // index of the verb in given
	strict       bool            // nothing may be left out of given
	event        bool            // given reports whether words are what happened, so that time and place only add to it
	failed       map[[3]int]bool // pairs of positions, and open, that lead nowhere
}

// newEmbedding analyses a clause of evidence.
func newEmbedding(claim, given []form) *embedding {
	e := &embedding{claim: claim, given: given, verb: predicate(given), failed: map[[3]int]bool{}}
	for i, w := range given {
		if key, n := timeAt(given, i); n > 0 && w.text == "last" && !strings.HasPrefix(key, "every") {
			continue // last year
		}
		e.strict = e.strict || negations[w.text] || scoping[w.text] || quantifiers[w.text] || opaque[w.text] || w.text == "or" || w.text == "nor"
	}
	e.event = e.verb >= 0 && isEvent(given, e.verb)
	return e
}

// repeatsClause reports whether a claim repeats a clause of evidence, with or without the phrases that
// open the clause.
func (m *matcher) repeatsClause(claim, given []form) bool {
	if predicate(claim) < 0 {
		return false
	}
	m.evidence = given
	for _, clause := range withoutOpening(given) {
		e := newEmbedding(claim, clause)
		m.replaced = map[string]bool{}
		if e.verb >= 0 && e.match(0, 0, false, m.replaced) && m.unambiguous() {
			return true
		}
	}
	return false
}

// isEvent reports whether a clause with its verb at v tells an event of the past.
func isEvent(ws []form, v int) bool {
	w := ws[v].text
	if w == "was" || w == "were" {
		next := v + 1
		for next < len(ws) && (adverbial(ws[next].text) || adverbs[ws[next].text]) {
			next++
		}
		return next < len(ws) && (participle(ws[next]) || ws[next].text == "born" || ws[next].text == "present" || ws[next].text == "absent")
	}
	return !lasting[w] && !haveForms[w] && (w == "did" || !segment.Function(w)) && (finite(ws[v]) || ambiguousPasts[w])
}

// match reports whether the claim from word i stands in the evidence from word j, and adds to replaced
// the pronouns that stand for a first person. open is set behind a phrase that was left out and of
// which a phrase at j could say more.
func (e *embedding) match(i, j int, open bool, replaced map[string]bool) bool {
	at := [3]int{i, j, 0}
	if open {
		at[2] = 1
	}
	switch {
	case e.failed[at]:
		return false
	case i == len(e.claim) && j == len(e.given):
		return true
	}
	if i < len(e.claim) && j < len(e.given) && !(open && e.opensPhrase(j)) && e.same(i, j) && e.match(i+1, j+1, false, replaced) {
		if e.claim[i].text != e.given[j].text {
			standsForWriter(e.claim[i].text, e.given[j].text, replaced)
		}
		return true
	}
	if i > 0 {
		for _, k := range e.optional(j) {
			if e.match(i, k, e.leavesOpen(j, k) || open && e.timePhrase(j) == k, replaced) {
				return true
			}
		}
	}
	if i < len(e.claim) && e.claim[i].text == comma && e.match(i+1, j, open, replaced) {
		return true
	}
	e.failed[at] = true
	return false
}

// leavesOpen reports whether the words from j to k are a phrase whose noun a following phrase could describe.
func (e *embedding) leavesOpen(j, k int) bool {
	return e.timePhrase(j) != k && e.phrase(j) == k && !closedPhrase(e.given[j].text, e.given[k-1])
}

// closedPhrase reports whether a phrase names a place or a measure, which no following phrase describes:
// in Porto, by 4 percent.
func closedPhrase(preposition string, last form) bool {
	return last.upper && locating[preposition] || last.text == "percent"
}

// opensPhrase reports whether a phrase that could describe the noun before it begins at word j.
func (e *embedding) opensPhrase(j int) bool {
	if e.timePhrase(j) != 0 || !preposition(e.given, j) {
		return false
	}
	return !temporal[e.given[j].text] && !(j+1 < len(e.given) && isDate(e.given[j+1].text))
}

// same reports whether word i of the claim may stand for word j of the evidence.
func (e *embedding) same(i, j int) bool {
	c, w := e.claim[i], e.given[j]
	switch {
	case c.text == w.text && (c.upper == w.upper || c.begin || w.begin), standsForWriter(c.text, w.text, map[string]bool{}):
		return true
	case i > 0 && j > 0 && j <= e.verb+1 && agrees(c.text, w.text):
		return slices.ContainsFunc(e.given[:j], func(f form) bool { return f.text == "i" || f.text == "ich" })
	}
	return isDate(c.text) && isDate(w.text) && !e.strict && containsDate(c.text, w.text)
}

// optional returns the ends of the phrases that begin at word j and may be left out.
func (e *embedding) optional(j int) []int {
	if e.strict || j == 0 || j == len(e.given) {
		return nil
	}
	return slices.DeleteFunc([]int{e.timePhrase(j), e.adverb(j), e.phrase(j)}, func(k int) bool { return k == 0 })
}

// timePhrase returns the end of the phrase of time that begins at j and may be left out, 0 for none.
func (e *embedding) timePhrase(j int) int {
	key, n := timeAt(e.given, j)
	if n == 0 || !e.event || strings.HasPrefix(key, "every") || strings.HasPrefix(key, "next") {
		return 0
	}
	return j + n
}

// adverb returns the end of the adverb at j, 0 where there is none or it may not be left out.
func (e *embedding) adverb(j int) int {
	w := e.given[j]
	if w.upper || governs(e.given, j) || limitingAdverbs[w.text] {
		return 0
	}
	if manner[w.text] || (orderAdverbs[w.text] || directions[w.text]) && !conjunction(w.text) && e.event || adverbial(w.text) && e.event {
		return j + 1
	}
	return 0
}

// adverbial reports whether a word is an adverb by its ending.
func adverbial(w string) bool { return strings.HasSuffix(w, "ly") && len(w) > 4 && !notAdverbs[w] }

// phrase returns the end of the prepositional phrase that begins at j and may be left out, 0 for none.
func (e *embedding) phrase(j int) int {
	if !e.event || !optionalPhrases[e.given[j].text] || !preposition(e.given, j) {
		return 0
	}
	k := chunkEnd(e.given, j+1)
	inner := e.given[j+1 : k]
	switch {
	case !nounPhrase(inner), slices.ContainsFunc(inner, func(f form) bool { return scoping[f.text] || f.text == "and" }),
		isGoverned(e.given[j:k]), inFiction(e.given[j:k]), hasLimit(e.given[j:k]):
		return 0
	case k < len(e.given) && (e.given[k].text == "and" || e.given[k].text == "or" || finite(inner[len(inner)-1])):
		return 0
	case j == e.verb+1 && !beForms[e.given[e.verb].text] && !freePhrases[e.given[j].text]:
		return 0 // looked for, ran into
	case j > e.verb && e.given[j].text == "to" && slices.ContainsFunc(e.given[e.verb:min(e.verb+2, j)], func(f form) bool { return boundTo[f.text] || boundTo[segment.Stem(f.text)] }):
		return 0 // left the house to her niece
	case j < e.verb && !e.singleSubject(j), j > e.verb && e.restricts(j):
		return 0
	}
	return k
}

// singleSubject reports whether the subject before word j is one thing or a name, so that the phrase at j
// cannot tell which of several is meant.
func (e *embedding) singleSubject(j int) bool {
	det := e.given[0].text
	return !plural(e.given[j-1]) && (det == "the" || det == "a" || e.given[j-1].upper || person(det) != "" || det == "my" || det == "our" || det == "his" || det == "her") || startsDigit(det)
}

// restricts reports whether the phrase at j may tell which of several things is meant: "lost the cows in
// the barn" is not "lost the cows".
func (e *embedding) restricts(j int) bool {
	if !plural(e.given[j-1]) {
		return false
	}
	for i := j - 1; i > e.verb; i-- {
		switch w := e.given[i].text; {
		case w == "the" || w == "those" || w == "these" || w == "my" || w == "our" || w == "his" || w == "her" || w == "their":
			return !preposition(e.given, i-1)
		case startsDigit(w) || w == "a" || preposition(e.given, i):
			return false
		}
	}
	return false
}
