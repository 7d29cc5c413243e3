package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// A frame is a clause taken apart: who does what, to whom, where and when. Clauses that are not understood have none.
type frame struct {
	clause      []form
	subject     []form
	subjectEnds [2]int // the subject's first word in the clause, and the word behind it
	verb        verbGroup
	tail        int    // where a clause with that or an infinitive begins, which stands to the end; the number of words where there is none
	scoped      bool   // a phrase says in what sense the clause holds: in the novel
	units       []unit // what stands before the subject and behind the verb, in order
}

// A verbGroup is a verb with its auxiliaries.
type verbGroup struct {
	lemma   string // of the last verb, with its particle: blow down
	tense   string // past, present, perfect or pluperfect
	passive bool
	link    bool   // a form of be that joins a subject and what it is
	modal   string // will, may … ; "" for none
	no      bool   // denied by not or never
}

// The kinds of a unit.
const (
	barePhrase = iota // a noun phrase or an adjective without a preposition
	prepPhrase
	timePhrase
	adverbWord
	openPhrase // an infinitive or a phrase whose end is not known: it stands to the end of the clause
)

// A unit is one phrase of a clause beside its subject and verb.
type unit struct {
	kind       int
	start, end int    // its words in the clause
	prep       string // of a prepPhrase
	words      []form // without the preposition; of a time the form of its date or its key
	front      bool   // it stands before the subject
	dative     bool   // it is the one to whom something is given, without its to
}

// newFrame takes a clause apart; ok is false where it is not understood with certainty.
func newFrame(ws []form) (*frame, bool) {
	v := framePredicate(ws)
	if v < 1 || hasLimitPhrase(ws) {
		return nil, false
	}
	f := &frame{clause: ws, tail: tailAt(ws, v)}
	if slices.ContainsFunc(ws[:f.tail], barsFrame) || governedBeside(ws[:f.tail], v, f.tail < len(ws)) {
		return nil, false
	}
	i, ok := f.readFront(v)
	if !ok || !f.readSubject(i, v) {
		return nil, false
	}
	next, ok := f.readVerb(v)
	if !ok || !f.readUnits(next) {
		return nil, false
	}
	f.scoped = slices.ContainsFunc(f.units, func(u unit) bool {
		return u.kind != openPhrase && (inFiction(ws[u.start:u.end]) || hasLimit(ws[u.start:u.end]))
	})
	f.joinGiven()
	return f, true
}

// joinGiven writes "gave the boy a coat" and "the boy was given a coat" as what was given, and to whom.
func (f *frame) joinGiven() {
	i := slices.IndexFunc(f.units, func(u unit) bool { return u.kind == barePhrase })
	if i < 0 || !givers[f.verb.lemma] || f.verb.link {
		return
	}
	to := f.units[i]
	if f.verb.passive {
		to.start, to.end, to.words = f.subjectEnds[0], f.subjectEnds[1], f.subject
		f.subject = f.units[i].words
	} else if i+1 == len(f.units) || f.units[i+1].kind != barePhrase {
		return
	}
	to.kind, to.prep, to.dative = prepPhrase, "to", true
	f.units[i] = to
}

// barsFrame reports whether a word keeps a clause from being taken apart.
func barsFrame(w form) bool {
	return w.text == comma || w.text == "or" || w.text == "nor" || ties[w.text] && w.text != "not" && w.text != "as" && w.text != "after" && w.text != "before" && w.text != "until" && w.text != "till" && w.text != "since"
}

// tailAt returns where behind the verb at v a clause with that or an infinitive begins; the number of words where there is none.
func tailAt(ws []form, v int) int {
	for i := v + 1; i < len(ws); i++ {
		if ws[i].text == "that" || ws[i].text == "to" && opensInfinitive(ws, i+1) {
			return i
		}
	}
	return len(ws)
}

// governedBeside reports whether a clause holds a word that governs it, other than will, not and their like before the verb, a no before
// a noun, and the verb before a tail: with these the claim must repeat everything, with others it must repeat the words as they stand.
func governedBeside(ws []form, v int, tail bool) bool {
	verb := v // the last word of the verb group, or near it
	for verb+1 < len(ws) && (segment.Function(ws[verb].text) || modalVerbs[ws[verb].text]) && !segment.Determiner(ws[verb+1].text) {
		verb++
	}
	for i, w := range ws {
		inGroup := i == v && modalVerbs[w.text] || (w.text == "not" || w.text == "never") && i >= v && i <= v+2 && (i == v+1 || segment.Function(ws[v+1].text) || modalVerbs[ws[v].text])
		if governs(ws, i) && !inGroup && !(w.text == "no" && i+1 < len(ws)) && !(tail && (i == verb || i == v)) {
			return true
		}
	}
	return false
}

// mustBeWhole reports whether nothing of the clause may be left out: its verb says something of what its tail says, or a phrase says in what sense
// the clause holds.
func (f *frame) mustBeWhole() bool {
	return f.scoped || f.verb.modal != "" || f.verb.no || f.tail < len(f.clause)
}

// framePredicate returns the index of the verb behind the subject; -1 when there is none.
func framePredicate(ws []form) int {
	v := predicate(ws)
	if v > 0 && participle(ws[v]) && !beForms[ws[v].text] && !haveForms[ws[v].text] && v+1 < len(ws) && ws[v+1].text == "by" {
		return -1 // the mayor elected by Peter
	}
	return v
}

// readFront reads the phrases before the subject, and returns where the subject begins.
func (f *frame) readFront(v int) (start int, ok bool) {
	i := 0
	for i < v {
		if _, n := timeAt(f.clause, i); n > 0 && i+n < v {
			f.add(unit{kind: timePhrase, start: i, end: i + n, front: true})
			i += n
			continue
		}
		if w := f.clause[i]; (manner[w.text] || adverbial(w.text)) && i+1 < v {
			f.add(unit{kind: adverbWord, start: i, end: i + 1, front: true})
			i++
			continue
		}
		if !preposition(f.clause, i) {
			break
		}
		k := f.chunk(i+1, v)
		if k >= v || !f.isNoun(i+1, k) {
			return 0, false
		}
		f.add(unit{kind: prepPhrase, start: i, end: k, prep: f.clause[i].text, front: true})
		i = k
	}
	return i, i < v
}

// chunk returns where the noun phrase that begins at i ends, at the latest before end.
func (f *frame) chunk(i, end int) int {
	k := min(chunkEnd(f.clause, i), end)
	if k == i+1 && f.clause[i].text == "her" && i > 0 && preposition(f.clause, i-1) && k < end && startsDigit(f.clause[k].text) {
		k = min(chunkEnd(f.clause, k), end) // by her two nieces
	}
	for j := i + 1; j < k; j++ {
		if f.clause[j-1].parted || f.clause[j].text == subject && !joinsNouns(f.clause[j-1].text) {
			return j
		}
		if particles[f.clause[j].text] && f.endsParticle(j+1) || f.endsName(i, j) {
			return j
		}
	}
	return k
}

// endsName reports whether a noun phrase that begins at i ends before word j because a name begins there, or ends: at the May meeting | Miss Tate,
// appointed Mr Wray | surveyor.
func (f *frame) endsName(i, j int) bool {
	w, before := f.clause[j], f.clause[j-1]
	if titles[w.text] && w.upper {
		return !before.upper && !titles[before.text] && !segment.Function(before.text)
	}
	return isTitle(f.clause[i]) && before.upper && !titles[before.text] && !w.upper && !segment.Function(w.text) && w.text != subject
}

func joinsNouns(w string) bool { return w == "and" || w == "of" || titles[w] }

// readSubject reads the subject from word i to the verb at v, with the adverbs behind it.
func (f *frame) readSubject(i, v int) bool {
	end := v
	for end-1 > i && (adverbial(f.clause[end-1].text) || adverbs[f.clause[end-1].text] || orderAdverbs[f.clause[end-1].text]) && !f.clause[end-1].upper {
		end--
	}
	for k := end; k < v; k++ {
		if f.clause[k].text == "never" {
			f.verb.no = true
			continue
		}
		f.add(unit{kind: adverbWord, start: k, end: k + 1})
	}
	f.subject = plainNoun(f.clause[i:end])
	for k := i; k < end; k++ {
		if f.clause[k].parted && k < end-1 {
			return false
		}
	}
	f.subjectEnds = [2]int{i, end}
	return end > i && subjectPhrase(withoutCount(f.clause[i:end])) && !f.holdsVerb(i, end)
}

// holdsVerb reports whether words hold a verb with a tense, other than a participle before its noun.
func (f *frame) holdsVerb(i, end int) bool {
	for k := i; k < end; k++ {
		if (f.clause[k].text == "named" || f.clause[k].text == "called") && k > i && k+1 < end && f.clause[k+1].upper {
			continue // a man named Muir
		}
		if finite(f.clause[k]) && !(k > i && k+1 < end && participle(f.clause[k]) && !segment.Function(f.clause[k].text) && !preposition(f.clause, k+1) &&
			!segment.Determiner(f.clause[k+1].text) && limitsNoun(f.clause, k-1)) {
			return true
		}
	}
	return false
}

// readVerb reads the auxiliaries and the verb from v, and returns the index behind them.
func (f *frame) readVerb(v int) (next int, ok bool) {
	ws, g := f.clause, &f.verb
	i := v
	skip := func() { // adverbs between auxiliary and verb
		for i++; i < len(ws) && (adverbs[ws[i].text] || adverbial(ws[i].text) || manner[ws[i].text] || orderAdverbs[ws[i].text] && ws[i].text != "and" && ws[i].text != "but"); i++ {
			if ws[i].text == "not" || ws[i].text == "never" {
				g.no = true
				continue
			}
			f.add(unit{kind: adverbWord, start: i, end: i + 1})
		}
	}
	w := ws[i].text
	switch {
	case modalVerbs[w] || doForms[w]:
		if g.tense = "past"; w != "did" {
			g.tense = "present"
		}
		if modalVerbs[w] {
			g.modal = w
		}
		if skip(); i == len(ws) || haveForms[ws[i].text] || finite(ws[i]) && ws[i].text != "be" {
			return 0, false
		}
		if ws[i].text != "be" {
			g.lemma = lemma(ws[i].text)
			return f.readParticle(i + 1)
		}
	case beForms[w]:
		g.tense = "past"
		if w != "was" && w != "were" {
			g.tense = "present"
		}
	case haveForms[w] && i+1 < len(ws):
		save, units := i, len(f.units)
		skip()
		if i == len(ws) || ws[i].text != "been" && !pastParticiple(ws[i]) {
			i, f.units = save, f.units[:units]
			g.tense, g.lemma = map[bool]string{true: "past", false: "present"}[w == "had"], "have"
			return i + 1, true
		}
		g.tense = map[bool]string{true: "pluperfect", false: "perfect"}[w == "had"]
		if ws[i].text != "been" {
			g.lemma = lemma(ws[i].text)
			return f.readParticle(i + 1)
		}
	default:
		g.tense, g.lemma = "past", lemma(w)
		if !finite(ws[i]) && !ambiguousPasts[w] {
			g.tense = "present"
		}
		return f.readParticle(i + 1)
	}
	// behind a form of be
	save, units := i, len(f.units)
	skip()
	if i < len(ws) && pastParticiple(ws[i]) && !intransitive[ws[i].text] {
		g.passive, g.lemma = true, lemma(ws[i].text)
		return f.readParticle(i + 1)
	}
	f.units = f.units[:units]
	g.link, g.lemma = true, "be"
	if g.no && save+1 < len(ws) {
		save++
	}
	return save + 1, i == len(ws) || !strings.HasSuffix(ws[i].text, "ing")
}

// pastParticiple reports whether a word is the participle of a verb.
func pastParticiple(w form) bool {
	return participle(w) && (participles[w.text] || !segment.Function(w.text)) && !pastOnly[w.text]
}

// lemma returns the base form of a verb, as all forms of it have it.
func lemma(w string) string { return segment.Stem(w) }

// readParticle reads the particle of the verb at i, as in blew down.
func (f *frame) readParticle(i int) (next int, ok bool) {
	if i < len(f.clause) && particles[f.clause[i].text] && f.endsParticle(i+1) {
		f.verb.lemma += " " + f.clause[i].text
		return i + 1, true
	}
	return i, true
}

// endsParticle reports whether the word before i, which may be a particle or a preposition, is a particle: with a noun phrase behind it
// the verb must be in the active voice.
func (f *frame) endsParticle(i int) bool {
	if i == len(f.clause) {
		return true
	}
	if _, n := timeAt(f.clause, i); n > 0 || preposition(f.clause, i) || adverbial(f.clause[i].text) {
		return true
	}
	return !f.verb.passive && !prepositions[f.clause[i-1].text]
}

// readUnits reads the phrases behind the verb.
func (f *frame) readUnits(i int) bool {
	ws := f.clause
	for i < len(ws) {
		w := ws[i]
		if _, n := timeAt(ws, i); n > 0 {
			f.add(unit{kind: timePhrase, start: i, end: i + n})
			i += n
			continue
		}
		if !w.upper && (adverbial(w.text) || manner[w.text] || directions[w.text] || adverbs[w.text] || isCount(w.text) || orderAdverbs[w.text] && !conjunction(w.text)) {
			f.add(unit{kind: adverbWord, start: i, end: i + 1})
			i++
			continue
		}
		if particles[w.text] && !f.verb.passive && len(f.units) > 0 && f.units[len(f.units)-1].kind == barePhrase && f.endsParticle(i+1) && (i+1 == len(ws) || !ws[i+1].upper) {
			f.verb.lemma += " " + w.text
			i++
			continue
		}
		if i == f.tail {
			f.add(unit{kind: openPhrase, start: i, end: len(ws)})
			return true
		}
		start := i
		u := unit{kind: barePhrase, start: i}
		if preposition(ws, i) {
			u.kind, u.prep = prepPhrase, w.text
			i++
		}
		k := f.chunk(i, f.tail)
		if k == i || i == f.tail {
			return false
		}
		if u.kind == prepPhrase && strings.HasSuffix(ws[i].text, "ing") && !ws[i].upper && k == i+1 && k < len(ws) && !preposition(ws, k) {
			k = f.chunk(k, f.tail) // for watering his milk
			if !f.isNoun(i+1, k) {
				return false
			}
		} else if !f.isNoun(i, k) && !(f.verb.link && u.kind == barePhrase && k == i+1) {
			return false
		}
		u.end = k
		if f.holdsVerb(start, k) {
			return false
		}
		f.add(u)
		i = k
	}
	return true
}

// opensInfinitive reports whether to before word i opens an infinitive, or may do so.
func opensInfinitive(ws []form, i int) bool {
	if i == len(ws) {
		return true
	}
	w := ws[i]
	return !w.upper && !segment.Determiner(w.text) && !startsDigit(w.text) && !strings.HasPrefix(w.text, subject) && person(nominative(w.text)) == "" && !quantifiers[w.text] && !money(ws, i)
}

// isCount reports whether a word says how often: twice, in the normal form.
func isCount(w string) bool { return startsDigit(w) && strings.HasSuffix(w, "times") }

// isNoun reports whether the words from i to k are one noun phrase.
func (f *frame) isNoun(i, k int) bool {
	return i < k && nounPhrase(withoutCount(f.clause[i:k])) && !slices.ContainsFunc(f.clause[i:k], func(w form) bool {
		return strings.HasSuffix(w.text, "ing") && !w.upper && w.text != f.clause[i].text && !limitsNoun(f.clause, i) && !startsDigit(f.clause[i].text) && segment.Stem(w.text) != w.text
	})
}

// withoutCount returns words without the number behind an owner: the company's three steamers.
func withoutCount(ws []form) []form {
	i := slices.IndexFunc(ws, func(w form) bool { return strings.HasSuffix(w.text, "'s") })
	if i < 0 || i+2 >= len(ws) || !startsDigit(ws[i+1].text) {
		return ws
	}
	return slices.Delete(slices.Clone(ws), i+1, i+2)
}

// add adds a unit and its words.
func (f *frame) add(u unit) {
	ws := f.clause[u.start:u.end]
	switch u.kind {
	case timePhrase:
		key, _ := timeAt(f.clause, u.start)
		u.words = []form{{text: key}}
	case prepPhrase:
		u.words = plainNoun(ws[1:])
	default:
		u.words = plainNoun(ws)
	}
	f.units = append(f.units, u)
}

// plainNoun returns a noun phrase as noun phrases are compared: a pronoun as subjects have it, the mayor's widow for
// the widow of the mayor.
func plainNoun(ws []form) []form {
	if len(ws) == 1 {
		w := ws[0]
		w.text = nominative(w.text)
		return []form{w}
	}
	of := slices.IndexFunc(ws, func(f form) bool { return f.text == "of" })
	if of < 2 || of+1 == len(ws) || ws[0].text != "the" {
		return ws
	}
	owner := slices.Clone(ws[of+1:])
	if slices.ContainsFunc(owner, func(f form) bool { return f.text == "of" || f.text == "and" }) || slices.ContainsFunc(ws[:of], func(f form) bool { return f.text == "and" }) ||
		person(nominative(owner[0].text)) != "" {
		return ws
	}
	if last := &owner[len(owner)-1]; !strings.HasSuffix(last.text, "s") { // the possessive of a plural in -s has no mark of its own
		last.text += "'s"
	}
	return append(owner, ws[1:of]...)
}
