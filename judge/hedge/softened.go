package hedge

import (
	"slices"
	"strings"

	"muniment/cite"
	"muniment/judge"
	"muniment/text/segment"
)

// Softeners are the phrases before or after a claim that mark it as suggested and not asserted.
var Softeners = []string{"According to limited available reports", "Some sources suggest that", "Early indications suggest that",
	"but official confirmation is pending", "though this has not been widely reported"}

// InfersNothingNew reports whether what a claim says less surely follows from words: the claim without its hedges and
// softeners does. It is put in the mouth of the source.
func InfersNothingNew(claim string, words ...judge.Passage) bool {
	bare := claim
	for _, phrase := range Softeners {
		if at := strings.Index(bare, phrase); at >= 0 {
			bare = bare[:at] + strings.TrimLeft(bare[at+len(phrase):], ", ")
		}
	}
	hedges := segment.Hedges(bare)
	for _, h := range slices.Backward(hedges) {
		bare = bare[:h.Start] + strings.TrimLeft(bare[h.End:], ", ")
	}
	return judge.Judge(strings.TrimSpace(bare), words...).Verdict == cite.ClaimFollows
}
