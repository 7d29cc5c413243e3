package answer

import (
	"slices"
	"strings"

	"muniment/search/catalogue"
	"muniment/search/rank"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A sex is what titles, kinships and closings say of a person.
type sex int

const (
	unsaid sex = iota
	female
	male
)

// A bearer is a person who signs papers, or is listed, with given name and surname.
type bearer struct {
	name           string
	given, surname string
	sex            sex
}

// A register is who bears a name in an archive, by signatures, records and the listed persons.
type register []bearer

// newRegister returns the register of some papers and other names.
func newRegister(all []heldPaper, listed []string) (out register) {
	add := func(name string) {
		fields := plainName(name)
		if len(fields) < 2 || len([]rune(fields[0])) == 1 {
			return
		}
		given, surname := fields[0], fields[len(fields)-1]
		if !slices.ContainsFunc(out, func(b bearer) bool { return b.given == given && b.surname == surname }) {
			out = append(out, bearer{name: name, given: given, surname: surname})
		}
	}
	for i := range all {
		for by := range strings.SplitSeq(all[i].writer(), "; ") {
			add(by)
		}
	}
	for _, name := range listed {
		add(name)
	}
	for i := range all {
		x := &all[i]
		said := sexOf(x.head.Closing + " " + x.head.Signature)
		if first, _, _ := strings.Cut(strings.ToLower(x.head.Closing), " "); said == unsaid && slices.Contains([]string{"deine", "ihre", "eure"}, strings.Trim(first, ",")) {
			said = female
		}
		for k := range out {
			if said != unsaid && catalogue.IsNamed(x.writer(), out[k].name) {
				out[k].sex = said
			}
		}
	}
	return out
}

// sexOf returns the sex that the titles and kinships of a salutation, a closing or a signature say.
func sexOf(words string) sex {
	for _, w := range segment.Words(words) {
		switch {
		case lexicon.Female.Has(w.Lower) || w.Lower == "madam":
			return female
		case lexicon.Male.Has(w.Lower):
			return male
		}
	}
	return unsaid
}

// find returns whom a salutation with a surname alone means: the one bearer of it whose sex fits its title. A surname without a title is
// that of a man, and a woman's title means nobody of whom nothing says that she is a woman. It is "" where nobody or more than one is meant.
func (r register) find(salutation string) (name string) {
	surname := plainName(salutation)
	if len(surname) != 1 {
		return ""
	}
	said, n := sexOf(salutation), 0
	for _, b := range r {
		if b.surname == surname[0] && (said == female) == (b.sex == female) {
			name, n = b.name, n+1
		}
	}
	if n != 1 {
		return ""
	}
	return name
}

// of returns the sex of a person, where all whom a name may mean are of one.
func (r register) of(id identity) (out sex) {
	for i, b := range r {
		if !slices.ContainsFunc(id.names, func(name string) bool { return catalogue.IsNamed(b.name, name) || catalogue.IsNamed(name, b.name) }) {
			continue
		}
		if i > 0 && out != unsaid && out != b.sex {
			return unsaid
		}
		out = b.sex
	}
	return out
}

// leaveOutCopies takes the papers out that are copies of others of the same date and salutation, and keeps them as copies.
func (s *shelf) leaveOutCopies() {
	originals := map[string][]string{}
	s.papers = slices.DeleteFunc(s.papers, func(x heldPaper) bool {
		of := x.head.Salutation + "\n" + x.head.DateText
		if len(of) == len("\n") || x.text == "" || len(x.text) > maxCopied {
			return false
		}
		if slices.ContainsFunc(originals[of], func(text string) bool { return rank.NearlyEqual(text, x.text) }) {
			s.copies = append(s.copies, x)
			return true
		}
		originals[of] = append(originals[of], x.text)
		return false
	})
}
