package policy

import (
	"slices"
	"strings"
	"sync"

	"muniment/snapshot/access"
	"muniment/text/names"
)

// A Paper is what a whole text says of the persons whom its passages name by one word.
type Paper struct {
	full func() [][]string // the names of several words that it has in one line, without titles
}

// NewPaper returns a text as VeilsIn looks at it. The text is read when a word first asks for it.
func NewPaper(text string) *Paper {
	return &Paper{sync.OnceValue(func() [][]string {
		var full [][]string
		for _, n := range names.Find(text) {
			if words := strings.Fields(text[n.Start:n.End]); len(words) > 1 && !strings.Contains(text[n.Start:n.End], "\n") {
				full = append(full, words)
			}
		}
		return full
	})}
}

// meaning reports whether a part of a person's name, as a paper has it, means the person, or may
// mean somebody else too.
func (p *Policy) meaning(person int, part string, paper *Paper) (means, unsure bool) {
	v := &p.veils[person]
	w := v.last
	if at := lastWord(part); containsFold(v.words, at) {
		w = at
	}
	named, others := false, false
	for _, words := range paper.full() {
		if !containsFold(words, w) {
			continue
		}
		if v.hasName(words) {
			named = true
		} else if isKnownName(words, w) {
			others = true
		}
	}
	switch {
	case named != others:
		return named, false
	case named:
		return false, true
	}
	return true, p.hasOthers(person, w)
}

// isKnownName reports whether every word of a name but one is an initial or a name by itself, so that
// "Yesterday Brigg" is no other Brigg.
func isKnownName(words []string, but string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !strings.EqualFold(w, but) && !strings.HasSuffix(w, ".") && !names.Known(w)
	})
}

// hasOthers reports whether somebody else in the list of persons, or whom the person is known not to
// be, has a word in a name.
func (p *Policy) hasOthers(person int, w string) bool {
	for i := range p.veils {
		v := &p.veils[i]
		if i > 0 && i != person && containsFold(v.words, w) {
			return true
		}
		if i == person && slices.ContainsFunc(v.not, func(n string) bool { return containsFold(strings.Fields(n), w) && len(strings.Fields(n)) > 1 }) {
			return true
		}
	}
	return false
}

// hasName reports whether words are a name of the person.
func (v *veil) hasName(words []string) bool {
	return slices.ContainsFunc(v.forms, func(form string) bool { return coversName(strings.Fields(form), words) })
}

// coversName reports whether words are those of a name, in its order, each whole or an initial.
func coversName(form, words []string) bool {
	at := 0
	for _, w := range words {
		w = strings.TrimSuffix(w, ".")
		i := slices.IndexFunc(form[at:], func(f string) bool {
			return strings.EqualFold(f, w) || len([]rune(w)) == 1 && strings.HasPrefix(strings.ToLower(f), strings.ToLower(w))
		})
		if i < 0 {
			return false
		}
		at += i + 1
	}
	return true
}

func containsFold(list []string, w string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return strings.EqualFold(one, w) })
}

// isOfName reports whether every word of a text is a word of a person's name or aliases.
func isOfName(text string, one access.Person) bool {
	own := strings.Fields(strings.Join(namesOf(one), " "))
	return !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return !containsFold(own, w) })
}
