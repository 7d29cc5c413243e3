package access

import (
	"errors"
	"fmt"
	"slices"

	"muniment/snapshot/member"
)

// The values of Persons.ThirdParties.
const (
	ThirdPartiesOpen   = "open"   // nobody is gated
	ThirdPartiesListed = "listed" // listed persons are gated by their state
	ThirdPartiesStrict = "strict" // everybody is gated who is not cleared
)

// The values of Person.State.
const (
	PersonCleared    = "cleared"    // may be spoken of
	PersonAnonymized = "anonymized" // may be spoken of without the name
	PersonSealed     = "sealed"     // may not be spoken of
)

// Persons lists the third parties that an answer must treat with care.
type Persons struct {
	Type         string   `json:"type"`          // TypePersons or TypeSecondPersons; set by Encode
	ThirdParties string   `json:"third_parties"` // open, listed or strict
	Persons      []Person `json:"persons"`
}

// A Person is a third party.
type Person struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	State   string   `json:"state"` // cleared, anonymized or sealed

	// The members of TypeSecondPersons.
	Born      string     `json:"born,omitempty"` // these two are days, or dates of EDTF
	Died      string     `json:"died,omitempty"`
	Relations []Relation `json:"relations,omitempty"`
	Not       []string   `json:"not,omitempty"` // names that are another person's, or a place's
}

// A Relation says what a person is to another one.
type Relation struct {
	Is string `json:"is"` // "mother", "neighbour"
	Of string `json:"of"` // the name of the other person, who need not be listed
}

// isFirst reports whether the first version holds all that is said of the person.
func (p Person) isFirst() bool {
	return p.Born == "" && p.Died == "" && len(p.Relations) == 0 && len(p.Not) == 0
}

// check validates the members of a person.
func (p Person) check() error {
	err := errors.Join(member.Line("name", p.Name), member.Texts("aliases", p.Aliases), member.OneOf("state", p.State, PersonCleared, PersonAnonymized, PersonSealed),
		member.Optional("born", p.Born, member.Date), member.Optional("died", p.Died, member.Date), member.Texts("not", p.Not))
	for i, r := range p.Relations {
		err = errors.Join(err, member.Line(fmt.Sprintf("relations[%d].is", i), r.Is), member.Line(fmt.Sprintf("relations[%d].of", i), r.Of))
	}
	switch {
	case err != nil:
		return member.FirstOf(err)
	case isBefore(p.Died, p.Born):
		return fmt.Errorf("died is %s, want a date that is not before born %s", p.Died, p.Born)
	}
	for _, n := range p.Not {
		if n == p.Name || slices.Contains(p.Aliases, n) {
			return fmt.Errorf("not has %q, want no name of the person", n)
		}
	}
	return nil
}

// Encode returns the canonical bytes of p after checking it.
func (p Persons) Encode() ([]byte, error) {
	p.Type = p.firstType()
	return member.Encode(&p, &p.Type, p.Type, (*Persons).check)
}

// firstType returns the type of the first version that can hold the list.
func (p *Persons) firstType() string {
	if slices.ContainsFunc(p.Persons, func(one Person) bool { return !one.isFirst() }) {
		return TypeSecondPersons
	}
	return TypePersons
}

// ParsePersons reads the output of Encode and nothing else.
func ParsePersons(data []byte) (*Persons, error) {
	return member.ParseEither(data, TypePersons, TypeSecondPersons, (*Persons).check)
}

func (p *Persons) check() error {
	if err := member.OneOf("third_parties", p.ThirdParties, ThirdPartiesOpen, ThirdPartiesListed, ThirdPartiesStrict); err != nil {
		return err
	}
	if want := p.firstType(); p.Type != want {
		return fmt.Errorf("type is %q, want %q", p.Type, want)
	}
	seen := map[string]bool{}
	for i, one := range p.Persons {
		if err := one.check(); err != nil {
			return fmt.Errorf("persons[%d]: %w", i, err)
		}
		if seen[one.Name] {
			return fmt.Errorf("persons has %q twice", one.Name)
		}
		seen[one.Name] = true
	}
	return nil
}
