package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// tables are the numbered tables of the ledger, each after the tables that it refers to.
var tables = []struct{ name, key string }{
	{"sessions", "id"}, {"sources", "id"}, {"claims", "id"}, {"documents", "id"}, {"chunks", "id"}, {"citations", "ordinal"}, {"attestations", "id"}, {"bindings", "ordinal"}, {"seals", "ordinal"},
	{"refusals", "id"}, {"links", "id"}, {"search_records", "id"}, {"shown", "id"}, {"extraction_risks", "id"}, {"packs", "id"},
	{"syntheses", "id"}, {"synthesis_bullets", "id"}, {"synthesis_citations", "id"}, {"questions", "id"}, {"citation_keys", "id"},
	{"refused", "id"}, {"segmentation_errors", "id"}, {"reviews", "id"}, {"review_seals", "id"},
}

// maxDamages is the most rows that Check lists: more say nothing that these do not.
const maxDamages = 1000

// Check reads the whole ledger: the database's own check of its files, every row with
// its digest, every citation object against the columns it was made of, and the
// numbers, which have no gaps. It returns what is damaged; an error says that the
// database could not be read at all.
func (l *Ledger) Check() ([]DamagedRowError, error) {
	if !l.isOpen() {
		return nil, ErrNotOpen
	}
	var found []DamagedRowError
	add := func(table string, row int64, err error) {
		var known *DamagedRowError
		switch {
		case err == nil || len(found) == maxDamages:
		case errors.As(err, &known):
			found = append(found, *known)
		default:
			found = append(found, DamagedRowError{table, row, err.Error()})
		}
	}
	if err := l.dialect.check(l, func(what string) { add("database", 0, errors.New(what)) }); err != nil {
		return nil, l.fault(err)
	}
	view, end, err := l.view()
	if err != nil {
		return nil, l.fault(err)
	}
	defer end()
	rows := map[string]int64{}
	for _, t := range tables {
		var n, last int64
		if err := view.scalars(`SELECT count(*), coalesce(max(`+t.key+`), 0) FROM `+t.name, []any{&n, &last}); err != nil {
			add(t.name, 0, err)
			view = l // a server ends a transaction with the first error
			continue
		}
		if rows[t.name] = n; n != last && t.name != "bindings" && t.name != "seals" && t.name != "review_seals" {
			add(t.name, last, fmt.Errorf("%d rows and the last number %d: rows are missing", n, last))
		}
	}
	read := int64(0)
	for _, pass := range []struct {
		table, query string
		scan         func(*sql.Rows) (int64, error)
	}{
		{"citations", selectCitations + ` WHERE ` + newest + ` ORDER BY c.ordinal`, func(r *sql.Rows) (int64, error) {
			read++
			var c Citation
			err := scan(r, &c)
			return c.Ordinal, err
		}},
		{"attestations", selectAttestations + ` ORDER BY id`, func(r *sql.Rows) (int64, error) { var a Attestation; return scanAttestation(r, &a) }},
		{"reviews", selectReviews + ` ORDER BY r.id`, func(r *sql.Rows) (int64, error) { var v Review; err := scanReview(r, &v); return v.ID, err }},
		{"links", selectLinks + ` ORDER BY id`, func(r *sql.Rows) (int64, error) { var k Link; return scanLink(r, &k) }},
		{"sources", selectSources + ` ORDER BY id`, func(r *sql.Rows) (int64, error) { var s Source; err := scanSource(r, &s); return s.ID, err }},
		{"claims", `SELECT c.ordinal FROM citations c JOIN claims k ON k.id = c.claim_id WHERE k.claim <> c.claim OR k.project <> c.project ORDER BY c.ordinal`,
			func(r *sql.Rows) (n int64, err error) {
				if err = r.Scan(&n); err == nil {
					err = &DamagedRowError{"citations", n, "its claim or project is not that of the row of claims that it names"}
				}
				return n, err
			}},
	} {
		all, err := view.query(pass.query)
		if err != nil {
			add(pass.table, 0, err)
			view = l
			continue
		}
		for all.Next() {
			n, err := pass.scan(all)
			add(pass.table, n, err)
		}
		if err := errors.Join(all.Err(), all.Close()); err != nil {
			add(pass.table, 0, err)
			view = l
		}
	}
	if read != rows["citations"] {
		add("citations", 0, fmt.Errorf("%d of %d have an attestation", read, rows["citations"]))
	}
	return found, nil
}

// view returns the ledger as one state of all tables, for readers, until end is called:
// what is registered meanwhile is not in it.
func (l *Ledger) view() (view *Ledger, end func() error, err error) {
	if l.group != nil {
		return l, func() error { return nil }, nil
	}
	options := &sql.TxOptions{ReadOnly: true} // SQLite shows the state of the first reading
	if l.dialect.numbered {
		options.Isolation = sql.LevelRepeatableRead
	}
	var raw *sql.Tx
	err = l.retry(func() error {
		_, read := l.databases()
		raw, err = read.BeginTx(context.Background(), options)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	g := *l
	g.group, g.readOnly = &tx{Tx: raw, dialect: l.dialect}, true
	return &g, raw.Rollback, nil
}

// scalars reads the one row of a query.
func (l *Ledger) scalars(query string, into []any, args ...any) error {
	rows, err := l.query(query, args...)
	if err != nil {
		return err
	}
	_, err = gather(rows, func(*struct{}) error { return rows.Scan(into...) })
	return err
}

// lines reports each text of a query's only column.
func (l *Ledger) lines(query string, report func(string)) error {
	rows, err := l.query(query)
	if err != nil {
		return err
	}
	all, err := gather(rows, func(s *string) error { return rows.Scan(s) })
	for _, s := range all {
		report(s)
	}
	return err
}

// checkFile runs SQLite's own checks.
func checkFile(l *Ledger, report func(string)) error {
	err := l.lines(`PRAGMA integrity_check(100)`, func(s string) {
		if s != "ok" {
			report(s)
		}
	})
	if err != nil {
		report(err.Error()) // a file that is damaged so that the check itself fails
		return nil
	}
	return l.lines(`SELECT "table" || ' row ' || coalesce(rowid, 0) || ' refers to a row of ' || parent || ' that is not there' FROM pragma_foreign_key_check`, report)
}

// checkServer runs PostgreSQL's check of indexes, where its extension amcheck is
// installed in the database. What the server finds in its pages it reports to
// whoever reads them, as Check does.
func checkServer(l *Ledger, report func(string)) error {
	var schema string
	if err := l.scalars(`SELECT coalesce((SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'), '')`, []any{&schema}); err != nil || schema == "" {
		return err
	}
	var indexes []string
	err := l.lines(`SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
		WHERE m.amname = 'btree' AND i.indisvalid AND c.relnamespace = current_schema()::regnamespace`, func(s string) { indexes = append(indexes, s) })
	if err != nil {
		return err
	}
	for _, index := range indexes {
		rows, err := l.query(`SELECT "`+schema+`".bt_index_check(?::text::regclass, true)::text`, index)
		if err == nil {
			_, err = gather(rows, func(s *sql.NullString) error { return rows.Scan(s) })
		}
		if err != nil {
			report(index + ": " + err.Error())
		}
	}
	return nil
}
