package gate

import (
	"regexp"
	"strings"
	"sync"
)

// Markers returns the epistemic markers of a text, in lower case and in
// order: the words by which a writer says how sure a statement is ("perhaps",
// "suggests", "may have"). A claim on the labeled rung needs at least one.
// Words inside double quotation marks are somebody else's and do not count.
// The list is English.
func Markers(text string) []string {
	var out []string
	for _, sentence := range sentences(text) {
		out = append(out, sentence.markers...)
	}
	return out
}

// maxMarkers is how many epistemic markers one sentence may carry. Two are
// ordinary English ("this may suggest"); a third only hides who is speaking.
const maxMarkers = 2

// HedgeStacked reports a violation of the hedge linter: a sentence that joins
// an epistemic marker to a word of certainty ("it seems clear they definitely
// …"), or that piles up more than two markers.
func HedgeStacked(text string) bool {
	for _, s := range sentences(text) {
		if len(s.markers) > maxMarkers || len(s.markers) > 0 && s.booster {
			return true
		}
	}
	return false
}

type hedged struct {
	markers []string
	booster bool
}

var hedges = sync.OnceValue(func() (re struct{ split, marker, notMarker, booster, notBooster *regexp.Regexp }) {
	re.split = regexp.MustCompile(`[.!?;]+(?:\s|$)|\n`)
	re.marker = regexp.MustCompile(`\b(?:` + strings.Join([]string{
		`perhaps`, `maybe`, `possibly`, `probably`, `likely`, `unlikely`, `apparently`, `seemingly`, `presumably`,
		`arguably`, `conceivably`, `plausibly`, `supposedly`, `reportedly`, `evidently`, `doubtful`,
		`may|might`, `could (?:have|be|well|also|mean|suggest|indicate|reflect|imply)`, `must have`,
		`suggest(?:s|ed|ing)?`, `impl(?:y|ies|ied)`, `indicat(?:e|es|ed)`, `hint(?:s|ed)? (?:at|that)`, `point(?:s|ed)? to`,
		`seem(?:s|ed)?`, `appear(?:s|ed)? (?:to|that|as)`, `(?:can|may) be (?:read|understood|taken|inferred)`, `read(?:s)? (?:as|like)`,
		`(?:i|we|one) (?:infer|interpret|assume|suppose|suspect)`, `inferred from`, `in my reading`, `one reading`, `on this reading`,
		`interpreted as`, `consistent with`, `as far as (?:the archive|these|this|one|we|i) .{0,20}(?:show|tell|see|know|go)s?`,
		`according to limited`, `some sources`, `early indications`, `it is possible`, `not certain`, `uncertain`, `unclear`,
	}, "|") + `)\b`)
	// The month, the might of an army, and appearances in person.
	re.notMarker = regexp.MustCompile(`\b(?:(?:in|of|on|since|until|by|early|late|last|next|\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? of) may|may (?:\d+|day)|(?:his|her|their|its|the|all|of|own|with|great|military) might|might and main)\b`)
	re.booster = regexp.MustCompile(`\b(?:clearly|definitely|certainly|undoubtedly|doubtless|obviously|surely|unquestionably|undeniably|indisputably|plainly|absolutely|unmistakably|of course|no doubt|without (?:a )?doubt|beyond (?:a |any |all )?doubt|(?:it|that|this) (?:is|was|seems|seemed|appears) (?:very |quite |perfectly )?(?:clear|certain|obvious|evident|plain)|(?:clear|certain|obvious|evident|sure) that|proves? that|for certain|for sure)\b`)
	re.notBooster = regexp.MustCompile(`\b(?:not|n't|never|hardly|scarcely|far from|less than|un) (?:\w+ )?(?:clear|certain|obvious|evident|sure|clearly|definitely|certainly|obviously|absolutely)\b`)
	return re
})

// sentences lists the hedging of each sentence of a text.
func sentences(text string) []hedged {
	re := hedges()
	folded := unquote(fold(text))
	var out []hedged
	for _, s := range re.split.Split(folded, -1) {
		s = re.notMarker.ReplaceAllString(s, " ")
		out = append(out, hedged{
			markers: re.marker.FindAllString(s, -1),
			booster: re.booster.MatchString(re.notBooster.ReplaceAllString(s, " ")),
		})
	}
	return out
}
