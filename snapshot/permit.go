package snapshot

import (
	"errors"
	"fmt"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/layout"
)

// A Permit is what a verifier knows about who may act in an archive: it
// returns nil when keys, of which the first signed s and the others countersigned it,
// suffice for role (trust.Snapshot, trust.Withdraw or trust.Policy) there, and else says
// why they do not; an *Undersigned where only further countersignatures are missing. For
// trust.Snapshot the first key must count by itself. Nil keys never suffice.
type Permit func(role trust.Role, s *Snapshot, keys []sign.Key) error

// An Undersigned is the error of keys that count and are too few for the threshold of a
// trust root. Another key with the role mends it by a countersignature.
type Undersigned struct {
	Role       trust.Role
	Have, Want trust.Threshold
}

func (e *Undersigned) Error() string {
	return fmt.Sprintf("keys that count for the role %s are %d of %d organisations, and the trust root asks for %d of %d", e.Role, e.Have.Keys, e.Have.Orgs, e.Want.Keys, e.Want.Orgs)
}

// IsUndersigned reports whether err says no more than that countersignatures are missing.
func IsUndersigned(err error) bool {
	var few *Undersigned
	return errors.As(err, &few)
}

// PermitSigners is the Permit of an allowed_signers file: one key with a line
// for the namespace git makes a snapshot, one with a line for
// withdraw@muniment a withdrawal; a line that names an archive counts in that
// archive alone. It is nil, which asks nobody, when allowed is.
func PermitSigners(allowed *sign.AllowedSigners) Permit {
	if allowed == nil {
		return nil
	}
	return func(role trust.Role, s *Snapshot, keys []sign.Key) error {
		namespace := sign.NamespaceGit
		if role != trust.Snapshot { // policy has no line of its own
			namespace = sign.NamespaceWithdraw
		} else if len(keys) > 1 { // a countersignature says nothing of who may sign
			keys = keys[:1]
		}
		for _, k := range keys {
			if _, ok := allowed.Allows(k, namespace, s.Archive); ok {
				return nil
			}
		}
		if len(keys) == 1 {
			return fmt.Errorf("its key %s is not among the allowed signers for %s", keys[0].Fingerprint(), namespace)
		}
		return fmt.Errorf("none of its %d keys is among the allowed signers for %s", len(keys), namespace)
	}
}

// PermitRoot is the Permit of a trust root: enough keys, of enough
// organisations, that have the role at the snapshot's Seq, in the root's archive. A key that was
// revoked counts for the last good snapshot and its ancestors in history, and
// for nothing else.
func PermitRoot(root *trust.Root, history []*Snapshot) Permit {
	byID := make(map[cid.ID]*Snapshot, len(history))
	for _, s := range history {
		byID[s.ID] = s
	}
	good := map[cid.ID]map[cid.ID]bool{}
	for _, r := range root.Revoked {
		if !r.Snapshot.IsZero() && good[r.Snapshot] == nil {
			good[r.Snapshot] = ancestors(byID, r.Snapshot)
		}
	}
	return func(role trust.Role, s *Snapshot, keys []sign.Key) error {
		if s.Archive != root.Archive {
			return fmt.Errorf("it is of the archive %s, and the trust root is of %s", s.Archive, root.Archive)
		}
		var counted []sign.Key
		reason := errors.New("nobody signed it")
		for i, k := range keys {
			at := trust.Seq(s.Seq)
			if role == trust.Policy {
				at = trust.Version(root.Version)
			}
			j := root.Judge(role, k, at)
			if j.Counts() || j.Standing == trust.Pinned && good[j.Revocation.Snapshot][s.ID] {
				counted = append(counted, k)
				continue
			}
			reason = fmt.Errorf("its key %s: %s", k.Fingerprint(), j.Reason())
			if i == 0 && role == trust.Snapshot {
				return reason
			}
		}
		switch {
		case root.Reached(role, counted):
			return nil
		case len(counted) > 0:
			return &Undersigned{role, root.Count(role, counted), root.Thresholds[role]}
		}
		return reason
	}
}

// EndUnshown returns an error where the newest snapshot of a history is signed by a key
// whose line in a trust root has an end, and nobody else has seen it. Whoever has kept
// such a key can still sign for a place before its end, and in a history only a later
// snapshot shows that a place is not the signer's choice. A countersignature by a key
// without an end shows it too.
func EndUnshown(root *trust.Root, newest *Snapshot, countersigned []Countersignature) error {
	j := root.Judge(trust.Snapshot, newest.Key, trust.Seq(newest.Seq))
	if !j.HasEnd() {
		return nil
	}
	for _, c := range countersigned {
		if other := root.Judge(trust.Snapshot, c.Key, trust.Seq(newest.Seq)); other.Counts() && !other.HasEnd() && c.Key.Point() != newest.Key.Point() {
			return nil
		}
	}
	return fmt.Errorf("snapshot %d is the newest, and its key %s: %s; nobody else has signed since, so that it may have been signed after that end", newest.Seq, newest.Key.Fingerprint(), j.Reason())
}

// ancestors returns a snapshot and all that lie before it.
func ancestors(byID map[cid.ID]*Snapshot, id cid.ID) map[cid.ID]bool {
	out := map[cid.ID]bool{}
	for waiting := []cid.ID{id}; len(waiting) > 0; {
		id, waiting = waiting[0], waiting[1:]
		if s := byID[id]; s != nil && !out[id] {
			out[id] = true
			waiting = append(waiting, s.Prev, s.Join)
		}
	}
	return out
}

// MayJoin returns why keys may not sign the join s of two histories whose folders
// trust/ or policy/ differ, or in which one key signed two snapshots of one Seq: the
// join keeps the folders of the first, and lets a key go on that contradicted itself,
// so that it takes a key with the role withdraw or policy under both. twice is what
// [FindEquivocation] returns. The error is nil where the folders are the same and twice is nil.
func MayJoin(get Getter, may Permit, first, second, s, twice *Snapshot, keys []sign.Key) error {
	same, err := sameFolders(get, first.Tree, second.Tree, "trust", "policy")
	if err != nil || same && twice == nil {
		return err
	}
	what := "it joins histories that differ in trust or policy"
	if twice != nil {
		what = fmt.Sprintf("it joins histories with two snapshots %d by the key %s", twice.Seq, twice.Key.Fingerprint())
	}
	step := Step{Acts: []Act{{Path: "trust", What: "chooses between two", Trust: true}}}
	if err := step.Permitted(may, s, keys); err != nil {
		return fmt.Errorf("%s, and %w", what, err)
	}
	mayInSecond, err := permitIn(get, second.Tree)
	if err != nil || mayInSecond == nil {
		return err
	}
	if err := step.Permitted(mayInSecond, s, keys); err != nil {
		return fmt.Errorf("%s, and under the second %w", what, err)
	}
	return nil
}

// permitIn returns the Permit of the trust that a tree holds: its trust root, or
// else its allowed signers; nil where it holds neither. Without the history a key
// that the root revoked counts nowhere.
func permitIn(get Getter, tree objects.Hash) (Permit, error) {
	if data, err := fileIn(get, tree, layout.PathTrustRoot); err != nil {
		return nil, err
	} else if data != nil {
		root, err := trust.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", layout.PathTrustRoot, err)
		}
		return PermitRoot(root, nil), nil
	}
	data, err := fileIn(get, tree, layout.PathAllowedSigners)
	if err != nil || data == nil {
		return nil, err
	}
	allowed, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", layout.PathAllowedSigners, err)
	}
	return PermitSigners(allowed), nil
}

// fileIn returns the bytes of a file in a tree, nil where there is none.
func fileIn(get Getter, tree objects.Hash, path string) ([]byte, error) {
	h, err := lookup(get, tree, path)
	if err != nil || h.IsZero() {
		return nil, err
	}
	return getBlob(get, h)
}

// sameFolders reports whether two trees hold the same under each of names.
func sameFolders(get Getter, a, b objects.Hash, names ...string) (bool, error) {
	for _, name := range names {
		x, err := lookup(get, a, name)
		if err != nil {
			return false, err
		}
		if y, err := lookup(get, b, name); err != nil || x != y {
			return false, err
		}
	}
	return true, nil
}
