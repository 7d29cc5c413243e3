// Package evidence judges evidence files: two signed snapshots, or two checkpoints of an answer log, that disagree.
//
//	if evidence.Is(data) {
//		v := evidence.Judge(data, bundle.Requirements{Allowed: allowed})
//		err := evidence.WriteReport(os.Stdout, v)
//	}
//
// A verdict has axes as that of a bundle has, and says in a sentence what the file proves. docs/spec/evidence.md has the
// steps. Limits: files above MaxFile bytes are not read.
package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"muniment/bundle/display"
	"slices"
	"strings"
	"time"

	"muniment/bundle"
	"muniment/cid"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/dispute"
)

// MaxFile is the largest evidence that is read, in bytes.
const MaxFile = max(dispute.MaxFile, sign.MaxConflict)

// KindLogConflict is the kind of evidence against an answer log. The other kinds
// are those of package snapshot/dispute.
const KindLogConflict = "log conflict"

// AxisDisagreement is the axis of evidence that no bundle has: the two signed
// things cannot both belong to one honest history.
const AxisDisagreement = "disagreement"

// Is reports whether data, or its beginning, is an evidence file: two
// snapshots, or two checkpoints of an answer log, that disagree.
func Is(data []byte) bool { return dispute.Is(data) || sign.IsConflict(data) }

// A Verdict is the verdict on an evidence file. Proves says in a sentence
// what follows from the file alone, whoever sent it, and is empty where nothing
// does.
type Verdict struct {
	File    string        `json:"file"`
	Verdict string        `json:"verdict"`
	Axes    []bundle.Axis `json:"axes"`
	Kind    string        `json:"kind"` // equivocation, fork, unrelated, rollback, log conflict
	Proves  string        `json:"proves"`
	Archive string        `json:"archive"`
	Keys    []string      `json:"keys"` // fingerprints of those who signed, each once
	Heads   []Head        `json:"heads"`
	Claimed []string      `json:"claimed"` // what the file says and nothing shows
}

// A Head is one of the two signed things in evidence.
type Head struct {
	ID  string `json:"id"`  // of the snapshot; or the checkpoint's root, in hex
	Seq int64  `json:"seq"` // of the snapshot; or the checkpoint's size
	Key string `json:"key"` // fingerprint
}

// Judge gives the verdict on an evidence file. What two signatures by one
// key show about that key needs no trust: it is VALID without a trust file, and
// the axis of the signer's trust says whose key it is with one.
func Judge(data []byte, q bundle.Requirements) *Verdict {
	v := &Verdict{Keys: []string{}, Heads: []Head{}, Claimed: []string{}}
	if sign.IsConflict(data) {
		v.judgeConflict(data, q)
	} else {
		v.judgeDispute(data, q)
	}
	v.conclude(q)
	return v
}

// judgeDispute adds the axes of two snapshots that disagree.
func (v *Verdict) judgeDispute(data []byte, q bundle.Requirements) {
	e, err := dispute.Parse(data)
	switch {
	case errors.Is(err, dispute.ErrShowsNothing):
		v.add(bundle.AxisIntegrity, bundle.Pass, "two signed snapshots in the one form of evidence")
		v.add(AxisDisagreement, bundle.Fail, err.Error())
		return
	case err != nil:
		v.add(bundle.AxisIntegrity, bundle.Fail, err.Error())
		v.add(AxisDisagreement, bundle.NotChecked, "the evidence could not be read")
		return
	}
	ours, theirs := e.Ours, e.Theirs
	if e.Newer != nil {
		v.Kind, v.Archive = e.Kind, ours.Archive.String()
		v.add(bundle.AxisIntegrity, bundle.NotChecked, e.Newer.Error())
		v.add(AxisDisagreement, bundle.NotChecked, e.Newer.Error())
		return
	}
	v.Kind, v.Archive = e.Kind, ours.Archive.String()
	v.head(ours.ID.String(), ours.Seq, ours.Key)
	v.head(theirs.ID.String(), theirs.Seq, theirs.Key)
	v.Claimed = append(v.Claimed, fmt.Sprintf("that %s showed the second snapshot at %s, and that it was not an ancestor of the first or a successor", display.Safe(e.Remote), e.Seen.Format(time.RFC3339)))
	shown := ""
	switch e.Kind {
	case dispute.Equivocation:
		v.Claimed[0] = fmt.Sprintf("that %s showed the second snapshot at %s", display.Safe(e.Remote), e.Seen.Format(time.RFC3339))
		shown = fmt.Sprintf("two payloads of snapshot %d of one archive, signed by one key", ours.Seq)
		v.Proves = fmt.Sprintf("the key %s signed two histories of archive %s: two different snapshots %d", ours.Key.Fingerprint(), v.Archive, ours.Seq)
	case dispute.Unrelated:
		shown = "two snapshots of two archives"
		v.Proves = fmt.Sprintf("there are two archives, %s and %s; it shows nothing against a key", v.Archive, theirs.Archive)
	default:
		shown = fmt.Sprintf("snapshots %d and %d of one archive, with two payloads", ours.Seq, theirs.Seq)
		v.Proves = fmt.Sprintf("two snapshots of archive %s are genuine, %d by %s and %d by %s; it shows nothing against a key", v.Archive, ours.Seq, ours.Key.Fingerprint(), theirs.Seq, theirs.Key.Fingerprint())
	}
	v.add(bundle.AxisIntegrity, bundle.Pass, "two snapshots in their one form, both correctly signed, and nothing else")
	v.add(AxisDisagreement, bundle.Pass, shown)
	v.Axes = append(v.Axes, judgeSigners(q, ours.Archive, ours.Key, theirs.Key), q.JudgeArchive(ours.Archive, sign.NamespaceGit, []sign.Key{ours.Key, theirs.Key}))
}

// judgeSigners returns the axis of the keys that signed two snapshots.
func judgeSigners(q bundle.Requirements, of cid.ID, keys ...sign.Key) bundle.Axis {
	if !(q.Allowed != nil || q.Root != nil) {
		return bundle.Axis{Name: bundle.AxisSigners, Result: bundle.NotChecked, Reason: "no trust file says whose key it is"}
	}
	var by []string
	for _, k := range keys {
		who, ok := ownerOf(q, k, of, sign.NamespaceGit, trust.Snapshot, trust.Withdraw)
		if !ok {
			return bundle.Axis{Name: bundle.AxisSigners, Result: bundle.Fail, Reason: "the trust file gives " + k.Fingerprint() + " no right to sign snapshots there"}
		}
		if one := k.Fingerprint() + " is a key of " + display.SafeLine(who); !slices.Contains(by, one) {
			by = append(by, one)
		}
	}
	return bundle.Axis{Name: bundle.AxisSigners, Result: bundle.Pass, Reason: strings.Join(by, ", ")}
}

// judgeConflict adds the axes of two checkpoints of one log.
func (v *Verdict) judgeConflict(data []byte, q bundle.Requirements) {
	v.Kind = KindLogConflict
	fail := func(err error) {
		v.add(bundle.AxisIntegrity, bundle.Fail, err.Error())
		v.add(AxisDisagreement, bundle.NotChecked, "the evidence could not be read")
	}
	c, err := sign.ParseConflict(data)
	if err != nil {
		fail(err)
		return
	}
	archive, id, err := c.Log()
	if err != nil {
		fail(err)
		return
	}
	v.Archive = archive.String()
	key, who := c.Key, ""
	for _, k := range keysOf(q) {
		if k.ID() == id {
			key = k
			who, _ = ownerOf(q, k, archive, sign.NamespaceAnswer, trust.Log)
		}
	}
	if key.IsZero() {
		v.add(bundle.AxisIntegrity, bundle.NotChecked, "the file has no key in it: both checkpoints must be signed by the key with the ID "+id+", which a trust file holds")
		v.add(AxisDisagreement, bundle.NotChecked, "the signatures were not checked")
		v.add(bundle.AxisSigners, bundle.NotChecked, "that key is in no trust file that was given")
		return
	}
	first, second, err := c.Open(key)
	if err != nil {
		fail(err)
		return
	}
	v.head(fmt.Sprintf("%x", first.Root), first.Size, key)
	v.head(fmt.Sprintf("%x", second.Root), second.Size, key)
	wrong := c.Verify(key)
	if wrong == nil && c.Newer != nil {
		v.add(bundle.AxisIntegrity, bundle.NotChecked, c.Newer.Error())
		v.add(AxisDisagreement, bundle.NotChecked, c.Newer.Error())
		return
	}
	v.add(bundle.AxisIntegrity, bundle.Pass, "two checkpoints of one log, both correctly signed by its key, and nothing else")
	if wrong != nil {
		v.add(AxisDisagreement, bundle.Fail, wrong.Error())
		return
	}
	v.add(AxisDisagreement, bundle.Pass, fmt.Sprintf("the log of size %d had another root at size %d than the first checkpoint says", second.Size, first.Size))
	v.Proves = fmt.Sprintf("the key %s signed two histories of its answer log %s", key.Fingerprint(), first.Origin)
	switch {
	case who != "":
		v.add(bundle.AxisSigners, bundle.Pass, key.Fingerprint()+" is a key of "+who)
	case (q.Allowed != nil || q.Root != nil):
		v.add(bundle.AxisSigners, bundle.Fail, "the trust file gives "+key.Fingerprint()+" no log")
	default:
		v.add(bundle.AxisSigners, bundle.NotChecked, "no trust file says whose key it is")
	}
	v.Axes = append(v.Axes, q.JudgeArchive(archive, sign.NamespaceAnswer, []sign.Key{key}))
}

// head adds one of the two signed things.
func (v *Verdict) head(id string, seq int64, k sign.Key) {
	v.Heads = append(v.Heads, Head{ID: id, Seq: seq, Key: k.Fingerprint()})
	if !slices.Contains(v.Keys, k.Fingerprint()) {
		v.Keys = append(v.Keys, k.Fingerprint())
	}
}

// add appends an axis.
func (v *Verdict) add(name string, r bundle.Result, reason string) {
	v.Axes = append(v.Axes, bundle.Axis{Name: name, Result: r, Reason: display.SafeLine(reason)})
}

// conclude sets the verdict. Required are the form and the disagreement; other axes
// where q names them, or where they failed. What did not verify proves nothing.
func (v *Verdict) conclude(q bundle.Requirements) {
	v.Verdict = bundle.Valid
	result := func(name string) bundle.Result {
		for _, a := range v.Axes {
			if a.Name == name {
				return a.Result
			}
		}
		return bundle.NotChecked
	}
	for _, name := range append([]string{bundle.AxisIntegrity, AxisDisagreement}, q.Require...) {
		if result(name) == bundle.NotChecked {
			v.Verdict = bundle.Incomplete
		}
		if !slices.ContainsFunc(v.Axes, func(a bundle.Axis) bool { return a.Name == name }) {
			v.add(name, bundle.NotChecked, "evidence says nothing of it")
		}
	}
	if slices.ContainsFunc(v.Axes, func(a bundle.Axis) bool { return a.Result == bundle.Fail }) {
		v.Verdict = bundle.Invalid
	}
	if v.Verdict == bundle.Invalid || result(AxisDisagreement) != bundle.Pass {
		v.Proves, v.Claimed = "", []string{}
	}
}

// keysOf returns every key that the verifier's trust names.
func keysOf(q bundle.Requirements) []sign.Key {
	var out []sign.Key
	if q.Root != nil {
		for _, k := range q.Root.Keys {
			out = append(out, k.Key)
		}
	} else if q.Allowed != nil {
		for _, e := range q.Allowed.Entries() {
			out = append(out, e.Key)
		}
	}
	return out
}

// ownerOf returns who holds a key by the verifier's trust, and whether the key may, or
// once might, sign in one of the roles or under the namespace in an archive. Bounds and revocations
// are not applied: evidence tells of the past, too.
func ownerOf(q bundle.Requirements, k sign.Key, of cid.ID, namespace string, roles ...trust.Role) (string, bool) {
	if q.Root != nil {
		for _, line := range q.Root.Keys {
			if line.Key.Point() == k.Point() && slices.Contains(roles, line.Role) {
				return line.Org, true
			}
		}
		return "", false
	}
	line, ok := q.Allowed.Allows(k, namespace, of)
	return strings.Join(line.Principals, ","), ok
}

// WriteReport writes a verdict on evidence as text.
func WriteReport(w io.Writer, v *Verdict) error {
	var b bytes.Buffer
	b.WriteString(v.Verdict + "\n\n")
	for _, x := range v.Axes {
		fmt.Fprintf(&b, "%-11s  %-18s %s\n", x.Result, x.Name, x.Reason)
	}
	b.WriteByte('\n')
	for i, h := range v.Heads {
		fmt.Fprintf(&b, "%d. %d, %s\n   signed by %s\n", i+1, h.Seq, h.ID, h.Key)
	}
	if v.Proves != "" {
		fmt.Fprintf(&b, "\nproves: %s\n", display.SafeLine(v.Proves))
	}
	for _, c := range v.Claimed {
		fmt.Fprintf(&b, "claims, and does not prove: %s\n", display.SafeLine(c))
	}
	_, err := w.Write(b.Bytes())
	return err
}
