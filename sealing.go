package muniment

import (
	"muniment/cid"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// Snapshot signs what is staged as the next snapshot. Citations that were
// bound before are sealed into it; citations that waited for their artifact
// are bound to it. The answer logs are copied to their refs then, those that
// were not copied within the last minute; where that does not succeed the
// snapshot stands, and the result says why.
func (a *Archive) Snapshot(o SnapshotOptions) (*SnapshotResult, error) {
	waiting, err := a.boundCitations()
	if err != nil {
		return nil, err
	}
	return a.seal(waiting, func() (*Signed, error) { return a.signStaged(o, waiting.objects()) })
}

// Join signs the join of two forked histories: see signUnion. It seals nothing
// of its own, since verifiers recompute its tree; the next snapshot does.
func (a *Archive) Join(o JoinOptions) (*SnapshotResult, error) {
	return a.seal(nil, func() (*Signed, error) { return a.signUnion(o) })
}

// seal is the sequence of every act that signs a snapshot: sign with what waits
// to be sealed, mark that as sealed, bind the citations that waited for their
// artifact, publish the answer logs. What is cut short after the signature is
// repeated by the next snapshot.
func (a *Archive) seal(waiting waitingCitations, sign func() (*Signed, error)) (*SnapshotResult, error) {
	signed, err := sign()
	if err != nil {
		return nil, err
	}
	r := signed.Result
	if r.Sealed, err = a.markSealed(waiting, signed.Snapshot.ID); err != nil {
		return nil, err
	}
	if r.Bound, err = a.bindWaiting(signed.Snapshot); err != nil {
		return nil, err
	}
	if _, err := a.PublishLogs(false); err != nil {
		r.LogProblem = oneLineOf(err)
	}
	return r, nil
}

// waitingCitations are the bound citations that no snapshot holds yet.
type waitingCitations []ledger.Citation

// boundCitations reads the citations that wait to be sealed.
func (a *Archive) boundCitations() (waitingCitations, error) {
	l, err := a.openLedger()
	if err != nil {
		return nil, err
	}
	waiting, err := l.BoundUnsealed()
	return waiting, environment(err, "ledger")
}

// objects returns the files of the citations. The same claim with the same
// evidence is one object.
func (w waitingCitations) objects() []SealedObject {
	var out []SealedObject
	seen := map[cid.ID]bool{}
	for _, c := range w {
		if !seen[c.ID] {
			seen[c.ID] = true
			out = append(out, SealedObject{record.CitationPath(c.ID), c.JSON})
		}
	}
	return out
}

// markSealed notes in the ledger which snapshot holds the citations, and
// returns how many.
func (a *Archive) markSealed(waiting waitingCitations, id cid.ID) (int, error) {
	for _, c := range waiting {
		if err := a.ledger.Seal(c.Ordinal, id, a.world.Now()); err != nil {
			return 0, environment(err, "ledger")
		}
	}
	return len(waiting), nil
}
