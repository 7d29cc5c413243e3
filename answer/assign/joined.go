package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file takes a claim that is joined from two adjacent sentences apart again: "the plans, presented by
// Mr Farrow, were approved" says that they were presented by him and that they were approved. One part must be
// said of the pronoun of the second sentence, and every other by the first.

// A jointed is a claim in parts: nothing of it stands outside of them.
type jointed struct {
	main   []form
	beside []form
}

// joined tells whether a claim is made of what the first sentence says and what the second says of it.
func (m *matcher) joined(c []form, first, referred []saying) bool {
	if len(referred) == 0 || len(first) == 0 || len(c) > maxTokens/2 {
		return false
	}
	for _, j := range jointsOf(c) {
		if m.part(j.main, referred) && m.part(j.beside, first) || m.part(j.main, first) && m.part(j.beside, referred) {
			return true
		}
	}
	return false
}

// part tells whether one part of a claim stands, under both names of what it ends with: by the secretary, Miss Quill.
func (m *matcher) part(c []form, given []saying) bool {
	if len(c) < 2 {
		return false
	}
	i := slices.IndexFunc(c, func(f form) bool { return f.text == comma })
	if i > 1 && i+1 < len(c) {
		end := i + 1
		for end < len(c) && c[end].text != comma {
			end++
		}
		k := i - 1
		for k > 0 && !segment.Determiner(c[k].text) {
			k--
		}
		if inner := c[i+1 : end]; names(inner) == 0 && apposed(c[k:i], inner) {
			rest := c[min(len(c), end+1):]
			return m.stands(slices.Concat(c[:i], rest), given) && m.stands(slices.Concat(c[:k], inner, rest), given)
		}
	}
	return m.stands(c, given)
}

// maxJoints bounds the ways to take a claim apart that are tried.
const maxJoints = 40

// jointsOf returns the ways to take a claim apart.
func jointsOf(c []form) []jointed {
	var out []jointed
	add := func(main, beside []form) {
		if len(out) < maxJoints && len(main) > 1 && len(beside) > 1 && !opensWithVerb(main) {
			out = append(out, jointed{main, beside})
		}
	}
	for i := 1; i < len(c); i++ {
		w := c[i]
		switch {
		case w.text == comma:
			thrownIn(c, i, add)
		case (w.text == "that" || w.text == "which" || w.text == "whom" || w.text == "who") && c[i-1].text != comma && i+2 < len(c):
			if x := lastPhrase(c[:i]); x >= 0 {
				restrictive(c, x, i, add)
			}
		case participle(w) && i+2 < len(c) && !beForms[c[i-1].text] && !haveForms[c[i-1].text] && !segment.Function(c[i-1].text) && !adverbial(c[i-1].text) &&
			c[i-1].text != comma && (preposition(c, i+1) || particles[c[i+1].text]):
			x := lastPhrase(c[:i])
			if x < 0 || verbal(c[:i]) {
				continue
			}
			for k := i + 3; k < len(c); k++ {
				if !finite(c[k]) {
					continue
				}
				inner := c[i:k]
				if lastOf(inner).text == comma {
					inner = inner[:len(inner)-1]
				}
				reducedTo(c[x:i], inner, slices.Concat(c[:i], c[k:]), add)
			}
		}
	}
	return out
}

func opensWithVerb(ws []form) bool { return finite(ws[0]) }

// pastOf returns the past of a verb whose participle is given, "" where it is not known.
func pastOf(w form) string {
	switch {
	case strings.HasSuffix(w.text, "ed"), pasts[w.text]:
		return w.text
	case irregularPasts[w.text] != "":
		return irregularPasts[w.text]
	}
	return ""
}

var irregularPasts = func() map[string]string {
	out := map[string]string{}
	for pair := range strings.FieldsSeq(`drawn-drew written-wrote taken-took given-gave broken-broke stolen-stole chosen-chose driven-drove eaten-ate grown-grew
		known-knew thrown-threw shown-showed seen-saw done-did begun-began sung-sang worn-wore torn-tore woven-wove built-built made-made bought-bought sold-sold
		lent-lent kept-kept held-held laid-laid paid-paid brought-brought taught-taught caught-caught hung-hung dug-dug told-told spoken-spoke hidden-hid`) {
		participle, past, _ := strings.Cut(pair, "-")
		out[participle] = past
	}
	return out
}()

// containing are verbs of which in may lead what by leads: enrolled in the trial.
var containing = stemmed(`enrol enroll include name list mention employ`)

// reducedTo adds a claim with a participle behind its noun.
func reducedTo(x, inner, main []form, add func(main, beside []form)) {
	was := form{text: "was"}
	if ps := phrases(x); len(ps) > 0 && ps[0].many() {
		was.text = "were"
	}
	add(main, slices.Concat(x, []form{was}, inner))
	if past := pastOf(inner[0]); past != "" {
		for by := 1; by <= 2 && by+1 < len(inner); by++ {
			n := chunkEnd(inner, by+1)
			if inner[by].text != "by" || n < len(inner) && !(inner[n].text == comma && names(inner[n+1:]) == 0) {
				continue
			}
			agent := inner[by+1:]
			if n < len(inner) {
				agent = slices.Concat(agent, []form{inner[n]})
			}
			add(main, slices.Concat(agent, []form{{text: past}}, inner[1:by], x))
		}
	}
	if containing[segment.Stem(inner[0].text)] && len(inner) > 2 && inner[1].text == "in" {
		by := slices.Clone(inner)
		by[1].text = "by"
		add(main, slices.Concat(x, []form{was}, by))
	}
}

// thrownIn adds what stands between the comma at i and the next: a participle, who and which, a name.
func thrownIn(c []form, i int, add func(main, beside []form)) {
	end := i + 1
	for end < len(c) && c[end].text != comma {
		end++
	}
	left, inner := c[:i], c[i+1:end]
	if len(inner) == 0 || len(left) == 0 {
		return
	}
	x := lastPhrase(left)
	if x < 0 {
		return
	}
	who := left[x:]
	if end == len(c) {
		// At the end: ", which Clara has finished writing", ", who was ill".
		if inner[0].text == "which" || inner[0].text == "whom" || inner[0].text == "who" {
			for _, beside := range relatedTo(who, inner[1:]) {
				add(left, beside)
				for k := x - 1; k > 1; k-- {
					if _, n := timeAt(left, k); n > 0 && k+n == x {
						add(slices.Concat(left[:k], who, left[k:x]), beside)
					}
				}
			}
		}
		return
	}
	rest := c[end+1:]
	if len(rest) == 0 || verbal(left) {
		return
	}
	whole := who
	if lead, ok := subjectOf(left); ok {
		whole = lead
	}
	main := slices.Concat(left, rest)
	switch {
	case inner[0].text == "who" || inner[0].text == "which" || inner[0].text == "whom":
		for _, beside := range relatedTo(whole, inner[1:]) {
			add(main, beside)
		}
	case participle(inner[0]) && len(inner) > 2:
		reducedTo(whole, inner, main, add)
	case !verbal(inner) && apposed(left, inner):
		for _, be := range [...]string{"is", "was"} {
			add(main, slices.Concat(whole, []form{{text: be}}, inner))
		}
	}
}

// subjectOf returns a noun phrase with the phrases behind it, without what leads to it.
func subjectOf(left []form) ([]form, bool) {
	rest, ok := new(frame).fronted(left)
	return rest, ok && nounLike(rest)
}

// relatedTo returns the statements that a relative clause may make of a phrase: as its subject, or as its object
// in any place behind the verb.
func relatedTo(who, inner []form) [][]form {
	if len(inner) == 0 {
		return nil
	}
	if startsVerb(inner) || pasts[inner[0].text] {
		return [][]form{slices.Concat(who, inner)}
	}
	v := predicate(inner)
	if v < 1 {
		return nil
	}
	var out [][]form
	for k := v + 1; k <= len(inner); k++ {
		if k < len(inner) && !preposition(inner, k) {
			continue
		}
		out = append(out, slices.Concat(inner[:k], who, inner[k:]))
	}
	return out
}

// restrictive adds a relative clause without commas, that begins at i and speaks of the phrase at x.
func restrictive(c []form, x, i int, add func(main, beside []form)) {
	who := c[x:i]
	if !verbal(c[:i]) {
		for k := i + 3; k < len(c); k++ {
			if !finite(c[k]) || beForms[c[k-1].text] || haveForms[c[k-1].text] {
				continue
			}
			for _, beside := range relatedTo(who, c[i+1:k]) {
				add(slices.Concat(c[:i], c[k:]), beside)
			}
		}
		return
	}
	for _, beside := range relatedTo(who, c[i+1:]) {
		add(c[:i], beside)
	}
}

// lastPhrase returns where the noun phrase at the end of words begins, with a phrase of which before it: the
// portrait of Captain Ross. -1 for none.
func lastPhrase(ws []form) int {
	ps := phrases(ws)
	if len(ps) == 0 || ps[len(ps)-1].end != len(ws) {
		return -1
	}
	k := len(ps) - 1
	for k > 0 && ps[k].prep == "of" && ps[k-1].end == ps[k].start-1 && !quantifiers[ps[k-1].words[0].text] && ps[k-1].words[0].text != "half" && !startsDigit(ps[k-1].words[0].text) {
		k--
	}
	return ps[k].start
}

// statedBy returns what the first sentence says for parts of a claim: besides its sayings, with the for his, her,
// its and their, without a before a title, and under each name of what has two.
func statedBy(ws []form, said []saying) []saying {
	out := slices.Clone(said)
	if !curbed(ws) && !limited(ws) && !inFiction(ws) {
		for _, p := range identified(ws, phrases(ws)) {
			if p.same == nil || p.end < len(ws) || slices.ContainsFunc(ws[:p.start], func(f form) bool { return f.text == comma }) {
				continue
			}
			out = append(out, newSaying(slices.Concat(ws[:p.start], p.words)), newSaying(slices.Concat(ws[:p.start], p.same)))
		}
	}
	for _, s := range said {
		ws, changed := []form{}, false
		for i, w := range s.words {
			switch {
			case (w.text == "her" || w.text == "his" || w.text == "its" || w.text == "their") && i > 0 && i+1 < len(s.words) && !segment.Function(s.words[i+1].text) && s.words[i+1].text != comma:
				ws, changed = append(ws, form{text: "the"}), true
			case w.text == "a" && i+1 < len(s.words) && titles[s.words[i+1].text]:
				changed = true
			default:
				ws = append(ws, w)
			}
		}
		if changed {
			out = append(out, newSaying(ws))
		}
	}
	return out
}

// referring returns what a sentence says of the phrases of the one before for which its pronouns stand.
func (m *matcher) referring(before, ws []form, said []saying) []saying {
	r := references(before, ws)
	var out []saying
	for _, s := range said {
		if s.resolved {
			continue
		}
		cs := r.referred(s.words)
		if b := born(before, s.words); b != nil {
			cs = append(cs, b)
		}
		for _, c := range cs {
			out = append(out, referredSaying(c))
			for _, short := range [][]form{firstOfTwo(c), beforeAnother(c)} {
				if short != nil {
					out = append(out, referredSaying(short))
				}
			}
		}
	}
	return out
}

func referredSaying(c []form) saying {
	s := newSaying(c)
	s.resolved = true
	return s
}

// firstOfTwo returns what stands before the and of a clause that says what there is, or that half did one thing
// and half another: nil for others.
func firstOfTwo(c []form) []form {
	i := slices.IndexFunc(c, func(f form) bool { return f.text == "and" })
	if i < 4 || i+2 >= len(c) || curbed(c[1:i]) || verbal(c[i:]) {
		return nil
	}
	if w := c[i+1]; c[i-1].upper && !w.upper && !segment.Function(w.text) && !conditions[w.text] && !doubts[w.text] && !remarks[w.text] && (c[i-2].text == "in" || c[i-2].text == "at") &&
		preposition(c, i+2) && c[i+2].text != "to" && !endsAbout(c[i:]) && !curbed(c[i+2:]) {
		return c[:i] // in Recife and swears in Portuguese
	}
	if c[0].text == "there" && beForms[c[1].text] && (startsDigit(c[i+1].text) || c[i+1].text == "a") || c[0].text == "half" && c[i+1].text == "half" {
		if slices.ContainsFunc(c[i:], func(f form) bool { return conditions[f.text] || doubts[f.text] && f.text != "half" || remarks[f.text] }) {
			return nil
		}
		return c[:i]
	}
	return nil
}

// beforeAnother returns what stands before an and that leads to another's present: preaches for an hour, and the children sleep.
func beforeAnother(c []form) []form {
	for i := len(c) - 4; i > 2; i-- {
		if c[i].text == "and" && segment.Determiner(c[i+1].text) && plural(c[i+2]) && presents[segment.Stem(c[i+3].text)] && !plural(c[i+3]) && !curbed(c[i:]) && !endsAbout(c[i:]) &&
			predicate(c[:i]) > 0 {
			return c[:i]
		}
	}
	return nil
}

// born names whose young a clause speaks of: the mare foaled; the foal is a bay.
func born(before, c []form) []form {
	if len(before) < 3 || len(c) < 3 || before[0].text != "the" || c[0].text != "the" || young[before[2].text] == "" || young[before[2].text] != c[1].text || curbed(before) || slices.ContainsFunc(before, func(f form) bool { return negations[f.text] }) {
		return nil
	}
	mother := before[1]
	mother.text += "'s"
	if strings.HasSuffix(before[1].text, "s") {
		return nil
	}
	return slices.Concat([]form{{text: "the"}, mother}, c[1:])
}
