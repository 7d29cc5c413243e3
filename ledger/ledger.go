package ledger

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// BusyTimeout is how long a call waits for another process's transaction.
// Transactions here last milliseconds; ten seconds is a slow disk.
const BusyTimeout = 10 * time.Second

// readers is the number of connections that read beside the one that writes.
const readers = 4

// timeLayout sorts as text in time order and keeps every nanosecond.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNotFound is wrapped by errors about an ordinal that the ledger lacks.
var ErrNotFound = errors.New("no such citation")

// A NewerSchemaError reports a ledger written by a newer program. The file is
// unchanged.
type NewerSchemaError struct {
	Path      string
	Have, Can int64 // schema of the file; newest schema this program knows
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("ledger %s has schema %d, this program knows up to %d", e.Path, e.Have, e.Can)
}

// Hint says what to do about it.
func (e *NewerSchemaError) Hint() string {
	return "use the newer program that wrote it, or set the file aside and start a new ledger; the archive itself does not depend on it"
}

// A Ledger is an open file. It is safe for use by several goroutines.
type Ledger struct {
	path  string
	write *sql.DB // one connection
	read  *sql.DB
}

// Open opens the ledger at path, or makes it, and brings its schema up to
// date. Its folder must exist.
func Open(path string) (*Ledger, error) {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("ledger %s: folder: %w", path, err)
	}
	write, err := connect(path, "journal_mode(WAL)", "recursive_triggers(1)")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := migrate(path, write); err != nil {
		write.Close()
		return nil, err
	}
	read, err := connect(path, "query_only(1)")
	if err != nil {
		write.Close()
		return nil, err
	}
	read.SetMaxOpenConns(readers)
	return &Ledger{path: path, write: write, read: read}, nil
}

// Close closes the file. Everything returned before is on disk.
func (l *Ledger) Close() error { return errors.Join(l.read.Close(), l.write.Close()) }

// connect opens a pool whose every connection has the pragmas set.
func connect(path string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("ledger %s: %w", path, err)
	}
	q := url.Values{"_txlock": {"immediate"}}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()))
	for _, p := range append(pragmas, "synchronous(FULL)", "foreign_keys(1)") {
		q.Add("_pragma", p)
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("ledger %s: %w", path, err)
	}
	return db, nil
}

// migrate refuses a newer file before anything is written, then applies what
// is missing. Two processes may do so at once: the one that comes second finds
// the tables made, and looks again.
func migrate(path string, db *sql.DB) error {
	ctx := context.Background()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("ledger migrations: %w", err)
	}
	sources := p.ListSources()
	can := sources[len(sources)-1].Version
	const attempts = 50 // a second in all: the other process makes a few tables
	for attempt := 1; ; attempt++ {
		have, err := schema(path)
		switch {
		case err != nil:
			return fmt.Errorf("ledger %s: %w", path, err)
		case have > can:
			return &NewerSchemaError{path, have, can}
		case have == can:
			return nil
		}
		if _, err = p.Up(ctx); err == nil {
			return nil
		}
		if attempt == attempts {
			return fmt.Errorf("ledger %s: schema %d: %w", path, can, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// schema returns the schema version of the file at path, 0 when there is none.
// It reads through a connection of its own that cannot write, so that a file
// that is not ours stays as it is.
func schema(path string) (int64, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	db, err := connect(path, "query_only(1)")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var tables int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&tables); err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, nil
	}
	var version int64
	err = db.QueryRow(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}

// inTx runs fn in one transaction of the writer.
func (l *Ledger) inTx(fn func(tx *sql.Tx) error) error {
	tx, err := l.write.Begin()
	if err != nil {
		return l.fault(err)
	}
	if err := fn(tx); err != nil {
		return l.fault(errors.Join(err, tx.Rollback()))
	}
	return l.fault(tx.Commit())
}

// fault names the file in errors of the database and says busy in words.
func (l *Ledger) fault(err error) error {
	var se *sqlite.Error
	switch {
	default:
		return fmt.Errorf("ledger %s: %w", l.path, err)
	case err == nil:
		return nil
	case errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY:
		return fmt.Errorf("ledger %s: another process has been writing for %s: %w", l.path, BusyTimeout, err)
	}
}

func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(timeLayout, s) }
