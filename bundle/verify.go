package bundle

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"muniment/merkle"
	"muniment/sign"
)

// Result is what became of one axis.
type Result string

// The three results.
const (
	Pass       Result = "PASS"
	Fail       Result = "FAIL"
	NotChecked Result = "NOT-CHECKED"
)

// The three verdicts.
const (
	Valid      = "VALID"      // nothing failed, and what had to be checked was
	Invalid    = "INVALID"    // an axis failed
	Incomplete = "INCOMPLETE" // nothing failed, but a required axis was not checked
)

// The axes of a verdict, in the order of AxisNames.
const (
	AxisIntegrity   = "integrity"
	AxisSigners     = "signer threshold"
	AxisRevocation  = "revocation"
	AxisLog         = "log inclusion"
	AxisWitnesses   = "witnesses"
	AxisConsistency = "consistency"
	AxisRequest     = "request binding"
	AxisDisplay     = "display completeness"
	AxisSealed      = "sealed layer"
	AxisSpan        = "artifact and span"
	AxisGate        = "gate re-evaluation"
	AxisTruth       = "truth"
)

// AxisNames lists the axes in the order of every verdict.
var AxisNames = []string{
	AxisIntegrity, AxisSigners, AxisRevocation, AxisLog, AxisWitnesses, AxisConsistency,
	AxisRequest, AxisDisplay, AxisSealed, AxisSpan, AxisGate, AxisTruth,
}

// ParseAxis reads the name of an axis; hyphens may stand for its spaces.
func ParseAxis(s string) (string, error) {
	name := strings.ReplaceAll(s, "-", " ")
	for _, a := range AxisNames {
		if strings.ReplaceAll(a, "-", " ") == name {
			return a, nil
		}
	}
	return "", fmt.Errorf("axis %q is not one of: %s", clip(s), strings.Join(AxisNames, ", "))
}

// An Axis is one question about a bundle and its answer.
type Axis struct {
	Name   string `json:"name"`
	Result Result `json:"result"`
	Reason string `json:"reason"`
}

// A Verdict is what Verify found. It always has all axes.
type Verdict struct {
	Verdict string
	Axes    []Axis
	Remarks []string // what does not change the verdict and should be read
}

// Requirements say what the verifier brings along. The zero value checks what a
// bundle shows by itself, and is never enough for VALID.
type Requirements struct {
	Allowed    *sign.AllowedSigners // whose signatures count; nil: nobody's
	Require    []string             // axes that must be checked, beside those always required; see ParseAxis
	Identities []byte               // age identity file that opens sealed layers, or nil; see CheckIdentities
	Request    *RequestProof        // shows which question was asked, or nil
}

// A RequestProof is what the requestor kept.
type RequestProof struct {
	Question string
	Nonce    []byte
}

// Verify checks a bundle: steps 10 to 18 of docs/spec/bundle.md, steps 1 to 9
// having been taken by whatever made b.
func Verify(b *Bundle, q Requirements) *Verdict {
	v := &Verdict{}
	shown := len(b.Leaves())
	v.add(AxisIntegrity, Pass, fmt.Sprintf("%d of %d leaves are disclosed, and each is the one signed", shown, b.statement.Leaves))
	v.signers(b, q.Allowed)
	if q.Allowed == nil {
		v.add(AxisRevocation, NotChecked, "no trust file was given")
	} else {
		v.add(AxisRevocation, NotChecked, "an allowed_signers file does not say which keys were revoked")
	}
	v.log(b, q.Allowed)
	v.request(b, q.Request)
	v.display(b)
	v.content(b, q)
	v.add(AxisTruth, NotChecked, "signatures and proofs show who said what on which evidence, not that it is true")
	v.conclude(q)
	return v
}

// InvalidVerdict is the verdict on something that could not be read as a bundle.
func InvalidVerdict(err *InvalidError) *Verdict {
	v := &Verdict{Verdict: Invalid}
	v.add(AxisIntegrity, Fail, err.Where+": "+err.Reason)
	for _, name := range AxisNames[1:] {
		v.add(name, NotChecked, "the bundle could not be read")
	}
	return v
}

func (v *Verdict) add(name string, r Result, reason string) {
	v.Axes = append(v.Axes, Axis{name, r, reason})
}

func (v *Verdict) remark(format string, args ...any) {
	v.Remarks = append(v.Remarks, fmt.Sprintf(format, args...))
}

// failed returns the first failed axis with its reason, or "".
func (v *Verdict) failed() string {
	for _, a := range v.Axes {
		if a.Result == Fail {
			return a.Name + ": " + a.Reason
		}
	}
	return ""
}

// conclude is step 18.
func (v *Verdict) conclude(q Requirements) {
	v.Verdict = Valid
	for _, name := range slices.Concat([]string{AxisIntegrity, AxisSigners}, q.Require) {
		checked := func(a Axis) bool { return a.Name == name && a.Result != NotChecked }
		if !slices.ContainsFunc(v.Axes, checked) {
			v.Verdict = Incomplete
		}
	}
	if v.failed() != "" {
		v.Verdict = Invalid
	}
}

// signers is step 10: every signature must be correct; one by a trusted key is
// needed. Keys count by their points.
func (v *Verdict) signers(b *Bundle, allowed *sign.AllowedSigners) {
	var by []string
	points := make(map[[32]byte]bool)
	for _, s := range b.signatures {
		k := s.Key()
		if err := s.Verify(sign.NamespaceAnswer, b.files[nameStatement]); err != nil {
			v.add(AxisSigners, Fail, fmt.Sprintf("%s: %v", sigName(k), err))
			return
		}
		if allowed == nil {
			by = append(by, k.Fingerprint())
			continue
		}
		line, ok := allowed.Allows(k, sign.NamespaceAnswer)
		if !ok {
			v.remark("a correct signature by %s is not counted: the trust file does not allow that key to sign answers", k.Fingerprint())
			continue
		}
		points[k.Point()] = true
		by = append(by, fmt.Sprintf("%s (%s)", k.Fingerprint(), safeLine(strings.Join(line.Principals, ","))))
		if line.ValidAfter != "" || line.ValidBefore != "" {
			v.remark("line %d of the trust file bounds the key in time; no time in a bundle is proved, so the bounds were not applied", line.Line)
		}
	}
	switch {
	case allowed == nil:
		v.add(AxisSigners, NotChecked, "signed by "+strings.Join(by, ", ")+"; no trust file says whether that counts")
	case len(points) < 1:
		v.add(AxisSigners, Fail, fmt.Sprintf("none of %d correct signatures is by a key of the trust file, 1 is needed", len(b.signatures)))
	default:
		v.add(AxisSigners, Pass, "signed by "+strings.Join(by, ", ")+"; 1 is needed")
	}
}

// log is steps 11 and 12.
func (v *Verdict) log(b *Bundle, allowed *sign.AllowedSigners) {
	r, reason, c := b.logged(allowed)
	v.add(AxisLog, r, reason)
	v.add(AxisWitnesses, NotChecked, "no witness policy was given")
	after := b.statement.After
	switch before, ok := rootBefore(b.proof, c); {
	case r == Fail:
		v.add(AxisConsistency, NotChecked, "the log proof does not hold")
	case ok && b.proof.Index == after.Size && before != after.Root:
		v.add(AxisConsistency, Fail, fmt.Sprintf("the log had root %x at size %d, the statement says %x", before, after.Size, after.Root))
	default:
		v.add(AxisConsistency, NotChecked, "no earlier checkpoint of this log was given")
	}
}

// logged is step 11: the statement is in the log of one of its signers.
func (b *Bundle) logged(allowed *sign.AllowedSigners) (Result, string, sign.Checkpoint) {
	after := b.statement.After
	id, err := after.key(b.statement.Archive)
	if err != nil {
		return Fail, err.Error(), sign.Checkpoint{}
	}
	i := slices.IndexFunc(b.signatures, func(s *sign.Signature) bool { return s.Key().ID() == id })
	if i < 0 {
		return Fail, "the log is of a key that did not sign the statement: " + id, sign.Checkpoint{}
	}
	k := b.signatures[i].Key()
	if err := b.signatures[i].Verify(sign.NamespaceAnswer, b.files[nameStatement]); err != nil {
		return Fail, "the log is of a key whose signature of the statement is wrong: " + err.Error(), sign.Checkpoint{}
	}
	entry := sha256.Sum256(b.files[nameStatement])
	c, err := b.proof.Verify(entry[:], k)
	switch {
	case err != nil:
		return Fail, err.Error(), sign.Checkpoint{}
	case c.Origin != after.Origin:
		return Fail, fmt.Sprintf("the proof is of log %s, the statement names %s", safeLine(c.Origin), after.Origin), c
	case b.proof.Index < after.Size:
		return Fail, fmt.Sprintf("the answer is entry %d of a log that had %d entries before it", b.proof.Index, after.Size), c
	}
	if allowed != nil {
		if _, ok := allowed.Allows(k, sign.NamespaceAnswer); !ok {
			return NotChecked, "the log is of " + k.Fingerprint() + ", which the trust file does not allow", c
		}
	}
	return Pass, fmt.Sprintf("entry %d of %d in %s", b.proof.Index, c.Size, after.Origin), c
}

// rootBefore is step 12: when the answer is the last entry of its checkpoint,
// the proof consists of the subtrees of the log before it.
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

// request is step 13.
func (v *Verdict) request(b *Bundle, p *RequestProof) {
	if p == nil {
		v.add(AxisRequest, NotChecked, "question and nonce were not given")
		return
	}
	if mac := RequestMAC(p.Nonce, []byte(p.Question)); !hmac.Equal(mac[:], b.statement.Request[:]) {
		v.add(AxisRequest, Fail, "the statement is bound to another question or nonce")
		return
	}
	v.add(AxisRequest, Pass, "the statement answers this question")
}

// display is step 14.
func (v *Verdict) display(b *Bundle) {
	d := b.display()
	var visible []Leaf
	var missing, dropped, loose, extra []int
	for _, i := range d.Shown {
		switch l := b.leaves[i]; {
		case l == nil && slices.Contains(d.Keep, i):
			dropped = append(dropped, i)
		case l == nil:
			missing = append(missing, i)
		default:
			visible = append(visible, l)
			if mustKeep(l) != slices.Contains(d.Keep, i) {
				loose = append(loose, i)
			}
		}
	}
	for i, l := range b.leaves {
		if l != nil && i != d.Index && !slices.Contains(d.Shown, i) {
			extra = append(extra, i)
		}
	}
	out, rung, err := outcome(visible)
	switch {
	case len(extra) > 0:
		v.add(AxisDisplay, Fail, fmt.Sprintf("leaves %s are disclosed, and the display leaf does not list them", join(extra)))
	case len(dropped) > 0:
		v.add(AxisDisplay, Fail, fmt.Sprintf("leaves %s are missing, which no copy may leave out: refusals, removed topics, contradicting citations", join(dropped)))
	case len(loose) > 0:
		v.add(AxisDisplay, Fail, fmt.Sprintf("the display leaf is wrong about whether leaves %s may be left out", join(loose)))
	case len(missing) > 0:
		v.add(AxisDisplay, Pass, fmt.Sprintf("reduced: leaves %s of the answer as shown are not in this copy", join(missing)))
		v.remark("this copy is reduced: %d of %d shown leaves are missing", len(missing), len(d.Shown))
	case err != nil:
		v.add(AxisDisplay, Fail, err.Error())
	case out != b.statement.Outcome || rung != d.OutcomeRung:
		v.add(AxisDisplay, Fail, fmt.Sprintf("the statement says %s, %s; what is shown is %s, %s", b.statement.Outcome, d.OutcomeRung, out, rung))
	default:
		v.add(AxisDisplay, Pass, fmt.Sprintf("all %d leaves that were shown are here, and no other", len(d.Shown)))
	}
}

// content is steps 15 to 17.
func (v *Verdict) content(b *Bundle, q Requirements) {
	o, err := b.open(q.Identities)
	if err != nil {
		v.add(AxisSealed, Fail, err.Error())
		v.add(AxisSpan, NotChecked, "the sealed layer does not hold")
		v.add(AxisGate, NotChecked, "the sealed layer does not hold")
		return
	}
	var opened, closed []string
	for _, s := range o.Scopes {
		if s.Opened {
			opened = append(opened, fmt.Sprintf("%s (%d leaves)", s.Name, s.Leaves))
		} else {
			closed = append(closed, fmt.Sprintf("%s: %s", s.Name, s.Reason))
		}
	}
	switch {
	case len(closed) > 0 && len(opened) > 0:
		v.add(AxisSealed, NotChecked, "opened "+strings.Join(opened, ", ")+"; not "+strings.Join(closed, ", "))
	case len(closed) > 0:
		v.add(AxisSealed, NotChecked, strings.Join(closed, ", "))
	case o.Complete:
		v.add(AxisSealed, Pass, "record complete: opened "+strings.Join(opened, ", "))
	default:
		v.add(AxisSealed, Pass, "opened "+strings.Join(opened, ", ")+"; with this reduced copy the record is not complete")
	}
	v.Axes = append(v.Axes,
		checkSources(o.Leaves, o.Complete, b.statement.Archive, q.Allowed),
		judgeGates(o.Leaves, o.Complete))
}

// join writes indexes for people.
func join(indexes []int) string {
	const most = 20
	var b strings.Builder
	for n, i := range slices.Sorted(slices.Values(indexes)) {
		if n == most {
			fmt.Fprintf(&b, " and %d more", len(indexes)-most)
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", i)
	}
	return b.String()
}
