package custody

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// historyOptions are what the verification of a received history needs beside the
// history.
type historyOptions struct {
	archive.Trust
	Transfer
	ours              []*snapshot.Snapshot      // our history; nil in a clone
	verified          *archive.VerifiedSnapshot // up to which this copy verified it, or nil
	countersignatures []objects.Hash            // commits with countersignatures
	awaitCountersign  bool                      // accept withdrawals that lack a countersignature
}

// verifyHistory returns an error where a history in a store does not verify: ids,
// roots, signatures, links, rules, and the right of every signer. Without trust
// from the caller the archive's own trust decides, as it passed from the first
// snapshot to the newest. Files of the snapshots up to the one of v.verified are not
// read again where the same trust judges; their links and signers are checked.
//
// The result notes that all of the history was verified, nil where not everything
// was read.
func verifyHistory(st *objects.Store, tip objects.Hash, history []*snapshot.Snapshot, v historyOptions) (*archive.VerifiedSnapshot, error) {
	o, by, err := findTrust(st, history, v)
	if err != nil {
		return nil, err
	}
	o.Countersignatures, o.Progress = v.countersignatures, func(done, total int64) { v.report(int(done), int(total)) }
	o.Parsed = history
	var artifacts int64 // of o.Since
	if v.verified != nil && by != "" && v.verified.Trust == by {
		if o.Since = findSnapshot(history, v.verified.ID); o.Since != nil && v.verified.Summary.Of(o.Since) {
			o.Summary, artifacts = v.verified.Summary, v.verified.Artifacts
		} else {
			o.Since = nil
		}
	}
	report, err := snapshot.CheckWith(st, tip, o)
	switch {
	case err != nil:
		return nil, err
	case !report.Sound():
		return nil, fmt.Errorf("objects that failed: %d, absent: %d: %s", report.Failed, report.Absent, firstReason(report.Problems))
	case report.Unreadable > 0:
		return nil, fmt.Errorf("objects that cannot be read: %d", report.Unreadable)
	case len(report.Untrusted) > 0:
		return nil, fmt.Errorf("%s", report.Untrusted[0])
	case len(report.Undersigned) > 0 && !v.awaitCountersign:
		return nil, archive.Problem(archive.TypeNotPermitted, archive.Next(DoAwaitCountersign),
			"what came in is not taken: %s", report.Undersigned[0])
	case report.Unshown != nil:
		return nil, archive.Problem(archive.TypeUnverified, archive.Advise("let another key sign the next snapshot there, or countersign this one, and fetch again; nothing was changed here"),
			"what came in does not count as verified: %w", report.Unshown)
	case len(report.Unauthorized) > 0 && !v.awaitCountersign:
		return nil, archive.Problem(archive.TypeNotPermitted, archive.Next(DoAwaitCountersign),
			"what came in is not taken: %s", report.Unauthorized[0])
	case report.Summary == nil || by == "":
		return nil, nil
	case len(report.Undersigned)+len(report.Unauthorized) > 0: // waits for a countersignature: looked at again
		return nil, nil
	case !report.Followed: // everything was read
		artifacts = 0
	}
	return &archive.VerifiedSnapshot{Trust: by, SnapshotSummary: archive.SnapshotSummary{
		ID: history[0].ID.String(), Artifacts: artifacts + report.Artifacts, Summary: report.Summary}}, nil
}

// firstReason returns the first problem that was found, passing over objects that
// were not checked.
func firstReason(problems []snapshot.Problem) string {
	for _, p := range problems {
		if p.State != objects.NotChecked {
			return p.String()
		}
	}
	return "no reason is known"
}

// findTrust returns the trust that decides about the signers of a history: the
// caller's allowed signers; or the newest trust root, which must follow from the
// caller's version of it, from this copy's, or in a clone from the first; or the
// allowed_signers of the snapshots. by is what a [archive.VerifiedSnapshot] names that
// trust by; "" where another fetch may not rest on it.
func findTrust(st *objects.Store, history []*snapshot.Snapshot, v historyOptions) (in snapshot.Checking, by string, err error) {
	if v.Allowed != nil {
		if len(v.Text) > 0 {
			by = digestOf(v.Text)
		}
		return snapshot.Checking{Allowed: v.Allowed}, by, nil
	}
	a := archive.NewRepository("", st, archive.World{})
	given := v.Root
	if given == nil && len(v.ours) > 0 {
		if given, err = a.TrustRootIn(v.ours[0].Tree); err != nil {
			return in, "", err
		}
	}
	head := history[0]
	root, verdict := a.JudgeRoots(history, given)
	switch {
	case verdict == nil && given == nil:
		in.Permit, err = inheritSigners(st, history)
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

// permitIntroduced returns who may act in a history that brings version 1 of a trust
// root which nobody gave the verifier: up to and including the snapshot that
// introduces the root, what was handed down to each snapshot decides, and from
// then on the root. A stranger's root is therefore worth nothing.
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
	handed, err := inheritSigners(st, old)
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

// inheritSigners returns the permission that trust/allowed_signers gives: the file
// in the snapshot before decides who may sign and who may withdraw in a snapshot;
// the first snapshot is decided by its own. While an archive has no such file
// anybody may sign, and only the key of the first snapshot may withdraw or change
// trust. A history that drops the file, or a snapshot by a key that
// the file does not allow, is an error.
func inheritSigners(st *objects.Store, history []*snapshot.Snapshot) (snapshot.Permit, error) {
	files := map[string]*sign.AllowedSigners{}
	read := func(s *snapshot.Snapshot) (*sign.AllowedSigners, error) {
		h, ok, err := st.Lookup(s.Tree, record.PathAllowedSigners)
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
			return nil, fmt.Errorf("snapshot %d: %s: %w", s.Seq, record.PathAllowedSigners, err)
		}
		files[string(data)] = allowed
		return allowed, nil
	}
	own := map[cid.ID]*sign.AllowedSigners{}     // the file in a snapshot
	inForce := map[cid.ID]*sign.AllowedSigners{} // the file that decides about it
	for _, s := range slices.Backward(history) {
		file, err := read(s)
		if err != nil {
			return nil, err
		}
		allowed, before := own[s.Prev]
		switch {
		case s.Prev.IsZero():
			allowed = file
		case !before:
			return nil, fmt.Errorf("snapshot %d: the one before it is absent", s.Seq)
		case allowed != nil && file == nil:
			return nil, fmt.Errorf("snapshot %d drops %s", s.Seq, record.PathAllowedSigners)
		}
		own[s.ID], inForce[s.ID] = file, allowed
		if allowed == nil {
			continue
		}
		if _, ok := allowed.Allows(s.Key, sign.NamespaceGit, s.Archive); !ok {
			return nil, fmt.Errorf("snapshot %d is signed by %s, which %s of the one before it does not allow", s.Seq, s.Key.Fingerprint(), record.PathAllowedSigners)
		}
	}
	first := history[len(history)-1]
	return func(role trust.Role, s *snapshot.Snapshot, keys []sign.Key) error {
		if inForce[s.ID] == nil { // the archive had no such file yet
			if role == trust.Snapshot || slices.ContainsFunc(keys, func(k sign.Key) bool { return k.Point() == first.Key.Point() }) {
				return nil
			}
			return fmt.Errorf("nothing was handed down that says who may %s, and no key of it is that of snapshot %d", role, first.Seq)
		}
		return snapshot.PermitSigners(inForce[s.ID])(role, s, keys)
	}, nil
}
