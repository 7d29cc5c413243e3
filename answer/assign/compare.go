package assign

import (
	"slices"
	"strings"
)

// A comparison compares the frame of a claim with that of a clause of evidence.
type comparison struct {
	claim, given *frame
	left         *embedding      // tells which phrases of the evidence may be left out
	writer       map[string]bool // the pronouns that stand for a first person, as matcher.replaced has them
	partner      []int           // of each unit of the claim, the unit of the evidence; -1 for none
	used         []bool          // units of the evidence that have a partner or are an argument
}

// restatesClause reports whether a claim says of the same things, in the same roles, what a clause of evidence says, in another order or in the
// other voice.
func (m *matcher) restatesClause(claim, given *frame) bool {
	c := &comparison{claim: claim, given: given, left: newEmbedding(claim.clause, given.clause), writer: map[string]bool{}}
	m.evidence, m.replaced = given.clause, c.writer
	if c.left.verb < 0 || claim.verb.lemma != given.verb.lemma || claim.verb.link != given.verb.link || claim.verb.modal != given.verb.modal || claim.verb.no != given.verb.no || !sameTense(claim.verb.tense, given.verb.tense) {
		return false
	}
	if c.left.strict && (claim.verb.passive != given.verb.passive && slices.ContainsFunc(given.clause, counts) || slices.ContainsFunc(given.units, func(u unit) bool { return u.kind == adverbWord })) {
		return false
	}
	c.partner, c.used = make([]int, len(claim.units)), make([]bool, len(given.units))
	for i := range c.partner {
		c.partner[i] = -1
	}
	return c.arguments() && c.pairUnits() && c.keepsPlaces() && c.leavesOut() && m.unambiguous()
}

// counts reports whether a word says of how many something holds, so that the other voice may say it of others.
func counts(w form) bool {
	return quantifiers[w.text] || opaque[w.text] || negations[w.text] || scoping[w.text] && !ranks[w.text]
}

// sameTense reports whether a claim may tell in its tense what evidence tells in another.
func sameTense(claim, given string) bool {
	switch given {
	case "past", "pluperfect":
		return claim == "past" || claim == "pluperfect"
	case "perfect":
		return claim != "present"
	}
	return claim == given
}

// arguments pairs the subject of the claim, and in the other voice its object, with those of the evidence.
func (c *comparison) arguments() bool {
	cl, g := c.claim, c.given
	switch {
	case cl.verb.passive == g.verb.passive:
		return c.same(cl.subject, g.subject)
	case expletive(cl) && g.tail < len(g.clause):
		return c.takeArgument(cl, g.subject, prepPhrase, true)
	case expletive(g) && cl.tail < len(cl.clause):
		return c.pairAgent()
	case cl.verb.passive:
		return c.takeArgument(g, cl.subject, barePhrase, false) && c.dropOrPairAgent()
	default:
		return c.pairAgent() && c.takeArgument(cl, g.subject, barePhrase, true)
	}
}

// expletive reports whether the subject of a clause stands for its tail: it was announced that.
func expletive(f *frame) bool {
	return f.verb.passive && len(f.subject) == 1 && f.subject[0].text == "it" && f.tail < len(f.clause)
}

// takeArgument finds, in one of the frames, the phrase of a kind that says what the subject of the other frame says, with the phrases
// behind it that belong to it, and marks their units as used. swapped is set where the frame is the claim's.
func (c *comparison) takeArgument(f *frame, subject []form, kind int, swapped bool) bool {
	for i, u := range f.units {
		if u.kind != kind || u.front || kind == prepPhrase && u.prep != "by" {
			continue
		}
		begin := u.start
		if kind == prepPhrase {
			begin++
		}
		for k := i; k < len(f.units) && (k == i || f.units[k].kind == prepPhrase && f.units[k].start == f.units[k-1].end); k++ {
			words := plainNoun(f.clause[begin:f.units[k].end])
			if swapped && !c.same(words, subject) || !swapped && !c.same(subject, words) {
				continue
			}
			for n := i; n <= k; n++ {
				if swapped {
					c.partner[n] = argument
				} else {
					c.used[n] = true
				}
			}
			return true
		}
		if kind == barePhrase {
			return false // only the first object becomes the subject
		}
	}
	return false
}

// argument is the partner of units of the claim that the roles have paired.
const argument = -2

// dropOrPairAgent pairs the phrase with by of a claim in the passive with the subject of the evidence, which the claim may leave out.
func (c *comparison) dropOrPairAgent() bool {
	return c.takeArgument(c.claim, c.given.subject, prepPhrase, true) || c.left.event && !slices.ContainsFunc(c.given.clause, counts) && !c.given.mustBeWhole()
}

// pairAgent pairs the subject of a claim in the active voice with the phrase with by of the evidence, where that names a person, a body of
// persons or a force of nature: what was done by the river was not done by it.
func (c *comparison) pairAgent() bool {
	for i, u := range c.given.units {
		if u.kind == prepPhrase && u.prep == "by" && actor(u.words) && c.takeArgument(c.given, c.claim.subject, prepPhrase, false) {
			return c.used[i]
		}
	}
	return false
}

// actor reports whether a noun phrase names a person, a body of persons or a force of nature.
func actor(ws []form) bool {
	if len(ws) == 1 && (person(ws[0].text) != "" && ws[0].text != "it" || ws[0].text == subject) {
		return true
	}
	if i := slices.IndexFunc(ws, func(f form) bool { return f.text == "of" || f.text == "and" }); i > 0 {
		ws = ws[:i]
	}
	last := ws[len(ws)-1]
	if last.upper { // Bishop Rieger and Hannah Weir, not Bishop Street and Great Yarmouth
		place := slices.ContainsFunc(ws, func(f form) bool { return placeNames[f.text] || placeOpeners[f.text] })
		return !place && (len(ws) > 1 && !slices.ContainsFunc(ws, func(f form) bool { return !f.upper }) || slices.ContainsFunc(ws, func(f form) bool { return titles[f.text] || isPerson(f.text) }))
	}
	return !last.upper && (isPerson(last.text) || forces[last.text])
}

// pairUnits gives every unit of the claim a unit of the evidence that says the same.
func (c *comparison) pairUnits() bool {
	for i, u := range c.claim.units {
		if c.partner[i] == argument {
			continue
		}
		for k, g := range c.given.units {
			if !c.used[k] && u.kind == g.kind && u.prep == g.prep && c.sameUnit(u, g) {
				c.partner[i], c.used[k] = k, true
				break
			}
		}
		if c.partner[i] == -1 {
			return false
		}
	}
	return true
}

func (c *comparison) sameUnit(u, g unit) bool {
	if u.kind == timePhrase {
		a, b := u.words[0].text, g.words[0].text
		return a == b || isDate(a) && isDate(b) && !c.left.strict && containsDate(a, b)
	}
	if u.kind == openPhrase && len(u.words) < len(g.words) && g.words[len(u.words)].text == "and" && g.words[len(u.words)+1].text == "that" {
		return c.same(u.words, g.words[:len(u.words)]) // found that the door was open and that …
	}
	return c.same(u.words, g.words)
}

// same reports whether a phrase of the claim says word for word what one of the evidence says, with the writer in the third person. A title may be
// left out before two names.
func (c *comparison) same(claim, given []form) bool {
	if len(claim) < len(given) && !slices.ContainsFunc(claim, isTitle) {
		if plain := slices.DeleteFunc(slices.Clone(given), isTitle); len(plain) == len(claim) && len(plain) > 1 && plain[0].upper && plain[1].upper {
			given = plain
		}
	}
	return len(claim) == len(given) && slices.EqualFunc(claim, given, func(a, b form) bool {
		if a.text == b.text && (a.upper == b.upper || a.begin || b.begin) {
			return true
		}
		mapped := map[string]bool{}
		if !standsForWriter(a.text, b.text, mapped) {
			return false
		}
		for k := range mapped {
			c.writer[k] = true
		}
		return true
	})
}

func isTitle(w form) bool { return titles[w.text] && (w.upper || w.begin) }

// keepsPlaces reports whether each phrase of the claim belongs to the word to which it belongs in the evidence: it stands behind the same
// phrase, or it can belong to the verb alone in both.
func (c *comparison) keepsPlaces() bool {
	last := -1
	for i, u := range c.claim.units {
		k := c.partner[i]
		if k == argument {
			continue
		}
		g := c.given.units[k]
		if u.kind == barePhrase || u.kind == openPhrase {
			if k < last {
				return false
			}
			last = k
		}
		if u.kind == prepPhrase && !c.sameNeighbour(i, k) && !(c.given.free(k) && (mobile[u.prep] || spots[u.prep] || c.claim.free(i))) ||
			u.kind == timePhrase && !c.sameNeighbour(i, k) && !(c.given.timeFree(k) && c.claim.timeFree(i)) || u.kind == prepPhrase && u.front && !g.front && ofVerb(c.given, k) {
			return false
		}
	}
	return true
}

// ofVerb reports whether the phrase at k stands behind the verb and may be part of its sense: looked for.
func ofVerb(f *frame, k int) bool {
	u := f.units[k]
	return k > 0 && f.units[k-1].front && !f.verb.passive && !freePhrases[u.prep] || k == 0 && !u.front && !f.verb.passive && !freePhrases[u.prep]
}

// sameNeighbour reports whether unit i of the claim and unit k of the evidence stand behind units that are partners, or both behind the
// verb or at the beginning.
func (c *comparison) sameNeighbour(i, k int) bool {
	a, b := c.claim.units[i], c.given.units[k]
	if a.front != b.front || a.dative || b.dative {
		return false
	}
	before := func(f *frame, n int) int { // the unit that ends where unit n begins
		return slices.IndexFunc(f.units, func(u unit) bool { return u.end == f.units[n].start })
	}
	p, q := before(c.claim, i), before(c.given, k)
	if p < 0 || q < 0 {
		return p < 0 && q < 0
	}
	return c.partner[p] == q
}

// free reports whether unit k, a phrase with a preposition, belongs to the verb and to no noun before it.
func (f *frame) free(k int) bool {
	u := f.units[k]
	i := slices.IndexFunc(f.units, func(o unit) bool { return o.end == u.start })
	if i < 0 || u.front || u.dative {
		return true // it stands behind the verb, or first
	}
	before := f.units[i]
	switch {
	case before.kind == timePhrase || before.kind == adverbWord:
		return true
	case closedNoun(before.words):
		return before.kind == barePhrase || i == 0 || f.units[i-1].end != before.start || f.units[i-1].kind != prepPhrase || closedNoun(f.units[i-1].words)
	case u.prep == "into" || u.prep == "onto" || u.prep == "during" || u.prep == "by" && f.verb.passive && before.kind == prepPhrase && actor(u.words):
		return true
	case (u.prep == "for" || u.prep == "by") && len(u.words) > 0 && (startsDigit(u.words[0].text) || strings.ContainsAny(u.words[0].text, signs) || strings.HasSuffix(u.words[0].text, "ing")):
		return true
	case before.kind != barePhrase:
		return false
	case u.prep == "to":
		return transfers()[f.verb.lemma] && !leading[before.words[len(before.words)-1].text] && !actor(before.words)
	}
	return spots[u.prep] && placed()[f.verb.lemma]
}

// closedNoun reports whether words are a name, a pronoun, a date or a measure, which no phrase behind them describes.
func closedNoun(ws []form) bool {
	last := ws[len(ws)-1]
	if len(ws) == 1 && (person(last.text) != "" || last.text == subject || isDate(last.text)) || last.text == "percent" || measures[last.text] || startsDigit(last.text) {
		return true
	}
	return !slices.ContainsFunc(ws, func(f form) bool {
		return !f.upper && f.text != "the" && !titles[f.text] && f.text != subject && f.text != "of" && f.text != "and"
	})
}

// timeFree reports whether unit k, a phrase of time, says when the verb's deed was done, and not when what a noun before it names was or is to be: put off
// the meeting on Monday.
func (f *frame) timeFree(k int) bool {
	if f.units[k].front {
		return true
	}
	for {
		i := slices.IndexFunc(f.units, func(o unit) bool { return o.end == f.units[k].start })
		if i < 0 || f.units[i].kind == timePhrase || f.units[i].kind == adverbWord {
			return true
		}
		u := f.units[i]
		deed := slices.ContainsFunc(u.words, func(w form) bool { return !w.upper && isDeed(w.text) })
		if u.kind == openPhrase || deed && !(u.kind == barePhrase && placed()[f.verb.lemma]) {
			return false
		}
		k = i
	}
}

// singular returns a noun without the ending of the plural.
func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "men"):
		return strings.TrimSuffix(w, "men") + "man"
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "ses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes"):
		return strings.TrimSuffix(w, "es")
	}
	return strings.TrimSuffix(w, "s")
}

// leavesOut reports whether what the claim leaves out of the evidence may be left out.
func (c *comparison) leavesOut() bool {
	for k, u := range c.given.units {
		if c.used[k] {
			continue
		}
		if c.left.strict || c.given.mustBeWhole() {
			return false
		}
		switch u.kind {
		default:
			return false
		case timePhrase:
			if c.left.timePhrase(u.start) != u.end {
				return false
			}
		case adverbWord:
			if c.left.adverb(u.start) != u.end {
				return false
			}
		case prepPhrase:
			if u.front && !c.left.event || !u.front && c.left.phrase(u.start) != u.end {
				return false
			}
		}
	}
	return true
}
