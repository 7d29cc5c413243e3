package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cedar-policy/cedar-go"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/text/lexicon"
)

// A Widening is a change that lets somebody see more, or of which it cannot be shown that
// it lets nobody see more.
type Widening struct {
	What string // a verb and its objects, such as "allows display"

	// Aside means that what is seen more of is something else than what the change names,
	// so that whoever made it may not have meant it.
	Aside bool
}

// Widens compares a policy with the one after it, whose file at path came, went or changed,
// and returns how that lets somebody see more; none where it lets nobody.
func (p *Policy) Widens(next *Policy, path string) []Widening {
	switch path {
	case layout.PathConsent:
		return p.widensDefault(next)
	case layout.PathTiers:
		return p.widensTiers(next)
	case layout.PathPersons:
		return p.widensPersons(next)
	case layout.PathFreeform:
		for _, tier := range next.freeform {
			if !slices.Contains(p.freeform, tier) {
				return []Widening{{What: fmt.Sprintf("lets the tier %s be given text that cites nothing", tier)}}
			}
		}
		return nil
	}
	return []Widening{{What: "adds, changes or drops a rule whose effect is not told from its bytes"}}
}

// dimensionNames are the dimensions of consent, in the order of allows.
var dimensionNames = [4]string{"inclusion", "surfacing", "display", "existence"}

// allows returns the dimensions of a consent.
func allows(c access.Consent) [4]bool {
	return [4]bool{c.Inclusion, c.Surfacing, c.Display, c.Existence}
}

// widensDefault compares the consents that artifacts have without one of their own, and the
// rules for labels.
func (p *Policy) widensDefault(next *Policy) []Widening {
	var out []Widening
	if what := newlyAllowed(p.consent, next.consent); what != "" {
		out = append(out, Widening{What: "allows " + what + " of all papers without a consent of their own"})
	}
	out = append(out, widensSecond(p.consent, next.consent, " of all papers without a word of their own")...)
	strictness := func(p *Policy, kind string) int {
		return slices.Index(access.SensitiveRules, p.sensitive.Rule(kind))
	}
	for _, kind := range access.SensitiveKinds {
		if strictness(next, kind) < strictness(p, kind) {
			out = append(out, Widening{What: fmt.Sprintf("treats papers labelled %s as %s", kind, next.sensitive.Rule(kind))})
		}
	}
	return out
}

// newlyAllowed lists the dimensions that after allows and before does not.
func newlyAllowed(before, after access.Consent) string {
	var out []string
	b, a := allows(before), allows(after)
	for i, name := range dimensionNames {
		if a[i] && !b[i] {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// widensTiers compares the tiers: the same ones in the same order show no more than they
// did. Any other list gives requestors other ranks, by which Cedar texts decide.
func (p *Policy) widensTiers(next *Policy) []Widening {
	same := slices.EqualFunc(p.Tiers, next.Tiers, func(a, b access.Tier) bool { return a.Name == b.Name })
	if !same {
		return []Widening{{What: "adds, drops or moves a tier"}}
	}
	for i, t := range next.Tiers {
		was := p.Tiers[i]
		if t.Limit() > was.Limit() || t.Piece() > was.Piece() || t.Budget() > was.Budget() {
			return []Widening{{What: fmt.Sprintf("shows the tier %s longer excerpts, or more of them", t.Name)}}
		}
		if access.StricterReading(t.Reading, was.Reading) != t.Reading {
			return []Widening{{What: fmt.Sprintf("lets the tier %s read more of papers", t.Name)}}
		}
	}
	return nil
}

// WidensConsent compares the consents in force for an artifact under two policies, of which
// the files are compared by Widens; nil is the default of the policy.
func (p *Policy) WidensConsent(artifact cid.ID, before *access.Consent, next *Policy, after *access.Consent) []Widening {
	b, a := p.consent, next.consent
	if before != nil {
		b = *before
	}
	if after != nil {
		a = *after
	}
	var out []Widening
	if what := newlyAllowed(b, a); what != "" {
		out = append(out, Widening{What: "allows " + what})
	}
	b.Reading, a.Reading = cmp.Or(b.Reading, p.consent.Reading), cmp.Or(a.Reading, next.consent.Reading)
	b.Processing, a.Processing = p.ProcessingOf(&b), next.ProcessingOf(&a)
	out = append(out, widensSecond(b, a, "")...)
	if p.minRank(b.MinTier) > next.minRank(a.MinTier) {
		out = append(out, Widening{What: fmt.Sprintf("is for the tier %s no longer", b.MinTier)})
	}
	for _, label := range b.Sensitive {
		if !slices.Contains(a.Sensitive, label) {
			out = append(out, Widening{What: "drops the label " + label})
		}
	}
	for _, name := range b.Persons {
		if !slices.Contains(a.Persons, name) {
			state := Protection(name, p.Persons)
			out = append(out, Widening{What: fmt.Sprintf("no longer names %s, who is %s", name, state), Aside: state != access.PersonCleared})
		}
	}
	if len(out) == 0 {
		out = p.widensInCedar(artifact, b, next, a)
	}
	return out
}

// widensSecond compares what two consents say of reading, processing and their end; every reading and
// processing has a value. of says of what.
func widensSecond(b, a access.Consent, of string) []Widening {
	var out []Widening
	if access.StricterReading(a.Reading, b.Reading) != a.Reading {
		out = append(out, Widening{What: "lets more be read" + of + ": " + a.Reading})
	}
	if !access.AllowsProcessing(b.Processing, a.Processing) {
		out = append(out, Widening{What: "lets words" + of + " be sent to other programs: " + a.Processing})
	}
	if a.Rights != "" && a.Rights != b.Rights {
		out = append(out, Widening{What: "states rights" + of + " by which others may read it"})
	}
	if b.Until != "" && access.End(a.Until).Compare(access.End(b.Until)) < 0 {
		out = append(out, Widening{What: "ends on " + a.Until + ", not on " + b.Until})
	}
	return out
}

// minRank returns the rank at which a tier begins, above all others for one that the policy
// does not have.
func (p *Policy) minRank(tier string) int {
	if tier == "" {
		return 0
	}
	if rank := p.tierIndex(tier); rank >= 0 {
		return rank
	}
	return len(p.Tiers)
}

// widensInCedar asks the Cedar texts about two consents for every tier and every state of
// persons: a text of the archive's own may forbid what has a dimension and permit what has
// none.
func (p *Policy) widensInCedar(artifact cid.ID, b access.Consent, next *Policy, a access.Consent) []Widening {
	if p.hasDefaultCedar && next.hasDefaultCedar {
		return nil // it only closes more where a consent allows less
	}
	from, to := p.factsOf(b), next.factsOf(a)
	for rank := range p.Tiers {
		for _, who := range []Requestor{{}, {Name: "somebody"}} {
			for _, state := range []string{"", access.PersonAnonymized, access.PersonSealed} {
				from.sealed, from.anonymized = state == access.PersonSealed, state == access.PersonAnonymized
				to.sealed, to.anonymized = from.sealed, from.anonymized
				if rank >= len(next.Tiers) || who.Name == "" && rank > 0 {
					continue
				}
				was, _ := p.permits(who, rank, artifact, from)
				is, _ := next.permits(who, rank, artifact, to)
				for i, action := range actions {
					if is[i] && !was[i] {
						return []Widening{{What: fmt.Sprintf("allows %s to the tier %s by the Cedar text", action, next.Tiers[rank].Name)}}
					}
				}
			}
		}
	}
	return nil
}

// permits returns which actions consent and Cedar text both allow, and why not the others.
func (p *Policy) permits(who Requestor, rank int, artifact cid.ID, f facts) ([3]bool, []string) {
	out, reasons := p.instructed(f, rank)
	for i, a := range actions {
		if decision, diag := p.evaluate(who, rank, artifact, f, a); decision == cedar.Deny || len(diag.Errors) > 0 {
			out[i], reasons = false, append(reasons, p.because(a, diag)...)
		}
		out[i] = out[i] && (i == 0 || out[i-1])
	}
	return out, reasons
}

// personStates are the states of persons, the most open first.
var personStates = []string{access.PersonCleared, access.PersonAnonymized, access.PersonSealed}

// widensPersons compares the lists of persons. Which person a text means depends on all names
// of the list, as the longest name at a place is meant: a new name takes the places of the
// names that it shares a word or an initial with. So a list shows nobody more where everybody
// of the one before is in it, at the same place and at least as strictly, and where whatever is
// new is sealed, or shares nothing with a name that is treated more strictly.
func (p *Policy) widensPersons(next *Policy) []Widening {
	modes := []string{access.ThirdPartiesOpen, access.ThirdPartiesListed, access.ThirdPartiesStrict}
	if slices.Index(modes, next.Persons.ThirdParties) < slices.Index(modes, p.Persons.ThirdParties) {
		return []Widening{{What: "treats persons who are not listed less strictly"}}
	}
	var out []Widening
	for i, one := range p.Persons.Persons {
		if i >= len(next.Persons.Persons) || next.Persons.Persons[i].Name != one.Name {
			return append(out, Widening{What: fmt.Sprintf("takes %s (%s) from the place in the list of persons", one.Name, one.State)})
		}
		out = append(out, widensPerson(one, next.Persons.Persons[i])...)
	}
	for i, one := range next.Persons.Persons {
		var old access.Person
		if i < len(p.Persons.Persons) {
			old = p.Persons.Persons[i]
		}
		if old.State == one.State && slices.Equal(old.Aliases, one.Aliases) && slices.Equal(old.Not, one.Not) {
			continue
		}
		if w := p.overshadows(next, one); w != nil {
			out = append(out, *w)
		}
	}
	return out
}

// widensPerson compares what two lists say of one person.
func widensPerson(before, after access.Person) []Widening {
	if slices.Index(personStates, after.State) < slices.Index(personStates, before.State) {
		return []Widening{{What: fmt.Sprintf("treats %s as %s, who is %s", before.Name, after.State, before.State)}}
	}
	for _, alias := range before.Aliases {
		if !slices.Contains(after.Aliases, alias) {
			return []Widening{{What: fmt.Sprintf("no longer knows %s (%s) as %s", before.Name, before.State, alias)}}
		}
	}
	for _, name := range after.Not {
		isOwn := isOfName(name, before)
		if !slices.Contains(before.Not, name) && (before.State == access.PersonSealed || isOwn && before.State != access.PersonCleared) {
			return []Widening{{What: fmt.Sprintf("says that %s is not %s (%s)", name, before.Name, before.State), Aside: !isOwn}}
		}
	}
	return nil
}

// overshadows returns how a person who is new in next, or has another state or alias there,
// keeps a text from being recognised as one about somebody who is treated more strictly; nil
// where that cannot be.
func (p *Policy) overshadows(next *Policy, one access.Person) *Widening {
	state := slices.Index(personStates, one.State)
	if p.Persons.ThirdParties == access.ThirdPartiesStrict && one.State != access.PersonSealed {
		return &Widening{What: fmt.Sprintf("treats %s as %s, and whoever was not cleared was sealed", one.Name, one.State)}
	}
	for _, other := range p.Persons.Persons {
		if other.Name == one.Name || slices.Index(personStates, other.State) <= state || !shareLetters(namesOf(one), namesOf(other)) {
			continue
		}
		return &Widening{What: fmt.Sprintf("lists %s as %s, which may be read for %s, who is %s", one.Name, one.State, other.Name, other.State),
			Aside: p.unseals(next, other)}
	}
	return nil
}

func namesOf(p access.Person) []string { return append([]string{p.Name}, p.Aliases...) }

// unseals reports whether a text that writes the name of a person out is treated less
// strictly by next.
func (p *Policy) unseals(next *Policy, person access.Person) bool {
	for _, name := range namesOf(person) {
		for _, text := range []string{name, name + "'s", name + "’s", name + "s", "Mr. " + name, "Mrs. " + name} {
			if next.Recognised(text) < p.Recognised(text) {
				return true
			}
		}
	}
	return false
}

// Recognised returns how strictly a text is treated for the persons whom it names: 0 where
// all may be spoken of, 1 where one is anonymized, 2 where one is sealed.
func (p *Policy) Recognised(text string) int {
	most := 0
	for _, name := range p.mentions(text, true, nil) {
		most = max(most, slices.Index(personStates, Protection(name, p.Persons)))
	}
	return most
}

// shareLetters reports whether a word of one list of names begins with the letter that a word
// of the other begins with. Names that do not cannot be found at one place of a text: what is
// found are their words and initials, after a title. A name that has no letter or a title in
// it shares a place with every other.
func shareLetters(names, others []string) bool {
	a, all := initials(names)
	b, every := initials(others)
	if all || every {
		return true
	}
	for r := range a {
		if b[r] {
			return true
		}
	}
	return false
}

// initials returns the first letters of the words of names, in one case. all means that one
// of them may stand anywhere.
func initials(names []string) (first map[rune]bool, all bool) {
	first = map[rune]bool{}
	for _, name := range names {
		words := strings.FieldsFunc(name, func(r rune) bool { return !wordRune(r) })
		for _, w := range words {
			r, _ := utf8.DecodeRuneInString(plainForm(w).text) // a letter may be printed without its marks
			first[unicode.ToLower(unicode.ToUpper(r))] = true
			all = all || lexicon.Title.Has(strings.ToLower(w))
		}
		all = all || len(words) == 0
	}
	return first, all
}
