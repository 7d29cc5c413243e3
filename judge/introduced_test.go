package judge_test

import (
	"testing"

	"muniment/cite"
)

// TestIntroduced counts, of two files of which each has a second one that nobody looks at for a rule, how many statements that are governed
// from outside their sentence follow, and how many that nothing governs do not.
func TestIntroduced(t *testing.T) {
	for name, want := range map[string][4]int{"introduced.txt": {90, 1, 61, 4}, "held_introduced.txt": {95, 11, 70, 7}, "unasserted.txt": {30, 0, 30, 6}, "held_unasserted.txt": {30, 6, 30, 3}, "retracted.txt": {60, 4, 60, 11}, "held_retracted.txt": {20, 6, 20, 3},
		"headings.txt": {20, 0, 20, 7}, "held_headings.txt": {20, 8, 20, 7}, "context.txt": {20, 3, 20, 0}, "held_context.txt": {20, 9, 20, 1}, "context2.txt": {20, 4, 20, 4}, "held_context2.txt": {20, 4, 20, 4}} {
		var got [4]int // governed, of these follow; free, of these do not
		for _, line := range ownLines(t, name) {
			follows := judgeLine(t, line[2:]).Verdict == cite.ClaimFollows
			k := 0
			if line[0] == '=' {
				k = 2
			}
			if got[k]++; follows == (k == 0) {
				got[k+1]++
			}
		}
		t.Logf("%s: governed %d, of these follow %d; free %d, of these do not follow %d", name, got[0], got[1], got[2], got[3])
		if got[0] != want[0] || got[2] != want[2] || got[1] > want[1] || got[3] > want[3] {
			t.Errorf("%s: %v, want at most %v", name, got, want)
		}
	}
}
