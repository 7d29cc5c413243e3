package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

func (m *matcher) any(claims, given []frame) bool {
	return slices.ContainsFunc(claims, func(c frame) bool {
		return slices.ContainsFunc(given, func(e frame) bool { return m.entails(e, c) })
	})
}

// derived adds to the frames of a clause what they say besides: that my brother Thomas is my brother, and
// what is, the other way round.
func derived(out []frame) []frame {
	for _, f := range out {
		if who := f.subject; who != nil && len(who.and) == 0 && (who.det != "" && !quantifiers[who.det] || who.of != nil) && !f.negated {
			if t := names(who.words); t > 0 && t < len(who.words) && (f.tense == "past" || f.tense == "present") {
				as := *who
				as.words = who.words[:t]
				out = append(out, frame{verb: "be", tense: f.tense, subject: &noun{words: who.words[t:]}, object: &as, clause: f.clause, invariant: true})
			}
		}
		if f.verb == "be" && f.object != nil && len(f.adjuncts) == 0 && definite(f.subject) && definite(f.object) {
			g := f
			g.subject, g.object = f.object, f.subject
			out = append(out, g)
		}
	}
	return out
}

// inFiction tells a phrase such as in the play, on stage, of the novel.
func inFiction(ws []form) bool {
	for i, w := range ws {
		if !unreal[w.text] {
			continue
		}
		k := i - 1
		for k >= max(0, i-4) && !(opening[ws[k].text] && ws[k].text != "during") && ws[k].text != "as" {
			k--
		}
		if k >= max(0, i-4) && !verbal(ws[k:i]) {
			return true
		}
	}
	return false
}

// plainPlaces are nouns of places that cannot be a fiction.
var plainPlaces = set(`town village city house garden kitchen church market field barn cellar street square hospital school
	office harbour station forest valley river`)

// definite tells a phrase that means one thing: a name, or one with the or an owner.
func definite(n *noun) bool {
	return len(n.and) == 0 && (n.the || n.of != nil || names(n.words) == 0 || n.det != "" && !quantifiers[n.det])
}

// oneNamed returns the one named person that a sentence speaks of, nil when there is none or another.
func (m *matcher) oneNamed(ws []form, frames []frame) *noun {
	var who *noun
	for _, f := range frames {
		if f.subject == nil || len(f.subject.words) == 0 || len(f.subject.and) > 0 {
			continue
		}
		n := f.subject
		first := n.words[0].text
		if !maleNames[first] && !femaleNames[first] {
			return nil
		}
		if who != nil && who.words[0].text != first {
			return nil
		}
		who = n
	}
	if who == nil {
		return nil
	}
	moving := slices.ContainsFunc(ws, func(w form) bool { return motion[w.text] })
	for i, w := range ws {
		known := slices.ContainsFunc(who.words, func(f form) bool { return f.text == w.text })
		place := i > 0 && (ws[i-1].text == "in" || ws[i-1].text == "at" || ws[i-1].text == "near" || moving && (ws[i-1].text == "from" || ws[i-1].text == "to"))
		named := w.upper && !known && !place && !weekdays[w.text] && monthNumber[w.text] == ""
		male := maleNames[who.words[0].text]
		same := male && (maleNames[w.text] || hisWords[w.text] && w.text != "his") || !male && (femaleNames[w.text] || herWords[w.text] && w.text != "her")
		if named && !(male && femaleNames[w.text] || !male && maleNames[w.text]) || same && !known || w.text == "i" || w.text == subject {
			return nil
		}
	}
	return who
}

var motion = set(`came went returned travelled traveled moved walked rode drove sailed arrived fled emigrated`)

// entails tells whether a frame of the evidence says what one of the claim says.
func (m *matcher) entails(e, c frame) bool {
	if e.negated != c.negated || e.tense != c.tense {
		return false
	}
	mapped := map[string]bool{}
	plain := !slices.ContainsFunc(e.clause, func(f form) bool { return negations[f.text] || scoping[f.text] || quantifiers[f.text] })
	loose := plain && !e.invariant && e.event()
	if e.verb != c.verb && !(loose && !e.negated && widerVerb(c.verb, e.verb, 3)) {
		return false
	}
	counts := e.subject != nil && e.subject.count != "" || slices.ContainsFunc(e.adjuncts, func(a adjunct) bool { return a.noun != nil && a.noun.count != "" })
	nm := &nounMatcher{mapped: mapped, loose: loose, once: m.once, only: m.only}
	of := func(c, e *noun) bool { return nm.same(c, e) }
	if c.subject == nil && e.subject != nil && !plain {
		return false
	}
	symmetric := e.verb == lemma("marry") && c.subject != nil && c.object != nil && of(c.subject, e.object) && of(c.object, e.subject)
	if !symmetric {
		if c.subject != nil && (e.subject == nil || !of(c.subject, e.subject)) {
			return false
		}
		nm.list = plain && !counts
		if !of(c.object, e.object) {
			return false
		}
		nm.list = false
	}
	left := slices.Clone(e.adjuncts)
	where := make([]int, len(left)) // in e.adjuncts
	for i := range where {
		where[i] = i
	}
	var matched []int
	for _, a := range c.adjuncts {
		i := slices.IndexFunc(left, func(b adjunct) bool { return nm.sameAdjunct(a, b) })
		if i < 0 {
			return false
		}
		matched = append(matched, where[i])
		left, where = slices.Delete(left, i, i+1), slices.Delete(where, i, i+1)
	}
	if !attachedAlike(c, e, matched) {
		return false
	}
	for _, b := range left {
		if !(plain && e.event() && b.optional(nm) || c.verb == lemma("sell") && b.prep == "to" && plain && b.noun != nil) {
			return false
		}
	}
	for k := range mapped {
		m.mapped[k] = true
	}
	return true
}

// once tells whether a noun stands in the window once.
func (m *matcher) once(f form) bool {
	n := 0
	for _, w := range m.evidence {
		if segment.Stem(strings.TrimSuffix(w.text, "'s")) == segment.Stem(f.text) {
			n++
		}
	}
	return n <= 1
}

// only tells whether a word of a claim that names more than one of the evidence could there mean no other: of a
// mare and a pony "the horse" would be either.
func (m *matcher) only(c, e form) bool {
	return !slices.ContainsFunc(m.window, func(f form) bool {
		return f.text != e.text && (f.text == c.text || wider(c, f))
	})
}

// event tells whether a frame says what happened, so that when and where add to it.
func (f frame) event() bool {
	if f.verb == "be" {
		return !f.invariant
	}
	if f.tense != "past" || f.verb == "hav" || f.verb == "have" {
		return false
	}
	return !lastingStems[f.verb]
}

var lastingStems = func() map[string]bool {
	out := map[string]bool{}
	for w := range lasting {
		out[lemma(w)] = true
	}
	return out
}()

// sameAdjunct tells whether a phrase of a claim may stand for one of the evidence.
func (m *nounMatcher) sameAdjunct(c, e adjunct) bool {
	switch {
	case c.time != "" && e.time != "":
		return sameTime(c.time, e.time)
	case c.prep != e.prep || c.time != e.time:
		return false
	case c.subject != e.subject && !restricting[c.prep] && c.prep != "to":
		return false
	case c.noun != nil && e.noun != nil:
		return m.same(c.noun, e.noun)
	}
	return slices.EqualFunc(c.words, e.words, func(a, b form) bool { return sameWord(a, b) })
}

func sameTime(c, e string) bool {
	if c == e {
		return true
	}
	cs, es := strings.Fields(c), strings.Fields(e)
	switch {
	case isDate(c) && isDate(e):
		return holdsDate(c, e)
	case len(cs) == 1 && len(es) == 2 && weekdays[cs[0]]:
		return cs[0] == es[0] // Monday holds Monday evening
	case len(cs) == 1 && len(es) == 2 && isDate(c) && isDate(es[1]) && (dayParts[es[0]] || seasons[es[0]] && es[0] != "winter"):
		return holdsDate(c, es[1]) // a year holds its summer
	}
	return false
}

// optional tells whether a phrase may be left out of a statement of what happened.
func (a adjunct) optional(m *nounMatcher) bool {
	switch {
	case a.time != "":
		return !strings.HasPrefix(a.time, "every") && !strings.HasPrefix(a.time, "next")
	case a.prep == "" && len(a.words) == 1:
		return manner[a.words[0].text] || loosely[a.words[0].text]
	case a.noun == nil || !droppable[a.prep] && a.prep != byAgent:
		return false
	case slices.ContainsFunc(a.words, func(f form) bool {
		return unreal[f.text] || negations[f.text] || scoping[f.text] || isDate(f.text) && a.prep != "before" && a.prep != "after" && a.prep != "by"
	}):
		return false
	case a.after && restricting[a.prep]:
		return false
	}
	return plainPlaces[lastText(a.words)] || bearing[lastText(a.words)] || a.noun.said || names(a.noun.words) == 0 || a.noun.of != nil
}

func lastText(ws []form) string {
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1].text
}

// bearing are nouns without an article of phrases that add to what happened: in connection with, on suspicion of.
var bearing = set(`connection addition return exchange answer reply memory honour celebration preparation accordance church chapel school
	town hospital prison court harbour office`)

// droppable are prepositions of phrases that say when, where, with whom or for what something happened.
var droppable = set(`in on at near behind beside under over with from to for by before after during within into through across along`)

// restricting are those whose phrase behind "the thing" may say which thing.
var restricting = set(`in on at near behind beside under over with from`)
