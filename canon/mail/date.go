package mail

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const months = "jan feb mar apr may jun jul aug sep oct nov dec"

// zones are the named ones of RFC 5322, section 4.3, in hours. Any other name
// says nothing.
var zones = map[string]int{
	"ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
}

// spacedColon is white space around a colon, as RFC 5322 once allowed it.
var spacedColon = regexp.MustCompile(`\s*:\s*`)

// parseDate returns a date of RFC 5322, obsolete forms included, of RFC 850 (06-Nov-94)
// or of C's asctime (Nov 6 08:49:37 1994), as RFC 3339 with the offset that its
// author wrote; as YYYY-MM-DD where it gives no time or no
// zone that is known; and "" for what is none. The name of the day is not
// compared: where it is wrong, the number is what was meant.
func parseDate(s string) string {
	s = strings.ToLower(strings.ReplaceAll(stripComments(s), ",", " "))
	words := reorderDate(strings.Fields(spacedColon.ReplaceAllString(s, ":")))
	if len(words) < 3 || len(words) > 6 {
		return ""
	}
	day, ok1 := parseNumber(words[0], 1, 31)
	month := (strings.Index(months, words[1]) + 4) / 4
	year, ok2 := parseNumber(words[2], 0, 9999)
	if !ok1 || !ok2 || len(words[1]) != 3 || !strings.Contains(months, words[1]) {
		return ""
	}
	switch len(words[2]) { // RFC 5322, section 4.3
	case 1:
		return ""
	case 2:
		year += 1900
		if year < 1950 {
			year += 100
		}
	case 3:
		year += 1900
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || year < 1 {
		return ""
	}
	dayOnly := t.Format(time.DateOnly)
	if len(words) < 5 {
		return dayOnly
	}
	clock := strings.Split(words[3], ":")
	if len(clock) == 2 {
		clock = append(clock, "00")
	}
	if len(clock) != 3 {
		return dayOnly
	}
	hour, ok1 := parseNumber(clock[0], 0, 23)
	minute, ok2 := parseNumber(clock[1], 0, 59)
	second, ok3 := parseNumber(clock[2], 0, 60)
	offset, ok4 := parseZone(words[4])
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return dayOnly
	}
	at := time.Date(year, time.Month(month), day, hour, minute, min(second, 59), 0, time.FixedZone("", offset))
	return at.Format(time.RFC3339)
}

// reorderDate returns the words of a date as day, month, year, time and zone,
// without the name of the day, months in three letters.
func reorderDate(words []string) []string {
	letters := func(s string) bool { return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz.") == "" }
	if len(words) > 0 && letters(words[0]) && !isMonth(words[0]) {
		words = words[1:]
	}
	if len(words) > 0 && strings.Count(words[0], "-") == 2 {
		words = append(strings.Split(words[0], "-"), words[1:]...)
	}
	if len(words) >= 4 && isMonth(words[0]) && strings.Contains(words[2], ":") {
		year := len(words) - 1
		zone := words[3:year]
		words = append([]string{words[1], words[0], words[year], words[2]}, zone...)
	}
	if len(words) > 1 && isMonth(words[1]) {
		words[1] = words[1][:3]
	}
	return words
}

// isMonth reports whether a word is the name of a month, whole or its first
// three letters.
func isMonth(s string) bool {
	for m := time.January; m <= time.December; m++ {
		if name := strings.ToLower(m.String()); s == name || s == name[:3] {
			return true
		}
	}
	return false
}

// parseNumber reads decimal digits in a range.
func parseNumber(s string, low, high int) (int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 4 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && low <= n && n <= high
}

// parseZone returns an offset in seconds.
func parseZone(s string) (int, bool) {
	if hours, ok := zones[s]; ok {
		return hours * 3600, true
	}
	for _, name := range []string{"gmt", "utc"} {
		s = strings.TrimPrefix(s, name)
	}
	if len(s) == 6 && s[3] == ':' {
		s = s[:3] + s[4:]
	}
	if len(s) != 5 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, ok1 := parseNumber(s[1:3], 0, 23)
	minutes, ok2 := parseNumber(s[3:], 0, 59)
	offset := (hours*60 + minutes) * 60
	if s[0] == '-' {
		offset = -offset
	}
	return offset, ok1 && ok2
}
