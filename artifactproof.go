package muniment

import (
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
func (a *Archive) ProveArtifact(ref string) (*ArtifactProof, error) {
	head, _, err := a.mustHead()
	if err != nil {
		return nil, err
	}
	id, err := cid.ParseAs(cid.Raw, ref)
	if err != nil {
		c, err := a.load(head.Tree)
		if err != nil {
			return nil, err
		}
		art, err := c.resolve(ref)
		if err != nil {
			return nil, err
		}
		id = art.id
	}
	var known *snapshot.Summary
	if k := a.knownSummary(head); k != nil {
		known = k.summary
	}
	tree, err := snapshot.OpenTree(a.store, head, known)
	if err != nil {
		return nil, environment(err, "proof")
	}
	r, err := tree.ProveRange(id)
	if err != nil {
		return nil, environment(err, "proof")
	}
	return &ArtifactProof{Type: bundle.TypeArtifactProof, Range: *r, Commit: string(head.Content)}, nil
}
