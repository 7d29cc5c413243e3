// Package names finds where a text names persons, by a list of given names and surnames, titles, capitals and the words
// around them. It is the one recogniser of names, for questions and for texts:
//
//	names.Find("Zebulon Quaid wrote from Drury Lane to Mr. Brigg.") // "Zebulon Quaid", "Brigg"
//
// It knows nobody: whether a person is protected is for package policy to say. The list is names.list, with its sources
// and their licenses; the words around names are lists of package lexicon.
//
// Limits: English and German. In German, where every noun has a capital, a surname alone is found only after a title or
// in a text that has the full name. A name without a capital is found only where the whole text has none. Names that
// are ordinary words need a sign that a person is meant, and names of fame or of streets are told from persons by their
// words alone. The time is linear in the length of the text.
package names

import "strings"

// A Name is a place where a text names a person.
type Name struct {
	From       int // byte where the title before the name begins; Start where there is none
	Start, End int // bytes of the name, half-open, without title and possessive ending
}

// Find returns the places of a text where persons are named, in order and apart from each other.
func Find(text string) []Name {
	f := finder{text: text, all: tokens(text)}
	f.raise()
	for i := 0; i < len(f.all); {
		i = f.next(i)
	}
	f.again()
	return f.inOrder()
}

// A finder looks for the names of one text.
type finder struct {
	text  string
	all   []token
	found [][3]int // first token with the title, first and last of the name
}

// raise treats given names as if they had capitals, in a text of more than three words that has none.
func (f *finder) raise() {
	for i := range f.all {
		if t := &f.all[i]; t.capital && t.end-t.start > 1 && (i > 0 || t.is(given|surname) && !t.is(function)) {
			return
		}
	}
	if len(f.all) < 3 {
		return
	}
	for i := range f.all {
		t := &f.all[i]
		if i == 0 || !t.is(given) || t.is(place|proper|ordinary|function|calendar|germanNoun) || t.is(surname) && !f.before(i, kin|personPreposition|personVerb) {
			continue
		}
		t.capital = true
		if i+1 < len(f.all) && f.all[i+1].joined && f.all[i+1].is(surname|given) && !f.all[i+1].is(function|personVerb) {
			f.all[i+1].capital = true
		}
	}
}

// next looks for names that begin at a token, and returns the token after them.
func (f *finder) next(i int) int {
	t := &f.all[i]
	switch {
	case !t.capital || t.is(function) && !t.is(title) && !t.initial && !f.isNameToo(i):
		return i + 1
	case t.is(sovereign):
		if i+1 < len(f.all) && !f.all[i+1].joined {
			return i + 1
		}
		return f.runEnd(i + 1)
	case t.is(title):
		return f.takeTitled(i)
	}
	end := f.runEnd(i)
	if f.isNoPerson(i, end) {
		return end
	}
	for i < end {
		if n := f.nameAt(i, end); n > 0 && (n > 1 || f.all[i].capital) { // a particle alone is no name
			f.take(i, i, i+n)
			i += n
		} else {
			i++
		}
	}
	return end
}

// isNameToo reports whether a function word may be a given name: "May came", "Will Hathaway".
func (f *finder) isNameToo(i int) bool {
	t := &f.all[i]
	return t.is(given) && !t.german && (t.is(calendar) || t.is(ordinary) && i+1 < len(f.all) && f.all[i+1].joined && f.all[i+1].capital)
}

// takeTitled takes the name after a title, with further titles and offices between them.
func (f *finder) takeTitled(i int) int {
	first := i
	for i++; i < len(f.all) && f.all[i].joined && f.all[i].capital && f.all[i].is(title|office); i++ {
	}
	end := f.runEnd(i)
	if i >= end || !f.all[i].joined || f.all[i].is(calendar) || f.isPlace(i, end) {
		return max(end, first+1)
	}
	if end > i+1 && f.all[i+1].newLine {
		end = i + 1
	}
	f.take(first, i, min(end, i+4))
	return end
}

// runEnd returns the token after the words with capitals that follow each other from a token on.
func (f *finder) runEnd(i int) int {
	first := i
	for ; i < len(f.all); i++ {
		t := &f.all[i]
		if i > first && (!t.joined || f.all[i-1].past > f.all[i-1].end) {
			break
		}
		if i > first && isParticle(f.text[t.start:t.end]) && i+1 < len(f.all) && f.all[i+1].joined && f.all[i+1].capital {
			continue
		}
		if !t.capital || i > first && !t.initial && t.is(function|title) && !t.is(given|surname) {
			break
		}
	}
	return i
}

// isParticle reports whether a word may divide the words of a name without a capital.
func isParticle(w string) bool {
	switch w {
	case "van", "von", "vom", "zu", "zum", "zur", "der", "den", "de", "du", "la", "le", "da", "di", "del", "della", "dos", "bin", "ibn", "al", "el", "ten", "ter", "y":
		return true
	}
	return false
}

// isNoPerson reports whether words with capitals are the name of a place, a body or a thing.
func (f *finder) isNoPerson(i, end int) bool {
	first := &f.all[i]
	if first.amid || end < len(f.all) && f.all[end].amid {
		return true
	}
	if first.is(placeBeginning) && end > i+1 && (!first.is(given) || !f.all[i+1].is(surname) || f.all[i+1].is(given|place)) {
		switch strings.ToLower(f.text[first.start:first.end]) {
		case "old", "little", "great":
			return !f.all[i+1].is(given) || f.isPlace(i, end)
		}
		return true
	}
	return f.isPlace(i, end)
}

// isPlace reports whether words with capitals end as a name of a place or a body does, with one that has no capital
// too. A given name before a word that is a surname too ("Ruth Lane") is a person, unless "in" precedes it.
func (f *finder) isPlace(i, end int) bool {
	if end < len(f.all) && f.all[end].joined && f.all[end].is(placeEnding|bodyEnding) && !f.all[end].is(personVerb|function) && f.all[end-1].past == f.all[end-1].end {
		return !f.isGiven(i) || end > i+1 || isBuilt(f.text[f.all[end].start:f.all[end].end])
	}
	last := &f.all[end-1]
	if end == i+1 || !last.is(placeEnding|bodyEnding) {
		return false
	}
	return !f.isGiven(i) || !last.is(surname|given) || f.before(i, inPlace|article) || isBuilt(f.text[last.start:last.end])
}

// isBuilt reports whether a last word is that of a street or a building, and hardly ever a surname.
func isBuilt(w string) bool {
	switch strings.ToLower(w) {
	case "lane", "hall", "hill", "green", "vale", "park", "gates", "mill", "church", "field", "fields", "ford", "brook", "wood", "woods", "banks", "cross", "heath", "moor", "marsh", "house", "pond", "mills", "dale", "close", "lake", "forest", "berg", "rivers":
		return false
	}
	return true
}

// isGiven reports whether a token is a given name, and nothing else as far as is known.
func (f *finder) isGiven(i int) bool {
	t := &f.all[i]
	return t.is(given) && !t.is(place|ordinary|calendar) && !(t.german && t.is(germanNoun))
}

// before reports whether the token before another one is of a kind, in the same phrase.
func (f *finder) before(i int, k kind) bool {
	return i > 0 && f.all[i].joined && f.all[i-1].is(k) && !f.all[i-1].name
}

// isActor reports whether a verb that persons have follows the token before end.
func (f *finder) isActor(end int) bool {
	return end < len(f.all) && f.all[end].joined && !f.all[end].capital && f.all[end].is(personVerb)
}

// take notes a name of the tokens [i, end), with a title from a token on.
func (f *finder) take(from, i, end int) {
	for k := from; k < end; k++ {
		f.all[k].name = true
	}
	f.found = append(f.found, [3]int{from, i, end - 1})
}
