package answer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"muniment/answer"
	"muniment/answer/gate"
	"muniment/archive/archivetest"
	"muniment/snapshot/access"
)

// TestOrdinaryQuestions puts every question that others wrote about some papers to
// the category filter of an archive of these papers: a third of them without a
// subject, a third with a person, a third with a university.
// Questions that a paper answers: at most 1 in 200 may be refused by category.
// Questions with a false premise often name what no paper has: at most 1 in 100.
// MUNIMENT_QA names the folder with questions.jsonl and papers; nothing of it is
// copied.
func TestOrdinaryQuestions(t *testing.T) {
	dir := os.Getenv("MUNIMENT_QA")
	if dir == "" {
		t.Skip("MUNIMENT_QA names no folder of questions that others wrote")
	}
	names, err := filepath.Glob(filepath.Join(dir, "papers", "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d papers (%v)", len(names), err)
	}
	papers := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		papers[filepath.Base(name)] = string(text)
	}
	a, s := archivetest.New(t, papers)
	archivetest.Seal(t, a, s)
	p := fuzzPipeline(t, a, s)
	n := refusals{asked: map[bool]int{}, refused: map[bool]int{}, by: map[string]int{}}
	for third, subject := range []access.Subject{{}, {Name: "Ada Fenwick"}, {Name: "Harvard University", CoversTo: "2018-06-11"}} {
		rules := *p.Policy
		rules.Subject = subject
		p.Policy = &rules
		n.count(t, p, filepath.Join(dir, "questions.jsonl"), third)
	}
	t.Logf("refused by category: %d of %d with an answer, %d of %d without: %v; %d for quotation only",
		n.refused[true], n.asked[true], n.refused[false], n.asked[false], n.by, n.quoted)
	if n.asked[true] == 0 || n.asked[false] == 0 {
		t.Errorf("%d questions with an answer, %d without", n.asked[true], n.asked[false])
	}
	if 200*n.refused[true] > n.asked[true] || 100*n.refused[false] > n.asked[false] {
		t.Errorf("too many are refused by category")
	}
}

// refusals count what the category filter refuses.
type refusals struct {
	asked, refused map[bool]int // by whether a paper has the answer
	quoted         int          // answered by quotation only
	by             map[string]int
}

// count puts a third of the questions of a file to the category filter, from the given
// one on.
func (n *refusals) count(t *testing.T, p *answer.Pipeline, file string, from int) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for at := 0; lines.Scan(); at++ {
		if at%3 != from {
			continue
		}
		var q struct {
			Question   string
			Answerable bool
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		n.asked[q.Answerable]++
		d, err := p.Filter(context.Background(), q.Question, request())
		if err != nil {
			t.Fatalf("%q: %v", q.Question, err)
		}
		switch d.Action {
		case gate.Refuse:
			n.refused[q.Answerable]++
			n.by[d.Category]++
			t.Logf("%s: %s", d.Rule, q.Question)
		case gate.ArchiveOnly:
			n.quoted++
			t.Logf("%s, archive only: %s", d.Rule, q.Question)
		}
	}
}
