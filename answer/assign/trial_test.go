package assign_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"muniment/answer/assign"
	"muniment/answer/follow"
	"muniment/cite"
)

// aimedKind marks the claims of the trial that were aimed at what its first part had shown of the rules.
var aimedKind = regexp.MustCompile(`^false r\d`)

// TestTrial judges the claims of a trial by somebody who had not seen the rules. Those that were aimed at what stands
// outside the clause pass in part, which docs/evidence.md says: more may not.
func TestTrial(t *testing.T) {
	data, err := os.ReadFile("testdata/trial.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, follows := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("%q has %d fields, want 4", line, len(f))
		}
		p := follow.Passage{Words: f[2]}
		if f[3] != "-" {
			p.Names = []string{f[3]}
		}
		kind := f[0]
		switch {
		case aimedKind.MatchString(kind):
			kind = "aimed"
		case strings.HasPrefix(kind, "false"):
			kind = "false"
		}
		all[kind]++
		if assign.Judge(f[1], p).Verdict == cite.ClaimFollows {
			follows[kind]++
			if kind == "false" {
				t.Errorf("%q follows from %q", f[1], f[2])
			}
		}
	}
	for _, want := range []struct {
		kind              string
		all, fewest, most int
	}{{"true1", 40, 29, 40}, {"true2", 40, 13, 40}, {"true3", 40, 0, 40}, {"false", 240, 0, 0}, {"aimed", 410, 0, 148}} {
		n := follows[want.kind]
		t.Logf("%s: %d of %d follow", want.kind, n, all[want.kind])
		if all[want.kind] != want.all || n < want.fewest || n > want.most {
			t.Errorf("%s: %d of %d follow, want %d to %d of %d", want.kind, n, all[want.kind], want.fewest, want.most, want.all)
		}
	}
}
