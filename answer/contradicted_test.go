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

// A sentence that words on file contradict, in whole or in one clause, has the same count and the same reason from cite, from an unmarked check and from
// bind, and nothing of it is delivered.
func TestContradictedWithoutMark(t *testing.T) {
	papers := map[string]string{"weir.txt": "The keeper has not left the weir. Odile Marsh wrote to the clerk for me, but the clerk has not replied. Jonas Pettit died on 4 May 1861.\n"}
	a, s := archivetest.New(t, papers)
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"The keeper has not left the weir.", "The keeper has left the weir."},
		{"Odile Marsh wrote to the clerk for me, but the clerk has not replied.", "Odile Marsh wrote to the clerk for me, but the clerk has replied."},
		{"Jonas Pettit died on 4 May 1861.", "Jonas Pettit died on 14 May 1861."},
		{"Odile Marsh wrote to the clerk for me, but the clerk has not replied.", "Jonas Pettit died on 4 May 1861, and the clerk has replied."},
	} {
		cited, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "weir.txt", Quote: c[0], Claim: c[1]})
		if err != nil || cited.ClaimVerdict != string(cite.ClaimContradicted) {
			t.Fatalf("%s: %+v, %v", c[1], cited, err)
		}
		want := cite.ClaimCounts{Contradicted: 1}
		checked, err := draft.Check(t.Context(), e, c[1]+"\n", draft.CheckOptions{Profile: "notes", NoRepair: true})
		if err != nil || checked.Claims != want || !strings.Contains(checked.Findings[0].Reason, cited.Reason) || !strings.Contains(checked.Text, c[1]) {
			t.Errorf("check of %q: %s, %+v, %v", c[1], checked.Claims, checked.Findings, err)
		}
		bound, err := answer.Bind(t.Context(), a, c[1]+"\n", answer.AskOptions{Signer: s})
		if err != nil || *bound.Counts != want || len(bound.Claims) > 0 || !strings.Contains(bound.Removed[0].Reason, c[0]) || !strings.Contains(bound.Removed[0].Reason, cited.Reason) {
			t.Errorf("bind of %q: %s, %+v, %v", c[1], bound.Counts, bound.Removed, err)
		}
	}
}

// A sentence whose other half is denied is not delivered in part, whatever words join the halves and whoever is called he; nor does a wrong year
// keep bind from the words that have the right one, or what takes words back from being said of them.
func TestDeniedHalves(t *testing.T) {
	papers := map[string]string{"toll.txt": "The collector saw a lamp, but he did not open the gate. The toll was raised to five pence on 9 March 1871. " +
		"Der Zöllner öffnete das Tor nicht, aber der Kutscher rief nach ihm.\n\nThe bridge fell at noon. That is what the boy said; it was not so.\n\nTwo of the carts crossed.\n"}
	a, s := archivetest.New(t, papers)
	archivetest.Seal(t, a, s)
	for text, want := range map[string]string{
		"The collector saw a lamp and opened the gate.":                   "deny",
		"The collector saw a lamp; the collector opened the gate.":        "deny",
		"Der Kutscher rief nach ihm, aber der Zöllner öffnete das Tor.":   "nicht",
		"Two of the carts crossed, but the third cart did not cross.":     "denies",
		"The toll was raised to five pence on 9 March 1872.":              "1872",
		"The bridge fell at noon.":                                        "the nearest words do not show it",
		"The collector saw a lamp, and the keeper of the inn was asleep.": "",
		"The collector saw a lamp, but he did not open the gate.":         "",
	} {
		r, err := answer.Bind(t.Context(), a, text+"\n", answer.AskOptions{Signer: s})
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		for _, x := range r.Removed {
			reason += x.Reason
		}
		if (want == "") != (len(r.Claims) > 0) || !strings.Contains(reason, want) {
			t.Errorf("%q: %+v, %+v", text, r.Claims, r.Removed)
		}
	}
}
