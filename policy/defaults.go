package policy

import (
	_ "embed"
	"fmt"
	"strings"

	"muniment/snapshot/record"
)

// cedarDefault is the Cedar text of a new archive.
//
//go:embed default.cedar
var cedarDefault []byte

// DefaultTiers are the tiers of a new archive, lowest first, with their
// excerpts in code points: a sentence, a paragraph, half a page.
func DefaultTiers() []record.Tier {
	return []record.Tier{{Name: "public", Excerpt: 140}, {Name: "researcher", Excerpt: 280}, {Name: "family", Excerpt: 500}}
}

// Defaults are the choices of a new archive's policy. The zero Defaults are
// good: open consent, listed third parties, nobody listed, the default tiers,
// no auditors.
type Defaults struct {
	Consent      string         // record.ConsentOpen or record.ConsentClosed; "" is open
	ThirdParties string         // record.ThirdPartiesOpen, …Listed or …Strict; "" is listed
	Subject      record.Subject // the zero Subject names nobody
	Persons      []record.Person
	Tiers        []record.Tier  // nil for DefaultTiers
	Auditors     []record.Scope // nil writes no auditors file
}

// DefaultFiles returns the files of a new archive's policy by path, which
// Load accepts. A choice that a file cannot hold is an error.
func DefaultFiles(o Defaults) (map[string][]byte, error) {
	if o.Consent == "" {
		o.Consent = record.ConsentOpen
	}
	if o.ThirdParties == "" {
		o.ThirdParties = record.ThirdPartiesListed
	}
	if o.Tiers == nil {
		o.Tiers = DefaultTiers()
	}
	if o.Persons == nil {
		o.Persons = []record.Person{}
	}
	files := map[string][]byte{record.PathCedar: append([]byte(nil), cedarDefault...)}
	for _, f := range []struct {
		path   string
		encode func() ([]byte, error)
	}{
		{record.PathSubject, o.Subject.Encode},
		{record.PathPersons, record.Persons{ThirdParties: o.ThirdParties, Persons: o.Persons}.Encode},
		{record.PathConsent, record.ConsentDefault{Default: o.Consent}.Encode},
		{record.PathTiers, record.Tiers{Tiers: o.Tiers}.Encode},
		{record.PathAuditors, record.Auditors{Scopes: o.Auditors}.Encode},
	} {
		if f.path == record.PathAuditors && o.Auditors == nil {
			continue
		}
		data, err := f.encode()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		files[f.path] = data
	}
	return files, nil
}

// A Preset is a named choice of the four dimensions of consent.
type Preset struct {
	Name                                     string
	Inclusion, Surfacing, Display, Existence bool
	Says                                     string // what it means for a requestor
}

// Presets lists the presets, the most open first.
func Presets() []Preset {
	return []Preset{
		{"open", true, true, true, true, "answers may rest on it and show its words"},
		{"auditor-only", true, true, false, true, "answers may rest on it; only auditors see its words"},
		{"hidden", true, true, false, false, "questions are answered as if it were not there; auditors see that it was found"},
		{"closed", true, false, false, false, "it is kept, and no answer rests on it"},
	}
}

// FindPreset returns the preset of a name.
func FindPreset(name string) (Preset, error) {
	var names []string
	for _, p := range Presets() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fmt.Errorf("preset %.40q, want one of %s", name, strings.Join(names, ", "))
}

// Apply returns c with the four dimensions of the preset.
func (p Preset) Apply(c record.Consent) record.Consent {
	c.Inclusion, c.Surfacing, c.Display, c.Existence = p.Inclusion, p.Surfacing, p.Display, p.Existence
	return c
}
