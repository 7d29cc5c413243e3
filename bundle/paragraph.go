package bundle

import (
	"encoding/hex"
	"fmt"
	"strings"

	"muniment/bundle/display"
	"muniment/canon"
	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
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

// Encode returns the canonical JSON.
func (p *ParagraphProof) Encode() ([]byte, error) { return jcs.Marshal(p) }

// VerifyParagraph checks a paragraph proof with no archive: (1) the unit is in
// the record's tree of that kind, (2) the record is a line of the snapshot's
// root, (3) the snapshot is well formed and signed, (4) by a key that is
// trusted for snapshots and shown to have been in force, where q brings along whom
// to trust, (5) in the archive that q names, if it does. It returns the snapshot;
// on error both results are nil. Nothing else of q counts: whether a trust root has
// expired is an axis of JudgeProof.
func VerifyParagraph(data []byte, q Requirements) (*ParagraphProof, *snapshot.Snapshot, error) {
	p, s, err := readParagraph(data)
	if err != nil {
		return nil, nil, err
	}
	if err := q.checkSnapshot(s); err != nil {
		return nil, nil, fmt.Errorf("paragraph proof: %w", err)
	}
	return p, s, nil
}

// readParagraph takes the first three steps of VerifyParagraph.
func readParagraph(data []byte) (*ParagraphProof, *snapshot.Snapshot, error) {
	no := func(format string, args ...any) (*ParagraphProof, *snapshot.Snapshot, error) {
		return nil, nil, fmt.Errorf("paragraph proof: "+format, args...)
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
	want, err := paragraphHash(root)
	if err != nil {
		return no("the record has no root of kind %s", p.Kind)
	}
	var proof []merkle.Hash
	for _, s := range p.Proof {
		h, err := paragraphHash(s)
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
	if !present || line.Path != layout.RecordPath(artifact, id) || line.Digest != id.Digest() {
		return no("the proof is of the line %s, want the record %s", line.Path, id)
	}
	return &p, s, nil
}

// paragraphHash parses a hash of a paragraph's way to the root.
func paragraphHash(s string) (merkle.Hash, error) {
	var h merkle.Hash
	if len(s) != 2*len(h) || strings.ToLower(s) != s {
		return merkle.Hash{}, fmt.Errorf("%q is not a hash of %d bytes in lower case", display.Safe(s[:min(len(s), 80)]), len(h))
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return merkle.Hash{}, fmt.Errorf("%q is not a hash of %d bytes in lower case", display.Safe(s), len(h))
	}
	return h, nil
}
