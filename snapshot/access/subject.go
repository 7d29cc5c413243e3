package access

import (
	"errors"
	"fmt"

	"muniment/snapshot/edtf"
	"muniment/snapshot/member"
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

// Names returns the names of the subject, its own first; nil for an archive of nobody in particular.
func (s *Subject) Names() []string {
	if s.Name == "" {
		return nil
	}
	return append([]string{s.Name}, s.Aliases...)
}

// firstType returns the type of the first version that can hold the subject.
func (s *Subject) firstType() string {
	for _, d := range []string{s.Born, s.Died, s.CoversFrom, s.CoversTo} {
		if d != "" && member.Day("", d) != nil {
			return TypeSecondSubject
		}
	}
	return TypeSubject
}

// Encode returns the canonical bytes of s after checking it.
func (s Subject) Encode() ([]byte, error) {
	return member.Encode(&s, &s.Type, s.firstType(), (*Subject).check)
}

// ParseSubject reads the output of Encode and nothing else.
func ParseSubject(data []byte) (*Subject, error) {
	return member.ParseEither(data, TypeSubject, TypeSecondSubject, (*Subject).check)
}

func (s *Subject) check() error {
	when := member.Day
	if s.Type == TypeSecondSubject {
		when = member.Date
	}
	err := errors.Join(
		member.Optional("name", s.Name, member.Line),
		member.Texts("aliases", s.Aliases),
		member.Optional("born", s.Born, when),
		member.Optional("died", s.Died, when),
		member.Optional("covers_from", s.CoversFrom, when),
		member.Optional("covers_to", s.CoversTo, when),
	)
	switch {
	case err != nil:
		return member.FirstOf(err)
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
