package assign

import (
	"strings"
	"testing"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cite"
)

// What it costs to assign a claim over forty passages of one document.
func BenchmarkPassages(b *testing.B) {
	data := strings.Repeat("The council met on Tuesday evening, and after a long debate the council bought the old mill from the widow Lenz for 3,200 crowns, although the treasurer had warned against it. ", 3)
	text := strings.TrimSpace(strings.Repeat(strings.TrimSpace(data)+"\n\n", 40))
	d := canon.NewDocument(canon.Text([]byte(text)))
	var ps []retrieve.Passage
	for _, u := range d.Units(cite.Paragraphs) {
		span, err := cite.SpanAt(d, u.Start, u.End)
		if err != nil {
			b.Fatal(err)
		}
		ps = append(ps, retrieve.Passage{Artifact: "a", Lang: "en", Span: span, Text: string(d.Payload()[u.Start:u.End])})
	}
	if len(ps) != 40 {
		b.Fatalf("%d passages, want 40", len(ps))
	}
	c := segment.Claim{Text: "The old mill was bought by the treasurer for 3,200 crowns.", Kind: segment.Assertion}
	for b.Loop() {
		e, err := Assign(c, ps, func(string) (*canon.Document, error) { return d, nil })
		if err != nil || e.Aligned {
			b.Fatalf("%v, %v", e, err)
		}
	}
}
