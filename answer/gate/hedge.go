package gate

import "regexp"

// Markers returns the epistemic markers of a text, in lower case and in
// order: the words by which a writer says how sure a statement is ("perhaps",
// "suggests", "may have"). A claim on the labeled rung needs at least one.
// Words inside double quotation marks are somebody else's and do not count.
// The list is English.
func Markers(text string) []string {
	var out []string
	for _, sentence := range hedgesOf(text) {
		out = append(out, sentence.markers...)
	}
	return out
}

// maxMarkers is how many epistemic markers one sentence may carry: a second one
// only hides who is speaking.
const maxMarkers = 1

// HedgeStacked reports a violation of the hedge linter: a sentence that joins
// an epistemic marker to a word of certainty ("it seems clear they definitely
// …"), or that piles up two markers.
func HedgeStacked(text string) bool {
	for _, s := range hedgesOf(text) {
		if len(s.markers) > maxMarkers || len(s.markers) > 0 && s.booster {
			return true
		}
	}
	return false
}

type hedging struct {
	markers []string
	booster bool
}

var hedgeSentenceEnd = regexp.MustCompile(`[.!?;]+(?:\s|$)|\n`)

// hedgesOf lists the hedging of each sentence of a text.
func hedgesOf(text string) []hedging {
	folded := unquote(fold(text))
	var out []hedging
	for _, s := range hedgeSentenceEnd.Split(folded, -1) {
		s = sign("no marker").ReplaceAllString(s, " ")
		out = append(out, hedging{
			markers: sign("marker").FindAllString(s, -1),
			booster: sign("certainty").MatchString(sign("no certainty").ReplaceAllString(s, " ")),
		})
	}
	return out
}
