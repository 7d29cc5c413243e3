package bundle

import (
	"crypto/hmac"
	"fmt"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/trust"
)

// Result is the outcome of one axis.
type Result string

// The three results.
const (
	Pass       Result = "PASS"
	Fail       Result = "FAIL"
	NotChecked Result = "NOT-CHECKED"
)

// The verdicts. That on a reduced copy goes on with what is missing:
// "VALID, reduced: 3 of 9 shown parts are missing".
const (
	Valid      = "VALID"           // nothing failed, and what had to be checked was
	Reduced    = "VALID, reduced:" // the same of a copy from which somebody left parts out
	Invalid    = "INVALID"         // an axis failed
	Incomplete = "INCOMPLETE"      // nothing failed, but a required axis was not checked
)

// IsValid reports whether a verdict is VALID, be it of a reduced copy.
func IsValid(verdict string) bool {
	return verdict == Valid || strings.HasPrefix(verdict, Reduced+" ")
}

// The axes of a verdict, in the order of AxisNames.
const (
	AxisIntegrity   = "integrity"
	AxisSigners     = "signer threshold"
	AxisArchive     = "archive"
	AxisRevocation  = "revocation"
	AxisExpiry      = "expiry"
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
	AxisIntegrity, AxisSigners, AxisArchive, AxisRevocation, AxisExpiry, AxisLog, AxisWitnesses, AxisConsistency,
	AxisRequest, AxisDisplay, AxisSealed, AxisSpan, AxisGate, AxisTruth,
}

// ParseAxis reads the name of an axis, or its first words; hyphens may replace its spaces. No two
// axes begin with the same word.
func ParseAxis(s string) (string, error) {
	name := strings.ReplaceAll(s, "-", " ") + " "
	for _, a := range AxisNames {
		if strings.HasPrefix(strings.ReplaceAll(a, "-", " ")+" ", name) && s != "" {
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

// A Verdict is the result of Verify. It always has all axes.
type Verdict struct {
	Verdict string
	Axes    []Axis
	Signers []Signer // of the statement, as far as their signatures are right
	Remarks []string // what does not change the verdict and should be read
	Archive string   // ID of the archive that the statement names; "" where nothing could be read
	Newest  *Newest  // of what is signed in the bundle; nil where nothing could be read

	// The names of the bundle and of the trust file, for the commands of a
	// report, see Redo. Verify sets neither.
	File, Trust string

	shown, missing int  // parts of the answer as shown, and those not in this copy
	newer          bool // an axis is NOT-CHECKED because something is newer: never VALID
}

// Requirements say what the verifier brings along. The zero value checks what a
// bundle shows by itself, and is never enough for VALID.
type Requirements struct {
	Allowed    *sign.AllowedSigners // whose signatures count; nil: nobody's
	Root       *trust.Root          // the same and more; takes the place of Allowed
	Archive    cid.ID               // the archive that is meant; zero where only the trust names one
	Now        time.Time            // the verifier's time, for what expires; zero where there is no clock
	Require    []string             // axes that must be checked, beside those always required; see ParseAxis
	Identities []byte               // age identity file that opens sealed layers, or nil; see CheckIdentities
	Request    *RequestProof        // shows which question was asked, or nil

	// Witnesses is a policy that the verifier brings, which replaces that of the root; nil for none.
	// Where it asks for witnesses, their axis is required.
	Witnesses *quorum.Policy

	// Since is a signed checkpoint of the answer log that the verifier kept, or
	// nil. With it, consistency is required.
	Since []byte

	// Consistency finds the hashes between two sizes of a log, the smaller
	// first, in whatever the verifier has: a proof file, a folder of tiles. Nil
	// where there is nothing. What it returns is checked, not believed.
	Consistency func(origin string, from, to int64) ([]merkle.Hash, error)
}

// hasTrust reports whether the verifier brought anything that says whose
// signatures count.
func (q Requirements) hasTrust() bool { return q.Allowed != nil || q.Root != nil }

// A RequestProof is the question with the nonce that the requestor kept.
type RequestProof struct {
	Question string
	Nonce    []byte
}

// Verify checks a bundle: steps 10 to 18 of docs/spec/bundle.md, steps 1 to 9
// having been taken by whatever made b.
func Verify(b *Bundle, q Requirements) *Verdict {
	if b == nil || b.statement == nil {
		return InvalidVerdict(errEmpty)
	}
	v := &Verdict{}
	shown := len(b.Leaves())
	if b.newer != nil {
		v.addNewer(AxisIntegrity, b.newer)
	} else {
		v.add(AxisIntegrity, Pass, fmt.Sprintf("%d of %d leaves are disclosed, and each is the one signed", shown, b.statement.Leaves))
	}
	v.Archive, v.Newest = b.statement.Archive.String(), b.newest(q.Now)
	a := attest(b, q)
	a.judge(v)
	v.judgeRequest(b, q.Request)
	v.judgeDisplay(b)
	v.judgeContent(b, q, a.counted)
	v.add(AxisTruth, NotChecked, "signatures and proofs show who said what on which evidence, not that it is true")
	v.conclude(q)
	return v
}

// InvalidVerdict returns the verdict on a file that could not be read as a bundle.
func InvalidVerdict(err *InvalidError) *Verdict {
	v := &Verdict{Verdict: Invalid}
	v.add(AxisIntegrity, Fail, err.Where+": "+err.Reason)
	for _, name := range AxisNames[1:] {
		v.add(name, NotChecked, "the bundle could not be read")
	}
	return v
}

// add appends an axis.
func (v *Verdict) add(name string, r Result, reason string) {
	v.Axes = append(v.Axes, Axis{name, r, reason})
}

// remark appends a remark.
func (v *Verdict) remark(format string, args ...any) {
	v.Remarks = append(v.Remarks, fmt.Sprintf(format, args...))
}

// firstFailure returns the first failed axis with its reason, or "".
func (v *Verdict) firstFailure() string {
	for _, a := range v.Axes {
		if a.Result == Fail {
			return a.Name + ": " + a.Reason
		}
	}
	return ""
}

// requiredAxes returns the axes that are required without being named.
func (q Requirements) requiredAxes() []string {
	axes := []string{AxisIntegrity, AxisSigners}
	if q.Since != nil {
		axes = append(axes, AxisConsistency)
	}
	if q.asksForWitnesses() {
		axes = append(axes, AxisWitnesses)
	}
	if q.Root == nil {
		return axes
	}
	axes = append(axes, q.requiredByRoot()...)
	if q.Root.Has(trust.Log) {
		axes = append(axes, AxisLog)
	}
	return axes
}

// asksForWitnesses reports whether a checkpoint must be cosigned.
func (q Requirements) asksForWitnesses() bool {
	if q.Witnesses != nil || q.Root == nil {
		return q.Witnesses.Asks()
	}
	return q.Root.Thresholds[trust.Witness].Keys > 0 || q.Root.Witnesses.Asks()
}

// requiredByRoot returns the axes that a trust root requires of a bundle and of a
// proof alike.
func (q Requirements) requiredByRoot() []string {
	switch {
	case q.Root == nil:
		return nil
	case q.Root.Expires.IsZero():
		return []string{AxisRevocation}
	}
	return []string{AxisRevocation, AxisExpiry}
}

// conclude sets the verdict: step 18.
func (v *Verdict) conclude(q Requirements) {
	v.Verdict = Valid
	if v.newer {
		v.Verdict = Incomplete
	}
	for _, name := range slices.Concat(q.requiredAxes(), q.Require) {
		checked := func(a Axis) bool { return a.Name == name && a.Result != NotChecked }
		if !slices.ContainsFunc(v.Axes, checked) {
			v.Verdict = Incomplete
		}
	}
	if v.Verdict == Valid && v.missing > 0 {
		v.Verdict = fmt.Sprintf("%s %d of %d shown parts are missing", Reduced, v.missing, v.shown)
	}
	if v.firstFailure() != "" {
		v.Verdict = Invalid
	}
}

// judgeRequest adds the axis of step 13.
func (v *Verdict) judgeRequest(b *Bundle, p *RequestProof) {
	if p == nil {
		v.add(AxisRequest, NotChecked, "question and nonce were not given")
		return
	}
	if mac := RequestMAC(p.Nonce, []byte(p.Question)); !hmac.Equal(mac[:], b.statement.Request[:]) {
		v.add(AxisRequest, Fail, "the statement is bound to another question or nonce")
		return
	}
	for _, l := range b.leaves {
		if shown, ok := l.(*leaf.Question); ok && shown.Text != p.Question {
			v.add(AxisRequest, Fail, "the statement answers this question, and the bundle shows another one")
			return
		}
	}
	v.add(AxisRequest, Pass, "the statement answers this question")
}

// judgeDisplay adds the axis of step 14.
func (v *Verdict) judgeDisplay(b *Bundle) {
	d := b.display()
	if u, ok := b.leaves[d.Index].(*leaf.Unread); ok {
		v.addNewer(AxisDisplay, u.Newer)
		return
	}
	var visible []leaf.Leaf
	var missing, dropped, loose, extra, barred []int
	var late *leaf.Unread
	for _, i := range d.Shown {
		u, newer := b.leaves[i].(*leaf.Unread)
		switch l := b.leaves[i]; {
		case newer:
			late = u
		case l == nil && slices.Contains(d.Keep, i):
			dropped = append(dropped, i)
		case l == nil:
			missing = append(missing, i)
		default:
			visible = append(visible, l)
			if mustKeep(l) != slices.Contains(d.Keep, i) {
				loose = append(loose, i)
			}
			if neverShown(l) {
				barred = append(barred, i)
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
	case len(barred) > 0:
		v.add(AxisDisplay, Fail, fmt.Sprintf("leaves %s are shown: claims with the rung refused and pads never are", join(barred)))
	case len(missing) > 0:
		v.shown, v.missing = len(d.Shown), len(missing)
		v.add(AxisDisplay, NotChecked, fmt.Sprintf("reduced: %d of %d shown parts are missing, leaves %s", v.missing, v.shown, join(missing)))
	case late != nil:
		v.addNewer(AxisDisplay, late.Newer)
	case err != nil:
		v.add(AxisDisplay, Fail, err.Error())
	case out != b.statement.Outcome || rung != d.OutcomeRung:
		v.add(AxisDisplay, Fail, fmt.Sprintf("the statement says %s, %s; what is shown is %s, %s", b.statement.Outcome, d.OutcomeRung, out, rung))
	default:
		v.add(AxisDisplay, Pass, fmt.Sprintf("all %d leaves that were shown are here, and no other", len(d.Shown)))
	}
}

// judgeContent adds the axes of steps 15 to 17. counted are the keys whose
// signatures of the statement count.
func (v *Verdict) judgeContent(b *Bundle, q Requirements, counted []sign.Key) {
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
			opened = append(opened, fmt.Sprintf("%s (%s)", s.Name, display.Count(s.Leaves, "leaf")))
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
	sources, gates := checkSources(o.Leaves, o.Complete, b.statement.Archive, q, counted), judgeGates(o.Leaves, o.Complete, b.statement.Archive, q)
	v.Axes = append(v.Axes, sources.Axis, gates.Axis)
	v.newer = v.newer || sources.newer || gates.newer || slices.ContainsFunc(o.Leaves, func(l leaf.Leaf) bool { _, late := l.(*leaf.Unread); return late })
}

// join lists indexes for people, the first twenty of them.
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
