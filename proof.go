package muniment

import (
	"encoding/hex"
	"io"
	"os"

	"muniment/bundle"
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
func (a *Archive) Prove(ref, span string) (*ParagraphProof, error) {
	head, _, err := a.mustHead()
	if err != nil {
		return nil, err
	}
	c, err := a.load(head.Tree)
	if err != nil {
		return nil, err
	}
	art, err := c.resolve(ref)
	if err != nil {
		return nil, err
	}
	doc, err := a.document(head.Tree, art)
	if err != nil {
		return nil, err
	}
	at, err := parseSpan(doc, span)
	if err != nil {
		return nil, err
	}
	if _, _, err := cite.Resolve(doc, at); err != nil {
		return nil, problem(TypeInvalidLocator, ExitUsage, "muniment cat prints the text; muniment help spans explains addresses", "span %s: %w", span, err)
	}
	view, err := a.view(head)
	if err != nil {
		return nil, err
	}
	h, _ := art.first()
	data, err := h.rec.Encode()
	if err != nil {
		return nil, environment(err, "record")
	}
	path, err := view.Proof(record.RecordPath(art.id, h.id))
	if err != nil {
		return nil, environment(err, "proof")
	}
	unit := doc.Units(at.Kind)[at.From.Unit-1]
	p := &ParagraphProof{Type: bundle.TypeParagraphProof, Artifact: art.id.String(), Kind: string(at.Kind), Ordinal: int64(at.From.Unit),
		Text: string(doc.Payload()[unit.Start:unit.End]), Proof: []string{}, RecordJSON: string(data), RecordProof: *path, Commit: string(head.Content)}
	for _, hash := range doc.Prove(at.Kind, at.From.Unit-1) {
		p.Proof = append(p.Proof, hex.EncodeToString(hash[:]))
	}
	return p, nil
}

// VerifyParagraph checks a paragraph proof with no archive, as
// bundle.VerifyParagraph does.
func VerifyParagraph(data []byte, t Trust) (*ParagraphProof, *snapshot.Snapshot, error) {
	p, s, err := bundle.VerifyParagraph(data, bundle.Requirements{Allowed: t.Allowed, Root: t.Root})
	if err != nil {
		return nil, nil, problem(TypeVerification, ExitNo, "do not rely on it; ask its sender for another proof", "%w", err)
	}
	return p, s, nil
}

// VerifyProofFile verifies the proof of a paragraph or an artifact in a file.
// Without trust the verdict is at best INCOMPLETE.
func VerifyProofFile(file string, t Trust) (*ProofVerdict, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, problem(TypeNotFound, ExitUsage, "give the file that cat --proof or show --proof wrote", "%s: %s", printable(file), reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bundle.MaxProof+1))
	if err != nil {
		return nil, environment(err, "read "+printable(file))
	}
	v := bundle.JudgeProof(data, bundle.Requirements{Allowed: t.Allowed, Root: t.Root})
	v.File = file
	return v, nil
}
