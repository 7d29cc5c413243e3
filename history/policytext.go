package history

import (
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// AllowFreeform stages the list of tiers whose requestors may be given text that
// cites nothing, under a profile with freeform; an empty list allows nobody.
func AllowFreeform(a *archive.Archive, tiers []string) error {
	tree, err := a.NewestTree()
	if err != nil {
		return err
	}
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return err
	}
	for _, t := range tiers {
		if _, ok := rules.FindTier(t); !ok {
			return problem.New(problem.Usage, problem.Advise("tiers here: "+rules.TierNames()), "no tier is named %q", legible.Printable(t))
		}
	}
	encoded, err := access.Freeform{Tiers: tiers}.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("name every tier once"), "freeform: %w", err)
	}
	return a.Edit(map[string][]byte{layout.PathFreeform: encoded})
}

// A PolicyText is the Cedar text of an archive's policy.
type PolicyText struct {
	Text   string `json:"text"`
	Staged bool   `json:"staged"` // not signed yet
}

// CedarPolicy replaces the Cedar text of the archive by a staged one, after trying it as
// a decision would, and returns it; "" returns the newest one and changes nothing.
func CedarPolicy(a *archive.Archive, text string) (*PolicyText, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	files, err := a.PolicyFiles(tree)
	if err != nil {
		return nil, err
	}
	head, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	if text != "" {
		files[layout.PathCedar] = []byte(text)
		if _, err := policy.Load(files); err != nil {
			return nil, problem.New(problem.Usage, problem.Next(DoShowPolicy), "%w", err)
		}
		if err := a.Edit(map[string][]byte{layout.PathCedar: files[layout.PathCedar]}); err != nil {
			return nil, err
		}
	}
	r := &PolicyText{Text: string(files[layout.PathCedar]), Staged: true}
	if head != nil {
		signed, err := a.File(head.Tree, layout.PathCedar)
		if err != nil {
			return nil, err
		}
		r.Staged = string(signed) != r.Text
	}
	return r, nil
}
