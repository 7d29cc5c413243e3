package archive

import (
	"slices"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/text/legible"
)

// View returns the view of a requestor on a tree under a policy, as a rule that of the
// tree.
func (a *Archive) View(tree objects.Hash, rules *policy.Policy, who policy.Requestor) *policy.View {
	return &policy.View{Rules: rules, Who: who, Consent: func(id cid.ID) (*access.Consent, error) { return a.Consent(tree, id) },
		Paper: func(id cid.ID) (*policy.Paper, error) { return PaperOf(a, tree, id) }}
}

// ReaderView returns the view of a reader of a tier on the newest snapshot: "" is the
// lowest tier. What waits to be signed takes away at once, and adds nothing.
func (a *Archive) ReaderView(tier string) (*policy.View, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	v, err := a.tierView(head.Tree, tier)
	if err != nil {
		return nil, err
	}
	newest, err := a.NewestTree()
	if err != nil || newest == head.Tree {
		return v, err
	}
	next, err := a.tierView(newest, tier)
	if err != nil {
		return nil, err
	}
	later := a.Catalog(newest)
	v.Narrow = func(id cid.ID, words string, whole bool) (policy.Permission, error) {
		art, err := later.Artifact(id)
		if err != nil || art == nil || art.Withdrawn {
			return policy.Permission{}, err
		}
		return next.Decide(id, words, whole)
	}
	return v, nil
}

// tierView returns the view of a reader of a tier of the policy of a tree.
func (a *Archive) tierView(tree objects.Hash, tier string) (*policy.View, error) {
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	if _, known := rules.FindTier(tier); tier != "" && !known {
		return nil, problem.New(problem.Usage, problem.Advise("tiers here: "+rules.TierNames()), "no tier is named %q", legible.Printable(tier))
	}
	who := policy.Requestor{Tier: tier}
	if tier != "" {
		who.Name = "reader"
	}
	return a.View(tree, rules, who), nil
}

// CatalogFor returns the catalogue of a tree as it is to whoever has a view: an artifact
// whose existence is withheld is not in it, nor is the record of an accession that came in
// one or was made from one, with its names and fields. The view is of the same tree.
func (a *Archive) CatalogFor(tree objects.Hash, v *policy.View) *holdings.Catalog {
	c := a.Catalog(tree)
	if v.SeesAll() {
		return c
	}
	return c.For(func(art *holdings.Artifact) (*holdings.Artifact, error) { return see(v, art) })
}

// ShownCatalog is CatalogFor with the records as the caller may read them: without words that name
// sealed persons, and with pseudonyms of anonymized ones. Its records are for showing; they no longer
// hash to their IDs.
func (a *Archive) ShownCatalog(tree objects.Hash, v *policy.View) *holdings.Catalog {
	c := a.Catalog(tree)
	if v.SeesAll() {
		return c
	}
	return c.For(func(art *holdings.Artifact) (*holdings.Artifact, error) {
		art, err := see(v, art)
		if err != nil || art == nil || !v.HidesNames() {
			return art, err
		}
		part := *art
		part.Records = slices.Clone(art.Records)
		for i := range part.Records {
			if part.Records[i].Record, err = v.DescribeKnown(part.Records[i].Record); err != nil {
				return nil, problem.Wrap(err, "policy")
			}
		}
		return &part, nil
	})
}

// see returns as much of an artifact as a view lets its caller know of, nil for nothing.
func see(v *policy.View, art *holdings.Artifact) (*holdings.Artifact, error) {
	knows := v.KnowsPlain
	if art.FollowsOthers() {
		knows = v.Knows
	}
	known, err := knows(art.ID)
	if err != nil || !known {
		return nil, problem.Wrap(err, "policy")
	}
	var shown []holdings.StoredRecord
	for i, h := range art.Records {
		hidden, err := hasHiddenOrigin(v, h)
		switch {
		case err != nil:
			return nil, err
		case hidden && shown == nil:
			shown = append([]holdings.StoredRecord{}, art.Records[:i]...)
		case !hidden && shown != nil:
			shown = append(shown, h)
		}
	}
	if shown == nil {
		return art, nil
	}
	if len(shown) == 0 {
		return nil, nil
	}
	part := *art
	part.Records = shown
	return &part, nil
}

// hasHiddenOrigin reports whether an accession came in a paper, or was made from one, of
// which the caller of a view may not know.
func hasHiddenOrigin(v *policy.View, h holdings.StoredRecord) (bool, error) {
	for _, from := range h.Origins() {
		known, err := v.Knows(from)
		if err != nil || !known {
			return true, problem.Wrap(err, "policy")
		}
	}
	return false, nil
}

// Withheld returns the IDs of the artifacts of a tree of which a view does not have a
// permission, without those that a rule of the Cedar text names one by one: that text
// is evaluated once for all artifacts without a consent of their own. Where such
// artifacts are allowed only those with a consent, and what inherits it, are
// read; else all are.
func (a *Archive) Withheld(tree objects.Hash, v *policy.View, has func(policy.Permission) bool) ([]string, error) {
	if a == nil || v == nil || v.Rules == nil || v.SeesAll() {
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
	return c.WithInheritors(own)
}
