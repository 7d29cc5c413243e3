package assign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// What the judge decides by words is in sentences that hold at least paraphraseShare of the claim's content words: those with
// fewer need not be judged. The pairs are those of package judge.
func TestParaphraseShare(t *testing.T) {
	files, err := filepath.Glob("../testdata/sets/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	decided, least := 0, 1.0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.TrimSpace(string(data))) {
			f := strings.Split(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), " ¶ ", "\n"), "\t")
			doc := canon.NewDocument(canon.Text([]byte(f[5])))
			at := strings.Index(string(doc.Payload()), f[6])
			span, err := cite.SpanAt(doc, at, at+len(f[6]))
			if err != nil {
				t.Fatal(err)
			}
			words, err := judge.At(doc, span, judge.Paper{Title: strings.TrimPrefix(f[4], "-"), Lang: f[2]})
			if err != nil {
				t.Fatal(err)
			}
			if j := judge.Judge(f[7], words); j.Verdict == cite.ClaimNotShown {
				continue
			}
			decided++
			c := judge.Compare(f[7], f[6], nil, nil)
			if c.Content > 0 {
				least = min(least, c.Share)
			}
			if c.Content > 0 && c.Share < paraphraseShare {
				t.Errorf("%s: %q of %q shares %.2f", filepath.Base(file), f[7], f[6], c.Share)
			}
		}
	}
	if decided < 300 {
		t.Errorf("%d claims were decided, want at least 300", decided)
	}
	t.Logf("%d claims decided, least share %.2f", decided, least)
}
