package rank

import (
	"slices"
	"strings"
	"sync"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// antonyms maps the key of an English word to its contraries. It is read when the first question needs it.
var antonyms = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for a, b := range lexicon.Antonyms() {
		key := segment.SearchKey(a, "en")
		out[key] = append(out[key], b)
		key = segment.SearchKey(b, "en")
		out[key] = append(out[key], a)
	}
	return out
})

// Prepare loads the tables that every question needs, as gate.Prepare does.
func Prepare() { antonyms() }

// contraries maps the keys of words that are the contrary of a term to the index of the term: its antonyms, in
// English, and the word with a reversal before it, or without the one it has.
func (q *Question) contraries(lang string, reversals []string) map[string]int {
	out := map[string]int{}
	add := func(word string, i int) {
		key := segment.SearchKey(word, lang)
		if _, twice := out[key]; !twice {
			out[key] = i
		}
	}
	for i, t := range q.terms {
		if t.named {
			continue
		}
		if isEnglish(lang) {
			for _, a := range antonyms()[segment.SearchKey(t.lower, lang)] {
				add(a, i)
			}
		}
		for _, r := range reversals {
			add(r+t.lower, i)
			if rest, ok := strings.CutPrefix(t.lower, r); ok && len(rest) >= shortestTurned {
				add(rest, i)
			}
		}
	}
	return out
}

// shortestTurned is how many bytes a word has at least that is left when a reversal is cut off: side is not the
// contrary of inside.
const shortestTurned = 5

// followsReversal reports whether word i of a text follows a reversal and a hyphen.
func (t *table) followsReversal(text string, words []segment.Word, i int) bool {
	return i > 0 && text[words[i-1].End:words[i].Start] == "-" && slices.Contains(t.reversals, words[i-1].Lower)
}
