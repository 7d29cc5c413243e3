package draft

import (
	"bytes"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/objects"
	"muniment/policy"
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
		p, err := ParseProfile(path, data)
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

// AddProfile stages a profile, JSON as a person writes it, under its name. It
// takes the place of an earlier one; the shipped profiles cannot be replaced.
func AddProfile(a *archive.Archive, data []byte) (*ProfileInfo, error) {
	p, err := profile.Read(data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(engine.DoListProfiles).With("begin from one that is shipped"), "profile: %w", err)
	}
	if slices.Contains(profile.Names, p.Name) {
		return nil, problem.New(problem.Usage, problem.Advise("give it another name"), "the profile %s comes with the program and cannot be replaced", p.Name)
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(engine.DoListProfiles).With("begin from one that is shipped"), "profile: %w", err)
	}
	if err := a.Edit(map[string][]byte{layout.ProfilePath(p.Name): encoded}); err != nil {
		return nil, err
	}
	return &ProfileInfo{p.Name, p.Says, "staged", p}, nil
}

// SetJudged stages what becomes of claims that only a model judged to follow, wherever a call and its profile leave it open: never, labeled or
// verified. It is the judged of the profile policy.HouseProfile, of which a first one otherwise repeats policy.DefaultProfile.
func SetJudged(a *archive.Archive, judged string) (*ProfileInfo, error) {
	if judged == "" || !policy.IsJudged(judged) {
		return nil, problem.New(problem.Usage, problem.Advise("never, labeled or verified"), "judged is %q", legible.Printable(judged))
	}
	all, err := Profiles(a)
	if err != nil {
		return nil, err
	}
	var house profile.Profile
	for _, p := range all {
		if p.Name == policy.HouseProfile || p.Name == policy.DefaultProfile && house.Name == "" {
			house = p.Profile
		}
	}
	if house.Name == policy.DefaultProfile {
		house.Name, house.Says = policy.HouseProfile, "what calls go by that leave it open"
	}
	house.Judged = judged
	data, err := house.Encode()
	if err != nil {
		return nil, problem.Wrap(err, "profile")
	}
	return AddProfile(a, data)
}
