package draft

import (
	"testing"

	"muniment/draft/contract"
)

// Each claim is counted once, a fault of alignment that the rules let pass as unverified.
func TestClaimCounts(t *testing.T) {
	all := []contract.Claim{{}, {}, {Free: true}, {Doubt: contract.Unsupported}, {Fault: contract.Uncited}, {Fault: contract.Uncited, Marked: true}, {Fault: contract.NotFound}, {Fault: contract.Contradicted}, {Fault: contract.Conflict}, {Fault: contract.Unsupported}, {Fault: contract.Unverified}}
	if got := countClaims(all).String(); got != "2 verified, 4 unverified, 2 contradicted, 3 unjudged" {
		t.Error(got)
	}
}
