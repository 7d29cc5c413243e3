package contract

import (
	"regexp"
	"strings"
	"unicode"
)

// Placeholders stand where a claim was removed.
const (
	NoEvidence        = "[Insufficient evidence to support this claim]"
	NoCredibleSource  = "[Insufficient credible evidence for this claim]"
	NoOfficialSource  = "[Cite official source directly for policy claims]"
	NotAssessed       = "[Insufficient evidence to assess this claim]"
	Conflicting       = "[Conflicting reports; unable to confirm]"
	NoOfficialWord    = "[No official statement found in available sources]"
	insufficientStart = "[Insufficient evidence to "
)

// Abstentions are the phrases by which a drafter says that the evidence does not
// suffice, as examples; IsAbstention knows their forms.
var Abstentions = []string{NoEvidence, NoCredibleSource, NoOfficialSource, NotAssessed, Conflicting, NoOfficialWord,
	"[Data not yet available as of 2026-02-11]", "[Insufficient evidence to represent minority views on this topic]"}

// abstention has closed forms: a phrase with room for words of its own could
// carry a claim. The date is one of digits or of a month's name.
var abstention = regexp.MustCompile(`(?i)^\[(?:` +
	`insufficient evidence to (?:support|assess|confirm|evaluate) (?:this|the) claim` +
	`|insufficient evidence to represent (?:minority|prevailing|mainstream|alternative|opposing|contrarian|dissenting) views on this topic` +
	`|insufficient credible evidence for this claim` +
	`|cite official source directly for policy claims` +
	`|data not yet available as of (?:\d{4}-\d{2}-\d{2}|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}, \d{4})` +
	`|conflicting reports; unable to confirm` +
	`|no official statement found in available sources` +
	`)\]$`)

// IsAbstention reports whether a bullet's text is nothing but one of the phrases.
func IsAbstention(text string) bool {
	text = strings.TrimFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) })
	text = strings.Join(strings.Fields(strings.TrimLeft(strings.Trim(text, " \t\n*_."), "-+#>| ")), " ")
	return abstention.MatchString(text)
}
