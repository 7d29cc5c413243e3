package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// predicate returns the index of the verb of a clause, or of its first auxiliary; -1 when there is none.
func predicate(ws []form) int {
	for i := 1; i < len(ws); i++ {
		if (ws[i].text == "will" || ws[i].text == "may" || ws[i].text == "might") && segment.Determiner(ws[i-1].text) {
			continue // the will
		}
		if !finite(ws[i]) && !(ambiguousPasts[ws[i].text] && !ws[i].upper && !segment.Determiner(ws[i-1].text)) {
			continue
		}
		// "the retired teacher": a participle between an article and a noun
		if participle(ws[i]) && segment.Determiner(ws[i-1].text) && slices.ContainsFunc(ws[i+1:], func(f form) bool { return finite(f) || ambiguousPasts[f.text] }) {
			continue
		}
		return i
	}
	for i := 1; i < len(ws); i++ {
		if !ws[i].upper && strings.HasSuffix(ws[i].text, "s") && (presents[segment.Stem(ws[i].text)] || reported[segment.Stem(ws[i].text)] || ws[i].text == "lives") && subjectPhrase(ws[:i]) {
			return i
		}
	}
	if len(ws) > 2 && (person(ws[0].text) != "") && presents[segment.Stem(ws[1].text)] {
		return 1
	}
	return -1
}

// participle reports whether a word can follow "was" in a passive.
func participle(w form) bool {
	return !w.upper && (strings.HasSuffix(w.text, "ed") && len(w.text) > 3 || participles[w.text] || segment.FiniteVerb(w.text) && !segment.Function(w.text))
}

// finite reports whether a word is a verb with a tense.
func finite(w form) bool {
	return !w.upper && (segment.FiniteVerb(w.text) || germanVerbs[w.text])
}

// verbal reports whether words hold a finite verb.
func verbal(ws []form) bool { return slices.ContainsFunc(ws, finite) }

// preposition reports whether word i is a preposition, and not the same word before a number: about 300.
func preposition(ws []form, i int) bool {
	if approximations[ws[i].text] && i+1 < len(ws) && startsDigit(ws[i+1].text) {
		return false
	}
	return prepositions[ws[i].text] || phrasePrepositions[ws[i].text] || ws[i].text == "off" && i+1 < len(ws) && ws[i+1].upper
}

// afterOpening returns the words of a clause behind the phrases of time, place and manner with which the clause
// opens. ok is false where these phrases are not understood.
func afterOpening(ws []form) (rest []form, ok bool) {
	for len(ws) > 0 {
		end := 0
		if _, k := timeAt(ws, 0); k > 0 {
			end = k
		} else if i := slices.IndexFunc(ws, func(w form) bool { return w.text == comma }); i > 1 && prepositions[ws[0].text] {
			if !nounPhrase(ws[1:i]) {
				return nil, false
			}
			end = i
		} else if preposition(ws, 0) && len(ws) > 3 {
			k := chunkEnd(ws, 1)
			if k >= len(ws) || !nounPhrase(ws[1:k]) {
				return nil, false
			}
			end = k
		} else if manner[ws[0].text] && len(ws) > 1 {
			end = 1
		}
		if end == 0 {
			break
		}
		ws = ws[end:]
		if len(ws) > 0 && ws[0].text == comma {
			ws = ws[1:]
		}
	}
	return ws, len(ws) > 0
}

// subjectWords returns the words of a subject alone: without the phrases before it and the adverbs
// behind it. ok is false where the words are not understood.
func subjectWords(ws []form) ([]form, bool) {
	ws, ok := afterOpening(ws)
	for len(ws) > 1 && (adverbial(ws[len(ws)-1].text) || adverbs[ws[len(ws)-1].text]) && !ws[len(ws)-1].upper {
		ws = ws[:len(ws)-1]
	}
	return ws, ok
}

// subjectPhrase reports whether words can be a subject: a noun phrase with the phrases that belong to it.
func subjectPhrase(ws []form) bool {
	ws, ok := subjectWords(ws)
	if !ok {
		return false
	}
	end := len(ws)
	for i := 1; i < len(ws); i++ {
		if !preposition(ws, i) || ws[i].text == "of" {
			continue
		}
		end = min(end, i)
		n := chunkEnd(ws, i+1)
		if !nounPhrase(ws[i+1:n]) || n < len(ws) && !preposition(ws, n) {
			return false
		}
		i = n - 1
	}
	return nounPhrase(ws[:end])
}

// withoutOpening returns a clause, and the clause without the phrases before its subject where these may be
// left out.
func withoutOpening(ws []form) [][]form {
	out := [][]form{ws}
	v := predicate(ws)
	if v < 1 || !isEvent(ws, v) || slices.ContainsFunc(ws, func(f form) bool { return negations[f.text] || scoping[f.text] || quantifiers[f.text] }) {
		return out
	}
	subject, ok := afterOpening(ws[:v])
	n := v - len(subject)
	if !ok || n == 0 || isGoverned(ws[:n]) || inFiction(ws[:n]) || hasLimit(ws[:n]) {
		return out
	}
	return append(out, ws[n:])
}
