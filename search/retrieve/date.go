package retrieve

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"muniment/snapshot/edtf"
	"muniment/text/segment"
)

// A DateRange is a date or period named in a text.
type DateRange struct {
	From, To   string // inclusive, YYYY-MM-DD
	Start, End int    // byte offsets in the text
}

const monthNames = `jan(?:uary|uar|y)?|jän(?:ner)?|feb(?:ruary|ruar|y)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|` +
	`aug(?:ust|t)?|sept?(?:ember|r)?|oct(?:ober|r)?|okt(?:ober)?|nov(?:ember|r)?|de[cz](?:ember|r)?`

const seasonNames = `spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst`

// The forms of a date, tried in this order; a later one never overlaps an earlier one. In each, the
// groups are named y, m, d, s (season), e (decade), and second ones where there are two days.
var dateForms = compile(
	`\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?:T[0-9:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b`,
	`\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})\b`,
	`\b(?P<d>\d{1,2})(?:st|nd|rd|th|d|\.)?\s+(?:day\s+)?(?:of\s+)?(?P<m>`+monthNames+`)\b\.?,?\s+(?:of\s+)?(?P<y>\d{4})\b`,
	`\b(?P<m>`+monthNames+`)\.?\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th|d)?,?\s+(?:of\s+)?(?P<y>\d{4})\b`,
	`\b(?P<m>`+monthNames+`)\.?,?\s+(?:of\s+)?(?P<y>\d{4})\b`,
	`\b(?P<y>\d{4})-(?P<m>\d{2})\b`,
	`\b(?P<s>`+seasonNames+`)(?:\s+(?:of|des\s+jahres))?,?\s+(?P<y>\d{4})\b`,
	`\b(?P<e>\d{3}0)(?:s\b|['’]s\b|er\b)`,
	`\b(?:(?:in|since|before|after|until|by|during|of|year|around|about|early|late|im|jahr|seit|vor|nach|between|and|from|to)\s+|^|\()(?P<y>\d{4})\b`,
	`\b(?P<y>1[0-9]\d{2}|20\d{2})\b`,
)

func compile(patterns ...string) []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		out[i] = regexp.MustCompile(`(?i)` + p)
	}
	return out
}

// MaxDateText is how many bytes of a text Dates reads: dates are asked in questions, not in books.
const MaxDateText = 64 << 10

// Dates returns the dates and periods named in a text, in order and without overlap: days
// (2 September 1666, September 2, 1666, 2nd Sept. 1666, 1666-09-02, 2.9.1666), months, years,
// seasons (spring of 1931: March to May; winter reaches into the next year) and decades (the
// 1930s), and those of EDTF (1880/1890, 1817~, 18XX). English and German names. Years before Christ, days that no calendar has, and numbers that are
// amounts ("1666 pounds", "BC") name none.
func Dates(text string) []DateRange {
	text = text[:min(len(text), MaxDateText)]
	var out []DateRange
	taken := make([]bool, len(text))
	for _, r := range edtfRanges(text) {
		for i := r.Start; i < r.End; i++ {
			taken[i] = true
		}
		out = append(out, r)
	}
	forms := dateForms
	if !hasYear(text) {
		forms = nil
	}
	for _, form := range forms {
		for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
			r, ok := dateAt(form, text, at)
			if !ok || overlaps(taken, r) {
				continue
			}
			for i := r.Start; i < r.End; i++ {
				taken[i] = true
			}
			out = append(out, r)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// hasYear reports whether a text has four digits in a row, without which no form of a
// date matches. Most passages have none, and matching all forms takes half of the time
// of indexing a passage.
func hasYear(text string) bool {
	run := 0
	for i := range len(text) {
		if run++; text[i] < '0' || text[i] > '9' {
			run = 0
		} else if run == 4 {
			return true
		}
	}
	return false
}

func overlaps(taken []bool, r DateRange) bool {
	for i := r.Start; i < r.End; i++ {
		if taken[i] {
			return true
		}
	}
	return false
}

// dateAt reads one match of a form.
func dateAt(form *regexp.Regexp, text string, at []int) (DateRange, bool) {
	group := func(name string) string {
		i := form.SubexpIndex(name)
		if i < 0 || at[2*i] < 0 {
			return ""
		}
		return text[at[2*i]:at[2*i+1]]
	}
	r := DateRange{Start: at[0], End: at[1]}
	if amount(text[at[1]:]) {
		return r, false
	}
	if e := group("e"); e != "" {
		year, _ := strconv.Atoi(e)
		r.From, r.To = day(year, 1, 1), day(year+9, 12, 31)
		return r, year > 0
	}
	year, _ := strconv.Atoi(group("y"))
	if year == 0 {
		return r, false
	}
	if s := group("s"); s != "" {
		r.From, r.To = seasonDays(year, seasons[strings.ToLower(s)])
		return r, true
	}
	month, d := 0, 0
	if m := group("m"); m != "" {
		if month = monthNumber(m); month == 0 {
			return r, false
		}
	}
	if g := group("d"); g != "" {
		if d, _ = strconv.Atoi(g); d < 1 || d > edtf.DaysIn(int64(year), month) && !isJulianLeapDay(year, month, d) {
			return r, false
		}
	}
	switch {
	default:
		r.From, r.To = day(year, month, d), day(year, month, d)
	case month == 0:
		r.From, r.To = day(year, 1, 1), day(year, 12, 31)
		for r.Start < r.End && text[r.Start]-'0' > 9 { // the preposition is not part of a year
			r.Start++
		}
	case d == 0:
		r.From, r.To = day(year, month, 1), day(year, month, edtf.DaysIn(int64(year), month))
	}
	return r, true
}

var (
	amounts  = regexp.MustCompile(`(?i)^\s*(?:b\.?\s?c\.?(?:e\.?)?\b|v\.\s?chr|pounds?\b|shillings?\b|pence\b|marks?\b|men\b|people\b|dollars?\b|euros?\b|miles?\b|feet\b|tons?\b|acres?\b|guineas?\b|houses?\b|persons?\b|[£$€%°])`)
	monthKey = map[string]int{"jan": 1, "jän": 1, "feb": 2, "mar": 3, "mär": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6, "jul": 7,
		"aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12}
)

// amount reports whether what follows a number makes it something else than a year of our era.
func amount(after string) bool {
	return amounts.MatchString(after[:min(len(after), 32)]) ||
		len(after) > 1 && (after[0] == '.' || after[0] == ',') && after[1]-'0' < 10
}

func monthNumber(name string) int {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 1 || n > 12 {
			return 0
		}
		return n
	}
	r := []rune(strings.ToLower(name))
	return monthKey[string(r[:min(3, len(r))])]
}

// seasons are the numbers of seasons as seasonDays takes them.
var seasons = map[string]int{"spring": 1, "frühling": 1, "frühjahr": 1, "summer": 2, "sommer": 2, "autumn": 3, "fall": 3, "herbst": 3, "winter": 4}

// isJulianLeapDay reports whether a day is a 29 February that only the Julian calendar has.
func isJulianLeapDay(year, month, day int) bool {
	return month == 2 && day == 29 && year%4 == 0
}

func day(y, m, d int) string { return fmt.Sprintf("%04d-%02d-%02d", y, m, d) }

// period returns the days that a document's date, of EDTF or a time, covers. ok is
// false when it is not a date.
func period(date string) (from, to string, ok bool) {
	if from, to, ok = interval(date); ok {
		return from, to, true
	}
	if day, _, timed := strings.Cut(date, "T"); timed {
		if from, to, ok = interval(day); ok {
			return from, to, true
		}
	}
	for _, r := range Dates(date) {
		if r.Start == 0 && r.End == len(date) {
			return r.From, r.To, true
		}
	}
	return "", "", false
}

// WithoutDates returns a text without the dates and periods that Dates finds in it.
func WithoutDates(text string) string {
	for _, d := range slices.Backward(Dates(text)) {
		text = text[:d.Start] + text[d.End:]
	}
	return text
}

// inDates reports whether a word is part of a date.
func inDates(w segment.Word, dates []DateRange) bool {
	return slices.ContainsFunc(dates, func(d DateRange) bool { return w.Start >= d.Start && w.End <= d.End })
}
