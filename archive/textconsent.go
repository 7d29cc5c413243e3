package archive

import (
	"slices"

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
// without one, the strictest of theirs; nil where the archive's default holds.
func (a *Archive) Consent(tree objects.Hash, id cid.ID) (*record.Consent, error) {
	return a.consent(a.PeekCatalog(tree).lookup, tree, id, maxDerived)
}

// consent is Consent with a lookup into the tree; depth is how many texts are followed.
func (a *Archive) consent(lookup *Lookup, tree objects.Hash, id cid.ID, depth int) (*record.Consent, error) {
	art, err := lookup.Artifact(id) // cheaper than a path from the root: its upper directories are cached
	if err != nil {
		return nil, err
	}
	if art == nil || art.HasConsent {
		if own, err := a.OwnConsent(tree, id); own != nil || err != nil {
			return own, err
		}
	}
	if art == nil || depth == 0 {
		return nil, nil
	}
	var out *record.Consent
	for _, scan := range art.scans() {
		next, err := a.consent(lookup, tree, scan, depth-1)
		if err != nil {
			return nil, err
		}
		if origin, err := lookup.Artifact(scan); err != nil {
			return nil, err
		} else if origin != nil && origin.Withdrawn {
			next = &record.Consent{Existence: true, Reason: "the scan of which it is the text was withdrawn"}
		}
		if next != nil {
			out = stricter(out, *next)
		}
	}
	if out != nil {
		out.Artifact = id.String()
	}
	return out, nil
}

// stricter returns what two consents both allow; the first may be nil.
func stricter(a *record.Consent, b record.Consent) *record.Consent {
	if a == nil {
		return &b
	}
	if a.MinTier == "" {
		a.MinTier = b.MinTier
	}
	b.Display = b.Display && (b.MinTier == "" || b.MinTier == a.MinTier) // which of two tiers is higher, the policy says
	a.Inclusion, a.Surfacing = a.Inclusion && b.Inclusion, a.Surfacing && b.Surfacing
	a.Display, a.Existence = a.Display && b.Display, a.Existence && b.Existence
	a.Sensitive = slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Sensitive, b.Sensitive))))
	return a
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
