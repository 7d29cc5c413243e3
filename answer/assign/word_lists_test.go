package assign

import (
	"strings"
	"testing"
)

func TestWordLists(t *testing.T) {
	if len(wordLists) < 80 {
		t.Errorf("%d lists, want at least 80", len(wordLists))
	}
	used, comment := map[string]bool{}, ""
	for line := range strings.Lines(wordsText) {
		name, _, _ := strings.Cut(line, ":")
		name = strings.TrimSuffix(name, " by stem")
		switch {
		case line == "\n":
			comment = ""
		case line[0] == '#':
			comment = line
		case comment == "":
			t.Errorf("list %s: no comment says what its words have in common", name)
		default:
			used[name] = true
		}
	}
	if len(used) != len(wordLists) {
		t.Errorf("%d lists read, %d in the file", len(wordLists), len(used))
	}
	for _, bad := range []string{"a\n", ": b\n", "a:\n", "a b: c\n"} {
		if lists, err := parseWordLists(bad); err == nil || lists != nil {
			t.Errorf("%q: %v, %v, want an error and nothing else", bad, lists, err)
		}
	}
}
