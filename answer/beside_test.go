package answer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
)

// Each paper has two sentences, and one of them has the verb of the question. Both are quoted where the other one says only whom a pronoun or a possessive means;
// a person whom the other one names is no answer by it alone. One archive has all sixty papers.
func TestBesideAndReferent(t *testing.T) {
	data, err := os.ReadFile("testdata/beside.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][]string
	files := map[string]string{}
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if len(c) != 4 {
			t.Fatalf("%q has %d fields", line, len(c))
		}
		cases = append(cases, c)
		files[fmt.Sprintf("paper-%02d.txt", len(cases))] = c[1] + "\n"
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	kinds, wrong, both, bare := map[string]int{}, 0, 0, 0
	for _, c := range cases {
		r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, c[2])
		kinds[c[0]]++
		answers := len(r.Claims) > 0 && r.Claims[0].Role == string(cite.RoleAnswer)
		if !answers {
			if c[0] == "names" {
				t.Logf("not called the answer: %s %+v", c[2], r.Claims)
			}
			continue
		}
		text := r.Claims[0].Text
		second := c[1][strings.Index(c[1], ". ")+2:]
		switch {
		case c[0] == "verb" && !strings.Contains(text, second):
			wrong++
			t.Errorf("%s: %q", c[2], text)
		case c[0] == "names" && strings.Contains(text, c[3]) && strings.Contains(text, second):
			both++
		case c[0] == "names":
			bare++
			t.Errorf("%s: only %q", c[2], text)
		}
	}
	t.Logf("the verb beside: %d of %d answered wrongly; a referent beside: %d of %d answered with both sentences, %d with one", wrong, kinds["verb"], both, kinds["names"], bare)
	if kinds["verb"] != 30 || kinds["names"] != 30 || wrong+bare > 0 || both < 27 {
		t.Error("fewer than 27 of 30, or a wrong one")
	}
}
