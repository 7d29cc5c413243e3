package retrieve

import (
	"strings"

	"muniment/cite"
	"muniment/text/segment"
)

// A word is indexed as the language of its passage, a colon and its segment.SearchKey in that language, and
// looked for in every language that the index holds. The keys of two languages never meet, so that a passage is
// found by one of them at most.

// usualLanguage is that of a text of which neither record nor words tell one.
const usualLanguage = "en"

// languageOf returns the primary subtag of the language that a text is indexed in.
func languageOf(lang, text string) string {
	if lang == "" {
		lang = segment.Detect(text)
	}
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if primary == "" || strings.ContainsAny(primary, " :\t\n") {
		return usualLanguage
	}
	return primary
}

// indexKey returns the index term of a word in lower case.
func indexKey(lang, word string) string { return lang + ":" + segment.SearchKey(word, lang) }

// indexKeys returns the index terms of a word in several languages. In another language than that of the question its term is empty where the
// word says nothing in one of the two, and no passage has it: die of "When did Clara die?" is no German article.
func indexKeys(languages []string, asked string, t Term) []string {
	out := make([]string, len(languages))
	for i, l := range languages {
		if out[i] = l + ":"; t.Name || l == asked || !segment.SaysNothing(t.Word, l) && !segment.SaysNothing(t.Word, asked) {
			out[i] = indexKey(l, t.Word)
		}
	}
	return out
}

const (
	// headingLength is the length in words that a heading counts as: that of two full passages, so that a
	// heading stands behind the text below it that says the same.
	headingLength = 2 * usualLength
	// filler is the word that makes a heading that long. No word is written so.
	filler = "¶"
)

// heading reports whether a passage is a heading, in a text that is not a table.
func (s *stored) heading() bool {
	if span, err := cite.ParseSpan(s.Span); err == nil && span.Kind == cite.Lines {
		return false
	}
	return segment.IsHeading(s.Text)
}
