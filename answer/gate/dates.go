package gate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A day is a calendar date as the integer yyyymmdd, so that days compare.
type day int

const (
	noDay  day = 0
	anyDay day = 1 // before every date: the open beginning of "until 1700"
)

// present is a day before which nobody can ask this program anything. It
// bounds words like "yesterday" from below without a clock.
const present day = 20260101

// A period is a calendar date of some precision: its first and last day, and
// the form in which a sentence names it.
type period struct {
	first, last day
	name        string
}

var monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// parsePeriod reads YYYY, YYYY-MM or YYYY-MM-DD.
func parsePeriod(s string) (period, bool) {
	parts := strings.Split(s, "-")
	widths := []int{4, 2, 2}
	var n [3]int
	for i, part := range parts {
		v, err := strconv.Atoi(part)
		if i >= len(widths) || len(part) != widths[i] || err != nil || v < 1 {
			return period{}, false
		}
		n[i] = v
	}
	y, m, d := n[0], n[1], n[2]
	if m > 12 || d > 31 {
		return period{}, false
	}
	switch len(parts) {
	default:
		return period{day(y*10000 + m*100 + d), day(y*10000 + m*100 + d), fmt.Sprintf("%d %s %d", d, monthNames[m-1], y)}, true
	case 2:
		return period{day(y*10000 + m*100 + 1), day(y*10000 + m*100 + 31), fmt.Sprintf("%s %d", monthNames[m-1], y)}, true
	case 1:
		return period{day(y*10000 + 101), day(y*10000 + 1231), strconv.Itoa(y)}, true
	}
}

// end returns where the filter stops passing questions on, under the name of
// the day on which the archive ends. The end that the archive's signed subject
// declares wins. Else it is the subject's death; an archive that ends before it
// says so in its name, but what lies between is for the coverage gate. Without a
// death it is the newest date of the archive.
func end(f Facts) (period, bool) {
	if p, ok := parsePeriod(f.Subject.CoversTo); ok {
		return p, true
	}
	died, hasDied := parsePeriod(f.Subject.Died)
	covers, hasCovers := parsePeriod(f.CoversTo)
	switch {
	default:
		return period{}, false
	case hasDied && (!hasCovers || died.last <= covers.last):
		return died, true
	case hasDied && hasCovers:
		return period{covers.first, died.last, covers.name}, true
	case hasCovers:
		return covers, true
	}
}

// A mention is one date of a question: the first day it can mean, and whether
// it continues the range begun by the mention before it.
type mention struct {
	first     day
	continues bool
}

type datePatterns struct {
	date, before, after, joined, unit, plural, year, money *regexp.Regexp
}

const monthPattern = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`

var dates = sync.OnceValue(func() (p datePatterns) {
	p.date = regexp.MustCompile(strings.Join([]string{
		`\b(?P<y1>[12]\d{3})-(?P<m1>0[1-9]|1[0-2])(?:-(?P<d1>[0-3]\d))?\b`,
		`\b(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?(?: day)?(?: of)? (?P<m2>` + monthPattern + `),? (?:of )?(?:the year )?(?P<y2>[12]\d{3})\b`,
		`\b(?P<m3>` + monthPattern + `) (?:the )?(?P<d3>[0-3]?\d)(?:st|nd|rd|th)?,? (?:of |in )?(?P<y3>[12]\d{3})\b`,
		`\b(?P<m4>` + monthPattern + `),? (?:of )?(?:the year )?(?P<y4>[12]\d{3})\b`,
		`\b(?P<decade>[12]\d{2}0)'?s\b`,
		`\b(?P<century>\d{1,2}(?:st|nd|rd|th)|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-first|twenty-second)[- ](?:and \S+ )?centur(?:y|ies)\b`,
		`\b(?P<y5>[12]\d{3})(?:[/-]\d{1,2})?\b`,
	}, "|"))
	p.before = regexp.MustCompile(`\b(?:before|until|till|up to|by|prior to|pre-?|earlier than|no later than|not later than|as late as|to)(?: (?:about|around|the|early|late|mid|end of|year|summer|spring|autumn|fall|winter|of))*[ -]?$`)
	p.after = regexp.MustCompile(`\b(?:after|following|past|beyond|later than|post-?)(?: (?:about|around|the|end|of|year))*[ -]?$`)
	p.joined = regexp.MustCompile(`^(?:,? (?:and|to|until|till|through|or) | ?- ?| (?:to|until|through) the (?:year )?)(?:in |early |late |mid-?|about |the year |the )*$`)
	// "2000 men", "1700 pounds": a count. A plural that is in no list counts
	// too, unless the number follows "in", "since" and the like.
	p.unit = regexp.MustCompile(`^(?:,\d{3}|\.\d|%| ?(?:(?:more|other|such|armed|dead|poor|gold|silver|english|dutch|french|spanish|square) )?(?:men|women|people|persons|souls|children|soldiers|seamen|sailors|sheep|oxen|cattle|feet|foot|horse|pounds?|tons?|miles?|words?|letters|pages|books|guineas?|shillings?|crowns?|pence|dollars?|euros?|percent|per cent|times|hundred|thousand|million|ships|houses|copies|acres|yards|years|days|hours|characters)\b)`)
	p.plural = regexp.MustCompile(`^ (?:[a-z]{2,}[a-rt-z]s|of (?:the|them|these|those|his|her|their))\b`)
	p.year = regexp.MustCompile(`\b(?:in|since|during|year|after|before|until|till|from|by|circa|early|late|mid|summer|winter|spring|autumn|fall|christmas|easter)(?: of)?(?: the)?(?: year)?[ -]$`)
	p.money = regexp.MustCompile(`(?:[£$€#]|\b(?:number|no\.?|nr\.?|page|pages|pp?\.|lot|folio|room|item|line|lines|than|nearly|about (?:a )?total of|over|only|least|most|some|isbn|https?:\S*|[a-z0-9.-]+/\S*))\s*$`)
	return p
})

// eventPlurals are plurals that follow a year without being counted.
var eventPlurals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ (?:olympics|games|elections|riots|protests|floods|fires|wars|talks|hearings|trials|does|this|events|news)\b`)
})

// mentions lists the dates of a folded text.
func mentions(s string) []mention {
	p := dates()
	names := p.date.SubexpNames()
	var out []mention
	last := 0
	for _, loc := range p.date.FindAllStringSubmatchIndex(s, -1) {
		part := map[byte]string{}
		only := false
		for i := 1; i < len(names); i++ {
			if names[i] == "" || loc[2*i] < 0 {
				continue
			}
			key := names[i][0]
			if len(names[i]) > 2 {
				key = names[i][0] - 'a' + 'A' // D decade, C century
			}
			part[key] = s[loc[2*i]:loc[2*i+1]]
			only = only || names[i] == "y5"
		}
		lead, tail := s[:loc[0]], s[loc[1]:]
		if only && p.isCount(lead, tail) {
			continue
		}
		first, final := span(part)
		if first == noDay {
			continue
		}
		m := mention{first: first}
		switch {
		case len(out) > 0 && p.joined.MatchString(s[last:loc[0]]):
			m.continues = true
		case p.after.MatchString(lead):
			m.first = final + 1
		case p.before.MatchString(lead):
			m.first = anyDay
		}
		out = append(out, m)
		last = loc[1]
	}
	return out
}

// isCount reports whether a four-digit number between lead and tail counts or
// numbers something, so that it is no year.
func (p datePatterns) isCount(lead, tail string) bool {
	switch {
	default:
		return p.plural.MatchString(tail) && !eventPlurals().MatchString(tail)
	case p.money.MatchString(lead), p.unit.MatchString(tail):
		return true
	case p.year.MatchString(lead):
		return false
	}
}

// centuryBegins is how many years of a century pass before the end of an
// archive counts as being in it.
const centuryBegins = 10

// span returns the first and last day of a matched date.
func span(part map[byte]string) (first, last day) {
	number := func(k byte) int {
		n, _ := strconv.Atoi(part[k])
		return n
	}
	if part['D'] != "" {
		y := day(number('D'))
		return y*10000 + 101, (y+9)*10000 + 1231
	}
	if w := part['C']; w != "" {
		c, _ := strconv.Atoi(strings.TrimRight(w, "sthndr"))
		if c == 0 {
			c = map[string]int{"fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21, "twenty-second": 22}[w]
		}
		if c == 0 {
			return noDay, noDay
		}
		// Somebody who died in the first years of a century was not of it.
		return day((c-1)*100+1+centuryBegins)*10000 + 101, day(c*100)*10000 + 1231
	}
	y, m, d := number('y'), 0, number('d')
	if w := part['m']; w != "" {
		if m, _ = strconv.Atoi(w); m == 0 {
			for i, name := range monthNames {
				if strings.HasPrefix(w, strings.ToLower(name[:3])) {
					m = i + 1
				}
			}
		}
	}
	switch {
	default:
		return day(y*10000 + 101), day(y*10000 + 1231)
	case m > 0 && d > 0:
		return day(y*10000 + m*100 + d), day(y*10000 + m*100 + d)
	case m > 0:
		return day(y*10000 + m*100 + 1), day(y*10000 + m*100 + 31)
	}
}

// isPastEnd reports whether a text names dates and all of them begin after the
// end. A range that begins before the end is not past it.
func isPastEnd(s string, e day) bool {
	found := false
	for _, m := range mentions(s) {
		if m.first <= e {
			return false
		}
		found = found || !m.continues
	}
	return found
}

// namesCoveredDate reports whether a text names a date that begins before the end.
func namesCoveredDate(s string, e day) bool {
	for _, m := range mentions(s) {
		if m.first <= e {
			return true
		}
	}
	return false
}
