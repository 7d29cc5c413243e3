package draft

import (
	"muniment/cite"
	"muniment/draft/contract"
)

// countClaims counts claims by their faults.
func countClaims(all []contract.Claim) cite.ClaimCounts {
	var n cite.ClaimCounts
	for _, c := range all {
		switch {
		case c.Free, c.Fault == contract.Uncited && !c.Marked && !c.Compared, c.Fault == contract.NotFound, c.Fault == contract.Incomplete:
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
