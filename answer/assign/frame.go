package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// A frame is a clause taken apart: who did what to whom, when and where. Two clauses that give the same
// frame say the same, in the active or the passive, in whatever order.
type frame struct {
	verb      string // by stem; of synonyms the first; "be" for is and was
	tense     string // past, present, or an auxiliary such as will
	negated   bool
	subject   *noun // who does it; nil in a passive that does not say
	object    *noun
	adjuncts  []adjunct
	clause    []form // the words it was made of
	invariant bool   // nothing may be left out
}

// An adjunct is a phrase that says when, where, how or to whom.
type adjunct struct {
	prep    string // "" for an adverb or a time without a preposition
	noun    *noun
	words   []form // what it is made of, without the preposition
	time    string // the date, day or week, "" for others
	after   bool   // it follows a noun with the, and may say which is meant
	subject bool   // it follows the subject
	host    *noun  // the noun before it, of which it may say more; nil behind the verb and before the subject
}

// parseFrames returns the ways to read one clause; none where it is not understood.
func parseFrames(ws []form) []frame {
	for len(ws) > 2 && (conjunction(ws[0].text) || ws[0].text == "also" || ws[0].text == "afterwards" || ws[0].text == "meanwhile" || ws[0].text == comma) {
		ws = ws[1:]
	}
	v := predicate(ws)
	if v < 1 || slices.ContainsFunc(ws, func(f form) bool {
		return opaque[f.text] || germanVerbs[f.text] && !segment.FiniteVerb(f.text) && !pasts[f.text]
	}) {
		return nil
	}
	f := frame{clause: ws}
	before, ok := f.fronted(ws[:v])
	if !ok {
		return nil
	}
	if before, ok = f.attached(before); !ok {
		return nil
	}
	f.subject = parseNoun(before)
	if f.subject == nil {
		return nil
	}
	f.hosted()
	end, passive, ok := f.verbs(ws, v)
	if !ok {
		return nil
	}
	objects, ok := f.chunks(ws[end:])
	if !ok || f.gapped() {
		return nil
	}
	f.clause = timeless(ws)
	return f.roles(objects, passive)
}

// opaque are words of which it matters where they stand, or that make something else of their clause.
var opaque = set(`almost nearly only just hardly scarcely barely even merely rather being than if so`)

// pasts are past forms that can be other words, and are taken for verbs behind a subject.
var pasts = set(`rose fell left found felt lay saw bore shot wound struck led sank sunk met won lost sent shut cut put hit set read cost split spread shed burst cast beat let hurt`)

// predicate returns where the verb group of a clause begins, -1 for none.
func predicate(ws []form) int {
	for i := 1; i < len(ws); i++ {
		if (ws[i].text == "will" || ws[i].text == "may" || ws[i].text == "might") && segment.Determiner(ws[i-1].text) {
			continue // the will
		}
		if !finite(ws[i]) && !(pasts[ws[i].text] && !ws[i].upper && !segment.Determiner(ws[i-1].text)) {
			continue
		}
		// "the retired teacher": a participle between an article and a noun
		if participle(ws[i]) && segment.Determiner(ws[i-1].text) && slices.ContainsFunc(ws[i+1:], func(f form) bool { return finite(f) || pasts[f.text] }) {
			continue
		}
		return i
	}
	for i := 1; i < len(ws); i++ {
		if !ws[i].upper && strings.HasSuffix(ws[i].text, "s") && (presents[segment.Stem(ws[i].text)] || reported[segment.Stem(ws[i].text)] || ws[i].text == "lives") && nounLike(ws[:i]) {
			return i
		}
	}
	if i := 1; len(ws) > 2 && (person(ws[0].text) != "") && presents[segment.Stem(ws[1].text)] {
		return i
	}
	return -1
}

// nounLike tells a noun phrase, phrases behind it included.
func nounLike(ws []form) bool {
	ws, ok := new(frame).fronted(ws)
	if !ok {
		return false
	}
	head, ok := new(frame).attached(ws)
	return ok && parseNoun(head) != nil
}

// fronted takes the phrases before the subject into the frame and returns the subject's words.
func (f *frame) fronted(ws []form) ([]form, bool) {
	for len(ws) > 0 {
		n := 0
		a := adjunct{}
		if key, k := timeAt(ws, 0); k > 0 {
			a, n = adjunct{time: key, words: ws[:k]}, k
		} else if i := slices.IndexFunc(ws, func(w form) bool { return w.text == comma }); i > 1 && prepositions[ws[0].text] {
			a, n = adjunct{prep: ws[0].text, words: ws[1:i], noun: parseNoun(ws[1:i])}, i
			if a.noun == nil {
				return nil, false
			}
		} else if preposition(ws, 0) && len(ws) > 3 {
			k := chunkEnd(ws, 1)
			if k >= len(ws) || parseNoun(ws[1:k]) == nil {
				return nil, false
			}
			a, n = adjunct{prep: ws[0].text, words: ws[1:k], noun: parseNoun(ws[1:k])}, k
		} else if manner[ws[0].text] && len(ws) > 1 {
			a, n = adjunct{words: ws[:1]}, 1
		}
		if n == 0 {
			break
		}
		f.adjuncts = append(f.adjuncts, a)
		ws = ws[n:]
		if len(ws) > 0 && ws[0].text == comma {
			ws = ws[1:]
		}
	}
	// An adverb before the verb.
	for len(ws) > 1 && (adverbial(ws[len(ws)-1].text) || adverbs[ws[len(ws)-1].text]) && !ws[len(ws)-1].upper {
		last := ws[len(ws)-1:]
		if negations[last[0].text] {
			f.negated = !f.negated
		} else {
			f.adjuncts = append(f.adjuncts, adjunct{words: last})
		}
		ws = ws[:len(ws)-1]
	}
	return ws, len(ws) > 0
}

// attached takes the phrases behind the subject's noun into the frame: the houses in Mill Street.
func (f *frame) attached(ws []form) ([]form, bool) {
	end := len(ws)
	for i := 1; i < len(ws); i++ {
		if !preposition(ws, i) || ws[i].text == "of" {
			continue
		}
		end = min(end, i)
		n := chunkEnd(ws, i+1)
		a := adjunct{prep: ws[i].text, words: ws[i+1 : n], noun: parseNoun(ws[i+1 : n]), after: true, subject: true}
		if a.noun == nil {
			return nil, false
		}
		f.adjuncts = append(f.adjuncts, a)
		if n < len(ws) && !preposition(ws, n) {
			return nil, false
		}
		i = n - 1
	}
	return ws[:end], true
}

// preposition tells a preposition from the same word before a number: about 300.
func preposition(ws []form, i int) bool {
	if approximations[ws[i].text] != "" && i+1 < len(ws) && startsDigit(ws[i+1].text) {
		return false
	}
	return prepositions[ws[i].text] || moreplaces[ws[i].text] || ws[i].text == "off" && i+1 < len(ws) && ws[i+1].upper
}

var (
	beForms   = set(`is are was were am be been being`)
	haveForms = set(`has have had`)
	doForms   = set(`do does did`)
)

// participle tells a form that can follow was in a passive.
func participle(w form) bool {
	return !w.upper && (strings.HasSuffix(w.text, "ed") && len(w.text) > 3 || participles[w.text] || morePerfect[w.text] ||
		segment.FiniteVerb(w.text) && !segment.Function(w.text))
}

var morePerfect = set(`given taken written driven broken stolen chosen eaten seen known shown thrown drawn grown born done gone
	begun sung sunk torn worn beaten bitten forgotten forgiven hidden spoken sworn shaken ridden risen fallen flown blown sewn read put cut set hit shut won
	let lent led lit fed fled held kept left lost made met paid sent spent told heard found felt brought bought caught taught sold had`)

// verbs reads the verb group at v and returns where it ends.
func (f *frame) verbs(ws []form, v int) (end int, passive, ok bool) {
	aux := ""
	i := v
	for ; i < len(ws); i++ {
		w := ws[i].text
		switch {
		case w == "not" || w == "never":
			f.negated = !f.negated
		case i > v && (adverbial(w) || adverbs[w]) && i+1 < len(ws):
			f.adjuncts = append(f.adjuncts, adjunct{words: ws[i : i+1]})
		case beForms[w]:
			if aux == "" {
				f.tense = "present"
				if w == "was" || w == "were" {
					f.tense = "past"
				}
			}
			aux = "be"
		case haveForms[w] && aux == "" && i+1 < len(ws) && (participle(ws[i+1]) || ws[i+1].text == "been" || ws[i+1].text == "not" || ws[i+1].text == "never"):
			aux, f.tense = "have", "past"
		case doForms[w] && aux == "" && i+1 < len(ws) && !segment.Determiner(ws[i+1].text) && !prepositions[ws[i+1].text]:
			aux, f.tense = "do", "present"
			if w == "did" {
				f.tense = "past"
			}
		case (w == "will" || w == "can" || w == "may" || w == "must" || w == "shall" || w == "should" || w == "would" || w == "could") && aux == "":
			aux, f.tense = "modal", w
		case aux == "be" && participle(ws[i]):
			f.verb, end = phrasal(ws, i)
			return end, true, true
		case aux == "be":
			f.verb = "be"
			return i, false, true
		case aux == "have" && !participle(ws[i]):
			return 0, false, false
		default:
			if aux == "" {
				f.tense = "present"
				if (finite(ws[i]) || pasts[w]) && !haveForms[w] && !doForms[w] || w == "had" || w == "did" {
					f.tense = "past"
				}
				if pastToo[w] {
					f.tense = "" // I read
					if i > 0 && singular(f.subject) {
						f.tense = "past" // she read
					}
				}
			}
			f.verb, end = phrasal(ws, i)
			return end, false, true
		}
	}
	return 0, false, false
}

// phrasal returns the verb at i with a particle behind it, broke out, and where it ends.
func phrasal(ws []form, i int) (verb string, end int) {
	verb = lemma(ws[i].text)
	if i+1 < len(ws) && particles[ws[i+1].text] {
		return verb + " " + ws[i+1].text, i + 2
	}
	return verb, i + 1
}

var particles = set(`out up down off away back`)

// chunks reads what stands behind the verb: at most two noun phrases, and adjuncts.
func (f *frame) chunks(ws []form) (objects []*noun, ok bool) {
	the, first := false, 0 // first is where the first noun phrase ends
	var host *noun         // the noun phrase before
	for i := 0; i < len(ws); {
		if key, n := timeAt(ws, i); n > 0 {
			f.adjuncts = append(f.adjuncts, adjunct{time: key, words: ws[i : i+n]})
			i += n
			the = false
			continue
		}
		w := ws[i]
		switch {
		case w.text == comma:
			return nil, false
		case strings.HasSuffix(w.text, "times") && startsDigit(w.text):
			f.adjuncts = append(f.adjuncts, adjunct{words: ws[i : i+1]})
			i++
		case (adverbial(w.text) || floating(w.text)) && !w.upper && (i == 0 || !segment.Determiner(ws[i-1].text)):
			f.adjuncts = append(f.adjuncts, adjunct{words: ws[i : i+1]})
			the = false
			i++
		case f.infinitive(ws, i):
			do := ws[i+1:]
			if f.verb == forbidding {
				do = slices.Clone(do)
				do[0].text = lemma(do[0].text)
			}
			f.adjuncts = append(f.adjuncts, adjunct{prep: "to do", words: do})
			return objects, true
		case w.text == "from" && f.verb == forbidding && i+1 < len(ws) && strings.HasSuffix(ws[i+1].text, "ing"):
			doing := slices.Clone(ws[i+1:])
			doing[0].text = lemma(doing[0].text)
			f.adjuncts = append(f.adjuncts, adjunct{prep: "to do", words: doing})
			return objects, true
		case preposition(ws, i):
			n := chunkEnd(ws, i+1)
			a := adjunct{prep: w.text, words: ws[i+1 : n], noun: parseNoun(ws[i+1 : n]), after: the, host: host}
			if a.noun == nil {
				return nil, false
			}
			f.adjuncts = append(f.adjuncts, a)
			the, host = a.noun.the && plural(lastOf(a.noun.words)), a.noun
			i = n
		default:
			n := chunkEnd(ws, i)
			x := parseNoun(ws[i:n])
			if x == nil || len(objects) == 2 || len(objects) == 1 && i > first || hidden(ws[i:n]) {
				return nil, false
			}
			objects = append(objects, x)
			first = n
			the, host = x.the && plural(lastOf(x.words)), x
			i = n
		}
	}
	return objects, true
}

// forbidding is the verb behind which "from smoking" is "to smoke".
var forbidding = lemma("prohibit")

// gapped tells a clause that holds two: "came at six and the doctor at nine".
func (f *frame) gapped() bool {
	for i, a := range f.adjuncts {
		if a.noun == nil || len(a.noun.and) == 0 {
			continue
		}
		if i+1 < len(f.adjuncts) {
			return true
		}
	}
	return false
}

// floating tells adverbs that stand anywhere in a clause.
func floating(w string) bool {
	return adverbs[w] || w == "early" || directions[w] || loosely[w] && !conjunction(w)
}

var directions = set(`upstairs downstairs abroad home indoors outdoors`)

// hidden tells whether a verb stands in a noun phrase, other than a participle before its noun.
func hidden(ws []form) bool {
	for i, w := range ws {
		if finite(w) && !(i > 0 && i+1 < len(ws) && (segment.Determiner(ws[i-1].text) || startsDigit(ws[i-1].text) || ws[i-1].text == "of") && !segment.Function(w.text) && participle(w)) {
			return true
		}
	}
	return false
}

// timeless returns a clause without its phrases of time, whose first and last limit nothing else.
func timeless(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); i++ {
		if _, n := timeAt(ws, i); n > 0 {
			i += n - 1
			continue
		}
		out = append(out, ws[i])
	}
	return out
}

// infinitive tells whether "to" at i is followed by a verb: by a word that is no article, name or number
// and has something behind it, or is known as a verb.
func (f *frame) infinitive(ws []form, i int) bool {
	if ws[i].text != "to" || i+1 >= len(ws) {
		return false
	}
	w := ws[i+1]
	if w.upper || segment.Function(w.text) && w.text != "be" && w.text != "have" && w.text != "do" || startsDigit(w.text) || isDate(w.text) || strings.HasSuffix(w.text, "'s") {
		return false
	}
	return presents[segment.Stem(w.text)] || i+2 < len(ws) && segment.Function(ws[i+2].text)
}

func lastOf(ws []form) form { return ws[len(ws)-1] }

var moreplaces = set(`as until till since within across among along after before during around despite outside inside above below of per`)

// chunkEnd returns where a noun phrase that begins at i ends.
func chunkEnd(ws []form, i int) int {
	head := false // a noun stands already
	start := i
	for ; i < len(ws); i++ {
		w := ws[i]
		if w.text == comma || i > start && w.text != "of" && preposition(ws, i) ||
			(adverbial(w.text) && !w.upper && head) || strings.HasSuffix(w.text, "times") && startsDigit(w.text) || i > start && head && floating(w.text) {
			return i
		}
		if _, n := timeAt(ws, i); n > 0 && i > start && ws[i-1].text != "of" {
			return i
		}
		if i+1 < len(ws) && !preposition(ws, i) && approximations[w.text] != "" && startsDigit(ws[i+1].text) {
			continue
		}
		if w.text == "her" && !head && i+1 < len(ws) && (segment.Determiner(ws[i+1].text) || startsDigit(ws[i+1].text)) {
			head = true // her: gave her the book
			continue
		}
		det := segment.Determiner(w.text) || quantifiers[w.text] || startsDigit(w.text) || person(nominative(w.text)) != ""
		switch {
		case w.text == "and" || w.text == "of":
			head = false
		case det && (head || i > start && startsDigit(ws[i-1].text)):
			return i
		case !det || person(nominative(w.text)) != "" && w.text != "her":
			head = true
		}
	}
	return i
}

var feasts = set(`easter christmas michaelmas whitsun pentecost candlemas lammas martinmas noon midnight dawn dusk sunrise sunset daybreak nightfall
	dinner supper breakfast lunch luncheon tea church mass prayers sermon dark`)

var (
	relativeDays = set(`last next this every`)
	spans        = set(`easter christmas night week month year spring summer autumn winter morning evening afternoon monday tuesday wednesday thursday friday saturday sunday`)
)

// timeAt reads a phrase of time at i: a key that is the same for the same time, and how many words it has.
func timeAt(ws []form, i int) (key string, n int) {
	w := ws[i].text
	next := func(k int) string {
		if i+k < len(ws) {
			return ws[i+k].text
		}
		return ""
	}
	switch {
	case isDate(w):
		return w, 1
	case (w == "shortly" || w == "just" || w == "soon") && (next(1) == "before" || next(1) == "after"):
		if key, n := timeAt(ws, i+1); n > 0 {
			return w + " " + key, n + 1
		}
		return "", 0
	case w == "this" && next(1) == "day" || w == "that" && (next(1) == "day" || dayParts[next(1)] && next(1) != "day"):
		return w + " " + next(1), 2
	case w == "yesterday" || w == "today" || w == "tomorrow" || w == "tonight":
		return w, 1
	case relativeDays[w] && spans[next(1)] && !ws[i+1].begin:
		return w + " " + next(1), 2
	case weekdays[w] && (ws[i].upper || ws[i].begin):
		if dayParts[next(1)] {
			return w + " " + next(1), 2
		}
		return w, 1
	case w == "the" && (next(1) == "same" || next(1) == "following") && (spans[next(2)] || next(2) == "day"):
		return next(1) + " " + next(2), 3
	case (w == "at" || w == "by" || w == "before" || w == "after") && (feasts[next(1)] && i+1 < len(ws)):
		return w + " " + next(1), 2
	case (w == "over" || w == "during" || w == "in" || w == "throughout") && next(1) == "the" && (next(2) == "year" || next(2) == "week" || next(2) == "month" || next(2) == "day" || next(2) == "night" && w != "in"):
		return w + " " + next(2), 3
	case !timing[w] && w != "in":
		return "", 0
	}
	k := 1
	if next(k) == "the" {
		k++
	}
	switch {
	case isDate(next(1)):
		return next(1), 2
	case weekdays[strings.TrimSuffix(next(1), "s")] && strings.HasSuffix(next(1), "s"):
		return "every " + next(1), 2
	case weekdays[next(1)]:
		key, n = timeAt(ws, i+1)
		return key, n + 1
	case dayParts[next(k)] || seasons[next(k)]:
		key, n = next(k), k+1
		if (next(n) == "of" || next(n) == "on") && isDate(next(n+1)) {
			return key + " " + next(n+1), n + 2
		}
		return key, n
	}
	return "", 0
}
