package muniment

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/jcs"
	"muniment/merkle"
	"muniment/record"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/trust"
)

// TypeParagraphProof is the type member of a paragraph proof.
const TypeParagraphProof = "muniment/paragraph-proof/v1"

// A ParagraphProof shows that one unit of a text belongs to an artifact of a
// signed snapshot, without the rest of the text and without the archive. Its
// JSON is canonical.
type ParagraphProof struct {
	Type        string         `json:"type"`
	Artifact    string         `json:"artifact"`
	Kind        string         `json:"kind"`    // p or l
	Ordinal     int64          `json:"ordinal"` // from 1
	Text        string         `json:"text"`
	Proof       []string       `json:"proof"` // hashes in hex, from the leaf to the root
	RecordJSON  string         `json:"record_json"`
	RecordProof snapshot.Proof `json:"record_proof"` // of the record's line to the snapshot's root
	Commit      string         `json:"commit"`       // content of the signed commit
}

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
	p := &ParagraphProof{Type: TypeParagraphProof, Artifact: art.id.String(), Kind: string(at.Kind), Ordinal: int64(at.From.Unit),
		Text: string(doc.Payload()[unit.Start:unit.End]), Proof: []string{}, RecordJSON: string(data), RecordProof: *path, Commit: string(head.Content)}
	for _, hash := range doc.Prove(at.Kind, at.From.Unit-1) {
		p.Proof = append(p.Proof, hex.EncodeToString(hash[:]))
	}
	return p, nil
}

// Encode returns the canonical JSON.
func (p *ParagraphProof) Encode() ([]byte, error) { return jcs.Marshal(p) }

// VerifyParagraph checks a paragraph proof with no archive: (1) the unit is in
// the record's tree of that kind, (2) the record is a line of the snapshot's
// root, (3) the snapshot is well formed and signed, (4) by a key that t trusts
// for snapshots, where t is not zero. It returns the snapshot.
func VerifyParagraph(data []byte, t Trust) (*ParagraphProof, *snapshot.Snapshot, error) {
	no := func(format string, args ...any) (*ParagraphProof, *snapshot.Snapshot, error) {
		return nil, nil, problem(TypeVerification, ExitNo, "do not rely on it; ask its sender for another proof", "paragraph proof: "+format, args...)
	}
	var p ParagraphProof
	if err := jcs.Unmarshal(data, TypeParagraphProof, &p); err != nil {
		return no("%w", err)
	}
	rec, err := record.ParseRecord([]byte(p.RecordJSON))
	if err != nil {
		return no("record: %w", err)
	}
	artifact, err := cid.ParseAs(cid.Raw, p.Artifact)
	if err != nil || rec.Artifact != p.Artifact {
		return no("the record describes %s, want %s", rec.Artifact, p.Artifact)
	}
	root, n := rec.PRoot, rec.PCount
	switch p.Kind {
	default:
		return no("kind %q, want p or l", p.Kind)
	case string(canon.Paragraphs):
	case string(canon.Lines):
		root, n = rec.LRoot, rec.LCount
	}
	want, err := parseHash(root)
	if err != nil {
		return no("the record has no root of kind %s", p.Kind)
	}
	var proof []merkle.Hash
	for _, s := range p.Proof {
		h, err := parseHash(s)
		if err != nil {
			return no("%w", err)
		}
		proof = append(proof, h)
	}
	if err := merkle.Verify(merkle.LeafHash([]byte(p.Text)), p.Ordinal-1, n, proof, want); err != nil {
		return no("unit %s%d: %w", p.Kind, p.Ordinal, err)
	}
	s, err := snapshot.Parse([]byte(p.Commit))
	if err != nil {
		return no("snapshot: %w", err)
	}
	present, line, err := p.RecordProof.Verify(s.Root)
	if err != nil {
		return no("record: %w", err)
	}
	id := cid.OfJSON([]byte(p.RecordJSON))
	if !present || line.Path != record.RecordPath(artifact, id) || line.Digest != id.Digest() {
		return no("the proof is of the line %s, want the record %s", line.Path, id)
	}
	if t.Allowed != nil {
		if _, ok := t.Allowed.Allows(s.Key, sign.NamespaceGit); !ok {
			return no("the snapshot is signed by %s, which is not trusted for snapshots", s.Key.Fingerprint())
		}
	}
	if t.Root != nil {
		// One key alone, and without the history a revoked key's snapshot is
		// not shown to be older, unless it is the last good one itself.
		permit := snapshot.PermitRoot(t.Root, []*snapshot.Snapshot{s})
		if err := permit(trust.Snapshot, s, []sign.Key{s.Key}); err != nil {
			return no("the snapshot: %w", err)
		}
	}
	return &p, s, nil
}

func parseHash(s string) (merkle.Hash, error) {
	var h merkle.Hash
	if n, err := hex.Decode(h[:], []byte(s)); err != nil || n != len(h) || len(s) != 2*len(h) {
		return merkle.Hash{}, problem(TypeVerification, ExitNo, "ask for another proof", "%q is not a hash of %d bytes", printable(s), len(h))
	}
	return h, nil
}

// A ProofVerdict is the verdict on a paragraph proof.
type ProofVerdict struct {
	File     string        `json:"file"`
	Verdict  string        `json:"verdict"`
	Axes     []bundle.Axis `json:"axes"`
	Artifact string        `json:"artifact"`
	Unit     string        `json:"unit"` // p3, l118
	Text     string        `json:"text"`
	Snapshot string        `json:"snapshot"`
}

// maxProof is the largest proof that is read: one JSON object.
const maxProof = jcs.MaxObject

// VerifyProofFile verifies the paragraph proof in a file. Without trust the
// verdict is at best INCOMPLETE.
func VerifyProofFile(file string, t Trust) (*ProofVerdict, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, problem(TypeNotFound, ExitUsage, "give the file that cat --proof wrote", "%s: %s", printable(file), reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxProof+1))
	if err != nil {
		return nil, environment(err, "read "+printable(file))
	}
	v := &ProofVerdict{File: file, Verdict: bundle.Invalid}
	p, s, err := VerifyParagraph(data, t)
	if err != nil {
		v.Axes = []bundle.Axis{{Name: "integrity", Result: bundle.Fail, Reason: err.Error()}}
		return v, nil
	}
	v.Artifact, v.Unit, v.Text, v.Snapshot = p.Artifact, fmt.Sprintf("%s%d", p.Kind, p.Ordinal), bundle.Safe(p.Text), s.ID.String()
	v.Axes = []bundle.Axis{{Name: "integrity", Result: bundle.Pass, Reason: fmt.Sprintf("the unit is in the record's tree, the record in the root of snapshot %d", s.Seq)}}
	if t.IsZero() {
		v.Verdict = bundle.Incomplete
		v.Axes = append(v.Axes, bundle.Axis{Name: "signer trust", Result: bundle.NotChecked, Reason: "no trust file was given; signed by " + s.Key.Fingerprint()})
		return v, nil
	}
	v.Verdict = bundle.Valid
	v.Axes = append(v.Axes, bundle.Axis{Name: "signer trust", Result: bundle.Pass, Reason: "signed by " + s.Key.Fingerprint()})
	return v, nil
}
