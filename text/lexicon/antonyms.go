package lexicon

import (
	_ "embed"
	"iter"
	"strings"
)

//go:embed antonyms.txt
var antonymsText string

// Antonyms returns the pairs of English words of which one is the contrary of the other, from WordNet 3.0; the file has its notice.
func Antonyms() iter.Seq2[string, string] {
	return func(yield func(a, b string) bool) {
		for line := range strings.Lines(antonymsText) {
			if a, b, ok := strings.Cut(strings.TrimSpace(line), " "); ok && a != "#" && !yield(a, b) {
				return
			}
		}
	}
}
