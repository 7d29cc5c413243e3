package ledger

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
)

// attachedName is the name under which the ledger is kept open with its archive.
const attachedName = "ledger"

// fileName is the name of the ledger in an archive's local folder.
const fileName = "ledger.db"

// Of returns the ledger of an archive, opened at the first call and closed with the archive: the
// PostgreSQL database that the archive's World names, else the file ledger.db in its local folder.
func Of(a *archive.Archive) (*Ledger, error) {
	c, err := a.Attach(attachedName, func() (io.Closer, error) {
		l, err := openOf(a)
		if err != nil {
			return nil, err
		}
		l.MayWrite, l.Announce = a.CheckHead, a.World().Migrating
		l.closing = func() { noteHighWater(a, l) }
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	return c.(*Ledger), nil
}

// Find returns the ledger of an archive, nil where this copy of it has none: a reader makes
// none, so that a copy on a read-only disk can be read.
func Find(a *archive.Archive) (*Ledger, error) {
	if a == nil {
		return Of(a)
	}
	_, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir, fileName))
	if !a.IsAttached(attachedName) && a.World().LedgerURL == "" && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return Of(a)
}

// openOf opens the ledger of an archive.
func openOf(a *archive.Archive) (*Ledger, error) {
	if a.World().LedgerURL != "" {
		return openShared(a)
	}
	open := Open
	path, err := a.LocalPath(fileName)
	if disk.IsReadOnly(err) { // the folder is absent and cannot be made
		path, open = filepath.Join(a.Dir(), archive.LocalDir, fileName), OpenEmpty
	} else if err != nil {
		return nil, err
	}
	l, err := open(path)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	l.file, _ = os.Stat(path) // nil for a ledger without a file
	return l, nil
}

// openShared opens the ledger of an archive in a database. Archives that share one without saying
// so stay apart.
func openShared(a *archive.Archive) (*Ledger, error) {
	l, err := OpenPostgres(a.World().LedgerURL, "muniment_"+a.ID().Hex()[:16])
	var away *UnavailableError
	var newer *NewerSchemaError
	if err != nil && !errors.As(err, &away) && !errors.As(err, &newer) {
		return nil, problem.New(problem.Database, problem.Advise("CITATION_DB_URL wants postgres://USER@HOST/DATABASE; without it the ledger is a file in the archive's folder"), "%w", err)
	}
	return l, problem.Wrap(err, "ledger")
}
