package policy

import "muniment/snapshot/access"

// ArchivistTier is the tier of whoever may change who sees what. No list of tiers has it: a requestor
// has it by the key that signs the answer, and a policy that names a tier so keeps its own.
const ArchivistTier = "archivist"

// ForArchivist returns the policy as it holds for an archivist: nothing is withheld, nobody is
// protected, and every tier has the name ArchivistTier. Its digest is that of the policy.
func (p *Policy) ForArchivist() *Policy {
	out := *p
	out.holder, out.veils = true, nil
	out.Persons = access.Persons{ThirdParties: access.ThirdPartiesOpen, Persons: []access.Person{}}
	out.Tiers = []access.Tier{{Name: ArchivistTier, Uncapped: true}}
	return &out
}
