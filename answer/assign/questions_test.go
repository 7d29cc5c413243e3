package assign

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/answer/retrieve"
	"muniment/canon"
)

// Questions over short texts of many kinds: no wrong answer, and a share of those that have one.
func TestQuestions(t *testing.T) {
	var docs []retrieve.Doc
	for _, p := range slices.Concat(readReworded(t, "reworded.txt"), readReworded(t, "reworded2.txt")) {
		if n := len(docs); n > 0 && docs[n-1].Title == p.text {
			continue
		}
		docs = append(docs, retrieve.Doc{Artifact: fmt.Sprintf("doc%02d", len(docs)), Title: p.text, Lang: "en", Document: canon.NewDocument(canon.Text([]byte(p.text)))})
	}
	for i := range docs {
		docs[i].Title = ""
	}
	x := build(t, docs)
	open := opener(docs)
	data, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	right, wrong, refused, falsely := 0, 0, 0, 0
	for line := range strings.Lines(string(data)) {
		question, want, ok := strings.Cut(strings.TrimSpace(line), "=>")
		if !ok || line[0] == '#' {
			continue
		}
		want = strings.TrimSpace(want)
		ds := questioned(t, x, question, "Anna Brandt")
		checkDrafted(t, ds, open)
		switch {
		case len(ds) == 0 && want == "":
			refused++
		case len(ds) == 0:
			falsely++
			t.Logf("refused: %s", question)
		case want != "" && strings.Contains(text(open, ds[0].Artifact), want):
			right++
		default:
			wrong++
			t.Errorf("wrong: %s: %q", question, ds[0].Text)
		}
	}
	if right*100 < 81*(right+falsely) {
		t.Errorf("only %d of %d questions are answered", right, right+falsely)
	}
	t.Logf("answered right %d, wrong %d, rightly refused %d, falsely refused %d", right, wrong, refused, falsely)
	if right+falsely < 60 || wrong+refused < 25 {
		t.Error("too few questions")
	}
}

func text(open Opener, artifact string) string {
	d, err := open(artifact)
	if err != nil {
		return ""
	}
	return string(d.Payload())
}
