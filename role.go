package muniment

import (
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// permit returns what the archive itself says, in a snapshot, about who may
// act: its trust root or, without one, its allowed signers; nil where it says
// nothing. Verifiers bring their own.
func (a *Archive) permit(s *snapshot.Snapshot) (snapshot.Permit, error) {
	tree := s.Tree
	root, err := a.rootOf(tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		history, err := a.history(objects.Sum(objects.Commit, s.Content))
		if err != nil {
			return nil, err
		}
		return snapshot.PermitRoot(root, history), nil
	}
	data, err := a.file(tree, record.PathAllowedSigners)
	if err != nil || data == nil {
		return nil, err
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify says more", "%s: %w", record.PathAllowedSigners, err)
	}
	return snapshot.PermitSigners(signers), nil
}

// taken tells of the acts in a new snapshot that need the role withdraw.
type taken struct {
	takes  int
	awaits bool // the signer has not the role
}

// mayTake refuses a snapshot that takes away what nobody may, or what needs
// another key. The trust in force is that of the snapshot before.
func (a *Archive) mayTake(get snapshot.Getter, prev *snapshot.Snapshot, tree objects.Hash, o SnapshotOptions) (taken, error) {
	if prev == nil {
		return taken{}, nil
	}
	step, err := snapshot.NewStep(get, prev.Tree, tree)
	if err != nil {
		return taken{}, environment(err, "snapshot")
	}
	if len(step.Broken) > 0 {
		return taken{}, problem(TypeNotPermitted, ExitNotAllowed, "muniment status shows what is staged; muniment withdraw and hold stage what may be",
			"the snapshot %s", step.Broken[0])
	}
	t := taken{takes: len(step.Acts)}
	if t.takes == 0 {
		return t, nil
	}
	may, err := a.permit(prev)
	if err != nil || may == nil {
		return t, err
	}
	next := *prev
	next.Seq++
	if err := may(trust.Withdraw, &next, []sign.Key{o.Signer.Key()}); err != nil {
		if t.awaits = o.AwaitCosign; !t.awaits {
			return taken{}, problem(TypeNotPermitted, ExitNotAllowed, "sign with a key that may withdraw, or give --await-cosign and let one co-sign: muniment snapshot --cosign --key FILE",
				"the snapshot %s%s, and %w", step.First(), more(t.takes-1), err)
		}
	}
	return t, nil
}
