package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// BusyTimeout is how long a call waits for another process's transaction.
// Transactions here last milliseconds; ten seconds is a slow disk.
const BusyTimeout = 10 * time.Second

// readers is the number of connections for reading, in addition to the one that writes.
const readers = 4

var inFile = dialect{goose: goose.DialectSQLite3, migrations: "sqlite", check: checkFile}

// ErrReadOnly marks the failure of a change to a ledger whose folder cannot be
// written.
var ErrReadOnly error = readOnlyError{}

// Open opens the ledger in the file at path, or makes it. A file with an older schema stays
// as it is until the first change, which keeps a copy of it, with the name's end .before,
// until that change is on disk: see Ledger.Announce. Its folder must exist. A ledger whose
// folder cannot be written is opened for reading; each change is then an [ErrReadOnly].
func Open(path string) (*Ledger, error) {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("ledger %s: folder: %w", path, err)
	}
	can, err := newestSchema(&inFile)
	if err != nil {
		return nil, err
	}
	if have, err := fileSchema(path); err == nil && have > 0 && have < can {
		l, err := openOlder(path, have, can, false)
		if err == nil {
			l.kept = new(sync.Once)
		}
		return l, err
	}
	l, err := openWritable(path)
	if err == nil || !cannotWrite(err) {
		return l, err
	}
	if _, absent := os.Stat(path); errors.Is(absent, fs.ErrNotExist) {
		return OpenEmpty(path)
	}
	return openReadOnly(path)
}

// OpenEmpty opens a ledger without entries in memory, for a copy that has none at
// path and where none can be made. Each change to it is an [ErrReadOnly].
func OpenEmpty(path string) (*Ledger, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("ledger %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	if err := migrate(path, &inFile, db, func() (int64, error) { return 0, nil }); err != nil {
		db.Close()
		return nil, err
	}
	return &Ledger{path: path, dialect: &inFile, write: db, read: db, readOnly: true, transient: busy}, nil
}

// openWritable opens a ledger for reading and for changes.
func openWritable(path string) (*Ledger, error) {
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
	l := &Ledger{path: path, dialect: &inFile, write: write, read: read, transient: busy}
	if _, err := os.Lstat(path + beforeSuffix); err == nil {
		l.kept = new(sync.Once)
	}
	return l, nil
}

// openReadOnly opens a ledger without writing any file. While there is a log of another process's
// changes, SQLite reads through that log; without one the file is whole and opened as immutable.
func openReadOnly(path string) (*Ledger, error) {
	options := []string{"mode=ro"}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		options = append(options, "immutable=1")
	}
	db, err := connectWith(path, options, "query_only(1)")
	if err != nil {
		return nil, err
	}
	have, err := versionOf(db)
	var can int64
	if err == nil {
		can, err = newestSchema(&inFile)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("ledger %s: %w", path, err)
	case have > can:
		err = &NewerSchemaError{path, have, can}
	case have < can:
		db.Close()
		return openOlder(path, have, can, true)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	return &Ledger{path: path, dialect: &inFile, write: db, read: db, readOnly: true, transient: busy}, nil
}

// cannotWrite reports whether err is SQLite's error for a database file or log file that cannot be
// made or written.
func cannotWrite(err error) bool {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return false
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return true
	}
	return false
}

// IsFull reports whether err says that the disk of a ledger's file is full.
func IsFull(err error) bool {
	var se *sqlite.Error
	return errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_FULL
}

// busy reports an error of a file that another process keeps writing.
func busy(err error) bool {
	var se *sqlite.Error
	var commit *commitError
	return errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY && !errors.As(err, &commit)
}

// connect opens a pool whose every connection has the pragmas set.
func connect(path string, pragmas ...string) (*sql.DB, error) {
	return connectWith(path, nil, pragmas...)
}

// connectWith is connect with options of the file name, such as "mode=ro".
func connectWith(path string, options []string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("ledger %s: %w", path, err)
	}
	q := url.Values{"_txlock": {"immediate"}}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()))
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		q.Set(name, value)
	}
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
