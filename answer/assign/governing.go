package assign

import (
	_ "embed"
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file finds the words of a sentence that govern others. Governed words are not stated as a fact, or only within
// a limit, so a claim that leaves the governing word out says more.

//go:embed limits.txt
var limitsText string

// A limitRule is a line of limits.txt.
type limitRule struct {
	phrase        []string
	fires, silent string // sentences in which the phrase limits, and in which its words do not
}

// limitRules are the phrases that say in what sense something holds.
var limitRules = parseLimits(limitsText)

// parseLimits reads rules in the format that limits.txt describes; lines without three fields give no rule.
func parseLimits(text string) []limitRule {
	var out []limitRule
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 3 && line[0] != '#' {
			out = append(out, limitRule{strings.Fields(f[0]), f[1], f[2]})
		}
	}
	return out
}

// isGoverned reports whether words hold one that keeps what stands beside it in its clause from being a plain fact.
func isGoverned(ws []form) bool {
	for i := range ws {
		if governs(ws, i) {
			return true
		}
	}
	return false
}

// governs reports whether word i keeps its clause from being a plain fact. A noun such as the answer does not.
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
	if infinitiveVerbs[stem] {
		return i+1 < len(ws) && (ws[i+1].text == "to" || ws[i+1].text == "that" || ws[i+1].text == "as") || i+1 == len(ws)
	}
	return (reported[w] || reported[stem]) && !nominal(ws, i) && !plainVerb(ws, i)
}

// plainVerb reports whether word i is a verb such as wrote that has a thing for its object, and reports nothing: wrote a letter, was
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
		if f.text == comma || joinsClauses(f.text) || f.text == "who" || f.text == "which" {
			return true
		}
		if finite(f) || f.text == "that" || f.text == "if" || f.text == "to" && !passive && next == "that" {
			return false
		}
	}
	return true
}

// nominal reports whether a word is a noun where it stands, though others of its form are verbs.
func nominal(ws []form, i int) bool {
	if i == 0 || strings.HasSuffix(ws[i].text, "ed") || strings.HasSuffix(ws[i].text, "ing") {
		return false
	}
	before := ws[i-1]
	return segment.Determiner(before.text) && before.text != "that" && before.text != "this" || preposition(ws, i-1) && before.text != "to" || startsDigit(before.text) || strings.HasSuffix(before.text, "'s") || plainAdjectives[before.text]
}

// hearsay reports whether a phrase begins at i and makes its clause somebody's word.
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

// hasLimit reports whether words hold a phrase of limits.txt, or one of hearsay.
func hasLimit(ws []form) bool {
	for i := range ws {
		if hearsay(ws, i) {
			return true
		}
	}
	return hasLimitPhrase(ws)
}

// hasLimitPhrase reports whether words hold a phrase of limits.txt.
func hasLimitPhrase(ws []form) bool {
	for i := range ws {
		if slices.ContainsFunc(limitRules, func(l limitRule) bool { return phraseAt(ws[i:], l.phrase) }) {
			return true
		}
	}
	return false
}

// conditional reports whether words are a clause that only supposes: if he comes, had he come.
func conditional(ws []form) bool {
	if slices.ContainsFunc(ws[:min(len(ws), 3)], func(f form) bool { return conditions[f.text] && !f.upper }) {
		return true
	}
	next := form{}
	if len(ws) > 1 {
		next = ws[1]
	}
	return inversions[ws[0].text] && (next.upper || segment.Pronoun(next.text) || segment.Determiner(next.text) || next.text == "there" || next.text == "only" || next.text == subject)
}

// reports reports whether a piece has a verb of saying, thinking, wishing, unless it has a plain object and nothing
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

// governsRight reports whether a piece governs what follows it, up to the end of the sentence.
func governsRight(ws []form, next piece) bool {
	switch {
	case conditional(ws), hasLimit(ws), inFiction(ws), slices.ContainsFunc(ws, func(f form) bool { return (conditions[f.text] || remarks[f.text] || beliefs[f.text]) && !f.upper }):
		return true
	case label(ws, next):
		return false
	case reports(ws):
		return !((directs(ws) || next.words[0].text == "but") && next.startsAnew())
	case !verbal(ws) && predicate(ws) < 0:
		return !inert(ws)
	case ws[0].text == "when" || ws[0].text == "once" || ws[0].text == "wenn":
		return !pastClause(ws)
	}
	return slices.ContainsFunc(ws, func(f form) bool { return fictions[f.text] && !f.upper && reported[segment.Stem(f.text)] })
}

// directs reports whether words are a piece whose only verb of saying is directive.
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

// startsAnew reports whether a piece begins with and, a subject and its verb in the past.
func (p piece) startsAnew() bool {
	ws := p.words
	if len(ws) < 3 || !joinsClauses(ws[0].text) || !opens(ws[1:]) {
		return false
	}
	return pastClause(ws[1:]) && !slices.ContainsFunc(ws, func(f form) bool { return f.text == "be" || f.text == "should" })
}

// label reports whether words are a heading before a colon or stop: Resolved: …, Item 3. …
func label(ws []form, next piece) bool {
	return next.stop == ':' && len(ws) == 1 && (ws[0].text == "resolved" || ws[0].text == "decided" || ws[0].text == "agreed")
}

// inert reports whether a piece hasout a verb that may be left out: it holds no word that governs.
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
	return !hasLimit(ws) && !inFiction(ws)
}

// governsLeft reports whether a piece governs what stands before it in the sentence.
func governsLeft(ws []form) bool {
	first := ws[0].text
	body := ws
	for len(body) > 1 && (conjunction(body[0].text)) {
		body = body[1:]
	}
	joined := len(body) < len(ws)
	switch {
	case hasLimit(ws), inFiction(ws), isRemark(ws), conditional(body), slices.ContainsFunc(ws, func(f form) bool { return remarks[f.text] && !f.upper }):
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
	case first == "as" && len(ws) > 2 && len(ws) < 5 && ws[1].text == "you" && wishVerbs[ws[2].text]:
		return false // as you wished
	case first == "when" || first == "as":
		return !pastClause(ws) || reports(ws)
	case !verbal(ws) && predicate(ws) < 0:
		return !inert(body)
	case finite(body[0]) && !joined && !describes(body):
		return true // ", invented the priest"
	case reports(body):
		return !(joined && hasComplement(body)) && !bareInfinitive(ws)
	}
	return false
}

// describes reports whether a piece says in what state somebody was: tired but cheerful, covered with dust.
func describes(ws []form) bool {
	if !participle(ws[0]) || reported[segment.Stem(ws[0].text)] {
		return false
	}
	return len(ws) == 1 || joinsClauses(ws[1].text) || preposition(ws, 1) && !isGoverned(ws)
}

// isRemark reports whether a piece speaks of what was said before it: so it is said, or so I thought.
func isRemark(ws []form) bool {
	switch ws[0].text {
	case "so", "thus", "or", "nor", "not", "that", "this", "wie", "as":
		return ws[0].text != "as" && !(ws[0].text == "so" && len(ws) > 1 && (ws[1].text == "that" || !reports(ws) && verbal(ws[1:]))) && !(ws[0].text == "thus")
	}
	return false
}

// hasComplement reports whether the words are a clause whose verb of saying has what it says behind it.
func hasComplement(ws []form) bool {
	i := slices.IndexFunc(ws, func(f form) bool { return reported[f.text] || reported[segment.Stem(f.text)] })
	return i >= 0 && i+2 < len(ws)
}

func bareInfinitive(ws []form) bool {
	return ws[0].text == "to" || ws[0].text == "in" && len(ws) > 1 && ws[1].text == "order"
}

// pastClause reports whether words are a clause about something that happened.
func pastClause(ws []form) bool {
	v := predicate(ws)
	if v < 0 {
		return false
	}
	if doubts[ws[v].text] || ws[v].text == "is" || ws[v].text == "are" || ws[v].text == "has" || ws[v].text == "have" {
		return false
	}
	return finite(ws[v]) || ambiguousPasts[ws[v].text]
}

// endsAbout reports whether a later clause ends in words that can be about the clauses before it too.
func endsAbout(ws []form) bool {
	return hasLimit(ws) || inFiction(ws) || slices.ContainsFunc(ws, func(f form) bool { return conditions[f.text] && !f.upper || remarks[f.text] })
}
