package gate

import (
	"slices"
	"strings"

	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/text/pattern"
)

// isSlip reports whether two words differ by one slip of the pen or the keyboard: a
// letter more, another letter, or two letters in each other's place.
func isSlip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch {
	case len(y)-len(x) > 1 || i == len(y):
		return false
	case len(x) < len(y):
		return string(x[i:]) == string(y[i+1:])
	case i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i]:
		return string(x[i+2:]) == string(y[i+2:])
	}
	return string(x[i+1:]) == string(y[i+1:])
}

// isVowelSlip reports whether two names of five letters or more differ by one
// vowel, as old spellings do.
func isVowelSlip(a, b string) bool {
	const vowels = "aeiouy"
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) != len(b) || len(a) < 5 {
		return false
	}
	slips := 0
	for i := range len(a) {
		if a[i] == b[i] {
			continue
		}
		if !strings.ContainsRune(vowels, rune(a[i])) || !strings.ContainsRune(vowels, rune(b[i])) {
			return false
		}
		slips++
	}
	return slips == 1
}

// isSpelling reports whether a name is another spelling of that of a listed person
// who is let through: Pen for Penn.
func isSpelling(name string, f Facts) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := strings.ToLower(words[len(words)-1])
	for _, p := range f.Persons.Persons {
		if policy.Protection(p.Name, f.Persons) == access.PersonSealed {
			continue
		}
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			known := wordsOf(n)
			if len(known) == 0 {
				continue
			}
			own := strings.ToLower(known[len(known)-1])
			if len(own) < 4 || last == "" || own[0] != last[0] || own != last && !isSlip(last, own) {
				continue
			}
			if !slices.ContainsFunc(words[:len(words)-1], func(w string) bool { return !honorifics[strings.ToLower(w)] && !isWordOf(known, w) }) {
				return true
			}
		}
	}
	return false
}

// isWordOf reports whether a word, or an initial, is one of a name.
func isWordOf(name []string, w string) bool {
	return slices.ContainsFunc(name, func(k string) bool {
		return strings.EqualFold(k, w) || len(w) == 1 && strings.HasPrefix(strings.ToLower(k), strings.ToLower(w))
	})
}

// asksForAffairs reports whether a question is for the private affairs of somebody
// who is named only as a relation of the subject, or only by a surname. Where
// everybody is protected who is not cleared, so are they.
func asksForAffairs(question string, f Facts) bool {
	for _, n := range append(append([]string{f.Subject.Name}, f.Subject.Aliases...), partsOf(f.Subject, question)...) {
		if n != "" {
			question = strings.NewReplacer(n+"'s", "his", n+"’s", "his").Replace(question)
		}
	}
	private := slices.ContainsFunc(nameRules()["affairs"], func(r pattern.Rule) bool { return r.Name == "private" && r.Matches(question) })
	for _, r := range nameRules()["affairs"] {
		for _, m := range r.Match.Regexp().FindAllStringSubmatch(question, -1) {
			switch {
			case r.Name == "kin" && private:
				next := wordsOf(m[2])
				if !(len(next) > 0 && sharedWord(next[0], f, "")) && !isClearedKin(strings.ToLower(m[1]), f) {
					return true
				}
			case r.Name == "surname":
				w := strings.ToLower(m[1])
				if !public[w] && !countries[w] && !sharedWord(m[1], f, "") && !isSpelling(m[1], f) {
					return true
				}
			}
		}
	}
	return false
}

// isClearedKin reports whether a person who is let through is listed as this
// relation: "my wife".
func isClearedKin(kin string, f Facts) bool {
	return slices.ContainsFunc(f.Persons.Persons, func(p access.Person) bool {
		return policy.Protection(p.Name, f.Persons) != access.PersonSealed && slices.ContainsFunc(p.Aliases, func(a string) bool {
			w := wordsOf(strings.ToLower(a))
			return len(w) == 2 && w[1] == kin
		})
	})
}
