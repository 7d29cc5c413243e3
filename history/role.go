package history

import (
	"muniment/archive"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// Permit returns what the archive itself says, in a snapshot, about who may
// act: its trust root or, without one, its allowed signers; nil where it says
// nothing. Verifiers bring their own.
func Permit(a *archive.Repository, s *snapshot.Snapshot) (snapshot.Permit, error) {
	tree := s.Tree
	root, err := a.RootOf(tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		history, err := a.History(objects.Sum(objects.Commit, s.Content))
		if err != nil {
			return nil, err
		}
		return snapshot.PermitRoot(root, history), nil
	}
	data, err := a.File(tree, record.PathAllowedSigners)
	if err != nil || data == nil {
		return nil, err
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, archive.Negative(archive.TypeDamaged, archive.Advise("muniment verify says more"), "%s: %w", record.PathAllowedSigners, err)
	}
	return snapshot.PermitSigners(signers), nil
}

// withdrawActs tells of the acts in a new snapshot that need the role withdraw.
type withdrawActs struct {
	takes  int
	awaits bool // the signer has not the role
}

// mayTake refuses a snapshot that takes away what nobody may, or what needs
// another key. The trust in force is that of the snapshot before.
func mayTake(a *archive.Archive, get snapshot.Getter, prev *snapshot.Snapshot, tree objects.Hash, o SnapshotOptions) (withdrawActs, error) {
	if prev == nil {
		return withdrawActs{}, nil
	}
	step, err := snapshot.NewStep(get, prev.Tree, tree)
	if err != nil {
		return withdrawActs{}, archive.Environment(err, "snapshot")
	}
	if len(step.Broken) > 0 {
		return withdrawActs{}, archive.Problem(archive.TypeNotPermitted, archive.Advise("muniment status shows what is staged; muniment withdraw and hold stage what may be"),
			"the snapshot %s", step.Broken[0])
	}
	t := withdrawActs{takes: len(step.Acts)}
	if t.takes == 0 {
		return t, nil
	}
	may, err := Permit(a.Repository, prev)
	if err != nil || may == nil {
		return t, err
	}
	next := *prev
	next.Seq++
	if err := may(trust.Withdraw, &next, []sign.Key{o.Signer.Key()}); err != nil {
		if t.awaits = o.AwaitCosign; !t.awaits {
			return withdrawActs{}, archive.Problem(archive.TypeNotPermitted, archive.Advise("sign with a key that may withdraw, or give --await-cosign and let one co-sign: muniment snapshot --cosign --key FILE"),
				"the snapshot %s%s, and %w", step.First(), archive.More(t.takes-1), err)
		}
	}
	return t, nil
}
