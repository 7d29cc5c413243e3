package retrieve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDates(t *testing.T) {
	tests := []struct{ text, want string }{
		{"on 2 September 1666 he saw", "1666-09-02 1666-09-02"},
		{"September 2, 1666", "1666-09-02 1666-09-02"},
		{"2nd Sept. 1666", "1666-09-02 1666-09-02"},
		{"the 2nd of September, 1666", "1666-09-02 1666-09-02"},
		{"1666-09-02", "1666-09-02 1666-09-02"},
		{"1666-09-02T10:00:00Z", "1666-09-02 1666-09-02"},
		{"2.9.1666 und 12. Januar 1931", "1666-09-02 1666-09-02; 1931-01-12 1931-01-12"},
		{"in September 1666", "1666-09-01 1666-09-30"},
		{"February 1668", "1668-02-01 1668-02-29"},
		{"1666", "1666-01-01 1666-12-31"},
		{"in 1666 and in 1667", "1666-01-01 1666-12-31; 1667-01-01 1667-12-31"},
		{"in the 1930s", "1930-01-01 1939-12-31"},
		{"die 1930er Jahre", "1930-01-01 1939-12-31"},
		{"in the spring of 1931", "1931-03-01 1931-05-31"},
		{"im Winter 1931", "1931-12-01 1932-02-29"},
		{"März 1931", "1931-03-01 1931-03-31"},
		{"31 April 1931", "1931-04-01 1931-04-30"}, // no such day; the month is still one
		{"it may be 300 houses", ""},
		{"44 BC", ""}, {"in 1200 BC", ""}, {"1666 pounds", ""}, {"1,666 men and 16665 sheep", ""}, {"£1666.50", ""},
		{"0000-00-00 9999-99-99", ""}, {"99/99/99", ""}, {"", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, d := range Dates(tt.text) {
			got = append(got, d.From+" "+d.To)
		}
		if d := cmp.Diff(tt.want, strings.Join(got, "; ")); d != "" {
			t.Errorf("%q: %s", tt.text, d)
		}
	}
}

// A text that hasYear skips has no date of any form.
func TestFormsHaveYears(t *testing.T) {
	part := rapid.SampledFrom([]string{"2", "September ", "166", "6", "in ", "the ", "930s", "spring ", "of ", "-09-", ".", "May ", "31", " ", "٣", "T10:00"})
	skipped := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(part).Draw(t, "text"), "")
		if hasYear(text) {
			return
		}
		skipped++
		for _, form := range dateForms {
			if form.MatchString(text) {
				t.Fatalf("%q matches %s", text, form)
			}
		}
	})
	if skipped == 0 {
		t.Error("every text had a year")
	}
}

func TestDatesInOrder(t *testing.T) {
	word := rapid.SampledFrom([]string{"2", "September", "1666", "in", "the", "1930s", "spring", "of", "-09-", ".", ",", "May", "31", "\xff", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(word).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "-"}).Draw(t, "between"))
		checkDates(t, text)
	})
}

func checkDates(t interface{ Fatalf(string, ...any) }, text string) {
	end := 0
	for _, d := range Dates(text) {
		if d.Start < end || d.End <= d.Start || d.End > len(text) || d.From > d.To || len(d.From) != 10 || len(d.To) != 10 {
			t.Fatalf("%q: %+v after %d", text, d, end)
		}
		end = d.End
	}
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"2nd Sept. 1666", "spring of 1931", "1666-09-02", "0000-00-00", "44 BC", "9999s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkDates(t, text) })
}
