package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"muniment/snapshot/access"
	"muniment/text/lexicon"
	"muniment/text/names"
)

// A Veil is a place of a text where a protected person is named.
type Veil struct {
	Start, End int      // bytes of the text, half-open
	Pseudonym  string   // what a reader sees instead: "Person A", or "name withheld"
	Persons    []string // who is meant, as persons.json names them; none where that is not decided
}

// nameWithheld is the pseudonym of a name that may be a protected person's or another's.
const nameWithheld = "name withheld"

// Veils returns the places where a text names an anonymized or sealed person, in order and apart
// from each other. The text is read as part of a paper that is not known; see VeilsIn.
func (p *Policy) Veils(text string) []Veil { return p.VeilsIn(text, nil) }

// VeilsIn returns the places where words of a paper name an anonymized or sealed person. A person
// is found by names and aliases, with initials ("I. Roth", "I. R.", "Ines R.", "Roth, Ines"), with
// a title before any of them, which belongs to the veil, and by the given name or the surname
// alone, also after a title; a given name alone only where the paper or its record has more of the
// name. Names of one word are found with their capital only. A word that is
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
	var out []Veil
	for _, group := range p.findPersons(text, paper) {
		if v := p.veilOf(group); v.Pseudonym != "" {
			out = append(out, v)
		}
	}
	return out
}

// A match is a place at which a person may be named.
type match struct {
	start, end, person int
	part               bool // by one word of a name
	unsure             bool // another person of the archive may be meant
	given              bool // by a word that is nobody's surname
	doubt              bool // a place or somebody of their not list is meant, unless the paper names the person elsewhere
}

// findPersons returns the places of all listed persons and the subject in a text, in groups: a place with everything that
// reaches into it. A place within a longer one is left out, as the longer name is meant. Without a paper what is in doubt is theirs.
func (p *Policy) findPersons(text string, paper *Paper) (out [][]match) {
	for _, group := range p.findAll(text, paper) {
		if group = slices.DeleteFunc(group, func(m match) bool { return m.doubt && paper != nil && !p.personsIn(paper).named[m.person] }); len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// findAll is findPersons with all places in doubt.
func (p *Policy) findAll(text string, paper *Paper) [][]match {
	if p == nil || len(p.veils) == 0 {
		return nil
	}
	var all []match
	for r := range searchForms(text) {
		all = p.findIn(r, text, paper, all)
	}
	return groupMatches(all)
}

// groupMatches returns places in groups, as findPersons does.
func groupMatches(all []match) (out [][]match) {
	slices.SortFunc(all, func(a, b match) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	for k := 0; k < len(all); {
		end, j := all[k].end, k
		for ; j < len(all) && all[j].start < end; j++ {
			end = max(end, all[j].end)
		}
		group := all[k:j]
		out = append(out, slices.DeleteFunc(slices.Clone(group), func(one match) bool {
			return slices.ContainsFunc(group, func(other match) bool {
				return one.end-one.start < other.end-other.start && other.start <= one.start && one.end <= other.end
			})
		}))
		k = j
	}
	return out
}

// findIn appends the places of one form of a text.
func (p *Policy) findIn(r *searchForm, text string, paper *Paper, all []match) []match {
	whole := paper != nil
	for i := range p.veils {
		v := &p.veils[i]
		each(v.sure, r.text, func(start, end int) {
			name := r.text[start:end]
			isWord := v.small[name] || !r.joined && v.isUndivided(name) && names.Known(spokenForm(strings.ToLower(name)))
			if isWord && !isMarked(r.text, start, end) || isOfInitials(r.text[start:], end-start) {
				return
			}
			start, end = r.source(start), r.source(end)
			all = append(all, match{start: start, end: end, person: i, doubt: v.isOfAnother(text, start, end, nil)})
		})
		each(v.part, r.text, func(start, end int) {
			word := strings.ReplaceAll(r.text[start:end], string(lineBreak), "")
			if first, _ := utf8.DecodeRuneInString(word); unicode.IsLower(first) && !isMarked(r.text, start, end) {
				return
			}
			isAdjective := adjective.MatchString(r.text[end:min(len(r.text), end+maxEnding)])
			start, end = r.source(start), r.source(end)
			if own := text[start:end]; containsFold(v.words, lastWord(own)) {
				word = own
			}
			if !isAdjective && names.IsPartOfOther(text, start, end, v.words) || containsFold(v.not, word) {
				return
			}
			w := v.last
			if at := lastWord(word); containsFold(v.words, at) {
				w = at
			}
			given := !slices.ContainsFunc(v.forms, func(form string) bool { return strings.EqualFold(lastWord(form), w) })
			if whole && given && !p.personsIn(paper).named[i] {
				return // somebody else's, or that of a ship
			}
			if paper == nil {
				paper = NewPaper(text, nil, nil)
			}
			if means, unsure := p.isMeant(i, w, paper); means || unsure {
				doubt := !titled.MatchString(text[start:end]) && (containsFold(v.words, text[start:end]) && isOfPlace(text, start, end) || v.isOfAnother(text, start, end, paper))
				all = append(all, match{start, end, i, true, unsure, given, doubt})
			}
		})
	}
	return all
}

// isOfPlace reports whether a surname is that of a river or a settlement by the noun before it: "the river Koss." A word or a comma after it
// makes it a person's: "the town Koss loved".
func isOfPlace(text string, start, end int) bool {
	return placeBefore.MatchString(text[max(0, start-maxAddress):start]) && placeAfter.MatchString(text[end:])
}

// isOfAnother reports whether a place is in a name that is known not to be the person's: "Ottilie Sanders" and "Sander, Otto", and "Sanders" alone in
// a paper that has the whole of that name.
func (v *veil) isOfAnother(text string, start, end int, paper *Paper) bool {
	start += len(titled.FindString(text[start:end]))
	to := end + wordLength(text[end:])
	return slices.ContainsFunc(v.not, func(not string) bool {
		words := strings.Fields(not)
		if len(words) < 2 || containsFold(v.forms, not) {
			return false
		}
		from := to - len(not)
		if from >= 0 && from <= start && (from < start || end < to) && strings.EqualFold(text[from:to], not) && apart(text, from, to) {
			return true
		}
		given, last := strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		if after := strings.TrimLeft(text[end:min(len(text), end+maxAddress)], ", \n"); strings.EqualFold(last, text[start:end]) && strings.HasPrefix(text[end:], ",") {
			return strings.HasPrefix(after, given) && wordLength(after[len(given):]) == 0
		}
		return paper != nil && end < to && strings.EqualFold(last, text[start:to]) && slices.ContainsFunc(paper.full(), func(full []string) bool { return strings.EqualFold(strings.Join(full, " "), not) })
	})
}

// isUndivided reports whether a name of several words is written as one word, without their capitals: "rosemary" of Rose Mary.
func (v *veil) isUndivided(name string) bool {
	return slices.ContainsFunc(v.forms, func(form string) bool {
		whole := strings.ReplaceAll(form, " ", "")
		return whole != form && whole != name && strings.EqualFold(whole, name)
	})
}

// isOfInitials reports whether initials with which a text begins are another's, whose surname follows: "M. K. Ross".
func isOfInitials(text string, end int) bool {
	if !initialsAlone.MatchString(text[:end]) {
		return false
	}
	found := names.Find(text[:min(len(text), end+maxAddress)])
	return len(found) > 0 && found[0].Start == 0 && found[0].End > end
}

// smallForms returns the names of one word as they are written without their capitals.
func smallForms(names []string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		if small := strings.ToLower(plainForm(n).text); small != n && !strings.Contains(n, " ") {
			out[small] = true
		}
	}
	return out
}

var (
	titled        = regexp.MustCompile(`^` + titles)
	placeBefore   = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + strings.Join(slices.Sorted(lexicon.NamePart.NamedPlace.Words()), "|") + `)[ \t]+(?:of[ \t]+(?:the[ \t]+)?|von[ \t]+(?:der[ \t]+)?)?$`)
	placeAfter    = regexp.MustCompile(`^(?:[.;:!?)]|$)`)
	initialsAlone = regexp.MustCompile(`^(?:\pL\.\s*)+$`)

	hisses = regexp.MustCompile(`(?i:[sxzß]|ch|sh)$`) // the sounds after which a plural ends in es

	adjective = regexp.MustCompile(`^['’]?sch(?:e[nmrs]?)?`) // Rothsche of Roth
	genitive  = regexp.MustCompile(`^['’‘][sS](?:[^\pL\pM\d]|$)`)
	address   = regexp.MustCompile(`[@_/#]|[\pL\d][.:][\pL\d]`)
)

const (
	maxEnding  = 16   // bytes after a name in which adjective and genitive are looked for
	maxAddress = 80   // bytes before and after a name in which address is looked for
	maxList    = 1024 // bytes before an element of a list in which the list begins

	openQuotes, closeQuotes     = "\"'“„‘‚’«»‹›`", "\"'”“’‘»«›‹`,"
	openBrackets, closeBrackets = "[({<", "])}>"
	listSigns                   = ",;"
)

// isMarked reports whether something tells that a word without its capital is a name: it is part of an address or the name of a file, alone
// between quotation marks, an element of a list in brackets, a genitive with an apostrophe, or made an adjective.
func isMarked(text string, start, end int) bool {
	before, after := text[max(0, start-maxList):start], text[end:min(len(text), end+maxAddress)]
	if ending := after[:min(len(after), maxEnding)]; adjective.MatchString(ending) || genitive.MatchString(ending) {
		return true
	}
	if isAlone(before, after) || isAlone(before, strings.TrimPrefix(after, "s")) {
		return true
	}
	before = before[max(0, len(before)-maxAddress):]
	before = before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	if i := strings.IndexFunc(after, unicode.IsSpace); i >= 0 {
		after = after[:i]
	}
	return before+after != "" && address.MatchString(before+text[start:end]+after)
}

// isAlone reports whether what is between two texts is alone between quotation marks or an element of a list in brackets.
func isAlone(before, after string) bool {
	if endsWith(before, openQuotes) && beginsWith(after, closeQuotes) {
		return true
	}
	before, after = strings.TrimRight(before, " \t\n"), strings.TrimLeft(after, " \t\n")
	return endsWith(before, openBrackets+listSigns) && beginsWith(after, closeBrackets+listSigns) &&
		strings.LastIndexAny(before, openBrackets) > strings.LastIndexAny(before, closeBrackets)
}

func beginsWith(text, signs string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && strings.ContainsRune(signs, r)
}

func endsWith(text, signs string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size > 0 && strings.ContainsRune(signs, r)
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

// veilOf returns the veil of a group of places.
func (p *Policy) veilOf(group []match) Veil {
	v := Veil{Start: group[0].start, End: group[0].end}
	var pseudonyms []string
	unsure := false
	for _, one := range group {
		v.End = max(v.End, one.end)
		who := &p.veils[one.person]
		switch {
		case who.state == "" || slices.Contains(v.Persons, who.name):
		case one.unsure:
			unsure = true
		default:
			v.Persons = append(v.Persons, who.name)
			pseudonyms = append(pseudonyms, who.pseudonym)
		}
	}
	slices.Sort(pseudonyms)
	if v.Pseudonym = strings.Join(pseudonyms, " or "); v.Pseudonym == "" && unsure {
		v.Pseudonym = nameWithheld
	}
	return v
}

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
	small           map[string]bool
	words           []string // the words of the names and aliases
	last            string   // the last word of the name
	not             []string
}

// makeVeils prepares Veils: the patterns of each person, and of the subject.
func makeVeils(persons access.Persons, subject access.Subject) []veil {
	if !slices.ContainsFunc(persons.Persons, func(one access.Person) bool { return one.State != access.PersonCleared }) {
		return nil
	}
	own := append([]string{subject.Name}, subject.Aliases...)
	out := []veil{{sure: pattern(exactForms(own)), forms: own, small: smallForms(own)}}
	for i, one := range persons.Persons {
		forms := append([]string{one.Name}, one.Aliases...)
		v := veil{name: one.Name, pseudonym: "Person " + letters(i), state: one.State, forms: forms, small: smallForms(forms), not: one.Not, last: lastWord(one.Name)}
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
		w = string(unicode.ToUpper(r)) + w[size:]
		all = append(all, w, literal(w)) // as it is, and as the plain form of a text has it
	}
	slices.Sort(all)
	all = slices.Compact(all)
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

// gap matches what is between two words of a name.
const gap = `(?:[\s\pZ\p{Pd}_/+\x{ad}]*|\.)`

// exactForms returns patterns for names: in any case if they have several words, else with their
// capital.
func exactForms(names []string) []string {
	var out []string
	for _, n := range names {
		words := strings.Fields(n)
		for i, w := range words {
			if r, _ := utf8.DecodeRuneInString(w); len(words) == 1 && unicode.IsUpper(r) {
				words[i] = small(w)
			} else {
				words[i] = `(?i:` + literal(w) + `)`
			}
		}
		if len(words) > 0 {
			out = append(out, strings.Join(words, gap))
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
		m, surname := literal(strings.ToLower(initial(first))), literal(strings.ToLower(last))
		out = append(out, m+`\.\s*(?:\pL\.\s*){0,3}`+surname, surname+`,\s*`+m+`\.`) // m. roth
		out = append(out,
			word(first)+gap+word(last),
			word(last)+`,?`+gap+word(first),
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
				out = append(out, small(w))
			}
			if w == last && hisses.MatchString(w) {
				out = append(out, small(w+"es"), small(w+"ens")) // the Kosses, Kossens Haus
			}
		}
	}
	return out
}

// word matches one word with its capital, or in capitals.
func word(w string) string { return `(?:` + literal(w) + `|` + literal(strings.ToUpper(w)) + `)` }

// small matches one word in small letters too; see isMarked.
func small(w string) string { return `(?:` + word(w) + `|` + literal(strings.ToLower(w)) + `)` }

func initial(w string) string {
	r, _ := utf8.DecodeRuneInString(w)
	return literal(string(r))
}

// umlauts are letters that may be written as two, and how the plain form of a text has them.
var umlauts = map[string]string{"Ä": "A[eE]?", "Ö": "O[eE]?", "Ü": "U[eE]?", "ä": "ae?", "ö": "oe?", "ü": "ue?",
	"ae": "ae?", "oe": "oe?", "ue": "ue?", "Ae": "Ae?", "Oe": "Oe?", "Ue": "Ue?", "AE": "AE?", "OE": "OE?", "UE": "UE?"}

// literal quotes a word as the plain form of a text may have it: broken at the end of a line, with an apostrophe of any kind, with
// an umlaut in two letters, and with a hyphen, a gap or nothing for a hyphen.
func literal(w string) string {
	var letters []string
	for rest := norm.NFC.String(w); rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		plain, _ := appendPlain(nil, rest, 0)
		form := regexp.QuoteMeta(string(plain))
		switch {
		case strings.ContainsRune("'’‘", r):
			form = `['’‘]`
		case unicode.Is(unicode.Pd, r) && len(rest) > size:
			next, n := utf8.DecodeRuneInString(rest[size:])
			form, size = `[\p{Pd}\s_]*(?i:`+literal(string(next))+`)`, size+n
		case len(rest) > 1 && umlauts[rest[:2]] != "" && (size == 2 || len(rest) > 3): // not the last of Samuel and Michael
			form, size = umlauts[rest[:2]], 2
		}
		letters, rest = append(letters, form), rest[size:]
	}
	return strings.Join(letters, `\x{ad}?`)
}

// apart reports whether text[start:end] is a whole word, as bounded does, disregarding a genitive
// ending without an apostrophe and the ending of an adjective.
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
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	rest := text[end:]
	if n := len(adjective.FindString(rest[:min(len(rest), maxEnding)])); n > 0 && wordLength(rest[n:]) == 0 {
		return true
	}
	if r, size := utf8.DecodeRuneInString(rest); r == 's' || r == 'S' && !unicode.IsLower(last) {
		rest = rest[size:]
	}
	after, n := utf8.DecodeRuneInString(rest)
	if wordRune(after) {
		return false
	}
	rest = rest[n:]
	if r, _ := utf8.DecodeRuneInString(rest); after != '-' || !unicode.IsUpper(r) {
		return true
	}
	rest = rest[:wordLength(rest)] // Ines-Roth-Weg and Roth-Preis, but not Mary-Ann and Roth-Platz
	divided := strings.ContainsFunc(text[start:end], func(r rune) bool { return !wordRune(r) })
	return !names.Known(rest) && (divided || !names.IsPlace(rest))
}
