package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// Consent returns the consent in force for an artifact, as [holdings.Catalog.Consent] does.
func (a *Archive) Consent(tree objects.Hash, id cid.ID) (*access.Consent, error) {
	return a.Holdings().Peek(tree).Consent(id)
}

// ConsentOf returns the consent in force for an artifact, or a copy of the default.
func (a *Archive) ConsentOf(tree objects.Hash, art *holdings.Artifact, def access.Consent) (*access.Consent, error) {
	own, err := a.Consent(tree, art.ID)
	if err != nil || own != nil {
		return own, err
	}
	return &def, nil
}

// SignedConsent returns a copy of the consent that was signed for an artifact, to be changed. Without
// one it has the dimensions of the default, and leaves reading and processing to it.
func (a *Archive) SignedConsent(tree objects.Hash, id cid.ID, def access.Consent) (*access.Consent, error) {
	own, err := a.Holdings().Peek(tree).SignedConsent(id)
	if err != nil || own != nil {
		return own, err
	}
	def.Reading, def.Processing = "", ""
	return &def, nil
}

// ConsentDefault returns policy/consent.json, the consent of artifacts without one
// of their own.
func (a *Repository) ConsentDefault(tree objects.Hash) (*access.ConsentDefault, error) {
	data, err := a.File(tree, layout.PathConsent)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return &access.ConsentDefault{Default: access.ConsentOpen}, nil
	}
	d, err := access.ParseConsentDefault(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathConsent, err)
	}
	return d, nil
}

// Persons returns policy/persons.json, the third parties.
func (a *Repository) Persons(tree objects.Hash) (*access.Persons, error) {
	data, err := a.File(tree, layout.PathPersons)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return &access.Persons{ThirdParties: "listed"}, nil
	}
	persons, err := access.ParsePersons(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathPersons, err)
	}
	return persons, nil
}

// PolicyFiles returns the files of a tree's policy by path.
func (a *Repository) PolicyFiles(tree objects.Hash) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := a.Store().Walk(tree, "policy", func(path string, h objects.Hash) error {
		_, data, err := a.Store().Get(h)
		files[path] = data
		return err
	})
	return files, problem.Wrap(err, "policy")
}

// ReadPolicy returns the policy of a tree.
func (a *Repository) ReadPolicy(tree objects.Hash) (*policy.Policy, error) {
	files, err := a.PolicyFiles(tree)
	if err != nil {
		return nil, err
	}
	p, err := policy.Load(files)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify).With("the previous snapshot holds the last good policy"), "policy: %w", err)
	}
	return p, nil
}
