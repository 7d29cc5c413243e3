package draft

import (
	"fmt"

	"muniment/draft/contract"
)

// ClaimCounts are the numbers of claims of a draft by what became of them.
type ClaimCounts struct {
	Verified     int `json:"verified"`     // it follows from words that it cites
	Unverified   int `json:"unverified"`   // it has marks, and nothing shows that it follows from what they cite
	Contradicted int `json:"contradicted"` // the words that it cites, or others on file, say otherwise
	Unjudged     int `json:"unjudged"`     // it cites nothing
}

// String returns the counts in words: 3 verified, 1 unverified, 0 contradicted, 2 unjudged.
func (n ClaimCounts) String() string {
	return fmt.Sprintf("%d verified, %d unverified, %d contradicted, %d unjudged", n.Verified, n.Unverified, n.Contradicted, n.Unjudged)
}

// countClaims counts claims by their faults.
func countClaims(all []contract.Claim) ClaimCounts {
	var n ClaimCounts
	for _, c := range all {
		switch {
		case c.Free, c.Fault == contract.Uncited && !c.Marked, c.Fault == contract.NotFound, c.Fault == contract.Incomplete:
			n.Unjudged++
		case c.Fault == contract.Contradicted, c.Fault == contract.Conflict:
			n.Contradicted++
		case c.Fault != "", c.Doubt != "":
			n.Unverified++
		default:
			n.Verified++
		}
	}
	return n
}
