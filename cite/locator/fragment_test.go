package locator

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"

	"github.com/google/go-cmp/cmp"
)

func TestTextFragment(t *testing.T) {
	text := "Öne.\nTwo.\n\nThree.\n"
	d := canon.NewDocument([]byte(text))
	sum := fmt.Sprintf("%x", md5.Sum([]byte(text)))
	for _, tt := range []struct{ in, span, out string }{
		{"char=0,4", "p1:0-4", "char=0,4"},
		{"char=,4", "p1:0-4", "char=0,4"},
		{"char=005,9", "p1:5-9", "char=5,9"},
		{"char=11,17;length=18", "p2:0-6", "char=11,17;length=18"},
		{"char=11,17;length=18,UTF-8;md5=" + strings.ToUpper(sum), "p2:0-6", "char=11,17;length=18,UTF-8;md5=" + sum},
		{"char=11,", "p2:0-6", "char=11,"}, // the last line feed belongs to no unit
		{"char=9,17", "p2:0-6", "char=9,17"},
		{"char=11,99", "p2:0-6", "char=11,99"}, // beyond the end is the end
		{"CHAR=0,4;LENGTH=18", "p1:0-4", "char=0,4;length=18"},
		{"char=0,99999999999999999999", "p1:0-p2:6", "char=0,2147483647"},
		{"line=0,1", "p1:0-4", "line=0,1"},
		{"line=1,", "p1:5-p2:6", "line=1,"},
		{"line=2,99", "p2:0-6", "line=2,99"}, // beyond the end is the end; the empty line is cited by what follows
	} {
		f, err := ParseTextFragment(tt.in)
		if err != nil || f.String() != tt.out {
			t.Errorf("%s is written %v, %v; want %s", tt.in, f, err, tt.out)
			continue
		}
		if s, err := f.Span(d, cite.Paragraphs); err != nil || s.String() != tt.span {
			t.Errorf("%s is %v, %v; want %s", tt.in, s, err, tt.span)
		}
	}
	for _, in := range []string{"", "char", "char=", "char=,", "char=a", "char=-1", "char=9,5", "byte=1,2", "char=1,2,3", "char=1,2;", "char=1,2;length=", "char=1,2;length=3,", "char=1,2;md5=12", "char=1,2;sha=12", "char=1,2;length=3,a b"} {
		if f, err := ParseTextFragment(in); err == nil || !cmp.Equal(f, TextFragment{}) {
			t.Errorf("%q is accepted as %v", in, f)
		}
	}
	for _, in := range []string{"char=3", "line=1", "char=0,4;length=17", "char=0,4;md5=" + strings.Repeat("0", 32), "char=0,4;md5=" + sum + ",utf-16", "line=2,3", "char=9,10", "char=99,"} {
		f, err := ParseTextFragment(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if s, err := f.Span(d, cite.Paragraphs); err == nil || !s.IsZero() {
			t.Errorf("%s is cited as %v", in, s)
		}
	}
}

// Selectors as others write them: letters in pieces, and specifications under
// their addresses of today.
func TestForeignSelectors(t *testing.T) {
	d := canon.NewDocument([]byte("The café\nis shut.\n"))
	for _, in := range []string{
		`{"type":"TextQuoteSelector","exact":"café"}`,
		`{"type":"TextQuoteSelector","exact":"cafe\u0301","prefix":"The "}`,
		`{"type":"FragmentSelector","conformsTo":"https://www.rfc-editor.org/rfc/rfc5147","value":"char=4,8"}`,
		`{"type":"FragmentSelector","conformsTo":"https://datatracker.ietf.org/doc/html/rfc5147","value":"char=4,8"}`,
	} {
		var s Selector
		if err := json.Unmarshal([]byte(in), &s); err != nil {
			t.Fatal(err)
		}
		spans, err := s.Spans(d, cite.Paragraphs)
		if err != nil || len(spans) != 1 || spans[0].String() != "p1:4-8" {
			t.Errorf("%s is %v, %v", in, spans, err)
		}
	}
}

// A table of 5 rows and 3 columns.
func TestTableFragment(t *testing.T) {
	for _, tt := range []struct{ in, out, want string }{
		{"row=5", "row=5", "row:5"}, {"row=5-7", "row=5-7", "row:5"}, {"row=4-*", "row=4-*", "row:4-5"}, {"row=*", "row=*", "row:5"},
		{"row=2-2;4", "row=2;4", "row:2 row:4"}, {"row=6", "row=6", ""}, {"row=0", "row=0", ""}, {"row=3-2", "row=3-2", ""}, {"row=6;1", "row=6;1", "row:1"},
		{"col=2-*", "col=2-*", "col:2-3"}, {"col=4", "col=4", ""}, {"col=02", "col=2", "col:2"},
		{"cell=4,1", "cell=4,1", "cell:4,1"}, {"cell=4,1-6,2", "cell=4,1-6,2", "cell:4,1-5,2"}, {"cell=4,1-*,*", "cell=4,1-*,*", "cell:4,1-5,3"}, {"cell=4,4", "cell=4,4", ""},
		{"cell=1,1;2,2-3,3", "cell=1,1;2,2-3,3", "cell:1,1 cell:2,2-3,3"}, {"cell=2,3-3,2", "cell=2,3-3,2", ""}, {"row=*-1", "row=*-1", ""}, {"ROW=2", "row=2", "row:2"},
	} {
		f, err := ParseTableFragment(tt.in)
		if err != nil || f.String() != tt.out {
			t.Errorf("%s is written %v, %v; want %s", tt.in, f, err, tt.out)
		}
		var got []string
		for _, c := range f.Resolve(5, 3) {
			if err := c.Check(); err != nil {
				t.Errorf("%s: %v", tt.in, err)
			}
			got = append(got, c.String())
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s is %q, want %q", tt.in, s, tt.want)
		}
	}
	for _, in := range []string{"", "row", "row=", "row=a", "row=1;", "row=1,2", "row=-1", "cell=1", "cell=1,", "cell=1,2,3", "rows=1", "row=1-2-3", "row=**", "cell=1,2;3"} {
		if f, err := ParseTableFragment(in); err == nil || !cmp.Equal(f, TableFragment{}) {
			t.Errorf("%q is accepted as %v", in, f)
		}
	}
}

func TestMediaFragment(t *testing.T) {
	for _, tt := range []struct{ in, out, ignored string }{
		{"t=10,20", "t=10,20", ""}, {"t=npt:10,20", "t=10,20", ""}, {"t=,20", "t=0,20", ""}, {"t=10", "t=10", ""}, {"t=npt:,121.5", "t=0,121.5", ""},
		{"t=0:02:00,121.5", "t=120,121.5", ""}, {"t=02:00,02:01.", "t=120,121", ""}, {"t=100:00:00", "t=360000", ""}, {"t=1.23456", "t=1.234", ""},
		{"t=%6ept:%310", "t=10", ""}, {"%74=10", "t=10", ""},
		{"t=10,", "", "t=10,"}, {"t=,", "", "t=,"}, {"t=", "", "t="}, {"t=20,10", "", "t=20,10"}, {"t=10,10", "", "t=10,10"}, {"t=asdf", "", "t=asdf"},
		{"t=5:00", "", "t=5:00"}, {"t=00:60", "", "t=00:60"}, {"t=-1", "", "t=-1"}, {"t=smpte:00:00:01", "", "t=smpte:00:00:01"}, {"T=10", "", "T=10"},
		{"t=1&t=2&t=x", "t=2", "t=x"}, {"t=%FF", "", "t=%FF"}, {"t=%4", "", "t=%4"}, {"t=10&&foo=1&bar", "t=10", "foo=1 bar"},
		{"xywh=160,120,320,240", "xywh=160,120,320,240", ""}, {"xywh=pixel:160,120,320,240", "xywh=160,120,320,240", ""},
		{"xywh=percent:25,25,50,50", "xywh=percent:25,25,50,50", ""}, {"xywh=percent:25,25,80,50", "", "xywh=percent:25,25,80,50"},
		{"xywh=1,2,0,4", "", "xywh=1,2,0,4"}, {"xywh=1,2,3", "", "xywh=1,2,3"}, {"xywh=pixel:percent:1,1,1,1", "", "xywh=pixel:percent:1,1,1,1"}, {"xywh=1.5,2,3,4", "", "xywh=1.5,2,3,4"},
		{"track=audio&track=sub%20title", "track=audio&track=sub%20title", ""}, {"id=Kapitel%201&id=2", "id=2", ""}, {"id=a%26b", "id=a%26b", ""},
		{"", "", ""}, {"#t=1", "", "#t=1"},
	} {
		f := ParseMediaFragment(tt.in)
		if f.String() != tt.out || strings.Join(f.Ignored, " ") != tt.ignored {
			t.Errorf("%s is written %q and ignores %q; want %q and %q", tt.in, f, f.Ignored, tt.out, tt.ignored)
		}
	}
	f := ParseMediaFragment("t=10&xywh=percent:0,0,50,50")
	if got := f.Locators(60000); !cmp.Equal(got, List{Times{10000, 60000}, Region{true, 0, 0, 50, 50}}) {
		t.Errorf("locators %v", got)
	}
	if got := f.Locators(0); len(got) != 1 {
		t.Errorf("locators without a length %v", got)
	}
	if got := ParseMediaFragment("t=10,90").Locators(60000); !cmp.Equal(got, List{Times{10000, 60000}}) {
		t.Errorf("locators beyond the end %v", got)
	}
}

func TestSelectorJSON(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Selector
	}{
		{`{"type":"TextQuoteSelector","exact":"a<b","prefix":"x","suffix":"y"}`, Selector{Type: TextQuote, Exact: "a<b", Prefix: "x", Suffix: "y"}},
		{`{"type":"TextQuoteSelector","exact":"a","id":"urn:x","Exact":"b","start":"c"}`, Selector{Type: TextQuote, Exact: "a"}},
		{`{"type":"TextPositionSelector","start":0,"end":5,"note":null}`, Selector{Type: TextPosition, End: 5}},
		{`{"type":"DataPositionSelector","start":3,"end":5}`, Selector{Type: DataPosition, Start: 3, End: 5}},
		{`{"type":"FragmentSelector","value":"char=1,2"}`, Selector{Type: Fragment, Value: "char=1,2"}},
		{`{"type":"FragmentSelector","conformsTo":"http://tools.ietf.org/rfc/rfc7111","value":"row=1"}`, Selector{Type: Fragment, Value: "row=1", ConformsTo: ConformsToTable}},
	} {
		var got Selector
		if err := json.Unmarshal([]byte(tt.in), &got); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v", tt.in, got, err)
		}
		data, err := json.Marshal(got)
		var back Selector
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		if err != nil || back != got {
			t.Errorf("%s reads as %+v, %v", data, back, err)
		}
	}
	for _, in := range []string{
		`[]`, `"x"`, `{}`, `{"type":"XPathSelector","value":"/p"}`, `{"type":["TextQuoteSelector"],"exact":"a"}`, `{"type":"TextQuoteSelector"}`,
		`{"type":"TextQuoteSelector","exact":""}`, `{"type":"TextQuoteSelector","exact":null}`, `{"type":"TextQuoteSelector","exact":"a","exact":"b"}`,
		`{"type":"TextQuoteSelector","exact":"a","prefix":["x"]}`, `{"type":"TextPositionSelector","start":0}`, `{"type":"TextPositionSelector","start":2,"end":2}`,
		`{"type":"TextPositionSelector","start":-1,"end":2}`, `{"type":"TextPositionSelector","start":1.5,"end":2}`, `{"type":"TextPositionSelector","start":"1","end":2}`,
		`{"type":"FragmentSelector"}`, `{"type":"TextQuoteSelector","exact":"a","refinedBy":{"type":"TextQuoteSelector","exact":"a"}}`,
	} {
		got := Selector{Type: "before"}
		if err := json.Unmarshal([]byte(in), &got); err == nil || got != (Selector{}) {
			t.Errorf("%s is accepted as %+v", in, got)
		}
	}
}

func TestSelectors(t *testing.T) {
	d := canon.NewDocument([]byte("The mill burned. The mill stood.\n\nThe mill fell.\n"))
	spans, err := Selector{Type: TextQuote, Exact: "The mill"}.Spans(d, cite.Lines)
	if err != nil || fmt.Sprint(spans) != "[l1:0-8 l1:17-25 l3:0-8]" {
		t.Errorf("without context: %v, %v", spans, err)
	}
	spans, err = Selector{Type: TextQuote, Exact: "The mill", Prefix: "burned. ", Suffix: " stood"}.Spans(d, cite.Paragraphs)
	if err != nil || fmt.Sprint(spans) != "[p1:17-25]" {
		t.Errorf("with context: %v, %v", spans, err)
	}
	for _, s := range []Selector{
		{Type: TextQuote, Exact: "The barn"}, {Type: TextQuote, Exact: "The mill", Prefix: "x"}, {Type: TextPosition, Start: 0, End: 999},
		{Type: TextPosition, Start: 32, End: 34}, {Type: Fragment, Value: "row=1", ConformsTo: ConformsToTable}, {Type: Fragment, Value: "char=x", ConformsTo: ConformsToText},
		{Type: Fragment, Value: "char=0,3"}, {Type: "X"}, {},
	} {
		if spans, err := s.Spans(d, cite.Paragraphs); err == nil || spans != nil {
			t.Errorf("%+v selects %v", s, spans)
		}
	}
	for _, tt := range []struct{ locator, value string }{
		{"page:24", "page=24"}, {"box:24:72,90.5,200,14", "page=24&viewrect=72,90.5,200,14"}, {"time:12.5-14", "t=12.5,14"},
		{"region:percent:1,2,3,4", "xywh=percent:1,2,3,4"}, {"region:1,2,3,4", "xywh=1,2,3,4"}, {"row:2-3", "row=2-3"}, {"col:1", "col=1"}, {"cell:2,3-4,5", "cell=2,3-4,5"},
	} {
		l, err := Parse(tt.locator)
		if err != nil {
			t.Fatal(err)
		}
		s, err := FragmentSelector(l)
		if err != nil || s.Value != tt.value {
			t.Errorf("%s: %+v, %v", tt.locator, s, err)
			continue
		}
		if back, err := s.Locators(9, 9, 0); err != nil || !cmp.Equal(back, List{l}) {
			t.Errorf("%s comes back as %v, %v", tt.locator, back, err)
		}
	}
	for _, l := range []Locator{Pages{From: 1, To: 2}, Boxes{{1, 0, 0, 1, 1}, {1, 0, 0, 1, 1}}, Section{"a"}, Boxes{}, Cells{}} {
		if s, err := FragmentSelector(l); err == nil || s != (Selector{}) {
			t.Errorf("%v: %+v", l, s)
		}
	}
	for _, in := range []string{"", "page=0", "page=x", "viewrect=1,2,3,4", "page=1&viewrect=1,2,3", "page=1&viewrect=1,2,-3,4"} {
		if l, err := ParsePDFFragment(in); err == nil || l != nil {
			t.Errorf("%q is accepted as %v", in, l)
		}
	}
	if l, err := ParsePDFFragment("#page=3&zoom=50"); err != nil || l.String() != "page:3" {
		t.Errorf("%v, %v", l, err)
	}
}

// What a reader takes in, it writes in a spelling that means the same.
func FuzzFragments(f *testing.F) {
	for _, s := range []string{"char=1,9;length=18;md5=00112233445566778899aabbccddeeff,utf-8", "line=,4", "cell=4,1-*,*;5,5", "t=npt:1:02:03.5,&xywh=percent:1,2,3,4&track=%20&id=x", "page=3&viewrect=1,2,3,4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if one, err := ParseTextFragment(s); err == nil {
			if back, err := ParseTextFragment(one.String()); err != nil || !cmp.Equal(back, one) {
				t.Fatalf("%q: %v reads as %v, %v", s, one, back, err)
			}
		}
		if one, err := ParseTableFragment(s); err == nil {
			if back, err := ParseTableFragment(one.String()); err != nil || !cmp.Equal(back, one) {
				t.Fatalf("%q: %v reads as %v, %v", s, one, back, err)
			}
		}
		media := ParseMediaFragment(s)
		media.Ignored = nil
		if back := ParseMediaFragment(media.String()); !cmp.Equal(back, media) {
			t.Fatalf("%q: %v reads as %v", s, media, back)
		}
		if l, err := ParsePDFFragment(s); err == nil {
			written, err := PDFFragment(l)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := ParsePDFFragment(written); err != nil || !cmp.Equal(back, l) {
				t.Fatalf("%q: %v reads as %v, %v", s, l, back, err)
			}
		}
	})
}

func FuzzSelector(f *testing.F) {
	f.Add([]byte(`{"type":"TextQuoteSelector","exact":"a","prefix":"x","suffix":"y"}`))
	f.Add([]byte(`{"type":"FragmentSelector","value":"char=1,2","conformsTo":"http://tools.ietf.org/rfc/rfc5147"}`))
	f.Add([]byte(`{"page_start":3,"page_end":4,"char_offset_start":1,"char_offset_end":2,"section":"x"}`))
	d := canon.NewDocument([]byte("The mill burned.\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if all, err := Given(data); err != nil && all != nil {
			t.Fatalf("%v beside the error %v", all, err)
		}
		var s Selector
		if err := json.Unmarshal(data, &s); err != nil {
			if s != (Selector{}) {
				t.Fatalf("%+v beside the error %v", s, err)
			}
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Selector
		if err := json.Unmarshal(written, &back); err != nil || back != s {
			t.Fatalf("%s reads as %+v, %v", written, back, err)
		}
		if spans, err := s.Spans(d, cite.Paragraphs); err != nil && spans != nil {
			t.Fatalf("%v beside the error %v", spans, err)
		}
	})
}
