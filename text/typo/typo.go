// Package typo finds the word that somebody meant who typed another one: the one that differs least, counted in
// letters inserted, left out, replaced or swapped with their neighbour (Damerau 1964, restricted), whatever their case.
package typo

import (
	"strings"
	"sync"

	"github.com/blevesearch/vellum/levenshtein"
)

// MaxLetters is the largest number of letters by which words are compared: more make other words of short ones.
const MaxLetters = 2

var builder = sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
	return levenshtein.NewLevenshteinAutomatonBuilder(MaxLetters, true)
})

// Nearest returns the word of a list that differs least from the typed one, the first of several; "" where all differ in more than a
// number of letters, from 0 to MaxLetters, or the typed word is too long to be compared.
func Nearest(typed string, words []string, letters int) string {
	b, err := builder()
	if err != nil {
		return ""
	}
	automaton, err := b.BuildDfa(strings.ToLower(typed), uint8(letters))
	if err != nil {
		return ""
	}
	best, found := letters+1, ""
	for _, w := range words {
		if ok, d := automaton.MatchAndDistance(strings.ToLower(w)); ok && int(d) < best {
			best, found = int(d), w
		}
	}
	return found
}
