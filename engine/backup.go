package engine

import (
	"errors"
	"io"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/ledger"
)

// ExportLedger writes every row of the archive's ledger, with its numbers, and returns
// how many there are.
func ExportLedger(a *archive.Archive, w io.Writer) (rows int64, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return 0, err
	}
	rows, err = l.Export(w, a.ID().String())
	return rows, problem.Wrap(err, "ledger")
}

// ImportLedger fills the archive's empty ledger with what ExportLedger wrote, all rows
// or none, and returns how many there are.
func ImportLedger(a *archive.Archive, r io.Reader) (rows int64, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return 0, err
	}
	rows, err = l.Import(r, a.ID().String())
	var away *ledger.UnavailableError
	switch {
	case err == nil:
		return rows, nil
	case errors.As(err, &away):
		return 0, problem.Wrap(err, "ledger")
	case errors.Is(err, ledger.ErrNotEmpty):
		return 0, problem.New(problem.Usage, problem.Advise("move "+archive.LocalDir+"/ledger.db and its -wal and -shm away and keep them, or name an empty database, and import again"), "%w", err)
	}
	return 0, problem.New(problem.Usage, problem.Advise("give a whole backup of this archive; nothing was registered"), "%w", err)
}
