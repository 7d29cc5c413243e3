package gate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/policy"
	"muniment/snapshot/access"
)

// protectedPerson returns how a question names the first person of whom the archive
// does not let anything through, or "". A question names somebody more loosely
// than a document does: by the surname alone, with an initial, without a
// capital.
func protectedPerson(question string, f Facts) string {
	if len(f.Persons.Persons) == 0 && f.Persons.ThirdParties != access.ThirdPartiesStrict {
		return ""
	}
	question = withoutPlaces(question, f)
	for _, name := range policy.MentionsOf(question, f.Persons, f.Subject) {
		if state := policy.Protection(name, f.Persons); state == access.PersonSealed && !isSpelling(name, f) {
			return state
		}
	}
	words := wordsOf(question)
	for _, p := range f.Persons.Persons {
		if policy.Protection(p.Name, f.Persons) != access.PersonSealed {
			continue
		}
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			if namesLoosely(words, wordsOf(n), f, p.Name) {
				return access.PersonSealed + ", by another form of the name"
			}
		}
	}
	if f.Persons.ThirdParties != access.ThirdPartiesStrict {
		return ""
	}
	switch {
	default:
		return ""
	case asksForAffairs(question, f):
		return access.PersonSealed + ", private affairs"
	}
}

// wordsOf returns the words of a text, without possessive endings.
func wordsOf(s string) []string {
	words := anyWord.FindAllString(s, -1)
	for i, w := range words {
		w = strings.NewReplacer("’", "'", "‘", "'").Replace(w)
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'S")
		words[i] = strings.Trim(w, "'-")
	}
	return words
}

var anyWord = regexp.MustCompile(`[\p{L}\p{M}\d'’‘-]+`)

// namesLoosely reports whether the words of a question name a person, whose name
// consists of the words name, in a form that people use.
func namesLoosely(words, name []string, f Facts, person string) bool {
	if len(name) == 0 {
		return false
	}
	last := name[len(name)-1]
	capital, _ := utf8.DecodeRuneInString(last)
	proper := unicode.IsUpper(capital) && utf8.RuneCountInString(last) > 2
	shared := sharedWord(last, f, person)
	shouting := !slices.ContainsFunc(words, func(w string) bool { return strings.ToUpper(w) != w })
	plain := !slices.ContainsFunc(words[min(1, len(words)):], func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return unicode.IsUpper(r) && w != "I"
	})
	for i, w := range words {
		if !proper || !sameWord(w, last) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(w)
		before, after := "", ""
		if i > 0 {
			before = strings.ToLower(strings.TrimSuffix(words[i-1], "."))
		}
		if i+1 < len(words) {
			after = strings.ToLower(words[i+1])
		}
		exact := strings.EqualFold(w, last)
		switch {
		case len(name) > 1 && (sameWord(before, name[len(name)-2]) || before != "" && len([]rune(before)) == 1 && strings.HasPrefix(strings.ToLower(name[len(name)-2]), before) && before != "a" && before != "i"):
			return true // "D. Willet", "deb willet"
		case honorifics[before] && (exact || len(name) > 1) && !shared:
			return true // "Miss Willet"
		case len(name) > 1 && exact && unicode.IsUpper(r) && i > 0 && !shared && !shouting && !followsOtherName(words, i, name):
			return true // "What did Willet sell?"
		case len(name) > 1 && before == "the" && unicode.IsUpper(r) && strings.EqualFold(w, last+"s") && !shared:
			return true // "the Willets"
		case len(name) == 1 && unicode.IsUpper(r) && i > 0 && isVowelSlip(w, last):
			return true // "Knepp" for Knipp
		case len(name) == 1 && exact && plain && !unicode.IsUpper(r) && personal[before] && !compounds[after] && !personal[after]:
			return true // "what did deb say"
		}
	}
	return false
}

// sameWord reports whether a word of a question is a word of a name: in any
// case, with a German genitive, or, if it is long, with one slip after its first
// letter.
func sameWord(w, name string) bool {
	w, name = strings.ToLower(w), strings.ToLower(name)
	return w == name || isVowelSlip(w, name) || w == name+"s" && len(name) > 4 || len(name) > 5 && len(w) > 4 && isSlip(w, name) && w[0] == name[0]
}

// followsOtherName reports whether the surname at i follows a given name that is
// not this person's.
func followsOtherName(words []string, i int, name []string) bool {
	if i == 0 {
		return false
	}
	before := words[i-1]
	r, _ := utf8.DecodeRuneInString(before)
	if !unicode.IsUpper(r) || i == 1 || honorifics[strings.ToLower(before)] {
		return false
	}
	return !sameWord(before, name[0])
}

// sharedWord reports whether a word belongs to the subject's name too, or to
// that of a listed person who is not protected.
func sharedWord(word string, f Facts, person string) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return slices.ContainsFunc(wordsOf(n), func(w string) bool { return strings.EqualFold(w, word) })
		})
	}
	return has(append([]string{f.Subject.Name}, f.Subject.Aliases...)...) || slices.ContainsFunc(f.Persons.Persons, func(p access.Person) bool {
		return p.Name != person && policy.Protection(p.Name, f.Persons) != access.PersonSealed && has(append([]string{p.Name}, p.Aliases...)...)
	})
}

// shortFor maps short forms to given names.
var shortFor = readPairs(wordLists["short for"])

// readPairs parses entries of the form short=full.
func readPairs(entries []string) map[string]string {
	pairs := map[string]string{}
	for _, entry := range entries {
		short, full, _ := strings.Cut(entry, "=")
		pairs[short] = full
	}
	return pairs
}

var (
	honorifics = wordLists.Set("honorifics")
	public     = wordLists.Set("public")
	// personal words stand before a person.
	personal  = wordLists.Set("personal")
	compounds = wordLists.Set("compounds")
	given     = wordLists.Set("given")
)
