package cite

import (
	"bytes"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Any run of bytes that begins and ends inside units has one span, which leads
// back to it.
func TestSpanAtResolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, "pieces", 30)
		d := canon.NewDocument([]byte(text))
		kind := rapid.SampledFrom([]byte{Paragraphs, Lines}).Draw(t, "kind")
		start := rapid.IntRange(0, len(text)).Draw(t, "start")
		end := rapid.IntRange(0, len(text)).Draw(t, "end")
		s, err := SpanIn(d, kind, start, end)
		if err != nil {
			if !s.IsZero() {
				t.Fatalf("span %v beside the error %v", s, err)
			}
			return
		}
		if parsed, err := ParseSpan(s.String()); err != nil || parsed != s {
			t.Fatalf("%v parses as %v, %v", s, parsed, err)
		}
		gotStart, gotEnd, err := Resolve(d, s)
		if err != nil || gotStart != start || gotEnd != end {
			t.Fatalf("%q: bytes %d-%d are %v, which resolves to %d-%d, %v", text, start, end, s, gotStart, gotEnd, err)
		}
	})
}

func TestSpanText(t *testing.T) {
	for _, s := range []Span{{}, {Lines, Point{3, 0}, Point{4, 7}}} {
		text, err := s.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		back := Span{Kind: 'x'}
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%q: %v, %v", text, back, err)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	for _, v := range spanVectors() {
		f.Add(string(v.Body))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if span, err := ParseSpan(s); err != nil && !span.IsZero() || err == nil && span.String() != s {
			t.Fatalf("%q gives %v, %v", s, span, err)
		}
		if m, err := ParseMetaSpan(s); err != nil && m != (MetaSpan{}) || err == nil && m.String() != s {
			t.Fatalf("%q gives %v, %v", s, m, err)
		}
	})
}

func FuzzParseCitation(f *testing.F) {
	data, err := sampleCitation(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCitation(data)
		if err != nil {
			if c != nil {
				t.Fatalf("a citation beside the error %v", err)
			}
			return
		}
		if again, err := c.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q re-encodes to %q, %v", data, again, err)
		}
	})
}

func TestParseRelation(t *testing.T) {
	tests := map[string]Relation{
		"direct_quote": DirectQuote, "direct quote": DirectQuote, "paraphrase": Paraphrase, "inference": InferenceFrom,
		"inference from": InferenceFrom, "metadata": MetadataFact, "metadata fact": MetadataFact, "aggregation": Aggregation,
	}
	for s, want := range tests {
		if got, err := ParseRelation(s); err != nil || got != want {
			t.Errorf("ParseRelation(%q) = %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "Paraphrase", "hearsay", "supports"} {
		if got, err := ParseRelation(s); err == nil || got != "" {
			t.Errorf("ParseRelation(%q) = %q, %v", s, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	d := canon.NewDocument([]byte(letterText))
	tests := map[string]struct {
		change func(*Citation)
		want   string // part of the error of the numbered step
	}{
		"as made":       {func(*Citation) {}, ""},
		"4 other text":  {func(c *Citation) { c.Artifact = cid.Of([]byte("x")).String() }, "the citation names"},
		"5 span":        {func(c *Citation) { c.Span = "p9:0-30" }, "does not exist"},
		"5 span form":   {func(c *Citation) { c.Span = "p2" }, "no hyphen"},
		"6 quote":       {func(c *Citation) { c.Span = "p2:0-29" }, "sha256"},
		"7 prefix":      {func(c *Citation) { c.Prefix = "Dear Emma,\n\n" }, "before the span"},
		"8 suffix":      {func(c *Citation) { c.Suffix = "" }, "after the span"},
		"metadata fact": {func(c *Citation) { c.Relation = MetadataFact }, "cites no text"},
	}
	for name, tt := range tests {
		c := sampleCitation(t)
		tt.change(c)
		err := c.Check(d)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

const sampleRecord = `{"facts":{"pages":"2"},"names":["letters/01.txt","copy/01.txt"],"size":9007199254740993,"source":{"creators":["Änne Krug"],"title":"A letter"}}`

func TestMeta(t *testing.T) {
	fields, err := MetaFields([]byte(sampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	want := []MetaField{
		{"facts.pages", "2"}, {"names.1", "letters/01.txt"}, {"names.2", "copy/01.txt"}, {"size", "9007199254740993"},
		{"source.creators.1", "Änne Krug"}, {"source.title", "A letter"},
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	m := MetaSpan{"source.creators.1", 0, 4}
	if q, err := QuoteMeta([]byte(sampleRecord), m); err != nil || q != "Änne" {
		t.Errorf("%q, %v", q, err)
	}
	for _, m := range []MetaSpan{{"source.creators.2", 0, 1}, {"source", 0, 1}, {"source.title", 0, 9}, {"source.title", -1, 3}, {"source.title", 3, 3}} {
		if q, err := QuoteMeta([]byte(sampleRecord), m); err == nil || q != "" {
			t.Errorf("%v: %q, %v", m, q, err)
		}
	}
	if _, err := MetaFields([]byte("[]")); err == nil {
		t.Error("an array was read as a record")
	}
}

func TestCheckRecord(t *testing.T) {
	m := MetaSpan{"source.creators.1", 0, 4}
	a, err := AnchorOfMeta([]byte(sampleRecord), m)
	if err != nil {
		t.Fatal(err)
	}
	c := &Citation{
		Type: FirstCitationType, Artifact: cid.OfJSON([]byte(sampleRecord)).String(), Snapshot: cid.Of(nil).String(), Seq: 1,
		Span: m.String(), Relation: MetadataFact, Claim: "Änne wrote it.",
		QuoteSHA256: a.SHA256, Prefix: a.Prefix, Suffix: a.Suffix, Match: Exact, Length: 4,
	}
	if _, err := c.Encode(); err != nil {
		t.Error(err)
	}
	if err := c.CheckRecord([]byte(sampleRecord)); err != nil {
		t.Error(err)
	}
	if err := c.CheckRecord([]byte(strings.Replace(sampleRecord, "2", "3", 1))); err == nil {
		t.Error("another record was accepted")
	}
	if err := c.Check(canon.NewDocument([]byte(letterText))); err == nil {
		t.Error("a text was accepted for a record")
	}
}
