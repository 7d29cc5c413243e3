package answer

import (
	"strings"

	"muniment/search/catalogue"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// writer returns who wrote a paper, in the words of its record or its signature; "" where neither says it.
func (x *heldPaper) writer() string {
	if x.record.Source != nil && len(x.record.Source.Creators) > 0 {
		return strings.Join(x.record.Source.Creators, "; ")
	}
	return x.head.Signature
}

// isTo reports whether a paper names a person as its addressee: in its salutation, in its address, or after "to" in its name, there also by the
// initials.
func (x *heldPaper) isTo(person string) bool {
	to := afterTo(x.name)
	if catalogue.IsNamed(x.head.Salutation, person) || catalogue.IsNamed(x.head.Address, person) || catalogue.IsNamed(to, person) {
		return true
	}
	initials, first := "", strings.FieldsFunc(to, func(r rune) bool { return strings.ContainsRune(" ,.;", r) })
	for _, w := range segment.Words(person) {
		initials += strings.ToUpper(w.Lower[:1])
	}
	return len(initials) > 1 && len(first) > 0 && first[0] == initials
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

// afterTo returns the part after the word "to" of the name of a paper: Ben for "Ada to Ben".
func afterTo(name string) string {
	_, after, _ := strings.Cut(strings.NewReplacer("_", " ", "-", " ").Replace(name), " to ")
	return after
}
