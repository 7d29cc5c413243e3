package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/access"
	"muniment/text/lexicon"
	"muniment/text/names"
)

// A Veil is a place of a text where a protected person is named.
type Veil struct {
	Start, End int      // bytes of the text, half-open
	Pseudonym  string   // what a reader sees instead: "Person A", or "name withheld"
	Persons    []string // who is meant, as persons.json names them; none where that is not decided
	Sealed     bool     // one of them is sealed
}

// nameWithheld is the pseudonym of a name that may be a protected person's or another's.
const nameWithheld = "name withheld"

// Veils returns the places where a text names an anonymized or sealed person, in order and apart
// from each other. The text is read as a whole paper; see VeilsIn.
func (p *Policy) Veils(text string) []Veil { return p.VeilsIn(text, nil) }

// VeilsIn returns the places where words of a paper name an anonymized or sealed person. A person
// is found by names and aliases, with initials ("I. Roth", "I. R.", "Ines R.", "Roth, Ines"), with
// a title before any of them, which belongs to the veil, and by the given name or the surname
// alone, also after a title. Names of one word are found with their capital only. A word that is
// also part of the subject's name is the subject's, unless a title or an initial precedes it.
//
// A word alone that is part of another name ("Tom Brigg", "Brigg Street") is not the person. One
// that other people have too, who are listed or whom the person is known not to be, is the one of
// them whom the paper names in full; where it names none or several, Pseudonym is "name withheld"
// and Persons is empty, until a person of the list has the word as an alias.
//
// The pseudonym of the person at place n of persons.json is "Person" with the n-th letter, so it
// stays the same in an archive as long as the list is only added to. Where an alias means several
// persons, it has all their pseudonyms.
func (p *Policy) VeilsIn(text string, paper *Paper) []Veil {
	all := p.findPersons(text, paper)
	var out []Veil
	for k := 0; k < len(all); {
		// A group is a place with everything that reaches into it.
		end, j := all[k].end, k
		for ; j < len(all) && all[j].start < end; j++ {
			end = max(end, all[j].end)
		}
		if v := p.veilOf(all[k:j], all[k].start, end); v.Pseudonym != "" {
			out = append(out, v)
		}
		k = j
	}
	return out
}

// A match is a place at which a person may be named.
type match struct {
	start, end, person int
	unsure             bool // another person of the archive may be meant
}

// findPersons returns the places of all listed persons and the subject in a text, in order.
func (p *Policy) findPersons(text string, paper *Paper) []match {
	var all []match
	for i := range p.veils {
		v := &p.veils[i]
		each(v.sure, text, func(start, end int) { all = append(all, match{start, end, i, false}) })
		each(v.part, text, func(start, end int) {
			if names.IsPartOfOther(text, start, end, v.words) || v.isDenied(text, start, end) {
				return
			}
			if paper == nil {
				paper = NewPaper(text)
			}
			if means, unsure := p.meaning(i, text[start:end], paper); means || unsure {
				all = append(all, match{start, end, i, unsure})
			}
		})
	}
	slices.SortFunc(all, func(a, b match) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	return all
}

// each calls fn for the places of a pattern as whole words; nil has none.
func each(pattern *regexp.Regexp, text string, fn func(start, end int)) {
	for from := 0; pattern != nil && from < len(text); {
		loc := pattern.FindStringIndex(text[from:])
		if loc == nil {
			return
		}
		start, end := from+loc[0], from+loc[1]
		if apart(text, start, end) {
			fn(start, end)
			from = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

// veilOf returns the veil of a group of places. Of a name within a longer one, the longer one is
// meant, and nobody else.
func (p *Policy) veilOf(group []match, start, end int) Veil {
	v := Veil{Start: start, End: end}
	var pseudonyms []string
	unsure := false
	for _, one := range group {
		who := &p.veils[one.person]
		if who.state == "" || slices.Contains(v.Persons, who.name) || slices.ContainsFunc(group, func(other match) bool {
			return one.end-one.start < other.end-other.start && within(one.start, one.end, other.start, other.end)
		}) {
			continue
		}
		if one.unsure {
			unsure = true
			continue
		}
		v.Persons = append(v.Persons, who.name)
		v.Sealed = v.Sealed || who.state == access.PersonSealed
		pseudonyms = append(pseudonyms, who.pseudonym)
	}
	slices.Sort(pseudonyms)
	if v.Pseudonym = strings.Join(pseudonyms, " or "); v.Pseudonym == "" && unsure {
		v.Pseudonym = nameWithheld
	}
	return v
}

func within(start, end, from, to int) bool { return from <= start && end <= to }

// Veiled returns a text with the names that Veils finds replaced by pseudonyms.
func (p *Policy) Veiled(text string) string { return p.HideNames(text, nil) }

// HideNames returns words of a paper with the names that VeilsIn finds replaced by pseudonyms.
func (p *Policy) HideNames(text string, paper *Paper) string {
	var b strings.Builder
	at := 0
	for _, v := range p.VeilsIn(text, paper) {
		b.WriteString(text[at:v.Start])
		b.WriteString("[" + v.Pseudonym + "]")
		at = v.End
	}
	return b.String() + text[at:]
}

// A veil finds one person.
type veil struct {
	name, pseudonym string
	state           string         // "" for somebody who may be named: the subject, or cleared
	sure            *regexp.Regexp // names, aliases and what has a part of each
	part            *regexp.Regexp // a given name or a surname alone
	forms           []string       // names and aliases
	words           []string       // the words of these
	last            string         // the last word of the name
	not             []string
}

// makeVeils prepares Veils: the patterns of each person, and of the subject.
func makeVeils(persons access.Persons, subject access.Subject) []veil {
	if !slices.ContainsFunc(persons.Persons, func(one access.Person) bool { return one.State != access.PersonCleared }) {
		return nil
	}
	own := append([]string{subject.Name}, subject.Aliases...)
	out := []veil{{sure: pattern(exactForms(own)), forms: own}}
	for i, one := range persons.Persons {
		forms := append([]string{one.Name}, one.Aliases...)
		v := veil{name: one.Name, pseudonym: "Person " + letters(i), state: one.State, forms: forms, not: one.Not, last: lastWord(one.Name)}
		for _, n := range forms {
			v.words = append(v.words, strings.Fields(n)...)
		}
		if one.State == access.PersonCleared {
			v.state, v.sure = "", pattern(exactForms(forms))
		} else {
			v.sure, v.part = pattern(append(exactForms(forms), fullForms(forms)...)), pattern(partForms(forms, own))
		}
		out = append(out, v)
	}
	return out
}

// letters counts A to Z, then AA, AB and so on.
func letters(n int) string {
	s := ""
	for ; n >= 0; n = n/26 - 1 {
		s = string(rune('A'+n%26)) + s
	}
	return s
}

// titles matches a title before a name.
var titles = func() string {
	var all []string
	for w := range lexicon.Title.Words() {
		r, size := utf8.DecodeRuneInString(w)
		all = append(all, string(unicode.ToUpper(r))+w[size:])
	}
	slices.Sort(all)
	return `(?:` + strings.Join(all, "|") + `)\.?\s+`
}()

const elision = `(?:[—–―]+|-{2,}|_{2,}|\*{2,}|\.{2,}|…|\.)`

// pattern makes one expression of forms, the longest of which counts.
func pattern(forms []string) *regexp.Regexp {
	if len(forms) == 0 {
		return nil
	}
	re := regexp.MustCompile(`(?:` + titles + `)?(?:` + strings.Join(forms, "|") + `)`)
	re.Longest()
	return re
}

// exactForms returns patterns for names: in any case if they have several words, else with their
// capital.
func exactForms(names []string) []string {
	var out []string
	for _, n := range names {
		words := strings.Fields(n)
		switch {
		case len(words) == 0:
		case len(words) == 1:
			out = append(out, word(words[0]))
		default:
			quoted := make([]string, len(words))
			for i, w := range words {
				quoted[i] = literal(w)
			}
			out = append(out, `(?i:`+strings.Join(quoted, `\s+`)+`)`)
		}
	}
	return out
}

// properWords returns the words of a name that have a capital.
func properWords(name string) []string {
	return slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsUpper(r)
	})
}

// fullForms returns patterns for names of several words with a part of each: Ines Roth, of Ines Maria
// Roth; I. Roth; I. M. R.; Ines R.; Roth, Ines.
func fullForms(names []string) []string {
	var out []string
	for _, n := range names {
		words := properWords(n)
		if len(words) < 2 {
			continue
		}
		first, last := words[0], words[len(words)-1]
		var initials []string
		for _, w := range words {
			initials = append(initials, initial(w))
		}
		given := `(?:` + strings.Join(initials[:len(initials)-1], `\.?\s*(?:`) + `\.?\s*` + strings.Repeat(`)?`, len(initials)-2) + `)`
		out = append(out,
			word(first)+`\s+`+word(last),
			word(last)+`,\s+`+word(first),
			given+word(last),
			strings.Join(initials, `\.\s*`)+`\.`,
			initials[0]+`\.\s*`+initials[len(initials)-1]+`\.`,
			word(first)+`\s+`+initial(last)+elision,
		)
	}
	return out
}

// partForms returns patterns for one word of names of several words: with a title, and alone where
// the word is not the subject's too.
func partForms(names, subject []string) []string {
	own := map[string]bool{}
	for _, n := range subject {
		for _, w := range strings.Fields(n) {
			own[w] = true
		}
	}
	var out []string
	for _, n := range names {
		words := properWords(n)
		if len(words) < 2 {
			continue
		}
		last := words[len(words)-1]
		out = append(out, titles+word(last), titles+initial(last)+elision) // Mrs. Roth, Mrs. R.
		for _, w := range words {
			if !own[w] && utf8.RuneCountInString(w) > 1 {
				out = append(out, word(w))
			}
		}
	}
	return out
}

// word matches one word with its capital, or in capitals.
func word(w string) string {
	if upper := strings.ToUpper(w); upper != w {
		return `(?:` + literal(w) + `|` + literal(upper) + `)`
	}
	return literal(w)
}

func initial(w string) string {
	r, _ := utf8.DecodeRuneInString(w)
	return regexp.QuoteMeta(string(r))
}

// literal quotes a word; an apostrophe in it may be of any kind.
func literal(w string) string {
	return strings.NewReplacer("'", `['’‘]`, "’", `['’‘]`, "‘", `['’‘]`).Replace(regexp.QuoteMeta(w))
}

// apart reports whether text[start:end] is a whole word, as bounded does, disregarding a genitive
// ending without an apostrophe.
func apart(text string, start, end int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:start])
	if wordRune(before) {
		return false
	}
	if before == '\'' || before == '’' || before == '-' {
		if r, _ := utf8.DecodeLastRuneInString(text[:start-n]); wordRune(r) {
			return false
		}
	}
	rest := text[end:]
	if r, size := utf8.DecodeRuneInString(rest); r == 's' {
		rest = rest[size:]
	}
	after, n := utf8.DecodeRuneInString(rest)
	if wordRune(after) {
		return false
	}
	if after == '-' {
		if r, _ := utf8.DecodeRuneInString(rest[n:]); unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
