package policy

import (
	_ "embed"
	"fmt"
	"strings"

	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// cedarDefault is the Cedar text of a new archive.
//
//go:embed default.cedar
var cedarDefault []byte

// DefaultTiers are the tiers of a new archive, lowest first, without a cap: an excerpt is as
// long as what supports a claim. Of papers that a tier may not read whole it is shown so many
// code points a day: 72 pieces of two sentences, paragraphs, or pages.
func DefaultTiers() []access.Tier {
	return []access.Tier{{Name: "public", Uncapped: true}, {Name: "researcher", Uncapped: true, Daily: 36_000}, {Name: "family", Uncapped: true, Daily: 72_000}}
}

// personTiers are the tiers of a new archive about a person: whoever is not of the family reads
// excerpts.
func personTiers() []access.Tier {
	tiers := DefaultTiers()
	for i := range tiers[:len(tiers)-1] {
		tiers[i].Reading = access.ReadingExcerpts
	}
	return tiers
}

// Defaults are the choices of a new archive's policy. The zero Defaults are
// good: open consent, papers that everybody reads whole, listed third parties, nobody listed,
// the default tiers, no auditors. With a subject all but the highest tier read excerpts.
type Defaults struct {
	Consent      string         // access.ConsentOpen or access.ConsentClosed; "" is open
	Reading      string         // of access.Readings; "" is whole with open consent, else excerpts
	ThirdParties string         // record.ThirdPartiesOpen, …Listed or …Strict; "" is listed
	Subject      access.Subject // the zero Subject names nobody
	Persons      []access.Person
	Tiers        []access.Tier  // nil for DefaultTiers, or with a subject for those that read excerpts
	Auditors     []access.Scope // nil writes no auditors file
}

// DefaultFiles returns the files of a new archive's policy by path, which
// Load accepts. A choice that a file cannot hold is an error.
func DefaultFiles(o Defaults) (map[string][]byte, error) {
	if o.Consent == "" {
		o.Consent = access.ConsentOpen
	}
	if o.ThirdParties == "" {
		o.ThirdParties = access.ThirdPartiesListed
	}
	switch {
	case o.Tiers != nil:
	case o.Subject.Name != "":
		o.Tiers = personTiers()
	default:
		o.Tiers = DefaultTiers()
	}
	if o.Reading == "" && o.Consent == access.ConsentOpen {
		o.Reading = access.ReadingWhole
	}
	if o.Persons == nil {
		o.Persons = []access.Person{}
	}
	files := map[string][]byte{layout.PathCedar: append([]byte(nil), cedarDefault...)}
	for _, f := range []struct {
		path   string
		encode func() ([]byte, error)
	}{
		{layout.PathSubject, o.Subject.Encode},
		{layout.PathPersons, access.Persons{ThirdParties: o.ThirdParties, Persons: o.Persons}.Encode},
		{layout.PathConsent, access.ConsentDefault{Default: o.Consent, Reading: o.Reading}.Encode},
		{layout.PathTiers, access.Tiers{Tiers: o.Tiers}.Encode},
		{layout.PathAuditors, access.Auditors{Scopes: o.Auditors}.Encode},
	} {
		if f.path == layout.PathAuditors && o.Auditors == nil {
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
func (p Preset) Apply(c access.Consent) access.Consent {
	c.Inclusion, c.Surfacing, c.Display, c.Existence = p.Inclusion, p.Surfacing, p.Display, p.Existence
	return c
}
