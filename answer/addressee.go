package answer

import (
	"slices"
	"strings"

	"muniment/search/catalogue"
	"muniment/snapshot/access"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A match is whether a paper is by or to a person.
type match int

const (
	isOther match = iota
	mayBe         // the paper names nobody, or by a surname that others may bear
	isMeant
)

// An identity is a person whom a question names, with the other names and the relations that policy/persons.json lists.
type identity struct {
	names     []string
	relations []access.Relation
	others    []access.Relation // of the other listed persons
	sex       sex
	subject   bool // whose papers they are
}

// identityOf returns the person whom a name means. One who is listed is meant by the name, by an alias, or by the given name where no other
// listed person has it.
func (v *viewer) identityOf(name string) identity {
	id := identity{names: []string{name}}
	if name == "" {
		return id
	}
	if all := v.subject(); slices.ContainsFunc(all, func(other string) bool { return catalogue.IsNamed(other, name) || strings.EqualFold(other, name) }) {
		id.names, id.subject = append(id.names, all...), true
	}
	var meant []access.Person
	for _, p := range v.policy.Persons.Persons {
		if slices.ContainsFunc(append([]string{p.Name}, p.Aliases...), func(other string) bool { return catalogue.IsNamed(name, other) }) {
			meant = append(meant, p)
		} else {
			id.others = append(id.others, p.Relations...)
		}
	}
	if len(meant) != 1 || len(v.policy.Veils(meant[0].Name)) > 0 {
		return id
	}
	p := meant[0]
	id.names, id.relations = append(append(id.names, p.Name), p.Aliases...), p.Relations
	return id
}

// matches returns whether words name the person. A surname without a given name may mean anybody of that name.
func (id identity) matches(words string) match {
	given, sameSurname := plainName(words), false
	for i, name := range id.names {
		fields := plainName(name)
		titled := i > 0 && len(fields) == 1 && !strings.EqualFold(name, fields[0]) // Mrs. Imrie is not A. Imrie
		if titled && strings.Contains(strings.ToLower(words), strings.ToLower(name)) || !titled && catalogue.IsNamed(words, name) {
			return isMeant
		}
		sameSurname = sameSurname || len(fields) > 1 && len(given) == 1 && given[0] == fields[len(fields)-1]
	}
	if len(given) == 0 || sameSurname {
		return mayBe
	}
	return isOther
}

// kin returns whether the kinship by which somebody writes to or greets a person is that of the person, by the listed relations to the other one.
func (id identity) kin(kin, other string) match {
	is := func(r access.Relation) bool {
		return kin != "" && strings.EqualFold(r.Is, kin) && catalogue.IsNamed(other, r.Of)
	}
	switch {
	case slices.ContainsFunc(id.relations, is):
		return isMeant
	case slices.ContainsFunc(id.others, is):
		return isOther
	}
	return mayBe
}

// plainName returns the words of a name in lower case, without titles and the words of a salutation.
func plainName(words string) (out []string) {
	for _, w := range segment.Words(words) {
		if w.Upper && !lexicon.Honorific.Has(w.Lower) && !lexicon.Kin.Has(w.Lower) && !slices.Contains(greetings, w.Lower) {
			out = append(out, w.Lower)
		}
	}
	return out
}

// greetings are words with a capital with which a salutation or a closing begins.
var greetings = []string{"dear", "dearest", "my", "own", "sir", "sirs", "madam", "friend", "gentlemen", "beloved", "honoured", "honored", "reverend", "esteemed", "lieber", "liebe", "liebste", "liebster", "mein", "meine", "sehr", "geehrter", "geehrte",
	"your", "yours", "ever", "believe", "affectionate", "dein", "deine", "ihr", "ihre", "freund", "freundin", "cher", "chère", "mon", "ma"}

// hasName reports whether words hold a name.
func hasName(words string) bool { return len(plainName(words)) > 0 }

// writer returns who wrote a paper, in the words of its record or its signature; "" where neither says it.
func (x *heldPaper) writer() string {
	if x.record.Source != nil && len(x.record.Source.Creators) > 0 {
		return strings.Join(x.record.Source.Creators, "; ")
	}
	return x.head.Signature
}

// isBy returns whether a person wrote the paper.
func (x *heldPaper) isBy(id identity) match {
	by := x.writer()
	if by == "" && id.subject {
		return isMeant // what nobody signed is the subject's
	}
	if m := id.matches(by); m != mayBe || by == "" {
		return m
	}
	if said := sexOf(by); said != unsaid && id.sex != unsaid && said != id.sex {
		return isOther
	}
	return id.kin(kinIn(by), x.head.Salutation)
}

// isTo returns whether a person is the addressee of the paper: in its salutation, in its address, or after "to" in its name, there also by the
// initials. Where the salutation names a kinship, persons.json or the other letters of all may say who that is.
func (x *heldPaper) isTo(id identity, all []heldPaper) (m match, inferred bool) {
	_, to, _ := strings.Cut(strings.NewReplacer("_", " ", "-", " ").Replace(x.name), " to ") // Ben for "Ada to Ben"
	if len(id.initials()) > 1 && firstWord(to) == id.initials() {
		return isMeant, false
	}
	m = mayBe
	for _, words := range []string{x.head.Salutation, x.head.Address, to} {
		switch id.matches(words) {
		case isMeant:
			return isMeant, false
		case isOther:
			m = isOther
		}
	}
	if x.addressee != "" {
		m = id.matches(x.addressee)
		return m, m == isMeant
	}
	if hasName(x.head.Salutation) {
		return m, false
	}
	if said := sexOf(x.head.Salutation); said != unsaid && id.sex != unsaid && said != id.sex || x.writer() != "" && x.isBy(id) == isMeant {
		return isOther, false // nobody writes to herself, or is greeted as Sir
	}
	if kin := id.kin(kinIn(x.head.Salutation), x.writer()); kin != mayBe {
		return kin, kin == isMeant
	}
	if slices.ContainsFunc(id.names, func(name string) bool { return x.isToKin(name, all) }) {
		return isMeant, true
	}
	return m, false
}

// initials returns the first letters of the name that a question has.
func (id identity) initials() (out string) {
	for _, w := range segment.Words(id.names[0]) {
		out += strings.ToUpper(w.Lower[:1])
	}
	return out
}

// firstWord returns the first word of a text, "" for none.
func firstWord(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.;", r) })
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// isToKin reports whether one person alone signs letters as the kin whom a paper greets, in letters to its writer or to kin, and is the one asked for.
func (x *heldPaper) isToKin(person string, all []heldPaper) bool {
	kin, found := kinIn(x.head.Salutation), false
	if kin == "" {
		return false
	}
	for i := range all {
		y := &all[i]
		if y.artifact == x.artifact || kinIn(y.head.Closing) != kin || sameSigner(x.writer(), y.writer()) {
			continue
		}
		if kinIn(y.head.Salutation) == "" && !catalogue.IsNamed(x.writer(), y.salutedName()) {
			continue
		}
		if !catalogue.IsNamed(y.writer(), person) {
			return false
		}
		found = true
	}
	return found
}

// salutedName returns the last word of the salutation of a paper: Edwin for My dear Edwin.
func (x *heldPaper) salutedName() string {
	fields := strings.Fields(x.head.Salutation)
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

// kinIn returns the kinship that a salutation or a closing ends with, in lower case; "" for none.
func kinIn(text string) string {
	words := segment.Words(text)
	if len(words) == 0 || !lexicon.Kin.Has(words[len(words)-1].Lower) {
		return ""
	}
	return words[len(words)-1].Lower
}

// sameSigner reports whether two signatures may be of one person: they end in the same word, and begin with the same letter.
func sameSigner(a, b string) bool {
	x, y := segment.Words(a), segment.Words(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	return strings.EqualFold(a, b) || x[len(x)-1].Lower == y[len(y)-1].Lower && x[0].Lower[:1] == y[0].Lower[:1] || x[0].Lower == y[0].Lower
}
