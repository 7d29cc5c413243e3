package judge_test

import (
	"os"
	"strings"
	"testing"

	"muniment/judge"
)

// TestLeftOut asks of quotations, by their papers and by the sentences that use them, whether what governs the words is left out.
func TestLeftOut(t *testing.T) {
	data, err := os.ReadFile("testdata/quoted/cut.tsv")
	if err != nil {
		t.Fatal(err)
	}
	missed, wrong, cut, whole := 0, 0, 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		before, rest, ok := strings.Cut(f[0], "‹")
		words, after, ok2 := strings.Cut(rest, "›")
		if !ok || !ok2 || len(f) != 3 {
			t.Fatalf("no words marked: %s", line)
		}
		why := judge.LeftOut(judge.Passage{Before: before, Words: words, After: after}, judge.Use{Said: f[1], Around: f[1]})
		switch {
		case f[2] == "cut":
			if cut++; why == "" {
				missed++
				t.Logf("missed: %s\n   %s", f[0], f[1])
			}
		default:
			if whole++; why != "" {
				wrong++
				t.Logf("wrong: %s\n   %s\n   %s", f[0], f[1], why)
			}
		}
	}
	t.Logf("%d of %d cuts missed, %d of %d whole ones called cut", missed, cut, wrong, whole)
	if cut < 160 || whole < 99 || missed > 9 || wrong > 1 {
		t.Errorf("%d of %d cuts missed, at most 9; %d of %d whole ones called cut, at most 1", missed, cut, wrong, whole)
	}
}
