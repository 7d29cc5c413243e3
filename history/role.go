package history

import (
	"slices"

	"muniment/archive"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// OwnPermit returns the rule of who may act that a snapshot of the archive holds: its trust root or, without one, its allowed signers; nil where it says
// nothing. Verifiers bring their own.
func OwnPermit(a *archive.Repository, s *snapshot.Snapshot) (snapshot.Permit, error) {
	tree := s.Tree
	root, err := a.TrustRootIn(tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		var history []*snapshot.Snapshot // only a revoked key asks what lies before what
		if slices.ContainsFunc(root.Revoked, func(v trust.Revocation) bool { return !v.Snapshot.IsZero() }) {
			if history, err = a.History(objects.Sum(objects.Commit, s.Content)); err != nil {
				return nil, err
			}
		}
		return snapshot.PermitRoot(root, history), nil
	}
	data, err := a.File(tree, record.PathAllowedSigners)
	if err != nil || data == nil {
		return nil, err
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, archive.Negative(archive.TypeDamaged, archive.Next(archive.DoVerify), "%s: %w", record.PathAllowedSigners, err)
	}
	return snapshot.PermitSigners(signers), nil
}

// isUndersigned reports whether the trust root that tree holds, which also judges the snapshot
// that brings it, asks for more keys on snapshot seq than the signer's. A tree without
// a root asks for none.
func isUndersigned(a *archive.Archive, tree objects.Hash, seq int64, k sign.Key) (bool, error) {
	root, err := a.TrustRootIn(tree)
	if err != nil || root == nil {
		return false, err
	}
	at := &snapshot.Snapshot{Draft: snapshot.Draft{Archive: root.Archive, Seq: seq}, Key: k}
	return snapshot.IsUndersigned(snapshot.PermitRoot(root, nil)(trust.Snapshot, at, []sign.Key{k})), nil
}

// withdrawals counts the acts in a new snapshot that need the role withdraw.
type withdrawals struct {
	count  int
	awaits bool // the signer lacks the role, and another key is to countersign
}

// checkWithdrawals returns the withdrawals in tree, and an error where it takes
// away what nobody may, or what needs another key than o.Signer. The trust in
// force is that of the snapshot before.
func checkWithdrawals(a *archive.Archive, get snapshot.Getter, prev *snapshot.Snapshot, tree objects.Hash, o SnapshotOptions) (withdrawals, error) {
	if prev == nil {
		return withdrawals{}, nil
	}
	step, err := snapshot.NewStep(get, prev.Tree, tree)
	if err != nil {
		return withdrawals{}, archive.Environment(err, "snapshot")
	}
	if len(step.Broken) > 0 {
		return withdrawals{}, archive.Problem(archive.TypeNotPermitted, archive.Next(archive.DoStatus).Or(DoWithdraw),
			"the snapshot %s", step.Broken[0])
	}
	t := withdrawals{count: len(step.Acts)}
	if t.count == 0 {
		return t, nil
	}
	may, err := OwnPermit(a.Repository, prev)
	if err != nil || may == nil {
		return t, err
	}
	next := *prev
	next.Seq++
	if err := may(trust.Withdraw, &next, []sign.Key{o.Signer.Key()}); err != nil {
		if t.awaits = o.AwaitCountersign; !t.awaits {
			return withdrawals{}, archive.Problem(archive.TypeNotPermitted, archive.Next(DoAwaitCountersign),
				"the snapshot %s%s, and %w", step.First(), archive.AndMore(t.count-1), err)
		}
	}
	return t, nil
}
