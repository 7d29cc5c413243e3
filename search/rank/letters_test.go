package rank

import (
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/search/retrieve"
)

// letters returns an index of the letters of a file.
func letters(t *testing.T, file string) retrieve.Index {
	t.Helper()
	text, err := os.ReadFile(file)
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

// asked returns the candidates for a question, none where the evidence for them does not suffice, and all of them.
func asked(t *testing.T, x retrieve.Index, text string) (shown, all []Candidate) {
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
		passages = append(passages, Passage{Text: p.Text, Title: p.Title, Author: p.Author, Lang: p.Lang, Document: p.Artifact, Dated: p.Dated})
	}
	q := NewQuestion(text, "", weighing)
	all = Rank(q, passages, Default())
	if !q.Weigh(all, passages).Suffices() {
		return nil, all
	}
	return all, all
}

// outcomes count what became of questions to letters.
type outcomes struct{ own, first, shown, foreign, passed int }

// askLetters asks the questions of a file of the letters of another one. What answers wrongly is an error.
func askLetters(t *testing.T, letterFile, questionFile string) (n outcomes) {
	t.Helper()
	text, err := os.ReadFile(questionFile)
	if err != nil {
		t.Fatal(err)
	}
	x, w := letters(t, letterFile), Default()
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		question, answer, ok := strings.Cut(rest, " |")
		if !ok || kind == "#" {
			continue
		}
		answer = strings.TrimSpace(answer)
		found, ranked := asked(t, x, question)
		answers := len(found) > 0 && w.IsAnswer(found[0].Features)
		right := func(c Candidate) bool { return strings.Contains(c.Text, answer) }
		switch kind {
		case "own":
			n.own++
			at := slices.IndexFunc(found, right)
			if at == 0 {
				n.first++
			}
			if at >= 0 && at < 3 {
				n.shown++
			} else {
				t.Logf("%s: the right one is %d of %d that are found and %d of %d above the threshold", question, slices.IndexFunc(ranked, right)+1, len(ranked), at+1, len(found))
			}
			if answers && at != 0 {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		case "foreign":
			if n.foreign++; len(found) > 0 {
				n.passed++
				t.Logf("%s: %d %q", question, found[0].Score, found[0].Text)
			}
			if answers {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		case "never":
			if answers {
				t.Errorf("%s: %q is called an answer", question, found[0].Text)
			}
		default:
			t.Fatalf("%s: a question of the kind %q", questionFile, kind)
		}
	}
	t.Logf("%s: %+v", questionFile, n)
	return n
}

// Questions as a historian asks them, in two languages, of letters that no weight was fitted on.
func TestLetters(t *testing.T) {
	n := askLetters(t, "testdata/letters.txt", "testdata/questions.txt")
	if n.own != 25 || n.foreign != 7 || n.shown < 22 || n.first < 20 || n.passed > 1 {
		t.Errorf("%+v, want 25 questions with 22 shown and 20 first, and 1 of 7 foreign ones at most", n)
	}
}

// German questions to German letters, half of them in other words than the letters have: of these about half are found.
func TestGermanLetters(t *testing.T) {
	n := askLetters(t, "testdata/german_letters.txt", "testdata/german_questions.txt")
	if n.own != 80 || n.foreign != 20 || n.shown < 62 || n.first < 61 || n.passed > 2 {
		t.Errorf("%+v, want 80 questions with 62 shown and 61 first, and 2 of 20 foreign ones at most", n)
	}
}
