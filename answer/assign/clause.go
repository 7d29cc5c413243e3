package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// clauses cuts a sentence into clauses that may each be said alone: at commas and other stops, and
// at and, but, then before a new subject with its verb, or before a verb, which then takes the
// subject of the clause before. A part without a verb stays with its neighbour. Where a word ties
// clauses together (who, that, because, than …) the sentence is one clause.
func clauses(ws []form) [][]form {
	var out [][]form
	var pending []form // verbless words before a clause
	var last []form    // the clause before, for its subject
	closed := false    // behind a relative clause nothing is known to be a sentence of its own
	for _, part := range parts(ws) {
		if len(part) == 0 {
			continue
		}
		if tied(part[1:]) {
			return [][]form{ws}
		}
		switch {
		case relatives[part[0].text] || ties[part[0].text]:
			closed = true
			if len(pending) > 0 || len(out) == 0 && !subordinate[part[0].text] {
				return [][]form{ws}
			}
			if len(out) == 0 {
				closed = false // "Because the mill burned, Peter left"
			}
			continue
		case closed:
			return [][]form{ws}
		case !verbal(part) && len(out) > 0:
			n := len(out) - 1
			if last == nil {
				return [][]form{ws}
			}
			out[n] = append(append(slices.Clone(out[n]), form{text: comma}), part...)
			continue
		case !verbal(part):
			pending = append(append(pending, part...), form{text: comma})
			continue
		}
		for i, c := range coordinated(part) {
			if i == 0 && len(pending) > 0 {
				c = append(slices.Clone(pending), c...)
				pending = nil
			}
			if c = inherit(c, last); c == nil {
				return [][]form{ws}
			}
			out = append(out, c)
			last = c
		}
	}
	if len(pending) > 0 || len(out) == 0 {
		return [][]form{ws}
	}
	return out
}

var (
	joining = set(`and but then or und oder aber dann`)
	remarks = set(`opposite contrary reverse otherwise wrong true untrue false fact truth fiction invention gegenteil wahr wahrheit falsch`)
	// opening are the prepositions that can open a phrase about a whole sentence.
	opening = set(`in on at by from to for with about into under during through across upon within of like per via
		auf aus bei mit nach von zu über für an im am beim zum zur laut`)
)

// parts cuts at commas.
func parts(ws []form) [][]form {
	var out [][]form
	start := 0
	for i, w := range ws {
		if w.text == comma {
			out = append(out, ws[start:i])
			start = i + 1
		}
	}
	return append(out, ws[start:])
}

// coordinated cuts at and, but, then where a clause or a verb follows and a clause goes before.
func coordinated(part []form) [][]form {
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

// startsVerb tells words that begin with a verb: kept his bed, keeps his bed.
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

func conjunction(w string) bool { return joins(w) || w == "then" || w == "dann" }

func joins(w string) bool {
	switch w {
	case "and", "but", "und", "aber":
		return true
	}
	return false
}

// finite tells a word that is a verb with a tense.
func finite(w form) bool {
	return !w.upper && segment.FiniteVerb(w.text) || germanVerbs[w.text] && !w.upper
}

// verbal tells whether words hold a finite verb.
func verbal(ws []form) bool { return slices.ContainsFunc(ws, finite) }

// maxSubject is how many words of a subject may stand before its verb.
const maxSubject = 4

// opens tells whether words begin with a subject and its verb, or with a phrase and such.
func opens(ws []form) bool {
	w := ws[0]
	if temporalAt(ws) > 0 { // and in 1911 we built
		ws = ws[temporalAt(ws):]
		if len(ws) < 2 {
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

// tied tells whether words hold one that ties a clause to another.
func tied(ws []form) bool {
	for i, w := range ws {
		if ties[w.text] && !(w.text == "since" && i+1 < len(ws) && isDate(ws[i+1].text)) && !timed(ws, i) && !(w.text == "as" && office(ws, i)) {
			return true
		}
	}
	return false
}

// timed tells whether after or before at i opens a phrase: after dinner.
func timed(ws []form, i int) bool {
	_, n := timeAt(ws, i)
	return n > 0 && (i+n == len(ws) || !finite(ws[i+n])) && (ws[i].text == "after" || ws[i].text == "before")
}

// office tells whether as at i says in what office: elected him as chairman.
func office(ws []form, i int) bool {
	k := i + 1
	for k < len(ws) && k <= i+3 && !segment.Function(ws[k].text) && !finite(ws[k]) && ws[k].text != comma {
		k++
	}
	before := i > 0 && (ws[i-1].upper || !segment.Function(ws[i-1].text) || objective[ws[i-1].text])
	return k > i+1 && before && (k == len(ws) || joins(ws[k].text) || preposition(ws, k) || ws[k].text == comma) &&
		!slices.ContainsFunc(ws[:i], func(f form) bool { return f.text == "as" || f.text == "such" || f.text == "so" })
}

var objective = set(`him her them it me us`)

// intransitive are verbs whose form cannot be a passive participle after the auxiliary of the clause
// before.
var intransitive = set(`died went came became was were is are had has have did starb ging kam wurde war`)

// pastOnly are past forms that are no participles.
var pastOnly = set(`grew took wrote gave saw fell drove rode spoke broke chose froze stole wore tore swore forgot hid ate drank sang sank began
	swam ran blew flew knew threw drew shook rose arose became did woke sat stood slept`)

// active tells a clause without a subject whose verb is no participle of the was before it.
func active(c []form) bool {
	w := c[0].text
	return intransitive[w] || pastOnly[w] || !participle(c[0]) ||
		len(c) > 1 && !morePerfect[w] && !givers[lemma(w)] && (segment.Determiner(c[1].text) || startsDigit(c[1].text)) && !isDate(c[1].text)
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

// inherit gives a clause that begins with its verb the subject of the clause before: a name, a
// pronoun, or an article and a noun. nil when there is none to be had.
func inherit(c, last []form) []form {
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
	if rest, ok := new(frame).fronted(last[:n]); ok && nounLike(rest) {
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
