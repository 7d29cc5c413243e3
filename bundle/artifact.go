package bundle

import (
	"encoding/hex"
	"fmt"

	"muniment/cid/jcs"
	"muniment/snapshot"
)

// TypeArtifactProof is the type member of the proof of an artifact.
const TypeArtifactProof = "muniment/artifact-proof/v1"

// An ArtifactProof shows all that a signed snapshot holds of an artifact, and
// that it holds no more of it: a range of the snapshot's lines with the signed
// commit. Its JSON is canonical.
type ArtifactProof struct {
	Type   string         `json:"type"`
	Range  snapshot.Range `json:"range"`
	Commit string         `json:"commit"` // content of the signed commit
}

// Encode returns the canonical JSON.
func (p *ArtifactProof) Encode() ([]byte, error) { return jcs.Marshal(p) }

// VerifyArtifact checks the proof of an artifact with no archive: (1) the snapshot is well formed
// and signed, (2) the lines are adjacent under its root, and between the neighbours are the lines
// of the artifact and no others, (3) the key is trusted for snapshots and shown to have been in
// force, where q says whom to trust, (4) in the archive that q names, if it does. It returns the
// snapshot and what it holds; on error all results are nil. Nothing else of q counts: whether a
// trust root has expired is an axis of JudgeProof.
func VerifyArtifact(data []byte, q Requirements) (*ArtifactProof, *snapshot.Snapshot, *snapshot.Beside, error) {
	p, s, beside, err := readArtifact(data)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := q.checkSnapshot(s); err != nil {
		return nil, nil, nil, fmt.Errorf("artifact proof: %w", err)
	}
	return p, s, beside, nil
}

// readArtifact takes the first two steps of VerifyArtifact.
func readArtifact(data []byte) (*ArtifactProof, *snapshot.Snapshot, *snapshot.Beside, error) {
	no := func(err error) (*ArtifactProof, *snapshot.Snapshot, *snapshot.Beside, error) {
		return nil, nil, nil, fmt.Errorf("artifact proof: %w", err)
	}
	var p ArtifactProof
	if err := jcs.Unmarshal(data, TypeArtifactProof, &p); err != nil {
		return no(err)
	}
	s, err := snapshot.Parse([]byte(p.Commit))
	if err != nil {
		return no(fmt.Errorf("snapshot: %w", err))
	}
	beside, err := p.Range.Verify(s.Root)
	if err != nil {
		return no(err)
	}
	return &p, s, beside, nil
}

// A Holding is what a snapshot holds of an artifact. The strings are the sha256
// of a file, in hex, and empty where there is none.
type Holding struct {
	Payload    bool     `json:"payload"`
	Pointer    string   `json:"pointer,omitempty"` // sha256 of the pointer that stands in its place
	Records    []string `json:"records"`           // IDs
	Consent    string   `json:"consent,omitempty"`
	Hold       string   `json:"hold,omitempty"`
	Withdrawal string   `json:"withdrawal,omitempty"`
}

// holdingOf returns the holding that an artifact's lines show.
func holdingOf(b *snapshot.Beside) *Holding {
	digest := func(l *snapshot.Line) string {
		if l == nil {
			return ""
		}
		return hex.EncodeToString(l.Digest[:])
	}
	h := &Holding{Payload: b.Payload, Pointer: digest(b.Pointer), Records: []string{}, Consent: digest(b.Consent), Hold: digest(b.Hold), Withdrawal: digest(b.Withdrawal)}
	for _, id := range b.Records {
		h.Records = append(h.Records, id.String())
	}
	return h
}

// judgeArtifact sets the fields that an artifact proof shows; on error it sets
// none.
func (v *ProofVerdict) judgeArtifact(data []byte) (s *snapshot.Snapshot, shown string, err error) {
	p, s, beside, err := readArtifact(data)
	if err != nil {
		return nil, "", err
	}
	v.Artifact, v.Holds = p.Range.Artifact, holdingOf(beside)
	return s, fmt.Sprintf("all that snapshot %d holds of it lies side by side under its root, if its signer sorted the lines", s.Seq), nil
}
