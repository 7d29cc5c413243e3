package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Placeholders are the phrases written for a removed claim.
const (
	NoEvidence       = "[Insufficient evidence to support this claim]"
	NoCredibleSource = "[Insufficient credible evidence for this claim]"
	NoOfficialSource = "[Cite official source directly for policy claims]"
	NotAssessed      = "[Insufficient evidence to assess this claim]"
	Conflicting      = "[Conflicting reports; unable to confirm]"
	Paywalled        = "[Source is paywalled: its words cannot be shown]"
)

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
	`|source is paywalled: its words cannot be shown` +
	`)\]$`)

// IsAbstention reports whether a bullet's text is nothing but one of the phrases.
func IsAbstention(text string) bool {
	text = strings.TrimFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) })
	text = strings.Join(strings.Fields(strings.TrimLeft(strings.Trim(text, " \t\n*_."), "-+#>| ")), " ")
	return abstention.MatchString(text)
}

// abstainFor returns the phrase that replaces a bullet whose fault is a lack of evidence, not of
// citations; "" for any other fault.
func abstainFor(f Fault, day string) string {
	switch f {
	default:
		return ""
	case Conflict:
		return Conflicting
	case Weak:
		return NotAssessed
	case Unread:
		return Paywalled
	case Outdated:
		if day == "" {
			return NotAssessed
		}
		return "[Data not yet available as of " + day + "]"
	}
}

// disputed returns the fault of a claim that leaves out a citation on file which contradicts one
// that it cites, else "".
func disputed(cited []Evidence) string {
	for i := range cited {
		for _, other := range cited[i].Against {
			if !slices.ContainsFunc(cited, func(e Evidence) bool { return e.Number == other.Number }) {
				return fmt.Sprintf("citation %d and citation %d contradict each other, and it cites one of them", cited[i].Number, other.Number)
			}
		}
	}
	return ""
}

// outdated returns the fault of a claim all of whose sources are older than the horizon, else "". A
// calendar has no age.
func outdated(cited []Evidence, horizon string) string {
	newest := ""
	for i := range cited {
		if cited[i].PublishedAt == "" || cited[i].tagged(TagCalendar) {
			return "" // not known, or without age
		}
		newest = max(newest, cited[i].PublishedAt)
	}
	if horizon == "" || len(cited) == 0 || newest >= horizon {
		return ""
	}
	return "its newest source is of " + newest[:min(len(newest), len("2006-01-02"))] + ", before " + horizon
}

// isWeak reports whether a claim rests on one source of tier 4 without a word that says so: one of the
// phrases for weak evidence, or whose opinion it is.
func isWeak(claim string, cited []Evidence) bool {
	sources := map[string]bool{}
	for i := range cited {
		if cited[i].Tier != 4 {
			return false
		}
		sources[publisherKey(cited[i].Publisher)+"\x00"+cited[i].SourceID] = true
	}
	return len(sources) == 1 && !hedged(claim)
}

// weakWords are beginnings of sentences that call their evidence weak, and hedgeTails the phrases
// that may follow the mark of one.
var (
	weakWords  = []string{"according to limited", "according to unconfirmed", "some sources suggest", "early indications", "unconfirmed reports"}
	hedgeTails = []string{"but official confirmation is pending", "though this has not been widely reported", "official confirmation is pending", "this has not been widely reported"}
)

// hedged reports whether a claim says that its evidence is weak, or whose opinion it gives.
func hedged(claim string) bool {
	lower := strings.ToLower(claim)
	says := func(p string) bool { return strings.Contains(lower, p) }
	t := banks()
	return slices.ContainsFunc(weakWords, says) || slices.ContainsFunc(hedgeTails, says) || t.has("?", claim) && t.has("!", claim)
}

// isHedgeTail reports whether a text is a phrase that may follow the mark of a hedged sentence.
func isHedgeTail(text string) bool {
	return slices.Contains(hedgeTails, strings.ToLower(strings.Trim(text, " .,;—–-")))
}
