package custody

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// historyOptions are the options for verifying a received history.
type historyOptions struct {
	archive.Trust
	Transfer
	ours              *snapshot.Snapshot         // our newest snapshot; nil in a clone
	verified          *archive.VerifiedSnapshot  // a snapshot of our history up to which this copy verified it, or nil
	countersignatures snapshot.Countersignatures // those that this copy will hold
	awaitCountersign  bool                       // accept withdrawals that lack a countersignature

	review func(parent, s *snapshot.Snapshot) ([]snapshot.Act, bool, error) // as in snapshot.Checking; nil in a clone
}

// verifyHistory returns an error where a history in a store does not verify: ids, roots, signatures, links, rules, and
// the right of every signer. Without trust from the caller the archive's own trust decides, as it passed from the first
// snapshot to the newest. Where the same trust judged the history up to the snapshot of v.verified, files are read of
// the snapshots after it alone.
//
// The result notes that all of the history was verified, nil where not everything was read.
func verifyHistory(st *objects.Store, tip objects.Hash, history []*snapshot.Snapshot, v historyOptions) (*archive.VerifiedSnapshot, error) {
	o, by, err := findTrust(st, history, nil, v)
	if err != nil {
		return nil, err
	}
	o.Countersignatures, o.Progress, o.Review = v.countersignatures, v.progress, v.review
	if v.verified != nil && v.verified.Trust == by {
		if since := findSnapshot(history, v.verified.ID); since != nil {
			note, done, err := verifyLine(st, snapshot.Follow(archive.CommitReader(st), tip, since), o, by, v)
			if done || err != nil {
				return note, err
			}
		}
	}
	o.Parsed = history
	report, err := snapshot.CheckWith(st, tip, o)
	if err != nil {
		return nil, err
	}
	return v.judge(report, by, 0)
}

// verifyNew returns an error where the snapshots of a line do not verify: all but the oldest, which is the one of
// v.verified and of our history. Trust is what that snapshot holds, and who may act in the ones after it is decided as
// verifyHistory does. signedFirst returns the first snapshot of the history; it is asked where nothing that was handed
// down says who may withdraw. earlier is that of [snapshot.Checking].
//
// done is false where the line alone does not say enough, and verifyHistory must read the whole: where another trust
// judges it than judged what was verified, or where anything is wrong.
func verifyNew(st *objects.Store, line []*snapshot.Snapshot, v historyOptions, signedFirst func() *snapshot.Snapshot, earlier func(cid.ID) *snapshot.Snapshot) (note *archive.VerifiedSnapshot, done bool, err error) {
	o, by, err := findTrust(st, line, signedFirst, v)
	if err != nil || by != v.verified.Trust {
		return nil, false, nil
	}
	o.Countersignatures, o.Progress, o.Earlier, o.Review = v.countersignatures, v.progress, earlier, v.review
	return verifyLine(st, line, o, by, v)
}

// verifyLine is verifyNew where the trust is found.
func verifyLine(st *objects.Store, line []*snapshot.Snapshot, o snapshot.Checking, by string, v historyOptions) (note *archive.VerifiedSnapshot, done bool, err error) {
	if len(line) == 0 || by == "" || !v.verified.Summary.Of(line[len(line)-1]) {
		return nil, false, nil
	}
	report, err := snapshot.CheckSince(st, line, v.verified.Summary, o)
	if err != nil || report == nil {
		return nil, false, err
	}
	note, err = v.judge(report, by, v.verified.Artifacts)
	return note, true, err
}

// progress calls Progress with the items of a check.
func (v historyOptions) progress(done, total int64) { v.report(int(done), int(total)) }

// judge returns the note that a history was verified, from the report on it, or an error
// where it is not to be accepted. The note is nil where another fetch may not rest on it.
// artifacts is the number of those that the report does not count.
func (v historyOptions) judge(report *snapshot.Report, by string, artifacts int64) (*archive.VerifiedSnapshot, error) {
	switch {
	case !report.Sound():
		return nil, fmt.Errorf("objects that failed: %d, absent: %d: %s", report.Failed, report.Absent, firstReason(report.Problems))
	case report.Unreadable > 0:
		return nil, fmt.Errorf("objects that cannot be read: %d", report.Unreadable)
	case len(report.Untrusted) > 0:
		return nil, fmt.Errorf("%s", report.Untrusted[0])
	case len(report.Undersigned) > 0 && !v.awaitCountersign:
		return nil, problem.New(problem.NotPermitted, problem.Next(history.DoAwaitCountersign),
			"what came in is not taken: %s", report.Undersigned[0])
	case report.Unshown != nil:
		return nil, problem.New(problem.Unverified, problem.Advise("let another key sign the next snapshot there, or countersign this one, and fetch again; nothing was changed here"),
			"what came in does not count as verified: %w", report.Unshown)
	case len(report.Unauthorized) > 0 && !v.awaitCountersign:
		return nil, problem.New(problem.NotPermitted, problem.Next(history.DoAwaitCountersign),
			"what came in is not taken: %s", report.Unauthorized[0])
	case report.Summary == nil || by == "":
		return nil, nil
	case len(report.Undersigned)+len(report.Unauthorized) > 0: // waits for a countersignature: looked at again
		return nil, nil
	}
	return &archive.VerifiedSnapshot{Trust: by, SnapshotSummary: archive.SnapshotSummary{
		ID: report.Head.ID.String(), Artifacts: artifacts + report.Artifacts, Summary: report.Summary}}, nil
}

// firstReason returns the first problem that was found, passing over objects that were not checked.
func firstReason(problems []snapshot.Problem) string {
	for _, p := range problems {
		if p.State != objects.NotChecked {
			return p.String()
		}
	}
	return "no reason is known"
}

// findTrust returns the trust that decides about the signers of a history: the caller's allowed signers; or the newest
// trust root, which must follow from the caller's version of it, from this copy's, or in a clone from the first; or the
// allowed_signers of the snapshots. by is what a [archive.VerifiedSnapshot] names that trust by; "" where another fetch
// may not rest on it. history is whole where signedFirst is nil, else it begins with the snapshot that was verified
// before: see verifyNew.
func findTrust(st *objects.Store, history []*snapshot.Snapshot, signedFirst func() *snapshot.Snapshot, v historyOptions) (in snapshot.Checking, by string, err error) {
	if v.Allowed != nil {
		if len(v.Text) > 0 {
			by = digestOf(v.Text)
		}
		return snapshot.Checking{Allowed: v.Allowed}, by, nil
	}
	a := archive.NewRepository("", st, archive.World{})
	given := v.Root
	if given == nil && v.ours != nil {
		if given, err = a.TrustRootIn(v.ours.Tree); err != nil {
			return in, "", err
		}
	}
	head := history[0]
	root, verdict := a.JudgeRoots(history, given)
	switch {
	case verdict == nil && given == nil:
		in.Permit, err = inheritSigners(st, history, signedFirst)
		return in, archive.HandedDown, err
	case verdict == nil && v.Root == nil:
		return in, "", fmt.Errorf("snapshot %d: %s: the archive has a trust root here, and none there", head.Seq, archive.PathTrustRoot)
	case verdict != nil && !verdict.Follows:
		return in, "", fmt.Errorf("snapshot %d: trust root: %s", head.Seq, verdict.Reason)
	}
	if root == nil {
		if root, err = a.TrustRootIn(head.Tree); err != nil {
			return in, "", err
		}
	}
	if root.Archive != head.Archive {
		return in, "", fmt.Errorf("snapshot %d: its trust root is of the archive %s", head.Seq, root.Archive)
	}
	if given == nil && signedFirst != nil {
		return in, "", nil // who may introduce a root follows from the whole history
	}
	if given == nil {
		in.Permit, err = permitIntroduced(st, history, root)
		in.Root = root
		return in, "", err
	}
	return snapshot.Checking{Root: root}, digestOf(root.Encode()), nil
}

// digestOf returns the sha256 of a text in hex.
func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// permitIntroduced returns who may act in a history that brings version 1 of a trust root which nobody gave the
// verifier: up to and including the snapshot that introduces the root, what was handed down to each snapshot decides,
// and from then on the root. A stranger's root is therefore worth nothing.
func permitIntroduced(st *objects.Store, history []*snapshot.Snapshot, root *trust.Root) (snapshot.Permit, error) {
	before := map[cid.ID]bool{} // snapshots that no root was handed down to
	without := map[cid.ID]bool{}
	var old []*snapshot.Snapshot
	for _, s := range slices.Backward(history) {
		before[s.ID] = s.Prev.IsZero() || without[s.Prev]
		if _, there, err := st.Lookup(s.Tree, archive.PathTrustRoot); err != nil {
			return nil, err
		} else if !there {
			without[s.ID] = true
		}
		if before[s.ID] {
			old = append(old, s)
		}
	}
	slices.Reverse(old)
	handed, err := inheritSigners(st, old, nil)
	if err != nil {
		return nil, err
	}
	later := snapshot.PermitRoot(root, history)
	return func(role trust.Role, s *snapshot.Snapshot, keys []sign.Key) error {
		if before[s.ID] {
			return handed(role, s, keys)
		}
		return later(role, s, keys)
	}, nil
}

// inheritSigners returns the permission that trust/allowed_signers gives: the file in the snapshot before decides who
// may sign and who may withdraw in a snapshot; the first snapshot is decided by its own. While an archive has no such
// file anybody may sign, and only the key of the first snapshot may withdraw or change trust. A history that drops the
// file, or a snapshot by a key that the file does not allow, is an error.
//
// Where signedFirst is not nil, the oldest snapshot of history was judged before, and
// signedFirst returns the first of all; nil where it is not known.
func inheritSigners(st *objects.Store, history []*snapshot.Snapshot, signedFirst func() *snapshot.Snapshot) (snapshot.Permit, error) {
	files := map[string]*sign.AllowedSigners{}
	read := func(s *snapshot.Snapshot) (*sign.AllowedSigners, error) {
		h, ok, err := st.Lookup(s.Tree, layout.PathAllowedSigners)
		if err != nil || !ok {
			return nil, err
		}
		_, data, err := st.Get(h)
		if err != nil {
			return nil, err
		}
		if known, ok := files[string(data)]; ok {
			return known, nil
		}
		allowed, err := sign.ParseAllowedSigners(data)
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %s: %w", s.Seq, layout.PathAllowedSigners, err)
		}
		files[string(data)] = allowed
		return allowed, nil
	}
	own := map[cid.ID]*sign.AllowedSigners{}     // the file in a snapshot
	inForce := map[cid.ID]*sign.AllowedSigners{} // the file that decides about it
	for i, s := range slices.Backward(history) {
		file, err := read(s)
		if err != nil {
			return nil, err
		}
		if i == len(history)-1 && signedFirst != nil {
			own[s.ID] = file
			continue
		}
		allowed, before := own[s.Prev]
		switch {
		case s.Prev.IsZero():
			allowed = file
		case !before:
			return nil, fmt.Errorf("snapshot %d: the one before it is absent", s.Seq)
		case allowed != nil && file == nil:
			return nil, fmt.Errorf("snapshot %d drops %s", s.Seq, layout.PathAllowedSigners)
		}
		own[s.ID], inForce[s.ID] = file, allowed
		if allowed == nil {
			continue
		}
		if _, ok := allowed.Allows(s.Key, sign.NamespaceGit, s.Archive); !ok {
			return nil, fmt.Errorf("snapshot %d is signed by %s, which %s of the one before it does not allow", s.Seq, s.Key.Fingerprint(), layout.PathAllowedSigners)
		}
	}
	oldest := history[len(history)-1]
	return func(role trust.Role, s *snapshot.Snapshot, keys []sign.Key) error {
		if inForce[s.ID] == nil { // the archive had no such file yet
			if role == trust.Snapshot {
				return nil
			}
			first := oldest
			if signedFirst != nil {
				first = signedFirst()
			}
			if first == nil {
				return fmt.Errorf("nothing was handed down that says who may %s, and the first snapshot is not known", role)
			}
			if slices.ContainsFunc(keys, func(k sign.Key) bool { return k.Point() == first.Key.Point() }) {
				return nil
			}
			return fmt.Errorf("nothing was handed down that says who may %s, and no key of it is that of snapshot %d", role, first.Seq)
		}
		return snapshot.PermitSigners(inForce[s.ID])(role, s, keys)
	}, nil
}
