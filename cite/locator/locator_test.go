package locator

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cite"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pieces are what offsets trip over: combining marks, code points of one to
// four bytes, joined emoji, flags, scripts from right to left, controls.
var pieces = []string{
	"a", "word ", " ", "\n", "\n\n", "\t", "é", "e\u0301", "\u0301", "ä̈", "ﬁ", "日本", "אב", "\u202B", "👩\u200D👩\u200D👧", "🇩🇪", "𝔘", "\U0010FFFF",
	"\u200D", "\uFEFF", "\u00AD", "\x01", "'", "\"", "\\", "%", "ß", "ข้",
}

func drawText(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(1, 40).Draw(t, "pieces") {
		if rapid.Bool().Draw(t, "piece") {
			b.WriteString(rapid.SampledFrom(pieces).Draw(t, "which"))
		} else {
			b.WriteString(rapid.String().Draw(t, "any"))
		}
	}
	return b.String()
}

// drawSpan takes a run that is a span of the text, in either kind of unit.
func drawSpan(t *rapid.T, d *canon.Document) (cite.Span, byte, bool) {
	text := d.Payload()
	var places []int
	for i := range string(text) {
		places = append(places, i)
	}
	if places = append(places, len(text)); len(places) < 2 {
		return cite.Span{}, 0, false
	}
	from := rapid.IntRange(0, len(places)-2).Draw(t, "from")
	to := rapid.IntRange(from+1, len(places)-1).Draw(t, "to")
	kind := rapid.SampledFrom([]byte{cite.Paragraphs, cite.Lines}).Draw(t, "kind")
	s, err := cite.SpanIn(d, kind, places[from], places[to])
	return s, kind, err == nil
}

// Every way to write a span leads back to it, whatever the text.
func TestRoundTrips(t *testing.T) {
	ran := 0
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			d := canon.NewDocument([]byte(drawText(t)))
			s, kind, ok := drawSpan(t, d)
			if !ok {
				return
			}
			ran++
			same := func(how string, got cite.Span, err error) {
				if err != nil || got != s {
					t.Fatalf("%q, %v by %s: %v, %v", d.Payload(), s, how, got, err)
				}
			}
			start, end, err := cite.Resolve(d, s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cite.SpanIn(d, kind, start, end)
			same("bytes", got, err)
			if start, end, err = Points(d, s); err != nil {
				t.Fatal(err)
			}
			got, err = SpanOfPoints(d, kind, start, end)
			same("code points", got, err)
			if start, end, err = UTF16(d, s); err != nil {
				t.Fatal(err)
			}
			got, err = SpanOfUTF16(d, kind, start, end)
			same("UTF-16", got, err)

			position, err1 := PositionSelector(d, s)
			data, err2 := DataSelector(d, s)
			text, err3 := TextFragmentOf(d, s)
			fragment, err4 := FragmentSelector(text)
			quote, err5 := QuoteSelector(d, s)
			for _, err := range []error{err1, err2, err3, err4, err5} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, sel := range []Selector{position, data, fragment, quote} {
				encoded, err := json.Marshal(sel)
				if err != nil {
					t.Fatal(err)
				}
				var back Selector
				if err := json.Unmarshal(encoded, &back); err != nil || back != sel {
					t.Fatalf("%s reads as %+v, %v", encoded, back, err)
				}
				spans, err := back.Spans(d, kind)
				if err != nil {
					t.Fatal(err)
				}
				found := spans[0]
				for _, one := range spans { // a quote may select several places
					if one == s {
						found = one
					}
				}
				if sel.Type == TextQuote && len(spans) == cite.MaxPlaces {
					continue
				}
				same(sel.Type, found, nil)
			}
		})
	}
	if ran < 50 { // of a thousand texts, a fifth of that in short mode
		t.Errorf("%d spans were tried", ran)
	}
}

// An offset inside a code point is refused, and the error says where.
func TestOffsetsInsideCodePoints(t *testing.T) {
	d := canon.NewDocument([]byte("aé👩b\n"))
	for _, tt := range []struct {
		name string
		run  func() (cite.Span, error)
		want string
	}{
		{"bytes", func() (cite.Span, error) { return cite.SpanIn(d, cite.Paragraphs, 2, 7) }, "byte offset 2 is inside a code point"},
		{"bytes, end", func() (cite.Span, error) { return cite.SpanIn(d, cite.Paragraphs, 0, 5) }, "byte offset 5 is inside a code point"},
		{"UTF-16", func() (cite.Span, error) { return SpanOfUTF16(d, cite.Paragraphs, 3, 5) }, "start: UTF-16 offset 3 is inside U+1F469 at byte 3"},
		{"UTF-16, end", func() (cite.Span, error) { return SpanOfUTF16(d, cite.Paragraphs, 0, 3) }, "end: UTF-16 offset 3 is inside U+1F469 at byte 3"},
		{"UTF-16, outside", func() (cite.Span, error) { return SpanOfUTF16(d, cite.Paragraphs, 0, 9) }, "lies outside the text of 6 code units"},
		{"UTF-16, negative", func() (cite.Span, error) { return SpanOfUTF16(d, cite.Paragraphs, -1, 9) }, "is negative"},
		{"code points, outside", func() (cite.Span, error) { return SpanOfPoints(d, cite.Paragraphs, 0, 6) }, "end: "},
	} {
		if s, err := tt.run(); err == nil || !s.IsZero() || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v; want %q", tt.name, s, err, tt.want)
		}
	}
	if s, err := SpanOfUTF16(d, cite.Paragraphs, 2, 4); err != nil || s.String() != "p1:2-3" {
		t.Errorf("the whole code point: %v, %v", s, err)
	}
}

func TestLocators(t *testing.T) {
	good := []Locator{
		Pages{From: 24, To: 24}, Pages{From: 24, To: 25}, Pages{From: 24, To: 25, Exact: true, Start: 1205, End: 342},
		Pages{From: 24, To: 24, Exact: true, Start: 0, End: 1},
		Boxes{{24, 72000, 90500, 200000, 14250}}, Boxes{{1, 0, 1, 1, 1}, {2, 10, 100, 1000, 10000}},
		Times{12500, 14000}, Times{0, 1}, Region{false, 160, 120, 320, 240}, Region{true, 25, 25, 50, 75},
		Rows(5, 5), Rows(5, 7), Columns(2, 4), Cells{2, 3, 2, 3}, Cells{2, 3, 4, 5},
		Section{"Part 1", "2.1 Results"}, Section{"100 % / all\n", "§ 8.1"},
	}
	spellings := map[string]bool{}
	for _, l := range good {
		s := l.String()
		got, err := Parse(s)
		if err != nil || !cmp.Equal(got, l) {
			t.Errorf("%s reads as %v, %v", s, got, err)
		}
		spellings[s] = true
	}
	if len(spellings) != 17 {
		t.Errorf("%d spellings of 17 locators: %v", len(spellings), spellings)
	}
	data, err := json.Marshal(List(good))
	if err != nil {
		t.Fatal(err)
	}
	var back List
	if err := json.Unmarshal(data, &back); err != nil || !cmp.Equal(back, List(good)) {
		t.Errorf("%s reads as %v, %v", data, back, err)
	}
	bad := []string{
		"", "page", "page:", "page:0", "page:01", "page:5-4", "page:4-4", "page:4:0-3", "page:4-5:1", "page:4:5-4:5", "page:4:0-5:0", "page:x", "page:4-5-6",
		"box:", "box:1:1,2,3", "box:1:1,2,0,4", "box:1:1.0,2,3,4", "box:1:1.2345,2,3,4", "box:0:1,2,3,4", "box:1:-1,2,3,4", "box:1:1,2,3,4;",
		"time:1", "time:2-1", "time:1-1", "time:01-2", "time:1.50-2", "time:1.-2", "region:1,2,3", "region:1,2,0,4", "region:percent:60,0,50,1", "region:01,2,3,4",
		"row:0", "row:3-2", "row:3-3", "col:*", "cell:1", "cell:1,0", "cell:2,2-1,3", "cell:1,2-1,2",
		"section:", "section:a//b", "section:%41", "section:%2f", "section:%", "section:%FF", "section:a\nb", "chapter:1", "Page:1", " page:1",
	}
	for _, s := range bad {
		if l, err := Parse(s); err == nil || l != nil {
			t.Errorf("%q is accepted as %v", s, l)
		}
	}
	if len(bad) != 49 {
		t.Errorf("%d bad spellings", len(bad))
	}
}

// A page is where the record says that it begins.
func TestPages(t *testing.T) {
	d := canon.NewDocument([]byte("One é.\nTwo.\n\nThree.\n\nFour.\n"))
	firstLines := []int{1, 0, 4, 6} // the second page has no text
	for _, tt := range []struct{ span, want string }{
		{"p1:0-3", "page:1:0-1:3"}, {"p1:4-p2:3", "page:1:4-3:3"}, {"p2:0-p3:5", "page:3:0-4:5"}, {"l6:1-5", "page:4:1-4:5"},
	} {
		s, err := cite.ParseSpan(tt.span)
		if err != nil {
			t.Fatal(err)
		}
		p, err := PagesOf(d, firstLines, s)
		if err != nil || p.String() != tt.want {
			t.Errorf("%s is on %v, %v; want %s", tt.span, p, err, tt.want)
			continue
		}
		if back, err := p.Span(d, firstLines, s.Kind); err != nil || back != s {
			t.Errorf("%v is %v, %v; want %s", p, back, err, tt.span)
		}
	}
	if s, err := (Pages{From: 1, To: 3}).Span(d, firstLines, cite.Paragraphs); err != nil || s.String() != "p1:0-p2:6" {
		t.Errorf("pages 1 to 3: %v, %v", s, err)
	}
	for _, p := range []Pages{{From: 2, To: 2}, {From: 5, To: 5}, {From: 1, To: 1, Exact: true, Start: 0, End: 99}, {From: 0, To: 1}} {
		if s, err := p.Span(d, firstLines, cite.Paragraphs); err == nil || !s.IsZero() {
			t.Errorf("%v: %v", p, s)
		}
	}
	for _, lines := range [][]int{{2, 1}, {1, 99}} {
		if _, err := (Pages{From: 1, To: 1}).Span(d, lines, cite.Paragraphs); err == nil {
			t.Errorf("pages beginning on lines %v are accepted", lines)
		}
	}
}

func TestCells(t *testing.T) {
	d := canon.NewDocument([]byte("a\tbb\tc\nd\t\tfé\n"))
	for _, tt := range []struct{ cells, want string }{
		{"cell:1,1", "l1:0-1"}, {"cell:1,2", "l1:2-4"}, {"cell:1,2-1,3", "l1:2-6"}, {"cell:2,3", "l2:3-5"}, {"row:2", "l2:0-5"}, {"row:1-2", "l1:0-l2:5"},
	} {
		l, err := Parse(tt.cells)
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.(Cells).Span(d)
		if err != nil || s.String() != tt.want {
			t.Errorf("%s is %v, %v; want %s", tt.cells, s, err, tt.want)
			continue
		}
		if tt.cells == "row:2" {
			tt.cells = "cell:2,1-2,3"
		}
		if back, err := CellsOf(d, s); err != nil || back.String() != tt.cells {
			t.Errorf("%s is %v, %v; want %s", tt.want, back, err, tt.cells)
		}
	}
	for _, cells := range []string{"cell:2,2", "cell:1,4", "row:3", "col:1", "cell:1,1-2,2"} {
		l, err := Parse(cells)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := l.(Cells).Span(d); err == nil || !s.IsZero() {
			t.Errorf("%s: %v", cells, s)
		}
	}
}

func TestGiven(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{"page": 24, "section": "§ 8.1", "section_header": "Kapitel 8"}`, `["page:24","section:§ 8.1"]`},
		{`{"page_start": 24, "page_end": 25, "section": "§ 8.1-8.2", "char_offset_start": 1205, "char_offset_end": 342}`, `["page:24:1205-25:342","section:§ 8.1-8.2"]`},
		{`{"page": "24-25"}`, `["page:24-25"]`}, {`{"page": "xii"}`, `[]`}, {`{"Page": 3, "query": "SELECT 1"}`, `[]`}, {`{}`, `[]`},
		{`{"page_start": 3, "char_offset_start": 3}`, `["page:3"]`},
	} {
		all, err := Given([]byte(tt.object))
		data, _ := json.Marshal(all)
		if err != nil || string(data) != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.object, data, err, tt.want)
		}
	}
	for _, object := range []string{`[]`, `{`, `{"page": 0}`, `{"page": true}`, `{"page": null}`, `{"page": 2.5}`, `{"page_end": 2}`, `{"page_start": 3, "page_end": 2}`, `{"section": 8}`, `{"page": 1, "page": 2}`} {
		if all, err := Given([]byte(object)); err == nil || all != nil {
			t.Errorf("%s is accepted as %v", object, all)
		}
	}
	p := Pages{From: 24, To: 25, Exact: true, Start: 1205, End: 342}
	data, err := json.Marshal(p.Object())
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Given(data); err != nil || !cmp.Equal(back, List{p}) {
		t.Errorf("%s: %v, %v", data, back, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"page:24:1205-25:342", "box:24:72,90.5,200,14;25:1,2,3,4", "time:12.5-14", "region:percent:25,25,50,50", "cell:2,3-4,5", "row:1", "col:2-3", "section:a%2Fb/c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := Parse(s)
		if err != nil {
			if l != nil {
				t.Fatalf("%v beside the error %v", l, err)
			}
			return
		}
		if l.String() != s || !utf8.ValidString(s) {
			t.Fatalf("%q re-encodes to %q", s, l.String())
		}
	})
}
