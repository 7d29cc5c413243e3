package edtf

import (
	"fmt"
	"strconv"
	"strings"
)

// A Prose is how a language writes dates. A form has %s for a year, or for a point of time; Between and Hundred have two.
type Prose struct {
	Months                               [13]string // from 1
	Seasons                              [4]string  // from spring
	AfterDay                             string     // what follows the number of a day
	Until, Since, From, Between          string
	Probably, About, BC, Decade, Hundred string
}

// English and German are the languages in which dates are written.
var (
	English = Prose{
		Months:  [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		Seasons: [...]string{"spring", "summer", "autumn", "winter"},
		Until:   "until %s", Since: "since %s", From: "from %s on", Between: "between %s and %s",
		Probably: "probably", About: "about", BC: "%s BC", Decade: "the %ss", Hundred: "the years %s to %s",
	}
	German = Prose{
		Months:   [...]string{"", "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
		Seasons:  [...]string{"Frühling", "Sommer", "Herbst", "Winter"},
		AfterDay: ".",
		Until:    "bis %s", Since: "seit %s", From: "ab %s", Between: "zwischen %s und %s",
		Probably: "wohl", About: "etwa", BC: "%s v. Chr.", Decade: "%ser Jahre", Hundred: "die Jahre %s bis %s",
	}
)

// Words returns WordsIn of English.
func (d Date) Words() string { return d.WordsIn(&English) }

// WordsIn returns a date as the prose of a language has it, without its time of day: 13 September 1905,
// about 1817, summer 2003, between 1880 and 1890, the 1930s; "" for no date.
func (d Date) WordsIn(l *Prose) string {
	switch {
	case d.IsZero():
		return ""
	case !d.interval:
		return d.begin.words(l)
	case d.begin.isOpen():
		return fmt.Sprintf(l.Until, d.end.words(l))
	case d.end.open == "..":
		return fmt.Sprintf(l.Since, d.begin.words(l))
	case d.end.isOpen():
		return fmt.Sprintf(l.From, d.begin.words(l))
	}
	return fmt.Sprintf(l.Between, d.begin.words(l), d.end.words(l))
}

// words returns a point as the prose of a language has it. What is uncertain is marked "probably",
// what is approximate "about".
func (p point) words(l *Prose) string {
	var parts []string
	if p.isMarked("?%") {
		parts = append(parts, l.Probably)
	}
	if p.isMarked("~%") {
		parts = append(parts, l.About)
	}
	switch {
	case p.month > 20:
		parts = append(parts, l.Seasons[p.month-21])
	case p.month > 0:
		if p.day > 0 {
			parts = append(parts, strconv.Itoa(p.day)+l.AfterDay)
		}
		parts = append(parts, l.Months[p.month])
	}
	return strings.Join(append(parts, p.yearWords(l)), " ")
}

// yearWords returns the year of a point in words: 1905, the 1930s, the 1900s for 19XX, 44 BC.
func (p point) yearWords(l *Prose) string {
	year := strconv.FormatInt(p.year, 10)
	if p.negative || p.year == 0 { // the year 0000 is 1 BC
		year = fmt.Sprintf(l.BC, strconv.FormatInt(p.year+1, 10))
	}
	switch p.masked {
	case 1:
		return fmt.Sprintf(l.Decade, year)
	case 2:
		return fmt.Sprintf(l.Hundred, year, strconv.FormatInt(p.year+99, 10))
	}
	return year
}
