package ledger

import (
	"database/sql"
	"errors"
)

// MaxKey is the longest idempotency key, in bytes: room for two hashes.
const MaxKey = 200

// Together runs fn with a ledger whose every call is a part of one transaction: all
// of them are on disk when Together returns nil, and none where it returns an
// error. A call inside that fails undoes only itself. The ledger given to fn is for
// one goroutine, and ends with fn; other writers wait meanwhile. fn runs again where
// the database went away, also while it confirmed the commit: what fn registers must
// have a key, or be harmless twice.
func (l *Ledger) Together(fn func(*Ledger) error) error {
	if l != nil && l.group != nil {
		return fn(l)
	}
	return l.inRepeatable(func(t tx) error {
		g := *l
		g.MayWrite = nil         // was asked for the whole
		if !l.dialect.numbered { // PostgreSQL's driver keeps statements of its own from one transaction to the next
			t.prepared = map[string]*sql.Stmt{}
		}
		g.group = &t
		return fn(&g)
	})
}

// inGroup runs fn as a part of the group's transaction, and undoes it where it
// fails.
func (l *Ledger) inGroup(fn func(tx) error) error {
	t := *l.group
	if err := t.exec(`SAVEPOINT one_call`); err != nil {
		return l.fault(err)
	}
	err := fn(t)
	if err != nil {
		err = errors.Join(err, t.exec(`ROLLBACK TO SAVEPOINT one_call`))
	}
	if end := t.exec(`RELEASE SAVEPOINT one_call`); end != nil && err == nil {
		err = end
	}
	return l.fault(err)
}
