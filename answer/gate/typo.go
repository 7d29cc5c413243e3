package gate

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// repaired returns a folded text in which slips of the keyboard in the words
// that rules look for are undone: two letters swapped, one left out, one
// doubled or one wrong. The first and the last letter must be right and the
// word long, so that no ordinary word is taken for a slip.
func repaired(s string) string {
	triggers := triggerWords()
	return tokens().ReplaceAllStringFunc(s, func(w string) string {
		n := utf8.RuneCountInString(w)
		if n < 5 || strings.HasPrefix(w, "zz") || triggers.known[w] {
			return w
		}
		first, _ := utf8.DecodeRuneInString(w)
		last, _ := utf8.DecodeLastRuneInString(w)
		for _, t := range triggers.by[[2]rune{first, last}] {
			if slip(w, t, n < 7) {
				return t
			}
		}
		return w
	})
}

// slip tells whether two words differ by one slip; only by a swap, if swapped.
func slip(a, b string, swapped bool) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 || swapped && len(x) != len(y) {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch {
	case len(x) < len(y):
		return string(x[i:]) == string(y[i+1:])
	case i+1 >= len(x):
		return false
	case x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:]):
		return true
	default:
		return !swapped && string(x[i+1:]) == string(y[i+1:])
	}
}

var triggerWords = sync.OnceValue(func() (t struct {
	by    map[[2]rune][]string
	known map[string]bool
}) {
	words := triggerList
	for name := range dated().of {
		if utf8.RuneCountInString(name) >= shortestTypo && !strings.ContainsAny(name, " -'") {
			words += " " + name
		}
	}
	t.by, t.known = map[[2]rune][]string{}, set(words+neighbours)
	for w := range strings.FieldsSeq(words) {
		first, _ := utf8.DecodeRuneInString(w)
		last, _ := utf8.DecodeLastRuneInString(w)
		key := [2]rune{first, last}
		t.by[key] = append(t.by[key], w)
	}
	return t
})

// shortestTypo is the length from which slips in the names of later things are
// undone, in letters.
const shortestTypo = 8

const triggerList = `
	ignore disregard previous instruction instructions pretend prompt system override bypass impersonate developer administrator
	restrictions guidelines unrestricted roleplay jailbreak forget reveal character
	capital population recipe explain translate calculate photosynthesis definition symptoms weather currency temperature
	computer program python javascript football president minister
	depressed depression bipolar narcissist schizophrenia schizophrenic autistic diagnose diagnosis psychoanalyze secretly
	subconscious subconsciously unconscious unconsciously motives motivation mental disorder personality feelings homosexual psychological
	would think thought about today tomorrow yesterday nowadays internet smartphone facebook television telephone election funeral
	posthumous century pandemic coronavirus opinion`

// neighbours are words that are one slip away from a trigger.
const neighbours = ` minster parkhurst computes falkland's water-gate commuter metal forgot regal capitol thing though through thorough reveals persona pretends portend presidents
	dispose motive motived feeling receipt population cantury though elections precious promptly`
