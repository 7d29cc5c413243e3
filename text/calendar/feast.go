package calendar

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
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

// feastDay reads a text that is a feast and its year. A feast that names a season as well, such as Michaelmas, is
// approximate unless its day is named.
func feastDay(text string) (date string, ok bool) {
	m := feastYear.FindStringSubmatchIndex(text)
	if m == nil || m[0] != 0 || m[1] != len(text) {
		return "", false
	}
	words := strings.ToLower(strings.NewReplacer("'", "", "’", "", ".", "", "-", " ").Replace(text[m[2]:m[3]]))
	f := feasts[words]
	year := number(text[m[4]:m[5]])
	if f.month == 0 {
		return easter(year).AddDate(0, 0, f.after).Format(time.DateOnly), true
	}
	date = point{year, f.month, f.day}.String()
	if slices.Contains(seasons, words) && !strings.Contains(strings.ToLower(text[m[3]:]), "day") {
		date += "~"
	}
	return date, true
}
