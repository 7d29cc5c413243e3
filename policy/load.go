package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cedar-policy/cedar-go"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// MaxCedar is the longest Cedar text, in bytes: every decision evaluates all
// of it.
const MaxCedar = 64 << 10

// MaxPolicies is the largest number of policies in a Cedar text; Load tries
// each of them on every combination of attributes.
const MaxPolicies = 256

// Load reads the policy of one snapshot: files holds every file under policy/
// of its tree, by path. The persons, the consent default, the tiers and the
// Cedar text must be there; the subject, the auditors and the tiers that
// may be given uncited text may be missing, and profiles are passed over. Any other path, a file that is not canonical, and a Cedar text that does not
// parse, is empty or asks for an attribute that does not exist is an error.
func Load(files map[string][]byte) (*Policy, error) {
	p := &Policy{}
	seen := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := p.read(path, files[path]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		seen[path] = true
	}
	for _, path := range []string{layout.PathPersons, layout.PathConsent, layout.PathTiers, layout.PathCedar} {
		if !seen[path] {
			return nil, fmt.Errorf("%s: missing", path)
		}
	}
	// The text of a new archive is tried by a test: doing it again for each question takes longer
	// than the search.
	p.hasDefaultCedar = bytes.Equal(files[layout.PathCedar], cedarDefault)
	if !p.hasDefaultCedar {
		if err := p.try(); err != nil {
			return nil, fmt.Errorf("%s: %w", layout.PathCedar, err)
		}
	}
	p.digest = digest(files)
	p.veils = makeVeils(p.Persons, p.Subject)
	return p, nil
}

// read takes one file of the policy.
func (p *Policy) read(path string, data []byte) error {
	switch path {
	default:
		if strings.HasPrefix(path, layout.PathProfiles) && strings.HasSuffix(path, ".json") {
			return nil // what an answer needs; it decides nothing about what is shown
		}
		return errors.New("not a file of a policy")
	case layout.PathFreeform:
		f, err := access.ParseFreeform(data)
		if err != nil {
			return err
		}
		p.freeform = f.Tiers
	case layout.PathSubject:
		s, err := access.ParseSubject(data)
		if err != nil {
			return err
		}
		p.Subject = *s
	case layout.PathPersons:
		s, err := access.ParsePersons(data)
		if err != nil {
			return err
		}
		p.Persons = *s
	case layout.PathConsent:
		c, err := access.ParseConsentDefault(data)
		if err != nil {
			return err
		}
		p.sensitive = *c
		p.consent = c.Consent()
	case layout.PathTiers:
		t, err := access.ParseTiers(data)
		if err != nil {
			return err
		}
		p.Tiers = t.Tiers
	case layout.PathAuditors:
		a, err := access.ParseAuditors(data)
		if err != nil {
			return err
		}
		p.Scopes = a.Scopes
	case layout.PathCedar:
		set, err := parseCedar(data)
		if err != nil {
			return err
		}
		p.cedar = set
	}
	return nil
}

// parseCedar parses a Cedar text.
func parseCedar(data []byte) (*cedar.PolicySet, error) {
	switch {
	case len(data) > MaxCedar:
		return nil, fmt.Errorf("%d bytes, want at most %d", len(data), MaxCedar)
	case !utf8.Valid(data):
		return nil, errors.New("not UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("has a NUL byte")
	}
	set, err := cedar.NewPolicySetFromBytes(layout.PathCedar, data)
	if err != nil {
		return nil, err
	}
	switch n := len(maps.Collect(set.All())); {
	case n == 0:
		return nil, errors.New("no policy in it: everything would be denied")
	case n > MaxPolicies:
		return nil, fmt.Errorf("%d policies, want at most %d", n, MaxPolicies)
	}
	return set, nil
}

// try evaluates the Cedar text on every combination of tier, action and
// dimensions, so that a policy with a wrong attribute name is found when it
// is loaded, not when it is needed.
func (p *Policy) try() error {
	const flags = 7
	for rank := range p.Tiers {
		for bits := range 1 << flags {
			on := func(i int) bool { return bits>>i&1 == 1 }
			r := facts{
				inclusion: on(0), surfacing: on(1), display: on(2), existence: on(3),
				sealed: on(4), anonymized: on(5), minRank: (rank + bits) % (len(p.Tiers) + 1),
			}
			if on(6) {
				r.sensitive = access.SensitiveKinds
			}
			for _, a := range actions {
				_, diag := p.evaluate(Requestor{Name: "somebody"}, rank, cid.ID{}, r, a)
				for _, e := range diag.Errors {
					return fmt.Errorf("line %d: %s", e.Position.Line, e.Message)
				}
			}
		}
	}
	return nil
}

// digest computes what Digest documents.
func digest(files map[string][]byte) [32]byte {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[path])
		fmt.Fprintf(h, "%s  %s\n", hex.EncodeToString(sum[:]), path)
	}
	return [32]byte(h.Sum(nil))
}
