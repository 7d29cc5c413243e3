package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pressly/goose/v3"
)

// timeLayout sorts as text in time order and keeps every nanosecond.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// ErrNotFound is wrapped by errors about an ordinal that the ledger lacks.
var ErrNotFound = errors.New("not in the ledger")

// A NewerSchemaError reports a ledger written by a newer program. The ledger
// is unchanged.
type NewerSchemaError struct {
	Path      string
	Have, Can int64 // schema of the ledger; newest schema this program knows
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("ledger %s has schema %d, this program knows up to %d", e.Path, e.Have, e.Can)
}

// Hint returns the next step.
func (e *NewerSchemaError) Hint() string {
	return "use the newer program that wrote it, or set the file aside and start a new ledger; the archive itself does not depend on it"
}

// An UnavailableError reports a database that did not answer, or stayed busy,
// through every attempt.
type UnavailableError struct {
	Path     string
	Attempts int
	Err      error
}

func (e *UnavailableError) Error() string {
	// The driver lists every address it tried, a line each; the last one does.
	if e.Err == nil {
		return fmt.Sprintf("ledger %s: no answer in %d attempts", e.Path, e.Attempts)
	}
	lines := strings.Split(e.Err.Error(), "\n")
	return fmt.Sprintf("ledger %s: no answer in %d attempts: %s", e.Path, e.Attempts, strings.TrimSpace(lines[len(lines)-1]))
}

// Unwrap returns the error of the last attempt.
func (e *UnavailableError) Unwrap() error { return e.Err }

// Waits between the attempts at a database that does not answer: a restart of
// the server takes a second or two.
var backOff = []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, 900 * time.Millisecond, 1700 * time.Millisecond}

// A dialect is all that differs between the databases once they are open.
type dialect struct {
	goose      goose.Dialect
	migrations string                                     // folder of the migrations
	numbered   bool                                       // parameters are $1, $2, … and not ?
	single     string                                     // statement that makes a transaction the only writer; "" where its beginning does
	check      func(l *Ledger, report func(string)) error // the database's own check of itself
}

// sql writes a statement in the dialect. Statements here have no question mark
// but for parameters.
func (d *dialect) sql(query string) string {
	if !d.numbered {
		return query
	}
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			fmt.Fprintf(&b, "$%d", n)
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

// A Ledger is an open database. It is safe for use by several goroutines.
type Ledger struct {
	path      string // for errors: the file, or the address without its password
	dialect   *dialect
	write     *sql.DB
	read      *sql.DB
	readOnly  bool             // every change is an ErrReadOnly
	transient func(error) bool // whether trying again may help
	waits     []time.Duration  // before each further attempt
	group     *tx              // that every call is a part of, or nil: see Together
	older     *older           // a file whose schema is not up to date yet, or nil
	closing   func()           // called before the database is closed, or nil
	file      fs.FileInfo      // of the file that was opened, or nil
	kept      *sync.Once       // removes the copy of before a migration; nil where there is none

	// MayWrite, unless nil, is asked before every change; its error is that of the call.
	MayWrite func() error

	// Announce, unless nil, is called before a change brings the schema up to date.
	Announce func(Migration)
}

// ErrNotOpen is the error of every call of a Ledger that no Open returned.
var ErrNotOpen = errors.New("the ledger is not open")

// isOpen reports whether the ledger has a database.
func (l *Ledger) isOpen() bool { return l != nil && l.dialect != nil }

// Close closes the database. Everything returned before is on disk.
func (l *Ledger) Close() error {
	if !l.isOpen() {
		return nil
	}
	if l.closing != nil {
		l.closing()
	}
	if l.read == l.write {
		return errors.Join(l.write.Close(), l.older.close())
	}
	return errors.Join(l.read.Close(), l.write.Close(), l.older.close())
}

// Ping returns an error where the database cannot be asked.
func (l *Ledger) Ping(ctx context.Context) error {
	if !l.isOpen() {
		return ErrNotOpen
	}
	if l.file != nil {
		if now, err := os.Stat(l.path); err != nil || !os.SameFile(l.file, now) {
			return fmt.Errorf("ledger %s: the file that is open was removed or replaced; what is registered now would be lost", l.path)
		}
	}
	return l.read.PingContext(ctx)
}

// A tx is a transaction in the ledger's dialect; it is the only writer.
type tx struct {
	*sql.Tx
	dialect  *dialect
	prepared map[string]*sql.Stmt // of a group, which runs the same statements many times; else nil
}

// statement returns a prepared statement of a group, and nil outside of one.
func (t tx) statement(query string) (*sql.Stmt, error) {
	if t.prepared == nil {
		return nil, nil
	}
	if s := t.prepared[query]; s != nil {
		return s, nil
	}
	s, err := t.Tx.Prepare(t.dialect.sql(query)) // the transaction's end closes it
	if err == nil {
		t.prepared[query] = s
	}
	return s, err
}

func (t tx) exec(query string, args ...any) error {
	s, err := t.statement(query)
	switch {
	case err != nil:
	case s != nil:
		_, err = s.Exec(args...)
	default:
		_, err = t.Tx.Exec(t.dialect.sql(query), args...)
	}
	return err
}

func (t tx) one(query string, args []any, into ...any) error {
	s, err := t.statement(query)
	if err != nil {
		return err
	}
	if s != nil {
		return s.QueryRow(args...).Scan(into...)
	}
	return t.Tx.QueryRow(t.dialect.sql(query), args...).Scan(into...)
}

func (t tx) query(query string, args ...any) (*sql.Rows, error) {
	s, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return s.Query(args...)
	}
	return t.Tx.Query(t.dialect.sql(query), args...)
}

// query is tx.query for readers.
func (l *Ledger) query(query string, args ...any) (*sql.Rows, error) {
	if !l.isOpen() {
		return nil, ErrNotOpen
	}
	if l.group != nil {
		return l.group.query(query, args...)
	}
	var rows *sql.Rows
	err := l.retry(func() (err error) {
		_, read := l.databases()
		rows, err = read.Query(l.dialect.sql(query), args...)
		return err
	})
	return rows, err
}

// retry tries again, with growing waits, while the database does not answer.
func (l *Ledger) retry(fn func() error) error {
	if !l.isOpen() {
		return ErrNotOpen
	}
	for attempt := 0; ; attempt++ {
		err := fn()
		if err == nil || !l.transient(err) {
			return err
		}
		if attempt == len(l.waits) {
			return &UnavailableError{l.path, attempt + 1, err}
		}
		time.Sleep(l.waits[attempt])
	}
}

// inTx runs fn in one transaction of the only writer. What fails before the
// commit is tried again where that may help; a commit that fails is not,
// because it may have been done.
func (l *Ledger) inTx(fn func(tx tx) error) error {
	if !l.isOpen() {
		return ErrNotOpen
	}
	if l.readOnly {
		return l.fault(ErrReadOnly)
	}
	if l.MayWrite != nil {
		if err := l.MayWrite(); err != nil {
			return err
		}
	}
	if l.group != nil {
		return l.inGroup(fn)
	}
	if l.older != nil {
		if err := l.older.migrate(l.Announce); err != nil {
			return err
		}
	}
	return l.fault(l.retry(func() error {
		write, _ := l.databases()
		raw, err := write.Begin()
		if err != nil {
			return err
		}
		t := tx{Tx: raw, dialect: l.dialect}
		if l.dialect.single != "" {
			err = t.exec(l.dialect.single)
		}
		if err == nil {
			err = fn(t)
		}
		if err != nil {
			if back := raw.Rollback(); back != nil && !l.transient(err) {
				err = errors.Join(err, back)
			}
			return err
		}
		if err := raw.Commit(); err != nil {
			return &commitError{err}
		}
		l.dropCopy()
		return nil
	}))
}

// inRepeatable is inTx for what adds nothing when it is done again: a commit whose
// answer was lost is tried again too.
func (l *Ledger) inRepeatable(fn func(tx tx) error) error {
	for attempt := 0; ; attempt++ {
		err := l.inTx(fn)
		var lost *commitError
		if err == nil || !l.isOpen() || l.group != nil || attempt == len(l.waits) || !errors.As(err, &lost) || !l.transient(lost.err) {
			return err
		}
		time.Sleep(l.waits[attempt])
	}
}

// A commitError is one that must not be tried again: the transaction may be in.
type commitError struct{ err error }

func (e *commitError) Error() string {
	return "the commit was not confirmed, and may have been done: " + e.err.Error()
}

// fault names the ledger in errors of the database.
func (l *Ledger) fault(err error) error {
	if !l.isOpen() {
		return ErrNotOpen
	}
	var gone *UnavailableError
	if err == nil || errors.As(err, &gone) {
		return err
	}
	if IsFull(err) {
		return fmt.Errorf("ledger %s: %w: %w", l.path, syscall.ENOSPC, err)
	}
	return fmt.Errorf("ledger %s: %w", l.path, err)
}

func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(timeLayout, s) }
