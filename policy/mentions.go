package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/access"
	"muniment/text/names"
)

// MentionsOf is Mentions for persons and a subject who are in no policy.
func MentionsOf(text string, persons access.Persons, subject access.Subject) []string {
	return (&Policy{Persons: persons, Subject: subject, veils: makeVeils(persons, subject)}).Mentions(text)
}

// Mentions returns the names of the listed persons whom a text names by name, alias or initials, as VeilsIn finds them, each
// once and in the order of the list. Where ThirdParties is strict, all names that package names finds in the text follow,
// except those of the subject and of cleared persons. Their words must be words of one name of such a person, in its order:
// "Ruth Fenwick" is not Ada Fenwick.
func (p *Policy) Mentions(text string) []string { return p.mentions(text, false, nil) }

// mentions is Mentions for words of a paper, and with parts also by one word of a name.
func (p *Policy) mentions(text string, parts bool, paper *Paper) []string {
	found := make([]bool, len(p.Persons.Persons))
	for _, group := range p.findPersons(text, paper) {
		for _, at := range group {
			if at.person > 0 && !at.unsure && (parts || !at.part) {
				found[at.person-1] = true
			}
		}
	}
	var strangers []string
	if p.Persons.ThirdParties == access.ThirdPartiesStrict {
		strangers = unclearedNames(text, p.Persons, p.Subject, found)
	}
	var out []string
	for i, one := range p.Persons.Persons {
		if found[i] && !slices.Contains(out, one.Name) {
			out = append(out, one.Name)
		}
	}
	return append(out, strangers...)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == lineBreak)
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
			begins := func(n string) bool { return strings.HasPrefix(strings.ToLower(n)+" ", strings.ToLower(name)+" ") }
			if one.State != access.PersonCleared && named(namesOf(one), words) && (protected[i] || !slices.ContainsFunc(cleared, begins)) {
				protected[i], listed = true, true
			}
		}
		if !listed && !named(cleared, words) && !slices.Contains(out, name) {
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
