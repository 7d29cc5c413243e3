package draft

import (
	"bytes"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/profile"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// A ProfileInfo is a profile of rules and where it comes from.
type ProfileInfo struct {
	Name    string          `json:"name"`
	Says    string          `json:"says"`
	From    string          `json:"from"` // shipped, archive, or staged for the next snapshot
	Profile profile.Profile `json:"profile"`
}

// Profiles lists the shipped profiles and the archive's own.
func Profiles(a *archive.Archive) ([]ProfileInfo, error) {
	var out []ProfileInfo
	for _, name := range profile.Names {
		p, _ := profile.Find(name)
		out = append(out, ProfileInfo{p.Name, p.Says, "shipped", p})
	}
	head, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	err = a.Store().Walk(tree, strings.TrimSuffix(layout.PathProfiles, "/"), func(path string, _ objects.Hash) error {
		data, err := a.File(tree, path)
		if err != nil {
			return err
		}
		p, err := parseProfile(path, data)
		if err != nil {
			return err
		}
		from := "staged"
		if head != nil {
			if signed, err := a.File(head.Tree, path); err == nil && bytes.Equal(signed, data) {
				from = "archive"
			}
		}
		out = append(out, ProfileInfo{p.Name, p.Says, from, *p})
		return nil
	})
	return out, problem.Wrap(err, "profiles")
}

// parseProfile reads the file of a profile.
func parseProfile(path string, data []byte) (*profile.Profile, error) {
	p, err := profile.Parse(data)
	if err == nil && layout.ProfilePath(p.Name) != path {
		err = problem.Negative(problem.Damaged, problem.Next(DoAddProfile), "it is the profile %q", p.Name)
	}
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).Or(DoAddProfile), "%s: %w", path, err)
	}
	return &p, nil
}

// JudgesVerify reports whether a profile reads what a model judged to follow as verified; the profile "" does not.
func JudgesVerify(a *archive.Archive, name string) (bool, error) {
	if name == "" {
		return false, nil
	}
	p, err := FindProfile(a, name)
	return err == nil && p.JudgedClaims() == profile.JudgedVerified, err
}

// FindProfile returns the profile of a name: a shipped one, or one of the newest
// snapshot, so that nobody goes by rules that are not signed.
func FindProfile(a *archive.Archive, name string) (*profile.Profile, error) {
	if name == "" {
		name = profile.Default
	}
	if p, ok := profile.Find(name); ok {
		return &p, nil
	}
	head, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	path := layout.ProfilePath(name)
	if head != nil && layout.CleanPath(path) {
		if data, err := a.File(head.Tree, path); err != nil {
			return nil, err
		} else if data != nil {
			return parseProfile(path, data)
		}
	}
	return nil, problem.New(problem.Usage, problem.Next(DoListProfiles).With("one that was added counts from the next snapshot on"), "no profile is named %q", legible.Printable(name))
}

// AddProfile stages a profile, JSON as a person writes it, under its name. It
// takes the place of an earlier one; the shipped profiles cannot be replaced.
func AddProfile(a *archive.Archive, data []byte) (*ProfileInfo, error) {
	p, err := profile.Read(data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(DoListProfiles).With("begin from one that is shipped"), "profile: %w", err)
	}
	if slices.Contains(profile.Names, p.Name) {
		return nil, problem.New(problem.Usage, problem.Advise("give it another name"), "the profile %s comes with the program and cannot be replaced", p.Name)
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(DoListProfiles).With("begin from one that is shipped"), "profile: %w", err)
	}
	if err := a.Edit(map[string][]byte{layout.ProfilePath(p.Name): encoded}); err != nil {
		return nil, err
	}
	return &ProfileInfo{p.Name, p.Says, "staged", p}, nil
}
