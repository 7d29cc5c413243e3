package verifiers_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/testvectors"
)

// The weights of scores in verify.py and verify.js are those of the library;
// -update writes them anew, and verify.html after them.
func TestWeights(t *testing.T) {
	var python, script, leastPython, leastScript []string
	high, low := "", ""
	for line := range strings.Lines(cite.RankWeights) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == "" || strings.HasPrefix(name, "#") || name == "version":
		case name == "high":
			high = value
		case name == "low":
			low = value
		case strings.HasPrefix(name, "least-"):
			name = strings.TrimPrefix(name, "least-")
			leastPython, leastScript = append(leastPython, fmt.Sprintf("%s=%s", name, value)), append(leastScript, fmt.Sprintf("%s: %s", name, value))
		default:
			python, script = append(python, fmt.Sprintf("%s=%s", name, value)), append(script, fmt.Sprintf("%s: %s", name, value))
		}
	}
	if len(python) < 5 {
		t.Fatalf("%d features", len(python))
	}
	for _, c := range []struct{ file, begin, want string }{
		{"verify.py", "RANK = {", fmt.Sprintf(`RANK = {"%s": (%s, %s, dict(%s), dict(%s))}  # by version: high, low, the least of an answer, the weights`, cite.RankTable, high, low, strings.Join(leastPython, ", "), strings.Join(python, ", "))},
		{"verify.js", "  const RANK = {", fmt.Sprintf(`  const RANK = { '%s': [%s, %s, { %s }, { %s }] };`, cite.RankTable, high, low, strings.Join(leastScript, ", "), strings.Join(script, ", "))},
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
