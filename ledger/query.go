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
	Project  string
	Agent    string
	Artifact string
	Source   int64
	Claim    int64
	Status   Status
	Binding  Binding
	// PublishedFrom and PublishedTo bound the day of publication, as texts in EDTF: from is in, to is not.
	PublishedFrom, PublishedTo string
	After                      int64 // only ordinals above it
	Limit                      int   // at most so many; 0 is no limit
}

// Get returns an entry by its ordinal. An ordinal that does not exist gives an
// error that wraps ErrNotFound.
func (l *Ledger) Get(ordinal int64) (Citation, error) {
	c, err := one(l.query, ordinal)
	return c, l.fault(err)
}

// ByID returns the entry of a citation object, the first where several were
// bound to equal objects.
func (l *Ledger) ByID(id cid.ID) (Citation, error) {
	all, err := collect(l.query, selectCitations+` WHERE `+newest+` AND b.citation = ? ORDER BY c.ordinal LIMIT 1`, id.String())
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("citation %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Citation{}, l.fault(err)
	}
	return all[0], nil
}

// List returns the entries that f selects, by ordinal. A page ends at Limit;
// the next one begins After its last ordinal. A damaged row is a failed entry with
// its Damage.
func (l *Ledger) List(f Filter) ([]Citation, error) { return l.list(f, scanLeniently) }

// list is List with what reads a row.
func (l *Ledger) list(f Filter, read func(*sql.Rows, *Citation) error) ([]Citation, error) {
	var w where
	w.text("c.session", f.Session)
	w.text("c.project", f.Project)
	w.text("c.agent", f.Agent)
	w.text("c.artifact", f.Artifact)
	w.number("c.source", f.Source)
	w.number("c.claim_id", f.Claim)
	// By status, the attestations are read in the order of their index.
	key := "c.ordinal"
	if w.text("a.status", string(f.Status)); f.Status != "" {
		key = "a.ordinal"
	}
	if f.PublishedFrom != "" {
		w.add("c.published_at >= ?", f.PublishedFrom)
	}
	if f.PublishedTo != "" {
		w.add("c.published_at <> '' AND c.published_at < ?", f.PublishedTo)
	}
	switch f.Binding {
	case Unbound:
		w.add("b.ordinal IS NULL")
	case Bound:
		w.add("b.ordinal IS NOT NULL AND s.ordinal IS NULL")
	case Sealed:
		w.add("s.ordinal IS NOT NULL")
	}
	w.add(key+" > ?", f.After)
	if f.Status == Pending || f.Status != "" && f.Limit > 0 {
		w.add(newestOfFew)
	} else {
		w.add(newest)
	}
	return l.listWhere(&w, key, f.Limit, read)
}

// CitationIDs returns the IDs of the citation objects that the ledger has.
func (l *Ledger) CitationIDs() (map[string]bool, error) {
	out := map[string]bool{}
	err := l.lines(`SELECT citation FROM bindings`, func(id string) { out[id] = true })
	return out, l.fault(err)
}

// Unbound returns the entries that the next snapshot may bind: unbound, with a
// span, neither failed nor waiting for a model.
func (l *Ledger) Unbound() ([]Citation, error) {
	var w where
	w.add("b.ordinal IS NULL AND c.span <> '' AND c.artifact <> '' AND a.status <> ? AND a.status <> ?", string(Failed), string(Pending))
	w.add(newest)
	return l.listWhere(&w, "c.ordinal", 0, scan)
}

// BoundUnsealed returns the entries whose citation objects the next snapshot
// takes in.
func (l *Ledger) BoundUnsealed() ([]Citation, error) { return l.list(Filter{Binding: Bound}, scan) }

// where gathers conditions and their parameters.
type where struct {
	all  []string
	args []any
}

func (w *where) add(condition string, args ...any) {
	w.all, w.args = append(w.all, condition), append(w.args, args...)
}

func (w *where) text(column, value string) {
	if value != "" {
		w.add(column+" = ?", value)
	}
}

func (w *where) number(column string, value int64) {
	if value != 0 {
		w.add(column+" = ?", value)
	}
}

// tail writes the conditions, the order and the limit.
func (w *where) tail(key string, limit int) string {
	out := ` WHERE ` + strings.Join(w.all, " AND ") + ` ORDER BY ` + key
	if limit > 0 {
		out += fmt.Sprintf(` LIMIT %d`, limit)
	}
	return out
}

// selectCitations reads entries with their state; newest keeps, of the
// attestations, the one that counts.
const (
	selectCitations = `SELECT c.ordinal, c.time, c.session, c.agent, c.artifact, c.record, c.span, c.relation, c.claim, c.quote, c.reasoning, c.context, c.locator,
	c.confidence, c.match, c.edits, c.length, c.difference, c.sha256, c.prefix, c.suffix,
	c.user_id, c.project, c.method, c.language, c.inputs, c.text, coalesce(c.source, 0), coalesce(c.claim_id, 0), a.status, a.claim_verdict, CASE WHEN a.claim_verdict = 'judged' THEN a.model ELSE '' END, a.notes,
	CASE WHEN s.ordinal IS NOT NULL THEN 'sealed' WHEN b.ordinal IS NOT NULL THEN 'bound' ELSE 'unbound' END,
	coalesce(b.citation, ''), coalesce(b.json, ''), coalesce(s.snapshot, ''), c.digest, c.published_at
FROM citations c JOIN attestations a ON a.ordinal = c.ordinal
LEFT JOIN bindings b ON b.ordinal = c.ordinal LEFT JOIN seals s ON s.ordinal = c.ordinal`
	newest = `NOT EXISTS (SELECT 1 FROM attestations n WHERE n.ordinal = a.ordinal AND n.id > a.id)`
	// newestOfFew is the same, asked of each row that is left: for a page of one
	// status among very many, where PostgreSQL would otherwise join all with all.
	newestOfFew = `a.id = (SELECT max(n.id) FROM attestations n WHERE n.ordinal = a.ordinal)`
)

// A querier runs a query for a reader or in a transaction.
type querier func(query string, args ...any) (*sql.Rows, error)

func one(q querier, ordinal int64) (Citation, error) {
	all, err := collect(q, selectCitations+` WHERE `+newest+` AND c.ordinal = ?`, ordinal)
	if err != nil {
		return Citation{}, err
	}
	if len(all) == 0 {
		return Citation{}, fmt.Errorf("citation %d: %w", ordinal, ErrNotFound)
	}
	return all[0], nil
}

func (l *Ledger) listWhere(w *where, key string, limit int, read func(*sql.Rows, *Citation) error) ([]Citation, error) {
	rows, err := l.query(selectCitations+w.tail(key, limit), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(c *Citation) error { return read(rows, c) })
	return all, l.fault(err)
}

func collect(q querier, query string, args ...any) ([]Citation, error) {
	rows, err := q(query, args...)
	if err != nil {
		return nil, err
	}
	return gather(rows, func(c *Citation) error { return scan(rows, c) })
}

// gather reads all rows and closes them.
func gather[T any](rows *sql.Rows, read func(*T) error) ([]T, error) {
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := read(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// scan reads a row of selectCitations.
func scan(rows *sql.Rows, c *Citation) error {
	var at, inputs, id, object, snapshot, kept string
	err := rows.Scan(&c.Ordinal,
		&at, &c.Session, &c.Agent, &c.Artifact, &c.Record, &c.Span, &c.Relation, &c.Claim, &c.Quote, &c.Reasoning, &c.Context, &c.Locator,
		&c.Confidence, &c.Match, &c.Edits, &c.Length, &c.Difference, &c.Anchor.SHA256, &c.Anchor.Prefix, &c.Anchor.Suffix,
		&c.User, &c.Project, &c.Method, &c.Language, &inputs, &c.Text, &c.Source, &c.ClaimID,
		&c.Status, &c.Verdict, &c.Judge, &c.Notes, &c.Binding, &id, &object, &snapshot, &kept, &c.PublishedAt)
	if err != nil {
		return err
	}
	if c.Time, err = parseTime(at); err != nil {
		return err
	}
	if c.Inputs, err = readList(inputs); err != nil {
		return fmt.Errorf("citation %d: inputs: %w", c.Ordinal, err)
	}
	if err := c.ID.UnmarshalText([]byte(id)); err != nil {
		return err
	}
	if err := c.Snapshot.UnmarshalText([]byte(snapshot)); err != nil {
		return err
	}
	values := c.values(c.ClaimID)
	if kept != "" && kept != values[len(values)-1] {
		return errDigest("citations", c.Ordinal)
	}
	if object != "" {
		c.JSON = []byte(object)
		return c.checkBinding()
	}
	return nil
}

// scanLeniently is scan, and gives a row that is damaged as a failed entry.
func scanLeniently(rows *sql.Rows, c *Citation) error {
	err := scan(rows, c)
	if err == nil || c.Ordinal == 0 {
		return err
	}
	*c = Citation{Ordinal: c.Ordinal, ID: c.ID, Damage: err.Error(), Entry: Entry{Status: Failed, Notes: err.Error()}}
	return nil
}

// A Refusal is a question that was not answered. What was asked is not kept.
type Refusal struct {
	Time     time.Time
	Kind     string // as shown: category, retrieval, coverage, consent, assembly
	TrueKind string // the reason that the display may have to hide
	Stage    string // of the pipeline that refused
	Searched Coverage
}

// AddRefusal appends a refusal.
func (l *Ledger) AddRefusal(r Refusal) error {
	if r.Time.IsZero() || r.Kind == "" || r.TrueKind == "" {
		return fmt.Errorf("refusal of kind %q (in truth %q) at %v, want both kinds and a time", r.Kind, r.TrueKind, r.Time)
	}
	if err := r.Searched.validate(); err != nil {
		return err
	}
	return l.inTx(func(t tx) error {
		return t.exec(`INSERT INTO refusals (id, time, kind, true_kind, stage, snapshot, searched, papers) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM refusals), ?, ?, ?, ?, ?, ?, ?)`,
			formatTime(r.Time), r.Kind, r.TrueKind, r.Stage, r.Searched.Snapshot, r.Searched.Papers, r.Searched.Of)
	})
}
