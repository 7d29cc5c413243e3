package catalogue

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// howOften begins a question that asks for the number of events.
var howOften = regexp.MustCompile(`(?i)^(?:how (?:often|many times)|wie (?:oft|häufig)) (?:(?:did|have|has|hat|haben|sind|ist) )`)

// readEvents reads a question for the number of events: "How often did Tom and Ruth meet in Whitby?" Its Names are whom and what the sentences
// have to name, without pronouns.
func readEvents(text string) (h Holding, ok bool) {
	opening := howOften.FindString(text)
	if opening == "" {
		return Holding{}, false
	}
	fields := strings.Fields(opening)
	asked := "When "
	if strings.EqualFold(fields[0], "wie") {
		asked = "Wann "
	}
	asked += fields[len(fields)-1] + " " // the auxiliary: the verb is found as that of a question for the time
	text, opening = asked+text[len(opening):], asked
	v, found := clause.QuestionVerb(text + "?")
	if !found || v.Passive || v.Start < len(opening) || v.Start+len(v.Word) > len(text) {
		return Holding{}, false
	}
	h = Holding{Want: WantEvents, Verb: v.Word}
	rest := text[v.Start+len(v.Word):]
	if at := conditionDate.FindStringIndex(rest); at != nil && h.takeDate(strings.TrimSpace(rest[at[0]+len(" in"):])) {
		rest = rest[:at[0]]
	}
	for _, part := range regexp.MustCompile(`(?i),\s*|\s+(?:and|und|or|oder)\s+`).Split(text[len(opening):v.Start], -1) {
		h.addName(part)
	}
	for _, w := range segment.Words(rest) {
		if !segment.Function(w.Lower) {
			h.addName(w.Lower)
		}
	}
	return h, true
}

// conditionDate begins a date at the end of a question.
var conditionDate = regexp.MustCompile(` in \S*\d{4}$| in \pL+ \d{4}$`)

// addName adds words that a sentence has to hold.
func (h *Holding) addName(words string) {
	if words = withoutArticle(strings.TrimSpace(words)); words != "" && !isPronoun(words) && !lexicon.Honorific.Has(strings.ToLower(words)) {
		h.Names = append(h.Names, words)
	}
}

// Events returns the sentences of a text with the verb of a question in any form and all its names but those in known.
func (h Holding) Events(text, lang string, known []string) (found []segment.Range) {
	if h.Verb == "" {
		return nil
	}
	stem := segment.Stem(h.Verb)
	for _, s := range segment.Sentences(text, lang) {
		sentence := text[s.Start:s.End]
		has := func(w segment.Word) bool { return w.Lower == h.Verb || segment.Stem(w.Lower) == stem }
		if !slices.ContainsFunc(segment.Words(sentence), has) {
			continue
		}
		lacks := func(name string) bool { return !slices.Contains(known, name) && !IsNamed(sentence, name) }
		if !slices.ContainsFunc(h.Names, lacks) {
			found = append(found, s)
		}
	}
	return found
}
