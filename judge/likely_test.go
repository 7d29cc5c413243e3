package judge_test

import (
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestLikely measures the hint on the sets: a claim that follows or is likely against one that is neither. macro-F1 is the mean of the F1 of both.
func TestLikely(t *testing.T) {
	for set, least := range map[string]float64{"held": .77, "held2": .84, "held3": .80} {
		var n [2][2]float64 // truth, hint
		swaps := 0
		for _, p := range readSet(t, set) {
			j := judge.Judge(p.claim, p.words)
			truth, hint := 0, 0
			if p.truth == "follows" {
				truth = 1
			}
			if j.Verdict == cite.ClaimFollows || j.IsLikely() {
				hint = 1
			}
			if n[truth][hint]++; p.kind == "roleswap" && hint == 1 {
				swaps++
			}
		}
		wrong := n[0][1] + n[1][0]
		f1 := (2*n[1][1]/(2*n[1][1]+wrong) + 2*n[0][0]/(2*n[0][0]+wrong)) / 2
		t.Logf("%s: macro-F1 %.3f, false ones likely %.0f of %.0f, true ones not %.0f of %.0f, swaps likely %d", set, f1, n[0][1], n[0][0]+n[0][1], n[1][0], n[1][0]+n[1][1], swaps)
		if f1 < least {
			t.Errorf("%s: macro-F1 %.3f, want %.2f", set, f1, least)
		}
	}
}
