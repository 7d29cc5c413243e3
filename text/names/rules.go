package names

import (
	"slices"
	"strings"
)

// nameAt returns how many tokens of the words with capitals [i, end) are a name that begins at i, 0 for none.
func (f *finder) nameAt(i, end int) int {
	t := &f.all[i]
	end = min(end, i+5)
	for k := i + 2; k < end; k++ {
		if f.all[k].newLine { // a list of names, one a line
			end = k
		}
	}
	switch {
	case t.initial:
		return f.afterInitials(i, end)
	case end > i+1 && f.isPerson(i, end):
		return end - i
	case f.isSingle(i):
		return 1
	}
	return 0
}

// afterInitials returns the length of a name that begins with initials.
func (f *finder) afterInitials(i, end int) int {
	k := i
	for k < end && f.all[k].initial {
		k++
	}
	if k == end || f.all[k].is(function|bodyEnding|placeEnding) || f.isOther(k) {
		return 0
	}
	return k + 1 - i
}

// isOther reports whether a token is a proper name, and nobody's.
func (f *finder) isOther(i int) bool {
	t := &f.all[i]
	return t.is(proper|calendar) && !t.is(given|surname)
}

// isPerson reports whether two or more words with capitals are the name of a person.
func (f *finder) isPerson(i, end int) bool {
	t, last := &f.all[i], &f.all[end-1]
	next := &f.all[i+1]
	if f.isOther(i+1) || t.is(calendar) && next.is(calendar) || next.is(bodyEnding) && !next.is(surname|given) {
		return false
	}
	if f.isOther(i) {
		return f.before(i, kin|personPreposition) && next.is(surname|given) && !t.german
	}
	if t.is(given) && !t.is(function) {
		switch {
		case t.is(place) && next.is(place) && !next.is(given|surname):
			return false
		case f.isGiven(i):
			return !(f.before(i, article) && next.is(ordinary) && !t.german)
		case t.is(place) && !t.is(ordinary|calendar):
			return true
		}
		return next.is(surname|given) || !t.german && (!t.begins || f.isActor(end) || last.past > last.end)
	}
	switch {
	case t.german || f.isAcronym(i) || f.before(i, inPlace|article):
		return false
	case f.isActor(end) || last.past > last.end || f.before(i, personPreposition|kin):
		return !last.is(place|ordinary) || last.is(surname|given)
	case !t.english:
		return false
	case t.is(place|placeEnding|bodyEnding|placeBeginning|ordinary) && !t.is(surname):
		return false
	case t.begins:
		return last.is(surname|given) && (end == i+2 || !last.is(ordinary|place))
	}
	return !last.is(place|ordinary) || last.is(surname|given)
}

// isOfTitle reports whether a token follows "of" after a word with a capital: "Duke of York".
func (f *finder) isOfTitle(i int) bool {
	if i < 2 || !f.all[i].joined || !f.all[i-1].joined || !f.all[i-2].capital || f.all[i-2].begins && !f.all[i-2].is(sovereign|title) {
		return false
	}
	w := f.text[f.all[i-1].start:f.all[i-1].end]
	return w == "of"
}

// isAcronym reports whether a token is a few capitals.
func (f *finder) isAcronym(i int) bool {
	w := f.text[f.all[i].start:f.all[i].end]
	return len(w) < 5 && w == strings.ToUpper(w)
}

// isSingle reports whether one word with a capital names a person.
func (f *finder) isSingle(i int) bool {
	t := &f.all[i]
	if f.isOther(i) || t.is(function) && !t.is(given) || t.is(office) || t.end-t.start < 3 {
		return false
	}
	actor, owner := f.isActor(i+1), t.past > t.end
	switch {
	case t.is(placeEnding | bodyEnding):
		return actor && !t.begins && !f.before(i, article)
	case owner && i+1 < len(f.all) && f.all[i+1].joined && f.all[i+1].is(calendar): // "Valentine's day"
		return false
	case t.is(calendar) && !t.is(given) || f.before(i, calendar) && f.all[i-1].capital: // "Christmas", "New Year's Eve"
		return false
	case f.before(i, article) || f.isOfTitle(i) || f.before(i, inPlace) && !owner && !f.before(i, personPreposition):
		return false
	case f.before(i, kin) && !f.all[i-1].capital && !t.is(calendar):
		return !t.german || t.is(given|surname) || !f.all[i-1].is(ordinary)
	case t.is(given):
		return f.isGivenAlone(i, actor, owner)
	case !t.english || f.isAcronym(i):
		return false
	case t.is(surname) && !t.is(place|ordinary):
		return actor || owner || f.before(i, personPreposition|kin)
	case t.is(surname):
		return actor && !t.begins || f.before(i, personPreposition) && !t.is(place) && !t.begins
	}
	return actor && !t.begins && !t.is(place|ordinary|proper|placeEnding|bodyEnding)
}

// isGivenAlone reports whether a given name without another word names a person.
func (f *finder) isGivenAlone(i int, actor, owner bool) bool {
	t := &f.all[i]
	switch {
	case f.isGiven(i):
		return true
	case t.german && t.is(germanNoun|ordinary|calendar):
		return false
	case t.is(calendar):
		return actor
	case t.is(place):
		return actor || owner
	}
	return actor || !t.begins
}

// again takes the words of names that a text has in full wherever else they occur alone.
func (f *finder) again() {
	known := map[string]bool{}
	for _, at := range f.found {
		for k := at[1]; k <= at[2]; k++ {
			if t := &f.all[k]; t.end-t.start > 2 && t.capital && !t.is(function|calendar) {
				known[f.text[t.start:t.end]] = true
			}
		}
	}
	if len(known) == 0 {
		return
	}
	for i := range f.all {
		t := &f.all[i]
		if t.name || !t.capital || !known[f.text[t.start:t.end]] || t.is(ordinary) && t.begins || t.german && t.is(germanNoun) {
			continue
		}
		end := i + 1
		for end < min(len(f.all), i+5) && f.all[end].joined && f.all[end].capital {
			end++
		}
		if i > 0 && f.all[i].joined && f.all[i-1].capital && !f.all[i-1].name && !f.all[i-1].begins || f.before(i, article) || f.isNoPerson(i, end) {
			continue
		}
		f.take(i, i, i+1)
	}
}

// inOrder returns the names in the order of the text.
func (f *finder) inOrder() []Name {
	slices.SortFunc(f.found, func(a, b [3]int) int { return a[0] - b[0] })
	out := make([]Name, 0, len(f.found))
	for _, at := range f.found {
		out = append(out, Name{f.all[at[0]].start, f.all[at[1]].start, f.all[at[2]].end})
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
