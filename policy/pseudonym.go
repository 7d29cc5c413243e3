package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/record"
)

// A Veil is a place of a text where a protected person is named.
type Veil struct {
	Start, End int      // bytes of the text, half-open
	Pseudonym  string   // what stands there for a reader: "Person A"
	Persons    []string // who may be meant, as persons.json names them
	Sealed     bool     // one of them is sealed
}

// Veils returns the places where a text names an anonymized or sealed person,
// in order and apart from each other. It finds more than Mentions does: beside
// names and aliases, with possessive endings, also the given name and the
// surname alone, initials in their place ("I. Roth", "I. R.", "Ines R."), and a
// title before any of them, which belongs to the veil ("Mrs. Roth", "Mrs. R.",
// "Mrs. R—"). A name of one word is found with its capital only. A word that is
// also part of the subject's name is the subject's, unless a title or an
// initial stands before it.
//
// The pseudonym of the person at place n of persons.json is "Person" with the
// n-th letter, so it stays the same in an archive as long as the list is only
// added to. Where a word may mean several persons, all their pseudonyms stand
// there.
func (p *Policy) Veils(text string) []Veil {
	type found struct{ start, end, person int }
	var all []found
	for i, v := range p.veils {
		if v.pattern == nil {
			continue
		}
		for from := 0; from < len(text); {
			loc := v.pattern.FindStringSubmatchIndex(text[from:])
			if loc == nil {
				break
			}
			start, end := from+loc[0], from+loc[1]
			if apart(text, start, end) {
				all = append(all, found{start, end, i})
				from = end
			} else {
				_, size := utf8.DecodeRuneInString(text[start:])
				from = start + size
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []Veil
	for k := 0; k < len(all); {
		// A group is a place with everything that reaches into it. Of a name within
		// a longer one, the longer one is meant, and nobody else.
		end := all[k].end
		j := k
		for ; j < len(all) && all[j].start < end; j++ {
			end = max(end, all[j].end)
		}
		v := Veil{Start: all[k].start, End: end}
		var names []string
		for _, one := range all[k:j] {
			if slices.ContainsFunc(all[k:j], func(other found) bool {
				return one.end-one.start < other.end-other.start && within(one.start, one.end, other.start, other.end)
			}) {
				continue
			}
			if who := p.veils[one.person]; who.state != "" && !slices.Contains(v.Persons, who.name) {
				v.Persons = append(v.Persons, who.name)
				v.Sealed = v.Sealed || who.state == record.PersonSealed
				names = append(names, who.pseudonym)
			}
		}
		if len(v.Persons) > 0 {
			slices.Sort(names)
			v.Pseudonym = strings.Join(names, " or ")
			out = append(out, v)
		}
		k = j
	}
	return out
}

func within(start, end, from, to int) bool { return from <= start && end <= to }

// Veiled returns a text with the names that Veils finds replaced by pseudonyms.
func (p *Policy) Veiled(text string) string {
	var b strings.Builder
	at := 0
	for _, v := range p.Veils(text) {
		b.WriteString(text[at:v.Start])
		b.WriteString("[" + v.Pseudonym + "]")
		at = v.End
	}
	return b.String() + text[at:]
}

// A veil finds one person.
type veil struct {
	name, pseudonym string
	state           string // "" for somebody who may be named: the subject, or cleared
	pattern         *regexp.Regexp
}

// makeVeils prepares Veils: one pattern for each person, and for the subject.
func makeVeils(persons record.Persons, subject record.Subject) []veil {
	if !slices.ContainsFunc(persons.Persons, func(one record.Person) bool { return one.State != record.PersonCleared }) {
		return nil
	}
	own := append([]string{subject.Name}, subject.Aliases...)
	out := []veil{{pattern: pattern(exactForms(own))}}
	for i, one := range persons.Persons {
		names := append([]string{one.Name}, one.Aliases...)
		v := veil{name: one.Name, pseudonym: "Person " + letters(i), state: one.State}
		if one.State == record.PersonCleared {
			v.state, v.pattern = "", pattern(exactForms(names))
		} else {
			v.pattern = pattern(append(exactForms(names), partForms(names, own)...))
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

const (
	titleWords = `Mr|Mrs|Ms|Miss|Mister|Mistress|Madam|Dr|Doctor|Prof|Professor|Sir|Lady|Lord|Dame|Capt|Captain|Col|Colonel|Maj|Major|Rev|Reverend|Uncle|Aunt|Cousin|Herr|Frau|Fräulein|Onkel|Tante`
	titles     = `(?:` + titleWords + `)\.?\s+`
	elision    = `(?:[—–―]+|-{2,}|_{2,}|\*{2,}|\.{2,}|…|\.)`
)

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

// partForms are the parts and initials of names of several words.
func partForms(names, subject []string) []string {
	own := map[string]bool{}
	for _, n := range subject {
		for _, w := range strings.Fields(n) {
			own[w] = true
		}
	}
	var out []string
	for _, n := range names {
		words := slices.DeleteFunc(strings.Fields(n), func(w string) bool {
			r, _ := utf8.DecodeRuneInString(w)
			return !unicode.IsUpper(r)
		})
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
			word(first)+`\s+`+word(last),                       // Ines Roth, of Ines Maria Roth
			given+word(last),                                   // I. Roth, I. M. Roth
			strings.Join(initials, `\.\s*`)+`\.`,               // I. M. R.
			initials[0]+`\.\s*`+initials[len(initials)-1]+`\.`, // I. R.
			word(first)+`\s+`+initial(last)+elision,            // Ines R.
			titles+word(last), titles+initial(last)+elision,    // Mrs. Roth, Mrs. R.
		)
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
