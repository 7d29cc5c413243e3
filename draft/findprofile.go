package draft

import (
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/policy"
	"muniment/snapshot/layout"
)

// FindProfile returns the profile of a name, policy.DefaultProfile where it is empty: a shipped one, or one of the newest snapshot, so that
// nobody goes by rules that are not signed. What it leaves open about judges the house profile of the snapshot says.
func FindProfile(a *archive.Archive, name string) (*profile.Profile, error) {
	if name == "" {
		name = policy.DefaultProfile
	}
	p, shipped := profile.Find(name)
	if !shipped {
		data, err := engine.ProfileFile(a, name)
		if err != nil {
			return nil, err
		}
		signed, err := ParseProfile(layout.ProfilePath(name), data)
		if err != nil {
			return nil, err
		}
		p = *signed
	}
	if p.Judged == "" {
		var err error
		if p.Judged, err = engine.HouseJudged(a); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// ParseProfile reads the file of a profile at its path in a tree.
func ParseProfile(path string, data []byte) (*profile.Profile, error) {
	p, err := profile.Parse(data)
	if err == nil && layout.ProfilePath(p.Name) != path {
		err = problem.Negative(problem.Damaged, problem.Next(engine.DoAddProfile), "it is the profile %q", p.Name)
	}
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).Or(engine.DoAddProfile), "%s: %w", path, err)
	}
	return &p, nil
}
