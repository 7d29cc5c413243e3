package answer_test

import (
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
	"muniment/draft"
	"muniment/engine"
)

// A draft of three claims, of which each is registered, is counted alike by status, check and bind; a fourth cites nothing and is near nothing.
func TestClaimsAreCountedAlike(t *testing.T) {
	const said, scoped = "Tobias Lunt repaired the mill wheel in nine days.", "the mine was safe"
	a, s := archivetest.New(t, map[string]string{"1874.txt": "Lambeth, 3 May 1874\n\n" + said + " He took no money.\n\nThe report says that the mine was safe.\n"})
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{said, said}, {said, "Tobias Lunt repaired the mill wheel in ten days."}, {scoped, "The mine was safe."}} {
		if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: c[0], Claim: c[1]}); err != nil {
			t.Fatal(err)
		}
	}
	status, err := engine.Status(a)
	if err != nil || status.Claims == nil || *status.Claims != (cite.ClaimCounts{Verified: 1, Unverified: 1, Contradicted: 1}) {
		t.Errorf("status counts %v, %v", status.Claims, err)
	}
	text := said + " [1]\n\nTobias Lunt repaired the mill wheel in ten days. [2]\n\nThe mine was safe. [3]\n"
	checked, err := draft.Check(t.Context(), e, text, draft.CheckOptions{Profile: "notes", NoRepair: true})
	if err != nil || checked.Claims != *status.Claims {
		t.Errorf("check counts %s, want %s: %v", checked.Claims, status.Claims, err)
	}
	bound, err := answer.Bind(t.Context(), a, text, answer.AskOptions{Signer: s})
	if err != nil || bound.Counts == nil || *bound.Counts != *status.Claims {
		t.Errorf("bind counts %v, want %s: %v", bound.Counts, status.Claims, err)
	}
	text += "\nZebras graze quietly.\n"
	if checked, err = draft.Check(t.Context(), e, text, draft.CheckOptions{Profile: "notes", NoRepair: true}); err != nil || checked.Claims.Unjudged != 1 {
		t.Errorf("check counts %s: %v", checked.Claims, err)
	}
	if asked, err := answer.Ask(t.Context(), a, strings.TrimSuffix(said, ".")+"?", answer.AskOptions{Signer: s}); err != nil || asked.Counts != nil {
		t.Errorf("an answer counts claims: %v, %v", asked, err)
	}
}
