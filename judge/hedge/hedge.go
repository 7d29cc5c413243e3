// Package hedge says how sure a sentence says it is: its epistemic markers, whether they are
// piled up, and whether anything could show the sentence to be wrong. It is English.
package hedge

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"muniment/text/pattern"
	"muniment/text/segment"
)

//go:embed signs.txt
var signText string

// signs are the patterns of signs.txt by their name; a test demands that the file is read without an error.
var signs = sync.OnceValue(func() map[string]*pattern.Pattern {
	table, _, _ := pattern.Read("signs.txt", signText, map[string]string{})
	return table.ByName("sign")
})

func sign(name string) *regexp.Regexp { return signs()[name].Regexp() }

// Markers returns the epistemic markers of a text, in lower case and in order: the words by which a writer says how
// sure a statement is ("perhaps", "suggests", "may have"). A claim on the labeled rung needs at least one. Words inside
// double quotation marks are somebody else's and do not count. The list is English.
func Markers(text string) []string {
	var out []string
	for _, sentence := range hedgesOf(text) {
		out = append(out, sentence.markers...)
	}
	return out
}

// maxMarkers is how many epistemic markers one sentence may carry: a second one only hides who is speaking.
const maxMarkers = 1

// IsStacked reports a violation of the hedge linter: a sentence that joins an epistemic marker to a word of certainty
// ("it seems clear they definitely …"), or that piles up two markers.
func IsStacked(text string) bool {
	for _, s := range hedgesOf(text) {
		if len(s.markers) > maxMarkers || len(s.markers) > 0 && s.booster {
			return true
		}
	}
	return false
}

// hedges are the words of one sentence that say how sure it is.
type hedges struct {
	markers []string
	booster bool
}

var sentenceEnd = regexp.MustCompile(`[.!?;]+(?:\s|$)|\n`)

// hedgesOf returns the hedges of each sentence of a text.
func hedgesOf(text string) []hedges {
	folded := pattern.Unquote(pattern.Fold(text))
	var out []hedges
	for _, s := range sentenceEnd.Split(folded, -1) {
		s = sign("no marker").ReplaceAllString(s, " ")
		out = append(out, hedges{
			markers: sign("marker").FindAllString(s, -1),
			booster: sign("certainty").MatchString(sign("no certainty").ReplaceAllString(s, " ")),
		})
	}
	return out
}

// vague are forms of words that hold whatever the text says: both sides at once, anything, some way
// or other, what nobody can look up.
var vague = regexp.MustCompile(`(?i)\b(?:(?:may|might|could|would|did|does|do|is|was|were|are|has|had) or (?:may|might|could|would|did|does|do|is|was|were|are|has|had)(?: not|n['’]t)\b|or (?:perhaps |maybe |possibly )?not\b|whether or not|one way or (?:an)?other|some ?way or other|in (?:some|a) (?:way|sense|manner)(?: or (?:an)?other)?|to some (?:extent|degree)|for some reason|some(?:how|thing|what)\b|any(?:thing|one|how) (?:is|was|could|may|might)|anything|whatever|who knows|nobody (?:knows|can (?:know|say|tell))|no one (?:knows|can (?:know|say|tell))|impossible to (?:know|say|tell)|open to interpretation|in the eye of the beholder|meant to be|destiny|destined|fate[ds]?\b|in (?:his|her|their|its) (?:soul|heart of hearts)|deep down|on some level|at some point|sooner or later|more or less|and so on|and the like|etc)\b`)

// IsFalsifiable reports whether an inference states something that a text could show to be wrong: one
// statement with a verb, that does not hold whatever is the case. It is a test of form, in English: a list of the
// ways in which nothing is said.
func IsFalsifiable(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") || vague.MatchString(text) {
		return false
	}
	for _, w := range segment.Words(text) {
		if segment.FiniteVerb(w.Lower) {
			return true
		}
	}
	return len(Markers(text)) > 0 && len(segment.Words(text)) > 3
}
