package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// An embedding looks for a clause of a claim in one of the evidence: every word of the claim in its order, and
// between them only what may be left out.
type embedding struct {
	claim, given []form
	verb         int // where the verb of the evidence stands
	strict       bool
	event        bool
	seen         map[[3]int]bool // pairs of places from which nothing was found
	kept         map[int]bool    // places from which the evidence may not be left out
	mapped       map[string]bool
	once         func(form) bool
	only         func(c, e form) bool
}

// reading prepares a clause of evidence.
func reading(given []form) *embedding {
	e := &embedding{given: given, verb: predicate(given)}
	for i, w := range given {
		if key, n := timeAt(given, i); n > 0 && w.text == "last" && !strings.HasPrefix(key, "every") {
			continue // last year
		}
		e.strict = e.strict || negations[w.text] || scoping[w.text] || quantifiers[w.text] || opaque[w.text] || w.text == "or" || w.text == "nor"
	}
	e.event = e.verb >= 0 && happened(given, e.verb)
	return e
}

// embeds tells whether a clause of evidence says a clause of the claim.
func (m *matcher) embeds(claim, given []form) bool {
	e := reading(given)
	if e.verb < 0 || verbless(claim) {
		return false
	}
	e.claim, e.seen, e.once = claim, map[[3]int]bool{}, m.once
	e.only = m.only
	if !e.from(0, 0, false) {
		return false
	}
	for k := range e.mapped {
		m.mapped[k] = true
	}
	return true
}

func verbless(ws []form) bool { return predicate(ws) < 0 }

// happened tells a clause in the past, to which time and place add.
func happened(ws []form, v int) bool {
	w := ws[v].text
	if w == "was" || w == "were" {
		next := v + 1
		for next < len(ws) && (adverbial(ws[next].text) || adverbs[ws[next].text]) {
			next++
		}
		return next < len(ws) && (participle(ws[next]) || ws[next].text == "born" || ws[next].text == "present" || ws[next].text == "absent")
	}
	return !lasting[w] && !haveForms[w] && (w == "did" || !segment.Function(w)) && (finite(ws[v]) || pasts[w])
}

// from tells whether the claim from word i stands in the evidence from word j. open is set behind a phrase left
// out of which a phrase at j could say more.
func (e *embedding) from(i, j int, open bool) bool {
	at := [3]int{i, j, 0}
	if open {
		at[2] = 1
	}
	if e.seen[at] {
		return false
	}
	if i == len(e.claim) {
		if e.tail(j) {
			e.mapped = map[string]bool{}
			return true
		}
		e.seen[at] = true
		return false
	}
	if j < len(e.given) {
		for _, k := range e.same(i, j) {
			if open && e.begins(j) {
				break
			}
			if e.from(i+1, k, false) {
				mappedTo(e.claim[i].text, e.given[j].text, e.mapped)
				return true
			}
		}
		for _, k := range e.skips(j) {
			if i > 0 && e.from(i, k, e.opens(j, k) || open && e.timePhrase(j) == k) {
				return true
			}
		}
	}
	if e.claim[i].text == comma && e.from(i+1, j, open) {
		return true
	}
	e.seen[at] = true
	return false
}

// opens tells whether what is left out from word j to k is a phrase with a noun of which more could be said.
func (e *embedding) opens(j, k int) bool {
	return e.timePhrase(j) != k && e.phrase(j) == k && !closedPhrase(e.given[j].text, e.given[k-1])
}

// begins tells whether a phrase begins at word j that is none of time.
func (e *embedding) begins(j int) bool {
	if e.timePhrase(j) != 0 || !preposition(e.given, j) {
		return false
	}
	k := chunkEnd(e.given, j+1)
	if n := parseNoun(e.given[j+1 : k]); n != nil {
		return !detached(adjunct{prep: e.given[j].text, noun: n, words: e.given[j+1 : k]})
	}
	return true
}

// same returns the places behind word j of the evidence if word i of the claim may stand for it.
func (e *embedding) same(i, j int) []int {
	c, w := e.claim[i], e.given[j]
	switch {
	case sameForm(c, w), adopts(c.text, w.text, map[string]bool{}):
		return []int{j + 1}
	case i > 0 && j > 0 && j <= e.verb+1 && agrees(c.text, w.text) && firstPersonBefore(e.given[:j]):
		return []int{j + 1}
	case c.text == "the" && (w.text == "a" || w.text == "my" || w.text == "our" || w.text == "your" || w.text == "his" || w.text == "her" || w.text == "their" || w.text == "this"):
		return []int{j + 1}
	case c.text == "a" && (w.text == "the" || w.text == "my" || w.text == "our" || w.text == "his" || w.text == "her" || w.text == "1") && !e.strict && e.singularAt(j+1):
		return []int{j + 1}
	case isDate(c.text) && isDate(w.text) && holdsDate(c.text, w.text) && !e.strict:
		return []int{j + 1}
	case !e.strict && wider(c, w) && e.only(c, w):
		return []int{j + 1}
	}
	return nil
}

func sameForm(c, w form) bool {
	if c.upper != w.upper && !c.begin && !w.begin {
		return false
	}
	return c.text == w.text
}

func firstPersonBefore(ws []form) bool {
	return slices.ContainsFunc(ws, func(f form) bool { return f.text == "i" || f.text == "ich" })
}

// mappedTo notes for whom a first person was taken.
func mappedTo(c, w string, mapped map[string]bool) {
	if c != w {
		adopts(c, w, mapped)
	}
}

// singularAt tells whether the noun phrase at j is of one thing.
func (e *embedding) singularAt(j int) bool {
	n := chunkEnd(e.given, j)
	return n > j && !plural(e.given[n-1])
}

func plural(f form) bool {
	return !f.upper && (strings.HasSuffix(f.text, "s") && !strings.HasSuffix(f.text, "ss") && !strings.HasSuffix(f.text, "us") && segment.Stem(f.text) != f.text || irregularPlural[f.text])
}

var irregularPlural = set(`men women children feet teeth mice geese people cattle police oxen sheep brethren gentlemen wives knives`)

// skips returns where what begins at word j and may be left out ends.
func (e *embedding) skips(j int) []int {
	if e.strict || j == 0 {
		return nil
	}
	var out []int
	w := e.given[j]
	prev := e.given[j-1]
	if k := e.timePhrase(j); k > 0 {
		out = append(out, k)
	}
	if k := e.adverb(j); k > 0 {
		out = append(out, k)
	}
	if k := e.phrase(j); k > 0 {
		out = append(out, k)
	}
	if e.adjective(j) {
		out = append(out, j+1)
	}
	// "the ferry Rosalind", "my brother Thomas": the name may go.
	if k := nameEnd(e.given, j); k > j && !prev.upper && !segment.Function(prev.text) && !startsDigit(prev.text) && !finite(prev) && !titles[prev.text] && !kin[prev.text] && j >= 2 && !unnamed[prev.text] &&
		k < len(e.given) && (finite(e.given[k]) || pasts[e.given[k].text] || preposition(e.given, k)) {
		out = append(out, k)
	}
	_ = w
	return out
}

var unnamed = set(`street road river lake mount saint king queen uncle aunt cousin`)

func nameEnd(ws []form, j int) int {
	for j < len(ws) && ws[j].upper && !segment.Function(ws[j].text) && !strings.HasSuffix(ws[j].text, "'s") {
		j++
	}
	return j
}

// timePhrase returns where a phrase of time at j ends that may be left out.
func (e *embedding) timePhrase(j int) int {
	key, n := timeAt(e.given, j)
	if n == 0 || !e.event || strings.HasPrefix(key, "every") || strings.HasPrefix(key, "next") {
		return 0
	}
	return j + n
}

// adverb returns where an adverb at j ends that may be left out.
func (e *embedding) adverb(j int) int {
	w := e.given[j]
	if w.upper || governs(e.given, j) || adverbsKept[w.text] {
		return 0
	}
	if manner[w.text] || (loosely[w.text] || directions[w.text]) && !conjunction(w.text) && e.event || adverbial(w.text) && e.event {
		return j + 1
	}
	return 0
}

// adverbial tells a word that is an adverb by its ending.
func adverbial(w string) bool { return strings.HasSuffix(w, "ly") && len(w) > 4 && !notAdverbs[w] }

var (
	notAdverbs  = set(`family reply supply assembly july italy jelly belly bully early lonely ugly friendly elderly monthly weekly daily yearly fly rely only`)
	adverbsKept = set(`unsuccessfully approximately roughly exactly temporarily formerly previously initially originally mostly mainly largely chiefly
		usually generally normally nominally weekly daily monthly yearly annually regularly repeatedly frequently rarely narrowly slightly privately jointly
		equally respectively entirely completely wholly fully nearly simply`)
)

// leftOut are prepositions whose phrases may be left out of what happened.
var leftOut = set(`in on at near behind beside under over with from to for by before after during within into through across along upon about against
	off since among between around towards toward despite outside inside above below`)

// phrase returns where a phrase with a preposition at j ends that may be left out.
func (e *embedding) phrase(j int) int {
	charge := e.given[j].text == "of" && e.given[j-1].upper && charging[segment.Stem(e.given[e.verb].text)]
	if !e.event || !leftOut[e.given[j].text] && !charge || !preposition(e.given, j) && !charge {
		return 0
	}
	k := chunkEnd(e.given, j+1)
	inner := e.given[j+1 : k]
	if len(inner) == 0 || parseNoun(inner) == nil || slices.ContainsFunc(inner, func(f form) bool { return scoping[f.text] || f.text == "and" }) || curbed(e.given[j:k]) || inFiction(e.given[j:k]) || limited(e.given[j:k]) {
		return 0
	}
	if k < len(e.given) && (e.given[k].text == "and" || e.given[k].text == "or" || finite(inner[len(inner)-1])) {
		return 0
	}
	if j == e.verb+1 && !e.passive() && !placed[e.given[j].text] {
		return 0 // looked for, ran into
	}
	if j < e.verb && !e.subjectOne(j) {
		return 0
	}
	if j > e.verb && e.restricts(j) {
		return 0
	}
	return k
}

// charging are verbs, by stem, that have of what behind whom.
var charging = stemmed(`acquit convict cure rob inform relieve clear`)

// placed are prepositions whose phrase may go though it stands right behind its verb.
var placed = set(`in on at near with by during before after behind beside`)

func (e *embedding) passive() bool {
	return beForms[e.given[e.verb].text] && e.verb+1 < len(e.given)
}

// subjectOne tells whether the subject before j is one thing or a name, of which a phrase says more.
func (e *embedding) subjectOne(j int) bool {
	det := e.given[0].text
	return !plural(e.given[j-1]) && (det == "the" || det == "a" || e.given[j-1].upper || person(det) != "" || det == "my" || det == "our" || det == "his" || det == "her") || startsDigit(det)
}

// restricts tells whether a phrase at j may say which of several things its clause speaks of: "lost the cows
// in the barn" is not "lost the cows".
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

// adjective tells whether word j is an adjective, or a noun used as one, that may be left out.
func (e *embedding) adjective(j int) bool {
	w := e.given[j]
	if w.upper || j == 0 || j+1 >= len(e.given) || governs(e.given, j) || segment.Function(w.text) || keptAdjectives[w.text] || strings.HasSuffix(w.text, "est") || strings.HasSuffix(w.text, "'s") ||
		startsDigit(w.text) || isDate(w.text) || w.text == comma || ordinal[w.text] || finite(w) && !participle(w) || number(w.text) != "" || w.text == subject || months[w.text] || strings.HasPrefix(w.text, datemark) {
		return false
	}
	start := j
	for start > 0 && (plainAdjectives[e.given[start-1].text] || plainer[e.given[start-1].text]) {
		start--
	}
	if start == 0 {
		return false
	}
	det := e.given[start-1]
	next := e.given[j+1]
	if next.upper || segment.Function(next.text) || next.text == comma || startsDigit(next.text) || finite(next) || pasts[next.text] || next.text == subject {
		return false
	}
	counted := startsDigit(det.text) && !isDate(det.text)
	if !counted && (!segment.Determiner(det.text) && det.text != "a" || det.text == "no" || det.text == "that" || det.text == "this") {
		return false
	}
	known := plainAdjectives[w.text] || plainer[w.text] || adjectival(w.text)
	end := chunkEnd(e.given, j+1)
	if end <= j+1 || !known || !e.once(e.given[end-1]) {
		return false
	}
	return counted || !plural(e.given[end-1]) && (j > e.verb || e.event)
}

// adjectival tells by its ending a word that is an adjective.
func adjectival(w string) bool {
	if len(w) < 6 {
		return false
	}
	for _, s := range [...]string{"ful", "ous", "ish", "ive", "able", "ible", "less", "ical"} {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

var keptAdjectives = set(`other same whole main chief only such own north south east west northern southern eastern western upper lower left right inner outer front back
	possible impossible eligible responsible native active inactive massive relative tentative prospective respective executive legislative
	counterfeit sham mock dummy artificial imitation unsuccessful fruitless useless doubtful questionable apparent unable capable incapable negative positive native`)

// tail tells whether the evidence from word j on may be left out.
func (e *embedding) tail(j int) bool {
	if j == len(e.given) {
		return true
	}
	if e.strict || j == 0 || e.kept[j] {
		return false
	}
	if e.kept == nil {
		e.kept = map[int]bool{}
	}
	e.kept[j] = !e.rest(j)
	return !e.kept[j]
}

// rest is tail for a place not looked at before.
func (e *embedding) rest(j int) bool {
	for _, k := range e.skips(j) {
		if k != j+1 || e.timePhrase(j) == k || e.adverb(j) == k || e.phrase(j) == k {
			if e.tail(k) {
				return true
			}
		}
	}
	rest := e.given[j:]
	if limited(rest) || inFiction(rest) || slices.ContainsFunc(rest, func(f form) bool { return conditions[f.text] && !f.upper }) {
		return false
	}
	w, past := rest[0].text, e.event
	switch {
	case reasons[w] && past && len(rest) > 2 && (verbal(rest[1:]) || predicate(rest[1:]) > 0) && !remarked(rest):
		return w != "when" && w != "as" || pastClause(rest[1:])
	case w == "to" && past && len(rest) > 1 && j > e.verb+1 && !beForms[e.given[e.verb].text] && new(frame).infinitive(rest, 0):
		return true // to pay the rent
	case w == "and" && past && j > e.verb+1 && e.joinedTail(j):
		return true
	case w == "and" && past && j > e.verb+1 && len(rest) > 2:
		n := parseNoun(rest[1:])
		return n != nil && n.said && !curbed(rest)
	}
	return false
}

// reasons open a clause that says why, when, where.
var reasons = set(`because when while where since after before as although though whilst whereas weil obwohl während nachdem`)
