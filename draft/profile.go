package draft

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/profile"
	"muniment/objects"
	"muniment/snapshot/record"
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
	var signed objects.Hash
	if head != nil {
		signed = head.Tree
	}
	err = a.Store().Walk(tree, strings.TrimSuffix(record.PathProfiles, "/"), func(path string, _ objects.Hash) error {
		p, err := profileAt(a, tree, path)
		if err != nil {
			return err
		}
		from := "staged"
		if old, err := profileAt(a, signed, path); head != nil && err == nil && sameProfile(old, p) {
			from = "archive"
		}
		out = append(out, ProfileInfo{p.Name, p.Says, from, *p})
		return nil
	})
	return out, problem.Wrap(err, "profiles")
}

// sameProfile reports whether two profiles encode to the same bytes.
func sameProfile(x, y *profile.Profile) bool {
	a, errA := x.Encode()
	b, errB := y.Encode()
	return errA == nil && errB == nil && string(a) == string(b)
}

// profileAt reads a profile of a tree.
func profileAt(a *archive.Archive, tree objects.Hash, path string) (*profile.Profile, error) {
	data, err := a.File(tree, path)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, problem.New(problem.NotFound, problem.Next(DoListProfiles), "no file %s", path)
	}
	p, err := profile.Parse(data)
	if err == nil && record.ProfilePath(p.Name) != path {
		err = problem.Negative(problem.Damaged, problem.Next(DoAddProfile), "it is the profile %q", p.Name)
	}
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).Or(DoReplaceProfile), "%s: %w", path, err)
	}
	return &p, nil
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
	path := record.ProfilePath(name)
	if head != nil && record.CleanPath(path) {
		if data, err := a.File(head.Tree, path); err != nil {
			return nil, err
		} else if data != nil {
			return profileAt(a, head.Tree, path)
		}
	}
	return nil, problem.New(problem.Usage, problem.Next(DoFindProfile).With("one that was added counts from the next snapshot on"), "no profile is named %q", legible.Printable(name))
}

// AddProfile stages a profile, JSON as a person writes it, under its name. It
// takes the place of an earlier one; the shipped profiles cannot be replaced.
func AddProfile(a *archive.Archive, data []byte) (*ProfileInfo, error) {
	p, err := profile.Read(data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(DoBeginProfile), "profile: %w", err)
	}
	if slices.Contains(profile.Names, p.Name) {
		return nil, problem.New(problem.Usage, problem.Advise("give it another name"), "the profile %s comes with the program and cannot be replaced", p.Name)
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(DoBeginProfile), "profile: %w", err)
	}
	if err := a.Edit(map[string][]byte{record.ProfilePath(p.Name): encoded}); err != nil {
		return nil, err
	}
	return &ProfileInfo{p.Name, p.Says, "staged", p}, nil
}
