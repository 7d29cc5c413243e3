package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"muniment/archive"
)

// beforeSuffix names the copy of a file that was made before its schema was brought up to
// date. It is removed with the next change that is on disk.
const beforeSuffix = ".before"

// A Migration says that a ledger's schema is brought up to date for a change.
type Migration = archive.Migration

// An older file has a schema that this program does not write. It is read through a copy
// elsewhere whose schema is up to date, and stays as it is until the first change.
type older struct {
	path       string
	have, want int64
	dir        string // of the copy that is read; removed with Close

	mu          sync.Mutex
	write, read *sql.DB // of the file itself; nil until the first change
}

// openOlder opens a file of an older schema. The copy that is read lies where the system
// keeps what is of use for a moment.
func openOlder(path string, have, want int64, readOnly bool) (*Ledger, error) {
	dir, err := os.MkdirTemp("", "muniment-ledger-")
	if err != nil {
		return nil, fmt.Errorf("ledger %s: %w", path, err)
	}
	at := filepath.Join(dir, "ledger.db")
	l, err := (*Ledger)(nil), copyFile(path, at)
	if err == nil {
		l, err = openWritable(at)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("ledger %s: a copy to read: %w", path, err)
	}
	l.path, l.readOnly = path, readOnly
	l.older = &older{path: path, have: have, want: want, dir: dir}
	return l, nil
}

// copyFile writes the database at path, with the changes in its log, into a new file.
func copyFile(path, to string) error {
	options := []string{"mode=ro"}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		options = append(options, "immutable=1")
	}
	db, err := connectWith(path, options)
	if err != nil {
		return err
	}
	_, err = db.Exec(`VACUUM INTO ?`, to)
	return errors.Join(err, db.Close())
}

// migrate keeps a copy of the file, brings its schema up to date and opens it. Of several
// processes one does so; the others find it done.
func (o *older) migrate(announce func(Migration)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.write != nil {
		return nil
	}
	kept := o.path + beforeSuffix
	if err := o.keep(kept); err != nil {
		return fmt.Errorf("ledger %s: a copy before its schema changes: %w", o.path, err)
	}
	if announce != nil {
		announce(Migration{Path: o.path, From: o.have, To: o.want, Copy: kept})
	}
	l, err := openWritable(o.path)
	if err == nil {
		o.write, o.read = l.write, l.read
	}
	return err
}

// NextMigration returns the migration that the next change makes; false where the schema is the newest.
func (l *Ledger) NextMigration() (Migration, bool) {
	if l == nil || l.older == nil {
		return Migration{}, false
	}
	o := l.older
	o.mu.Lock()
	defer o.mu.Unlock()
	return Migration{Path: o.path, From: o.have, To: o.want, Copy: o.path + beforeSuffix}, o.write == nil
}

// Migrate makes the migration of NextMigration, if there is one.
func (l *Ledger) Migrate() error {
	if _, pending := l.NextMigration(); !pending {
		return nil
	}
	return l.older.migrate(l.Announce)
}

// keep copies the file under another name in its folder, unless another process has brought
// the schema up to date meanwhile.
func (o *older) keep(name string) error {
	temp, err := os.CreateTemp(filepath.Dir(o.path), filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	if err := copyFile(o.path, temp.Name()); err != nil {
		return err
	}
	if have, err := fileSchema(temp.Name()); err != nil || have != o.have {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// databases returns the pools for changes and for reading.
func (l *Ledger) databases() (write, read *sql.DB) {
	if o := l.older; o != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.write != nil {
			return o.write, o.read
		}
	}
	return l.write, l.read
}

// dropCopy removes the copy of before a migration, as a change is on disk.
func (l *Ledger) dropCopy() {
	if l.kept != nil {
		l.kept.Do(func() { os.Remove(l.path + beforeSuffix) }) // what stays goes with a later one
	}
}

// close closes the file itself, where it was opened, and removes the copy that was read.
func (o *older) close() error {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err := os.RemoveAll(o.dir)
	if o.write != nil {
		err = errors.Join(err, o.read.Close(), o.write.Close())
	}
	return err
}
