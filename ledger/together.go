package ledger

import (
	"database/sql"
	"errors"
	"fmt"
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
		t.prepared = map[string]*sql.Stmt{}
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

// KnownKey returns the ordinal of the citation that a caller registered under an
// idempotency key; 0 for none.
func (l *Ledger) KnownKey(project, session, agent, key string) (ordinal int64, err error) {
	rows, err := l.query(`SELECT ordinal FROM citation_keys WHERE project = ? AND session = ? AND agent = ? AND key = ?`, project, session, agent, key)
	if err != nil {
		return 0, l.fault(err)
	}
	all, err := gather(rows, func(n *int64) error { return rows.Scan(n) })
	if err != nil || len(all) == 0 {
		return 0, l.fault(err)
	}
	return all[0], nil
}

// findKey is KnownKey in a transaction.
func findKey(t tx, e *Entry) (ordinal int64, err error) {
	err = t.one(`SELECT ordinal FROM citation_keys WHERE project = ? AND session = ? AND agent = ? AND key = ?`, []any{e.Project, e.Session, e.Agent, e.Key}, &ordinal)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return ordinal, err
}

// insertKey keeps the key of a new citation.
func insertKey(t tx, e *Entry, ordinal int64) error {
	if len(e.Key) > MaxKey {
		return fmt.Errorf("an idempotency key of %d bytes, want at most %d", len(e.Key), MaxKey)
	}
	return t.exec(`INSERT INTO citation_keys (id, time, project, session, agent, key, ordinal)
		VALUES ((SELECT coalesce(max(id), 0) + 1 FROM citation_keys), ?, ?, ?, ?, ?, ?)`, formatTime(e.Time), e.Project, e.Session, e.Agent, e.Key, ordinal)
}
