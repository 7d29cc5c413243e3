package locator

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

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

// drawSpan draws a run of the text that is a span.
func drawSpan(t *rapid.T, d *canon.Document) (cite.Span, bool) {
	text := d.Payload()
	var places []int
	for i := range string(text) {
		places = append(places, i)
	}
	if places = append(places, len(text)); len(places) < 2 {
		return cite.Span{}, false
	}
	from := rapid.IntRange(0, len(places)-2).Draw(t, "from")
	to := rapid.IntRange(from+1, len(places)-1).Draw(t, "to")
	s, err := cite.SpanAt(d, places[from], places[to])
	return s, err == nil
}

// A span's code points lead back to the span, whatever the text.
func TestPointsRoundTrip(t *testing.T) {
	ran := 0
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			d := canon.NewDocument([]byte(drawText(t)))
			s, ok := drawSpan(t, d)
			if !ok {
				return
			}
			words, start, end, err := Points(d, s)
			if err != nil || string([]rune(string(d.Payload()))[start:end]) != words {
				t.Fatalf("%q, %v is %d-%d, %q, %v", d.Payload(), s, start, end, words, err)
			}
			if strings.TrimSpace(words) != words {
				return
			}
			ran++
			if got, err := SpanOfPoints(d, start, end, words); err != nil || got != s {
				t.Fatalf("%q, %v became %v, %v", d.Payload(), s, got, err)
			}
		})
	}
	if ran < 50 { // of a thousand texts, a fifth of that in short mode
		t.Errorf("%d spans were tried", ran)
	}
}

func TestSpanOfPoints(t *testing.T) {
	d := canon.NewDocument([]byte("aé👩b c\n"))
	for _, tt := range []struct {
		start, end int
		words      string
		want       string
	}{
		{1, 3, "é👩", "p1:1-3"}, {3, 5, "b ", "p1:3-4"}, {5, 7, "c\n", "p1:5-6"},
		{-1, 2, "aé", "start: "}, {0, 9, "aé👩b c", "end: "}, {2, 2, "", "other words"}, {3, 1, "é", "other words"}, {0, 1, "b", "code points 0 to 1 hold other words"}, {4, 5, " ", "not a run"},
	} {
		s, err := SpanOfPoints(d, tt.start, tt.end, tt.words)
		if err == nil && s.String() != tt.want || err != nil && (!s.IsZero() || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%d to %d, %q: %v, %v, want %s", tt.start, tt.end, tt.words, s, err, tt.want)
		}
	}
}

func TestOf(t *testing.T) {
	var none map[string]string
	text := "# Part\nIntro.\n\n## Results\n> Deep\n\n> > Last.\n"
	pages := func(line int) (int, error) {
		if line > 5 {
			return 0, errors.New("no page")
		}
		return 1 + line/4, nil
	}
	times := func(line int) (start, end time.Duration, err error) {
		return time.Duration(line) * time.Second, time.Duration(line)*time.Second + 1500*time.Millisecond, nil
	}
	for _, tt := range []struct {
		o    Original
		span string
		want map[string]string
	}{
		{Original{}, "p1:0-4", none},
		{Original{Page: pages}, "p1:0-4", map[string]string{"page": "1"}},
		{Original{Page: pages}, "p1:0-p2:4", map[string]string{"page": "1-2"}},
		{Original{Page: pages}, "p3:0-4", none},
		{Original{Times: times}, "p1:0-13", map[string]string{"time": "1.000-3.500"}},
		{Original{LineName: "row"}, "l4:0-l5:3", map[string]string{"row": "4-5"}},
		{Original{LineName: "line"}, "l4:0-5", map[string]string{"line": "4"}},
		{Original{Mail: true}, "p3:4-8", map[string]string{"quoted": "2"}},
		{Original{Mail: true}, "p1:0-4", none},
		{Original{Markdown: true}, "p3:4-8", map[string]string{"section": "Part / Results"}},
		{Original{Facts: map[string]string{"chapter_starts": "1 3", "headings": "1:1 2:2"}}, "p3:4-8", map[string]string{"chapter": "2", "section": "# Part Intro. / ## Results > Deep"}},
		{Original{Facts: map[string]string{"chapter_starts": "1 x", "headings": "nine"}}, "p3:4-8", none},
		{Original{LineName: "row"}, "l40:0-5", none},
	} {
		s, err := cite.ParseSpan(tt.span)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, Of(tt.o, canon.NewDocument([]byte(text)), s)); d != "" {
			t.Errorf("%s of %+v: %s", tt.span, tt.o, d)
		}
	}
}

func TestParse(t *testing.T) {
	for _, good := range []string{"", "{}", `{"page":24,"section":"§ 8.1"}`, `{"page":"xii"}`, `{"chapter":"IV","anything":{"deep":[1,2]}}`} {
		if _, err := Parse(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"page 24": "locator: not a JSON object", "null": "locator: not a JSON object", "{}{}": "locator: text after the JSON object", `{"page":-1}`: "locator: page is -1, want a number from 0",
		`{"page":true}`: "locator: page has the wrong type, want a number", `{"section":8}`: "locator: section has the wrong type, want a text", `{"char_offset_start":"12"}`: "locator: char_offset_start has the wrong type, want a number",
		strings.Repeat(" ", MaxGiven+1): "locator: 65537 bytes, want at most 65536",
	} {
		if g, err := Parse(bad); err == nil || err.Error() != want || g != nil {
			t.Errorf("%.60s: %v, want %s", bad, err, want)
		}
	}
}

func TestDisagreements(t *testing.T) {
	for _, tt := range []struct {
		given string
		found map[string]string
		want  []string
	}{
		{`{"page":" 24 ","row":3}`, map[string]string{"page": "24-25", "row": "3"}, nil},
		{`{"page_start":24,"page_end":25}`, map[string]string{"page": "24"}, nil},
		{`{"page":24,"chapter":2}`, map[string]string{"page": "25"}, []string{"the locator says page 24; the words are on page 25", "the locator says chapter 2, and the source has no chapters to compare with"}},
		{`{"section_header":"Two","section":"Three"}`, map[string]string{"section": "One"}, []string{"the locator says section header “Two”; the words are under “One”"}},
	} {
		g, err := Parse(tt.given)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, Disagreements(g, tt.found)); d != "" {
			t.Errorf("%s in %v: %s", tt.given, tt.found, d)
		}
	}
}

func TestSelectors(t *testing.T) {
	data, err := json.Marshal([]Selector{{Exact: "a", Suffix: "b"}, {Start: 0, End: 3}})
	if want := `[{"type":"TextQuoteSelector","exact":"a","prefix":"","suffix":"b"},{"type":"TextPositionSelector","start":0,"end":3}]`; err != nil || string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
}
