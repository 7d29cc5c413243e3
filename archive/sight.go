package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
)

// A Sight is what one requestor may see of one tree under a policy, as a rule that
// of the tree. It reads the archive and changes nothing.
type Sight struct {
	Archive *Archive
	Tree    objects.Hash
	Rules   *policy.Policy
	Who     policy.Requestor
}

// Permission returns what the requestor may see of an artifact, in words that are to be
// shown of it; "" asks for the artifact as such.
func (s *Sight) Permission(id cid.ID, words string) (policy.Permission, error) {
	if s == nil || s.Archive == nil || s.Rules == nil {
		return policy.Permission{}, nil
	}
	consent, err := s.Archive.Consent(s.Tree, id)
	if err != nil {
		return policy.Permission{}, err
	}
	perm, err := s.Rules.DecideWords(s.Who, id, consent, words)
	return perm, problem.Wrap(err, "policy")
}

// Withheld returns the IDs of the artifacts of which the requestor does not have a
// permission, without those that a rule of the Cedar text names one by one: that text
// is evaluated once for all artifacts without a consent of their own. Where such
// artifacts are allowed only those with a consent, and the texts made from them, are
// read; else all are.
func (s *Sight) Withheld(has func(policy.Permission) bool) ([]string, error) {
	if s == nil || s.Archive == nil || s.Rules == nil {
		return nil, nil
	}
	c := s.Archive.Catalog(s.Tree)
	usual, err := s.usual(has)
	if err != nil {
		return nil, err
	}
	var candidates []*holdings.Artifact
	if usual {
		if candidates, err = c.WithConsent(); err == nil {
			candidates, err = c.WithTexts(candidates)
		}
	} else {
		var all *holdings.Contents
		if all, err = c.ReadAll(); err == nil {
			candidates = all.Artifacts
		}
	}
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, art := range candidates {
		may := usual
		if art.FollowsOthers() {
			perm, err := s.Permission(art.ID, "")
			if err != nil {
				return nil, err
			}
			may = has(perm)
		}
		if !may {
			out = append(out, art.ID.String())
		}
	}
	return out, nil
}

// usual reports whether the requestor has a permission of artifacts without a consent of
// their own.
func (s *Sight) usual(has func(policy.Permission) bool) (bool, error) {
	perm, err := s.Rules.Decide(s.Who, policy.Resource{})
	return has(perm), problem.Wrap(err, "policy")
}
