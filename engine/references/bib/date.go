package bib

import (
	"fmt"
	"strconv"
	"strings"
)

// A Date is a day, a month or a year, or a range of them; the zero Date is none.
// Years before 1 are negative as in CSL: -44 is 44 BC.
type Date struct {
	Year, Month, Day int    // Month and Day are 0 when they are not known
	Season           string // spring, summer, autumn, winter
	To               *Date  // the end of a range
	Circa            bool
	Literal          string // a date that is none of these, as it was given
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool {
	return d.Year == 0 && d.Month == 0 && d.Day == 0 && d.Season == "" && d.To == nil && d.Literal == ""
}

// ParseDate reads 1931, 1931-05, 1931-05-03, the same followed by a time of day, 1931/1932 for a
// range and ~1931 or "ca. 1931" for about; anything else becomes a Literal.
func ParseDate(s string) Date {
	s = strings.TrimSpace(s)
	if s == "" {
		return Date{}
	}
	rest, circa := s, false
	for _, p := range []string{"~", "ca. ", "c. ", "circa "} {
		if cut, ok := strings.CutPrefix(strings.ToLower(rest), p); ok {
			rest, circa = cut, true
			break
		}
	}
	from, to, ranged := strings.Cut(rest, "/")
	d, ok := simpleDate(from)
	if !ok {
		return Date{Literal: s}
	}
	d.Circa = circa
	if ranged {
		end, ok := simpleDate(to)
		if !ok {
			return Date{Literal: s}
		}
		d.To = &end
	}
	return d
}

// WholeDay returns a date that is one whole day as YYYY-MM-DD, and "" for any other.
func (d Date) WholeDay() string {
	if d.To != nil || d.Circa || d.Day == 0 || d.Year < 1 {
		return ""
	}
	return d.iso()
}

// simpleDate reads a year, month or day, and reports whether s is one.
func simpleDate(s string) (Date, bool) {
	if at := strings.IndexByte(s, 'T'); at == 10 {
		s = s[:at]
	}
	negative := strings.HasPrefix(s, "-")
	parts := strings.Split(strings.TrimPrefix(s, "-"), "-")
	if len(parts) > 3 || len(parts[0]) == 0 || len(parts[0]) > 4 || len(parts) > 1 && len(parts[0]) != 4 {
		return Date{}, false
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || p[0] == '+' || p[0] == '-' || i > 0 && len(p) != 2 {
			return Date{}, false
		}
		n[i] = v
	}
	if n[0] == 0 || len(parts) > 1 && (n[1] < 1 || n[1] > 12) || len(parts) > 2 && (n[2] < 1 || n[2] > 31) {
		return Date{}, false
	}
	if negative {
		n[0] = -n[0]
	}
	return Date{Year: n[0], Month: n[1], Day: n[2]}, true
}

// String returns the form that ParseDate reads.
func (d Date) String() string {
	if d.Literal != "" || d.IsZero() {
		return d.Literal
	}
	s := d.iso()
	if d.To != nil {
		s += "/" + d.To.iso()
	}
	if d.Circa {
		s = "~" + s
	}
	return s
}

// iso writes a date without what is said of it: 1931-05-03, 1931-05 or 1931.
func (d Date) iso() string {
	year := fmt.Sprintf("%04d", max(d.Year, -d.Year))
	if d.Year < 0 {
		year = "-" + year
	}
	switch {
	case d.Day > 0:
		return fmt.Sprintf("%s-%02d-%02d", year, d.Month, d.Day)
	case d.Month > 0:
		return fmt.Sprintf("%s-%02d", year, d.Month)
	case d.Year > -1000 && d.Year < 1000:
		return strconv.Itoa(d.Year)
	}
	return year
}

var (
	monthNames = [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	// monthShort are the abbreviations of the IEEE guide.
	monthShort = [...]string{"", "Jan.", "Feb.", "Mar.", "Apr.", "May", "Jun.", "Jul.", "Aug.", "Sep.", "Oct.", "Nov.", "Dec."}
)

// year returns the year of a reference, with the letter that tells works apart;
// circa is how the style writes about.
func (d Date) year(letter, circa, none string) string {
	if d.Literal != "" {
		return d.Literal + letter
	}
	if d.Year == 0 {
		if letter != "" && none != "" {
			return none + "-" + letter
		}
		return none
	}
	s := era(d.Year)
	if d.To != nil && d.To.Year != d.Year {
		s += "–" + era(d.To.Year)
	}
	if d.Circa {
		s = circa + s
	}
	return s + letter
}

// era writes a year, with BC where it is before 1.
func era(y int) string {
	if y < 0 {
		return strconv.Itoa(-y) + " BC"
	}
	return strconv.Itoa(y)
}

// monthDay returns "May 3", "May" or the season, "" for a year alone; a range
// within a year becomes "May 3–5" or "May–June".
func (d Date) monthDay() string {
	if d.Month == 0 {
		if d.Season != "" {
			return strings.ToUpper(d.Season[:1]) + d.Season[1:]
		}
		return ""
	}
	s := monthNames[d.Month]
	if d.Day > 0 {
		s += " " + strconv.Itoa(d.Day)
	}
	if t := d.To; t != nil && t.Year == d.Year && t.Month > 0 {
		switch {
		case t.Month != d.Month:
			s += "–" + monthNames[t.Month]
			if t.Day > 0 {
				s += " " + strconv.Itoa(t.Day)
			}
		case t.Day > 0:
			s += "–" + strconv.Itoa(t.Day)
		}
	}
	return s
}

// dayMonth returns "3 May" or "May", "" for a year alone.
func (d Date) dayMonth() string {
	if d.Month == 0 || d.Day == 0 {
		return d.monthDay()
	}
	if d.To != nil && d.To.Year == d.Year && d.To.Day > 0 {
		if d.To.Month == d.Month {
			return fmt.Sprintf("%d–%d %s", d.Day, d.To.Day, monthNames[d.Month])
		}
		return fmt.Sprintf("%d %s–%d %s", d.Day, monthNames[d.Month], d.To.Day, monthNames[d.To.Month])
	}
	return fmt.Sprintf("%d %s", d.Day, monthNames[d.Month])
}
