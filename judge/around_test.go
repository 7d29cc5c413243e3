package judge_test

import (
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestQuotedBefore demands that a quotation ends with the mark of its language, and that a sentence inside of one is somebody else's.
func TestQuotedBefore(t *testing.T) {
	for before, verdict := range map[string]cite.ClaimVerdict{
		"Der Dampfer „Hertha“ lag im Hafen. ":          cite.ClaimFollows,
		"Der Dampfer »Hertha« lag im Hafen. ":          cite.ClaimFollows,
		"The ferry “Hertha” lay in the harbour. ":      cite.ClaimFollows,
		"The ferry \"Hertha\" lay in the harbour. ":    cite.ClaimFollows,
		"Der Schmied sagte: „Das Tor war offen. ":      cite.ClaimNotShown,
		"Der Schmied sagte: »Das Tor war offen. ":      cite.ClaimNotShown,
		"The smith said: “The gate was open. ":         cite.ClaimNotShown,
		"„Hertha“ lag still. Er sagte: „Ich gehe. ":    cite.ClaimNotShown,
		"The smith said: “The „Hertha“ is lost. ":      cite.ClaimNotShown,
		"The smith said: “The gate was open.” Later, ": cite.ClaimFollows,
	} {
		words := "Kapitän Lührs hat den Lotsen nicht bezahlt."
		if j := judge.Judge(words, judge.Passage{Words: words, Before: before, Lang: "de"}); j.Verdict != verdict {
			t.Errorf("after %q: %s, %s; want %s", before, j.Verdict, j.Reason, verdict)
		}
	}
}

// TestQuestionsAssertNothing demands that no question follows.
func TestQuestionsAssertNothing(t *testing.T) {
	for claim, want := range map[string]cite.ClaimVerdict{
		"The cook was drowned?": cite.ClaimNotShown, "The cook was drowned.": cite.ClaimFollows, "The cook was drowned": cite.ClaimFollows,
	} {
		if j := judge.Judge(claim, judge.Passage{Words: "The cook was drowned."}); j.Verdict != want {
			t.Errorf("%q: %s, %s; want %s", claim, j.Verdict, j.Reason, want)
		}
	}
}
