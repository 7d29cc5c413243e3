package judge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/text/segment"
)

// diarySentence matches a sentence of the diary that nobody else says and that asks nothing.
var diarySentence = regexp.MustCompile(`^[A-Z][^\n“”"‘()\[\]{}:?!—]{24,180}\.$`)

// TestDiarySentences judges sentences of a diary, three of every third day, by their own words: whatever is written around them, nearly all follow.
func TestDiarySentences(t *testing.T) {
	dir := os.Getenv("MUNIMENT_DIARY")
	if dir == "" {
		t.Skip("skipped: MUNIMENT_DIARY does not name the folder of the diary")
	}
	files, err := filepath.Glob(filepath.Join(dir, "166*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all, follow := 0, 0
	for i := 0; i < len(files); i += 3 {
		data, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		doc := canon.NewDocument(canon.Text(data))
		text, taken := string(doc.Payload()), 0
		for _, r := range segment.Sentences(text, "en") {
			sentence := text[r.Start:r.End]
			if taken == 3 || !diarySentence.MatchString(sentence) {
				continue
			}
			taken++
			span, err := cite.SpanAt(doc, r.Start, r.End)
			if err != nil {
				t.Fatal(err)
			}
			words, err := judge.At(doc, span, judge.Paper{Title: filepath.Base(files[i]), Subject: []string{"Samuel Pepys", "Pepys"}})
			if err != nil {
				t.Fatal(err)
			}
			all++
			switch j := judge.Judge(sentence, words); {
			case j.Verdict == cite.ClaimFollows:
				follow++
			case all-follow <= 10:
				t.Logf("%s: %s: %s", filepath.Base(files[i]), sentence, j.Reason)
			}
		}
	}
	t.Logf("%d of %d sentences follow from themselves", follow, all)
	if all < 2000 || follow*1000 < all*990 {
		t.Errorf("%d of %d follow, want 99 %% of 2,000 at least", follow, all)
	}
}
