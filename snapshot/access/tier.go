package access

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"muniment/snapshot/member"
)

// tierWord matches the name of a tier.
var tierWord = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,30}$`)

// Tiers are the requestor tiers of an archive, lowest first. A requestor who
// is not named has the first.
type Tiers struct {
	Type  string `json:"type"` // TypeTiers or TypeSecondTiers; set by Encode
	Tiers []Tier `json:"tiers"`
}

// A Tier is a group of requestors.
type Tier struct {
	Name    string `json:"name"`
	Excerpt int    `json:"excerpt"` // longest excerpt shown, in code points; 0 shows none

	// Daily is how many code points a requestor is shown in a day that it has
	// not seen before; 0 is ExcerptsADay excerpts.
	Daily int `json:"daily,omitempty"`

	// The members of TypeSecondTiers.
	Uncapped bool   `json:"uncapped,omitempty"` // an excerpt is as long as what supports the claim; Excerpt is 0
	Reading  string `json:"reading,omitempty"`  // of Readings: the most that this tier reads of any paper; "" is no limit
}

// ExcerptsADay is how many excerpts of full length a day's budget pays for where
// a tier does not say otherwise: 50 ordinary questions, some of which take more
// than one. Ten days of it at 280 code points are 3.3 % of a diary of six
// million.
const ExcerptsADay = 72

// UsualExcerpt is the length of an excerpt, in code points, by which the budget and the pieces of
// a tier without a cap are reckoned: two sentences of a letter, one of an old diary.
const UsualExcerpt = 280

// Unlimited is the limit of a tier without a cap: more code points than any text has. Its
// multiples by a small factor fit into 32 bits.
const Unlimited = 1 << 28

// Limit returns the longest excerpt, in code points; Unlimited for a tier without a cap.
func (t Tier) Limit() int {
	if t.Uncapped {
		return Unlimited
	}
	return t.Excerpt
}

// Piece returns how many code points of a paper the tier reads in one piece where it reads
// excerpts.
func (t Tier) Piece() int { return min(t.Limit(), max(t.Excerpt, UsualExcerpt)) }

// Budget is how many code points of the day the tier pays for, of papers that it may not read whole.
func (t Tier) Budget() int {
	switch {
	case t.Daily > 0:
		return t.Daily
	case t.Uncapped:
		return ExcerptsADay * UsualExcerpt
	}
	return ExcerptsADay * t.Excerpt
}

// firstType returns the type of the first version that can hold the tiers.
func (t *Tiers) firstType() string {
	if slices.ContainsFunc(t.Tiers, func(one Tier) bool { return one.Uncapped || one.Reading != "" }) {
		return TypeSecondTiers
	}
	return TypeTiers
}

// Encode returns the canonical bytes of t after checking it.
func (t Tiers) Encode() ([]byte, error) {
	t.Type = t.firstType()
	return member.Encode(&t, &t.Type, t.Type, (*Tiers).check)
}

// ParseTiers reads the output of Encode and nothing else.
func ParseTiers(data []byte) (*Tiers, error) {
	return member.ParseEither(data, TypeTiers, TypeSecondTiers, (*Tiers).check)
}

func (t *Tiers) check() error {
	if want := t.firstType(); t.Type != want {
		return fmt.Errorf("type is %q, want %q", t.Type, want)
	}
	if len(t.Tiers) == 0 {
		return errors.New("tiers is empty, want at least one")
	}
	seen := map[string]bool{}
	for i, one := range t.Tiers {
		switch {
		case !tierWord.MatchString(one.Name):
			return fmt.Errorf("tiers[%d].name is %q, want a short lower case word", i, one.Name)
		case seen[one.Name]:
			return fmt.Errorf("tiers has %q twice", one.Name)
		case one.Excerpt < 0:
			return fmt.Errorf("tiers[%d].excerpt is %d, want 0 or more code points", i, one.Excerpt)
		case one.Daily < 0:
			return fmt.Errorf("tiers[%d].daily is %d, want 0 or more code points", i, one.Daily)
		case one.Uncapped && one.Excerpt != 0:
			return fmt.Errorf("tiers[%d].excerpt is %d, want 0 with uncapped", i, one.Excerpt)
		case one.Reading != "" && !slices.Contains(Readings, one.Reading):
			return reading(fmt.Sprintf("tiers[%d].reading", i), one.Reading)
		}
		seen[one.Name] = true
	}
	return nil
}

// Freeform names the tiers whose requestors may be given text that cites
// nothing, under a profile that has it too. An archive without one allows
// nobody.
type Freeform struct {
	Type  string   `json:"type"` // TypeFreeform; set by Encode when empty
	Tiers []string `json:"tiers"`
}

// Encode returns the canonical bytes of f after checking it.
func (f Freeform) Encode() ([]byte, error) {
	return member.Encode(&f, &f.Type, TypeFreeform, (*Freeform).check)
}

// ParseFreeform reads the output of Encode and nothing else.
func ParseFreeform(data []byte) (*Freeform, error) {
	return member.Parse(data, TypeFreeform, (*Freeform).check)
}

func (f *Freeform) check() error {
	for i, name := range f.Tiers {
		if !tierWord.MatchString(name) {
			return fmt.Errorf("tiers[%d] is %q, want the name of a tier", i, name)
		}
	}
	return member.Texts("tiers", f.Tiers)
}
