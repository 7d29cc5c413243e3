package answer

import (
	"regexp"
	"strings"

	"muniment/answer/gate"
	"muniment/answer/segment"
)

// unlabelable names the test that keeps an inference from being shown as one, and
// the reason that its reader is told; "" where it may be shown. It must say how sure
// it is without piling hedges on each other, it must be possible to show that it is
// wrong, and the question must not have been downgraded to the archive's own words.
func unlabelable(text string, d gate.Decision) (test, reason string) {
	switch {
	case d.Action == gate.ArchiveOnly:
		return "archive_only", ""
	case gate.HedgeStacked(text):
		return "hedges", "an inference that stacks hedges; say once how sure it is"
	case !Falsifiable(text):
		return "falsifiable", "an inference that nothing could show to be wrong"
	}
	return "", ""
}

func isLabelable(text string, d gate.Decision) bool {
	test, _ := unlabelable(text, d)
	return test == ""
}

// vague are forms of words that hold whatever the text says: both sides at once, anything, some way
// or other, what nobody can look up.
var vague = regexp.MustCompile(`(?i)\b(?:(?:may|might|could|would|did|does|do|is|was|were|are|has|had) or (?:may|might|could|would|did|does|do|is|was|were|are|has|had)(?: not|n['’]t)\b|or (?:perhaps |maybe |possibly )?not\b|whether or not|one way or (?:an)?other|some ?way or other|in (?:some|a) (?:way|sense|manner)(?: or (?:an)?other)?|to some (?:extent|degree)|for some reason|some(?:how|thing|what)\b|any(?:thing|one|how) (?:is|was|could|may|might)|anything|whatever|who knows|nobody (?:knows|can (?:know|say|tell))|no one (?:knows|can (?:know|say|tell))|impossible to (?:know|say|tell)|open to interpretation|in the eye of the beholder|meant to be|destiny|destined|fate[ds]?\b|in (?:his|her|their|its) (?:soul|heart of hearts)|deep down|on some level|at some point|sooner or later|more or less|and so on|and the like|etc)\b`)

// Falsifiable tells whether an inference states something that a text could show to be wrong: one
// statement with a verb, that does not hold whatever is the case. It is a test of form, in English: a list of the
// ways in which nothing is said.
func Falsifiable(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") || vague.MatchString(text) {
		return false
	}
	for _, w := range segment.Words(text) {
		if segment.FiniteVerb(w.Lower) {
			return true
		}
	}
	return len(gate.Markers(text)) > 0 && len(segment.Words(text)) > 3
}
