package edtf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// unspecified is the value of a month or a day that is written XX.
const unspecified = -1

// maxYearDigits is how many digits a year has at most: more do not fit an int64. A year
// has four of them, or is written with a Y before it.
const maxYearDigits = 18

// A point is one date without a slash: a whole one, or an end of an interval.
type point struct {
	open       string // ".." or "" for an end of an interval without a date; else "date"
	negative   bool
	year       int64 // without its sign; unspecified digits are zeros
	masked     int   // how many of the last digits of the year are not specified: 0 to 2
	month, day int   // 0 absent; a month of 21 to 24 is a season
	clock      string
	mark       string // "?", "~", "%" or ""
}

// isDate tells a point with a date from an end that is open or not known.
const isDate = "date"

// isOpen reports whether a point is an end without a date.
func (p point) isOpen() bool { return p.open != isDate }

// isMarked reports whether a point has one of some marks.
func (p point) isMarked(marks string) bool {
	return p.mark != "" && strings.Contains(marks, p.mark)
}

// parsePoint reads a date without a slash, an end of an interval where end is set.
func parsePoint(s string, end bool) (point, error) {
	if end && (s == "" || s == "..") {
		return point{open: s}, nil
	}
	p := point{open: isDate}
	date, clock, timed := strings.Cut(s, "T")
	if timed {
		if p.clock = clock; end || !isClock(clock) {
			return point{}, errors.New("a time is hh:mm:ss, with Z, -05, -05:00 or nothing behind it, and no end of an interval")
		}
	} else if n := len(date); n > 0 && strings.ContainsRune("?~%", rune(date[n-1])) {
		date, p.mark = date[:n-1], date[n-1:]
	}
	if strings.HasPrefix(date, "Y") {
		return p.longYear(date[1:])
	}
	p.negative = strings.HasPrefix(date, "-")
	parts := strings.Split(strings.TrimPrefix(date, "-"), "-")
	if err := p.parseParts(parts); err != nil {
		return point{}, err
	}
	switch {
	case timed && (len(parts) < 3 || p.day == unspecified || p.month == unspecified):
		return point{}, errors.New("a time belongs to a day")
	case end && (p.masked > 0 || p.month == unspecified || p.day == unspecified):
		return point{}, errors.New("an end of an interval has no unspecified digits")
	}
	return p, nil
}

// longYear reads the year that follows a Y.
func (p point) longYear(s string) (point, error) {
	p.negative = strings.HasPrefix(s, "-")
	digits := strings.TrimPrefix(s, "-")
	year, ok := number(digits)
	if !ok || len(digits) < 5 || len(digits) > maxYearDigits || digits[0] == '0' || p.clock != "" {
		return point{}, fmt.Errorf("a Y comes before a year of 5 to %d digits", maxYearDigits)
	}
	p.year = year
	return p, nil
}

// parseParts reads year, month and day.
func (p *point) parseParts(parts []string) error {
	digits := strings.TrimRight(parts[0], "X")
	p.masked = len(parts[0]) - len(digits)
	year, ok := number(digits + strings.Repeat("0", p.masked))
	if !ok || len(parts[0]) != 4 || p.masked > 2 || len(parts) > 3 {
		return errors.New("a date is YYYY, YYYY-MM or YYYY-MM-DD")
	}
	if p.year = year; p.negative && year == 0 {
		return errors.New("the year zero has no sign")
	}
	if len(parts) == 1 {
		return nil
	}
	if p.masked > 0 {
		return errors.New("a year with unspecified digits stands alone")
	}
	if p.month, ok = field(parts[1], 1, 24); !ok || p.month > 12 && p.month < 21 {
		return errors.New("a month is 01 to 12, a season 21 to 24")
	}
	if len(parts) == 2 {
		return nil
	}
	if p.month > 12 {
		return errors.New("a season has no days")
	}
	longest := 31
	if p.month != unspecified {
		longest = DaysIn(p.signedYear(), p.month)
	}
	if p.day, ok = field(parts[2], 1, longest); !ok || p.month == unspecified && p.day != unspecified {
		return errors.New("the month has no such day")
	}
	return nil
}

// field reads two digits between least and most, or XX.
func field(s string, least, most int) (int, bool) {
	if s == "XX" {
		return unspecified, true
	}
	n, ok := number(s)
	return int(n), ok && len(s) == 2 && int(n) >= least && int(n) <= most
}

// number reads decimal digits.
func number(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// isClock reports whether a text is a time of day with its offset, if any.
func isClock(s string) bool {
	for _, form := range []string{"15:04:05", "15:04:05Z", "15:04:05-07", "15:04:05-07:00"} {
		if t, err := time.Parse(form, s); err == nil {
			// The package time also reads fractions and what it writes otherwise.
			return t.Format(form) == s && !strings.HasSuffix(s, "-00") && !strings.HasSuffix(s, "-00:00")
		}
	}
	return false
}

// DaysIn returns how many days a month has, in the Gregorian calendar.
func DaysIn(year int64, month int) int {
	switch month {
	default:
		return 31
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
}

// signedYear returns the year of a point, its unspecified digits as zeros.
func (p point) signedYear() int64 {
	if p.negative {
		return -p.year
	}
	return p.year
}

// years returns the first and last year of a point.
func (p point) years() (first, last int64) {
	width := []int64{0, 9, 99}[p.masked]
	if p.negative {
		return -p.year - width, -p.year
	}
	return p.year, p.year + width
}

// days returns the first and last day of a point. An end of an interval without a
// date is Latest; the caller knows which end it is.
func (p point) days() (first, last Day) {
	if p.isOpen() {
		return Latest, Latest
	}
	from, to := p.years()
	switch {
	default:
		return Day{from, p.month, p.day}, Day{from, p.month, p.day}
	case p.month <= 0: // absent, or not specified
		return Day{from, 1, 1}, Day{to, 12, 31}
	case p.month == 24:
		return Day{from, 12, 1}, Day{from + 1, 2, DaysIn(from+1, 2)}
	case p.month > 20:
		begins := (p.month-21)*3 + 3 // spring begins in March
		return Day{from, begins, 1}, Day{from, begins + 2, DaysIn(from, begins+2)}
	case p.day <= 0:
		return Day{from, p.month, 1}, Day{from, p.month, DaysIn(from, p.month)}
	}
}

// String returns the text of a point.
func (p point) String() string {
	if p.isOpen() {
		return p.open
	}
	b := appendYear(make([]byte, 0, len("1931-05-20T10:15:00-05:00~")), p.signedYear())
	b = append(b[:len(b)-p.masked], "XX"[:p.masked]...)
	for _, n := range []int{p.month, p.day} {
		switch {
		case n == unspecified:
			b = append(b, "-XX"...)
		case n > 0:
			b = append(b, '-', byte('0'+n/10), byte('0'+n%10))
		}
	}
	if p.clock != "" {
		b = append(append(b, 'T'), p.clock...)
	}
	return string(append(b, p.mark...))
}

// appendYear appends a year as EDTF writes it.
func appendYear(b []byte, year int64) []byte {
	switch {
	case year > 9999 || year < -9999:
		return strconv.AppendInt(append(b, 'Y'), year, 10)
	case year < 0:
		b, year = append(b, '-'), -year
	}
	for unit := int64(1000); unit > 0; unit /= 10 {
		b = append(b, byte('0'+year/unit%10))
	}
	return b
}
