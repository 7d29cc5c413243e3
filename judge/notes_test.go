package judge_test

import (
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestNoteMarks demands that the number of a note is no word of a sentence, and that of a law is one.
func TestNoteMarks(t *testing.T) {
	for _, x := range []struct {
		words, claim string
		follows      bool
	}{
		{"The crew was saved, but the cook was drowned.[4]", "The cook was drowned.", true},
		{"The crew was saved, but the cook was drowned.[4]", "The crew was saved, but the cook was drowned.[4]", true},
		{"The well,(2) which was dug in 1720, was filled.", "The well, which was dug in 1720, was filled.", true},
		{"The cook[12] was drowned.", "The cook was drowned.", true},
		{"The duty is set by article 5(2).", "The duty is set by article 5.", false},
		{"The duty is set by article 5 (2).", "The duty is set by article 5.", false},
		{"The cook was drowned [reports vary].", "The cook was drowned.", false},
	} {
		if j := judge.Judge(x.claim, judge.Passage{Words: x.words}); (j.Verdict == cite.ClaimFollows) != x.follows {
			t.Errorf("%q of %q: %s, %s", x.claim, x.words, j.Verdict, j.Reason)
		}
	}
}
