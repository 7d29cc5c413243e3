package gate

import (
	"slices"
	"strings"

	"muniment/snapshot/access"
)

// withoutPlaces takes out of a question the names that are nobody's to
// protect: streets, churches, companies and ships that are called after
// somebody, offices, and works with their authors and characters. A name that the list of persons has in full stays.
func withoutPlaces(question string, f Facts) string {
	listed := func(name string) bool {
		return slices.ContainsFunc(f.Persons.Persons, func(p access.Person) bool {
			return slices.ContainsFunc(append([]string{p.Name}, p.Aliases...), func(n string) bool { return strings.EqualFold(n, name) })
		})
	}
	lastOf := func(word string) bool {
		return slices.ContainsFunc(f.Persons.Persons, func(p access.Person) bool {
			w := wordsOf(p.Name)
			return len(w) > 1 && w[len(w)-1] == word
		})
	}
	out := replaceNames("saint", question, func(m string, _ []string) string {
		w := wordsOf(m)
		if lastOf(w[len(w)-1]) {
			return m
		}
		return "there"
	})
	out = replaceNames("street", out, func(m string, _ []string) string {
		w := wordsOf(m)
		if listed(strings.Join(w, " ")) || honorifics[strings.ToLower(w[0])] || given[strings.ToLower(w[0])] && surnames[strings.ToLower(w[1])] {
			return m
		}
		return "there"
	})
	out = replaceNames("where", out, func(m string, part []string) string {
		if w := wordsOf(m); listed(strings.Join(w[1:], " ")) {
			return m
		}
		return part[1] + " there"
	})
	out = replaceNames("ship", out, func(m string, _ []string) string {
		w := wordsOf(m)
		if listed(w[len(w)-1]) {
			return m
		}
		return "it"
	})
	out = replaceNames("called", out, func(m string, part []string) string {
		if name := part[1]; listed(name) || !given[strings.ToLower(name)] {
			return m
		}
		return "it" + part[2]
	})
	out = replaceNames("work", out, func(m string, _ []string) string {
		if slices.ContainsFunc(wordsOf(m), func(w string) bool { return listed(w) || lastOf(w) }) {
			return m
		}
		return "it"
	})
	return replaceNames("office", out, func(m string, _ []string) string {
		if listed(m) {
			return m
		}
		return "someone"
	})
}

// replaceNames replaces every name of a kind of rules/names.txt by the result of a function. The
// function gets the name and the groups of the pattern.
func replaceNames(kind, question string, by func(name string, part []string) string) string {
	for _, r := range nameRules()["place"] {
		if r.Name == kind {
			question = r.Match.Regexp().ReplaceAllStringFunc(question, func(m string) string { return by(m, r.Match.Regexp().FindStringSubmatch(m)) })
		}
	}
	return question
}

// surnames are words for places that are surnames too.
var surnames = wordLists.Set("surnames")
