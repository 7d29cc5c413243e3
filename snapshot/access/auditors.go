package access

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/snapshot/member"
)

// scopeWord matches the name of a scope, which names a file in every bundle.
var scopeWord = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// LeafKinds are the kinds of bundle leaf that may be withheld from a display
// and therefore assigned to a scope. Refusals, removed topics and the display
// leaf are always disclosed; padding follows the scope that holds all others.
var LeafKinds = []string{"chunk", "cite", "claim", "gate", "source"}

// Auditors are the scopes of the archive's auditors: who can open what an
// answer withholds.
type Auditors struct {
	Type   string  `json:"type"` // TypeAuditors or TypeSecondAuditors; set by Encode
	Scopes []Scope `json:"scopes"`
}

// MaxSharing is the most recipients of a scope with a threshold: every group
// that can open it has a file of its own, ten for two of five.
const MaxSharing = 5

// A Scope is a group of auditors and the leaf kinds sealed for them.
type Scope struct {
	Name       string   `json:"name"`              // a short lower case word
	Holds      []string `json:"holds,omitempty"`   // of LeafKinds; empty for all that no other scope holds
	Recipients []string `json:"recipients"`        // age recipients; each opens the scope alone, unless Threshold says more
	Default    bool     `json:"default,omitempty"` // made with the archive; the first scope enrolled takes its place

	// Threshold is how many of the recipients must come together, 2 to all of
	// them; 0 when each opens the scope alone.
	Threshold int `json:"threshold,omitempty"`
}

// Encode returns the canonical bytes of a after checking it.
func (a Auditors) Encode() ([]byte, error) {
	typ := TypeAuditors
	if slices.ContainsFunc(a.Scopes, func(s Scope) bool { return s.Threshold > 0 }) {
		typ = TypeSecondAuditors
	}
	a.Type = ""
	return member.Encode(&a, &a.Type, typ, (*Auditors).check)
}

// ParseAuditors reads the output of Encode and nothing else.
func ParseAuditors(data []byte) (*Auditors, error) {
	return member.ParseEither(data, TypeAuditors, TypeSecondAuditors, (*Auditors).check)
}

func (a *Auditors) check() error {
	names, kinds, general := map[string]bool{}, map[string]bool{}, 0
	for i, s := range a.Scopes {
		if err := s.check(kinds); err != nil {
			return fmt.Errorf("scopes[%d]: %w", i, err)
		}
		if names[s.Name] {
			return fmt.Errorf("scopes has %q twice", s.Name)
		}
		names[s.Name] = true
		if len(s.Holds) == 0 {
			general++
		}
	}
	if len(a.Scopes) > 0 && general != 1 {
		return fmt.Errorf("%d scopes hold everything that no other scope holds, want exactly one", general)
	}
	return nil
}

// check checks a scope; kinds collects what the scopes before it hold.
func (s *Scope) check(kinds map[string]bool) error {
	if !scopeWord.MatchString(s.Name) {
		return fmt.Errorf("name is %q, want a short lower case word", s.Name)
	}
	for _, k := range s.Holds {
		switch {
		case member.OneOf("holds", k, LeafKinds...) != nil:
			return member.OneOf("holds", k, LeafKinds...)
		case kinds[k]:
			return fmt.Errorf("holds has %q, which this scope or an earlier one holds already", k)
		}
		kinds[k] = true
	}
	if len(s.Recipients) == 0 {
		return errors.New("recipients is empty: nobody could open the scope")
	}
	if s.Threshold != 0 && (s.Threshold < 2 || s.Threshold > len(s.Recipients) || len(s.Recipients) > MaxSharing) {
		return fmt.Errorf("threshold is %d of %d recipients, want 2 or more of at most %d, or none", s.Threshold, len(s.Recipients), MaxSharing)
	}
	for _, r := range s.Recipients {
		if !strings.HasPrefix(r, "age1") || strings.ContainsFunc(r, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < '0' || c > '9')
		}) {
			return fmt.Errorf("recipient %q is not an age recipient", r)
		}
	}
	return member.Texts("recipients", s.Recipients)
}
