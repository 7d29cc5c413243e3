package judge_test

import (
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// TestHeadingsEnd demands that a heading is of what is below it, to the next one of its level or a higher one.
func TestHeadingsEnd(t *testing.T) {
	text := "# Survey\n\nThe barn is red.\n\n## Untrue statements\n\nThe ox was stolen.\n\n### Of the mill\n\nThe dam broke.\n\n## Findings\n\nThe goat was found.\n\n# Costs\n\nThe roof cost 90 pounds."
	doc := canon.NewDocument(canon.Text([]byte(text)))
	for words, want := range map[string]cite.ClaimVerdict{
		"The barn is red.": cite.ClaimFollows, "The ox was stolen.": cite.ClaimNotShown, "The dam broke.": cite.ClaimNotShown,
		"The goat was found.": cite.ClaimFollows, "The roof cost 90 pounds.": cite.ClaimFollows,
	} {
		at := strings.Index(text, words)
		span, err := cite.SpanIn(doc, cite.Paragraphs, at, at+len(words))
		if err != nil {
			t.Fatal(err)
		}
		p, err := judge.At(doc, span, judge.Paper{})
		if err != nil {
			t.Fatal(err)
		}
		if j := judge.Judge(words, p); j.Verdict != want {
			t.Errorf("%q: %s, %s (above %q, below %q); want %s", words, j.Verdict, j.Reason, p.Above, p.Below, want)
		}
	}
}
