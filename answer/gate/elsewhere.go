package gate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/answer/policy"
	"muniment/snapshot/record"
)

// withoutPlaces takes out of a question the names that are nobody's to
// protect: streets, churches, companies and ships that are called after
// somebody, and people who were dead before the subject was ten. A name that
// the list has in full stays.
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
	p := placePatterns()
	out := p.saint.ReplaceAllStringFunc(question, func(m string) string {
		w := wordsOf(m)
		if lastOf(w[len(w)-1]) {
			return m
		}
		return "there"
	})
	out = p.street.ReplaceAllStringFunc(out, func(m string) string {
		w := wordsOf(m)
		if listed(strings.Join(w, " ")) || honorifics[strings.ToLower(w[0])] || given[strings.ToLower(w[0])] && surnames[w[1]] {
			return m
		}
		return "there"
	})
	out = p.ship.ReplaceAllStringFunc(out, func(m string) string {
		w := wordsOf(m)
		if listed(w[len(w)-1]) {
			return m
		}
		return "it"
	})
	out = p.called.ReplaceAllStringFunc(out, func(m string) string {
		part := p.called.FindStringSubmatch(m)
		if name := part[1]; listed(name) || !given[strings.ToLower(name)] {
			return m
		}
		return "it" + part[2]
	})
	out = p.office.ReplaceAllStringFunc(out, func(m string) string {
		if listed(m) {
			return m
		}
		return "someone"
	})
	born, ok := parsePeriod(f.Subject.Born)
	if !ok {
		return out
	}
	return p.dead.ReplaceAllStringFunc(out, func(m string) string {
		if died := longDead()[strings.ToLower(strings.Join(wordsOf(m), " "))]; died < born.first+childhood {
			return "someone"
		}
		return m
	})
}

// childhood is how long a name may have been alive beside the subject: ten
// years.
const childhood day = 10_0000

// surnames are words for places that are surnames too.
var surnames = map[string]bool{"Lane": true, "Hall": true, "Hill": true, "Park": true, "Street": true, "Church": true, "Field": true, "Fields": true, "Bridge": true, "Cross": true, "Garden": true, "Bay": true}

var placePatterns = sync.OnceValue(func() (p struct{ saint, street, ship, called, office, dead *regexp.Regexp }) {
	p.saint = regexp.MustCompile(`\b(?:Saint|St|SS)\.? ?\p{Lu}[\p{L}]+(?:['’]s)?(?: [A-Z]?[a-z]+yard)?\b`)
	p.street = regexp.MustCompile(`\b\p{Lu}\p{L}+(?:['’]s?)? (?:Lane|Street|Mall|End|Hall|Row|Alley|Yard|Stairs|Bridge|Gate|Fields?|Church|Churchyard|Cross|Hill|Square|Park|Gardens?|Inn|Tavern|Wharf|Dock|Fort|Bay|Island|Company|School|College|Chapel|Hospital|Court|Close|House|Head)\b`)
	p.ship = regexp.MustCompile(`\b(?:[Tt]he )?(?:frigate|ship|ketch|yacht|galley|vessel|flagship|fireship|man-of-war|merchantman|HMS) (?:called |named )?(?:the )?\p{Lu}\p{L}+\b`)
	p.called = regexp.MustCompile(`\bthe (\p{Lu}\p{L}+)( (?:[\p{Ll}'’-]+)|[?.!,;]|$)`)
	// Whoever held an office is not named by it; a title of a play names nobody.
	p.office = regexp.MustCompile(`\b(?:(?:Lord|Lady|Sir|Mr\.?|Master|Captain) (?:High |Great |Chief )?(?:Treasurer|Chancellor|Admiral|Chamberlain|General|Keeper|Privy Seal|Protector|Lieutenant|Justice|Steward|President|Commissioners?|Speaker|Day|Bishop|Marshal|Warden|Almighty|God|Attorney|Solicitor)|Lords? (?:Spiritual|Commissioners)|Sir Martin Mar-?[Aa]ll|(?:Dr\.?|Doctor) Faustus)\b`)
	names := make([]string, 0, len(longDead()))
	for name := range longDead() {
		names = append(names, regexp.QuoteMeta(name))
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	p.dead = regexp.MustCompile(`(?i)\b(?:` + strings.Join(names, "|") + `)\b`)
	return p
})

// longDead are authors and rulers whose names stand for their works and
// times, with the days after which nobody living knew them.
var longDead = sync.OnceValue(func() map[string]day {
	m := map[string]day{}
	for line := range strings.Lines(`
		1616: william shakespeare, miguel de cervantes, francis beaumont
		1637: ben jonson, john fletcher, john donne, christopher marlowe, edmund spenser, philip sidney, sir philip sidney, thomas kyd, thomas dekker, john webster
		1626: francis bacon, sir francis bacon, lord bacon, francis drake, sir francis drake, walter raleigh, sir walter raleigh, guy fawkes, king james i, james i, queen elizabeth i, elizabeth i, robert cecil, robert devereux, earl of essex
		1603: queen elizabeth, mary queen of scots, lady jane grey, henry viii, king henry viii, henry the eighth, king henry the eighth, anne boleyn, catherine of aragon, thomas more, sir thomas more, thomas cromwell, thomas cranmer, queen mary tudor, mary tudor, richard iii, edward vi, henry v, henry iv, edward the confessor, king john, king arthur, thomas becket, william the conqueror, alfred the great
		1642: galileo galilei, johannes kepler, nicolaus copernicus, tycho brahe, william gilbert, christopher columbus, vasco da gama, ferdinand magellan, martin luther, john calvin, john knox, joan of arc, marco polo, dante alighieri, geoffrey chaucer, john gower, william caxton, peter paul rubens, anthony van dyck, hans holbein, leonardo da vinci, william byrd, thomas tallis, john dowland
		500: julius caesar, alexander the great, mark antony, marcus aurelius, john the baptist, simon peter, mary magdalene, virgin mary, jesus christ, saint paul
	`) {
		year, names, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			var at day
			for _, digit := range year {
				at = at*10 + day(digit-'0')
			}
			m[name] = at*10000 + 1231
		}
	}
	return m
})

// variant tells whether a name is that of a listed person who is let through,
// with one letter more or less: Pen for Penn.
func variant(name string, f Facts) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := strings.ToLower(words[len(words)-1])
	for _, p := range f.Persons.Persons {
		if policy.Protection(p.Name, f.Persons) == record.PersonSealed {
			continue
		}
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			known := wordsOf(n)
			if len(known) == 0 {
				continue
			}
			own := strings.ToLower(known[len(known)-1])
			if len(own) < 4 || own[0] != last[0] || own != last && !slip(last, own, false) {
				continue
			}
			if !slices.ContainsFunc(words[:len(words)-1], func(w string) bool {
				return !honorifics[strings.ToLower(w)] && !slices.ContainsFunc(known, func(k string) bool {
					return strings.EqualFold(k, w) || len(w) == 1 && strings.HasPrefix(strings.ToLower(k), strings.ToLower(w))
				})
			}) {
				return true
			}
		}
	}
	return false
}

// byGivenName tells whether a question names a protected person by the given
// name alone, or somebody unlisted by one after the word for a kinsman or a
// servant. It is for archives that protect everybody who is not cleared.
func byGivenName(words []string, f Facts) bool {
	upper := func(i int) bool {
		if i < 0 || i >= len(words) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(words[i])
		return unicode.IsUpper(r) && words[i] != "I"
	}
	for i, w := range words {
		if !upper(i) || utf8.RuneCountInString(w) < 3 || sharedWord(w, f, "") {
			continue
		}
		before := ""
		if i > 0 {
			before = strings.ToLower(strings.TrimSuffix(words[i-1], "."))
		}
		if before == "the" || sovereigns[before] {
			continue
		}
		if servants[before] && given[strings.ToLower(w)] {
			return true
		}
		if upper(i+1) || i > 1 && upper(i-1) && !honorifics[before] && !servants[before] {
			continue
		}
		for _, p := range f.Persons.Persons {
			if policy.Protection(p.Name, f.Persons) != record.PersonSealed {
				continue
			}
			for _, n := range append([]string{p.Name}, p.Aliases...) {
				if name := wordsOf(n); len(name) > 1 && name[0] == w && !honorifics[strings.ToLower(w)] {
					return true
				}
			}
		}
	}
	return false
}

var (
	sovereigns = set(`king queen prince princess saint st pope emperor empress lord lady hms`)
	servants   = set(`maid maids maidservant servant boy girl cook cook-maid cookmaid nurse clerk cousin aunt uncle nephew niece sister
		brother widow neighbour neighbor page footman coachman midwife barber tailor landlady sister-in-law brother-in-law`)
)

// gossip matches a question about the private affairs of somebody who is named
// only as a relation of the subject, or only by a surname. Where everybody is
// protected who is not cleared, so are they.
func gossip(question string, f Facts) bool {
	g := gossips()
	for _, m := range g.kin.FindAllStringSubmatch(question, -1) {
		next := wordsOf(m[2])
		if !g.private.MatchString(question) || len(next) > 0 && sharedWord(next[0], f, "") || clearedKin(strings.ToLower(m[1]), f) {
			continue
		}
		return true
	}
	for _, m := range g.surname.FindAllStringSubmatch(question, -1) {
		w := strings.ToLower(m[1])
		if !g.public[w] && !countries[w] && !sharedWord(m[1], f, "") && !variant(m[1], f) {
			return true
		}
	}
	return false
}

// clearedKin tells whether a person who is let through is listed as this
// relation: "my wife".
func clearedKin(kin string, f Facts) bool {
	return slices.ContainsFunc(f.Persons.Persons, func(p record.Person) bool {
		return policy.Protection(p.Name, f.Persons) != record.PersonSealed && slices.ContainsFunc(p.Aliases, func(a string) bool {
			w := wordsOf(strings.ToLower(a))
			return len(w) == 2 && w[1] == kin
		})
	})
}

var gossips = sync.OnceValue(func() (g struct {
	kin, surname, private *regexp.Regexp
	public                map[string]bool
}) {
	const affairs = `pregnan\w*|confinement|lying-in|miscarr\w*|bastard|illegitimate|pox|venereal|debts?|bankrupt\w*|adultery|adulter\w*|love affair|affair|lovers?|slept with|sleep with|seduc\w*|naked|breasts?|drunkard|drunkenness|insan\w+|madness|whore\w*|divorce|dismissal|secret marriage|virgin\w*|impoten\w*|unfaithful\w*|barren\w*|temper|home address`
	g.kin = regexp.MustCompile(`(?i)\b(?:your|his|my|her|pepys['’]s) (?:\w+ )?(sister|sister-in-law|brother-in-law|mother-in-law|cousin|aunt|niece|nephew|maid|cook-maid|cookmaid|cook|servant girl|servant|nurse|landlady|neighbour|clerk|companion|boy)(?:['’]s)?((?: \p{Lu}\p{L}+)?)`)
	g.private = regexp.MustCompile(`(?i)\b(?:` + affairs + `)\b`)
	g.surname = regexp.MustCompile(`\b(\p{Lu}\p{L}{2,})['’]s (?:\w+ ){0,2}?(?:` + affairs + `)\b`)
	g.public = set(`navy crown king queen duke parliament city london exchequer court church office tangier company treasury nation
		kingdom country pepys admiralty board state government army fleet dutch portsmouth chatham bombay dunkirk what who it that let here there`)
	return g
})
