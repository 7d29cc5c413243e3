package examine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/segment"
)

// contentWords returns how many different words of a text have a topic of their own.
func contentWords(text string) int {
	seen := map[string]bool{}
	for _, w := range wordsOf(text) {
		if utf8.RuneCountInString(w.text) > 2 && !segment.Function(w.text) {
			seen[w.text] = true
		}
	}
	return len(seen)
}

// Distinctive returns the words of a quotation to search papers by: in lower case, without numbers and without words
// that the writer put in, so that a search reads no dates and no names.
func Distinctive(text string) string {
	var out []string
	for _, w := range parseQuote(text).words {
		if w.bracket || w.partly || segment.Function(w.text) || strings.ContainsFunc(w.text, unicode.IsNumber) || utf8.RuneCountInString(w.text) < 3 {
			continue
		}
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}
