package gate

import (
	"os"
	"strings"
	"testing"
)

// TestHedgeLint: a marker beside a word of certainty, or beside another marker, is stacked.
func TestHedgeLint(t *testing.T) {
	data, err := os.ReadFile("testdata/hedges.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		all[f[0]]++
		if HedgeStacked(f[2]) == (f[1] == "stacked") {
			right[f[0]]++
		} else {
			t.Errorf("%s, want %s: %q, markers %q", f[0], f[1], f[2], Markers(f[2]))
		}
	}
	t.Logf("unseen %d of %d, developed %d of %d", right["u"], all["u"], right["d"], all["d"])
	if all["u"] != 20 || all["d"] != 20 || all["t"] != 19 {
		t.Errorf("%v cases", all)
	}
}
