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

// distinct returns an entry for every item, once.
func distinct(items []Item) []entry {
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

// people returns those under whom a work is listed: its authors, else its editors.
func (it Item) people() []Name {
	if len(it.Author) > 0 {
		return it.Author
	}
	return it.Editor
}

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
		e.key = sortable(cmp.Or(e.authors(), host.line.text(), e.heading()))
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Issued.Year, b.Issued.Year), cmp.Compare(sortable(a.Title), sortable(b.Title)))
	})
}

// sortable folds a text for sorting: letters and digits in lower case, without
// an article at the beginning and without accents of Latin letters.
func sortable(s string) string {
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
			return plain(r)
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

func plain(r rune) rune {
	if p, ok := plainLetters[r]; ok {
		return p
	}
	return r
}

// heading is what a work without people is listed under.
func (it Item) heading() string {
	if it.Title != "" {
		return it.Title
	}
	return cmp.Or(it.ContainerTitle, it.Publisher, it.URL, it.ID, "Untitled")
}

// maxShort is how many words of a title stand for a work without an author.
const maxShort = 5

// weak are words that a shortened title does not end in.
var weak = map[string]bool{"the": true, "a": true, "an": true, "of": true, "on": true, "in": true, "and": true, "to": true, "for": true, "by": true, "with": true, "at": true,
	"der": true, "die": true, "das": true, "und": true, "von": true, "le": true, "la": true, "de": true}

// short is the author part of a citation in the text; and joins two names.
func (it Item) short(and string) string {
	names := it.people()
	switch len(names) {
	case 0:
		words := strings.Fields(it.heading())
		if len(words) > maxShort {
			words = words[:maxShort]
			for len(words) > 1 && weak[strings.ToLower(words[len(words)-1])] {
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

// label is how the entry is cited in the text.
func (e entry) label() string { return e.short("and") + ", " + e.date() }

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
			entries[i].letter = letters(next[l])
			next[l]++
		}
	}
}

// letters returns a … z, aa, ab …
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}
