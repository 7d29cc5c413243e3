package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"muniment/archive/holdings"
	"muniment/archive/keyfile"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// Names inside an archive's folder.
const (
	StoreDir = "archive.git"   // the git repository that travels
	LocalDir = "archive.local" // what stays: ledger, index, log, bundles, identity

	BundlesDir = "bundles" // in LocalDir: the complete bundles that are kept
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
	attachedMu sync.Mutex
	attached   map[string]io.Closer // by name: see Attach

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

// Close releases the archive's files, and notes which files this copy has besides its repository.
func (a *Archive) Close() error {
	if a == nil || a.Store() == nil {
		return nil
	}
	if err := mark.Take(a.local()); err != nil {
		return problem.Wrap(err, mark.File)
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
	for _, one := range a.attached {
		if err := one.Close(); err != nil {
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

// Attach returns the part that a service keeps open with the archive under a name: made by open at
// the first call, and closed by Close. The archive does not know its kind.
func (a *Archive) Attach(name string, open func() (io.Closer, error)) (io.Closer, error) {
	if a == nil || a.Store() == nil {
		return nil, notOpenError()
	}
	a.attachedMu.Lock()
	defer a.attachedMu.Unlock()
	if c, ok := a.attached[name]; ok {
		return c, nil
	}
	c, err := open()
	if err != nil {
		return nil, err
	}
	if a.attached == nil {
		a.attached = map[string]io.Closer{}
	}
	a.attached[name] = c
	return c, nil
}

// IsAttached reports whether Attach made a part under a name.
func (a *Archive) IsAttached(name string) bool {
	if a == nil {
		return false
	}
	a.attachedMu.Lock()
	defer a.attachedMu.Unlock()
	_, ok := a.attached[name]
	return ok
}

// readInfo reads archive.json from tree.
func (a *Archive) readInfo(tree objects.Hash) error {
	data, err := a.File(tree, layout.PathArchive)
	if err != nil {
		return err
	}
	if data == nil {
		if _, _, err := a.Head(); err != nil { // what is gone is known
			return err
		}
		return problem.New(problem.Damaged, problem.Next(problem.DoDoctor).With("or restore "+StoreDir+" from a good copy"),
			"%s holds no %s", filepath.Join(a.Dir(), StoreDir), layout.PathArchive)
	}
	info, err := record.ParseArchive(data)
	if err != nil {
		return problem.New(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", layout.PathArchive, err)
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
