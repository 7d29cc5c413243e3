package judge_test

import (
	"os"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestAmounts judges claims that give an amount of their words in another form: half of them the same amount, half another one.
func TestAmounts(t *testing.T) {
	data, err := os.ReadFile("testdata/own/amounts.txt")
	if err != nil {
		t.Fatal(err)
	}
	follow, others := 0, 0
	for line := range strings.Lines(strings.TrimSpace(string(data))) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimSpace(line[5:]), " | ")
		j := judge.Judge(f[1], judge.Passage{Words: f[0], Lang: line[2:4]})
		if line[0] == '=' {
			follow++
		} else {
			others++
		}
		if (j.Verdict == cite.ClaimFollows) != (line[0] == '=') || line[0] == '=' && len(j.Findings) > 0 {
			t.Errorf("%s: %s (%s)", strings.TrimSpace(line), j.Verdict, j.Reason)
		}
	}
	if follow != 35 || others != 48 {
		t.Errorf("%d claims of the same amount, %d of another one; want 35 and 48", follow, others)
	}
}

// TestAmountsOfModel judges paraphrases, which only a model can verify: an amount in another form does not stand against its yes, another amount does.
func TestAmountsOfModel(t *testing.T) {
	words := judge.Passage{Words: "The estate measures 0.5 square kilometres and has been let for an hour and a half of work a day.", Lang: "en"}
	for claim, open := range map[string]bool{"The land of the estate is 50 hectares.": true, "The land of the estate is 60 hectares.": false, "Whoever rents it works 90 minutes.": true, "Whoever rents it works 80 minutes.": false} {
		if j := judge.Judge(claim, words); j.IsOpen() != open {
			t.Errorf("%s: a model may verify it: %v, want %v (%s)", claim, !open, open, j.Reason)
		}
	}
}
