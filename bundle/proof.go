package bundle

import (
	"bytes"
	"fmt"
	"io"
	"muniment/bundle/display"
	"slices"

	"muniment/cid/jcs"
	"muniment/sign"
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
	Archive  string   `json:"archive"`
	Snapshot string   `json:"snapshot"`
	Seq      int64    `json:"seq"`
	Holds    *Holding `json:"holds,omitempty"`
	Newest   *Newest  `json:"newest,omitempty"`
}

// JudgeProof gives the verdict on a proof. Without a trust file or root in q it
// is at best INCOMPLETE. What a proof shows is in the verdict unless it is INVALID.
func JudgeProof(data []byte, q Requirements) *ProofVerdict {
	v := &ProofVerdict{}
	judge := v.judgeParagraph
	if kind, err := jcs.Member(data, "type"); err == nil && kind == TypeArtifactProof {
		judge = v.judgeArtifact
	}
	s, shown, err := judge(data)
	if err != nil {
		return &ProofVerdict{Verdict: Invalid, Axes: []Axis{{Name: AxisIntegrity, Result: Fail, Reason: err.Error()}}}
	}
	v.Snapshot, v.Seq, v.Archive = s.ID.String(), s.Seq, s.Archive.String()
	v.Newest = NewNewest(fmt.Sprintf("snapshot %d", s.Seq), s.Time, q.Now)
	v.Axes = append([]Axis{{Name: AxisIntegrity, Result: Pass, Reason: shown}}, q.judgeSnapshot(s)...)
	for _, name := range q.Require {
		if name != AxisSigners && !slices.ContainsFunc(v.Axes, func(a Axis) bool { return a.Name == name }) {
			v.Axes = append(v.Axes, Axis{Name: name, Result: NotChecked, Reason: "a proof says nothing of it"})
		}
	}
	required := slices.Concat([]string{AxisTrust}, q.requiredByRoot(), q.Require)
	v.Verdict = Valid
	for _, a := range v.Axes {
		switch {
		case a.Result == Fail:
			return &ProofVerdict{Verdict: Invalid, Axes: v.Axes}
		case a.Result == NotChecked && slices.Contains(required, a.Name):
			v.Verdict = Incomplete
		}
	}
	return v
}

// AxisTrust is the axis of a proof that says whether the snapshot's key counts.
const AxisTrust = "signer trust"

// judgeSnapshot returns the axes of a proof that speak of its snapshot.
func (q Requirements) judgeSnapshot(s *snapshot.Snapshot) []Axis {
	signed := Axis{Name: AxisTrust, Result: Pass, Reason: "signed by " + s.Key.Fingerprint()}
	revocation := Axis{Name: AxisRevocation, Result: NotChecked, Reason: "an allowed_signers file does not say which keys were revoked"}
	unshown, err := q.judgeSnapshotKey(s, false)
	switch {
	case !q.hasTrust():
		signed.Result, signed.Reason = NotChecked, "no trust file was given; "+signed.Reason
		revocation.Reason = "no trust file was given"
	case err != nil:
		signed.Result, signed.Reason = Fail, err.Error()
	case q.undersigned(s) != "":
		signed.Result, signed.Reason = NotChecked, q.undersigned(s)
		revocation.Reason = "whether enough keys count is not shown"
	case unshown != "":
		revocation.Reason = unshown
	case q.Root != nil:
		revocation.Result, revocation.Reason = Pass, fmt.Sprintf("version %d of the trust root does not end or revoke that key here", q.Root.Version)
	}
	if q.Root != nil && signed.Result == Fail {
		revocation.Reason = "the key does not count"
	}
	return []Axis{signed, q.JudgeArchive(s.Archive, sign.NamespaceGit, []sign.Key{s.Key}), revocation, q.JudgeExpiry()}
}

// checkSnapshot requires a snapshot to be of the archive that q names, by a key
// that counts and is shown to have signed while it was in force.
func (q Requirements) checkSnapshot(s *snapshot.Snapshot) error {
	for _, a := range q.judgeSnapshot(s) {
		required := a.Name == AxisRevocation || a.Name == AxisTrust
		if a.Result == Fail || q.Root != nil && required && a.Result != Pass {
			return fmt.Errorf("the snapshot: %s: %s", a.Name, a.Reason)
		}
	}
	return nil
}

// judgeParagraph sets the fields that a paragraph proof shows; on error it sets
// none.
func (v *ProofVerdict) judgeParagraph(data []byte) (s *snapshot.Snapshot, shown string, err error) {
	p, s, err := readParagraph(data)
	if err != nil {
		return nil, "", err
	}
	v.Artifact, v.Unit, v.Text = p.Artifact, fmt.Sprintf("%s%d", p.Kind, p.Ordinal), display.Safe(p.Text)
	return s, fmt.Sprintf("the unit is in the record's tree, the record in the root of snapshot %d", s.Seq), nil
}

// WriteProofReport writes a verdict as text. A proof that is not sound proves
// nothing, and nothing is shown.
func WriteProofReport(w io.Writer, v *ProofVerdict) error {
	var b bytes.Buffer
	b.WriteString(VerdictLines(v.Verdict))
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
		if h.Pointer != "" {
			payload = "in a payload store, pointer sha256 " + h.Pointer
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
	if v.Newest != nil {
		fmt.Fprintf(&b, "%s\n", v.Newest)
	}
	_, err := w.Write(b.Bytes())
	return err
}
