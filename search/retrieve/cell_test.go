package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muniment/snapshot/edtf"
)

// drawRange draws a range of a form that Dates gives.
func drawRange(t *rapid.T, name string) (from, to string) {
	y, m := rapid.IntRange(1897, 1904).Draw(t, name+" year"), rapid.IntRange(1, 12).Draw(t, name+" month")
	switch rapid.IntRange(0, 5).Draw(t, name+" kind") {
	case 0:
		return day(y, 1, 1), day(y, 12, 31)
	case 1:
		return day(y, m, 1), day(y, m, edtf.DaysIn(int64(y), m))
	case 2:
		return seasonDays(y, 1+m%4)
	case 3:
		return day(y/10*10, 1, 1), day(y/10*10+9, 12, 31)
	}
	d := day(y, m, rapid.IntRange(1, edtf.DaysIn(int64(y), m)).Draw(t, name+" day"))
	return d, d
}

// The words of dates find exactly what comparing the dates finds.
func TestDateWords(t *testing.T) {
	meet := func(words, asked []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(asked, w) })
	}
	rapid.Check(t, func(t *rapid.T) {
		from, to := drawRange(t, "asked from")
		if rapid.Bool().Draw(t, "wide") {
			a, b := drawRange(t, "asked to")
			from, to = min(from, a), max(to, b)
		}
		asked := datedWords([]DateRange{{From: from, To: to}}, true)
		f, e := drawRange(t, "of the text")
		c := cellOf(f, e)
		if c == "" {
			t.Fatalf("%s to %s is no cell", f, e)
		}
		date := string(c)
		switch len(date) {
		case 3:
			date += "0s"
		case 6:
			date = []string{"", "spring", "summer", "fall", "winter"}[date[5]-'0'] + " " + date[:4]
		}
		text := "It was done in " + date + "."
		if rapid.Bool().Draw(t, "said") {
			if got, want := meet(slices.Concat(dateWords(""), saidWords(text, wordSaid)), asked), f >= from && e <= to; got != want {
				t.Fatalf("%s asked for %s to %s: found %v, want %v", text, from, to, got, want)
			}
			return
		}
		if len(date) > 10 {
			return // period takes no longer ones
		}
		if got, want := meet(dateWords(date), asked), f <= to && e >= from; got != want {
			t.Fatalf("date %s asked for %s to %s: found %v, want %v", date, from, to, got, want)
		}
	})
}

func TestCover(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     string
	}{
		{"1931-04-12", "1931-04-12", "[1931-04-12]"},
		{"1931-01-01", "1931-12-31", "[1931]"},
		{"1899-12-30", "1912-02-02", "[1899-12-30 1899-12-31 190 1910 1911 1912-01 1912-02-01 1912-02-02]"},
		{"0000-01-01", "0199-12-31", "[00 01]"},
	} {
		if got := fmt.Sprint(cover(tt.from, tt.to)); got != tt.want {
			t.Errorf("%s to %s: %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
	if n := len(datedWords([]DateRange{{From: "0000-01-01", To: "9999-12-31"}}, true)); n > 1000 {
		t.Errorf("%d words for all of time", n)
	}
}
