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
	"muniment/snapshot/record"
)

// TestOrdinaryQuestions puts every question that others wrote about some papers to
// the category filter of an archive of these papers, with a subject and without.
// Of those that the papers answer at most 1 in 200 may be refused by category; of
// those with a false premise, which often name what no paper has, 1 in 100.
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
	for _, c := range []struct {
		name    string
		subject record.Subject
	}{
		{"of nobody", record.Subject{}},
		{"of somebody", record.Subject{Name: "Ada Fenwick"}},
		{"of a university", record.Subject{Name: "Harvard University", CoversTo: "2018-06-11"}},
	} {
		rules := *p.Policy
		rules.Subject = c.subject
		p.Policy = &rules
		t.Run(c.name, func(t *testing.T) { countRefusals(t, p, filepath.Join(dir, "questions.jsonl")) })
	}
}

// countRefusals counts what the category filter refuses of a file of questions.
func countRefusals(t *testing.T, p *answer.Pipeline, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	asked, refused := map[bool]int{}, map[bool]int{} // by whether a paper has the answer
	quoted, by := 0, map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct {
			Question   string
			Answerable bool
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		asked[q.Answerable]++
		d, err := p.Filter(context.Background(), q.Question, request())
		if err != nil {
			t.Fatalf("%q: %v", q.Question, err)
		}
		switch d.Action {
		case gate.Refuse:
			refused[q.Answerable]++
			by[d.Category]++
			t.Logf("%s: %s", d.Rule, q.Question)
		case gate.ArchiveOnly:
			quoted++
			t.Logf("%s, archive only: %s", d.Rule, q.Question)
		}
	}
	t.Logf("refused by category: %d of %d with an answer, %d of %d without: %v; %d for quotation only",
		refused[true], asked[true], refused[false], asked[false], by, quoted)
	if asked[true] == 0 || asked[false] == 0 {
		t.Errorf("%d questions with an answer, %d without", asked[true], asked[false])
	}
	if 200*refused[true] > asked[true] || 100*refused[false] > asked[false] {
		t.Errorf("too many are refused by category")
	}
}
