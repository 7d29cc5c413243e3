package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// splitCoordinated cuts at and, but, then where a clause or a verb follows and a clause goes before.
func splitCoordinated(part []form) [][]form {
	var out [][]form
	start := 0
	for i := 1; i+1 < len(part); i++ {
		if !conjunction(part[i].text) || !verbal(part[start:i]) && predicate(part[start:i]) < 0 {
			continue
		}
		next := i + 1
		if conjunction(part[next].text) && next+1 < len(part) {
			next++
		}
		if startsVerb(part[next:]) || opens(part[next:]) {
			out = append(out, part[start:i])
			start, i = next, next
		}
	}
	rest := part[start:]
	for len(rest) > 1 && conjunction(rest[0].text) {
		rest = rest[1:]
	}
	return append(out, rest)
}

// startsVerb reports whether words begin with a verb: kept his bed, keeps his bed.
func startsVerb(ws []form) bool {
	if len(ws) > 1 && !ws[0].upper && (adverbs[ws[0].text] || adverbial(ws[0].text) || manner[ws[0].text]) {
		return startsVerb(ws[1:])
	}
	if len(ws) > 2 && ws[0].text == "there" && !beForms[ws[1].text] && finite(ws[1]) {
		return true // and there ate cream
	}
	return finite(ws[0]) || len(ws) > 1 && !ws[0].upper && !ws[0].begin && strings.HasSuffix(ws[0].text, "s") && presents[segment.Stem(ws[0].text)] &&
		(segment.Determiner(ws[1].text) || prepositions[ws[1].text] || startsDigit(ws[1].text))
}

func conjunction(w string) bool { return joinsClauses(w) || w == "then" || w == "dann" }

func joinsClauses(w string) bool {
	switch w {
	case "and", "but", "und", "aber":
		return true
	}
	return false
}

// maxSubject is how many words of a subject may stand before its verb.
const maxSubject = 4

// opens reports whether words begin with a subject and its verb, or with a phrase and such.
func opens(ws []form) bool {
	w := ws[0]
	if _, n := timeAt(ws, 0); n > 0 { // and in 1911 we built
		if ws = ws[n:]; len(ws) < 2 {
			return false
		}
		w = ws[0]
	}
	if person(w.text) == "" && w.text != subject && !w.upper && !segment.Determiner(w.text) {
		return false
	}
	for i := 1; i < len(ws) && i <= maxSubject; i++ {
		if finite(ws[i]) {
			return true
		}
		if conjunction(ws[i].text) || prepositions[ws[i].text] {
			return false
		}
	}
	return false
}

// isTied reports whether words hold one that ties a clause to another.
func isTied(ws []form) bool {
	for i, w := range ws {
		if ties[w.text] && !(w.text == "since" && i+1 < len(ws) && isDate(ws[i+1].text)) && !opensTimePhrase(ws, i) {
			return true
		}
	}
	return false
}

// opensTimePhrase reports whether after or before at i opens a phrase: after dinner.
func opensTimePhrase(ws []form, i int) bool {
	_, n := timeAt(ws, i)
	return n > 0 && (i+n == len(ws) || !finite(ws[i+n])) && (ws[i].text == "after" || ws[i].text == "before")
}

// active reports whether words are a clause without a subject whose verb is no participle of the was before it.
func active(c []form) bool {
	w := c[0].text
	return intransitive[w] || pastOnly[w] || !participle(c[0]) ||
		len(c) > 1 && !participles[w] && !givers[segment.Stem(w)] && (segment.Determiner(c[1].text) || startsDigit(c[1].text)) && !isDate(c[1].text)
}

// passiveToo gives a participle without an object the subject and the was of the clause before: "was
// written and published in 1937". nil where it may be active.
func passiveToo(who, verbs, c []form) []form {
	bare := len(c) == 1 || prepositions[c[1].text] || manner[c[1].text]
	if len(verbs) < 2 || !beForms[verbs[0].text] || !participle(verbs[1]) || !participle(c[0]) || intransitive[c[0].text] || !bare {
		return nil
	}
	return slices.Concat(who, verbs[:1], c)
}

// inheritSubject gives a clause that begins with its verb the subject of the clause before: a name, a
// pronoun, or an article and a noun. nil when there is none to be had.
func inheritSubject(c, last []form) []form {
	if !startsVerb(c) {
		return c
	}
	if last == nil {
		return nil
	}
	n := predicate(last)
	if n < 1 {
		return nil
	}
	if rest, ok := subjectWords(last[:n]); ok && subjectPhrase(rest) {
		if f := passiveToo(rest, last[n:], c); f != nil {
			return f
		}
		if len(rest) != n || n > 2 || last[1].upper {
			if segment.Function(last[n].text) && !active(c) {
				return nil
			}
			return append(slices.Clone(rest), c...)
		}
	}
	if n > 2 {
		return nil
	}
	who := last[0]
	named := person(who.text) != "" || who.text == subject || who.upper || who.begin && !segment.Function(who.text)
	if n == 1 && !named || n == 2 && !segment.Determiner(who.text) {
		return nil
	}
	if segment.Function(last[n].text) && !active(c) {
		return nil // "was beaten and robbed"
	}
	return append(slices.Clone(last[:n]), c...)
}
