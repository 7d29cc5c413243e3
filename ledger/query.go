package ledger

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"muniment/cid"
)

// A Filter selects entries. Fields left empty select everything.
type Filter struct {
	Session  string
	Artifact string
	Status   Status
	Binding  Binding
	After    int64 // only ordinals above it
	Limit    int   // at most so many; 0 is no limit
}

// Get returns an entry by its ordinal. An ordinal that does not exist gives an
// error that wraps ErrNotFound.
func (l *Ledger) Get(ordinal int64) (Citation, error) {
	c, err := one(l.read, ordinal)
	return c, l.fault(err)
}

// List returns the entries that f selects, by ordinal.
func (l *Ledger) List(f Filter) ([]Citation, error) {
	var where []string
	var args []any
	add := func(column, value string) {
		if value != "" {
			where, args = append(where, column+" = ?"), append(args, value)
		}
	}
	add("session", f.Session)
	add("artifact", f.Artifact)
	add("status", string(f.Status))
	add("binding", string(f.Binding))
	return l.list(append(where, "ordinal > ?"), append(args, f.After), f.Limit)
}

// Unbound returns the entries that the next snapshot may bind: unbound, with a
// span, and not failed.
func (l *Ledger) Unbound() ([]Citation, error) {
	return l.list([]string{"binding = ?", "span <> ''", "artifact <> ''", "status <> ?"}, []any{string(Unbound), string(Failed)}, 0)
}

// BoundUnsealed returns the entries whose citation objects the next snapshot
// takes in.
func (l *Ledger) BoundUnsealed() ([]Citation, error) { return l.List(Filter{Binding: Bound}) }

const selectCurrent = `SELECT ordinal, ` + columns + `, status, notes, binding, citation, json, snapshot FROM current`

// A querier is the reader's pool or a transaction of the writer.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

func one(q querier, ordinal int64) (Citation, error) {
	all, err := collect(q, selectCurrent+` WHERE ordinal = ?`, ordinal)
	if err != nil {
		return Citation{}, err
	}
	if len(all) == 0 {
		return Citation{}, fmt.Errorf("citation %d: %w", ordinal, ErrNotFound)
	}
	return all[0], nil
}

func (l *Ledger) list(where []string, args []any, limit int) ([]Citation, error) {
	query := selectCurrent + ` WHERE ` + strings.Join(where, " AND ") + ` ORDER BY ordinal`
	if limit > 0 {
		query, args = query+` LIMIT ?`, append(args, limit)
	}
	all, err := collect(l.read, query, args...)
	return all, l.fault(err)
}

func collect(q querier, query string, args ...any) ([]Citation, error) {
	rows, err := q.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Citation
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

// scan reads a row of selectCurrent.
func scan(rows *sql.Rows) (Citation, error) {
	var c Citation
	var at, id, object, snapshot string
	err := rows.Scan(&c.Ordinal,
		&at, &c.Session, &c.Agent, &c.Artifact, &c.Record, &c.Span, &c.Relation, &c.Claim, &c.Quote, &c.Reasoning, &c.Context, &c.Locator,
		&c.Confidence, &c.Match, &c.Edits, &c.Length, &c.Difference, &c.Anchor.SHA256, &c.Anchor.Prefix, &c.Anchor.Suffix,
		&c.Status, &c.Notes, &c.Binding, &id, &object, &snapshot)
	if err != nil {
		return Citation{}, err
	}
	if c.Time, err = parseTime(at); err != nil {
		return Citation{}, err
	}
	if err := c.ID.UnmarshalText([]byte(id)); err != nil {
		return Citation{}, err
	}
	if err := c.Snapshot.UnmarshalText([]byte(snapshot)); err != nil {
		return Citation{}, err
	}
	if object != "" {
		c.JSON = []byte(object)
		if got := cid.OfJSON(c.JSON); got != c.ID {
			return Citation{}, fmt.Errorf("citation %d: the object kept has id %s, the ledger says %s", c.Ordinal, got, c.ID)
		}
	}
	return c, nil
}

// A Refusal is a question that was not answered. What was asked is not kept.
type Refusal struct {
	Time     time.Time
	Kind     string // as shown: category, retrieval, coverage, consent, assembly
	TrueKind string // the reason that the display may have to hide
	Stage    string // of the pipeline that refused
}

// AddRefusal appends a refusal.
func (l *Ledger) AddRefusal(r Refusal) error {
	if r.Time.IsZero() || r.Kind == "" || r.TrueKind == "" {
		return fmt.Errorf("refusal of kind %q (in truth %q) at %v, want both kinds and a time", r.Kind, r.TrueKind, r.Time)
	}
	return l.inTx(func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO refusals (time, kind, true_kind, stage) VALUES (?, ?, ?, ?)`, formatTime(r.Time), r.Kind, r.TrueKind, r.Stage)
		return err
	})
}

// Refusals returns all refusals, oldest first.
func (l *Ledger) Refusals() ([]Refusal, error) {
	rows, err := l.read.Query(`SELECT time, kind, true_kind, stage FROM refusals ORDER BY id`)
	if err != nil {
		return nil, l.fault(err)
	}
	defer rows.Close()
	var all []Refusal
	for rows.Next() {
		var r Refusal
		var at string
		if err := rows.Scan(&at, &r.Kind, &r.TrueKind, &r.Stage); err != nil {
			return nil, l.fault(err)
		}
		if r.Time, err = parseTime(at); err != nil {
			return nil, l.fault(err)
		}
		all = append(all, r)
	}
	return all, l.fault(rows.Err())
}
