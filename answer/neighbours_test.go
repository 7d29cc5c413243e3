package answer_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/sign"

	"github.com/google/go-cmp/cmp"
)

// letterPapers are papers with a kind in their names beside those of archivetest.
func letterPapers() map[string]string {
	papers := maps.Clone(archivetest.Papers)
	papers["letter-1933-06-01.txt"] = "Aldham, 1 June 1933\n\nThe hens of Aldham lay well. Ruth counted twenty eggs.\n"
	return papers
}

// suggestionsOf asks a question that must be refused and returns what the refusal suggests.
func suggestionsOf(t *testing.T, a *archive.Archive, s sign.Signer, question string) []string {
	t.Helper()
	r, err := answer.Ask(context.Background(), a, question, answer.AskOptions{Signer: s})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refusal == nil {
		t.Fatalf("%q is not refused: %+v", question, r.Claims)
	}
	return r.Refusal.Suggestions
}

// A refusal names the papers nearest in time, in kind and by name.
func TestNeighbours(t *testing.T) {
	a, s := archivetest.New(t, letterPapers())
	archivetest.Seal(t, a, s)
	for _, tt := range []struct{ question, want string }{
		{"Which violin was sold on 10 April 1931?", "nearest in time: 1931-04-02.txt"},
		{"Which violin was sold in June 1934?", "nearest in time: letter-1933-06-01.txt"},
		{"Which violin was sold in 1907?", "nearest in time: 1931-03-14.txt"},
		{"Which violin was sold in 1936?", "nearest in time: 1936-05-03.txt"},
		{"Which letter describes a violin concerto?", "nearest in kind (letter): letter-1933-06-01.txt"},
		{"Who bought a violin concerto in Bremen?", "“Bremen” is named in 1937-01-09.txt"},
	} {
		if got := strings.Join(suggestionsOf(t, a, s, tt.question), "\n"); !strings.Contains(got, tt.want) {
			t.Errorf("%q: no %q in\n%s", tt.question, tt.want, got)
		}
	}
	if got := strings.Join(suggestionsOf(t, a, s, "Which violin concerto was sold?"), "\n"); strings.Contains(got, ".txt") {
		t.Errorf("a question that names no time, kind or name: %s", got)
	}
}

// A paper of which the requestor may not know, or whose title may not be shown, is named in no
// refusal, and moves none.
func TestNeighboursHidden(t *testing.T) {
	papers := letterPapers()
	hidden, s := archivetest.New(t, papers)
	archivetest.Seal(t, hidden, s, history.ConsentOptions{Artifacts: []string{"letter-1933-06-01.txt", "1937-01-09.txt"}, Preset: "hidden"},
		history.ConsentOptions{Artifacts: []string{"1936-05-03.txt"}, Preset: "auditor-only"})
	delete(papers, "letter-1933-06-01.txt")
	delete(papers, "1937-01-09.txt")
	absent, s2 := archivetest.New(t, papers)
	archivetest.Seal(t, absent, s2, history.ConsentOptions{Artifacts: []string{"1936-05-03.txt"}, Preset: "auditor-only"})
	named := 0
	for _, q := range []string{
		"Which violin was sold in June 1933?", "Which violin was sold in June 1936?", "Which violin was sold in 1939?",
		"Which letter describes a violin concerto?", "Who bought a violin concerto in Bremen?", "Who bought a violin concerto in Aldham?",
	} {
		x, y := suggestionsOf(t, hidden, s, q), suggestionsOf(t, absent, s2, q)
		if d := cmp.Diff(y, x); d != "" {
			t.Errorf("%q (-absent +hidden):\n%s", q, d)
		}
		for _, line := range x {
			if strings.Contains(line, "1936-05-03") {
				t.Errorf("%q: %s", q, line)
			}
			if strings.Contains(line, ".txt") {
				named++
			}
		}
	}
	if named < 3 {
		t.Errorf("%d papers were named", named)
	}
}
