package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/access"
	"muniment/text/names"
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
// Where persons.ThirdParties is strict, everybody is gated who is not cleared, listed or
// not: then all names that package names finds in the text are returned too, after the
// listed ones, except those of the subject and of cleared persons. Their words must be
// words of one name of such a person, in its order: "Ruth Fenwick" is not Ada Fenwick.
//
// Where the name of the subject is meant, nobody else is found.
func MentionsOf(text string, persons access.Persons, subject access.Subject) []string {
	strict := persons.ThirdParties == access.ThirdPartiesStrict
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
	var strangers []string
	if strict {
		strangers = unclearedNames(text, persons, subject, found)
	}
	var out []string
	for i, one := range persons.Persons {
		if found[i] && !slices.Contains(out, one.Name) {
			out = append(out, one.Name)
		}
	}
	return append(out, strangers...)
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

// unclearedNames returns the names in a text that are neither a cleared person's nor the subject's,
// and marks in protected the listed persons whose names they are. A name or alias of a cleared person
// is theirs; so is their given name, unless the text has another's full name with it. A surname alone
// that a protected person has too is protected.
func unclearedNames(text string, persons access.Persons, subject access.Subject, protected []bool) []string {
	cleared := append([]string{subject.Name}, subject.Aliases...)
	for _, one := range persons.Persons {
		if one.State == access.PersonCleared {
			cleared = append(cleared, namesOf(one)...)
		}
	}
	named := func(forms []string, words []string) bool {
		return slices.ContainsFunc(forms, func(n string) bool { return coversName(strings.Fields(n), words) })
	}
	var out []string
	for _, at := range names.Find(text) {
		words := strings.Fields(text[at.Start:at.End])
		for len(words) > 1 && !names.Known(words[0]) && !strings.HasSuffix(words[0], ".") {
			words = words[1:] // "Yesterday Ada Vale"
		}
		name := strings.Join(words, " ")
		if at.From == at.Start && len(words) == 1 && named(append(subject.Aliases[:len(subject.Aliases):len(subject.Aliases)], subject.Name), words) {
			continue // a word of the subject's name is the subject, without a title
		}
		listed := false
		for i, one := range persons.Persons {
			if one.State != access.PersonCleared && named(namesOf(one), words) && (protected[i] || !isFirstWord(cleared, name)) {
				protected[i], listed = true, true
			}
		}
		if !listed && !named(cleared, words) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// isFirstWord reports whether a name is one of some names, or the first word of one.
func isFirstWord(all []string, name string) bool {
	return slices.ContainsFunc(all, func(n string) bool {
		first, _, _ := strings.Cut(n, " ")
		return strings.EqualFold(n, name) || strings.EqualFold(first, name)
	})
}

func lastWord(name string) string {
	if at := strings.Fields(name); len(at) > 0 {
		return at[len(at)-1]
	}
	return ""
}
