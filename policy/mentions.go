package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/record"
)

// Mentions returns the names of the persons of the policy that a text mentions;
// see MentionsOf.
func (p *Policy) Mentions(text string) []string { return MentionsOf(text, p.Persons, p.Subject) }

// nobody is the index of the subject in the list of persons.
const nobody = -1

// A place is a name found in a text.
type place struct {
	start, end int // bytes in the searched text
	person     int // index in the list, or nobody
}

// MentionsOf returns the names of the listed persons that a text mentions, by
// name or alias, each once and in the order of the list. Names are found as
// whole words, with or without a possessive ending, across line ends; the
// longest name at a place is the one meant, so that "Ann" is not found in "Ann
// Vale" where both are listed. A name of one capitalized word is found with
// its capital only ("Rose", "ROSE", not "rose"), any other in any case.
//
// Where persons.ThirdParties is strict, everybody is gated who is not cleared,
// listed or not: then names behind a title ("Mr. Hewer") are returned too,
// after the listed ones. A title and the last word of a listed name are that
// person.
//
// Where the name of the subject is meant, nobody else is found.
func MentionsOf(text string, persons record.Persons, subject record.Subject) []string {
	strict := persons.ThirdParties == record.ThirdPartiesStrict
	if len(persons.Persons) == 0 && !strict {
		return nil
	}
	exact, lower := searchable(text)
	var places []place
	find := func(person int, names ...string) {
		for _, n := range names {
			places = appendPlaces(places, exact, lower, n, person)
		}
	}
	find(nobody, append([]string{subject.Name}, subject.Aliases...)...)
	for i, one := range persons.Persons {
		find(i, append([]string{one.Name}, one.Aliases...)...)
	}
	places = longest(places)
	found := make([]bool, len(persons.Persons))
	for _, at := range places {
		if at.person != nobody {
			found[at.person] = true
		}
	}
	var titledNames []string
	if strict {
		titledNames = titled(exact, places, persons, subject, found)
	}
	var out []string
	for i, one := range persons.Persons {
		if found[i] && !slices.Contains(out, one.Name) {
			out = append(out, one.Name)
		}
	}
	return append(out, titledNames...)
}

// searchable returns a text in the form that names are searched in, with
// single spaces and straight apostrophes, and the same in lower case. Equal
// offsets mean the same place in both.
func searchable(text string) (exact, lower string) {
	var e, l strings.Builder
	e.Grow(len(text))
	l.Grow(len(text))
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			if !space {
				e.WriteByte(' ')
				l.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		if r == '’' || r == '‘' {
			r = '\''
		}
		low := unicode.ToLower(r)
		if utf8.RuneLen(low) != utf8.RuneLen(r) {
			low = r
		}
		e.WriteRune(r)
		l.WriteRune(low)
	}
	return e.String(), l.String()
}

// appendPlaces appends the places of a name as whole words.
func appendPlaces(places []place, exact, lower, name string, person int) []place {
	name, low := searchable(strings.TrimSpace(name))
	if low == "" {
		return places
	}
	first, _ := utf8.DecodeRuneInString(name)
	capital := unicode.IsUpper(first) && !strings.ContainsAny(name, " ")
	for from := 0; ; {
		i := strings.Index(lower[from:], low)
		if i < 0 {
			return places
		}
		start, end := from+i, from+i+len(low)
		_, size := utf8.DecodeRuneInString(lower[start:])
		from = start + size
		word := exact[start:end]
		if capital && word != name && word != strings.ToUpper(name) {
			continue
		}
		if bounded(exact, start, end) {
			places = append(places, place{start, end, person})
		}
	}
}

// bounded reports whether text[start:end] is a whole word: not inside a word, not after "d'" or
// "Mary-", not before "-Ann".
func bounded(text string, start, end int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:start])
	if wordRune(before) {
		return false
	}
	if before == '\'' || before == '-' {
		if r, _ := utf8.DecodeLastRuneInString(text[:start-n]); wordRune(r) {
			return false
		}
	}
	after, n := utf8.DecodeRuneInString(text[end:])
	if wordRune(after) {
		return false
	}
	if after == '-' {
		if r, _ := utf8.DecodeRuneInString(text[end+n:]); unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// longest drops every place that lies within a longer one.
func longest(places []place) []place {
	slices.SortFunc(places, func(a, b place) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []place
	start, reach := 0, -1
	for _, at := range places {
		if at.end <= reach && (at.start != start || at.end != reach) {
			continue
		}
		if at.end > reach {
			start, reach = at.start, at.end
		}
		out = append(out, at)
	}
	return out
}

var title = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:Mr|Mrs|Ms|Miss|Mister|Mistress|Madam|Dr|Doctor|Prof|Professor|Sir|Lady|Lord|Dame|Capt|Captain|Col|Colonel|Maj|Major|Rev|Reverend|Uncle|Aunt|Cousin)\.? (\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2})`)
})

// titled returns the names after titles that are neither found already nor a listed person's, and
// marks the listed persons' ones in found.
func titled(exact string, places []place, persons record.Persons, subject record.Subject, found []bool) []string {
	var out []string
	for _, loc := range title().FindAllStringSubmatchIndex(exact, -1) {
		start, end := loc[2], loc[3]
		if slices.ContainsFunc(places, func(p place) bool { return p.start < end && start < p.end }) {
			continue
		}
		name := strings.TrimSuffix(strings.TrimSuffix(exact[start:end], "'s"), "'")
		last := name[strings.LastIndexByte(name, ' ')+1:]
		if slices.ContainsFunc(append([]string{subject.Name}, subject.Aliases...), func(n string) bool { return lastWord(n) == last }) {
			continue
		}
		listed := false
		for i, one := range persons.Persons {
			if lastWord(one.Name) == last {
				found[i], listed = true, true
			}
		}
		if !listed && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func lastWord(name string) string {
	if at := strings.Fields(name); len(at) > 0 {
		return at[len(at)-1]
	}
	return ""
}
