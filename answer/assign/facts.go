package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// joinPhrases takes out the commas that only set off a phrase of time or place, and writes "of the 62 houses, 19 had" as "19 of the 62 houses had".
func joinPhrases(ws []form) []form {
	ps := pieces(ws)
	if len(ps) > maxPieces {
		return ws
	}
	var out []form
	for i, p := range ps {
		body := p.words
		switch {
		case i == 0:
		case p.stop == ',' && i == 1 && partitive(ps[0].words) && startsDigit(body[0].text) && len(out) == len(ps[0].words):
			out = slices.Concat(body[:1], ps[0].words, body[1:])
			continue
		case p.stop == ',' && (isTimeOrPlace(ps[i-1].words) && (i == 1 || ps[i-1].stop == ',') || isTimeOrPlace(body)):
			out[len(out)-1].parted = true
		default:
			out = append(out, form{text: comma, stop: p.stop})
		}
		out = append(out, slices.Clone(body)...)
	}
	return out
}

// partitive reports whether words are those of a number of things: of the 62 houses in the row.
func partitive(ws []form) bool {
	return len(ws) > 3 && ws[0].text == "of" && limitsNoun(ws, 1) && startsDigit(ws[2].text) && !verbal(ws)
}

// isTimeOrPlace reports whether words are phrases of time or place, which can stand at either end of a clause.
func isTimeOrPlace(ws []form) bool {
	if verbal(ws) || !inert(ws) || relative(ws) {
		return false
	}
	for len(ws) > 0 {
		if _, n := timeAt(ws, 0); n > 0 {
			ws = ws[n:]
			continue
		}
		if !optionalPhrases[ws[0].text] || len(ws) == 1 || !preposition(ws, 0) {
			return false
		}
		k := chunkEnd(ws, 1)
		if !nounPhrase(ws[1:k]) || strings.HasSuffix(ws[1].text, "ing") && !ws[1].upper {
			return false
		}
		ws = ws[k:]
	}
	return true
}

// asides returns the clauses that a sentence says of a noun between commas: "the survey, begun in 1838, was" says that the survey was begun in 1838.
// rest is the sentence without these words.
func asides(ws []form) (facts [][]form, rest []form) {
	ps := pieces(ws)
	if len(ps) > maxPieces {
		return nil, ws
	}
	for i, p := range ps {
		if i > 0 && p.stop == ',' && aside(p.words) && !(i+1 < len(ps) && (ps[i+1].stop != ',' || joinsClauses(ps[i+1].words[0].text))) {
			if noun := nounBefore(ps[i-1].words); noun != nil {
				facts = append(facts, sayOf(noun, p.words)...)
				if len(rest) > 0 {
					rest[len(rest)-1].parted = true
				}
				continue
			}
		}
		if i > 0 && !rest[len(rest)-1].parted {
			rest = append(rest, form{text: comma, stop: p.stop})
		}
		rest = append(rest, slices.Clone(p.words)...)
	}
	return facts, rest
}

// aside reports whether words are a relative clause, or a participle and its phrases.
func aside(ws []form) bool {
	if len(ws) < 2 || isGoverned(ws) || hasLimit(ws) || inFiction(ws) {
		return false
	}
	if ws[0].text == "who" || ws[0].text == "which" {
		return startsVerb(ws[1:])
	}
	return pastParticiple(ws[0]) && (preposition(ws, 1) || isDate(ws[1].text))
}

// sayOf returns the clauses that an aside says of a noun.
func sayOf(noun, ws []form) [][]form {
	if !relative(ws) {
		return [][]form{slices.Concat(noun, []form{{text: "was"}}, ws)}
	}
	var out [][]form
	for _, c := range splitCoordinated(slices.Concat(noun, ws[1:])) {
		if len(out) > 0 {
			c = inheritSubject(c, out[0])
		}
		if c == nil {
			return out
		}
		out = append(out, c)
	}
	return out
}

// An apposition is two names of one thing: Albert Finn, a postman.
type apposition [2][]form

// appositions returns what a sentence names twice, and the sentence with the first and with the second name alone.
func appositions(ws []form) (twice []apposition, kept, other []form) {
	ps := pieces(ws)
	if len(ps) > maxPieces {
		return nil, ws, nil
	}
	for i, p := range ps {
		if i > 0 && p.stop == ',' && (i+1 == len(ps) || ps[i+1].stop == ',' && !joinsClauses(ps[i+1].words[0].text) && verbal(ps[i+1].words)) && len(kept) > 0 {
			if n := namedBefore(kept, p.words); n > 0 {
				first := slices.Clone(kept[len(kept)-n:])
				twice = append(twice, apposition{first, p.words})
				if len(twice) == 1 && p.words[0].text != "aged" {
					other = append(slices.Clone(kept[:len(kept)-n]), p.words...)
					other[len(other)-1].parted = true
				}
				kept[len(kept)-1].parted = true
				continue
			}
		}
		for _, out := range []*[]form{&kept, &other} {
			if out == &other && len(twice) == 0 || len(*out) == 0 && out == &other {
				continue
			}
			if i > 0 && !(*out)[len(*out)-1].parted {
				*out = append(*out, form{text: comma, stop: p.stop})
			}
			*out = append(*out, slices.Clone(p.words)...)
		}
	}
	return twice, kept, other
}

// namedBefore returns how many words at the end of ws are a name that the words aside explain, or a noun that they name; 0 for none.
func namedBefore(ws, aside []form) int {
	n := 0
	isName := func(w form) bool { return w.upper || w.text == subject || titles[w.text] }
	plain := func(w form) bool {
		return w.text == "a" || w.text == "the" || w.text == "my" || w.text == "his" || w.text == "her" || w.text == "our" || w.text == "their"
	}
	switch {
	case plain(aside[0]) && nounPhrase(aside) && !slices.ContainsFunc(aside, func(w form) bool { return w.text == "and" }) && !slices.ContainsFunc(aside, finite), aside[0].text == "aged" && len(aside) == 2 && startsDigit(aside[1].text):
		for n < len(ws) && (isName(ws[len(ws)-1-n]) || ws[len(ws)-1-n].begin && n > 0 && !segment.FiniteVerb(ws[len(ws)-1-n].text) && !segment.Function(ws[len(ws)-1-n].text)) {
			n++
		}
	case len(aside) > 1 && !slices.ContainsFunc(aside, func(w form) bool { return !isName(w) }): // one name may be that of who is spoken to
		for n < len(ws) && !plain(ws[len(ws)-1-n]) {
			if w := ws[len(ws)-1-n]; segment.Function(w.text) || w.upper || w.text == comma {
				return 0
			}
			n++
		}
		if n++; n > len(ws) || n < 2 || n > 4 || !simpleNoun(ws[len(ws)-n:]) || slices.ContainsFunc(ws[len(ws)-n:], finite) {
			return 0
		}
	}
	if n > 0 && n < len(ws) && (ws[len(ws)-1-n].text == "of" || ws[len(ws)-1-n].text == "and" || ws[len(ws)-1-n].text == comma || strings.HasSuffix(ws[len(ws)-1-n].text, "'s")) {
		return 0
	}
	return n
}

// nounBefore returns the noun phrase with which words end, where it is clear that what follows is said of that noun: the subject of a clause, or
// the object directly behind its verb.
func nounBefore(ws []form) []form {
	if segment.Determiner(ws[0].text) || ws[0].upper || ws[0].begin || ws[0].text == subject {
		if !verbal(ws) && simpleNoun(ws) {
			return ws
		}
	}
	f, ok := newFrame(ws)
	if !ok || len(f.units) == 0 {
		return nil
	}
	last := f.units[len(f.units)-1]
	if last.kind != barePhrase && last.kind != prepPhrase || last.end != len(ws) || f.verb.link || last.front || last.dative {
		return nil
	}
	for _, u := range f.units[:len(f.units)-1] {
		if u.kind != timePhrase && u.kind != adverbWord && !u.dative {
			return nil // of the boy or of the boat
		}
	}
	noun := ws[last.start:]
	if last.kind == prepPhrase {
		noun = noun[1:]
	}
	if !simpleNoun(noun) {
		return nil
	}
	return noun
}

// A statement is what a sentence states as facts, taken apart.
type statement struct {
	frames []*frame     // of the clauses that it states as facts
	twice  []apposition // what it names twice
}

// restatesSentence reports whether a sentence states each clause of a claim, in whatever order and voice. diary is as readSentence has it.
func (m *matcher) restatesSentence(claim, sentence []form, diary bool) bool {
	evidence := readSentence(sentence, diary)
	if len(evidence.frames) == 0 {
		return false
	}
	twice, kept, _ := appositions(claim)
	for _, a := range twice {
		if !slices.ContainsFunc(evidence.twice, func(b apposition) bool { return m.namesAlike(a, b, sentence) }) {
			return false
		}
	}
	parts, rest := asides(joinPhrases(kept))
	if slices.ContainsFunc(rest, func(f form) bool { return f.text == comma }) {
		return false
	}
	var last []form
	for _, c := range splitCoordinated(rest) {
		if last = inheritSubject(c, last); last == nil {
			return false
		}
		parts = append(parts, last)
	}
	for _, part := range parts {
		c, ok := newFrame(part)
		if !ok || !slices.ContainsFunc(evidence.frames, func(g *frame) bool { return m.restatesClause(c, g) }) {
			return false
		}
	}
	return len(parts) > 0
}

// namesAlike reports whether a claim gives a thing the two names that the evidence gives it.
func (m *matcher) namesAlike(a, b apposition, sentence []form) bool {
	c := comparison{writer: map[string]bool{}}
	m.evidence, m.replaced = sentence, c.writer
	return (c.same(a[0], b[0]) && c.same(a[1], b[1]) || c.same(a[0], b[1]) && c.same(a[1], b[0])) && m.unambiguous()
}

// withWriter writes the writer into a sentence of a diary that opens with a phrase of time or place and goes on with its verb: on Thursday
// dined with the bishop.
func withWriter(ws []form) []form {
	for v := 1; v < len(ws); v++ {
		if ws[v].text == comma {
			return ws
		}
		if finite(ws[v]) && headless(ws[v:]) && isTimeOrPlace(ws[:v]) {
			return slices.Concat(ws[:v], []form{{text: "i"}}, ws[v:])
		}
	}
	return ws
}

// readSentence takes a sentence apart. diary says that clauses without a subject tell what the writer did.
func readSentence(ws []form, diary bool) statement {
	twice, kept, other := appositions(ws)
	kept = joinPhrases(kept)
	if diary {
		kept = withWriter(kept)
	}
	said, rest := asides(kept)
	clauses := factualClauses(kept, diary)
	if other != nil {
		clauses = append(clauses, factualClauses(joinPhrases(other), diary)...)
	}
	if len(said) > 0 {
		if main := factualClauses(rest, diary); len(main) > 0 {
			clauses = slices.Concat(clauses, main, said)
		}
	}
	r := statement{twice: twice}
	for _, a := range twice {
		if slices.ContainsFunc(clauses, pastClause) {
			clauses = append(clauses, slices.Concat(a[0], []form{{text: "was"}}, a[1]), slices.Concat(a[1], []form{{text: "was"}}, a[0]))
		}
	}
	for _, c := range clauses {
		if f, ok := newFrame(c); ok {
			r.frames = append(r.frames, f)
		}
	}
	return r
}
