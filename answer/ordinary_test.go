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
// the category filter of an archive of these papers, with a subject and without:
// at most 1 in 200 may be refused by category. MUNIMENT_QA names the folder with
// questions.jsonl and papers; nothing of it is copied.
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
	asked, refused, quoted, by := 0, 0, 0, map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); asked++ {
		var q struct{ Question string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		d, err := p.Filter(context.Background(), q.Question, request())
		if err != nil {
			t.Fatalf("%q: %v", q.Question, err)
		}
		switch d.Action {
		case gate.Refuse:
			refused++
			by[d.Category]++
			t.Logf("%s: %s", d.Rule, q.Question)
		case gate.ArchiveOnly:
			quoted++
			t.Logf("%s, archive only: %s", d.Rule, q.Question)
		}
	}
	t.Logf("%d questions, %d refused by category: %v; %d for quotation only", asked, refused, by, quoted)
	if asked == 0 || 200*refused > asked {
		t.Errorf("%d of %d refused", refused, asked)
	}
}
