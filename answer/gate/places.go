package gate

import (
	"regexp"
	"slices"
	"strings"

	"muniment/snapshot/record"
)

// withoutPlaces takes out of a question the names that are nobody's to
// protect: streets, churches, companies and ships that are called after
// somebody, and offices. A name that the list of persons has in full stays.
func withoutPlaces(question string, f Facts) string {
	listed := func(name string) bool {
		return slices.ContainsFunc(f.Persons.Persons, func(p record.Person) bool {
			return slices.ContainsFunc(append([]string{p.Name}, p.Aliases...), func(n string) bool { return strings.EqualFold(n, name) })
		})
	}
	lastOf := func(word string) bool {
		return slices.ContainsFunc(f.Persons.Persons, func(p record.Person) bool {
			w := wordsOf(p.Name)
			return len(w) > 1 && w[len(w)-1] == word
		})
	}
	out := saintPattern.ReplaceAllStringFunc(question, func(m string) string {
		w := wordsOf(m)
		if lastOf(w[len(w)-1]) {
			return m
		}
		return "there"
	})
	out = streetPattern.ReplaceAllStringFunc(out, func(m string) string {
		w := wordsOf(m)
		if listed(strings.Join(w, " ")) || honorifics[strings.ToLower(w[0])] || given[strings.ToLower(w[0])] && surnames[strings.ToLower(w[1])] {
			return m
		}
		return "there"
	})
	out = shipPattern.ReplaceAllStringFunc(out, func(m string) string {
		w := wordsOf(m)
		if listed(w[len(w)-1]) {
			return m
		}
		return "it"
	})
	out = calledPattern.ReplaceAllStringFunc(out, func(m string) string {
		part := calledPattern.FindStringSubmatch(m)
		if name := part[1]; listed(name) || !given[strings.ToLower(name)] {
			return m
		}
		return "it" + part[2]
	})
	out = officePattern.ReplaceAllStringFunc(out, func(m string) string {
		if listed(m) {
			return m
		}
		return "someone"
	})
	return out
}

// surnames are words for places that are surnames too.
var surnames = wordLists.Set("surnames")

// Patterns of names over a question as it was asked, with its capitals.
var (
	saintPattern  = regexp.MustCompile(`\b(?:Saint|St|SS)\.? ?\p{Lu}[\p{L}]+(?:['’]s)?(?: [A-Z]?[a-z]+yard)?\b`)
	streetPattern = regexp.MustCompile(`\b\p{Lu}\p{L}+(?:['’]s?)? (?:Lane|Street|Mall|End|Hall|Row|Alley|Yard|Stairs|Bridge|Gate|Fields?|Church|Churchyard|Cross|Hill|Square|Park|Gardens?|Inn|Tavern|Wharf|Dock|Fort|Bay|Island|Company|School|College|Chapel|Hospital|Court|Close|House|Head)\b`)
	shipPattern   = regexp.MustCompile(`\b(?:[Tt]he )?(?:frigate|ship|ketch|yacht|galley|vessel|flagship|fireship|man-of-war|merchantman|HMS) (?:called |named )?(?:the )?\p{Lu}\p{L}+\b`)
	calledPattern = regexp.MustCompile(`\bthe (\p{Lu}\p{L}+)( (?:[\p{Ll}'’-]+)|[?.!,;]|$)`)
	// Whoever held an office is not named by it; a title of a play names nobody.
	officePattern = regexp.MustCompile(`\b(?:(?:Lord|Lady|Sir|Mr\.?|Master|Captain) (?:High |Great |Chief )?(?:Treasurer|Chancellor|Admiral|Chamberlain|General|Keeper|Privy Seal|Protector|Lieutenant|Justice|Steward|President|Commissioners?|Speaker|Day|Bishop|Marshal|Warden|Almighty|God|Attorney|Solicitor)|Lords? (?:Spiritual|Commissioners)|Sir Martin Mar-?[Aa]ll|(?:Dr\.?|Doctor) Faustus)\b`)
)
