package judge_test

import (
	"os"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/text/segment"
)

// ownLines returns the lines of a file of testdata/own that are no comment.
func ownLines(t *testing.T, name string) (out []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/own/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// TestWholeSentences claims each sentence of asserted paragraphs with its own words: all of them follow.
func TestWholeSentences(t *testing.T) {
	all, follow := 0, 0
	for _, text := range ownLines(t, "verbatim.txt") {
		for _, r := range segment.Sentences(text, segment.Detect(text)) {
			words := strings.TrimSpace(text[r.Start:r.End])
			if strings.HasSuffix(words, "!") { // an address
				continue
			}
			all++
			if j := judgeIn(t, text, words, words); j.Verdict == cite.ClaimFollows {
				follow++
			} else {
				t.Logf("%q: %s", words, j.Reason)
			}
		}
	}
	if t.Logf("%d of %d follow", follow, all); all != 135 || follow != all {
		t.Errorf("%d of %d sentences follow from themselves, want all of 135", follow, all)
	}
}

// TestOmitted claims clauses without the scope or the restriction that their words have: none of them follows.
func TestOmitted(t *testing.T) {
	all, follow, open := 0, 0, 0
	for _, line := range ownLines(t, "omitted.txt") {
		text, claim, _ := strings.Cut(line, " => ")
		words := text
		if _, rest, marked := strings.Cut(text, "["); marked {
			words, _, _ = strings.Cut(rest, "]")
		} else if list := strings.Split(text, " ¶ - "); len(list) > 1 {
			words = list[len(list)-1]
		}
		text = strings.ReplaceAll(strings.NewReplacer("[", "", "]", "").Replace(text), " ¶ ", "\n\n")
		j := judgeIn(t, text, words, claim)
		all++
		if j.Verdict == cite.ClaimFollows {
			follow++
			t.Logf("follows: %s (%s)", line, j.Reason)
		} else if j.IsOpen() {
			open++
			t.Logf("a model's yes would verify: %s (%s, %d)", line, j.Reason, j.Score)
		}
	}
	if t.Logf("%d of %d follow, a model's yes would verify %d", follow, all, open); all != 100 || follow > 0 || open > 10 {
		t.Errorf("%d of %d follow, %d open; want none of 100, 10 open", follow, all, open)
	}
}

// cutMark returns a line of a text without its brackets, and the words between them.
func cutMark(line string) (text, words string) {
	_, rest, _ := strings.Cut(line, "[")
	words, _, _ = strings.Cut(rest, "]")
	return strings.ReplaceAll(strings.NewReplacer("[", "", "]", "").Replace(line), " ¶ ", "\n\n"), words
}

// TestClauses claims clauses of longer sentences with their own words, and sentences after a scope that has ended. Three do not follow: a clause with an
// unknown verb between two commas may be somebody's word, and a clause after "when I got up" may be part of it.
func TestClauses(t *testing.T) {
	all, follow := 0, 0
	for _, line := range ownLines(t, "clauses.txt") {
		line, claim, other := strings.Cut(line, " => ")
		text, words := cutMark(line)
		if !other {
			claim = words
		}
		all++
		if j := judgeIn(t, text, words, claim); j.Verdict == cite.ClaimFollows {
			follow++
		} else {
			t.Logf("%s: %s", line, j.Reason)
		}
	}
	if t.Logf("%d of %d follow", follow, all); all != 150 || follow < 147 {
		t.Errorf("%d of %d clauses follow, want 147 of 150", follow, all)
	}
}
