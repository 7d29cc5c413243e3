package ledger

import (
	"database/sql"
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

var inFile = dialect{goose: goose.DialectSQLite3, migrations: "sqlite", check: checkFile}

// Open opens the ledger in the file at path, or makes it, and brings its
// schema up to date. Its folder must exist.
func Open(path string) (*Ledger, error) {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("ledger %s: folder: %w", path, err)
	}
	write, err := connect(path, "journal_mode(WAL)", "recursive_triggers(1)")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := migrate(path, &inFile, write, func() (int64, error) { return fileSchema(path) }); err != nil {
		write.Close()
		return nil, err
	}
	read, err := connect(path, "query_only(1)")
	if err != nil {
		write.Close()
		return nil, err
	}
	read.SetMaxOpenConns(readers)
	return &Ledger{path: path, dialect: &inFile, write: write, read: read, transient: busy}, nil
}

// busy reports an error of a file that another process keeps writing.
func busy(err error) bool {
	var se *sqlite.Error
	var commit *commitError
	return errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY && !errors.As(err, &commit)
}

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

// fileSchema returns the schema version of the file at path, 0 when there is
// none. It reads through a connection of its own that cannot write, so that a
// file that is not ours stays as it is.
func fileSchema(path string) (int64, error) {
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
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	return versionOf(db)
}
