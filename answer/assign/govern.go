package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file tells which words of a sentence govern others: what they govern is not said as a fact, or only
// within a limit, and a claim that leaves them out says more.

var (
	// conditions make what they stand beside depend on something, wherever it stands.
	conditions = set(`if unless whether provided providing supposing assuming lest except excepting excepted save until till otherwise
		whenever once wenn falls sofern ob bis sonst subject pending conditional conditionally condition
		instead rather neither nor either or oder entweder weder`)
	// reported are verbs and nouns, by stem, of saying, thinking, wishing and planning.
	reported = join(stemmed(`say tell claim believe think hope wish want intend plan expect fear suppose imagine dream pretend deny doubt
		allege assert insist swear report suggest imply suspect guess estimate predict forecast warn threaten promise propose
		hear rumour rumor gossip boast fancy assume presume consider reckon judge deem argue complain maintain contend
		state declare announce admit confess explain write add remark reply answer observe recall agree assure convince
		order command advise ask request demand urge recommend invite instruct decide resolve offer try attempt
		refuse fail forget decline seem appear vow pledge aim mean seek accuse charge invent lie read teach cry exclaim whisper
		expected rule prefer aspire purport`), set(`according supposed supposedly allegedly reportedly apparently presumably laut angeblich
		heißt hieß sagt sagte sagen schreibt schrieb glaubt glaubte meint meinte behauptet behauptete log soll sollen sollte dass daß`))
	// doubts weaken a statement wherever they stand in it.
	doubts = set(`perhaps maybe probably possibly presumably likely unlikely seemingly evidently apparently conceivably ostensibly purportedly
		theoretically nominally hypothetically potentially reputedly traditionally popularly putatively notionally professedly avowedly
		legendarily proverbially virtually practically technically officially provisionally tentatively
		allegedly reportedly supposedly falsely wrongly mistakenly jokingly ironically fictitiously almost nearly only hardly scarcely barely
		merely partly partially half all-but not never without no none nobody nothing nowhere rarely seldom sometimes occasionally
		would could might may must should ought shall will can cannot
		vielleicht wahrscheinlich fast beinahe würde könnte hätte wäre nicht nie kein keine`)
	// limiting are phrases that say in what sense something holds.
	limiting = [][]string{{"on", "paper"}, {"in", "theory"}, {"in", "principle"}, {"in", "name"}, {"on", "condition"}, {"at", "least"}, {"at", "most"},
		{"at", "best"}, {"so", "to"}, {"as", "it", "were"}, {"as", "if"}, {"as", "though"}, {"but", "for"}, {"subject", "to"}, {"in", "part"},
		{"as", "long"}, {"so", "long"}, {"as", "soon"}, {"in", "case"}, {"in", "the", "event"}, {"so", "called"}, {"no", "doubt"}, {"i", "mean"},
		{"up", "to"}, {"as", "good", "as"}, {"as", "a", "joke"}, {"in", "jest"}, {"all", "but"}, {"on", "trial"}, {"for", "sale"}, {"far", "from"},
		{"close", "to"}, {"short", "of"}, {"little", "short"}, {"had", "it", "not"}, {"that", "is"}, {"in", "effect"}, {"more", "or"}}
)

// curbed tells whether words hold one that keeps what stands beside it in its clause from being a plain fact.
func curbed(ws []form) bool {
	for i := range ws {
		if governs(ws, i) {
			return true
		}
	}
	return false
}

// governs tells whether word i keeps its clause from being a plain fact. A noun such as the answer does not.
func governs(ws []form, i int) bool {
	w := ws[i].text
	switch {
	case ws[i].upper:
		return false
	case (w == "will" || w == "may" || w == "might" || w == "can") && i > 0 && segment.Determiner(ws[i-1].text) && ws[i-1].text != "that" && ws[i-1].text != "this":
		return false // the will
	case w == "half" && i+1 < len(ws) && segment.Determiner(ws[i+1].text):
		return false
	case conditions[w], doubts[w], remarks[w], beliefs[w], privatives[w] && !ordinal[w]:
		return true
	}
	stem := segment.Stem(w)
	if towards[stem] {
		return i+1 < len(ws) && (ws[i+1].text == "to" || ws[i+1].text == "that" || ws[i+1].text == "as") || i+1 == len(ws)
	}
	return (reported[w] || reported[stem]) && !nominal(ws, i) && !plainVerb(ws, i)
}

// plainVerb tells a verb such as wrote that has a thing for its object, and reports nothing: wrote a letter, was
// written in May.
func plainVerb(ws []form, i int) bool {
	if !objectVerbs[segment.Stem(ws[i].text)] {
		return false
	}
	passive := i > 0 && beForms[ws[i-1].text]
	if i+1 == len(ws) {
		return passive
	}
	next := ws[i+1].text
	if segment.Stem(ws[i].text) == segment.Stem("teach") && ws[i+1].upper {
		return true
	}
	if segment.Stem(ws[i].text) == segment.Stem("write") && next == "to" && !verbal(ws[i+1:]) && !slices.ContainsFunc(ws, func(f form) bool { return f.text == "that" }) {
		return true
	}
	object := next == "a" || startsDigit(next) || segment.Determiner(next) && next != "that" && next != "this" || passive && next != "to" && next != "that"
	if !object {
		return false
	}
	for _, f := range ws[i+1:] {
		if f.text == comma || joins(f.text) || f.text == "who" || f.text == "which" {
			return true
		}
		if finite(f) || f.text == "that" || f.text == "if" || f.text == "to" && !passive && next == "that" {
			return false
		}
	}
	return true
}

// towards are verbs that govern only what follows with to: appeared to burn.
var towards = stemmed(`appear happen aim decline`)

// curbs returns the words of a clause that govern it, sorted.
func curbs(ws []form) []string {
	var out []string
	for i, w := range ws {
		if governs(ws, i) || negations[w.text] || w.text == "used" && i+1 < len(ws) && ws[i+1].text == "to" || w.text == "going" {
			out = append(out, segment.Stem(w.text))
		}
	}
	slices.Sort(out)
	return out
}

// nominal tells a word that is a noun where it stands, though others of its form are verbs.
func nominal(ws []form, i int) bool {
	if i == 0 || strings.HasSuffix(ws[i].text, "ed") || strings.HasSuffix(ws[i].text, "ing") {
		return false
	}
	before := ws[i-1]
	return segment.Determiner(before.text) && before.text != "that" && before.text != "this" || preposition(ws, i-1) && before.text != "to" || startsDigit(before.text) || strings.HasSuffix(before.text, "'s") || plainAdjectives[before.text]
}

var (
	beliefs = set(`mistaken mistakenly untrue wrong false rumoured`)
	ordinal = set(`second third next last first`)
)

// hearsays are nouns, by stem, of what people tell, hold or dream, and heardBy the prepositions before them in a
// phrase that makes what stands beside it somebody's word: by local tradition, in his view, from all accounts.
var (
	hearsays = stemmed(`tradition legend account report repute reputation hearsay rumour rumor gossip story tale lore folklore myth fable belief
		superstition opinion view judgement judgment estimation estimate telling version imagination fancy dream nightmare theory hypothesis
		guess supposition assumption claim allegation conjecture speculation memory recollection forecast prediction prophecy plan intention proposal draft`)
	heardBy = set(`by in from per according following after under`)
)

// hearsay tells a phrase that begins at i and makes its clause somebody's word.
func hearsay(ws []form, i int) bool {
	if !heardBy[ws[i].text] {
		return false
	}
	for j := i + 1; j < min(len(ws), i+6) && ws[j].text != comma; j++ {
		if w := ws[j].text; hearsays[segment.Stem(w)] && !ws[j].upper {
			// In view of the cost, in memory of her, under plans for it: what is meant is no one's word.
			return j > i+1 || j+1 == len(ws) || ws[j+1].text != "of" && ws[j+1].text != "for"
		}
	}
	return false
}

// limited tells a phrase of limiting in words, or one of hearsay.
func limited(ws []form) bool {
	for i := range ws {
		if hearsay(ws, i) {
			return true
		}
		for _, l := range limiting {
			if phraseAt(ws[i:], l) {
				return true
			}
		}
	}
	return false
}

// conditional tells a clause that only supposes: if he comes, had he come.
func conditional(ws []form) bool {
	if slices.ContainsFunc(ws[:min(len(ws), 3)], func(f form) bool { return conditions[f.text] && !f.upper }) {
		return true
	}
	next := form{}
	if len(ws) > 1 {
		next = ws[1]
	}
	return inverted[ws[0].text] && (next.upper || segment.Pronoun(next.text) || segment.Determiner(next.text) || next.text == "there" || next.text == "only" || next.text == subject)
}

// reports tells a piece with a verb of saying, thinking, wishing, unless it has a plain object and nothing
// more: "wrote a letter" reports nothing.
func reports(ws []form) bool {
	for i, w := range ws {
		if w.upper || conditions[w.text] || doubts[w.text] || !reported[w.text] && !reported[segment.Stem(w.text)] || !governs(ws, i) {
			continue
		}
		return true
	}
	return false
}

// governsRight tells whether a piece governs what follows it, up to the end of the sentence.
func governsRight(ws []form, next piece) bool {
	switch {
	case conditional(ws), limited(ws), inFiction(ws), slices.ContainsFunc(ws, func(f form) bool { return (conditions[f.text] || remarks[f.text] || beliefs[f.text]) && !f.upper }):
		return true
	case factive(ws) > 0:
		return false
	case label(ws, next):
		return false
	case reports(ws):
		return !((directs(ws) || next.words[0].text == "but") && next.startsAnew())
	case !verbal(ws) && predicate(ws) < 0:
		return !inert(ws)
	case ws[0].text == "when" || ws[0].text == "once" || ws[0].text == "wenn":
		return !pastClause(ws)
	}
	return slices.ContainsFunc(ws, func(f form) bool { return unreal[f.text] && !f.upper && reported[segment.Stem(f.text)] })
}

// directive are verbs, by stem, of what is to happen: what follows in a clause of its own is none of it.
var directive = stemmed(`propose order ask intend want plan promise decide resolve offer try refuse decline fail forget command request invite`)

// directs tells a piece whose only verb of saying is directive.
func directs(ws []form) bool {
	n := 0
	for i, w := range ws {
		if governs(ws, i) && (reported[w.text] || reported[segment.Stem(w.text)]) {
			if !directive[segment.Stem(w.text)] {
				return false
			}
			n++
		}
	}
	return n == 1
}

// startsAnew tells a piece that begins with and, a subject and its verb in the past.
func (p piece) startsAnew() bool {
	ws := p.words
	if len(ws) < 3 || !joins(ws[0].text) || !opens(ws[1:]) {
		return false
	}
	return pastClause(ws[1:]) && !slices.ContainsFunc(ws, func(f form) bool { return f.text == "be" || f.text == "should" })
}

// label tells a heading before a colon or stop: Resolved: …, Item 3. …
func label(ws []form, next piece) bool {
	return next.stop == ':' && len(ws) == 1 && (ws[0].text == "resolved" || ws[0].text == "decided" || ws[0].text == "agreed")
}

// inert tells a piece without a verb that may be left out: it holds no word that governs.
func inert(ws []form) bool {
	for i, w := range ws {
		if i == 0 && (w.text == "without" || w.text == "after" || w.text == "following") {
			continue
		}
		if (w.text == "no" || w.text == "not") && i >= 1 && strings.HasSuffix(ws[i-1].text, "ing") {
			continue // there being no other candidate
		}
		if governs(ws, i) || scopingTail[w.text] && !(w.text == "half" && i+1 < len(ws) && segment.Determiner(ws[i+1].text)) {
			return false
		}
	}
	return !limited(ws) && !inFiction(ws)
}

var scopingTail = set(`than except most least half`)

// governsLeft tells whether a piece governs what stands before it in the sentence.
func governsLeft(ws []form) bool {
	first := ws[0].text
	body := ws
	for len(body) > 1 && (conjunction(body[0].text)) {
		body = body[1:]
	}
	joined := len(body) < len(ws)
	switch {
	case limited(ws), inFiction(ws), remarked(ws), conditional(body), slices.ContainsFunc(ws, func(f form) bool { return remarks[f.text] && !f.upper }):
		return true
	case relative(ws):
		return false
	case (first == "whatever" || first == "whoever") && !slices.ContainsFunc(ws, func(f form) bool { return conditions[f.text] && !f.upper }):
		return false // whatever they may have told you
	case slices.ContainsFunc(ws, func(f form) bool { return conditions[f.text] && !f.upper }):
		return true
	case strings.HasSuffix(first, "ing") && !segment.Determiner(first):
		return slices.ContainsFunc(ws[:1], func(f form) bool { return conditions[f.text] }) // saying that …, having cost …
	case first == "though" || first == "although" || first == "while" || first == "whereas" || first == "because" || first == "since" || first == "obwohl" || first == "weil":
		return false
	case first == "as" && len(ws) > 2 && len(ws) < 5 && ws[1].text == "you" && asYou[ws[2].text]:
		return false // as you wished
	case first == "when" || first == "as":
		return !pastClause(ws) || reports(ws)
	case !verbal(ws) && predicate(ws) < 0:
		return !inert(body)
	case finite(body[0]) && !joined && !describes(body):
		return true // ", invented the priest"
	case reports(body):
		return !(joined && complemented(body)) && !bareInfinitive(ws)
	}
	return false
}

// asYou are verbs of what somebody wanted or knows and now has.
var asYou = set(`wished asked desired requested know see advised ordered bade`)

// describes tells a piece that says in what state somebody was: tired but cheerful, covered with dust.
func describes(ws []form) bool {
	if !participle(ws[0]) || reported[segment.Stem(ws[0].text)] {
		return false
	}
	return len(ws) == 1 || joins(ws[1].text) || preposition(ws, 1) && !curbed(ws)
}

// remarked tells a piece that speaks of what was said before it: so it is said, or so I thought.
func remarked(ws []form) bool {
	switch ws[0].text {
	case "so", "thus", "or", "nor", "not", "that", "this", "wie", "as":
		return ws[0].text != "as" && !(ws[0].text == "so" && len(ws) > 1 && (ws[1].text == "that" || !reports(ws) && verbal(ws[1:]))) && !(ws[0].text == "thus")
	}
	return false
}

// complemented tells a clause whose verb of saying has what it says behind it.
func complemented(ws []form) bool {
	i := slices.IndexFunc(ws, func(f form) bool { return reported[f.text] || reported[segment.Stem(f.text)] })
	return i >= 0 && i+2 < len(ws)
}

func bareInfinitive(ws []form) bool {
	return ws[0].text == "to" || ws[0].text == "in" && len(ws) > 1 && ws[1].text == "order"
}

// pastClause tells a clause about something that happened.
func pastClause(ws []form) bool {
	v := predicate(ws)
	if v < 0 {
		return false
	}
	if doubts[ws[v].text] || ws[v].text == "is" || ws[v].text == "are" || ws[v].text == "has" || ws[v].text == "have" {
		return false
	}
	return finite(ws[v]) || pasts[ws[v].text]
}

// endsAbout tells a later clause that ends in what can be about the clauses before it too.
func endsAbout(ws []form) bool {
	return limited(ws) || inFiction(ws) || slices.ContainsFunc(ws, func(f form) bool { return conditions[f.text] && !f.upper || remarks[f.text] })
}

var (
	feelings  = set(`regret regrets pains grieves sorry glad happy pleased delighted grieved proud sad pained relieved rejoiced thankful duty ashamed shocked surprised grateful distressed vexed`)
	telling   = set(`say tell hear report learn inform see find announce note record add know`)
	factVerbs = set(`found find finds learned learnt learn discovered discover noticed notice realised realized regret regrets regretted showed shows proved proves
		established confirmed knew know knows saw see turned forgot`)
)

// factive returns how many words lead to a clause that they take for a fact: I am sorry to say that, the
// surveyor found that; 0 for none.
func factive(ws []form) int {
	const longest = 12
	for i := 1; i+1 < len(ws) && i < longest; i++ {
		lead := ws[:i]
		if slices.ContainsFunc(lead, func(f form) bool {
			return negations[f.text] || conditions[f.text] || f.text == "would" || f.text == "could" || f.text == "might" || f.text == "may"
		}) {
			return 0
		}
		w := ws[i].text
		switch {
		case w == "that" && factVerbs[ws[i-1].text] && !reports(ws[:i-1]) && !slices.ContainsFunc(ws[:i-1], func(f form) bool { return f.text == "will" || f.text == "to" || f.text == "can" || f.text == "must" }):
			return i + 1
		case w == "to" && telling[ws[i+1].text] && slices.ContainsFunc(lead, func(f form) bool { return feelings[f.text] }):
			n := i + 2
			for n < len(ws) && (ws[n].text == "you" || ws[n].text == "that") {
				n++
			}
			if n+1 < len(ws) {
				return n
			}
		case finite(ws[i]) && !beForms[w] && !factVerbs[w] && !feelings[w] && w != "will" && w != "shall":
			return 0
		}
	}
	return 0
}
