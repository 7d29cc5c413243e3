package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// conditionWords are the words of a language that begin a condition on papers, and what its words for kinds of papers are in English.
type conditionWords struct {
	begin    *regexp.Regexp // group 1 is the word, what follows up to the next one is its value
	fillers  *regexp.Regexp // words of a tail that say nothing
	dangling *regexp.Regexp // a verb between two conditions, at the end of the first
	roles    map[string]string
	kinds    map[string]string
}

// The roles of condition words.
const (
	roleTo      = "to"
	roleBy      = "by"
	roleFrom    = "from"  // a date, a writer or a place
	roleAt      = "at"    // a date or a place
	roleOf      = "of"    // a date or a writer
	roleDate    = "date"  // a date and nothing else
	roleMention = "about" // words
	roleAfter   = "after"
	roleSince   = "since"
	roleBefore  = "before"
	roleUntil   = "until"
	roleBetween = "between" // two dates or two persons
	roleUndated = "undated"
	roleNothing = ""
)

// englishConditions returns the condition words of English, compiled at the first use.
var englishConditions = sync.OnceValue(func() *conditionWords {
	return newConditionWords(map[string]string{
		roleTo:      "written to, sent to, addressed to, to",
		roleBy:      "written by, sent by, by",
		roleFrom:    "written from, sent from, from",
		roleAt:      "written in, written at, written on, in, at, on",
		roleOf:      "of",
		roleDate:    "dated to, dated in, dating to, date to, fall in, falling in, come from the year, carry the date, carry a date in, bear a date in, have a date in, with a date in, with the date, from the year, in the year, bear the date, bearing the date, bears the date, belong to, belonging to, belongs to, dated from, dated, date from, dating from, of the year, during, written during, for",
		roleMention: "that name, that mention, that speak of, that tell of, that refer to, that are about, that touch on, that deal with, that concern, that discuss, which name, which mention, which speak of, which refer to, which are about, which concern, name, mention, naming, mentioning, speak of, speaking of, tell of, refer to, are about, deal with, concern, discuss, discussing, about, concerning, regarding, touching on",
		roleAfter:   "written after, dated after, later than, after",
		roleSince:   "written since, since",
		roleBefore:  "written before, dated before, earlier than, before",
		roleUntil:   "written until, until, up to, till",
		roleBetween: "passed between, that passed between, exchanged between, written between, dated between, between",
		roleUndated: "with no date, without a date, without date, have no date, has no date, bear no date, bears no date, no date, undated",
		roleNothing: "written, in date, survive, survives, exist, exists, remain, remains, preserved",
	}, `(?i)\b(?:in|of) (?:the|this|our) (?:archive|collection|holdings)\b|\b(?:in all|in total|altogether|all told)\b|\b(?:that )?(?:we|you) (?:have|hold|own|keep)(?: got)?\b|\bhere$|\bthere is$|\bthat exists$|\b(?:are|were|is|was) there\b|^(?:are|were|is|was|do we have|does the archive have|did we get) `,
		`(?i)(?: (?:are|is|was|were|and|written|dated|sent|addressed|passed|mentioned|named|appears?|occurs?))+$`, nil)
})

func newConditionWords(roles map[string]string, fillers, dangling string, kinds map[string]string) *conditionWords {
	c := &conditionWords{fillers: regexp.MustCompile(fillers), dangling: regexp.MustCompile(dangling), roles: map[string]string{}, kinds: kinds}
	var words []string
	for role, list := range roles {
		for word := range strings.SplitSeq(list, ", ") {
			c.roles[word] = role
			words = append(words, word)
		}
	}
	slices.Sort(words)
	slices.Reverse(words) // the longer of two that begin alike comes first
	c.begin = regexp.MustCompile(`(?i)(?:^| )(` + strings.Join(words, "|") + `)(?: |$)`)
	return c
}

// kind returns the kind of papers that a word names, in English and in the singular.
func (c *conditionWords) kind(word string) string {
	if kind, ok := c.kinds[word]; ok || c.kinds != nil {
		return kind
	}
	return strings.TrimSuffix(strings.ReplaceAll(singular(word), "speeche", "speech"), "y entr")
}

// conditions reads the conditions of a tail one after the other, and reports whether all of it was read.
func (h *Holding) conditions(tail string, words *conditionWords) bool {
	tail = strings.Join(strings.Fields(words.fillers.ReplaceAllString(strings.TrimSpace(tail)+" ", " ")), " ")
	for tail != "" {
		at := words.begin.FindStringSubmatchIndex(tail)
		if at == nil || at[0] != 0 {
			d := retrieve.Dates(tail)
			if len(d) == 0 || d[0].Start != 0 || !h.takeDate(tail[:d[0].End]) { // a date alone: letters 1903
				return false
			}
			tail = strings.TrimSpace(tail[d[0].End:])
			continue
		}
		role, rest := words.roles[strings.ToLower(tail[at[2]:at[3]])], tail[at[1]:]
		if role == roleUndated && strings.HasPrefix(rest, "of ") {
			return false
		}
		value, next := rest, ""
		if end := words.begin.FindStringSubmatchIndex(rest); end != nil && !(role == roleUndated || role == roleNothing) {
			value, next = rest[:end[0]], strings.TrimSpace(rest[end[0]:])
		} else if role == roleUndated || role == roleNothing {
			value, next = "", rest
		}
		if !h.condition(role, words.dangling.ReplaceAllString(strings.TrimSpace(value), "")) {
			return false
		}
		tail = next
	}
	return true
}

// condition takes one condition.
func (h *Holding) condition(role, value string) bool {
	switch role {
	case roleUndated:
		h.Undated = true
		return true
	case roleNothing:
		return true
	}
	if len(segment.Words(value)) == 0 {
		return false
	}
	if role == roleTo && h.From != "" && h.extend(value) { // from 1908 to 1910
		return true
	}
	if (role == roleTo || role == roleBy) && !mayName(value) {
		return false
	}
	switch role {
	case roleMention:
		h.Mention = withoutArticle(value)
	case roleTo:
		h.Addressee = value
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

// takeBetween reads two dates or two persons.
func (h *Holding) takeBetween(value string) bool {
	first, second, ok := strings.Cut(value, " and ")
	if !ok {
		first, second, ok = strings.Cut(value, " und ")
	}
	if !ok {
		return false
	}
	var from, to Holding
	if from.takeDate(first) && to.takeDate(second) {
		h.From, h.To = from.From, to.To
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
