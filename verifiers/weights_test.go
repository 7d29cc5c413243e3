package verifiers_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/testvectors"
)

// The weights of scores in verify.py and verify.js are those of the library;
// -update writes them anew, and verify.html after them.
func TestWeights(t *testing.T) {
	var python, script []string
	for _, table := range slices.Sorted(maps.Keys(cite.RankWeights)) {
		p, s := weightsOf(t, table)
		python, script = append(python, p), append(script, s)
	}
	if len(python) < 2 {
		t.Fatalf("%d versions of the weights", len(python))
	}
	for _, c := range []struct{ file, begin, want string }{
		{"verify.py", "RANK = {", fmt.Sprintf("RANK = {%s}  # by version: high, low, the least of an answer, the weights", strings.Join(python, ", "))},
		{"verify.js", "  const RANK = {", fmt.Sprintf("  const RANK = { %s };", strings.Join(script, ", "))},
	} {
		data, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		at := -1
		for i, line := range lines {
			if strings.HasPrefix(line, c.begin) {
				at = i
			}
		}
		switch {
		case at < 0:
			t.Errorf("%s has no line %q", c.file, c.begin)
		case lines[at] == c.want:
		case !testvectors.Update():
			t.Errorf("%s has\n%s\nwant\n%s\n-update writes it anew", c.file, lines[at], c.want)
		default:
			lines[at] = c.want
			if err := os.WriteFile(c.file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !testvectors.Update() {
		return
	}
	cmd := exec.Command("node", "make_page.js")
	cmd.Dir = "js"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// weightsOf returns the entry of a version of the weights as verify.py has it, and as verify.js has it.
func weightsOf(t *testing.T, table string) (python, script string) {
	t.Helper()
	var features, least struct{ python, script []string }
	high, low := "", ""
	for line := range strings.Lines(cite.RankWeights[table]) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		bounded, isLeast := strings.CutPrefix(name, "least-")
		switch {
		case name == "" || strings.HasPrefix(name, "#") || name == "version":
		case name == "high":
			high = value
		case name == "low":
			low = value
		case isLeast:
			least.python, least.script = append(least.python, bounded+"="+value), append(least.script, bounded+": "+value)
		default:
			features.python, features.script = append(features.python, name+"="+value), append(features.script, name+": "+value)
		}
	}
	if len(features.python) < 5 {
		t.Fatalf("%s: %d features", table, len(features.python))
	}
	return fmt.Sprintf(`"%s": (%s, %s, dict(%s), dict(%s))`, table, high, low, strings.Join(least.python, ", "), strings.Join(features.python, ", ")),
		fmt.Sprintf(`'%s': [%s, %s, { %s }, { %s }]`, table, high, low, strings.Join(least.script, ", "), strings.Join(features.script, ", "))
}
