package edtf

import (
	"strconv"
	"strings"
)

var (
	monthNames  = [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	seasonNames = [...]string{"spring", "summer", "autumn", "winter"}
)

// Words returns a date as English prose has it, without its time of day: 13 September 1905,
// about 1817, summer 2003, between 1880 and 1890, the 1930s; "" for no date.
func (d Date) Words() string {
	switch {
	case d.IsZero():
		return ""
	case !d.interval:
		return d.begin.words()
	case d.begin.isOpen():
		return "until " + d.end.words()
	case d.end.open == "..":
		return "since " + d.begin.words()
	case d.end.isOpen():
		return "from " + d.begin.words() + " on"
	}
	return "between " + d.begin.words() + " and " + d.end.words()
}

// words returns a point as English prose has it. What is uncertain is marked "probably",
// what is approximate "about".
func (p point) words() string {
	var parts []string
	if p.isMarked("?%") {
		parts = append(parts, "probably")
	}
	if p.isMarked("~%") {
		parts = append(parts, "about")
	}
	switch {
	case p.month > 20:
		parts = append(parts, seasonNames[p.month-21])
	case p.month > 0:
		if p.day > 0 {
			parts = append(parts, strconv.Itoa(p.day))
		}
		parts = append(parts, monthNames[p.month])
	}
	return strings.Join(append(parts, p.yearWords()), " ")
}

// yearWords returns the year of a point in words: 1905, the 1930s, the 1900s for 19XX, 44 BC.
func (p point) yearWords() string {
	year := strconv.FormatInt(p.year, 10)
	if p.negative || p.year == 0 { // the year 0000 is 1 BC
		year = strconv.FormatInt(p.year+1, 10) + " BC"
	}
	switch p.masked {
	case 1:
		return "the " + year + "s"
	case 2:
		return "the years " + year + " to " + strconv.FormatInt(p.year+99, 10)
	}
	return year
}
