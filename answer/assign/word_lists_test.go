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

// Each rule of limits.txt fires on its first sentence and not on its second.
func TestLimits(t *testing.T) {
	fires := func(l limitRule, sentence string) bool {
		ws := normal(forms(sentence, nil))
		for i := range ws {
			if phraseAt(ws[i:], l.phrase) {
				return hasLimit(ws)
			}
		}
		return false
	}
	for _, l := range limitRules {
		if !fires(l, l.fires) || fires(l, l.silent) {
			t.Errorf("%v: fires on %q: %v, on %q: %v", l.phrase, l.fires, fires(l, l.fires), l.silent, fires(l, l.silent))
		}
	}
	lines := 0
	for line := range strings.Lines(limitsText) {
		if line[0] != '#' {
			lines++
		}
	}
	if lines < 38 || len(limitRules) != lines {
		t.Errorf("%d rules of %d lines, want at least 38 and one a line", len(limitRules), lines)
	}
}
