package assign

import (
	"os"
	"strings"
	"testing"
)

// A restatement is a line of restated.tsv: what a text states, and a claim with one change that it does not state.
type restatement struct {
	id, kind, subject       string
	claim, altered, passage string
}

// readRestated reads restated.tsv.
func readRestated(t *testing.T) []restatement {
	t.Helper()
	data, err := os.ReadFile("testdata/restated.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []restatement
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 8 {
			t.Fatalf("restated.tsv:%d: %d columns, want 8", i+1, len(f))
		}
		if i > 0 {
			out = append(out, restatement{f[0], f[1], f[3], f[4], f[5], f[7]})
		}
	}
	return out
}

// TestRestated counts, over 120 texts, the true restatements that are supported. They were written before the comparison of clauses taken apart;
// the odd lines have been looked at since, the even ones have not. No altered claim may be supported.
func TestRestated(t *testing.T) {
	found := [2]map[string]int{{}, {}}
	rows := readRestated(t)
	for i, r := range rows {
		if ok, tests := supportedBy(t, r.claim, r.passage, r.subject); ok {
			found[i%2][r.kind]++
		} else if i%2 == 0 {
			t.Logf("missed: %s %q: %s / %s", r.id, tests, r.claim, r.passage)
		}
		if ok, _ := supportedBy(t, r.altered, r.passage, r.subject); ok {
			t.Errorf("falsely supported: %s: %s / %s", r.id, r.altered, r.passage)
		}
	}
	odd, even := 0, 0
	for _, n := range found[0] {
		odd += n
	}
	for _, n := range found[1] {
		even += n
	}
	t.Logf("supported: odd lines %d of 60 %v, even lines %d of 60 %v", odd, found[0], even, found[1])
	if len(rows) != 120 || odd < 26 || even < 24 {
		t.Errorf("%d lines, %d and %d supported, want 120, at least 26 and 24", len(rows), odd, even)
	}
}
