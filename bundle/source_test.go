package bundle

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
)

// Every span of every text makes a source that verifies, and no other quote
// does.
func TestSourceOfAnySpan(t *testing.T) {
	const letters = "ab é\n\n\n字."
	tried := 0
	rapid.Check(t, func(r *rapid.T) {
		text := canon.Text([]byte(rapid.StringOfN(rapid.RuneFrom([]rune(letters)), 3, 60, -1).Draw(r, "text")))
		if text == nil {
			return
		}
		f := newFixtureOf(t, string(text))
		kind := rapid.SampledFrom([]byte{cite.Paragraphs, cite.Lines}).Draw(r, "kind")
		units := f.letter.Units(kind)
		runes := func(i int) int { return utf8.RuneCount(text[units[i].Start:units[i].End]) }
		first := rapid.IntRange(0, len(units)-1).Draw(r, "first")
		last := rapid.IntRange(first, len(units)-1).Draw(r, "last")
		span := cite.Span{Kind: kind, From: cite.Point{Unit: first + 1}, To: cite.Point{Unit: last + 1}}
		span.From.Offset = rapid.IntRange(0, runes(first)).Draw(r, "from")
		span.To.Offset = rapid.IntRange(0, runes(last)).Draw(r, "to")
		a, err := cite.AnchorOf(f.letter, span)
		if err != nil {
			return // not a span of this text
		}
		c := &cite.Citation{
			Type: cite.FirstCitationType, Artifact: cid.Of(text).String(), Snapshot: f.snap.ID.String(), Seq: 1, Span: span.String(),
			Relation: cite.DirectQuote, Claim: "x", QuoteSHA256: a.SHA256, Prefix: a.Prefix, Suffix: a.Suffix, Match: cite.Exact, Length: 1,
		}
		s := f.source(t, c)
		if k, err := s.Verify(f.archive); err != nil || k.Key != f.archivist.Key() {
			r.Fatalf("%s of %q: %v", span, text, err)
		}
		got, err := s.Words()
		if err != nil || !strings.Contains(string(text), got) || !strings.Contains(got, s.Quote) {
			r.Fatalf("%s of %q is in %q: %v", span, text, got, err)
		}
		tried++
		for _, other := range []string{s.Quote + "x", s.Quote[1:], "x" + s.Quote, ""} {
			changed := *s
			changed.Quote = other
			if _, err := changed.Verify(f.archive); err == nil {
				r.Fatalf("%s of %q: the quote %q verifies", span, text, other)
			}
		}
	})
	if tried == 0 {
		t.Error("no span was tried")
	}
}
