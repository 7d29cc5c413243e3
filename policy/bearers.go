package policy

import (
	"slices"
	"strings"
	"sync"

	"muniment/snapshot/access"
	"muniment/text/names"
)

// A Paper is a text with its record, of which a policy reads whose it is and whom its passages name by one word.
type Paper struct {
	text          string
	heads, labels []string
	Dated         string            // the paragraph from which a date of its record was read
	Unread        bool              // not all that it came in could be read: it may be anybody's
	full          func() [][]string // the names of several words that it has in one line, without titles

	persons sync.Map // of *Policy: *paperPersons, read once
}

// paperPersons are the persons of one policy in a paper.
type paperPersons struct {
	named  map[int]bool // by place in Policy.veils, who is named by more than a given name
	of     []string     // whose the paper is
	dated  []string     // whom its paragraph Dated names
	others []string     // those of of who may as well be somebody else, as only a surname after a title tells
}

// NewPaper returns a text with what says whose it is: the lines of its head, such as titles, headings, writers,
// addressees, salutation and signature; and its labels, which are names of files, subjects and tags.
func NewPaper(text string, heads, labels []string) *Paper {
	return &Paper{text: text, heads: heads, labels: labels, full: sync.OnceValue(func() [][]string {
		var full [][]string
		for _, n := range names.Find(text) {
			words := strings.Fields(text[n.Start:n.End])
			if len(words) > 1 && !strings.Contains(text[n.Start:n.End], "\n") {
				full = append(full, words)
			}
		}
		return full
	})}
}

// Reduce returns a paper without its words: what p decides of it. To another policy it may be anybody's.
func (p *Policy) Reduce(paper *Paper) *Paper {
	if p == nil || paper == nil || paper.full == nil {
		return paper
	}
	full := slices.DeleteFunc(slices.Clone(paper.full()), func(words []string) bool {
		return !slices.ContainsFunc(p.veils, func(v veil) bool {
			return containsFold(v.not, strings.Join(words, " ")) || slices.ContainsFunc(words, func(w string) bool { return containsFold(v.words, w) })
		})
	})
	out := &Paper{Unread: true, full: func() [][]string { return full }}
	out.persons.Store(p, p.personsIn(paper))
	return out
}

// PersonsOf returns the anonymized and sealed persons of the list whose a paper is: its head or a label names them, by
// a given name alone only where text or record have more of the name. A surname after a title in the head counts though
// others have it too. Words elsewhere in the text do not count.
func (p *Policy) PersonsOf(paper *Paper) []string {
	if p == nil || len(p.veils) == 0 || paper == nil {
		return nil
	}
	return p.personsIn(paper).of
}

// OthersOf returns those of PersonsOf whom only a surname after a title tells that others have too.
func (p *Policy) OthersOf(paper *Paper) []string {
	if len(p.PersonsOf(paper)) == 0 {
		return nil
	}
	return p.personsIn(paper).others
}

// personsIn returns the persons in a paper.
func (p *Policy) personsIn(paper *Paper) *paperPersons {
	if known, ok := paper.persons.Load(p); ok {
		return known.(*paperPersons)
	}
	known, isOf, isSure := &paperPersons{named: map[int]bool{}}, map[int]bool{}, map[int]bool{}
	look := func(text string, decides bool) {
		for _, at := range slices.Concat(p.findAll(text, nil)...) {
			known.named[at.person] = known.named[at.person] || !at.given && !at.doubt
			isOf[at.person] = isOf[at.person] || decides && !at.doubt && (!at.unsure || titled.MatchString(text[at.start:])) // the stricter reading
			isSure[at.person] = isSure[at.person] || decides && !at.doubt && !at.unsure
		}
	}
	for _, head := range paper.heads {
		look(head, true)
	}
	for _, label := range paper.labels {
		look(label, true)
		look(spokenForm(label), true)
	}
	look(paper.text, false)
	known.dated = p.mentions(paper.Dated, true, nil)
	for i, v := range p.veils {
		known.named[i] = known.named[i] || paper.Unread
		if v.state != "" && (paper.Unread || isOf[i] && known.named[i]) {
			known.of = append(known.of, v.name)
			if !paper.Unread && !isSure[i] {
				known.others = append(known.others, v.name)
			}
		}
	}
	paper.persons.Store(p, known)
	return known
}

// isMeant reports whether a part of a person's name, as a paper has it, is the person's; unsure, whether it may as well be somebody
// else's.
func (p *Policy) isMeant(person int, w string, paper *Paper) (means, unsure bool) {
	v := &p.veils[person]
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
