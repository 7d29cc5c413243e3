package bib

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// An entry is an item of a list with what the list adds to it.
type entry struct {
	Item
	at     int    // index among the items given
	letter string // a, b, c of works of one author and year
	key    string // under which the entry is sorted
}

// uniqueEntries returns an entry for each item, and one for items that occur
// again.
func uniqueEntries(items []Item) []entry {
	var out []entry
	seen := map[string]bool{}
	for i, it := range items {
		key := "=" + it.ID
		if it.ID == "" {
			key = "?" + strings.Join([]string{it.Type, it.Title, it.ContainerTitle, it.Publisher, it.URL, it.DOI, it.Page, it.Volume, it.Issue, it.Issued.String(), it.authors()}, "\x00")
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, entry{Item: it, at: i})
	}
	return out
}

// people returns the names that a work is listed under: its authors, else its
// editors.
func (it Item) people() []Name {
	if len(it.Author) > 0 {
		return it.Author
	}
	return it.Editor
}

// authors writes all people of a work for sorting and comparing.
func (it Item) authors() string {
	var names []string
	for _, n := range it.people() {
		names = append(names, nameForm("Brandt, Anna, Jr.").write(n))
	}
	return strings.Join(names, "; ")
}

// order sorts entries by author, date and title, as all author-date styles do. A
// work without people stands under the words that the style puts in their place.
func order(entries []entry, s sheet) {
	for i := range entries {
		e := &entries[i]
		host := writer{sheet: s, entry: *e}
		host.write("host")
		e.key = sortKey(cmp.Or(e.authors(), host.line.text(), e.heading()))
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Issued.Year, b.Issued.Year), cmp.Compare(sortKey(a.Title), sortKey(b.Title)))
	})
}

// sortKey folds a text for sorting: letters and digits in lower case, without
// an article at the beginning and without accents of Latin letters.
func sortKey(s string) string {
	s = strings.ToLower(s)
	for _, article := range []string{"the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les "} {
		if rest, ok := strings.CutPrefix(s, article); ok {
			s = rest
			break
		}
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return unaccent(r)
		case unicode.IsDigit(r):
			return r
		case r == ' ' || r == ',' || r == ';':
			return r - 32 // before every letter: Brandt, A. stands before Brandtner
		}
		return -1
	}, s)
}

const accented, unaccented = "àáâãäåāăąçćčďèéêëēėęěìíîïīįłñńňòóôõöøōřśšşťùúûüūůűýÿźżž", "aaaaaaaaacccdeeeeeeeeiiiiiilnnnooooooorssstuuuuuuuyyzzz"

var plainLetters = func() map[rune]rune {
	m := map[rune]rune{}
	i := 0
	for _, r := range accented {
		m[r] = rune(unaccented[i])
		i++
	}
	return m
}()

// unaccent returns a Latin letter without its accent, any other as it is.
func unaccent(r rune) rune {
	if p, ok := plainLetters[r]; ok {
		return p
	}
	return r
}

// heading returns the title or, without one, its substitute.
func (it Item) heading() string {
	if it.Title != "" {
		return it.Title
	}
	return cmp.Or(it.ContainerTitle, it.Publisher, it.URL, it.ID, "Untitled")
}

// maxShort is the number of words of a title that identify a work without an author.
const maxShort = 5

// weakWords are words that a shortened title does not end in.
var weakWords = map[string]bool{"the": true, "a": true, "an": true, "of": true, "on": true, "in": true, "and": true, "to": true, "for": true, "by": true, "with": true, "at": true,
	"der": true, "die": true, "das": true, "und": true, "von": true, "le": true, "la": true, "de": true}

// short returns the author part of a citation in the text; and joins two names.
func (it Item) short(and string) string {
	names := it.people()
	switch len(names) {
	case 0:
		words := strings.Fields(it.heading())
		if len(words) > maxShort {
			words = words[:maxShort]
			for len(words) > 1 && weakWords[strings.ToLower(words[len(words)-1])] {
				words = words[:len(words)-1]
			}
		}
		return "“" + strings.TrimRight(strings.Join(words, " "), ",;:.") + "”"
	case 1:
		return names[0].family()
	case 2:
		return names[0].family() + " " + and + " " + names[1].family()
	}
	return names[0].family() + " et al."
}

// label returns the citation of the entry in the text.
func (e entry) label() string { return e.short("and") + ", " + e.date() }

// date is the year of the entry as it is cited in the text.
func (e entry) date() string { return e.Issued.year(e.letter, "ca. ", "n.d.") }

// distinguish gives letters to entries that would be cited alike.
func distinguish(entries []entry) {
	count := map[string]int{}
	for _, e := range entries {
		count[e.label()]++
	}
	next := map[string]int{}
	for i := range entries {
		l := entries[i].label()
		if count[l] > 1 {
			entries[i].letter = letterOf(next[l])
			next[l]++
		}
	}
}

// letterOf returns the letter of the n-th work, from 0: a … z, aa, ab …
func letterOf(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letterOf(n/26-1) + letterOf(n%26)
}
