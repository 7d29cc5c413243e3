package calendar

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// A point is one date: what of it is known.
type point struct{ year, month, day int }

func (p point) String() string {
	switch {
	case p.month == 0:
		return pad(p.year, 4)
	case p.day == 0:
		return pad(p.year, 4) + "-" + pad(p.month, 2)
	}
	return pad(p.year, 4) + "-" + pad(p.month, 2) + "-" + pad(p.day, 2)
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

var (
	numeric   = regexp.MustCompile(`^(\d{1,4})\s?([./-])\s?(\d{1,2})\s?[./-]\s?(\d{1,4})\.?$`)
	roman     = regexp.MustCompile(`^(\d{1,2})[./ -]{1,2}(i{1,3}|iv|vi{0,3}|ix|xi{0,2})[./ -]{1,2}(['’]?\d{2}|\d{4})\.?$`)
	compact   = regexp.MustCompile(`^(1[5-9]\d\d|20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$`)
	yearPair  = regexp.MustCompile(`^(\d{1,2})[./-](1[0-9]\d\d|20\d\d)$|^(1[0-9]\d\d|20\d\d)[./](\d{1,2})$`)
	dual      = regexp.MustCompile(`\b(1[5-7]\d)(\d)/(\d{1,2})$`)
	decades   = regexp.MustCompile(`^(?:the |die |les |de |gli |los |años |anos |années |anni |jaren )*(1[0-9]\d0|20\d0)(?:['’]?s|er|ern|er jahre|er jahren|-tallet|-talet|)$`)
	wholeYear = regexp.MustCompile(`\b(?:1[0-9]|20)\d\d\b`)
	ordinal   = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|d|er|re|ère|ème|e|º|°|o|de|ste|te|ten|en)?[.,]?$`)
	romans    = []string{"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"}
	slashed   = regexp.MustCompile(`(\pL)/(['’]?\d)|(\d)/(\pL)|(\d{1,2})/(['’]?\d{2})$`)
)

// point reads one date without words of doubt.
func (r Reader) point(text string) (string, bool) {
	lower := strings.Trim(strings.ToLower(text), " ,;")
	if m := numeric.FindStringSubmatch(lower); m != nil {
		return r.numbers(m[1], m[2], m[3], m[4])
	}
	if m := roman.FindStringSubmatch(lower); m != nil {
		return r.dayOf(m[1], slices.Index(romans, m[2])+1, m[3])
	}
	if m := compact.FindStringSubmatch(lower); m != nil {
		return r.dayOf(m[3], number(m[2]), m[1])
	}
	if m := yearPair.FindStringSubmatch(lower); m != nil && number(m[1]+m[4]) <= 12 && number(m[1]+m[4]) > 0 {
		return point{number(m[2] + m[3]), number(m[1] + m[4]), 0}.String(), true
	}
	if m := decades.FindStringSubmatch(lower); m != nil && !isDigits(lower) {
		return m[1][:3] + "X", true
	}
	if date, ok := feastDay(text); ok {
		return date, true
	}
	if date, ok := ages(lower); ok {
		return date, true
	}
	return r.inWords(lower)
}

// numbers reads three numbers with a sign between them.
func (r Reader) numbers(a, sign, b, c string) (string, bool) {
	switch {
	case len(a) == 4 && len(c) <= 2:
		return r.dayOf(c, number(b), a)
	case len(a) == 4:
		return "", false
	case len(c) == 4 && sign == "-" && len(a) <= 2 && number(a) > 12 && number(b) > 12:
		return "", false
	case sign == "." || number(b) > 12 && number(a) <= 12 || number(a) > 12 || a == b:
		if number(b) > 12 {
			a, b = b, a
		}
		return r.dayOf(a, number(b), c)
	}
	year, ok := r.year(c)
	return point{year: year}.String(), ok && number(a) > 0 && number(b) > 0 // who knows which one is the month
}

// ages reads a century, or a part of a decade or a year: 19th century, XIXe siècle, early 1920s.
func ages(lower string) (string, bool) {
	fields := strings.FieldsFunc(lower, func(c rune) bool { return c == ' ' || c == ',' })
	for n := min(2, len(fields)-1); n > 0; n-- {
		if means(strings.Join(fields[:n], " "), part) {
			date, ok := (Reader{}).point(strings.Join(fields[n:], " "))
			return withMark(date, "~"), ok && !strings.Contains(date, "-")
		}
	}
	if len(fields) < 2 || len(fields) > 4 {
		return "", false
	}
	for i, f := range fields {
		if !means(f, century) {
			continue
		}
		for _, g := range append(slices.Clone(fields[:i]), fields[i+1:]...) {
			m := ordinal.FindStringSubmatch(g)
			n := slices.Index(ages20, strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(g, "ème"), "e"), "."))
			if m != nil {
				n = number(m[1])
			}
			if n > 9 && n < 22 {
				return pad(n-1, 2) + "XX", true
			}
		}
	}
	return "", false
}

// ages20 are the numbers of centuries in Roman numerals.
var ages20 = strings.Fields("0 i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi")

// inWords reads a date with a month or a season in words, or a year.
func (r Reader) inWords(lower string) (string, bool) {
	lower = dual.ReplaceAllStringFunc(lower, func(w string) string { // 1712/13 is 1713
		m := dual.FindStringSubmatch(w)
		return strconv.Itoa(number(m[1]+m[2]) + 1)
	})
	lower = slashed.ReplaceAllString(lower, "$1$3$5 $2$4$6")
	var p point
	var years, days []string
	for _, f := range strings.FieldsFunc(lower, func(c rune) bool { return c == ' ' || c == ',' || c == '(' || c == ')' || c == '-' }) {
		word := strings.Trim(f, ".")
		switch m := monthOf(word); {
		case word == "" || means(word, weekday) && !isDigits(word):
		case m > 0 && p.month == 0:
			p.month = m
		case len(word) == 4 && isDigits(word) || len(word) == 3 && (word[0] == '\''):
			years = append(years, word)
		case strings.HasPrefix(word, "’"):
			years = append(years, word)
		case ordinal.MatchString(f):
			days = append(days, ordinal.FindStringSubmatch(f)[1])
		case means(word, filler):
		default:
			return "", false
		}
	}
	if len(years) == 0 && len(days) == 2 { // 9th June 95
		years, days = days[1:], days[:1]
	} else if len(years) == 0 && len(days) == 1 && p.month > 0 && number(days[0]) > 31 {
		years, days = days, nil
	}
	if len(years) != 1 || len(days) > 1 || len(days) == 1 && (p.month == 0 || p.month > 20) {
		return "", false
	}
	if len(days) == 1 {
		return r.dayOf(days[0], p.month, years[0])
	}
	year, ok := r.year(years[0])
	p.year = year
	return p.String(), ok && (p.month > 0 || year >= 1000)
}

// dayOf returns a day of the calendar in EDTF.
func (r Reader) dayOf(day string, month int, year string) (string, bool) {
	y, ok := r.year(year)
	p := point{y, month, number(day)}
	t, err := time.Parse(time.DateOnly, p.String())
	if month == 2 && p.day == 29 && y%4 == 0 { // the Julian calendar has it
		return point{y, 2, 0}.String(), ok && (err == nil || y < 1930)
	}
	return p.String(), ok && err == nil && t.Day() == p.day
}

// year reads a year of four digits, or one of two that the years of the reader complete.
func (r Reader) year(text string) (int, bool) {
	text = strings.TrimLeft(text, "'’")
	if len(text) == 4 && isDigits(text) {
		return number(text), number(text) > 0
	}
	if len(text) != 2 || !isDigits(text) {
		return 0, false
	}
	for _, c := range []string{"17", "18", "19", "20"} {
		if strings.Contains(r.Years, c+text) {
			return number(c + text), true
		}
	}
	return 0, false
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// beginnings returns the month or season of each word of one and of each beginning of three letters that no other month has.
var beginnings = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for word, all := range meanings() {
		n := number(all[0])
		if n == 0 {
			continue
		}
		out[word] = n
		if n > 12 || strings.ContainsFunc(word, unicode.IsDigit) {
			continue
		}
		for i, size := 0, 0; i < len(word); i += size {
			_, size = utf8.DecodeRuneInString(word[i:])
			if start := word[:i]; utf8.RuneCountInString(start) >= 3 {
				if m, taken := out[start]; taken && m != n && meanings()[start] == nil {
					out[start] = -1
				} else if !taken {
					out[start] = n
				}
			}
		}
	}
	return out
})

// monthOf returns the number of a month, or that of a season in EDTF; 0 for none.
func monthOf(word string) int { return max(0, beginnings()[word]) }

// Find returns the date at the end of a line such as the heading of a letter, its words and the rest of the line; ""
// where it has none. A date is found at the precision of a season or better, as a year alone may be any number; maxRest
// is how many words may come before it.
func (r Reader) Find(line string, maxRest int) (date, words, rest string) {
	if len(line) > MaxDate || !utf8.ValidString(line) || !strings.ContainsFunc(line, unicode.IsDigit) {
		return "", "", line
	}
	bare := strings.TrimRight(line, " .,;])")
	for start := 0; start < len(bare); {
		if words = strings.TrimLeft(bare[start:], "[("); isPrecise(words) {
			if date, ok := r.Read(strings.TrimRight(words, "?")); ok && isFine(date) && len(strings.Fields(bare[:start])) <= maxRest && !isFiller(words) && !wholeYear.MatchString(bare[:start]) {
				return date, words, bare[:start] + line[len(bare):]
			}
		}
		next := strings.IndexAny(bare[start:], " ,")
		if next < 0 {
			break
		}
		start += next + 1
	}
	return "", "", line
}

// fileDate is a date in the name of a file: 1898_0302, 1909.08.22, 25-1913-11.
var fileDate = regexp.MustCompile(`(?:^|\D)(1[5-9]\d\d|20\d\d)(?:[-_. ]?(0[1-9]|1[0-2])(?:[-_. ]?(0[1-9]|[12]\d|3[01]))?)?(?:\D|$)`)

// nameWords are the words of the name of a file: letters and digits apart, so that jan96 has two.
var nameWords = regexp.MustCompile(`\[\d{4}\]|\pL+|\d+`)

// maxNameWords is how many words of the name of a file a date has at most: 2 April 1913.
const maxNameWords = 3

// InName returns the day, the month or the season that the name of a file gives, and its words, "" for none. A year
// alone may be anything, but for one in brackets, which somebody has supplied.
func (r Reader) InName(name string) (date, words string) {
	if m := fileDate.FindStringSubmatch(name); m != nil && m[2] != "" {
		date = m[1] + "-" + m[2]
		if m[3] != "" {
			date += "-" + m[3]
		}
		return date, strings.Trim(m[0], " -_.()[]")
	}
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	all := nameWords.FindAllString(name, -1)
	for n := maxNameWords; n > 0; n-- {
		for i := 0; i+n <= len(all); i++ {
			words = strings.Join(all[i:i+n], " ")
			date, ok := r.Read(words)
			if ok && (isFine(date) && n > 1 && monthIn(all[i:i+n]) || strings.HasPrefix(words, "[") && n == 1) {
				return date, words
			}
		}
	}
	return "", ""
}

// monthIn reports whether one of some words is a month or a season.
func monthIn(all []string) bool {
	return slices.ContainsFunc(all, func(w string) bool { return monthOf(strings.ToLower(w)) > 0 })
}

// isPrecise reports whether a text begins with a letter or a digit, so that the words before a date are not part of it.
func isPrecise(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// isFine reports whether a date is one month, season or day.
func isFine(date string) bool { return len(date) >= len("1913-11") && !strings.Contains(date, "/") }

// isFiller reports whether a text begins with a word that says nothing of a date.
func isFiller(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return means(first, filler) && monthOf(strings.Trim(strings.ToLower(first), ".,")) == 0
}
