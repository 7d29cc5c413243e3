package engine

import (
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/ledger"
)

// Status returns history.Status with the number of citations that wait for a snapshot. A copy where
// nothing can be written has a status without its ledger.
func Status(a *archive.Archive) (*history.StatusResult, error) {
	r, err := history.Status(a)
	if err != nil {
		return nil, err
	}
	l, err := ledger.Find(a)
	if l == nil || err != nil {
		if a.ReadOnly() {
			err = nil
		}
		return r, err
	}
	bound, err := l.BoundUnsealed()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	unbound, err := l.Unbound()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	counted, err := l.CountClaims()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	if !counted.IsZero() {
		r.Claims = &counted
	}
	r.Citations = len(bound) + len(unbound)
	r.Clean = r.Clean && r.Citations == 0
	return r, nil
}

// Show returns the object of an id or a name as inventory.Show does, also of citations that wait for
// a snapshot.
func Show(a *archive.Archive, ref string) (*inventory.ShowResult, error) {
	l, err := ledger.Find(a)
	if err != nil {
		return nil, err
	}
	var waiting []inventory.WaitingCitation
	if l != nil {
		bound, err := l.BoundUnsealed()
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		for _, b := range bound {
			waiting = append(waiting, inventory.WaitingCitation{ID: b.ID.String(), Object: []byte(b.JSON)})
		}
	}
	return inventory.Show(a, ref, waiting)
}
