package engine

import (
	"muniment/archive"
	"muniment/archive/logref"
	"muniment/cid"
	"muniment/history"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// Snapshot signs what is staged as the next snapshot. Citations that were
// bound before are sealed into it; citations that waited for their artifact
// are bound to it. The answer logs are copied to their refs then, those that
// were not copied within the last minute; where that does not succeed the
// snapshot stands, and the result says why.
func Snapshot(a *archive.Archive, o history.SnapshotOptions) (*archive.SnapshotResult, error) {
	waiting, err := boundCitations(a)
	if err != nil {
		return nil, err
	}
	return seal(a, waiting, func() (*history.SignedSnapshot, error) { return history.SignStaged(a, o, waiting.objects()) })
}

// Join signs the join of two forked histories: see signUnion. It seals nothing
// of its own, since verifiers recompute its tree; the next snapshot does.
func Join(a *archive.Archive, o history.JoinOptions) (*archive.SnapshotResult, error) {
	return seal(a, nil, func() (*history.SignedSnapshot, error) { return history.SignUnion(a, o) })
}

// seal is the sequence of every act that signs a snapshot: sign with what waits
// to be sealed, mark that as sealed, bind the citations that waited for their
// artifact, publish the answer logs. What is cut short after the signature is
// repeated by the next snapshot.
func seal(a *archive.Archive, waiting waitingCitations, sign func() (*history.SignedSnapshot, error)) (*archive.SnapshotResult, error) {
	signed, err := sign()
	if err != nil {
		return nil, err
	}
	r := signed.Result
	if r.Sealed, err = markSealed(a, waiting, signed.Snapshot.ID); err != nil {
		return nil, err
	}
	if r.Bound, err = bindWaiting(a, signed.Snapshot); err != nil {
		return nil, err
	}
	if _, err := logref.PublishLogs(a, false); err != nil {
		r.LogProblem = archive.OneLine(err)
	}
	return r, nil
}

// waitingCitations are the bound citations that no snapshot holds yet.
type waitingCitations []ledger.Citation

// boundCitations reads the citations that wait to be sealed.
func boundCitations(a *archive.Archive) (waitingCitations, error) {
	l, err := a.Ledger()
	if err != nil {
		return nil, err
	}
	waiting, err := l.BoundUnsealed()
	return waiting, archive.Environment(err, "ledger")
}

// objects returns the files of the citations. The same claim with the same
// evidence is one object.
func (w waitingCitations) objects() []history.SealedObject {
	var out []history.SealedObject
	seen := map[cid.ID]bool{}
	for _, c := range w {
		if !seen[c.ID] {
			seen[c.ID] = true
			out = append(out, history.SealedObject{Path: record.CitationPath(c.ID), Data: c.JSON})
		}
	}
	return out
}

// markSealed notes in the ledger which snapshot holds the citations, and
// returns how many.
func markSealed(a *archive.Archive, waiting waitingCitations, id cid.ID) (int, error) {
	if len(waiting) == 0 {
		return 0, nil
	}
	l, err := a.Ledger()
	if err != nil {
		return 0, err
	}
	for _, c := range waiting {
		if err := l.Seal(c.Ordinal, id, a.World().Now()); err != nil {
			return 0, archive.Environment(err, "ledger")
		}
	}
	return len(waiting), nil
}
