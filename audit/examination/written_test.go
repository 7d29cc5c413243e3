package examination_test

import (
	"os"
	"strings"
	"testing"

	"muniment/audit/examination"
)

// TestWritten examines single quotations, true ones and wrong ones of known kinds, over the papers of three sets, and prints the figures by kind and
// the step that loses each. Those of held-good.txt and held-bad.txt are only counted; the misses of the others were read.
func TestWritten(t *testing.T) {
	for _, set := range []struct {
		name, half                 string
		good, worse, bad, notFound int
	}{{"written", "", 61, 4, 89, 4}, {"fresh", "", 40, 0, 40, 6}, {"clause", "", 15, 0, 15, 0}, {"clause", "held-", 15, 1, 15, 3}} {
		dir := "testdata/" + set.name
		logf := t.Logf
		if set.half != "" {
			logf = func(string, ...any) {}
		}
		a := archiveOf(t, dir)
		read := func(name string) []string {
			t.Helper()
			data, err := os.ReadFile(dir + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Split(strings.TrimSpace(string(data)), "\n----\n")
		}
		steps := map[string]int{}
		worst := func(text string) (bad bool, step string) {
			r := examineText(t, a, text+"\n")
			step = "not segmented"
			for _, i := range r.Items {
				bad = bad || i.Verdict != examination.Exact && i.Verdict != examination.Scholarly
				at := string(i.Verdict) + ": " + i.Reason
				switch {
				case i.Named == nil || !i.Named.Here:
					step = "source not resolved: " + at
				case i.Found == nil:
					step = "words not found: " + at
				default:
					step = "verdict: " + at
				}
			}
			return bad || len(r.Items) == 0, step
		}
		good, worse := read(set.half+"good.txt"), 0
		for _, text := range good {
			if isWorse, step := worst(text); isWorse {
				worse++
				steps[beforeColon(step)]++
				logf("worse: %s\n   %s", text, step)
			}
		}
		all, found := map[string]int{}, map[string]int{}
		bad, caught := read(set.half+"bad.txt"), 0
		for _, line := range bad {
			head, text, _ := strings.Cut(line, "|")
			kind, _, _ := strings.Cut(head, " ")
			all[kind]++
			if isBad, step := worst(text); isBad && step != "not segmented" {
				found[kind]++
				caught++
			} else {
				steps[beforeColon(step)]++
				logf("missed: %s\n   %s", line, step)
			}
		}
		t.Logf("%s %s: good called worse %d of %d; bad found %d of %d: %v of %v; lost at %v", set.name, set.half, worse, len(good), caught, len(bad), found, all, steps)
		if len(good) != set.good || worse > set.worse || len(bad) != set.bad || caught < set.bad-set.notFound {
			t.Errorf("%s %s: good called worse %d of %d, bad found %d of %d", set.name, set.half, worse, len(good), caught, len(bad))
		}
	}
}

func beforeColon(s string) string {
	before, _, _ := strings.Cut(s, ":")
	return before
}
