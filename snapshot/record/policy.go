package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/snapshot/edtf"
)

// A Subject is the person, or the body, whose papers the archive holds.
type Subject struct {
	Type       string   `json:"type"` // TypeSubject or TypeSecondSubject; set by Encode when empty
	Name       string   `json:"name"` // "" for an archive of nobody in particular
	Aliases    []string `json:"aliases,omitempty"`
	Born       string   `json:"born,omitempty"` // these four are days, or dates of EDTF (TypeSecondSubject)
	Died       string   `json:"died,omitempty"`
	CoversFrom string   `json:"covers_from,omitempty"`
	CoversTo   string   `json:"covers_to,omitempty"`
}

// firstType returns the type of the first version that can hold the subject.
func (s *Subject) firstType() string {
	for _, d := range []string{s.Born, s.Died, s.CoversFrom, s.CoversTo} {
		if d != "" && day("", d) != nil {
			return TypeSecondSubject
		}
	}
	return TypeSubject
}

// Encode returns the canonical bytes of s after checking it.
func (s Subject) Encode() ([]byte, error) { return encode(&s, &s.Type, s.firstType()) }

// ParseSubject reads the output of Encode and nothing else.
func ParseSubject(data []byte) (*Subject, error) {
	return parseEither[Subject](data, TypeSubject, TypeSecondSubject)
}

func (s *Subject) check() error {
	when := day
	if s.Type == TypeSecondSubject {
		when = date
	}
	err := errors.Join(
		optional("name", s.Name, line),
		texts("aliases", s.Aliases),
		optional("born", s.Born, when),
		optional("died", s.Died, when),
		optional("covers_from", s.CoversFrom, when),
		optional("covers_to", s.CoversTo, when),
	)
	switch {
	case err != nil:
		return first(err)
	case s.Type != s.firstType():
		return fmt.Errorf("type is %q, want %q: no date in it needs a later version", s.Type, s.firstType())
	case s.Name == "" && len(s.Aliases) > 0:
		return errors.New("aliases of nobody: name is empty")
	case isBefore(s.Died, s.Born):
		return fmt.Errorf("died %s is before born %s", s.Died, s.Born)
	case isBefore(s.CoversTo, s.CoversFrom):
		return fmt.Errorf("covers_to %s is before covers_from %s", s.CoversTo, s.CoversFrom)
	}
	return nil
}

// isBefore reports whether a date lies before another one as a whole. A date that
// is absent lies before none.
func isBefore(date, other string) bool {
	d, err1 := edtf.Parse(date)
	e, err2 := edtf.Parse(other)
	return err1 == nil && err2 == nil && d.Before(e)
}

var (
	// scopeWord is what a scope may be called: it names a file in every bundle.
	scopeWord = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)
	tierWord  = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,30}$`)
)

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
	return encode(&a, &a.Type, typ)
}

// ParseAuditors reads the output of Encode and nothing else.
func ParseAuditors(data []byte) (*Auditors, error) {
	return parseEither[Auditors](data, TypeAuditors, TypeSecondAuditors)
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
		case among("holds", k, LeafKinds...) != nil:
			return among("holds", k, LeafKinds...)
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
	return texts("recipients", s.Recipients)
}

// Freeform names the tiers whose requestors may be given text that cites
// nothing, under a profile that has it too. An archive without one allows
// nobody.
type Freeform struct {
	Type  string   `json:"type"` // TypeFreeform; set by Encode when empty
	Tiers []string `json:"tiers"`
}

// Encode returns the canonical bytes of f after checking it.
func (f Freeform) Encode() ([]byte, error) { return encode(&f, &f.Type, TypeFreeform) }

// ParseFreeform reads the output of Encode and nothing else.
func ParseFreeform(data []byte) (*Freeform, error) { return parse[Freeform](data, TypeFreeform) }

func (f *Freeform) check() error {
	for i, name := range f.Tiers {
		if !tierWord.MatchString(name) {
			return fmt.Errorf("tiers[%d] is %q, want the name of a tier", i, name)
		}
	}
	return texts("tiers", f.Tiers)
}

// MaxProfile is the longest profile in bytes: one that comes with the program has a
// fortieth.
const MaxProfile = 64 << 10

// ProfileTypes are the type members that a profile may have, the newest first. Its
// other members are known to those who go by it.
var ProfileTypes = []string{"muniment/profile/v4", "muniment/profile/v3", "muniment/profile/v2", "muniment/profile/v1"}

// ProfilePath returns where an archive's own profile lies.
func ProfilePath(name string) string { return PathProfiles + name + ".json" }
