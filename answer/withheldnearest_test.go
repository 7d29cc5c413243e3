package answer_test

import (
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
	"muniment/history"
)

// A nearest passage that consent withholds is "not enough": nobody says that it is about the
// question, so the archive is not said to hold something on that.
func TestNearestWithheld(t *testing.T) {
	const question = "Who repaired the mill wheel?"
	files := map[string]string{"1931.txt": "The mill wheel has stopped.\n", "1940.txt": "It rained all day in the valley.\n"}
	open, s := archivetest.New(t, files)
	archivetest.Seal(t, open, s)
	got, err := answer.Ask(t.Context(), open, question, answer.AskOptions{Signer: s})
	if err != nil || len(got.Claims) != 1 || got.Claims[0].Role != string(cite.RoleNearest) {
		t.Fatalf("%+v, %v", got, err)
	}
	withheld, s := archivetest.New(t, files)
	archivetest.Seal(t, withheld, s, history.ConsentOptions{Artifacts: []string{"1931.txt"}, Preset: "auditor-only"})
	got, err = answer.Ask(t.Context(), withheld, question, answer.AskOptions{Signer: s})
	if err != nil || got.Refusal == nil || got.Refusal.Kind != "coverage" || len(got.Removed) != 0 {
		t.Errorf("%+v %+v, %v", got, got.Refusal, err)
	}
}
