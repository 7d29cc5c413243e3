package catalogue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A feast is a day of the calendar: so many days after Easter, or a month and a day.
type feast struct{ after, month, day int }

// feasts lists days by which letters are dated. A name with a hyphen or an apostrophe is written with a space or without.
var feasts = map[string]feast{
	"easter": {}, "easter sunday": {}, "easter monday": {after: 1}, "easter eve": {after: -1}, "good friday": {after: -2}, "maundy thursday": {after: -3},
	"palm sunday": {after: -7}, "ash wednesday": {after: -46}, "shrove tuesday": {after: -47}, "ascension day": {after: 39}, "whit sunday": {after: 49},
	"whitsunday": {after: 49}, "whit monday": {after: 50}, "whitmonday": {after: 50}, "trinity sunday": {after: 56}, "corpus christi": {after: 60},
	"new years day": {month: 1, day: 1}, "twelfth night": {month: 1, day: 5}, "epiphany": {month: 1, day: 6}, "candlemas": {month: 2, day: 2}, "lady day": {month: 3, day: 25},
	"may day": {month: 5, day: 1}, "midsummer": {month: 6, day: 24}, "st johns day": {month: 6, day: 24}, "lammas": {month: 8, day: 1}, "michaelmas": {month: 9, day: 29},
	"all saints": {month: 11, day: 1}, "all souls": {month: 11, day: 2}, "martinmas": {month: 11, day: 11}, "christmas eve": {month: 12, day: 24},
	"christmas": {month: 12, day: 25}, "boxing day": {month: 12, day: 26}, "st stephens day": {month: 12, day: 26}, "new years eve": {month: 12, day: 31}, "hogmanay": {month: 12, day: 31},
	"karfreitag": {after: -2}, "ostern": {}, "ostersonntag": {}, "ostermontag": {after: 1}, "christi himmelfahrt": {after: 39}, "pfingsten": {after: 49}, "pfingstsonntag": {after: 49},
	"pfingstmontag": {after: 50}, "fronleichnam": {after: 60}, "neujahr": {month: 1, day: 1}, "lichtmess": {month: 2, day: 2}, "johannis": {month: 6, day: 24}, "michaelis": {month: 9, day: 29},
	"allerheiligen": {month: 11, day: 1}, "martini": {month: 11, day: 11}, "heiligabend": {month: 12, day: 24}, "weihnachten": {month: 12, day: 25}, "silvester": {month: 12, day: 31},
}

// seasons are the feasts that name the time around them as well.
var seasons = []string{"candlemas", "midsummer", "lammas", "michaelmas", "all saints", "martinmas", "christmas", "weihnachten", "michaelis", "johannis", "martini", "lichtmess"}

var feastYear = func() *regexp.Regexp {
	names := slices.Sorted(maps.Keys(feasts))
	slices.Reverse(names) // the longer of two that begin alike comes first
	for i, name := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(name, "years", "year['’]?s"), " ", "[ -]?")
		if saint, rest, ok := strings.Cut(names[i], "st[ -]?"); ok && saint == "" {
			names[i] = "st\\.?[ -]?" + strings.Replace(rest, "s[ -]?day", "['’]?s[ -]?day", 1)
		}
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") + `)(?:[ -]day)?,? (1[0-9]\d\d|20\d\d)\b`)
}()

// feastDate returns the day of a feast with its year in EDTF, and where the words are. A feast that names a season as well, such as Michaelmas, is
// approximate unless its day is named.
func feastDate(line string) (date string, at []int) {
	m := feastYear.FindStringSubmatchIndex(line)
	if m == nil {
		return "", nil
	}
	words := strings.ToLower(strings.NewReplacer("'", "", "’", "", ".", "", "-", " ").Replace(line[m[2]:m[3]]))
	f := feasts[words]
	year, err := strconv.Atoi(line[m[4]:m[5]])
	if err != nil {
		return "", nil
	}
	if f.month == 0 {
		return easter(year).AddDate(0, 0, f.after).Format("2006-01-02"), m[:2]
	}
	date = fmt.Sprintf("%04d-%02d-%02d", year, f.month, f.day)
	if slices.Contains(seasons, words) && !strings.Contains(strings.ToLower(line[m[3]:m[1]]), "day") {
		date += "~"
	}
	return date, m[:2]
}

var (
	yearFirst = regexp.MustCompile(`\b(1[0-9]\d\d|20\d\d),? ([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?\b`)
	ye        = regexp.MustCompile(`(?i)\b(?:ye|the) (\d{1,2}(?:st|nd|rd|th)?)\b`)
	numbered  = regexp.MustCompile(`(?i)\b(7|8|9|10)ber\b`)
	oldMonths = map[string]string{"7": "September", "8": "October", "9": "November", "10": "December"}
)

// plainDate returns a line with a date in the order of day, month and year, and months by their names: 1895, June 9; June ye 9th; 7ber.
func plainDate(line string) string {
	line = ye.ReplaceAllString(yearFirst.ReplaceAllString(line, "$3 $2 $1"), "$1")
	return numbered.ReplaceAllStringFunc(line, func(w string) string { return oldMonths[strings.ToLower(w)[:len(w)-3]] })
}

// footDate returns the date of the last line of a letter that has one, as letters in some hands are dated; "" for none.
func footDate(text, name string) (date, words string) {
	last, at := signedLines(text)
	for i := len(last) - 1; i >= at; i-- {
		if date, words, _ := lineDate(last[i], name); date != "" {
			return date, words
		}
	}
	return "", ""
}

// fileDate is a date in the name of a file: 1898_0302, 1909.08.22, 25-1913-11.
var fileDate = regexp.MustCompile(`(?:^|\D)(1[5-9]\d\d|20\d\d)(?:[-_. ]?(0[1-9]|1[0-2])(?:[-_. ]?(0[1-9]|[12]\d|3[01]))?)?(?:\D|$)`)

// nameDate returns the month or the day that the name of a file gives, "" for none. A year alone may be anything.
func nameDate(name string) (date, words string) {
	m := fileDate.FindStringSubmatch(name)
	if m == nil || m[2] == "" {
		return "", ""
	}
	date = m[1] + "-" + m[2]
	if m[3] != "" {
		date += "-" + m[3]
	}
	return date, strings.Trim(m[0], " -_.()[]")
}
