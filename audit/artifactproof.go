package audit

import (
	"muniment/archive"
	"muniment/bundle"
	"muniment/cid"
	"muniment/snapshot"
)

// An ArtifactProof shows all that a signed snapshot holds of an artifact, and
// that it holds no more of it.
type ArtifactProof = bundle.ArtifactProof

// ProveArtifact makes the proof of all that the newest snapshot holds of an
// artifact: a name or an id. An id of which it holds nothing is proved to be
// absent.
func ProveArtifact(a *archive.Archive, ref string) (*ArtifactProof, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	id, err := cid.ParseAs(cid.Raw, ref)
	if err != nil {
		c, err := a.Catalog(head.Tree)
		if err != nil {
			return nil, err
		}
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		id = art.ID
	}
	var known *snapshot.Summary
	if k := a.StoredSummary(head); k != nil {
		known = k.Summary
	}
	tree, err := snapshot.OpenTree(a.Store(), head, known)
	if err != nil {
		return nil, archive.Environment(err, "proof")
	}
	r, err := tree.ProveRange(id)
	if err != nil {
		return nil, archive.Environment(err, "proof")
	}
	return &ArtifactProof{Type: bundle.TypeArtifactProof, Range: *r, Commit: string(head.Content)}, nil
}
