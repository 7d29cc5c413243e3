package draft_test

import (
	"fmt"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
)

// The report of a draft that fails names the evidence near what the draft says, and none of the rest on file; a mark whose citation is not verified is
// held to its words all the same.
func TestReportNamesWhatIsNear(t *testing.T) {
	papers := map[string]string{"weir.txt": "The keeper has not left the weir.\n"}
	for i := range 12 {
		papers[fmt.Sprintf("ledger-%d.txt", i)] = fmt.Sprintf("Carter %d bought a horse at Lammas.\n", i)
	}
	a, s := archivetest.New(t, papers)
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range papers {
		if name != "weir.txt" {
			if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: name, Quote: strings.TrimSpace(text), Claim: strings.TrimSpace(text)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "weir.txt", Quote: "The keeper has not left the weir.", Claim: "The keeper has mended the weir."})
	if err != nil || r.VerificationStatus != "unverified" {
		t.Fatalf("%+v, %v", r, err)
	}
	k, err := draft.Check(t.Context(), e, fmt.Sprintf("The keeper has left the weir [%d].\n", r.CitationID), draft.CheckOptions{Profile: "notes"})
	if err != nil {
		t.Fatal(err)
	}
	if k.Claims.Contradicted != 1 || k.Decision != "abstain" || len(k.Citations) != 1 || strings.Contains(k.Text, "Lammas") {
		t.Errorf("%s, %s, %d citations:\n%s", k.Claims, k.Decision, len(k.Citations), k.Text)
	}
}
