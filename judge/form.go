package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// opensFiction reports whether a paragraph begins what is invented, to the next heading: by the formula of a tale, a label that names a genre, or the
// persons of a play. Once upon a time there was a king. A fairy story. Characters: NELL, a maid; TOM, her brother.
func opensFiction(paragraph string) bool {
	s := clause.Parse(cut(paragraph, maxEnd))
	if len(s.Words) > 1 && hasWord(s.Words[:1], "persons", "characters", "personen") && strings.Contains(s.Tokens[1].Gap, ":") {
		for i, t := range s.Tokens[2:] {
			if strings.Contains(t.Gap, ",") && lexicon.Determiner.Has(t.Text) && s.Tokens[i+1].Upper {
				return true // Lena, seine Nichte
			}
		}
	}
	return lexicon.Setting.Tale.At(s.Words, 0) > 0 || len(paragraph) <= maxLabel && !s.HasFinite(0, len(s.Words)) && genreOf(paragraph) != ""
}

// cut returns a text of at most n bytes that a text begins with.
func cut(text string, n int) string { return strings.ToValidUTF8(text[:min(n, len(text))], "") }

// isOption reports whether an item below a question is one of several answers of which the paper does not say there which is right: the question is
// numbered or asks which of them is so, or letters number the items.
func isOption(item, question string) bool {
	s := clause.Parse(question)
	return lettered.MatchString(item) || slices.ContainsFunc(s.Tokens, func(t clause.Token) bool { return t.Number && t.Start < maxFragment+2 }) ||
		slices.ContainsFunc(s.Words, func(w string) bool {
			return strings.HasPrefix(w, "welche") || hasWord([]string{w}, "which", "true", "right", "correct", "richtig", "wahr", "stimmt")
		})
}

// lettered matches the letter of an item, or its box.
var lettered = regexp.MustCompile(`^\(?[\pL ]?\) `)
