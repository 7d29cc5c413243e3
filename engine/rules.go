package engine

import (
	"cmp"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/policy"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// ProfileFile returns the file of the profile of a name, policy.DefaultProfile where it is empty: a shipped one, or one of the newest
// snapshot, so that nobody goes by rules that are not signed. draft.FindProfile reads it whole.
func ProfileFile(a *archive.Archive, name string) ([]byte, error) {
	name = cmp.Or(name, policy.DefaultProfile)
	data, err := findFile(a, name)
	if err == nil && data == nil {
		err = problem.New(problem.Usage, problem.Next(DoListProfiles).With("one that was added counts from the next snapshot on"), "no profile is named %q", legible.Printable(name))
	}
	return data, err
}

// findFile returns the file of a shipped or signed profile, nil for none.
func findFile(a *archive.Archive, name string) ([]byte, error) {
	if data, ok := policy.ShippedProfile(name); ok {
		return data, nil
	}
	path := layout.ProfilePath(name)
	if a == nil || !layout.CleanPath(path) {
		return nil, nil
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return nil, err
	}
	return a.File(head.Tree, path)
}

// HouseJudged returns the word of the house profile of the newest snapshot on claims that only a model judged; "" where it leaves them open.
func HouseJudged(a *archive.Archive) (string, error) {
	data, err := findFile(a, policy.HouseProfile)
	if err != nil || data == nil {
		return "", err
	}
	j, err := readJudgeRules(policy.HouseProfile, data)
	return j.Judged, err
}

// readJudgeRules reads the members of a profile that decide what makes a claim verified.
func readJudgeRules(name string, data []byte) (policy.JudgeRules, error) {
	j, err := policy.ReadJudgeRules(data)
	if err != nil {
		return j, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).Or(DoAddProfile), "%s: %w", layout.ProfilePath(name), err)
	}
	return j, nil
}

// findRules returns the rules of a call that gives judged and names a profile, "" for none: the first of these that says what a model's yes
// is worth, else the house profile. Without a profile no reviews are asked for.
func (e *Engine) findRules(name, judged string) (citeRules, error) {
	if !policy.IsJudged(judged) {
		return citeRules{}, problem.New(problem.Usage, problem.Advise("never, labeled or verified"), "judged is %q", legible.Printable(judged))
	}
	data, err := ProfileFile(e.arch, name)
	if err != nil {
		return citeRules{}, err
	}
	j, err := readJudgeRules(name, data)
	if err != nil {
		return citeRules{}, err
	}
	rules := citeRules{judged: judged}
	if name != "" {
		rules.reviews = j.Reviews
	}
	rules.judged = cmp.Or(rules.judged, j.Judged)
	if rules.judged == "" {
		if rules.judged, err = HouseJudged(e.arch); err != nil {
			return citeRules{}, err
		}
	}
	rules.judged = cmp.Or(rules.judged, policy.JudgedLabeled)
	return rules, nil
}

// citeRules say what makes a claim verified. The zero citeRules have a model's yes name the model and ask for no reviews.
type citeRules struct {
	judged  string // policy.JudgedNever, JudgedLabeled or JudgedVerified
	reviews int    // organisations of which a person must have checked the claim
}
