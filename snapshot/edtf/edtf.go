package edtf

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Day is a day of the proleptic Gregorian calendar.
type Day struct {
	Year       int64
	Month, Day int
}

// Earliest and Latest are the bounds of an interval that is open on that side. No
// date names them.
var (
	Earliest = Day{math.MinInt64, 1, 1}
	Latest   = Day{math.MaxInt64, 12, 31}
)

// Compare returns -1, 0 or +1 as a day lies before another one, is it, or lies
// after it.
func (d Day) Compare(e Day) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// String returns a day as YYYY-MM-DD, ".." for Earliest and Latest.
func (d Day) String() string {
	switch {
	default:
		return point{open: isDate, negative: d.Year < 0, year: max(d.Year, -d.Year), month: d.Month, day: d.Day}.String()
	case d == Earliest, d == Latest:
		return ".."
	}
}

// A Date is a date, or an interval between two of them. The zero Date is none: its
// text is empty, and it overlaps nothing.
type Date struct {
	begin, end point // end is zero where there is no slash
	interval   bool
}

// ErrSyntax is wrapped by the error about a text that is no date of levels 0 and 1.
var ErrSyntax = errors.New("not a date of EDTF, levels 0 and 1")

// Parse reads a date. What it reads, String writes again byte for byte.
func Parse(text string) (Date, error) {
	if d, ok := wholeDay(text); ok {
		return d, nil
	}
	d, err := parse(text)
	if err != nil {
		return Date{}, fmt.Errorf("%q: %w: %w", clip(text), ErrSyntax, err)
	}
	return d, nil
}

// wholeDay reads YYYY-MM-DD, the form of most dates, of which an archive can have
// millions, without the detours of the others.
func wholeDay(text string) (Date, bool) {
	if len(text) != len("1931-05-20") || text[4] != '-' || text[7] != '-' {
		return Date{}, false
	}
	n := 0
	for i := range len(text) {
		switch c := text[i]; {
		case i == 4 || i == 7:
		case c < '0' || c > '9':
			return Date{}, false
		default:
			n = n*10 + int(c-'0')
		}
	}
	p := point{open: isDate, year: int64(n / 10000), month: n / 100 % 100, day: n % 100}
	ok := p.month >= 1 && p.month <= 12 && p.day >= 1 && p.day <= DaysIn(p.year, p.month)
	return Date{begin: p}, ok
}

// parse reads a date; what its parts let pass, the comparison with what String
// writes does not.
func parse(text string) (Date, error) {
	left, right, interval := strings.Cut(text, "/")
	d := Date{interval: interval}
	var err error
	if d.begin, err = parsePoint(left, interval); err != nil {
		return Date{}, err
	}
	if interval {
		if d.end, err = parsePoint(right, true); err != nil {
			return Date{}, err
		}
		if d.begin.isOpen() && d.end.isOpen() {
			return Date{}, errors.New("an interval has a date on one side at least")
		}
		first, _ := d.begin.days()
		if _, last := d.end.days(); !d.begin.isOpen() && !d.end.isOpen() && last.Compare(first) < 0 {
			return Date{}, errors.New("the interval ends before it begins")
		}
	}
	if d.String() != text {
		return Date{}, fmt.Errorf("%q is how that date is written", d.String())
	}
	return d, nil
}

// longestShown is how much of a text an error repeats, in bytes: more than the
// longest date.
const longestShown = 80

// clip returns the beginning of a text for an error.
func clip(text string) string {
	if len(text) > longestShown {
		return text[:longestShown] + "…"
	}
	return text
}

// String returns the text that Parse read.
func (d Date) String() string {
	if !d.interval {
		return d.begin.String()
	}
	return d.begin.String() + "/" + d.end.String()
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Interval returns the earliest and the latest day of a date, both included:
// Earliest and Latest where it is open.
func (d Date) Interval() (first, last Day) {
	first, last = d.begin.days()
	if d.interval {
		_, last = d.end.days()
		if d.begin.isOpen() {
			first = Earliest
		}
	}
	return first, last
}

// Before reports whether every day of a date lies before every day of another one.
func (d Date) Before(e Date) bool {
	_, last := d.Interval()
	first, _ := e.Interval()
	return !d.IsZero() && !e.IsZero() && last.Compare(first) < 0
}

// After reports whether every day of a date lies after every day of another one.
func (d Date) After(e Date) bool { return e.Before(d) }

// Overlaps reports whether two dates have a day in common.
func (d Date) Overlaps(e Date) bool {
	return !d.IsZero() && !e.IsZero() && !d.Before(e) && !d.After(e)
}

// Uncertain reports whether a date, or an end of an interval, has the mark ? or %.
func (d Date) Uncertain() bool { return d.begin.isMarked("?%") || d.end.isMarked("?%") }

// Approximate reports whether a date, or an end of an interval, has the mark ~ or %.
func (d Date) Approximate() bool { return d.begin.isMarked("~%") || d.end.isMarked("~%") }
