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
	if follow != 30 || others != 30 {
		t.Errorf("%d claims of the same amount, %d of another one; want 30 of each", follow, others)
	}
}

// TestThirdKinds counts the pairs of a third set in which an amount has another form; bounds are of the half "held3".
func TestThirdKinds(t *testing.T) {
	countKinds(t, "dev3")
	held := countKinds(t, "held3")
	if k := held["computed"]; k == nil || k.all != 20 || k.follow < 7 || k.contradicted > 0 {
		t.Errorf("computed: %+v, want at least 7 of 20 that follow and none contradicted", k)
	}
	if k := held["changed"]; k == nil || k.all != 32 || k.follow > 0 {
		t.Errorf("changed: %+v, want none of 32 that follows", k)
	}
}
