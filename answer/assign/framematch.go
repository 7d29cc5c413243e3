package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// framed tells whether every statement of a claim is one of the window's, taken apart into frames. It
// returns "" or the test that failed.
func (m *matcher) framed(claim []form, window [][]form) string {
	m.mapped = map[string]bool{}
	c := normal(claim)
	if f := sameReach(c, window); f != "" {
		return f
	}
	var given []frame
	var before *noun // the one person the sentence before speaks of
	for _, ws := range window {
		ws = normal(ws)
		frames := statements(ws)
		for i := range frames {
			frames[i].he = before
		}
		given = append(given, frames...)
		before = m.oneNamed(ws, frames)
	}
	main, beside := unfold(c)
	for _, b := range beside {
		if !m.stated(b, given) {
			return "order"
		}
	}
	if !slices.ContainsFunc(main, func(ws []form) bool { return m.stated(ws, given) }) {
		return "order"
	}
	if !m.clear() {
		return "subject"
	}
	return ""
}

// stated tells whether each clause of a sentence has a frame among those given.
func (m *matcher) stated(ws []form, given []frame) bool {
	whole := parseFrames(ws)
	if m.any(whole, given) {
		return true
	}
	cs := clauses(ws)
	if len(cs) < 2 {
		return false
	}
	for _, c := range cs {
		if !m.any(parseFrames(c), given) {
			return false
		}
	}
	return true
}

func (m *matcher) any(claims, given []frame) bool {
	return slices.ContainsFunc(claims, func(c frame) bool {
		return slices.ContainsFunc(given, func(e frame) bool { return m.entails(e, c) })
	})
}

// statements returns the frames of a sentence of evidence.
func statements(ws []form) []frame {
	main, beside := unfold(ws)
	var out []frame
	for _, s := range slices.Concat(main, beside) {
		for _, c := range sayable(s) {
			out = append(out, parseFrames(c)...)
		}
	}
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

// sayable returns the clauses of a sentence that may each be said alone. Beyond what separate allows, a
// last clause may end with a phrase that cannot be about the clauses before it.
func sayable(ws []form) [][]form {
	if out := separate(ws); len(out) > 1 {
		return out
	}
	out := clauses(ws)
	if len(out) < 2 || slices.ContainsFunc(ws, func(w form) bool { return remarks[w.text] }) || inFiction(ws) {
		return [][]form{ws}
	}
	for i, part := range parts(ws) {
		part = slices.DeleteFunc(slices.Clone(part), func(w form) bool { return joining[w.text] })
		if i > 0 && len(part) > 0 && (finite(part[0]) && !joins(ws[indexOf(ws, part[0])-1].text) || remarking[part[0].text]) {
			return [][]form{ws}
		}
	}
	end := out[len(out)-1]
	for i := len(end) - 1; i > 0; i-- {
		if !opening[end[i].text] {
			continue
		}
		key, n := timeAt(end, i)
		bound := ownPhrase[end[i].text] && i+1 < len(end)
		bound = bound || end[i].text == "in" && i+2 < len(end) && end[i+1].text == "a"
		bound = bound || (end[i].text == "in" || end[i].text == "on" || end[i].text == "at") && plainPlaces[end[len(end)-1].text]
		if key == "" && n == 0 && !bound {
			return [][]form{ws}
		}
		break
	}
	return out
}

// inFiction tells a phrase such as in the play, on stage, of the novel.
func inFiction(ws []form) bool {
	for i, w := range ws {
		if unreal[w.text] && slices.ContainsFunc(ws[max(0, i-4):i], func(f form) bool { return opening[f.text] || f.text == "as" }) {
			return true
		}
	}
	return false
}

// ownPhrase are prepositions of phrases that belong to their own verb.
var ownPhrase = set(`by to for with from into through near of`)

// plainPlaces are nouns of places that cannot be a fiction.
var plainPlaces = set(`town village city house garden kitchen church market field barn cellar street square hospital school
	office harbour station forest valley river`)

func indexOf(ws []form, f form) int {
	return max(1, slices.IndexFunc(ws, func(w form) bool { return w == f }))
}

// definite tells a phrase that means one thing: a name, or one with the or an owner.
func definite(n *noun) bool {
	return len(n.and) == 0 && (n.the || n.of != nil || names(n.words) == 0 || n.det != "" && !quantifiers[n.det])
}

// sameReach tells whether words that reach over a whole sentence are the same in claim and evidence. A verb
// of writing with a plain object reports nothing, and is left to the comparison of frames.
func sameReach(c []form, window [][]form) string {
	evidence := []form{}
	for _, ws := range window {
		evidence = append(evidence, plainly(normal(ws))...)
	}
	return qualified(plainly(c), evidence)
}

// plainly takes out verbs of writing that have a plain object.
func plainly(ws []form) []form {
	var out []form
	for i, w := range ws {
		if i > 0 && i+1 < len(ws) && objectVerbs[segment.Stem(w.text)] && !segment.Function(w.text) {
			next := ws[i+1]
			before := ws[i-1].text
			object := next.text == "a" || next.text == "the" || startsDigit(next.text) || segment.Determiner(next.text) && next.text != "that" && next.text != "this" || next.text == "by" && beForms[before] || segment.Stem(w.text) == segment.Stem("teach") && next.upper || segment.Stem(w.text) == segment.Stem("teach") && beForms[before]
			if object && !slices.ContainsFunc(ws, func(f form) bool { return f.text == "that" || f.text == "if" }) && !slices.ContainsFunc(ws[i+1:], verbBehind(ws, i)) {
				continue
			}
		}
		switch w.text {
		case "as":
			if i > 0 && i+1 < len(ws) && (ws[i+1].text == "a" || ws[i+1].text == "the") && !slices.ContainsFunc(ws, func(f form) bool {
				return unreal[f.text] || f.text == "not" || f.text == "such" || f.text == "same"
			}) && !verbal(ws[i+1:]) {
				continue // worked as a smith
			}
		case "resolved":
			w.text = "decided"
		case "saved":
			continue // rescued, not excepted
		}
		out = append(out, w)
	}
	return out
}

// verbBehind tells a verb that comes in the same clause as the word at i: "wrote the mill had burned".
func verbBehind(ws []form, i int) func(form) bool {
	closed := false
	return func(f form) bool {
		closed = closed || conjunction(f.text) || f.text == comma || f.text == "who" || f.text == "which"
		return !closed && finite(f)
	}
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
		if named || maleNames[w.text] && !known || femaleNames[w.text] && !known || hisWords[w.text] && !(w.text == "his" && maleNames[who.words[0].text]) || herWords[w.text] || w.text == "i" || w.text == subject {
			return nil
		}
	}
	return who
}

var motion = set(`came went returned travelled traveled moved walked rode drove sailed arrived fled emigrated`)

// entails tells whether a frame of the evidence says what one of the claim says.
func (m *matcher) entails(e, c frame) bool {
	if e.verb != c.verb || e.negated != c.negated || e.tense != c.tense {
		return false
	}
	mapped := map[string]bool{}
	plain := !slices.ContainsFunc(e.clause, func(f form) bool { return negations[f.text] || scoping[f.text] || quantifiers[f.text] })
	loose := plain && !e.invariant && e.event()
	counts := e.subject != nil && e.subject.count != "" || slices.ContainsFunc(e.adjuncts, func(a adjunct) bool { return a.noun != nil && a.noun.count != "" })
	nm := &nounMatcher{mapped: mapped, loose: loose, once: m.once, he: e.person()}
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
	for _, a := range c.adjuncts {
		i := slices.IndexFunc(left, func(b adjunct) bool { return nm.sameAdjunct(a, b) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
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

// person returns for whom he or she in a frame may stand, if their kinds agree.
func (f frame) person() *noun {
	if f.he == nil || f.subject == nil || len(f.subject.words) != 1 {
		return nil
	}
	first := f.he.words[0].text
	switch f.subject.words[0].text {
	case "he":
		if maleNames[first] {
			return f.he
		}
	case "she":
		if femaleNames[first] {
			return f.he
		}
	}
	return nil
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
	case c.subject != e.subject && c.prep != "in" && c.prep != "on" && c.prep != "at" && c.prep != "near" && c.prep != "to":
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
	case len(cs) == 1 && len(es) == 2 && isDate(c) && isDate(es[1]) && seasons[es[0]] && es[0] != "winter":
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
	return plainPlaces[lastText(a.words)] || a.noun.said || names(a.noun.words) == 0 || a.noun.of != nil
}

func lastText(ws []form) string {
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1].text
}

// droppable are prepositions of phrases that say when, where, with whom or for what something happened.
var droppable = set(`in on at near behind beside under over with from to for by before after during within into through across along`)

// restricting are those whose phrase behind "the thing" may say which thing.
var restricting = set(`in on at near behind beside under over with from`)
