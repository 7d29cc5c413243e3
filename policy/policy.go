// Package policy decides what a requestor may see of an artifact.
//
// A policy is the signed contents of policy/ in a snapshot: the subject, the
// third parties, the consent that applies where an artifact has none of its
// own, the tiers of requestors, the scopes of auditors, and a Cedar text
// (https://docs.cedarpolicy.com). The calls most programs need:
//
//	p, err := policy.Load(files) // path → bytes, from one snapshot's tree
//	perm, err := p.DecideWords(policy.Requestor{Name: "Ann", Tier: "researcher"}, id, consent, paper, passage)
//	if !perm.Surface { … }
//
// # What is decided
//
// Three actions, each stricter than the one before it:
//
//	existence  the requestor may know that the artifact is there
//	surface    an answer may rest on it
//	display    its words may be shown, up to Excerpt code points at once
//
// Reading and answering are two permissions: Reading says how much of a paper that may be
// displayed is read in its place (Permission.Cut), Excerpt how long an answer's quote may be
// where a signed policy states a cap. The strictest of the archive's default or the artifact's
// own consent, and of the tier, holds.
//
// Both the dimensions of consent and the Cedar text must allow an action. The
// dimensions are enforced in Go as well as handed to Cedar, so that no Cedar
// text can widen what the person instructed: strictest wins. In Go,
//
// where the dimensions are those that the artifact's labels leave
// (access.ConsentDefault.Cover: health, faith and the like; the strictest rule
// of all labels holds):
//
//	existence = inclusion ∧ existence ∧ tier ≥ min_tier
//	surface   = existence ∧ surfacing ∧ nobody sealed is mentioned
//	display   = surface ∧ display
//
// and an action Cedar denies takes every stricter one with it. A Cedar policy
// whose evaluation fails denies the action: Cedar itself would skip a broken
// forbid.
//
// # Persons
//
// A mention of a sealed person blocks surfacing under every third_parties
// mode; with strict, so does a mention of anybody who is not cleared. An
// anonymized person may be spoken of without the name: where the name stands,
// a reader gets a pseudonym (Veils); auditors get the name. The persons that an artifact's own consent
// names count as mentioned, and so do those whose a paper is (PersonsOf): a letter that a sealed
// person signed or received is withheld whole. In another paper the passages that name the person are.
//
// # What Cedar sees
//
//	principal  Requestor::"<name>"   tier String, tier_rank Long, named Bool; in Tier::"<own>" and every lower tier
//	action     Action::"existence", Action::"surface", Action::"display"
//	resource   Artifact::"<cid>"     inclusion, surfacing, display, existence Bool; min_tier_rank Long;
//	                                 persons_sealed, persons_anonymized Bool; sensitive Set of String
//
// Two more actions are about no artifact and need no permit: Action::"compose", to ask for lines for a creative text, and
// Action::"log_refusal", to count a refusal in the ledger with its reason. Both are switched off by a forbid, for everybody or
// some.
//
// Ranks count from 0, the lowest tier; an artifact without min_tier has 0. A requestor without a name is
// Requestor::"" and has the lowest tier, whatever it claims.
package policy

import (
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go"

	"muniment/cid"
	"muniment/snapshot/access"
)

// A Requestor is who asks. The zero Requestor is the unnamed one.
type Requestor struct {
	Name string // "" is unnamed
	Tier string // a name of Policy.Tiers; "" is the lowest
}

// A Resource is the artifact that is asked for.
type Resource struct {
	Artifact cid.ID
	Consent  *access.Consent // the artifact's own, nil for the archive's default
	Persons  []string        // names of the persons mentioned, as Mentions returns them
}

// A Permission is what one requestor may see of one resource. Display implies
// Surface, and Surface implies Existence. The zero Permission allows nothing.
type Permission struct {
	Surface   bool
	Display   bool
	Existence bool
	Sealed    bool     // a sealed person is mentioned, or the paper is theirs
	Excerpt   int      // code points that an answer may show at once; 0 unless Display, record.Unlimited without a cap
	Reading   string   // of access.Readings: how much of the paper may be read in its place; see Whole and Piece
	Reasons   []string // why anything is denied, one line each, for auditors
}

// A Policy is a loaded policy. It does not change and is safe for concurrent
// use.
type Policy struct {
	Subject access.Subject // zero when the archive names none
	Persons access.Persons
	Tiers   []access.Tier // lowest first, at least one
	Scopes  []access.Scope

	consent   access.Consent // the default's dimensions; it names no artifact
	cedar     *cedar.PolicySet
	sensitive access.ConsentDefault // how labels are treated
	veils     []veil

	holder          bool     // nothing is withheld: see ForArchivist
	hasDefaultCedar bool     // the Cedar text is that of a new archive
	freeform        []string // tiers
	digest          [32]byte
}

// Freeform reports whether a requestor may be given text that cites nothing,
// where the profile in use has it too. An unknown tier may not.
func (p *Policy) Freeform(who Requestor) bool {
	tier, err := p.Tier(who)
	return err == nil && slices.Contains(p.freeform, tier)
}

// Digest returns the policy's digest, the one a statement names: sha256 over
// the lines `<64 lower hex sha256 of the file> SP SP <path> LF` of its files,
// sorted by path.
func (p *Policy) Digest() [32]byte { return p.digest }

// Lowest returns the name of the lowest tier; the zero Policy has none.
func (p *Policy) Lowest() string {
	if len(p.Tiers) == 0 {
		return ""
	}
	return p.Tiers[0].Name
}

// DefaultConsent returns the dimensions of an artifact without a consent of
// its own: a Consent that names no artifact.
func (p *Policy) DefaultConsent() access.Consent { return p.consent }

// FindTier returns the tier with a name, and whether there is one.
func (p *Policy) FindTier(name string) (access.Tier, bool) {
	if at := p.tierIndex(name); at >= 0 {
		return p.Tiers[at], true
	}
	return access.Tier{}, false
}

// tierIndex returns the rank of the tier with a name, -1 for none.
func (p *Policy) tierIndex(name string) int {
	return slices.IndexFunc(p.Tiers, func(t access.Tier) bool { return t.Name == name })
}

// TierNames returns the names of the tiers as one line.
func (p *Policy) TierNames() string {
	names := make([]string, len(p.Tiers))
	for i, t := range p.Tiers {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}
