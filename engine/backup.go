package engine

import (
	"errors"
	"io"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
)

// ExportLedger writes every row of the archive's ledger, with its numbers, and returns
// how many there are.
func ExportLedger(a *archive.Archive, w io.Writer) (rows int64, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return 0, err
	}
	rows, err = l.Export(w, a.ID().String())
	return rows, problem.Wrap(err, "ledger")
}

// ImportLedger fills the archive's empty ledger with what ExportLedger wrote, all rows
// or none, and returns how many there are.
func ImportLedger(a *archive.Archive, r io.Reader) (rows int64, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return 0, err
	}
	rows, err = l.Import(r, a.ID().String())
	var away *ledger.UnavailableError
	switch {
	case err == nil:
		return rows, nil
	case errors.As(err, &away):
		return 0, problem.Wrap(err, "ledger")
	case errors.Is(err, ledger.ErrNotEmpty):
		return 0, problem.New(problem.Usage, problem.Advise("move "+archive.LocalDir+"/ledger.db and its -wal and -shm away and keep them, or name an empty database, and import again"), "%w", err)
	}
	return 0, problem.New(problem.Usage, problem.Advise("give a whole backup of this archive; nothing was registered"), "%w", err)
}

// OnlyInLedger lists the contents of a ledger that no snapshot, log or bundle holds.
var OnlyInLedger = []string{"sessions, agents, users and projects", "numbers and times of registration", "quotes as they were given", "sources by number",
	"citations that were not sealed", "attestations", "links", "searches", "checked drafts", "budgets and refusals"}

// RebuildLedger registers in the ledger every citation that the newest snapshot holds and
// the ledger does not have, and returns their number. Each is verified again today.
func RebuildLedger(a *archive.Archive) (n int, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return 0, err
	}
	e, err := New(a, Caller{})
	if err != nil {
		return 0, err
	}
	head, _, err := a.RequireHead()
	if err != nil {
		return 0, err
	}
	ids, err := e.Citations().sealedOnly(l, head, 0)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	var entries []ledger.Entry
	var objects []ledger.CitationObject
	for _, id := range ids {
		c, held, err := e.Citations().readSealed(l, head, id)
		if err != nil {
			return 0, err
		}
		object, err := cite.ParseCitation(c.JSON)
		if err != nil || !held {
			return 0, problem.Wrap(err, "citation")
		}
		c.Time, c.Agent, c.Verdict = a.World().Now(), e.caller.Agent, object.ClaimVerdict
		entries = append(entries, c.Entry)
		objects = append(objects, ledger.CitationObject{ID: id, JSON: c.JSON})
	}
	err = l.Together(func(l *ledger.Ledger) error { return enterSealed(l, entries, objects, head.ID) })
	return len(objects), problem.Wrap(err, "ledger")
}

// enterSealed registers citations that a snapshot holds, bound and sealed.
func enterSealed(l *ledger.Ledger, entries []ledger.Entry, objects []ledger.CitationObject, snapshot cid.ID) error {
	first, err := l.AddCitation(entries...)
	if err != nil {
		return err
	}
	ordinals := make([]int64, len(objects))
	for i := range objects {
		objects[i].Ordinal = first + int64(i)
		ordinals[i] = objects[i].Ordinal
	}
	if _, err := l.Bind(objects, entries[0].Time); err != nil {
		return err
	}
	_, err = l.Seal(ordinals, snapshot, entries[0].Time)
	return err
}
