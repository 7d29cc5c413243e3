package ledger

import (
	"fmt"
	"time"

	"muniment/cid"
)

// Marks are the numbers of the newest rows of the tables that say what happened; rows have numbers from 1 without
// gaps, so that marks of earlier are a place from which to read on.
type Marks struct{ Verdicts, Reviews, Risks int64 }

// Marks returns the marks of now.
func (l *Ledger) Marks() (m Marks, err error) {
	err = l.scalars(`SELECT (SELECT coalesce(max(id), 0) FROM attestations), (SELECT coalesce(max(id), 0) FROM reviews), (SELECT coalesce(max(id), 0) FROM extraction_risks)`,
		[]any{&m.Verdicts, &m.Reviews, &m.Risks})
	return m, l.fault(err)
}

// A Row is one row of a table that says what happened.
type Row struct {
	ID       int64
	Time     time.Time
	Citation int64  // its ordinal; 0 for none
	First    bool   // of verdicts, the one that the citation was registered with
	Word     string // the status of a verdict, the principal of a risk
}

// The three tables, as Row reads them.
const (
	verdictRows = `SELECT id, time, ordinal, CASE WHEN EXISTS (SELECT 1 FROM attestations f WHERE f.ordinal = attestations.ordinal AND f.id < attestations.id) THEN 0 ELSE 1 END, status FROM attestations`
	reviewRows  = `SELECT id, time, coalesce(ordinal, 0), 0, '' FROM reviews`
	riskRows    = `SELECT id, time, 0, 0, requestor FROM extraction_risks`
)

// VerdictsAfter returns the verdicts with numbers above after, by number, at most limit.
func (l *Ledger) VerdictsAfter(after int64, limit int) ([]Row, error) {
	return l.rowsAfter(verdictRows, after, limit)
}

// ReviewsAfter returns the reviews with numbers above after, by number, at most limit.
func (l *Ledger) ReviewsAfter(after int64, limit int) ([]Row, error) {
	return l.rowsAfter(reviewRows, after, limit)
}

// RisksAfter returns the cases of words that a budget withheld with numbers above after, by number, at most limit.
func (l *Ledger) RisksAfter(after int64, limit int) ([]Row, error) {
	return l.rowsAfter(riskRows, after, limit)
}

func (l *Ledger) rowsAfter(table string, after int64, limit int) ([]Row, error) {
	rows, err := l.query(table+fmt.Sprintf(` WHERE id > ? ORDER BY id LIMIT %d`, limit), after)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(r *Row) error {
		var at string
		var first int
		if err := rows.Scan(&r.ID, &at, &r.Citation, &first, &r.Word); err != nil {
			return err
		}
		r.First = first == 1
		var err error
		r.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}

// SealedIn returns the ordinals of the citations that a snapshot sealed, in their order.
func (l *Ledger) SealedIn(snapshot cid.ID) ([]int64, error) {
	rows, err := l.query(`SELECT ordinal FROM seals WHERE snapshot = ? ORDER BY ordinal`, snapshot.String())
	if err != nil {
		return nil, l.fault(err)
	}
	ordinals, err := gather(rows, func(n *int64) error { return rows.Scan(n) })
	return ordinals, l.fault(err)
}
