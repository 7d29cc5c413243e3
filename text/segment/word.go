package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A Word is one UAX 29 word that holds a letter or a digit. A possessive ending ('s, ’s, ’) is not
// part of it; the parts of a hyphenated word are words of their own.
type Word struct {
	Start, End int    // byte offsets in the text
	Lower      string // lower case, ’ as ', without a possessive ending
	Upper      bool   // begins with a capital letter
	Possessive bool   // had a possessive ending
}

// Words returns the words of a text in order.
func Words(text string) []Word {
	out := make([]Word, 0, len(text)/5+1)
	it := words.FromString(text)
	for it.Next() {
		t := it.Value()
		first, _ := utf8.DecodeRuneInString(t)
		if !strings.ContainsFunc(t, isWordRune) {
			continue
		}
		start := it.Start()
		w := strings.TrimRight(t, "'’_")
		if base, ok := strings.CutSuffix(strings.ReplaceAll(w, "’", "'"), "'s"); ok && base != "" {
			w = w[:len(base)]
		}
		possessive := len(w) < len(strings.TrimRight(t, "_"))
		lower := strings.ToLower(w)
		if strings.Contains(lower, "’") {
			lower = strings.ReplaceAll(lower, "’", "'")
		}
		out = append(out, Word{start, start + len(w), lower, unicode.IsUpper(first), possessive})
	}
	return out
}

// isWordRune reports whether a character makes what holds it a word.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Function reports whether w carries no topic of its own: articles, pronouns, prepositions,
// conjunctions, auxiliaries, negations and question words, in English and German. German words that
// are English content words (die, war, hat, gift …) are not among them. w is in lower case.
func Function(w string) bool { return functionWords[w] }

var functionWords = wordLists.Set("function words")
