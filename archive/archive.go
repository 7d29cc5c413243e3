package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"muniment/archive/holdings"
	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// Names inside an archive's folder.
const (
	StoreDir = "archive.git"   // the git repository that travels
	LocalDir = "archive.local" // what stays: ledger, index, log, bundles, identity
)

// LockWait is how long a writer waits for another one before it gives up: long
// enough for a neighbour's publish, short enough for a person.
const LockWait = 3 * time.Second

// An Archive is an open archive. Close it. Its methods may be called from any goroutine.
type Archive struct {
	*Repository
	info *record.Archive
	id   cid.ID

	holdings *holdings.Index

	// Each mutex guards the fields below it, which are opened at first use.
	ledgerMu sync.Mutex
	ledger   *ledger.Ledger

	historyMu sync.Mutex
	history   *historyIndex  // of the newest snapshot that was asked for
	sets      []*keyfile.Set // closed with the archive

	documents documentCache
}

// OpenStore returns the git repository of the archive in dir. A folder of an
// archive holds folders and regular files only: dir may be somebody else's, and
// a link in it would be written through, a pipe waited for.
func OpenStore(dir string, hooks objects.Hooks) (*objects.Store, error) {
	for _, part := range []string{StoreDir, LocalDir} {
		err := disk.CheckFolder(filepath.Join(dir, part))
		var odd *fs.PathError
		if errors.As(err, &odd) && errors.Is(err, disk.ErrNotRegular) {
			return nil, problem.New(problem.Environment, problem.Advise("an archive holds folders and regular files only: put in its place what it leads to, or remove it"), "%s is %w", legible.Printable(odd.Path), odd.Err)
		} else if err != nil {
			return nil, problem.Wrap(err, "open "+legible.Printable(dir))
		}
	}
	st, err := objects.OpenWith(filepath.Join(dir, StoreDir), hooks)
	if err != nil && objects.LacksSettings(filepath.Join(dir, StoreDir)) {
		return nil, problem.New(problem.Damaged, problem.Next(problem.DoRepair), "the archive in %s is damaged: %w", dir, err)
	}
	if errors.Is(err, objects.ErrNoStore) || errors.Is(err, os.ErrNotExist) {
		next := problem.Next(problem.DoFindArchive)
		if filepath.Base(dir) == StoreDir {
			next = problem.Next(problem.DoGive, "dir", filepath.Dir(dir))
		}
		why := StoreDir + " is not there"
		if _, there := os.Lstat(filepath.Join(dir, StoreDir)); there == nil {
			why = strings.TrimSuffix(err.Error(), ": "+objects.ErrNoStore.Error())
			next = problem.Next(problem.DoClone).With("an archive is a bare git repository with SHA-1 names and refs in files")
		}
		return nil, problem.New(problem.NoArchive, next, "no archive in %s: %s", dir, why)
	}
	return st, problem.Wrap(err, "open "+dir)
}

// Open opens the archive in dir, which holds archive.git.
func Open(dir string, w World) (*Archive, error) {
	st, err := OpenStore(dir, w.Disk)
	if err != nil {
		return nil, err
	}
	a := &Archive{Repository: NewRepository(dir, st, w)}
	tree, err := a.NewestTree()
	if err == nil {
		err = a.readInfo(tree)
	}
	if err != nil {
		st.Close()
		return nil, err
	}
	a.holdings = holdings.New(holdings.Copy{ID: a.id, Store: st, Dir: a.local(holdingsDir), Disk: w.Disk, Progress: w.Indexing,
		IsNewest: a.isNewest, Entries: a.entries, SnapshotTrees: a.snapshotTrees})
	return a, nil
}

// Close releases the archive's files.
func (a *Archive) Close() error {
	if a == nil || a.Store() == nil {
		return nil
	}
	for _, set := range a.sets {
		if err := set.Close(); err != nil {
			return problem.Wrap(err, "history index")
		}
	}
	a.sets, a.history = nil, nil
	if err := a.holdings.Close(); err != nil {
		return err
	}
	if a.ledger != nil {
		if err := a.ledger.Close(); err != nil {
			return err
		}
	}
	return a.Store().Close()
}

// Info returns archive.json.
func (a *Archive) Info() *record.Archive { return a.info }

// ID returns the archive's id, the CID of archive.json.
func (a *Archive) ID() cid.ID { return a.id }

// Name returns the archive's name.
func (a *Archive) Name() string {
	if a.info == nil {
		return ""
	}
	return a.info.Name
}

// Ledger returns the ledger, opened at the first call and closed by Close.
func (a *Archive) Ledger() (*ledger.Ledger, error) {
	if a == nil || a.Store() == nil {
		return nil, notOpenError()
	}
	a.ledgerMu.Lock()
	defer a.ledgerMu.Unlock()
	if a.ledger != nil {
		return a.ledger, nil
	}
	var l *ledger.Ledger
	if a.World().LedgerURL != "" {
		// Archives that share a database without saying so stay apart.
		var err error
		if l, err = ledger.OpenPostgres(a.World().LedgerURL, "muniment_"+a.id.Hex()[:16]); err != nil {
			var away *ledger.UnavailableError
			var newer *ledger.NewerSchemaError
			if !errors.As(err, &away) && !errors.As(err, &newer) {
				return nil, problem.New(problem.Database, problem.Advise("CITATION_DB_URL wants postgres://USER@HOST/DATABASE; without it the ledger is a file in the archive's folder"), "%w", err)
			}
			return nil, problem.Wrap(err, "ledger")
		}
	} else {
		path := a.local("ledger.db")
		open := ledger.Open
		if _, err := a.LocalPath("ledger.db"); disk.IsReadOnly(err) {
			open = ledger.OpenEmpty // archive.local is absent and cannot be made
		} else if err != nil {
			return nil, err
		}
		var err error
		if l, err = open(path); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
	}
	l.MayWrite, l.Announce = a.CheckHead, a.World().Migrating
	a.ledger = l
	return l, nil
}

// ExistingLedger returns the ledger, or nil where this copy of the archive has
// none: a reader makes none, so that a copy on a read-only disk can be read.
func (a *Archive) ExistingLedger() (*ledger.Ledger, error) {
	if _, err := os.Lstat(a.local("ledger.db")); !a.hasOpenLedger() && a.World().LedgerURL == "" && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return a.Ledger()
}

// hasOpenLedger reports whether the ledger was opened.
func (a *Archive) hasOpenLedger() bool {
	a.ledgerMu.Lock()
	defer a.ledgerMu.Unlock()
	return a.ledger != nil
}

// readInfo reads archive.json from tree.
func (a *Archive) readInfo(tree objects.Hash) error {
	data, err := a.File(tree, record.PathArchive)
	if err != nil {
		return err
	}
	if data == nil {
		if _, _, err := a.Head(); err != nil { // what is gone is known
			return err
		}
		return problem.New(problem.Damaged, problem.Next(problem.DoDoctor).With("or restore "+StoreDir+" from a good copy"),
			"%s holds no %s", filepath.Join(a.Dir(), StoreDir), record.PathArchive)
	}
	info, err := record.ParseArchive(data)
	if err != nil {
		return problem.New(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", record.PathArchive, err)
	}
	a.info, a.id = info, cid.OfJSON(data)
	return nil
}

// holdingsDir is where the holdings index lies in archive.local.
const holdingsDir = "holdings"

// Holdings returns the holdings index, which Close closes.
func (a *Archive) Holdings() *holdings.Index {
	if a == nil || a.holdings == nil {
		return &holdings.Index{}
	}
	return a.holdings
}

// Catalog returns the catalogue of a tree, as [holdings.Index.Catalog] does.
func (a *Archive) Catalog(tree objects.Hash) *holdings.Catalog { return a.Holdings().Catalog(tree) }

// isNewest reports whether a tree is that of the newest snapshot or of what is staged.
func (a *Repository) isNewest(tree objects.Hash) (bool, error) {
	next, staged, err := a.StagedTree()
	if err != nil || next == tree || staged.IsZero() {
		return err == nil && next == tree, err
	}
	head, _, err := a.Head()
	return err == nil && head != nil && head.Tree == tree, nil
}

// entries returns the number of entries of the newest snapshot, 0 where that is not known.
func (a *Repository) entries() int64 {
	head, _, err := a.Head()
	if err != nil || head == nil {
		return 0
	}
	return head.Entries
}
