package cite

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What a caller may write becomes the one spelling.
func TestReadMediaSpan(t *testing.T) {
	for in, want := range map[string]string{
		"time:2-4": "time:2-4", "time:0:02-0:04.50": "time:2-4.5", "time:1:00:00-1:00:01": "time:3600-3601", "t=2,4": "time:2-4", "#t=npt:2,4": "time:2-4", "t=,4": "time:0-4",
		"xywh=1,2,3,4": "region:xywh=1,2,3,4", "region:xywh=pixel:1,2,3,4": "region:xywh=1,2,3,4", "xywh=percent:1,2,3,4&t=5,6": "time:5-6&xywh=percent:1,2,3,4",
	} {
		m, err := ReadMediaSpan(in)
		if err != nil || m.String() != want {
			t.Errorf("%s: %s, %v, want %s", in, m, err, want)
		}
	}
	for _, bad := range []string{"", "#", "t=", "time:-", "t=4,2", "t=smpte:0:02,0:04", "time:1:60-2:00", "time:1:1:1:1-9999999", "track=audio", "t=1,2&xywh=1,2,3,4&t=1,2", "xywh=1,2,3,4&xywh=1,2,3,4"} {
		if m, err := ReadMediaSpan(bad); err == nil || m != (MediaSpan{}) {
			t.Errorf("%s: %s, %v, want an error", bad, m, err)
		}
	}
}

// A span of any numbers is read back from its spelling and from its fragment.
func TestMediaSpanRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m MediaSpan
		if rapid.Bool().Draw(t, "time") {
			m.Start = rapid.Int64Range(0, 1e9).Draw(t, "start")
			m.End = m.Start + rapid.Int64Range(1, 1e9).Draw(t, "length")
		}
		if m.End == 0 || rapid.Bool().Draw(t, "region") {
			most := MaxNumber
			if m.Percent = rapid.Bool().Draw(t, "percent"); m.Percent {
				most = percent
			}
			m.X, m.Y = rapid.IntRange(0, most-1).Draw(t, "x"), rapid.IntRange(0, most-1).Draw(t, "y")
			m.W, m.H = rapid.IntRange(1, most-m.X).Draw(t, "w"), rapid.IntRange(1, most-m.Y).Draw(t, "h")
		}
		if got, err := ParseMediaSpan(m.String()); err != nil || got != m {
			t.Fatalf("%s: %+v, %v, want %+v", m, got, err, m)
		}
		if got, err := ReadMediaSpan(m.Fragment()); err != nil || got != m {
			t.Fatalf("%s: %+v, %v, want %+v", m.Fragment(), got, err, m)
		}
	})
}

func TestBounds(t *testing.T) {
	photo := map[string]string{"width": "200", "height": "100"}
	turned := map[string]string{"width": "200", "height": "100", "orientation": "6"}
	sound := map[string]string{"duration": "00:01:05.250"}
	for _, tt := range []struct {
		facts                  map[string]string
		span                   string
		want, problem, unknown string
		clip                   string
	}{
		{photo, "region:xywh=0,0,200,100", "200 × 100 pixels", "", "", "region:xywh=0,0,200,100"},
		{photo, "region:xywh=1,0,200,100", "", "which has 200 × 100 pixels", "", "region:xywh=1,0,199,100"},
		{photo, "region:xywh=200,0,1,1", "", "which has 200 × 100 pixels", "", "region:xywh=0,0,200,100"},
		{turned, "region:xywh=0,0,100,200", "100 × 200 pixels", "", "", "region:xywh=0,0,100,200"},
		{turned, "region:xywh=0,0,200,100", "", "which has 100 × 200 pixels", "", "region:xywh=0,0,100,100"},
		{photo, "region:xywh=percent:50,50,50,50", "200 × 100 pixels", "", "", "region:xywh=percent:50,50,50,50"},
		{nil, "region:xywh=percent:50,50,50,50", "", "", "", "region:xywh=percent:50,50,50,50"},
		{nil, "region:xywh=9,9,9,9", "", "", "the size of the picture", "region:xywh=9,9,9,9"},
		{sound, "time:65-65.25", "65.25 seconds", "", "", "time:65-65.25"},
		{sound, "time:65-65.251", "", "which lasts 65.25 seconds", "", "time:65-65.25"},
		{sound, "time:70-80", "", "which lasts 65.25 seconds", "", "time:0-65.25"},
		{sound, "t=60", "65.25 seconds", "", "", "time:60-65.25"},
		{nil, "t=60", "", "how long the recording lasts is not known", "the duration of the recording", ""},
		{nil, "time:1-2&xywh=1,1,1,1", "", "", "the size of the picture and the duration of the recording", ""},
	} {
		m, err := ReadMediaSpan(tt.span)
		if err != nil {
			t.Fatal(err)
		}
		known := BoundsOf(tt.facts)
		_, bounds, err := known.Within(m)
		if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) || bounds.String() != tt.want || known.Unknown(m) != tt.unknown {
			t.Errorf("%s in %v: %q, %v, unknown %q; want %q, %q, %q", tt.span, tt.facts, bounds, err, known.Unknown(m), tt.want, tt.problem, tt.unknown)
		}
		if part, _ := known.Clip(m); part.String() != tt.clip {
			t.Errorf("%s in %v: clipped to %q, want %q", tt.span, tt.facts, part, tt.clip)
		}
	}
	m, err := ParseMediaSpan("time:2.5-3661&xywh=percent:1,2,3,4")
	if want := "0:02.5 to 1:01:01, a region of 3 × 4 percent at 1, 2"; err != nil || m.Words() != want {
		t.Errorf("%q, %v, want %q", m.Words(), err, want)
	}
}

// The bounds of a citation are those of the record, of a payload that is the file.
func TestCheckMedia(t *testing.T) {
	c := &Citation{Type: MediaCitationType, Span: "region:xywh=10,20,30,40", Bounds: &Bounds{Width: 200, Height: 100}}
	for _, tt := range []struct {
		form, width, want string
	}{{"bytes@1", "200", ""}, {"text@1", "200", "the form text@1"}, {"bytes@1", "201", "the record says 201 × 100 pixels"}, {"bytes@1", "30", "lies outside"}, {"bytes@1", "", "the record says "}} {
		err := c.CheckMedia(tt.form, map[string]string{"width": tt.width, "height": "100"})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, width %s: %v, want %q", tt.form, tt.width, err, tt.want)
		}
	}
	if err := (&Citation{Type: CitationType}).CheckMedia("bytes@1", nil); err == nil {
		t.Error("a citation of words was checked as one of a picture")
	}
}
