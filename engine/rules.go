package engine

import (
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/profile"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// FindProfile returns the profile of a name, profile.Default where it is empty: a shipped one, or one of the newest snapshot, so that nobody
// goes by rules that are not signed. What it leaves open about judges the profile profile.House of the snapshot says.
func FindProfile(a *archive.Archive, name string) (*profile.Profile, error) {
	if name == "" {
		name = profile.Default
	}
	p, err := findNamed(a, name)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, problem.New(problem.Usage, problem.Next(DoListProfiles).With("one that was added counts from the next snapshot on"), "no profile is named %q", legible.Printable(name))
	}
	if p.Judged == "" {
		house, err := findNamed(a, profile.House)
		if err != nil {
			return nil, err
		}
		if house != nil {
			p.Judged = house.Judged
		}
	}
	return p, nil
}

// findNamed returns the shipped or signed profile of a name, nil for none.
func findNamed(a *archive.Archive, name string) (*profile.Profile, error) {
	if p, ok := profile.Find(name); ok {
		return &p, nil
	}
	path := layout.ProfilePath(name)
	head, _, err := a.Head()
	if err != nil || head == nil || !layout.CleanPath(path) {
		return nil, err
	}
	data, err := a.File(head.Tree, path)
	if err != nil || data == nil {
		return nil, err
	}
	return ParseProfile(path, data)
}

// ParseProfile reads the file of a profile at its path in a tree.
func ParseProfile(path string, data []byte) (*profile.Profile, error) {
	p, err := profile.Parse(data)
	if err == nil && layout.ProfilePath(p.Name) != path {
		err = problem.Negative(problem.Damaged, problem.Next(DoAddProfile), "it is the profile %q", p.Name)
	}
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).Or(DoAddProfile), "%s: %w", path, err)
	}
	return &p, nil
}

// findRules returns the rules of a call that gives judged and names a profile, "" for none: the first of these that says what a model's yes
// is worth, else the house profile. Without a profile no reviews are asked for.
func (e *Engine) findRules(name, judged string) (citeRules, error) {
	if !profile.IsJudged(judged) {
		return citeRules{}, problem.New(problem.Usage, problem.Advise("never, labeled or verified"), "judged is %q", legible.Printable(judged))
	}
	p, err := FindProfile(e.arch, name)
	if err != nil {
		return citeRules{}, err
	}
	rules := citeRules{judged: judged}
	if name != "" {
		rules.reviews = p.Reviews
	}
	if judged == "" {
		rules.judged = p.JudgedClaims()
	}
	return rules, nil
}

// citeRules say what makes a claim verified. The zero citeRules have a model's yes name the model and ask for no reviews.
type citeRules struct {
	judged  string // of profile: JudgedNever, JudgedLabeled or JudgedVerified
	reviews int    // organisations of which a person must have checked the claim
}
