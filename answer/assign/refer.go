package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file finds for which noun phrase of a sentence a pronoun of the next stands. It answers only where one
// phrase fits in number and gender: two that fit, and a sentence that is no plain fact, give none.

// A reference is what the pronouns of a sentence stand for: wordings of one phrase for each.
type reference map[string][][]form

var (
	pronounOf = map[string]string{"he": "he", "him": "he", "she": "she", "her": "she", "it": "it", "they": "they", "them": "they"}
	genderOf  = map[string]string{"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she", "it": "it", "its": "it", "they": "they", "them": "they", "their": "they"}
)

// references returns for what the pronouns of next stand that may stand for phrases of ws.
func references(ws, next []form) reference {
	out := reference{}
	if len(ws) > maxTokens/2 || slices.ContainsFunc(ws, func(f form) bool { return f.text == "or" || negations[f.text] || f.text == "such" }) || curbed(ws) || limited(ws) || inFiction(ws) {
		return out
	}
	ps := identified(ws, phrases(ws))
	for _, p := range slices.Clone(ps) {
		if i := owner(p.words); i > 0 {
			o := phrase{words: slices.Clone(p.words[:i]), start: p.start, end: p.start + i, prep: "of"}
			o.words[i-1].text = strings.TrimSuffix(o.words[i-1].text, "'s")
			ps = append(ps, o)
		}
	}
	own := identified(next, phrases(next))
	for i, w := range next {
		kind := pronounOf[w.text]
		if kind == "" || out[kind] != nil || w.text == "her" && i+1 < len(next) && !preposition(next, i+1) && next[i+1].text != comma && !segment.Determiner(next[i+1].text) {
			continue
		}
		if slices.ContainsFunc(ws, func(f form) bool {
			return genderOf[f.text] == kind && f.text != "his" && f.text != "her" && f.text != "their"
		}) ||
			kind == "they" && slices.ContainsFunc(ws, func(f form) bool { return f.text == "and" }) ||
			slices.ContainsFunc(own, func(p phrase) bool {
				return p.start < i && p.fits(kind) && pronounOf[p.words[0].text] == "" && !partOf(next, p, i) && !ownDoer(next, p, i)
			}) {
			continue
		}
		fitting := slices.DeleteFunc(slices.Clone(ps), func(p phrase) bool { return !p.fits(kind) })
		if kind == "it" && len(fitting) > 1 {
			fitting = chosen(fitting, next, i, predicate(ws))
		}
		if len(fitting) != 1 {
			continue
		}
		if p := fitting[0]; (kind == "they") == p.many() && !quantifiers[p.words[0].text] {
			if (kind == "he" || kind == "she") && p.start > max(0, predicate(ws)) && !alonePerson(ps, p) {
				continue
			}
			out[kind] = wordings(ws, ps, p)
		}
	}
	return out
}

// partOf tells a number or a quantity of those for whom the pronoun at i stands: two of them.
func partOf(ws []form, p phrase, i int) bool {
	return i == p.end+1 && ws[p.end].text == "of" && len(p.words) == 1 && (startsDigit(p.words[0].text) || quantifiers[p.words[0].text])
}

// ownDoer tells the subject of the verb of which the pronoun at i is the object: it is somebody or something else.
func ownDoer(ws []form, p phrase, i int) bool {
	v := predicate(ws)
	return p.end == v && v < i && (i == v+1 || i == v+2 && preposition(ws, i-1)) || p.end == v && haveForms[ws[v].text] && i == v+2
}

// alonePerson tells whether every other phrase is the writer's, a place, or nobody's.
func alonePerson(ps []phrase, p phrase) bool {
	return !slices.ContainsFunc(ps, func(o phrase) bool {
		return o.start != p.start && o.prep == "" && !person1(o.words[0].text) && !collectives[lastOf(o.words).text]
	})
}

func person1(w string) bool { return person(nominative(w)) == "1" || w == subject || w == "my" }

// identified joins phrases that name the same: the secretary, Miss Quill; our curate is a Mr Finch.
func identified(ws []form, ps []phrase) []phrase {
	var out []phrase
	for _, p := range ps {
		if n := len(out); n > 0 {
			l := &out[n-1]
			gap := ws[l.end:p.start]
			apart := len(gap) == 1 && gap[0].text == comma && (p.end == len(ws) || ws[p.end].text == comma)
			is := len(gap) == 1 && beForms[gap[0].text] && l.start == 0 && titles[p.words[min(1, len(p.words)-1)].text]
			if (apart || is) && apposed(l.words, unarticled(p.words)) {
				l.same = unarticled(p.words)
				l.end = p.end
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// unarticled takes a from before a title: a Mr Finch.
func unarticled(ws []form) []form {
	if len(ws) > 1 && ws[0].text == "a" && titles[ws[1].text] {
		return ws[1:]
	}
	return ws
}

// chosen picks of several phrases for which it may stand the one that can do, or have done to it, what next says.
func chosen(ps []phrase, next []form, at, verb int) []phrase {
	v := predicate(next)
	if v < 0 || at > v {
		return ps
	}
	last := func(p phrase) string { return lastOf(p.words).text }
	switch {
	case deciding[segment.Stem(next[v].text)]:
		return slices.DeleteFunc(ps, func(p phrase) bool { return !deciders[last(p)] })
	case beForms[next[v].text] && v+3 < len(next) && making[stemOf(next[v+1])] && next[v+2].text == "by" && next[v+3].upper:
		for i := len(ps) - 1; i > 0; i-- {
			if ps[i].prep == "of" && ps[i-1].end == ps[i].start-1 && made[last(ps[i-1])] {
				ps = slices.Delete(ps, i, i+1) // a portrait of the house
			}
		}
		if slices.ContainsFunc(ps, func(p phrase) bool { return !made[last(p)] && !deciders[last(p)] }) {
			return ps
		}
		return slices.DeleteFunc(ps, func(p phrase) bool { return deciders[last(p)] })
	}
	return slices.DeleteFunc(ps, func(p phrase) bool {
		return p.start > verb && p.prep == "at" && len(p.words) == 3 && quarters[p.words[1].text] && sided[last(p)]
	})
}

var quarters = set(`east west north south eastern western northern southern`)

func stemOf(f form) string {
	s := segment.Stem(f.text)
	switch f.text {
	case "written":
		return segment.Stem("write")
	case "drawn":
		return segment.Stem("draw")
	}
	return s
}

// having are verbs behind which a thing is its subject's.
var having = set(`bought acquired got has had owns owned keeps kept`)

// wordings returns the ways to name a phrase of ws in the next sentence.
func wordings(ws []form, ps []phrase, p phrase) [][]form {
	base := definiteWords(p.words)
	out := [][]form{base}
	if len(base) > 1 && genderOf[base[0].text] != "" {
		out = append(out, slices.Concat([]form{{text: "the"}}, base[1:])) // his keys
	}
	if p.same != nil {
		return append(out, p.same)
	}
	v := predicate(ws)
	end := p.end
	for end+1 < len(ws) && preposition(ws, end) {
		i := slices.IndexFunc(ps, func(q phrase) bool { return q.start == end+1 })
		if i < 0 {
			break
		}
		prep, q := ws[end].text, ps[i]
		if inner := p.end <= v || p.start < v; !inner && !(prep == "of" || prep == "for" || prep == "from" || p.prep == "to" && (prep == "in" || prep == "at" || prep == "on" || prep == "near")) {
			break
		}
		end = q.end
		out = append(out, slices.Concat(base, ws[p.end:end]))
		if prep == "of" && len(out) == 2 && p.end == q.start-1 {
			out = slices.Delete(out, 0, 1) // a portrait of Captain Ross
			out = append(out, base)
		}
	}
	if end > p.end && p.start < v && end > v {
		out = out[:1]
	}
	if len(ps) > 1 && ps[0].end <= v && v >= 0 && p.words[0].text == "a" && p.start > v && having[ws[p.start-1].text] && !slices.ContainsFunc(ws, func(f form) bool { return f.text == "for" }) &&
		!slices.ContainsFunc(ws[ps[0].end:p.start], func(f form) bool { return f.text != "has" && f.text != "have" && !having[f.text] }) && ps[0].start == 0 && len(p.words) > 1 {
		owner := definiteWords(ps[0].words)
		owner[len(owner)-1].text += "'s"
		out = append(out, slices.Concat(owner, p.words[1:]))
	}
	return out
}

// definiteWords writes a phrase as one that is known: the for a, the before a number.
func definiteWords(ws []form) []form {
	out := slices.Clone(ws)
	switch {
	case out[0].text == "a":
		out[0].text = "the"
	case startsDigit(out[0].text):
		out = append([]form{{text: "the"}}, out...)
	case out[0].begin && !segment.Determiner(out[0].text) && (len(out) > 1 && out[1].upper || maleNames[out[0].text] || femaleNames[out[0].text]):
		out[0].upper = true
	}
	out[0].begin = false
	return out
}

// young are verbs of bearing, and who is born.
var young = map[string]string{"foaled": "foal", "calved": "calf", "lambed": "lamb", "kidded": "kid", "whelped": "whelp"}

// referred returns a clause with the phrases in place of its pronouns, in each wording.
func (r reference) referred(c []form) [][]form {
	if len(r) == 0 || len(c) > maxTokens/2 || empty(c) {
		return nil
	}
	done := [][]form{c}
	const most = 12
	for i := len(c) - 1; i >= 0; i-- {
		kind := pronounOf[c[i].text]
		if kind == "" || r[kind] == nil || i > 0 && !objectAt(c, i) {
			continue
		}
		for _, d := range slices.Clone(done) {
			for _, w := range r[kind] {
				if len(done) < most {
					done = append(done, slices.Concat(d[:i], w, d[i+1:]))
				}
			}
		}
	}
	return done[1:]
}

// objectAt tells whether the pronoun at i stands behind a verb or a preposition, or is the subject behind a
// phrase of time.
func objectAt(c []form, i int) bool {
	if c[i].text == "them" && c[i-1].text == "of" {
		return true
	}
	if i+1 < len(c) && (finite(c[i+1]) || pasts[c[i+1].text]) || i+1 < len(c) && c[i].text == "her" && !preposition(c, i+1) {
		n := 0
		if _, n = timeAt(c, 0); n == 0 && len(c) > 1 && preposition(c, 0) && isDate(c[1].text) {
			n = 2
		}
		return n == i && n > 0
	}
	return true
}

// empty tells a clause whose it or they stands for nothing: it was hoped that, it rained, they say.
func empty(c []form) bool {
	if c[0].text == "they" && len(c) > 1 {
		return reported[segment.Stem(c[1].text)] || curbed(c)
	}
	if c[0].text != "it" || len(c) < 2 {
		return c[0].text == "it"
	}
	if nothings[c[1].text] || haveForms[c[1].text] && len(c) > 2 && nothings[c[2].text] {
		return true
	}
	v := 1
	if beForms[c[1].text] || haveForms[c[1].text] && len(c) > 2 && c[2].text == "been" {
		for v < len(c) && (beForms[c[v].text] || haveForms[c[v].text] || adverbial(c[v].text)) {
			v++
		}
		return v == len(c) || !participle(c[v]) || slices.ContainsFunc(c[v:], func(f form) bool { return f.text == "that" || f.text == "to" || f.text == "who" })
	}
	return false
}

var nothings = set(`rained poured drizzled dawned snowed froze thawed hailed blew thundered rains snows seemed seems appeared appears happened happens took takes became turned got grew looked looks
	struck followed will would may might can could must should shall`)
