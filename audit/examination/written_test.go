package examination_test

import (
	"os"
	"strings"
	"testing"

	"muniment/audit/examination"
)

// TestWritten examines single quotations, true ones and wrong ones of known kinds, over twelve papers, and prints the figures by kind. It is no held
// set: its misses were read.
func TestWritten(t *testing.T) {
	a := archiveOf(t, "testdata/written")
	read := func(name string) []string {
		t.Helper()
		data, err := os.ReadFile("testdata/written/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(data)), "\n----\n")
	}
	worst := func(text string) (bad bool) {
		r := examineText(t, a, text+"\n")
		for _, i := range r.Items {
			bad = bad || i.Verdict != examination.Exact && i.Verdict != examination.Scholarly
		}
		return bad || len(r.Items) == 0
	}
	good, worse := read("good.txt"), 0
	for _, text := range good {
		if worst(text) {
			worse++
			t.Logf("worse: %s", text)
		}
	}
	all, found := map[string]int{}, map[string]int{}
	bad, caught := read("bad.txt"), 0
	for _, line := range bad {
		head, text, _ := strings.Cut(line, "|")
		kind, _, _ := strings.Cut(head, " ")
		all[kind]++
		if worst(text) {
			found[kind]++
			caught++
		} else {
			t.Logf("missed: %s", line)
		}
	}
	t.Logf("good called worse %d of %d; bad found %d of %d: %v of %v", worse, len(good), caught, len(bad), found, all)
	if len(good) != 61 || worse > 4 || len(bad) != 89 || caught < 85 {
		t.Errorf("good called worse %d of %d, bad found %d of %d", worse, len(good), caught, len(bad))
	}
}
