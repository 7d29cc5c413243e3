package gate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"muniment/snapshot/edtf"
	"muniment/text/pattern"
)

// present is a day before which nobody can ask this program anything. It
// bounds words like "yesterday" from below without a clock.
var present = edtf.Day{Year: 2026, Month: 1, Day: 1}

// An ending is where an archive, or the life that it is of, ends: its last day, and
// the form in which a sentence names it.
type ending struct {
	last edtf.Day
	name string
	dead string // the subject's name, where the life ended and the archive goes on; or ""
}

// endingOf returns the end of what a date covers. There is none where the date is
// absent, open, uncertain or approximate: nothing lies beyond it for certain.
func endingOf(date string) (ending, bool) {
	d, err := edtf.Parse(date)
	_, last := d.Interval()
	if err != nil || last == edtf.Latest || d.Uncertain() || d.Approximate() {
		return ending{}, false
	}
	if _, after, ok := strings.Cut(date, "/"); ok {
		date = after
	}
	e := ending{last: last, name: fmt.Sprintf("%d %s %d", last.Day, time.Month(last.Month), last.Year)}
	switch len(date) {
	case len("1931"):
		e.name = strconv.FormatInt(last.Year, 10)
	case len("1931-05"):
		e.name = fmt.Sprintf("%s %d", time.Month(last.Month), last.Year)
	}
	return e, true
}

// end returns where the filter stops passing questions on, under the name of the day
// on which the archive ends. The end that the archive's signed subject declares
// wins, else it is the newest date of the archive. Where the subject died later the
// filter stops at the death, and what lies between is for the coverage gate. A death
// is no end of papers that are younger.
func end(f Facts) (e ending, ok bool) {
	if e, ok = endingOf(f.Subject.CoversTo); ok {
		return e, true
	}
	died, isDead := endingOf(f.Subject.Died)
	covers, err := edtf.Parse(f.CoversTo)
	if err != nil {
		return died, isDead
	}
	if e, ok = endingOf(f.CoversTo); ok {
		if isDead && died.last.Compare(e.last) > 0 {
			e.last = died.last
		}
		return e, true
	}
	_, last := covers.Interval()
	return died, isDead && last.Compare(died.last) <= 0
}

// A mention is one date of a question: the first day it can mean, and whether
// it continues the range begun by the mention before it.
type mention struct {
	first     edtf.Day
	continues bool
}

// datePattern matches a date in any of the forms of rules/dates.txt. Its groups are
// named by part and number of the rule: y1, m1, d1, decade5, century6.
var datePattern = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for i, r := range dateRules()["date"] {
		all = append(all, groupName.ReplaceAllString(r.Match.Text, fmt.Sprintf("(?P<${1}%d>", i+1)))
	}
	return regexp.MustCompile(strings.Join(all, "|"))
})

var groupName = regexp.MustCompile(`\(\?P<([a-z]+)>`)

// dateFires reports whether a rule about the text around a date fires.
func dateFires(group, name, text string) bool {
	return slices.ContainsFunc(dateRules()[group], func(r pattern.Rule) bool { return r.Name == name && r.Matches(text) })
}

// mentions lists the dates of a folded text.
func mentions(s string) []mention {
	re := datePattern()
	names := re.SubexpNames()
	var out []mention
	last := 0
	for _, loc := range re.FindAllStringSubmatchIndex(s, -1) {
		part := map[string]string{}
		for i := 1; i < len(names); i++ {
			if names[i] != "" && loc[2*i] >= 0 {
				part[strings.TrimRight(names[i], "0123456789")] = s[loc[2*i]:loc[2*i+1]]
			}
		}
		lead, tail := s[:loc[0]], s[loc[1]:]
		if len(part) == 1 && part["y"] != "" && isCount(lead, tail) {
			continue
		}
		first, final, ok := daysOf(part)
		if !ok {
			continue
		}
		m := mention{first: first}
		switch {
		case len(out) > 0 && dateFires("date/between", "joined", s[last:loc[0]]):
			m.continues = true
		case dateFires("date/lead", "after", lead):
			m.first = final
			m.first.Day++ // beyond the last day, whatever the month
		case dateFires("date/lead", "before", lead):
			m.first = edtf.Earliest
		}
		out = append(out, m)
		last = loc[1]
	}
	return out
}

// isCount reports whether a four-digit number between lead and tail counts or
// numbers something, so that it is no year.
func isCount(lead, tail string) bool {
	switch {
	default:
		return dateFires("date/tail", "plural", tail)
	case dateFires("date/lead", "number", lead), dateFires("date/tail", "unit", tail):
		return true
	case dateFires("date/lead", "year", lead):
		return false
	}
}

// centuryBegins is how many years of a century pass before the end of an
// archive counts as being in it: somebody who died in the first years of a
// century was not of it.
const centuryBegins = 10

// ordinals are the numbers of centuries in words.
var ordinals = readPairs(wordLists["ordinals"])

// daysOf returns the first and last day of a matched date.
func daysOf(part map[string]string) (first, last edtf.Day, ok bool) {
	number := func(key string) int {
		n, _ := strconv.Atoi(part[key])
		return n
	}
	years := func(from, to int) (first, last edtf.Day, ok bool) {
		return edtf.Day{Year: int64(from), Month: 1, Day: 1}, edtf.Day{Year: int64(to), Month: 12, Day: 31}, true
	}
	if part["decade"] != "" {
		return years(number("decade"), number("decade")+9)
	}
	if w := part["century"]; w != "" {
		if ordinal := ordinals[w]; ordinal != "" {
			w = ordinal
		}
		c, _ := strconv.Atoi(strings.TrimRight(w, "sthndr"))
		if c == 0 {
			return first, last, false
		}
		return years((c-1)*100+1+centuryBegins, c*100)
	}
	y, m, d := number("y"), number("m"), number("d")
	for month := time.January; m == 0 && part["m"] != "" && month <= time.December; month++ {
		if strings.HasPrefix(part["m"], strings.ToLower(month.String()[:3])) {
			m = int(month)
		}
	}
	first, last, _ = years(y, y)
	if m > 0 {
		first.Month, last.Month = m, m
		if d > 0 {
			first.Day, last.Day = d, d
		}
	}
	return first, last, true
}

// isPastEnd reports whether a text names dates and all of them begin after the
// end. A range that begins before the end is not past it.
func isPastEnd(s string, e edtf.Day) bool {
	found := false
	for _, m := range mentions(s) {
		if m.first.Compare(e) <= 0 {
			return false
		}
		found = found || !m.continues
	}
	return found
}

// namesCoveredDate reports whether a text names a date that begins before the end.
func namesCoveredDate(s string, e edtf.Day) bool {
	return slices.ContainsFunc(mentions(s), func(m mention) bool { return m.first.Compare(e) <= 0 })
}
