package draft_test

import (
	"fmt"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
)

// A finding on a marked sentence has the reason that cite has for the same claim and words.
func TestReasonsOfFindings(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"minutes.txt": "The council resolved to close the old well to cattle.\n\nThe new pump cost forty-two pounds.\n\nThe foreman said that the mine was safe.\n"})
	archivetest.Seal(t, a, key)
	for words, claim := range map[string]string{
		"The council resolved to close the old well to cattle.": "The council resolved to close the old well.",
		"The new pump cost forty-two pounds.":                   "The new pump cost twenty-four pounds.",
		"The foreman said that the mine was safe.":              "The mine was safe.",
	} {
		e, err := engine.New(a, engine.Caller{Session: words})
		if err != nil {
			t.Fatal(err)
		}
		own, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "minutes.txt", Quote: words, Claim: words})
		if err != nil || own.VerificationStatus != "verified" {
			t.Fatalf("%q: %v %+v", words, err, own)
		}
		said, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "minutes.txt", Quote: words, Claim: claim})
		if err != nil {
			t.Fatal(err)
		}
		r, err := draft.Check(t.Context(), e, fmt.Sprintf("%s [%d]\n", claim, own.CitationID), draft.CheckOptions{Profile: "notes", NoRepair: true})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range r.Findings {
			found = found || said.Reason != "" && strings.HasSuffix(f.Reason, said.Reason)
		}
		if !found {
			t.Errorf("%q: cite says %q, check %+v", claim, said.Reason, r.Findings)
		}
	}
}
