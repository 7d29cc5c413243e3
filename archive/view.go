package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
)

// View returns what a requestor may know of a tree under a policy, as a rule that of the
// tree.
func (a *Archive) View(tree objects.Hash, rules *policy.Policy, who policy.Requestor) *policy.View {
	return &policy.View{Rules: rules, Who: who, Consent: func(id cid.ID) (*record.Consent, error) { return a.Consent(tree, id) }}
}

// Withheld returns the IDs of the artifacts of a tree of which a view does not have a
// permission, without those that a rule of the Cedar text names one by one: that text
// is evaluated once for all artifacts without a consent of their own. Where such
// artifacts are allowed only those with a consent, and what inherits it, are
// read; else all are.
func (a *Archive) Withheld(tree objects.Hash, v *policy.View, has func(policy.Permission) bool) ([]string, error) {
	if a == nil || v == nil || v.SeesAll() {
		return nil, nil
	}
	c := a.Catalog(tree)
	perm, err := v.Rules.Decide(v.Who, policy.Resource{})
	if err != nil {
		return nil, problem.Wrap(err, "policy")
	}
	usual := has(perm)
	candidates, err := candidates(c, usual)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, art := range candidates {
		may := usual
		if art.FollowsOthers() {
			perm, err := v.Permission(art.ID, "")
			if err != nil {
				return nil, problem.Wrap(err, "policy")
			}
			may = has(perm)
		}
		if !may {
			out = append(out, art.ID.String())
		}
	}
	return out, nil
}

// candidates returns the artifacts whose permission may differ from the usual one, or all
// where the usual one withholds.
func candidates(c *holdings.Catalog, usual bool) ([]*holdings.Artifact, error) {
	if !usual {
		all, err := c.ReadAll()
		if err != nil {
			return nil, err
		}
		return all.Artifacts, nil
	}
	own, err := c.WithConsent()
	if err != nil {
		return nil, err
	}
	return c.WithTexts(own)
}
