package names

import (
	"slices"
	"strings"
)

// reach is how many bytes before and after a place IsPartOfOther looks at: two long words.
const reach = 80

// IsPartOfOther reports whether a word of a person's name, at text[start:end] with the title before it, is part of a
// longer name that has another word: "Brigg" of "Tom Brigg" and "Brigg Street", where own has "Ivy" and "Brigg".
func IsPartOfOther(text string, start, end int, own []string) bool {
	from, to := max(0, start-reach), min(len(text), end+reach)
	if cut := strings.IndexAny(text[from:start], " \n"); from > 0 && cut >= 0 {
		from += cut
	}
	all := tokens(text[from:to])
	first, last := -1, -1
	for i := range all {
		if all[i].start+from >= start && all[i].start+from < end {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return false
	}
	isOwn := func(t *token) bool {
		for _, w := range own {
			if strings.EqualFold(w, text[from+t.start:from+t.end]) {
				return true
			}
		}
		return false
	}
	f := finder{text: text[from:to], all: all}
	return f.follows(first, isOwn) || f.precedes(last, isOwn, len(own) > 0 && strings.EqualFold(own[0], text[from+all[last].start:from+all[last].end]))
}

// follows reports whether another's name precedes the word of a name: "Tom Brigg", "T. Brigg". A word of the line above is no part
// of it: lists have one name a line.
func (f *finder) follows(i int, isOwn func(*token) bool) bool {
	if i == 0 || !f.all[i].joined || f.all[i].newLine || f.all[i].is(title) {
		return false
	}
	before := &f.all[i-1]
	if !before.capital || before.past > before.end || before.is(title|kin|office|function|calendar) || isOwn(before) {
		return false
	}
	return before.initial || before.is(given|surname)
}

// precedes reports whether a word follows that makes another name of the word: "Brigg Street", and
// "Ivy Green" where the word is a given name. "Brigg House" is where a Brigg lives, and tells of the person.
func (f *finder) precedes(i int, isOwn func(*token) bool, isGiven bool) bool {
	t := &f.all[i]
	if i+1 == len(f.all) || t.past > t.end {
		return false
	}
	next := &f.all[i+1]
	switch {
	case next.amid:
		return true
	case !next.joined || isOwn(next) || isHome(f.text[next.start:next.end]):
		return false
	case next.is(placeEnding | bodyEnding):
		return next.capital || isBuilt(f.text[next.start:next.end]) && next.is(placeEnding) && !next.is(personVerb|function)
	}
	return isGiven && next.capital && !next.is(function|calendar|title)
}

// isHome reports whether a word is that of a building that is called by those who live in it.
func isHome(w string) bool {
	return slices.Contains([]string{"house", "cottage", "lodge", "villa", "farm", "farmhouse", "manor", "mansion", "haus", "hof", "gut"}, strings.ToLower(w))
}

// Known reports whether a word is on the list of given names and surnames.
func Known(word string) bool { return kindOf(vocabulary(), word)&(given|surname) != 0 }

// IsPlace reports whether a word is one that ends the names of places: Street, Platz.
func IsPlace(word string) bool { return kindOf(vocabulary(), word)&placeEnding != 0 }
