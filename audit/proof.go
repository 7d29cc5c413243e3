package audit

import (
	"encoding/hex"
	"errors"
	"io/fs"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/cite"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// A ParagraphProof shows that one unit of a text belongs to an artifact of a
// signed snapshot, without the rest of the text and without the archive.
type ParagraphProof = bundle.ParagraphProof

// A ProofVerdict is the verdict on the proof of a paragraph or an artifact.
type ProofVerdict = bundle.ProofVerdict

// Prove makes the proof of the unit in which span begins, in the newest
// snapshot.
func Prove(a *archive.Archive, ref, span string) (*ParagraphProof, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	c, err := a.Catalog(head.Tree)
	if err != nil {
		return nil, err
	}
	art, err := c.Resolve(ref)
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
		return nil, archive.Problem(archive.TypeInvalidLocator, archive.Advise("muniment cat prints the text; muniment help spans explains addresses"), "span %s: %w", span, err)
	}
	view, err := answer.NewView(a, head)
	if err != nil {
		return nil, err
	}
	h, _ := art.FirstRecord()
	data, err := h.Record.Encode()
	if err != nil {
		return nil, archive.Environment(err, "record")
	}
	path, err := view.Proof(record.RecordPath(art.ID, h.ID))
	if err != nil {
		return nil, archive.Environment(err, "proof")
	}
	unit := doc.Units(at.Kind)[at.From.Unit-1]
	p := &ParagraphProof{Type: bundle.TypeParagraphProof, Artifact: art.ID.String(), Kind: string(at.Kind), Ordinal: int64(at.From.Unit),
		Text: string(doc.Payload()[unit.Start:unit.End]), Proof: []string{}, RecordJSON: string(data), RecordProof: *path, Commit: string(head.Content)}
	for _, hash := range doc.Prove(at.Kind, at.From.Unit-1) {
		p.Proof = append(p.Proof, hex.EncodeToString(hash[:]))
	}
	return p, nil
}

// VerifyParagraph checks a paragraph proof with no archive, as
// bundle.VerifyParagraph does.
func VerifyParagraph(data []byte, t archive.Trust) (*ParagraphProof, *snapshot.Snapshot, error) {
	p, s, err := bundle.VerifyParagraph(data, bundle.Requirements{Allowed: t.Allowed, Root: t.Root})
	if err != nil {
		return nil, nil, archive.Problem(archive.TypeVerification, archive.Advise("do not rely on it; ask its sender for another proof"), "%w", err)
	}
	return p, s, nil
}

// VerifyProofFile verifies the proof of a paragraph or an artifact in a file.
// Without trust the verdict is at best INCOMPLETE.
func VerifyProofFile(file string, t archive.Trust) (*ProofVerdict, error) {
	v, err := bundlefile.CheckProof(file, bundle.Requirements{Allowed: t.Allowed, Root: t.Root})
	switch {
	case errors.Is(err, bundlefile.ErrNotProof):
		return nil, archive.Problem(archive.TypeInvalidBundle, archive.Advise("give the file that cat --proof or show --proof wrote"), "%s: %w", archive.Printable(file), err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, archive.Problem(archive.TypeNotFound, archive.Advise("give the file that cat --proof or show --proof wrote"), "%s: %s", archive.Printable(file), archive.Reason(err))
	case err != nil:
		return nil, archive.Environment(err, "read "+archive.Printable(file))
	}
	return v, nil
}
