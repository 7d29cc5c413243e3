package retrieve

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"muniment/cite"
)

// ErrMoved says that another process brought a shared index to another snapshot. Open it again.
var ErrMoved = errors.New("the search index stands for another snapshot now")

// An UnavailableError says that the database does not answer or lets nobody in.
type UnavailableError struct{}

func (*UnavailableError) Error() string { return "the database does not answer or lets nobody in" }

// A Server is an index in a PostgreSQL database, shared by all who use the archive there. It has a
// schema of its own, which can be dropped like any other derived thing.
type Server struct {
	db *sql.DB

	mu       sync.RWMutex
	snapshot string
}

// tables is what a schema holds. Texts and titles are bytes: they may hold U+0000, which the
// database's text may not. words and caps have every occurrence; found has each word once, with what
// kind of word it is, for full text search. stem counts the passages that hold a word, tongue those in a language.
const tables = `
CREATE TABLE IF NOT EXISTS state (one boolean PRIMARY KEY CHECK (one), snapshot text NOT NULL, passages bigint NOT NULL);
CREATE TABLE IF NOT EXISTS passage (
	artifact text COLLATE "C" NOT NULL, n integer NOT NULL, title bytea NOT NULL, author bytea NOT NULL,
	date text NOT NULL, lang text NOT NULL, span text NOT NULL, text bytea NOT NULL,
	words text[] NOT NULL, caps text[] NOT NULL, names text[] NOT NULL, tongue text NOT NULL, found tsvector NOT NULL,
	PRIMARY KEY (artifact, n));
CREATE INDEX IF NOT EXISTS passage_found ON passage USING gin (found);
CREATE TABLE IF NOT EXISTS stem (stem text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
CREATE TABLE IF NOT EXISTS tongue (tongue text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
INSERT INTO state VALUES (true, '', 0) ON CONFLICT DO NOTHING;`

// lockSchema makes the writers of a schema take turns until their transactions end.
const lockSchema = `SELECT pg_advisory_xact_lock(hashtextextended('muniment search ' || current_schema(), 0))`

// serverConnections is how many connections one process takes: an update holds one.
const serverConnections = 4

// serverWait bounds one attempt to reach the server.
const serverWait = 5 * time.Second

var validSchema = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// OpenServer opens the index of an archive in a database, or makes it. address is a connection URL or
// a list of key=value; schema, of lower-case letters, digits and _, is the archive's own. To it is
// added the version of the layout, so that programs of two versions keep out of each other's way.
func OpenServer(ctx context.Context, address, schema string) (*Server, error) {
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("search index: the address of the database is none")
	}
	if !validSchema.MatchString(schema) {
		return nil, fmt.Errorf("search index: schema %q, want lower-case letters, digits and _", schema)
	}
	schema += strings.ReplaceAll(strings.TrimPrefix(Version, "muniment/index/"), "v", "_v")
	cfg.RuntimeParams["search_path"] = schema
	cfg.RuntimeParams["application_name"] = "muniment"
	if cfg.ConnectTimeout == 0 || cfg.ConnectTimeout > serverWait {
		cfg.ConnectTimeout = serverWait
	}
	x := &Server{db: stdlib.OpenDB(*cfg)}
	x.db.SetMaxOpenConns(serverConnections)
	err = inTx(ctx, x.db, nil, func(tx *sql.Tx) error {
		// Two that make the schema at once would meet at its name, before it can be locked.
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('muniment search', 0))`); err != nil {
			return err
		}
		var made bool
		if err := tx.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, schema+".state").Scan(&made); err != nil {
			return err
		}
		if !made {
			if _, err := tx.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema+";"+tables); err != nil {
				return err
			}
		}
		return tx.QueryRowContext(ctx, `SELECT snapshot FROM state`).Scan(&x.snapshot)
	})
	if err != nil {
		x.db.Close()
		return nil, fmt.Errorf("search index in the database: %w", serverError(err))
	}
	return x, nil
}

// serverError leaves addresses and passwords out of what went wrong.
func serverError(err error) error {
	var connect *pgconn.ConnectError
	var network net.Error
	var u *url.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.As(err, &u) {
		return &UnavailableError{}
	}
	return err
}

// errNoServer is the error of the calls of a Server that was not opened.
var errNoServer = errors.New("retrieve: the index in a database is not open")

// inTx runs fn in a transaction.
func inTx(ctx context.Context, db *sql.DB, how *sql.TxOptions, fn func(*sql.Tx) error) error {
	if db == nil {
		return errNoServer
	}
	tx, err := db.BeginTx(ctx, how)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Close gives the connections back.
func (x *Server) Close() error {
	if x.db == nil {
		return nil
	}
	return x.db.Close()
}

// Snapshot returns the ID of the snapshot that the index stood for when it was opened or updated.
func (x *Server) Snapshot() string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.snapshot
}

// Extent returns the extent of a whole index: an update is one transaction.
func (x *Server) Extent() Extent { return Extent{Snapshot: x.Snapshot()} }

// Artifacts returns the IDs of the artifacts in the index, sorted.
func (x *Server) Artifacts(ctx context.Context) (ids []string, err error) {
	err = x.read(ctx, func(tx *sql.Tx, _ uint64) error {
		ids, err = texts(tx.QueryContext(ctx, `SELECT DISTINCT artifact FROM passage ORDER BY artifact`))
		return err
	})
	return ids, err
}

// Reset empties the index.
func (x *Server) Reset(ctx context.Context) error {
	err := inTx(ctx, x.db, nil, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, lockSchema+`; DELETE FROM passage; DELETE FROM stem; DELETE FROM tongue; UPDATE state SET snapshot = '', passages = 0`)
		return err
	})
	if err != nil {
		return fmt.Errorf("search index in the database: %w", serverError(err))
	}
	x.mu.Lock()
	x.snapshot = ""
	x.mu.Unlock()
	return nil
}

func texts(rows *sql.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// read gives fn one state of the index and its number of passages; ErrMoved when it is not that of
// this index's snapshot.
func (x *Server) read(ctx context.Context, fn func(tx *sql.Tx, passages uint64) error) error {
	err := inTx(ctx, x.db, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, func(tx *sql.Tx) error {
		var snapshot string
		var passages uint64
		if err := tx.QueryRowContext(ctx, `SELECT snapshot, passages FROM state`).Scan(&snapshot, &passages); err != nil {
			return err
		}
		if snapshot != x.Snapshot() {
			return ErrMoved
		}
		return fn(tx, passages)
	})
	if err != nil {
		return fmt.Errorf("search index in the database: %w", serverError(err))
	}
	return nil
}

// Update brings the index to another snapshot, in one transaction: who searches meanwhile finds what
// was there before. Where another process did the same, nothing is left to do; where it took another
// snapshot, the error is ErrMoved.
func (x *Server) Update(ctx context.Context, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	if snapshot == "" {
		return errors.New("search index: an update needs a snapshot id")
	}
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("search index in the database: %w", serverError(err))
	}
	defer conn.Close()
	err = conn.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			return x.replace(ctx, tx, snapshot, add, remove, progress)
		})
	})
	if err != nil {
		return fmt.Errorf("search index of %s in the database: %w", snapshot, serverError(err))
	}
	x.mu.Lock()
	x.snapshot = snapshot
	x.mu.Unlock()
	return nil
}

func (x *Server) replace(ctx context.Context, tx pgx.Tx, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	if _, err := tx.Exec(ctx, lockSchema); err != nil {
		return err
	}
	var have string
	if err := tx.QueryRow(ctx, `SELECT snapshot FROM state`).Scan(&have); err != nil {
		return err
	}
	if have == snapshot {
		return nil
	}
	if have != x.Snapshot() {
		return ErrMoved
	}
	_, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE incoming (artifact text COLLATE "C", n integer, title bytea, author bytea, date text,
		lang text, span text, text bytea, words text[], caps text[], names text[], tongue text, found text[]) ON COMMIT DROP`)
	if err != nil {
		return err
	}
	columns := []string{"artifact", "n", "title", "author", "date", "lang", "span", "text", "words", "caps", "names", "tongue", "found"}
	in := newIncoming(add, progress)
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"incoming"}, columns, in)
	in.stop()
	if err := errors.Join(in.err, err); err != nil {
		return err
	}
	remove = slices.Concat([]string{}, remove, in.empty)
	_, err = tx.Exec(ctx, `WITH gone AS (DELETE FROM passage WHERE artifact = ANY($1) OR artifact IN (SELECT artifact FROM incoming) RETURNING words, tongue),
		spoken AS (INSERT INTO tongue SELECT tongue, -count(*) FROM gone GROUP BY tongue ON CONFLICT (tongue) DO UPDATE SET n = tongue.n + excluded.n)
		INSERT INTO stem SELECT w, -count(*) FROM gone, LATERAL (SELECT DISTINCT unnest(words) AS w) AS each GROUP BY w
		ON CONFLICT (stem) DO UPDATE SET n = stem.n + excluded.n`, remove)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO stem SELECT w, count(*) FROM incoming, LATERAL (SELECT DISTINCT unnest(words) AS w) AS each GROUP BY w
		ON CONFLICT (stem) DO UPDATE SET n = stem.n + excluded.n;
		INSERT INTO tongue SELECT tongue, count(*) FROM incoming GROUP BY tongue
		ON CONFLICT (tongue) DO UPDATE SET n = tongue.n + excluded.n;
		DELETE FROM stem WHERE n = 0;
		DELETE FROM tongue WHERE n = 0;
		INSERT INTO passage SELECT artifact, n, title, author, date, lang, span, text, words, caps, names, tongue, array_to_tsvector(found) FROM incoming`)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE state SET snapshot = $1, passages = (SELECT count(*) FROM passage)`, snapshot)
	return err
}

// incoming turns documents into rows.
type incoming struct {
	next     func() (Doc, error, bool)
	stop     func()
	progress func(done int)
	empty    []string // documents without a passage: what was there of them leaves too
	rows     []stored
	row      int
	done     int
	err      error
}

func newIncoming(add iter.Seq2[Doc, error], progress func(done int)) *incoming {
	in := &incoming{progress: progress, row: -1}
	in.next, in.stop = iter.Pull2(add)
	return in
}

// Next goes to the next row.
func (in *incoming) Next() bool {
	for in.row++; in.row >= len(in.rows); in.row = 0 {
		d, err, ok := in.next()
		if !ok {
			return false
		}
		if err == nil {
			in.rows, err = passages(d)
		}
		if err != nil {
			in.err = err
			return false
		}
		if len(in.rows) == 0 {
			in.empty = append(in.empty, d.Artifact)
		}
		if in.done++; in.progress != nil && in.done%progressEvery == 0 {
			in.progress(in.done)
		}
	}
	return true
}

// progressEvery is after how many documents an update tells how far it is.
const progressEvery = 256

// Values returns the row.
func (in *incoming) Values() ([]any, error) {
	p := in.rows[in.row]
	words, caps, names := lexemes("", p.Words), lexemes("", p.Caps), lexemes("", p.Names)
	found := slices.Concat(lexemes("word:", p.Words), lexemes("name:", p.Caps), lexemes("name:", p.Names), strings.Fields(p.When))
	return []any{p.Artifact, in.row, []byte(p.Title), []byte(p.Author), p.Date, p.Lang, p.Span, []byte(p.Text), words, caps, names, p.tongue, unique(found)}, nil
}

// Err returns what ended the rows early.
func (in *incoming) Err() error { return in.err }

// longestWord is how many bytes of a word the database's indexes take; a longer one is known by its sum.
const longestWord = 500

func lexeme(kind, word string) string {
	if len(word) > longestWord {
		sum := sha256.Sum256([]byte(word))
		word = "sha256:" + hex.EncodeToString(sum[:])
	}
	return kind + word
}

func lexemes(kind, words string) []string {
	out := []string{}
	for w := range strings.FieldsSeq(words) {
		out = append(out, lexeme(kind, w))
	}
	return out
}

// loadRow reads what a passage is shown and scored by; nil when there is none of the name.
func loadRow(ctx context.Context, tx *sql.Tx, id string) (*stored, error) {
	artifact, n, ok := strings.Cut(id, "#")
	if !ok || id != passageID(artifact, number(strings.TrimLeft(n, "0"))) {
		return nil, nil
	}
	row := tx.QueryRowContext(ctx, `SELECT artifact, title, author, date, lang, span, text FROM passage WHERE artifact = $1 AND n = $2`, artifact, number(strings.TrimLeft(n, "0")))
	c := &stored{id: id}
	var title, author, text []byte
	err := row.Scan(&c.Artifact, &title, &author, &c.Date, &c.Lang, &c.Span, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := cite.ParseSpan(c.Span); err != nil {
		return nil, fmt.Errorf("span %q of %s: %w", c.Span, c.Artifact, err)
	}
	c.Title, c.Author, c.Text = string(title), string(author), string(text)
	c.analyse()
	return c, nil
}
