package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// conditionWords are the words of a language that begin a condition on papers, and what its words for kinds of papers are in English.
type conditionWords struct {
	begin    *regexp.Regexp // each role is a group; what follows up to the next one is its value
	fillers  *regexp.Regexp // words of a tail that say nothing
	dangling *regexp.Regexp // a verb between two conditions, at the end of the first
	kinds    map[string]string
}

// The roles of condition words.
const (
	roleTo      = "to"
	roleBy      = "by"
	roleFrom    = "from"  // a date, a writer or a place
	roleAt      = "at"    // a date or a place
	roleOn      = "on"    // a date or words
	roleOf      = "of"    // a date or a writer
	roleDate    = "date"  // a date and nothing else
	roleMention = "about" // words
	roleAfter   = "after"
	roleSince   = "since"
	roleBefore  = "before"
	roleUntil   = "until"
	roleBetween = "between" // two dates or two persons
	roleNothing = "nothing"
)

// newConditionWords compiles the words of roles; of two that begin alike the first one is read.
func newConditionWords(roles []string, fillers, dangling string, kinds map[string]string) *conditionWords {
	var words []string
	for i := 0; i < len(roles); i += 2 {
		words = append(words, "(?P<"+roles[i]+">"+roles[i+1]+")")
	}
	return &conditionWords{regexp.MustCompile(`(?i)(?:^| )(?:` + strings.Join(words, "|") + `)(?: |$)`), regexp.MustCompile(`(?i)` + fillers), regexp.MustCompile(`(?i)(?: (?:` + dangling + `))+$`), kinds}
}

// next returns the role of the condition that a tail begins with and what follows its word; at is where that word begins, -1 for none.
func (c *conditionWords) next(tail string) (role, rest string, at int) {
	m := c.begin.FindStringSubmatchIndex(tail)
	for i, name := range c.begin.SubexpNames() {
		if m != nil && name != "" && m[2*i] >= 0 {
			return name, tail[m[1]:], m[0]
		}
	}
	return "", "", -1
}

// kind returns the kind of papers that a word names, in English and in the singular; "" for every kind.
func (c *conditionWords) kind(word string) string {
	word = strings.ToLower(word)
	if c.kinds != nil {
		return c.kinds[word]
	}
	word = strings.TrimSuffix(strings.ReplaceAll(singular(word), "speeche", "speech"), "y entr")
	if _, known := kinds[word]; !known && word != "diary" && word != "journal" || general[word] {
		return ""
	}
	return word
}

// conditions reads the conditions of a tail one after the other, and reports whether all of it was read.
func (h *Holding) conditions(tail string, words *conditionWords) bool {
	tail = strings.Join(strings.Fields(words.fillers.ReplaceAllString(tail+" ", " ")), " ")
	for tail != "" {
		role, value, at := words.next(tail)
		if at != 0 {
			d := retrieve.Dates(tail)
			if len(d) == 0 || d[0].Start != 0 || !h.takeDate(tail[:d[0].End]) { // a date alone: letters 1903
				return false
			}
			tail = strings.TrimLeft(tail[d[0].End:], " ,")
			continue
		}
		if tail = ""; role == roleNothing {
			tail = value
			continue
		}
		if _, _, end := words.next(value); end >= 0 {
			value, tail = value[:end], strings.TrimSpace(value[end:])
		}
		if !h.condition(role, strings.Trim(words.dangling.ReplaceAllString(strings.Trim(value, " ,"), ""), " ,")) {
			return false
		}
	}
	return true
}

// condition takes one condition.
func (h *Holding) condition(role, value string) bool {
	if len(segment.Words(value)) == 0 {
		return false
	}
	if role == roleTo && h.From != "" && h.extend(value) { // from 1908 to 1910
		return true
	}
	if role == roleTo && h.Origin != "" && h.takePeriod(h.Origin, value) { // from May to June 1910
		h.Origin = ""
		return true
	}
	if (role == roleTo || role == roleBy) && !mayName(value) {
		return false
	}
	switch role {
	case roleMention:
		return h.takeMention(value)
	case roleOn:
		return h.takeDate(value) || h.takeMention(value)
	case roleTo:
		h.Addressee = ownKin.ReplaceAllString(value, "")
	case roleBy:
		h.Writer = value
	case roleBetween:
		return h.takeBetween(value)
	case roleAfter, roleSince, roleBefore, roleUntil:
		return h.takeOpen(role, value)
	default:
		return h.takeDate(value) || mayName(value) && h.takePlace(role, value)
	}
	return true
}

// ownKin matches the possessive before an addressee who is a relation of the writer: his mother.
var ownKin = regexp.MustCompile(`(?i)^(?:his|her|their|my|your|seinen?|ihren?|meinen?) `)

// takeMention takes words that papers hold; a second mention is of other words.
func (h *Holding) takeMention(value string) bool {
	if value = withoutPronoun(withoutArticle(strings.Trim(value, " ,"))); h.Mention == "" {
		h.Mention = value
		return value != ""
	}
	h.Also = value
	return value != ""
}

// divideMention divides the words of a question for papers that hold two of them, and reports whether there are two.
func (h *Holding) divideMention() bool {
	at := joined.FindStringIndex(h.Mention)
	if at != nil {
		h.Mention, h.Also = withoutArticle(h.Mention[:at[0]]), withoutArticle(h.Mention[at[1]:])
	}
	return h.Also != ""
}

// joined are the words between two others, persons or dates.
var joined = regexp.MustCompile(`(?i),? (?:and|und|als auch|as well as) `)

// takePlace takes the value of a condition that is no date.
func (h *Holding) takePlace(role, value string) bool {
	switch role {
	case roleFrom:
		h.Origin = value
	case roleAt:
		h.Place = value
	case roleOf:
		if !segment.Words(value)[0].Upper {
			return false
		}
		h.Writer = value
	default:
		return false
	}
	return true
}

// takeDate reads a date that is all of a text.
func (h *Holding) takeDate(text string) bool {
	d := retrieve.Dates(text)
	if len(d) != 1 || strings.Trim(text[:d[0].Start]+text[d[0].End:], " ,") != "" && !slices.Contains([]string{"the year", "the year of", "the month of", "dem Jahr", "dem Jahre", "Jahr", "Jahre"}, strings.TrimSpace(text[:d[0].Start])) {
		return false
	}
	h.From, h.To = d[0].From, d[0].To
	return true
}

// takeOpen reads a date from which or up to which papers are asked for.
func (h *Holding) takeOpen(role, value string) bool {
	var one Holding
	if !one.takeDate(value) {
		return false
	}
	if h.From == "" {
		h.From, h.To = First, Last
	}
	switch role {
	case roleAfter:
		h.From = dayAfter(one.To, 1)
	case roleSince:
		h.From = one.From
	case roleBefore:
		h.To = dayAfter(one.From, -1)
	default:
		h.To = one.To
	}
	return true
}

// extend sets the end of a period, and reports whether a text is a date.
func (h *Holding) extend(text string) bool {
	var one Holding
	if !one.takeDate(text) {
		return false
	}
	h.To = one.To
	return true
}

// takePeriod reads the first and the last date of a period, of which the first one may lack the year: 1 May and 3 June 1904.
func (h *Holding) takePeriod(first, second string) bool {
	var from, to Holding
	if !to.takeDate(second) || !from.takeDate(first) && !from.takeDate(first+" "+second[strings.LastIndexByte(second, ' ')+1:]) {
		return false
	}
	h.From, h.To = from.From, to.To
	return true
}

// takeBetween reads two dates or two persons.
func (h *Holding) takeBetween(value string) bool {
	at := joined.FindStringIndex(value)
	if at == nil {
		return false
	}
	first, second := value[:at[0]], value[at[1]:]
	if h.takePeriod(first, second) {
		return true
	}
	h.Between = [2]string{first, second}
	return segment.Words(first)[0].Upper && segment.Words(second)[0].Upper
}

// dayAfter returns the day that is so many days after another one; the day itself where it is no day of the calendar.
func dayAfter(day string, n int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, n).Format(time.DateOnly)
}

func withoutArticle(text string) string {
	first, rest, _ := strings.Cut(text, " ")
	switch strings.ToLower(first) {
	case "the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einen":
		return rest
	}
	return text
}
