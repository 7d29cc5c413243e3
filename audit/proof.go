package audit

import (
	"encoding/hex"
	"errors"
	"io/fs"

	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/bundle/evidence"
	"muniment/cid"
	"muniment/cite"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// A ParagraphProof shows that one unit of a text belongs to an artifact of a
// signed snapshot, without the rest of the text and without the archive.
type ParagraphProof = bundle.ParagraphProof

// An ArtifactProof shows every record and payload that a signed snapshot holds of an
// artifact, and that there are no others.
type ArtifactProof = bundle.ArtifactProof

// A ProofVerdict is the verdict on the proof of a paragraph or an artifact.
type ProofVerdict = bundle.ProofVerdict

// ProveParagraph returns the proof of the unit of a text in which span begins, in
// the newest snapshot. ref is the artifact's name or id.
func ProveParagraph(a *archive.Archive, ref, span string) (*ParagraphProof, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	art, err := a.Catalog(head.Tree).ResolveCapture(ref)
	if err != nil {
		return nil, err
	}
	doc, err := a.Document(head.Tree, art)
	if err != nil {
		return nil, err
	}
	at, err := inventory.ParseSpan(doc, span)
	if err != nil {
		return nil, err
	}
	if _, _, err := cite.Resolve(doc, at); err != nil {
		return nil, problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).Or(problem.DoSpans), "span %s: %w", span, err)
	}
	tree, err := a.OpenTree(head)
	if err != nil {
		return nil, err
	}
	h, _ := art.FirstRecord()
	data, err := h.Record.Encode()
	if err != nil {
		return nil, problem.Wrap(err, "record")
	}
	path, err := tree.Prove(layout.RecordPath(art.ID, h.ID))
	if err != nil {
		return nil, problem.Wrap(err, "proof")
	}
	unit := doc.Units(at.Kind)[at.From.Unit-1]
	p := &ParagraphProof{Type: bundle.TypeParagraphProof, Artifact: art.ID.String(), Kind: string(at.Kind), Ordinal: int64(at.From.Unit),
		Text: string(doc.Payload()[unit.Start:unit.End]), Proof: []string{}, RecordJSON: string(data), RecordProof: *path, Commit: string(head.Content)}
	for _, hash := range doc.Prove(at.Kind, at.From.Unit-1) {
		p.Proof = append(p.Proof, hex.EncodeToString(hash[:]))
	}
	return p, nil
}

// ProveArtifact returns the proof of all that the newest snapshot holds of an
// artifact. ref is a name or an id; an id that the snapshot lacks is proved to be
// absent.
func ProveArtifact(a *archive.Archive, ref string) (*ArtifactProof, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	id, err := cid.ParseAs(cid.Raw, ref)
	if err != nil {
		art, err := a.Catalog(head.Tree).ResolveCapture(ref)
		if err != nil {
			return nil, err
		}
		id = art.ID
	}
	tree, err := a.OpenTree(head)
	if err != nil {
		return nil, err
	}
	r, err := tree.ProveRange(id)
	if err != nil {
		return nil, problem.Wrap(err, "proof")
	}
	return &ArtifactProof{Type: bundle.TypeArtifactProof, Range: *r, Commit: string(head.Content)}, nil
}

// VerifyProofFile returns the verdict on a file with the proof of a paragraph or an
// artifact. Without trust the verdict is at best INCOMPLETE. Of the options those for
// the axes of a bundle alone count for nothing.
func VerifyProofFile(file string, o VerifyOptions) (*ProofVerdict, error) {
	q, err := o.requirements()
	if err != nil {
		return nil, err
	}
	v, err := bundlefile.CheckProof(file, q)
	switch {
	case errors.Is(err, bundlefile.ErrNotProof):
		return nil, problem.New(problem.InvalidBundle, problem.Advise("give the file that was written with the proof"), "%s: %w", legible.Printable(file), err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New(problem.NotFound, problem.Advise("give the file that was written with the proof"), "%s: %s", legible.Printable(file), legible.Reason(err))
	case err != nil:
		return nil, problem.Wrap(err, "read "+legible.Printable(file))
	}
	return v, nil
}

// VerifyEvidenceFile returns the verdict on a file that shows two histories, with
// the trust and the required axes of o.
func VerifyEvidenceFile(file string, o VerifyOptions) (*evidence.Verdict, error) {
	q, err := o.requirements()
	if err != nil {
		return nil, err
	}
	v, err := bundlefile.CheckEvidence(file, q)
	if err != nil {
		return nil, archive.BundleError(file, err)
	}
	return v, nil
}
