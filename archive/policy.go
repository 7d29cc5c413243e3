package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
)

// Consent returns the consent in force for an artifact, as [holdings.Catalog.Consent] does.
func (a *Archive) Consent(tree objects.Hash, id cid.ID) (*record.Consent, error) {
	return a.Holdings().Peek(tree).Consent(id)
}

// ConsentOf returns the consent in force for an artifact, or a copy of the default.
func (a *Archive) ConsentOf(tree objects.Hash, art *holdings.Artifact, def record.Consent) (*record.Consent, error) {
	own, err := a.Consent(tree, art.ID)
	if err != nil || own != nil {
		return own, err
	}
	return &def, nil
}

// SignedConsent returns a copy of the consent that was signed for an artifact, to be changed. Without
// one it has the dimensions of the default, and leaves reading and processing to it.
func (a *Archive) SignedConsent(tree objects.Hash, id cid.ID, def record.Consent) (*record.Consent, error) {
	own, err := a.Holdings().Peek(tree).SignedConsent(id)
	if err != nil || own != nil {
		return own, err
	}
	def.Reading, def.Processing = "", ""
	return &def, nil
}

// ConsentDefault returns policy/consent.json, the consent of artifacts without one
// of their own.
func (a *Repository) ConsentDefault(tree objects.Hash) (*record.ConsentDefault, error) {
	data, err := a.File(tree, record.PathConsent)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return &record.ConsentDefault{Default: record.ConsentOpen}, nil
	}
	d, err := record.ParseConsentDefault(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", record.PathConsent, err)
	}
	return d, nil
}

// Persons returns policy/persons.json, the third parties.
func (a *Repository) Persons(tree objects.Hash) (*record.Persons, error) {
	data, err := a.File(tree, record.PathPersons)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return &record.Persons{ThirdParties: "listed"}, nil
	}
	persons, err := record.ParsePersons(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", record.PathPersons, err)
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
