package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// persons is a list of third parties that came, changed or went.
func (w *stepper) persons(old, blob objects.Hash) error {
	before, err := readPersons(w.get, old)
	if err != nil {
		return err
	}
	after, err := readPersons(w.get, blob)
	if err == nil && loosensPersons(before, after) {
		w.addAct(layout.PathPersons, "loosens the list of persons")
	}
	return err
}

// readPersons reads a list; without one, nobody is listed.
func readPersons(get Getter, blob objects.Hash) (*access.Persons, error) {
	if blob.IsZero() {
		return &access.Persons{ThirdParties: access.ThirdPartiesListed}, nil
	}
	data, err := getBlob(get, blob)
	if err != nil {
		return nil, err
	}
	p, err := access.ParsePersons(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", layout.PathPersons, err)
	}
	return p, nil
}

// Who is gated, and how strictly.
var (
	thirdParties = []string{access.ThirdPartiesOpen, access.ThirdPartiesListed, access.ThirdPartiesStrict}
	personStates = []string{access.PersonCleared, access.PersonAnonymized, access.PersonSealed}
)

// loosensPersons reports whether after lets anybody be spoken of whom before
// does not: the rule for third parties is weaker, or a name of either list has
// a weaker state than it had.
func loosensPersons(before, after *access.Persons) bool {
	if slices.Index(thirdParties, after.ThirdParties) < slices.Index(thirdParties, before.ThirdParties) {
		return true
	}
	for _, list := range []*access.Persons{before, after} {
		for _, one := range list.Persons {
			for _, name := range append([]string{one.Name}, one.Aliases...) {
				if strictness(name, after, false) < strictness(name, before, list == after) {
					return true
				}
			}
		}
	}
	return deniesNames(before, after)
}

// deniesNames reports whether after says of words of a protected person's own names that they
// are another's, which before did not say.
func deniesNames(before, after *access.Persons) bool {
	for _, one := range after.Persons {
		i := slices.IndexFunc(before.Persons, func(p access.Person) bool { return p.Name == one.Name })
		if i < 0 || before.Persons[i].State == access.PersonCleared || before.ThirdParties == access.ThirdPartiesOpen {
			continue
		}
		own := strings.Fields(strings.ToLower(strings.Join(append([]string{one.Name}, one.Aliases...), " ")))
		for _, name := range one.Not {
			isForeign := func(w string) bool { return !slices.Contains(own, w) }
			if !slices.Contains(before.Persons[i].Not, name) && !slices.ContainsFunc(strings.Fields(strings.ToLower(name)), isForeign) {
				return true
			}
		}
	}
	return false
}

// strictness returns how strictly a name is gated: the index of its state. The
// longest name at a place is the one that is meant there, so that a name that
// is new was gated as the names within it were.
func strictness(name string, list *access.Persons, within bool) int {
	if list.ThirdParties == access.ThirdPartiesOpen {
		return 0
	}
	most, listed := 0, false
	inside := 0
	for _, one := range list.Persons {
		state := slices.Index(personStates, one.State)
		for _, n := range append([]string{one.Name}, one.Aliases...) {
			switch {
			case strings.EqualFold(n, name):
				most, listed = max(most, state), true
			case within && containsWords(name, n):
				inside = max(inside, state)
			}
		}
	}
	switch {
	case listed:
		return most
	case list.ThirdParties == access.ThirdPartiesStrict:
		return len(personStates) - 1 // whoever is not cleared
	}
	return inside
}

// containsWords reports whether name contains the words of part, in a row and in any case.
func containsWords(name, part string) bool {
	words := func(s string) string { return " " + strings.Join(strings.Fields(strings.ToLower(s)), " ") + " " }
	return strings.Contains(words(name), words(part))
}

// loosensLabels reports whether a consent default treats artifacts with a label
// less strictly than the one before it.
func loosensLabels(get Getter, old, blob objects.Hash) (bool, error) {
	var rules [2]access.ConsentDefault
	for i, h := range []objects.Hash{old, blob} {
		if h.IsZero() {
			continue
		}
		data, err := getBlob(get, h)
		if err != nil {
			return false, err
		}
		d, err := access.ParseConsentDefault(data)
		if err != nil {
			return false, fmt.Errorf("%s: %w", layout.PathConsent, err)
		}
		rules[i] = *d
	}
	strictness := func(r access.ConsentDefault, kind string) int {
		return slices.Index(access.SensitiveRules, r.Rule(kind))
	}
	return slices.ContainsFunc(access.SensitiveKinds, func(kind string) bool {
		return strictness(rules[1], kind) < strictness(rules[0], kind)
	}), nil
}

// tiers is a list of tiers that came, changed or went. A first one is
// compared with nothing.
func (w *stepper) tiers(old, blob objects.Hash) error {
	if old.IsZero() {
		return nil
	}
	if blob.IsZero() {
		w.addAct(layout.PathTiers, "drops the tiers")
		return nil
	}
	var lists [2]*access.Tiers
	for i, h := range []objects.Hash{old, blob} {
		data, err := getBlob(w.get, h)
		if err != nil {
			return err
		}
		if lists[i], err = access.ParseTiers(data); err != nil {
			return fmt.Errorf("%s: %w", layout.PathTiers, err)
		}
	}
	if loosensTiers(lists[0].Tiers, lists[1].Tiers) {
		w.addAct(layout.PathTiers, "loosens the tiers")
	}
	return nil
}

// loosensTiers reports whether after shows a requestor more than before does: a
// tier is gone, shows a longer excerpt or has changed its place among the
// others, or whoever is not named gets a longer excerpt.
func loosensTiers(before, after []access.Tier) bool {
	if showsMore(before[0], after[0]) {
		return true
	}
	place, found := -1, 0
	for _, t := range after {
		i := slices.IndexFunc(before, func(b access.Tier) bool { return b.Name == t.Name })
		if i < 0 {
			continue
		}
		if found++; i < place || showsMore(before[i], t) {
			return true
		}
		place = i
	}
	return found < len(before)
}

// showsMore reports whether a tier is shown longer excerpts, more of them, or more of a paper than another.
func showsMore(before, after access.Tier) bool {
	return after.Limit() > before.Limit() || after.Budget() > before.Budget() || access.StricterReading(after.Reading, before.Reading) != after.Reading
}

// freeform is a list of tiers that may be given uncited text.
func (w *stepper) freeform(old, blob objects.Hash) error {
	var allowed [2][]string
	for i, h := range []objects.Hash{old, blob} {
		if h.IsZero() {
			continue
		}
		data, err := getBlob(w.get, h)
		if err != nil {
			return err
		}
		f, err := access.ParseFreeform(data)
		if err != nil {
			return fmt.Errorf("%s: %w", layout.PathFreeform, err)
		}
		allowed[i] = f.Tiers
	}
	for _, tier := range allowed[1] {
		if !slices.Contains(allowed[0], tier) {
			w.addAct(layout.PathFreeform, "lets a tier be given text that cites nothing")
			return nil
		}
	}
	return nil
}

// ruleAt names the file of a policy of which no change can be told to be a
// tighter one, and is empty for every other.
func ruleAt(path string) string {
	switch {
	case path == layout.PathCedar:
		return "the Cedar text"
	case path == layout.PathSubject:
		return "the subject"
	case path == layout.PathAuditors:
		return "the auditors"
	case strings.HasPrefix(path, layout.PathProfiles):
		return "a profile"
	}
	return ""
}

// trust adds the act of changing a file below trust/. What the file says makes no
// difference: whoever could change it unasked could admit strangers or shut the
// owner out.
func (w *stepper) trust(path string, old, blob objects.Hash) error {
	what := "changes the trust root"
	switch {
	case path != layout.PathAllowedSigners:
	case old.IsZero():
		what = "begins a list of allowed signers"
	case blob.IsZero():
		what = "drops the allowed signers"
	default:
		what = "changes the allowed signers"
		more, err := w.givesWithdraw(old, blob)
		if err != nil {
			return err
		}
		if more {
			what = "gives a key the role withdraw"
		}
	}
	w.step.Acts = append(w.step.Acts, Act{Path: path, What: what, Trust: true})
	return nil
}

// givesWithdraw reports whether a list of allowed signers has a key with the role
// withdraw that the list before it did not have in that role.
func (w *stepper) givesWithdraw(old, blob objects.Hash) (bool, error) {
	var files [2]*sign.AllowedSigners
	for i, h := range []objects.Hash{old, blob} {
		data, err := getBlob(w.get, h)
		if err != nil {
			return false, err
		}
		if files[i], err = sign.ParseAllowedSigners(data); err != nil {
			return false, fmt.Errorf("%s: %w", layout.PathAllowedSigners, err)
		}
	}
	for _, e := range files[1].Entries() {
		_, before := files[0].Allows(e.Key, sign.NamespaceWithdraw, e.Archive)
		if _, after := files[1].Allows(e.Key, sign.NamespaceWithdraw, e.Archive); after && !before {
			return true, nil
		}
	}
	return false, nil
}
