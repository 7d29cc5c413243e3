package bundle

import (
	"crypto/sha256"
	"fmt"
	"muniment/bundle/display"
	"slices"
	"strings"

	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/trust"
)

// The grades of a signer.
const (
	GradeAnswering = "answering" // the key of an answer log, which is at hand wherever answers are made
	GradeCustodian = "custodian" // a trusted key that signs no log
	GradeUnknown   = "unknown"   // no trust was given, or it does not know the key
)

// A Signer is a key whose signature of the statement is right, with its grade by
// the verifier's trust.
type Signer struct {
	Fingerprint string `json:"fingerprint"`
	Who         string `json:"who"` // organisation, or principals of an allowed_signers line; "" when unknown
	Grade       string `json:"grade"`
	Counted     bool   `json:"counted"`
	Reason      string `json:"reason"` // why it is not counted, or ""
}

// An attestation judges the signatures of a statement, its log and the witnesses
// by the verifier's trust: steps 10 to 12.
type attestation struct {
	b            *Bundle
	q            Requirements
	badSignature error // of the first signature that is wrong, or nil

	place                trust.Place // of the statement in its log, as the proof shows or else as the statement says
	checkpoint           sign.Checkpoint
	logAxis, witnessAxis Axis
	logKey               sign.Key // of the log; zero where the log axis fails
	logInForce           bool     // the trust root gives the log's key the log here, and neither ends nor revokes it
	unshownReason        string   // why a signature that counts may be younger than the end of its key, or ""
	revokedReason        string   // the reason of the revoked key without which the axis fails, or ""
	counted              []sign.Key
}

// attest returns the attestation of a bundle, with its signatures verified.
func attest(b *Bundle, q Requirements) *attestation {
	a := &attestation{b: b, q: q}
	for _, s := range b.signatures {
		if err := s.Verify(sign.NamespaceAnswer, b.files[nameStatement]); err != nil {
			a.badSignature = fmt.Errorf("%s: %w", sigName(s.Key()), err)
			break
		}
	}
	return a
}

// judge adds the axes from signer threshold to consistency.
func (a *attestation) judge(v *Verdict) {
	a.logAxis = a.judgeLog()
	a.witnessAxis = a.judgeWitnesses(v)
	signers := a.judgeSigners(v)
	v.Axes = append(v.Axes, signers, a.judgeArchive(), a.judgeRevocation(), a.q.JudgeExpiry(), a.logAxis, a.witnessAxis, a.judgeConsistency())
}

// judgeLog returns the axis of step 11: the statement is in the log of one of its
// signers.
func (a *attestation) judgeLog() Axis {
	fail := func(format string, args ...any) Axis { return Axis{AxisLog, Fail, fmt.Sprintf(format, args...)} }
	after := a.b.statement.After
	id, epoch, err := after.key(a.b.statement.Archive)
	if err != nil {
		return fail("%v", err)
	}
	a.place = trust.Entry(id[:len(id)/4], epoch, after.Size)
	i := slices.IndexFunc(a.b.signatures, func(s *sign.Signature) bool { return s.Key().ID() == id })
	switch {
	case i < 0:
		return fail("the log is of a key that did not sign the statement: %s", id)
	case a.badSignature != nil:
		return fail("a signature of the statement is wrong: %v", a.badSignature)
	}
	k := a.b.signatures[i].Key()
	entry := sha256.Sum256(a.b.files[nameStatement])
	c, err := a.b.proof.Verify(entry[:], k)
	switch {
	case err != nil:
		return fail("%v", err)
	case c.Origin != after.Origin:
		return fail("the proof is of log %s, the statement names %s", display.SafeLine(c.Origin), after.Origin)
	case a.b.proof.Index < after.Size:
		return fail("the answer is entry %d of a log that had %d entries before it", a.b.proof.Index, after.Size)
	}
	a.checkpoint, a.place.Number, a.logKey = c, a.b.proof.Index, k
	found := Axis{AxisLog, Pass, fmt.Sprintf("entry %d of %d in %s", a.b.proof.Index, c.Size, after.Origin)}
	switch {
	case a.q.Root != nil:
		j := a.q.Root.Judge(trust.Log, k, a.place)
		a.logInForce = j.Counts() && !j.HasEnd()
		switch {
		case j.Standing == trust.Stranger:
			found.Result, found.Reason = NotChecked, "the log is of "+k.Fingerprint()+", to which the trust root gives no log"
		case j.Standing == trust.OutOfBounds:
			return fail("%s", j.Reason())
		case !a.stands(j):
			return fail("%s", a.revokedReason)
		}
	case a.q.Allowed != nil:
		if _, ok := a.q.Allowed.Allows(k, sign.NamespaceAnswer, a.b.statement.Archive); !ok {
			found.Result, found.Reason = NotChecked, "the log is of "+k.Fingerprint()+", which the trust file does not allow"
		}
	}
	return found
}

// judgeArchive returns the axis of the archive, by the keys that signed the
// statement.
func (a *attestation) judgeArchive() Axis {
	keys := make([]sign.Key, len(a.b.signatures))
	for i, s := range a.b.signatures {
		keys[i] = s.Key()
	}
	return a.q.JudgeArchive(a.b.statement.Archive, sign.NamespaceAnswer, keys)
}

// isPlaced reports whether the place of the statement is known from somebody else
// than a key: from the log of another key that is in force, or from a larger
// checkpoint of the log that the verifier kept.
func (a *attestation) isPlaced(k sign.Key) bool {
	if a.logInForce && a.logKey.Point() != k.Point() {
		return true
	}
	if a.q.Since == nil {
		return false
	}
	kept, err := sign.OpenCheckpoint(a.q.Since, a.logKey)
	if err != nil || kept.Size <= a.place.Number {
		return false
	}
	shown, err := a.joins(kept)
	return err == nil && shown
}

// stands reports whether a signature counts in spite of an end or a revocation of its key, and
// notes the reason if it does not, or may not.
func (a *attestation) stands(j trust.Judgment) bool {
	switch j.Standing {
	case trust.Good:
		if j.HasEnd() && !a.isPlaced(j.Key.Key) {
			a.unshownReason = j.Reason() + ", and only its own log says that this is older"
		}
		return true
	case trust.Pinned:
		pin := sign.Checkpoint{Size: j.Revocation.Last.Number, Root: j.Revocation.Root}
		if j.Revocation.Last.Epoch == a.place.Epoch {
			pin.Origin = a.checkpoint.Origin
		}
		shown, err := a.joins(pin)
		switch {
		case err != nil:
			a.revokedReason = fmt.Sprintf("%s, and this log is another: %v", j.Reason(), err)
			return false
		case !shown:
			a.unshownReason = j.Reason()
		}
		return true
	}
	a.revokedReason = j.Reason()
	return false
}

// joins reports whether the log of the proof is shown to be the log of another
// checkpoint. The error says that it is another log.
func (a *attestation) joins(c sign.Checkpoint) (bool, error) {
	now := a.checkpoint
	if c.Origin != now.Origin || now.Origin == "" {
		return false, nil
	}
	var hashes []merkle.Hash
	if small, large := min(c.Size, now.Size), max(c.Size, now.Size); small > 0 && small < large {
		if a.q.Consistency == nil {
			return false, nil
		}
		var err error
		if hashes, err = a.q.Consistency(now.Origin, small, large); err != nil {
			return false, nil
		}
	}
	if err := sign.CheckConsistent(c, now, hashes); err != nil {
		return false, err
	}
	return true, nil
}

// judgeSigners returns the axis of step 10: every signature must be right, and
// enough of them by keys that count. Keys count by their points, then by their
// organisations.
func (a *attestation) judgeSigners(v *Verdict) Axis {
	if a.badSignature != nil {
		return Axis{AxisSigners, Fail, a.badSignature.Error()}
	}
	var by []string
	revoked := ""
	for _, s := range a.b.signatures {
		one, ok := a.describeSigner(s.Key(), v)
		v.Signers = append(v.Signers, one)
		if ok {
			a.counted = append(a.counted, s.Key())
			by = append(by, one.String())
			continue
		}
		if a.q.hasTrust() {
			v.remark("a correct signature by %s is not counted: %s", one.Fingerprint, one.Reason)
		}
		if revoked == "" {
			revoked = a.revokedReason
		}
	}
	if a.logAxis.Result != Fail {
		a.revokedReason = "" // of a key that may not be needed
	}
	names := strings.Join(by, ", ")
	switch {
	case !a.q.hasTrust():
		var all []string
		for _, s := range v.Signers {
			all = append(all, s.Fingerprint)
		}
		return Axis{AxisSigners, NotChecked, "signed by " + strings.Join(all, ", ") + "; no trust file says whether that counts"}
	case a.q.Root == nil && len(a.counted) == 0:
		return Axis{AxisSigners, Fail, fmt.Sprintf("none of %d correct signatures is by a key of the trust file, 1 is needed%s", len(v.Signers), a.strangerWords())}
	case a.q.Root == nil:
		return Axis{AxisSigners, Pass, "signed by " + names + "; 1 is needed"}
	}
	if a.b.statement.Trust != a.q.Root.Digest() {
		v.remark("the answer was made under another trust file (sha256 %x) than the given version %d of the trust root", a.b.statement.Trust, a.q.Root.Version)
	}
	n, need := a.q.Root.Count(trust.Answer, a.counted), a.q.Root.Thresholds[trust.Answer]
	state := fmt.Sprintf("%s of %s count; %d of %d are needed", display.Count(n.Keys, "key"), display.Count(n.Orgs, "organisation"), need.Keys, need.Orgs)
	if !a.q.Root.Reached(trust.Answer, a.counted) {
		a.revokedReason = revoked
		return Axis{AxisSigners, Fail, state + a.strangerWords()}
	}
	return Axis{AxisSigners, Pass, "signed by " + names + "; " + state}
}

// strangerWords returns the addition to a failing axis of signers where the bundle itself says that
// its key is not one of the archive, else "".
func (a *attestation) strangerWords() string {
	if !a.b.hasNote(display.StrangerNote) {
		return ""
	}
	return "; the bundle says so itself: " + display.StrangerNote
}

// String describes a signer that counts.
func (s Signer) String() string {
	return fmt.Sprintf("%s (%s, %s key)", s.Fingerprint, display.SafeLine(s.Who), s.Grade)
}

// describeSigner returns a signer with its grade by the verifier's trust, and
// whether it counts.
func (a *attestation) describeSigner(k sign.Key, v *Verdict) (Signer, bool) {
	s := Signer{Fingerprint: k.Fingerprint(), Grade: GradeUnknown}
	if a.q.Root == nil {
		line, ok := a.q.Allowed.Allows(k, sign.NamespaceAnswer, a.b.statement.Archive)
		if !ok {
			s.Reason = "the trust file does not allow that key to sign answers"
			return s, false
		}
		s.Who, s.Grade, s.Counted = strings.Join(line.Principals, ","), GradeCustodian, true
		if strings.Contains(a.b.statement.After.Origin, "/"+k.ID()+"/") {
			s.Grade = GradeAnswering
		}
		if line.ValidAfter != "" || line.ValidBefore != "" {
			v.remark("line %d of the trust file bounds the key in time; no time in a bundle is proved, so the bounds were not applied", line.Line)
		}
		return s, true
	}
	j := a.q.Root.Judge(trust.Answer, k, a.place)
	if j.Standing == trust.Stranger {
		s.Reason = j.Reason()
		return s, false
	}
	s.Who, s.Grade = j.Key.Org, GradeCustodian
	if a.q.Root.Judge(trust.Log, k, a.place).Standing != trust.Stranger {
		s.Grade = GradeAnswering
	}
	if j.Standing == trust.OutOfBounds {
		s.Reason = j.Reason()
		return s, false
	}
	if s.Counted = a.stands(j); !s.Counted {
		s.Reason = a.revokedReason
	}
	return s, s.Counted
}

// judgeRevocation returns the axis of revocation: whatever counts was signed
// before its key was revoked.
func (a *attestation) judgeRevocation() Axis {
	switch {
	case !a.q.hasTrust():
		return Axis{AxisRevocation, NotChecked, "no trust file was given"}
	case a.q.Root == nil:
		return Axis{AxisRevocation, NotChecked, "an allowed_signers file does not say which keys were revoked"}
	case a.revokedReason != "":
		return Axis{AxisRevocation, Fail, a.revokedReason}
	case a.unshownReason != "" && a.witnessAxis.Result != Pass:
		return Axis{AxisRevocation, NotChecked, a.unshownReason + "; a consistency proof, tiles of the log or cosignatures show it"}
	case a.unshownReason != "":
		return Axis{AxisRevocation, Pass, "a key ended or was revoked later, and witnesses have seen the log it signed in"}
	}
	return Axis{AxisRevocation, Pass, fmt.Sprintf("no key that counts is revoked here by version %d of the trust root", a.q.Root.Version)}
}

// judgeConsistency returns the axis of step 12: the log agrees with what the
// statement says about it, and with the checkpoint that the verifier kept.
func (a *attestation) judgeConsistency() Axis {
	after := a.b.statement.After
	if a.logAxis.Result == Fail {
		return Axis{AxisConsistency, NotChecked, "the log proof does not hold"}
	}
	if before, ok := rootBefore(a.b.proof, a.checkpoint); ok && a.b.proof.Index == after.Size && before != after.Root {
		return Axis{AxisConsistency, Fail, fmt.Sprintf("the log had root %x at size %d, the statement says %x", before, after.Size, after.Root)}
	}
	// Where the proof does not show it, hashes that lead there may be at hand.
	if _, err := a.joins(sign.Checkpoint{Origin: after.Origin, Size: after.Size, Root: after.Root}); err != nil {
		return Axis{AxisConsistency, Fail, "what the statement says of the log before it: " + err.Error()}
	}
	if a.q.Since == nil {
		return Axis{AxisConsistency, NotChecked, "no earlier checkpoint of this log was given"}
	}
	i := slices.IndexFunc(a.b.signatures, func(s *sign.Signature) bool {
		return strings.Contains(after.Origin, "/"+s.Key().ID()+"/")
	})
	kept, err := sign.OpenCheckpoint(a.q.Since, a.b.signatures[i].Key())
	switch {
	case err != nil:
		return Axis{AxisConsistency, NotChecked, "the checkpoint given is not one of this log: " + display.SafeLine(err.Error())}
	case kept.Origin != after.Origin:
		return Axis{AxisConsistency, NotChecked, fmt.Sprintf("the checkpoint given is of %s, the answer is in %s", display.SafeLine(kept.Origin), after.Origin)}
	}
	switch shown, err := a.joins(kept); {
	case err != nil:
		return Axis{AxisConsistency, Fail, err.Error()}
	case !shown:
		return Axis{AxisConsistency, NotChecked, fmt.Sprintf("no hashes between the sizes %d and %d of the log were given", min(kept.Size, a.checkpoint.Size), max(kept.Size, a.checkpoint.Size))}
	}
	return Axis{AxisConsistency, Pass, fmt.Sprintf("the log of size %d and the one kept, of size %d, are one", a.checkpoint.Size, kept.Size)}
}

// rootBefore returns the root of the log before its last entry: when the answer
// is that entry, the proof consists of the subtrees before it.
func rootBefore(p *sign.LogProof, c sign.Checkpoint) (merkle.Hash, bool) {
	if p.Index != c.Size-1 {
		return merkle.Hash{}, false
	}
	if len(p.Hashes) == 0 {
		return merkle.Root(nil), true
	}
	root := p.Hashes[0]
	for _, h := range p.Hashes[1:] {
		root = merkle.NodeHash(h, root)
	}
	return root, true
}
