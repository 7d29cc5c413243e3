package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// chunkEnd returns where a noun phrase that begins at i ends.
func chunkEnd(ws []form, i int) int {
	head := false // a noun stands already
	start := i
	for ; i < len(ws); i++ {
		w := ws[i]
		if w.text == comma || i > start && w.text != "of" && preposition(ws, i) ||
			(adverbial(w.text) && !w.upper && head) || strings.HasSuffix(w.text, "times") && startsDigit(w.text) || i > start && head && floats(w.text) {
			return i
		}
		if _, n := timeAt(ws, i); n > 0 && i > start && ws[i-1].text != "of" {
			return i
		}
		if i > start && money(ws, i-1) {
			head = true
			continue // of £200
		}
		if i+1 < len(ws) && !preposition(ws, i) && approximations[w.text] && startsDigit(ws[i+1].text) {
			continue
		}
		if w.text == "her" && !head && i+1 < len(ws) && (segment.Determiner(ws[i+1].text) || startsDigit(ws[i+1].text)) {
			head = true // her: gave her the book
			continue
		}
		det := segment.Determiner(w.text) && !w.upper || quantifiers[w.text] || startsDigit(w.text) || person(nominative(w.text)) != ""
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

// floats reports whether a word is an adverb that can stand anywhere in a clause.
func floats(w string) bool {
	return adverbs[w] || w == "early" || directions[w] || orderAdverbs[w] && !conjunction(w)
}

// nounPhrase reports whether words are one noun phrase: several joined with and or of, or one behind its owner.
func nounPhrase(ws []form) bool {
	if i := slices.IndexFunc(ws, func(f form) bool { return f.text == "and" }); i > 0 {
		if i+1 < len(ws) && ws[i+1].upper && !ws[len(ws)-1].upper {
			return false // "bread and Peter milk"
		}
		return nounPhrase(ws[:i]) && nounPhrase(ws[i+1:])
	}
	if i := slices.IndexFunc(ws, func(f form) bool { return f.text == "of" }); i > 0 {
		rest := ws[i+1:]
		pronoun := len(rest) > 0 && person(nominative(rest[0].text)) != "" && rest[0].text != "them"
		return !pronoun && nounPhrase(ws[:i]) && nounPhrase(rest)
	}
	for i := len(ws) - 2; i >= 0; i-- {
		owner, ok := strings.CutSuffix(ws[i].text, "'s")
		if !ok {
			continue
		}
		whose := slices.Clone(ws[:i+1])
		whose[i].text = owner
		thing := ws[i+1:]
		return !limitsNoun(thing, 0) && !startsDigit(thing[0].text) && simpleNoun(thing) && nounPhrase(whose)
	}
	return simpleNoun(ws)
}

// limitsNoun reports whether word i is a determiner or a quantity.
func limitsNoun(ws []form, i int) bool {
	return segment.Determiner(ws[i].text) || quantifiers[ws[i].text]
}

// simpleNoun reports whether words are a pronoun, or a noun with its article, number and adjectives.
func simpleNoun(ws []form) bool {
	if len(ws) == 0 {
		return false
	}
	if w := ws[0].text; len(ws) == 1 && (person(nominative(w)) != "" || w == subject) {
		return true
	}
	i, limit := 0, false
	counted := func() bool { return i+1 < len(ws) && approximations[ws[i].text] && startsDigit(ws[i+1].text) }
	for i < len(ws) && limitsNoun(ws, i) && !counted() {
		i, limit = i+1, true
	}
	if counted() {
		i++
	}
	if i < len(ws) && startsDigit(ws[i].text) && !strings.HasSuffix(ws[i].text, "th") && !strings.HasSuffix(ws[i].text, "-year-old") {
		i, limit = i+1, true
	}
	for k, w := range ws[i:] {
		if money(ws, i+k) {
			continue
		}
		if segment.Function(w.text) && !w.upper && w.text != "own" && w.text != subject && !(functionNouns[w.text] && limit) || strings.ContainsAny(w.text, signs+",") && !isDate(w.text) {
			return false
		}
	}
	return i < len(ws) || limit
}

// money reports whether word i is the sign of a currency before a sum.
func money(ws []form, i int) bool {
	return (ws[i].text == "£" || ws[i].text == "$" || ws[i].text == "€") && i+1 < len(ws) && startsDigit(ws[i+1].text)
}

// nominative returns the form of a pronoun that a subject has, and other words as they are.
func nominative(w string) string {
	switch w {
	case "me":
		return "i"
	case "us":
		return "we"
	case "him":
		return "he"
	case "her":
		return "she"
	case "them":
		return "they"
	}
	return w
}

// plural reports whether a noun is a plural by its form.
func plural(f form) bool {
	return !f.upper && (strings.HasSuffix(f.text, "s") && !strings.HasSuffix(f.text, "ss") && !strings.HasSuffix(f.text, "us") && segment.Stem(f.text) != f.text || irregularPlural[f.text])
}

// inFiction reports whether words hold a phrase such as in the play, on stage, of the novel.
func inFiction(ws []form) bool {
	for i, w := range ws {
		if !fictions[w.text] || (w.text == "general" || w.text == "short") && i+1 < len(ws) && !segment.Function(ws[i+1].text) && ws[i+1].text != comma {
			continue // the general fund
		}
		k := i - 1
		for k >= max(0, i-4) && !(fictionPrepositions[ws[k].text] && ws[k].text != "during") && ws[k].text != "as" {
			k--
		}
		if k >= max(0, i-4) && !verbal(ws[k:i]) {
			return true
		}
	}
	return false
}
