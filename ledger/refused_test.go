package ledger

import (
	"context"
	"database/sql"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"
)

func testRefused(t *testing.T, address string) {
	l := open(t, address)
	for i, who := range []string{"ann", "bob", "ann", "", "ann"} {
		if err := l.AddRefused(who, noon.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		who   string
		since time.Time
		n     int
		first time.Time
	}{
		{"ann", noon, 3, noon}, {"ann", noon.Add(time.Minute), 2, noon.Add(2 * time.Hour)}, {"", noon, 1, noon.Add(3 * time.Hour)},
		{"cy", noon, 0, time.Time{}}, {"bob", noon.Add(time.Hour), 1, noon.Add(time.Hour)},
	} {
		if n, first, err := l.Refused(c.who, c.since); err != nil || n != c.n || !first.Equal(c.first) {
			t.Errorf("%q since %v: %d, %v, %v", c.who, c.since, n, first, err)
		}
	}
	want := []SegmentationError{{noon, "bind", "one", 2}, {noon.Add(time.Hour), "check", "two", 1}}
	if err := l.AddSegmentationErrors(want); err != nil {
		t.Fatal(err)
	}
	if got, err := l.SegmentationErrors(time.Time{}); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := l.SegmentationErrors(noon.Add(time.Minute)); err != nil || cmp.Diff(want[1:], got) != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if l.AddRefused("x", time.Time{}) == nil || l.AddRefused("x\x00", noon) == nil || l.AddSegmentationErrors([]SegmentationError{{noon, "bind", "x", 0}}) == nil {
		t.Error("unusable rows were added")
	}
}

// checkStorage compares the documents and chunks of a ledger with its citations:
// each has the number of its own, and nothing else is there.
func checkStorage(t *testing.T, db *sql.DB, chunks int) {
	t.Helper()
	var wrong, have int
	err := db.QueryRow(`SELECT count(*) FROM citations c LEFT JOIN documents d ON d.id = c.document LEFT JOIN chunks k ON k.id = c.chunk
		WHERE coalesce(d.artifact, '') <> c.artifact OR coalesce(k.span, '') <> c.span AND c.artifact <> '' OR k.document <> d.id`).Scan(&wrong)
	if err != nil || wrong != 0 {
		t.Errorf("%d citations have another document or chunk than they name; %v", wrong, err)
	}
	if err := db.QueryRow(`SELECT count(*) FROM chunks`).Scan(&have); err != nil || have != chunks {
		t.Errorf("%d chunks, want %d; %v", have, chunks, err)
	}
}

// testStorage: citations refer to rows of documents and chunks, and are found by
// the day on which their source was published.
func testStorage(t *testing.T, address string) {
	l, db := open(t, address), raw(t, address)
	for i, day := range []string{"2026-02-10", "", "2025-11-01", "1817~"} {
		e := entry("It burned.")
		e.PublishedAt = day
		if i == 3 {
			e.Span = "p1:0-4"
		}
		add(t, l, e)
	}
	checkStorage(t, db, 2)
	for _, c := range []struct {
		f    Filter
		want []int64
	}{
		{Filter{PublishedFrom: "2026"}, []int64{1}}, {Filter{PublishedTo: "2026"}, []int64{3, 4}}, {Filter{PublishedFrom: "2025-11-01", PublishedTo: "2026-02-11"}, []int64{1, 3}},
		{Filter{PublishedFrom: "1817", PublishedTo: "1818"}, []int64{4}}, {Filter{}, []int64{1, 2, 3, 4}},
	} {
		all, err := l.List(c.f)
		var got []int64
		for _, one := range all {
			got = append(got, one.Ordinal)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c.f, got, err)
		}
	}
	if l.dialect.numbered {
		return // the other database's constraints are for every connection; SQLite's are set by each
	}
	if _, err := db.Exec(`PRAGMA foreign_keys = 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO chunks (id, time, document, span) VALUES (3, 'x', 99, 'p1')`); err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("a chunk of no document: %v", err)
	}
}

// testEarlierSchema: a ledger of the schema before documents and chunks has them
// after it is opened.
func testEarlierSchema(t *testing.T, address string) {
	d := &inFile
	if strings.HasPrefix(address, "postgres://") {
		d = &onServer
	}
	files, err := fs.Sub(migrations, "migrations/"+d.migrations)
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, address)
	if d.numbered {
		if _, err := db.Exec(`CREATE SCHEMA ` + schemaOf(t, db)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := goose.NewProvider(d.goose, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	const before = 8
	if _, err := p.UpTo(context.Background(), before); err != nil {
		t.Fatal(err)
	}
	e := entry("It burned.")
	if _, err := db.Exec(`INSERT INTO claims (id, time, project, claim) VALUES (1, '2024-05-06T12:00:00.123456789Z', '', 'It burned.')`); err != nil {
		t.Fatal(err)
	}
	for i, span := range []string{"p2:0-26", "p1:0-3", "p2:0-26", ""} {
		artifact := e.Artifact
		if span == "" {
			artifact = ""
		}
		if _, err := db.Exec(`INSERT INTO citations (ordinal, time, session, agent, artifact, record, span, relation, claim, quote, reasoning, context, locator, confidence, match, edits, length, difference, sha256, prefix, suffix, claim_id, project, user_id, method, language, inputs, text)
			VALUES (` + string(rune('1'+i)) + `, '2024-05-06T12:00:00.123456789Z', 's1', 'tester', '` + artifact + `', '', '` + span + `', 'direct_quote', 'It burned.', 'q', '', '', '', 'high', 'absent', 1, 1, '', '', '', '', 1, '', '', '', '', '', '')`); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(`INSERT INTO attestations (id, ordinal, time, agent, status, notes, kind, checks, model, prompt_sha256, prompt, reply) VALUES (` + string(rune('1'+i)) + `, ` + string(rune('1'+i)) + `, '2024-05-06T12:00:00.123456789Z', 'tester', 'failed', 'n', 'checks', '', '', '', '', '')`); err != nil {
			t.Fatal(err)
		}
	}
	now := open(t, address)
	if n := add(t, now, entry("It burned.")); n != 5 {
		t.Errorf("the next ordinal is %d", n)
	}
	checkStorage(t, db, 2)
	if damaged, err := now.Check(); err != nil || len(damaged) > 0 {
		t.Errorf("%+v, %v", damaged, err)
	}
}

// schemaOf returns the first name of a connection's search path.
func schemaOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	var path string
	if err := db.QueryRow(`SHOW search_path`).Scan(&path); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.Split(path, ",")[0])
}
