package edtf

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"muniment/testvectors"
)

const vectorFolder = "../../testvectors/edtf"

// A good vector is a text with its first and last day; a bad one has a defect.
var (
	good = []struct{ name, text, first, last, marks string }{
		{"year", "1931", "1931-01-01", "1931-12-31", ""},
		{"month", "1931-05", "1931-05-01", "1931-05-31", ""},
		{"day", "1931-05-20", "1931-05-20", "1931-05-20", ""},
		{"february-leap", "1904-02", "1904-02-01", "1904-02-29", ""},
		{"february-century", "1900-02", "1900-02-01", "1900-02-28", ""},
		{"february-400", "2000-02", "2000-02-01", "2000-02-29", ""},
		{"year-zero", "0000", "0000-01-01", "0000-12-31", ""},
		{"year-before", "-0044-03-15", "-0044-03-15", "-0044-03-15", ""},
		{"year-long", "Y17000", "Y17000-01-01", "Y17000-12-31", ""},
		{"year-long-before", "Y-170000002", "Y-170000002-01-01", "Y-170000002-12-31", ""},
		{"time-local", "1931-05-20T10:15:00", "1931-05-20", "1931-05-20", ""},
		{"time-utc", "1931-05-20T10:15:00Z", "1931-05-20", "1931-05-20", ""},
		{"time-offset-hours", "1931-05-20T10:15:00-05", "1931-05-20", "1931-05-20", ""},
		{"time-offset-moves-no-day", "1999-12-31T23:30:00-05:00", "1999-12-31", "1999-12-31", ""},
		{"decade", "193X", "1930-01-01", "1939-12-31", ""},
		{"century", "18XX", "1800-01-01", "1899-12-31", ""},
		{"century-before", "-18XX", "-1899-01-01", "-1800-12-31", ""},
		{"month-unspecified", "1931-XX", "1931-01-01", "1931-12-31", ""},
		{"day-unspecified", "1931-02-XX", "1931-02-01", "1931-02-28", ""},
		{"month-and-day-unspecified", "1931-XX-XX", "1931-01-01", "1931-12-31", ""},
		{"spring", "1931-21", "1931-03-01", "1931-05-31", ""},
		{"summer", "1931-22", "1931-06-01", "1931-08-31", ""},
		{"autumn", "1931-23", "1931-09-01", "1931-11-30", ""},
		{"winter", "1931-24", "1931-12-01", "1932-02-29", ""},
		{"approximate", "1817~", "1817-01-01", "1817-12-31", "~"},
		{"uncertain", "1913-11?", "1913-11-01", "1913-11-30", "?"},
		{"both-marks", "1984%", "1984-01-01", "1984-12-31", "?~"},
		{"decade-uncertain", "193X?", "1930-01-01", "1939-12-31", "?"},
		{"season-approximate", "1931-23~", "1931-09-01", "1931-11-30", "~"},
		{"interval-years", "1880/1890", "1880-01-01", "1890-12-31", ""},
		{"interval-mixed", "2004-06-11/2004-06", "2004-06-11", "2004-06-30", ""},
		{"interval-before", "-0100/-0044", "-0100-01-01", "-0044-12-31", ""},
		{"interval-seasons", "1931-21/1932-22", "1931-03-01", "1932-08-31", ""},
		{"interval-marked-end", "1880/1890?", "1880-01-01", "1890-12-31", "?"},
		{"interval-marked-both", "1880~/1890?", "1880-01-01", "1890-12-31", "?~"},
		{"interval-open-end", "1880/..", "1880-01-01", "..", ""},
		{"interval-open-begin", "../1890", "..", "1890-12-31", ""},
		{"interval-unknown-end", "1880/", "1880-01-01", "..", ""},
		{"interval-unknown-begin", "/1890", "..", "1890-12-31", ""},
	}
	bad = []struct{ name, text string }{
		{"empty", ""},
		{"blank", "1931 "},
		{"line-feed", "1931\n"},
		{"words", "May 1931"},
		{"year-three-digits", "931"},
		{"year-five-digits", "17000"},
		{"year-plus", "+1931"},
		{"year-minus-zero", "-0000"},
		{"year-long-of-four", "Y1931"},
		{"year-long-zero", "Y01931"},
		{"year-long-too-long", "Y1234567890123456789"},
		{"year-long-month", "Y17000-05"},
		{"year-long-exponent", "Y17E7"},
		{"digits-arabic", "١٩٣١"},
		{"month-zero", "1931-00"},
		{"month-13", "1931-13"},
		{"month-one-digit", "1931-5"},
		{"day-zero", "1931-05-00"},
		{"day-31-of-april", "1931-04-31"},
		{"day-29-of-february", "1900-02-29"},
		{"day-basic-form", "19310520"},
		{"day-of-season", "1931-21-05"},
		{"season-20", "1931-20"},
		{"season-25", "1931-25"},
		{"quarter", "1931-33"},
		{"week", "1931-W05"},
		{"time-blank", "1931-05-20 10:15:00"},
		{"time-minutes", "1931-05-20T10:15"},
		{"time-24", "1931-05-20T24:00:00"},
		{"time-fraction", "1931-05-20T10:15:00.5"},
		{"time-offset-bare", "1931-05-20T10:15:00-0500"},
		{"time-offset-minus-zero", "1931-05-20T10:15:00-00:00"},
		{"time-of-month", "1931-05T10:15:00"},
		{"time-marked", "1931-05-20T10:15:00~"},
		{"unspecified-three", "1XXX"},
		{"unspecified-left", "X931"},
		{"unspecified-lower", "193x"},
		{"unspecified-u", "193u"},
		{"unspecified-one-of-day", "1931-05-2X"},
		{"unspecified-month-of-day", "1931-XX-05"},
		{"unspecified-year-of-month", "193X-05"},
		{"mark-twice", "1931?~"},
		{"mark-inside", "1931?-05"},
		{"mark-before", "~1931"},
		{"interval-backwards", "1890/1880"},
		{"interval-of-three", "1880/1890/1900"},
		{"interval-of-nothing", "/"},
		{"interval-open-both", "../.."},
		{"interval-dashes", "1880-1890"},
		{"interval-open-dash", "1880/-"},
		{"interval-time", "1931-05-20T10:15:00/1932"},
		{"interval-unspecified", "2004-06-XX/2004-07-03"},
		{"interval-marked-open", "1880/..?"},
		{"set", "[1880,1890]"},
	}
)

func TestVectors(t *testing.T) {
	var all []testvectors.Vector
	for _, v := range good {
		all = append(all, testvectors.New(v.name, []byte(v.text), "expect", "ok", "first", v.first, "last", v.last, "marks", v.marks))
	}
	for _, v := range bad {
		all = append(all, testvectors.New("bad-"+v.name, []byte(v.text), "expect", "syntax"))
	}
	testvectors.Generate(t, vectorFolder, all)
	testvectors.Run(t, vectorFolder, len(good)+len(bad), func(t *testing.T, v testvectors.Vector) {
		d, err := Parse(string(v.Body))
		if v.Get("expect") != "ok" {
			if !errors.Is(err, ErrSyntax) || !d.IsZero() {
				t.Fatalf("Parse = %v, %v; want a zero date and ErrSyntax", d, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		first, last := d.Interval()
		marks := ""
		if d.Uncertain() {
			marks = "?"
		}
		if d.Approximate() {
			marks += "~"
		}
		if got := []string{d.String(), first.String(), last.String(), marks}; strings.Join(got, " ") != strings.Join([]string{string(v.Body), v.Get("first"), v.Get("last"), v.Get("marks")}, " ") {
			t.Fatalf("got %q", got)
		}
	})
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ x, y, is string }{
		{"1930", "1931", "before"},
		{"1931-05", "1931", "overlaps"},
		{"1931-05-31", "1931-06", "before"},
		{"1932-01", "1931-24", "overlaps"},
		{"1880/1890", "1890-12-31", "overlaps"},
		{"1880/1890", "1891", "before"},
		{"1880/..", "2026", "overlaps"},
		{"1880/", "2026", "overlaps"},
		{"1880/..", "1879", "after"},
		{"../1890", "Y-17000", "overlaps"},
		{"../1890", "1890-12-31T23:59:59-12:00", "overlaps"},
		{"-0044-03-15", "0001", "before"},
		{"18XX", "1817~", "overlaps"},
	} {
		x, err1 := Parse(c.x)
		y, err2 := Parse(c.y)
		if err := cmp.Or(err1, err2); err != nil {
			t.Fatal(err)
		}
		got := map[[3]bool]string{{true, false, false}: "before", {false, true, false}: "after", {false, false, true}: "overlaps"}[[3]bool{x.Before(y), x.After(y), x.Overlaps(y)}]
		if got != c.is || x.Before(y) != y.After(x) || x.Overlaps(y) != y.Overlaps(x) {
			t.Errorf("%s %s %s, want %s", c.x, got, c.y, c.is)
		}
	}
	if (Date{}).Overlaps(Date{}) || (Date{}).Before(Date{}) || !(Date{}).IsZero() {
		t.Error("the zero date compares")
	}
}

// FuzzParse checks that what parses is written again as it was, that its interval
// has days of the calendar in their order, and that a date is not before itself.
func FuzzParse(f *testing.F) {
	for _, v := range good {
		f.Add(v.text)
	}
	for _, v := range bad {
		f.Add(v.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if slow, slowErr := parse(text); (slowErr == nil) != (err == nil) || err == nil && slow != d {
			t.Fatalf("%q is %v, %v by the short way and %v, %v by the long one", text, d, err, slow, slowErr)
		}
		if err != nil {
			if !errors.Is(err, ErrSyntax) || !d.IsZero() {
				t.Fatalf("Parse(%q) = %v, %v", text, d, err)
			}
			return
		}
		if d.String() != text {
			t.Fatalf("%q is written %q", text, d)
		}
		first, last := d.Interval()
		if last.Compare(first) < 0 || d.Before(d) || !d.Overlaps(d) {
			t.Fatalf("%q is %v to %v", text, first, last)
		}
		for _, day := range []Day{first, last} {
			if day.Year < -9999 || day.Year > 9999 {
				continue
			}
			at := time.Date(int(day.Year), time.Month(day.Month), day.Day, 0, 0, 0, 0, time.UTC)
			if at.Day() != day.Day || int(at.Month()) != day.Month {
				t.Fatalf("%q has the day %v", text, day)
			}
		}
	})
}
