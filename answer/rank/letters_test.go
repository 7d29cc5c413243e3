package rank

import (
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/answer/retrieve"
	"muniment/canon"
)

// letters returns an index of the letters of testdata.
func letters(t *testing.T) retrieve.Index {
	t.Helper()
	text, err := os.ReadFile("testdata/letters.txt")
	if err != nil {
		t.Fatal(err)
	}
	x, err := retrieve.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	add := func(yield func(retrieve.Doc, error) bool) {
		for _, letter := range strings.Split(string(text), "\n== ")[1:] {
			head, body, _ := strings.Cut(letter, "\n")
			f := strings.Fields(head)
			if !yield(retrieve.Doc{Artifact: f[0], Author: strings.ToUpper(f[0][:1]) + strings.TrimRight(f[0][1:], "-0123456789"), Date: f[1], Lang: f[2], Document: canon.NewDocument(canon.Text([]byte(body)))}, nil) {
				return
			}
		}
	}
	if err := x.Update(t.Context(), "one", add, nil, nil); err != nil {
		t.Fatal(err)
	}
	return x
}

// asked returns the candidates for a question.
func asked(t *testing.T, x retrieve.Index, text string) []Candidate {
	t.Helper()
	query := retrieve.Query{Text: text, K: 32}
	weighing, err := x.Weigh(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	var passages []Passage
	for _, p := range found {
		passages = append(passages, Passage{Text: p.Text, Title: p.Title, Author: p.Author, Lang: p.Lang, Dated: p.Dated})
	}
	return Rank(NewQuestion(text, "", weighing), passages, Default())
}

// Questions as a historian asks them, in two languages, of letters that no weight was fitted on.
func TestLetters(t *testing.T) {
	text, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	x, w := letters(t), Default()
	own, first, shown, foreign, passed := 0, 0, 0, 0, 0
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		question, answer, ok := strings.Cut(rest, " |")
		if !ok || kind == "#" {
			continue
		}
		answer = strings.TrimSpace(answer)
		found := asked(t, x, question)
		found = slices.DeleteFunc(found, func(c Candidate) bool { return w.Outcome(c.Features) == Below })
		answers := len(found) > 0 && w.Outcome(found[0].Features) == Answer
		switch kind {
		case "own":
			own++
			at := slices.IndexFunc(found, func(c Candidate) bool { return strings.Contains(c.Text, answer) })
			if at == 0 {
				first++
			}
			if at >= 0 && at < 3 {
				shown++
			} else {
				t.Logf("%s: right one at %d of %d", question, at, len(found))
			}
			if answers && at != 0 {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		case "foreign":
			if foreign++; len(found) > 0 {
				passed++
				t.Logf("%s: %d %q", question, found[0].Score, found[0].Text)
			}
			if answers {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		case "never":
			if answers {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		}
	}
	t.Logf("%d questions: %d first, %d shown; %d foreign: %d passed", own, first, shown, foreign, passed)
	if own != 25 || foreign != 7 || shown < 22 || first < 20 || passed > 1 {
		t.Errorf("%d questions: %d first, want 20; %d shown, want 22; %d of %d foreign ones pass, want 1 at most", own, first, shown, passed, foreign)
	}
}
