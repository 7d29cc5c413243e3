package answer_test

import (
	"muniment/bundle/leaf"
	"net/http"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// TestJudgedClaimIsLabeled demands that a drafted sentence in words of its own is
// delivered as an inference that names its judge, with the judge in its gate leaf; that a
// judge which says no removes it; and that one which cannot be asked is told of.
func TestJudgedClaimIsLabeled(t *testing.T) {
	a, s := archivetest.New(t, weir)
	archivetest.Seal(t, a, s)
	const sentence = "Fixing the mill wheel took Tobias Lunt nine days."
	draft := func(string, http.ResponseWriter) string { return draftReply(sentence) }
	for _, c := range []struct {
		name, verdict, claim, notice string
		judged                       bool
	}{
		{"yes", `{"entailed":"yes","reason":"so"}`, "Judged by default to follow from these words: " + sentence, "drafted by the model", true},
		{"no", `{"entailed":"no","reason":"so"}`, "", "supports no sentence", false},
		{"unclear", `{"entailed":"unclear","reason":"so"}`, "", "supports no sentence", false},
		{"prose", `Yes, it does.`, "", "supports no sentence", false},
		{"broken", "", "", "no model judged what the rules leave open", false},
	} {
		judge := aModel(t, func(_ string, w http.ResponseWriter) string {
			if c.verdict == "" {
				w.WriteHeader(http.StatusUnauthorized)
			}
			return c.verdict
		})
		a = archivetest.ReopenWithModels(t, a, aModel(t, draft), judge, nil)
		r := asked(t, a, answer.AskOptions{Signer: s}, "How long did the mill wheel take?")
		var all []string
		for _, claim := range r.Claims {
			all = append(all, claim.Text)
			if c.judged && claim.Text == c.claim && (claim.Judge != "default" || claim.Rung != "labeled" || len(claim.Citations) != 1 || !strings.Contains(claim.Citations[0].Quote, "repaired the mill wheel in nine days")) {
				t.Errorf("%s: %+v", c.name, claim)
			}
		}
		if !strings.Contains(strings.Join(all, "\n"), c.claim) || !strings.Contains(strings.Join(r.Notices, "\n"), c.notice) || strings.Contains(strings.Join(all, "\n"), "Fixing") != c.judged {
			t.Errorf("%s: claims %q, notices %q, removed %v", c.name, all, r.Notices, r.Removed)
		}
		sealed := 0
		for _, l := range opened(t, a, r) {
			if g, ok := l.(*leaf.Gate); ok && g.Judge != nil && len(g.Judge.ReplySHA256) == 64 && (g.Judge.Verdict == "yes") == c.judged {
				sealed++
			}
		}
		if want := c.verdict != ""; (sealed == 1) != want {
			t.Errorf("%s: %d gate leaves name a judge", c.name, sealed)
		}
	}
}

// TestVerbatimSentencesAreSupported demands that bind supports what stands in the archive
// as it is, whatever typography lies between.
func TestVerbatimSentencesAreSupported(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"1.txt": "Lambeth, 3 May 1874\n\nOld Pohl said “come in, the door is open” and went back to his bread. The ledger was _never_ found in the vestry. We repai-\nred the northern sluice in the first week of April and paid the men in flour.\n\n" +
			"It was not the miller but the smith who paid for the bell. According to some, the bell came from Danzig. By local tradition the bell of St. Olave was cast from cannon.\n",
	})
	archivetest.Seal(t, a, s)
	for _, c := range []struct{ draft, rung string }{
		{"Old Pohl said “come in, the door is open” and went back to his bread.", "supported"},
		{"The ledger was never found in the vestry.", "supported"},
		{"The ledger was _never_ found in the vestry.", "supported"},
		{"We repaired the northern sluice in the first week of April and paid the men in flour.", "supported"},
		{"“We repaired the northern sluice … and paid the men in flour.”", "supported"},
		{"It was not the miller but the smith who paid for the bell.", "supported"},
		{"According to some, the bell came from Danzig.", "supported"},
		{"By local tradition the bell of St. Olave was cast from cannon.", "supported"},
		{"The bell came from Danzig.", "refused"},
		{"It was the miller who paid for the bell.", "refused"},
		{"The bell of St. Olave was cast from cannon.", "refused"},
		{"“The ledger was … found in the vestry.”", "refused"},
	} {
		r, err := answer.Bind(t.Context(), a, c.draft, answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != c.rung {
			t.Errorf("%s: %s, want %s: %+v %v", c.draft, r.Outcome, c.rung, r.Claims, r.Removed)
		}
	}
}
