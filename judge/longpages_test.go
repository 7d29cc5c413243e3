package judge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/internal/casecount"
	"muniment/judge"
	"muniment/text/segment"
)

// pageSentence matches a sentence of a page that is on one line.
var pageSentence = regexp.MustCompile(`^[A-Z][^\n]{24,240}\.$`)

// TestLongPages judges the sentences of long pages, which nothing takes back, by their own words: few are held to be taken back by a later paragraph, though each
// page names its subject in most of its paragraphs.
func TestLongPages(t *testing.T) {
	files, err := filepath.Glob("../docs/spec/*.md")
	if err != nil {
		t.Fatal(err)
	}
	every := casecount.Of(5, 1) // sentence that is judged
	all, judged, follow, later := 0, 0, 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := canon.NewDocument(canon.Text(data))
		text := string(doc.Payload())
		for _, r := range segment.Sentences(text, "en") {
			sentence := text[r.Start:r.End]
			if !pageSentence.MatchString(sentence) {
				continue
			}
			if all++; all%every > 0 {
				continue
			}
			span, err := cite.SpanAt(doc, r.Start, r.End)
			if err != nil {
				t.Fatal(err)
			}
			words, err := judge.At(doc, span, judge.Paper{Title: filepath.Base(file)})
			if err != nil {
				t.Fatal(err)
			}
			judged++
			switch j := judge.Judge(sentence, words); {
			case j.Verdict == cite.ClaimFollows:
				follow++
			case strings.HasPrefix(j.Reason, "a later paragraph"):
				later++
			}
		}
	}
	t.Logf("of %d sentences %d follow, %d are held to be taken back later", judged, follow, later)
	if all < 1000 || later*100 > judged*6 || follow*100 < judged*78 {
		t.Errorf("of %d sentences %d follow and %d are held to be taken back later, want 78 %% and at most 6 %%", judged, follow, later)
	}
}
