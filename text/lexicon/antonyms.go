package lexicon

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
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

// contraries are the antonyms and the pairs of the list "contrary", both ways.
var contraries = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	enter := func(a, b string) {
		for _, p := range [][2]string{{a, b}, {b, a}} {
			if out[p[0]] == nil {
				out[p[0]] = map[string]bool{}
			}
			out[p[0]][p[1]] = true
		}
	}
	for a, b := range Antonyms() {
		enter(a, b)
	}
	for pair := range Contrary.words {
		if a, b, ok := strings.Cut(pair, "/"); ok {
			enter(a, b)
		}
	}
	return out
})

// AreOpposites reports whether two words, or the words that their endings leave, are contraries.
func AreOpposites(a, b string) bool {
	all := contraries()
	for _, x := range bases(a) {
		if others := all[x]; others != nil {
			for _, y := range bases(b) {
				if others[y] {
					return true
				}
			}
		}
	}
	return len(b) > 3 && a == "un"+b || len(a) > 3 && b == "un"+a // unlocked, unbekannt; der is no contrary of under
}

// bases returns a word and what it may be a form of: opened, open; larger, large.
func bases(w string) []string {
	out := []string{w}
	for _, end := range []string{"s", "es", "d", "ed", "r", "er", "st", "est", "ing"} {
		if base := strings.TrimSuffix(w, end); base != w && len(base) > 2 {
			out = append(out, base)
		}
	}
	return out
}
