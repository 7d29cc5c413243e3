package history

import (
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
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
	data, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil || data == nil {
		return nil, err
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
	}
	return snapshot.PermitSigners(signers), nil
}

// IsArchivist reports whether a key may withdraw or change policy under a snapshot, so that whoever
// has it may see everything: by its trust root or allowed signers, or where it has neither as
// the key that signed it.
func IsArchivist(a *archive.Archive, s *snapshot.Snapshot, k sign.Key) (bool, error) {
	may, err := OwnPermit(a.Repository, s)
	if err != nil {
		return false, err
	}
	if may == nil {
		return s.Key.Point() == k.Point(), nil
	}
	return may(trust.Withdraw, s, []sign.Key{k}) == nil || may(trust.Policy, s, []sign.Key{k}) == nil, nil
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
// away what nobody may, what needs another key than o.Signer, or what lets others see more
// and o does not say so. The trust in force is that of the snapshot before.
func checkWithdrawals(a *archive.Archive, get snapshot.Getter, prev *snapshot.Snapshot, tree objects.Hash, o SnapshotOptions) (withdrawals, error) {
	if prev == nil {
		return withdrawals{}, nil
	}
	may, err := OwnPermit(a.Repository, prev)
	if err != nil {
		return withdrawals{}, err
	}
	next := *prev
	next.Seq++
	var lacks error
	if may != nil {
		lacks = may(trust.Withdraw, &next, []sign.Key{o.Signer.Key()})
	}
	step, wider, err := compareTrees(a, get, prev.Tree, tree, lacks == nil)
	if err != nil {
		return withdrawals{}, problem.Wrap(err, "snapshot")
	}
	if len(step.Broken) > 0 {
		return withdrawals{}, problem.New(problem.NotPermitted, problem.Next(problem.DoStatus).With("a paper leaves by a withdrawal"),
			"the snapshot %s", step.Broken[0])
	}
	at := slices.IndexFunc(wider, func(w exposure) bool { return w.Aside })
	if at >= 0 && !o.Widen {
		return withdrawals{}, problem.New(problem.NotPermitted, problem.Next(problem.DoGive, "widen", "").With("change the consent or the record; or, where it is meant"),
			"with this snapshot more is seen than its changes name: %s: %s", wider[at].What, wider[at].Path)
	}
	for _, act := range actsOf(wider) {
		if !slices.ContainsFunc(step.Acts, func(s snapshot.Act) bool { return s.Path == act.Path }) {
			step.Acts = append(step.Acts, act)
		}
	}
	t := withdrawals{count: len(step.Acts)}
	if t.count == 0 || lacks == nil {
		return t, nil
	}
	if t.awaits = o.AwaitCountersign; !t.awaits {
		return withdrawals{}, problem.New(problem.NotPermitted, problem.Next(DoAwaitCountersign),
			"the snapshot %s%s, and %w", step.First(), legible.AndMore(t.count-1), lacks)
	}
	return t, nil
}

// compareTrees returns the step from one tree to the next, and what is seen more; mayWiden
// says that the signer has the role withdraw.
func compareTrees(a *archive.Archive, get snapshot.Getter, from, to objects.Hash, mayWiden bool) (*snapshot.Step, []exposure, error) {
	if mayWiden {
		return stagedExposures(get, from, to)
	}
	step, err := snapshot.NewStep(get, from, to)
	if err != nil {
		return nil, nil, err
	}
	found, err := exposures(get, from, to, LocateRecords(a, from))
	return step, found, err
}

// LocateRecords returns a function that finds the artifact of a record in a tree of the
// archive.
func LocateRecords(a *archive.Archive, tree objects.Hash) Locator {
	return func(id cid.ID) (cid.ID, bool, error) {
		place, known, err := a.Catalog(tree).FindPlace(id)
		if err != nil || !known || place.Artifact == nil {
			return cid.ID{}, false, err
		}
		return place.Artifact.ID, true, nil
	}
}
