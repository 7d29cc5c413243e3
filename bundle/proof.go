package bundle

import (
	"bytes"
	"fmt"
	"io"

	"muniment/jcs"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// MaxProof is the largest proof that is read, in bytes: one JSON object.
const MaxProof = jcs.MaxObject

// IsProof reports whether data, or its beginning, is the proof of a paragraph
// or of an artifact and no bundle.
func IsProof(data []byte) bool {
	if !bytes.HasPrefix(data, []byte("{")) {
		return false
	}
	for _, kind := range []string{TypeParagraphProof, TypeArtifactProof} {
		if bytes.Contains(data, []byte(`"type":"`+kind+`"`)) {
			return true
		}
	}
	return false
}

// A ProofVerdict is the verdict on the proof of a paragraph, which has a unit
// and its text, or of an artifact, which says what the snapshot holds.
type ProofVerdict struct {
	File     string   `json:"file"`
	Verdict  string   `json:"verdict"`
	Axes     []Axis   `json:"axes"`
	Artifact string   `json:"artifact"`
	Unit     string   `json:"unit"` // p3, l118
	Text     string   `json:"text"`
	Snapshot string   `json:"snapshot"`
	Seq      int64    `json:"seq"`
	Holds    *Holding `json:"holds,omitempty"`
}

// JudgeProof gives the verdict on a proof. Without a trust file or root in q it
// is at best INCOMPLETE.
func JudgeProof(data []byte, q Requirements) *ProofVerdict {
	v := &ProofVerdict{Verdict: Invalid}
	judge := v.judgeParagraph
	if kind, err := jcs.Member(data, "type"); err == nil && kind == TypeArtifactProof {
		judge = v.judgeArtifact
	}
	s, shown, err := judge(data, q)
	if err != nil {
		v.Axes = []Axis{{Name: AxisIntegrity, Result: Fail, Reason: err.Error()}}
		return v
	}
	v.Snapshot, v.Seq = s.ID.String(), s.Seq
	v.Axes = []Axis{{Name: AxisIntegrity, Result: Pass, Reason: shown}}
	if q.Allowed == nil && q.Root == nil {
		v.Verdict = Incomplete
		v.Axes = append(v.Axes, Axis{Name: "signer trust", Result: NotChecked, Reason: "no trust file was given; signed by " + s.Key.Fingerprint()})
		return v
	}
	v.Verdict = Valid
	v.Axes = append(v.Axes, Axis{Name: "signer trust", Result: Pass, Reason: "signed by " + s.Key.Fingerprint()})
	for _, name := range q.Require {
		if name != AxisIntegrity && name != AxisSigners {
			v.Verdict = Incomplete
			v.Axes = append(v.Axes, Axis{Name: name, Result: NotChecked, Reason: "a proof says nothing of it"})
		}
	}
	return v
}

// judgeParagraph sets the fields that a paragraph proof shows; on error it sets
// none.
func (v *ProofVerdict) judgeParagraph(data []byte, q Requirements) (s *snapshot.Snapshot, shown string, err error) {
	p, s, err := VerifyParagraph(data, q)
	if err != nil {
		return nil, "", err
	}
	v.Artifact, v.Unit, v.Text = p.Artifact, fmt.Sprintf("%s%d", p.Kind, p.Ordinal), Safe(p.Text)
	return s, fmt.Sprintf("the unit is in the record's tree, the record in the root of snapshot %d", s.Seq), nil
}

// checkSnapshotKey requires the key of a snapshot to count by itself, without the
// history. Every key counts where q brings no trust.
func (q Requirements) checkSnapshotKey(s *snapshot.Snapshot) error {
	if q.Allowed != nil {
		if _, ok := q.Allowed.Allows(s.Key, sign.NamespaceGit); !ok {
			return fmt.Errorf("the snapshot is signed by %s, which is not trusted for snapshots", s.Key.Fingerprint())
		}
	}
	if q.Root != nil {
		// One key alone, and without the history a revoked key's snapshot is
		// not shown to be older, unless it is the last good one itself.
		permit := snapshot.PermitRoot(q.Root, []*snapshot.Snapshot{s})
		if err := permit(trust.Snapshot, s, []sign.Key{s.Key}); err != nil {
			return fmt.Errorf("the snapshot: %w", err)
		}
	}
	return nil
}

// WriteProofReport writes a verdict as text. A proof that is not sound proves
// nothing, and nothing is shown.
func WriteProofReport(w io.Writer, v *ProofVerdict) error {
	var b bytes.Buffer
	for _, x := range v.Axes {
		fmt.Fprintf(&b, "%-11s  %-18s %s\n", x.Result, x.Name, x.Reason)
	}
	b.WriteByte('\n')
	if v.Unit != "" {
		fmt.Fprintf(&b, "%s of %s: “%s”\n\n", v.Unit, v.Artifact, v.Text)
	}
	if h := v.Holds; h != nil {
		fmt.Fprintf(&b, "%s in snapshot %d, %s\n", v.Artifact, v.Seq, v.Snapshot)
		line := func(name, value, none string) {
			if value == "" {
				value = none
			}
			fmt.Fprintf(&b, "  %-10s  %s\n", name, value)
		}
		file := func(name, digest, none string) {
			if digest != "" {
				digest = "sha256 " + digest
			}
			line(name, digest, none)
		}
		payload := ""
		if h.Payload {
			payload = "there"
		}
		line("payload", payload, "none")
		for _, id := range h.Records {
			line("record", id, "")
		}
		file("consent", h.Consent, "none: the archive's default holds")
		file("hold", h.Hold, "none")
		file("withdrawal", h.Withdrawal, "none")
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", v.Verdict)
	_, err := w.Write(b.Bytes())
	return err
}
