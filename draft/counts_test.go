package draft

import (
	"testing"

	"muniment/draft/contract"
	"muniment/snapshot/record"
)

// Each claim is counted once, a fault of alignment that the rules let pass as unverified.
func TestClaimCounts(t *testing.T) {
	all := []contract.Claim{{}, {}, {Free: true}, {Doubt: contract.Unsupported}, {Fault: contract.Uncited}, {Fault: contract.Uncited, Marked: true}, {Fault: contract.NotFound}, {Fault: contract.Contradicted}, {Fault: contract.Conflict}, {Fault: contract.Unsupported}, {Fault: contract.Unverified}}
	if got := countClaims(all).String(); got != "2 verified, 4 unverified, 2 contradicted, 3 unjudged" {
		t.Error(got)
	}
}

// A custom source that nobody accepted has the lowest tier and no publisher, whatever its
// document says of itself; the tier of a person's command is an acceptance.
func TestDescribeSource(t *testing.T) {
	for _, c := range []struct {
		facts     map[string]string
		source    *record.Source
		tier      int
		publisher string
	}{
		{facts: map[string]string{"source_type": "custom"}, tier: 4},
		{facts: map[string]string{"source_type": "custom", "origin_tier": "command line"}, source: &record.Source{Tier: 2, Publisher: "The Press"}, tier: 2, publisher: "The Press"},
		{facts: map[string]string{"source_type": "custom", "origin_tier": "document: 1"}, source: &record.Source{Tier: 1, Publisher: "The Press"}, tier: 4},
		{source: &record.Source{Tier: 1, Publisher: "The Press"}, tier: 1, publisher: "The Press"},
	} {
		var got contract.Evidence
		describeSource(&got, &record.Record{Facts: c.facts, Source: c.source}, "")
		if got.Tier != c.tier || got.Publisher != c.publisher {
			t.Errorf("%v, %v: tier %d, publisher %q", c.facts, c.source, got.Tier, got.Publisher)
		}
	}
}
