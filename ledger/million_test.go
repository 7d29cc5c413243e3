package ledger

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// million is how many citations the measurement below begins with; 0, the
// default, leaves it out. internal/bench/ledger.sh sets it.
var million = flag.Int("million", 0, "measure a ledger of so many citations")

// TestMillion measures a ledger that is full: what cite waits for and what
// lists take. It prints and asserts nothing about time; internal/bench/ledger.sh reads it.
func TestMillion(t *testing.T) {
	if *million == 0 {
		return
	}
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			address := filepath.Join(t.TempDir(), "l.db")
			if database == "postgres" {
				address = newSchema(t)
			}
			l := open(t, address)
			start, before := time.Now(), databaseSize(t, l)
			fill(t, l, *million)
			t.Logf("%s: %d citations filled in %s, %d bytes each", database, *million, time.Since(start).Round(time.Second), (databaseSize(t, l)-before)/int64(*million))
			const times = 300
			measure := func(what string, n int, do func(i int) error) {
				took := make([]time.Duration, n)
				for i := range took {
					start := time.Now()
					if err := do(i); err != nil {
						t.Fatal(err)
					}
					took[i] = time.Since(start)
				}
				slices.Sort(took)
				t.Logf("%s: %-28s p50 %8.2f ms   p99 %8.2f ms   worst %8.2f ms", database, what,
					ms(took[n/2]), ms(took[n*99/100]), ms(took[n-1]))
			}
			measure("cite", times, func(i int) error {
				e := entry(fmt.Sprintf("a new claim %d", i))
				e.Session, e.Source = "session 7", 7
				_, err := l.AddCitation(e)
				return err
			})
			page := func(f Filter, some bool) func(int) error {
				f.Limit = 100
				return func(i int) error {
					got, err := l.List(f)
					if err == nil && (len(got) > 0) != some {
						err = fmt.Errorf("%+v: %d rows", f, len(got))
					}
					return err
				}
			}
			measure("list a session", times, page(Filter{Session: "session 7"}, true))
			measure("list a session, last page", times, page(Filter{Session: "session 7", After: int64(*million - 2000)}, true))
			measure("list a source", times, page(Filter{Source: 77}, true))
			measure("list a project", times, page(Filter{Project: "p3"}, true))
			measure("list pending", times, page(Filter{Status: Pending}, true))
			measure("list pending, none", times, page(Filter{Status: Unverified}, false))
			measure("get", times, func(i int) error { _, err := l.Get(int64(1 + i*(*million/times))); return err })
			measure("waiting for a snapshot", 1, func(int) error { _, err := l.BoundUnsealed(); return err })
		})
	}
}

// databaseSize returns the bytes of the tables and indexes of a ledger's database.
func databaseSize(t *testing.T, l *Ledger) (size int64) {
	t.Helper()
	query := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	if l.dialect.numbered {
		query = "SELECT pg_database_size(current_database())"
	}
	if err := l.write.QueryRow(query).Scan(&size); err != nil {
		t.Fatal(err)
	}
	return size
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fill writes n citations with statements of the database: 1,000 to a session
// or a source, one in 10,000 pending.
func fill(t *testing.T, l *Ledger, n int) {
	t.Helper()
	const sources = 1000
	for i := range sources {
		s := source(fmt.Sprintf("letter %d", i))
		if _, _, err := l.AddSource(s); err != nil {
			t.Fatal(err)
		}
	}
	counting := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) `
	integer := func(s string) string {
		if l.dialect.numbered {
			return "(" + s + ")::text"
		}
		return "CAST(" + s + " AS TEXT)"
	}
	at := formatTime(noon)
	for _, step := range []string{
		`INSERT INTO claims (id, time, project, claim) ` + counting + `SELECT i, '` + at + `', '', 'claim ' || ` + integer("i") + ` FROM n`,
		`INSERT INTO citations (ordinal, ` + strings.TrimSuffix(columns, ", digest") + `) ` + counting + `SELECT i, '` + at + `', 'session ' || ` + integer(fmt.Sprintf("i %% %d", max(1, n/1000))) + `, 'agent', '` +
			source("x").Artifact + `', '', 'p2:0-26', 'direct_quote', 'claim ' || ` + integer("i") + `, 'The mill burned on Tuesday', 'because it says so', '', '{"page":3}', 'high', 'exact', 0, 26, '',
			'0000000000000000000000000000000000000000000000000000000000000000', 'Dear Anna', '.', '', 'p' || ` + integer("i % 10") + `, '', '', '', 'The mill burned on Tuesday', 1 + i % 1000, i FROM n`,
		`INSERT INTO attestations (id, ordinal, time, agent, status, notes, kind, checks, model, prompt_sha256, prompt, reply) ` + counting +
			`SELECT i, i, '` + at + `', 'agent', CASE WHEN i % 10000 = 0 THEN 'pending' ELSE 'verified' END, '', 'checks', '', '', '', '', '' FROM n`,
	} {
		if err := l.inTx(func(t tx) error { return t.exec(step, n) }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.write.Exec("ANALYZE"); err != nil {
		t.Fatal(err)
	}
}
