package muniment

import (
	"slices"
	"strings"

	"muniment/answer/profile"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A ProfileInfo is a profile of rules and where it comes from.
type ProfileInfo struct {
	Name    string          `json:"name"`
	Says    string          `json:"says"`
	From    string          `json:"from"` // shipped, archive, or staged for the next snapshot
	Profile profile.Profile `json:"profile"`
}

// Profiles lists the shipped profiles and the archive's own.
func (a *Archive) Profiles() ([]ProfileInfo, error) {
	var out []ProfileInfo
	for _, name := range profile.Names {
		p, _ := profile.Find(name)
		out = append(out, ProfileInfo{p.Name, p.Says, "shipped", p})
	}
	head, _, err := a.head()
	if err != nil {
		return nil, err
	}
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	var signed objects.Hash
	if head != nil {
		signed = head.Tree
	}
	err = a.store.Walk(tree, strings.TrimSuffix(record.PathProfiles, "/"), func(path string, _ objects.Hash) error {
		p, err := a.profileAt(tree, path)
		if err != nil {
			return err
		}
		from := "staged"
		if old, err := a.profileAt(signed, path); head != nil && err == nil && sameProfile(old, p) {
			from = "archive"
		}
		out = append(out, ProfileInfo{p.Name, p.Says, from, *p})
		return nil
	})
	return out, environment(err, "profiles")
}

func sameProfile(x, y *profile.Profile) bool {
	a, errA := x.Encode()
	b, errB := y.Encode()
	return errA == nil && errB == nil && string(a) == string(b)
}

// profileAt reads a profile of a tree.
func (a *Archive) profileAt(tree objects.Hash, path string) (*profile.Profile, error) {
	data, err := a.file(tree, path)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, problem(TypeNotFound, ExitUsage, "muniment profile list", "no file %s", path)
	}
	p, err := profile.Parse(data)
	if err == nil && record.ProfilePath(p.Name) != path {
		err = problem(TypeDamaged, ExitNo, "muniment profile add FILE.json writes it under its name", "it is the profile %q", p.Name)
	}
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify says more; muniment profile add FILE.json replaces it", "%s: %w", path, err)
	}
	return &p, nil
}

// profile returns the profile of a name: a shipped one, or one of the newest
// snapshot, so that nobody goes by rules that are not signed.
func (a *Archive) profile(name string) (*profile.Profile, error) {
	if name == "" {
		name = DefaultProfile
	}
	if p, ok := profile.Find(name); ok {
		return &p, nil
	}
	head, _, err := a.head()
	if err != nil {
		return nil, err
	}
	path := record.ProfilePath(name)
	if head != nil && record.CleanPath(path) {
		if data, err := a.file(head.Tree, path); err != nil {
			return nil, err
		} else if data != nil {
			return a.profileAt(head.Tree, path)
		}
	}
	return nil, problem(TypeUsage, ExitUsage, "muniment profile list names them; one that was added counts from the next snapshot on", "no profile is named %q", printable(name))
}

// AddProfile stages a profile, JSON as a person writes it, under its name. It
// takes the place of an earlier one; the shipped profiles cannot be replaced.
func (a *Archive) AddProfile(data []byte) (*ProfileInfo, error) {
	p, err := profile.Read(data)
	if err != nil {
		return nil, problem(TypeUsage, ExitUsage, "muniment profile show engine > mine.json writes one to begin from", "profile: %w", err)
	}
	if slices.Contains(profile.Names, p.Name) {
		return nil, problem(TypeUsage, ExitUsage, "give it another name", "the profile %s comes with the program and cannot be replaced", p.Name)
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil, problem(TypeUsage, ExitUsage, "muniment profile show engine > mine.json writes one to begin from", "profile: %w", err)
	}
	if err := a.edit(map[string][]byte{record.ProfilePath(p.Name): encoded}); err != nil {
		return nil, err
	}
	return &ProfileInfo{p.Name, p.Says, "staged", p}, nil
}

// AllowFreeform stages the list of tiers whose requestors may be given text that
// cites nothing, under a profile with freeform; an empty list allows nobody.
func (a *Archive) AllowFreeform(tiers []string) error {
	tree, err := a.newestTree()
	if err != nil {
		return err
	}
	rules, err := a.readPolicy(tree)
	if err != nil {
		return err
	}
	for _, t := range tiers {
		if !hasTier(rules.Tiers, t) {
			return problem(TypeUsage, ExitUsage, "tiers here: "+tierNames(rules.Tiers), "no tier is named %q", printable(t))
		}
	}
	encoded, err := record.Freeform{Tiers: tiers}.Encode()
	if err != nil {
		return problem(TypeUsage, ExitUsage, "name every tier once", "freeform: %w", err)
	}
	return a.edit(map[string][]byte{record.PathFreeform: encoded})
}
