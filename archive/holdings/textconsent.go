package holdings

import (
	"cmp"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// maxDerived is how many texts are followed from a text to its scan: a translation of a
// transcript of a recording takes two.
const maxDerived = 4

// FollowsOthers reports whether an artifact has a consent of its own or may be subject to
// that of the scans whose text it is.
func (art *Artifact) FollowsOthers() bool { return art.HasConsent || len(art.scans()) > 0 }

// scans returns the ids of the scans and recordings whose text the artifact is.
func (art *Artifact) scans() []cid.ID {
	var out []cid.ID
	for _, h := range art.CurrentRecords() {
		if d := DerivationOf(h.Record); d != nil {
			for _, from := range d.From {
				if id, err := cid.ParseAs(cid.Raw, from); err == nil && id != art.ID {
					out = append(out, id)
				}
			}
		}
	}
	return out
}

// Consent returns the consent in force for an artifact: its own or, for the text of scans
// without one, the strictest of theirs; nil where the archive's default holds. What came from
// an address is read in excerpts at most until a consent states rights.
func (s *Lookup) Consent(id cid.ID) (*record.Consent, error) { return s.consent(id, maxDerived) }

// SignedConsent returns the consent that was signed for an artifact: its own or that of the scans
// whose text it is; nil where it has none.
func (s *Lookup) SignedConsent(id cid.ID) (*record.Consent, error) {
	if own, err := s.ownConsent(id); own != nil || err != nil {
		return own, err
	}
	return s.InheritedConsent(id)
}

// InheritedConsent returns the consent that holds for an artifact where it has none of its
// own; nil where that is the archive's default.
func (s *Lookup) InheritedConsent(id cid.ID) (*record.Consent, error) {
	art, err := s.Artifact(id)
	if art == nil || err != nil {
		return nil, err
	}
	return s.findInherited(art, maxDerived)
}

// consent is Consent; depth is how many texts are followed.
func (s *Lookup) consent(id cid.ID, depth int) (*record.Consent, error) {
	art, err := s.Artifact(id) // cheaper than a path from the root: its upper directories are cached
	if err != nil {
		return nil, err
	}
	var inForce *record.Consent
	if art == nil || art.HasConsent {
		if inForce, err = s.ownConsent(id); err != nil || art == nil {
			return inForce, err
		}
	}
	if inForce == nil {
		if inForce, err = s.findInherited(art, depth); err != nil {
			return nil, err
		}
	}
	if !art.Captured() {
		return inForce, nil
	}
	return s.restrictCapture(art, inForce)
}

// Captured reports whether the artifact came from an address, and from nowhere else: who put it
// there may have rights in it that nobody gave the archive.
func (art *Artifact) Captured() bool {
	current := art.CurrentRecords()
	for _, h := range current {
		if h.Record.Source == nil || h.Record.Source.FetchedAt == "" {
			return false
		}
	}
	return len(current) > 0
}

// restrictCapture returns the consent in force for what came from an address, of which others read
// excerpts at most until a signed consent states rights; inForce is the consent in force without
// that, nil for the archive's default.
func (s *Lookup) restrictCapture(art *Artifact, inForce *record.Consent) (*record.Consent, error) {
	usual, err := s.usualConsent()
	if err != nil {
		return nil, err
	}
	if inForce == nil {
		if usual.Reading != record.ReadingWhole {
			return nil, nil
		}
		inForce = &usual
		inForce.Artifact = art.ID.String()
	}
	if inForce.Rights == "" {
		inForce.Reading = record.StricterReading(cmp.Or(inForce.Reading, usual.Reading), record.ReadingExcerpts)
	}
	return inForce, nil
}

// findInherited returns the consent that an artifact takes from the scans whose text it is,
// nil for none.
func (s *Lookup) findInherited(art *Artifact, depth int) (*record.Consent, error) {
	if depth == 0 {
		return nil, nil
	}
	var out *record.Consent
	for _, scan := range art.scans() {
		next, err := s.consent(scan, depth-1)
		if err != nil {
			return nil, err
		}
		if origin, err := s.Artifact(scan); err != nil {
			return nil, err
		} else if origin != nil && origin.Withdrawn {
			next = &record.Consent{Existence: true, Reason: "the scan of which it is the text was withdrawn"}
		}
		if next == nil {
			continue
		}
		if out == nil {
			out = next
			continue
		}
		if err := s.restrict(out, *next); err != nil {
			return nil, err
		}
	}
	if out != nil {
		out.Artifact = art.ID.String()
	}
	return out, nil
}

// restrict leaves in a what both consents allow. Of two tiers the higher one holds.
func (s *Lookup) restrict(a *record.Consent, b record.Consent) error {
	switch {
	case a.MinTier == "":
		a.MinTier = b.MinTier
	case b.MinTier != "" && b.MinTier != a.MinTier:
		higher, err := s.higherTier(a.MinTier, b.MinTier)
		if err != nil {
			return err
		}
		a.MinTier = higher
	}
	usual, err := s.usualConsent()
	if err == nil {
		a.Restrict(b, usual)
	}
	return err
}

// usualConsent returns the consent of artifacts without one of their own.
func (s *Lookup) usualConsent() (record.Consent, error) {
	data, err := s.file(record.PathConsent)
	if err != nil {
		return record.Consent{}, err
	}
	d := &record.ConsentDefault{Default: record.ConsentOpen}
	if data == nil {
		return d.Consent(), nil
	}
	if d, err = record.ParseConsentDefault(data); err != nil {
		return record.Consent{}, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", record.PathConsent, err)
	}
	return d.Consent(), nil
}

// higherTier returns which of two tiers the policy of the tree has later; one that it does
// not have is above all that it has.
func (s *Lookup) higherTier(a, b string) (string, error) {
	data, err := s.file(record.PathTiers)
	if err != nil || data == nil {
		return a, err
	}
	list, err := record.ParseTiers(data)
	if err != nil {
		return "", problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", record.PathTiers, err)
	}
	for _, t := range list.Tiers {
		switch t.Name {
		case a:
			return b, nil
		case b:
			return a, nil
		}
	}
	return a, nil
}

// ownConsent returns an artifact's own consent, nil when it has none.
func (s *Lookup) ownConsent(id cid.ID) (*record.Consent, error) {
	path := record.ConsentPath(id)
	data, err := s.file(path)
	if err != nil || data == nil {
		return nil, err
	}
	own, err := record.ParseConsent(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", path, err)
	}
	return own, nil
}

// file returns the bytes of a file of the tree, nil where it has none.
func (s *Lookup) file(path string) ([]byte, error) {
	names := strings.Split(path, "/")
	at := s.tree
	for i, name := range names {
		entries, err := readTree(s.store, at)
		if err != nil {
			return nil, problem.Wrap(err, path)
		}
		j := slices.IndexFunc(entries, func(e objects.TreeEntry) bool {
			return e.Name == name && (e.Mode == objects.ModeTree) == (i < len(names)-1)
		})
		if j < 0 {
			return nil, nil
		}
		at = entries[j].Hash
	}
	_, data, err := s.store.Get(at)
	return data, problem.Wrap(err, path)
}

// WithTexts returns artifacts and the texts that were made from them, each once.
func (c *Catalog) WithTexts(list []*Artifact) ([]*Artifact, error) {
	seen := map[cid.ID]bool{}
	for _, art := range list {
		seen[art.ID] = true
	}
	for i := 0; i < len(list); i++ {
		texts, err := c.DerivedFrom(list[i].ID)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			if !seen[text.Artifact.ID] {
				seen[text.Artifact.ID] = true
				list = append(list, text.Artifact)
			}
		}
	}
	return list, nil
}
