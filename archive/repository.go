package archive

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
)

// A Repository is the git repository of an archive and the folder around it.
// Unlike an Archive it may be damaged, or hold what has not been verified yet.
type Repository struct {
	dir   string
	world World
	store *objects.Store
	head  atomic.Pointer[parsedHead] // the newest snapshot that was read

	unsigned atomic.Pointer[objects.Hash] // the staged commit with which no signed commit was found
	newest   atomic.Pointer[cid.ID]       // the snapshot from which none was found to follow

	storeMu      sync.Mutex
	payloadStore *payloads.Store // opened at first use; nil where none is named
}

// A parsedHead is the snapshot of a commit, which never changes.
type parsedHead struct {
	tip      objects.Hash
	snapshot *snapshot.Snapshot
}

// NewRepository returns the repository st in the folder dir.
func NewRepository(dir string, st *objects.Store, w World) *Repository {
	return &Repository{dir: dir, world: w.orReal(), store: st}
}

// Dir returns the folder that holds archive.git.
func (a *Repository) Dir() string {
	if a == nil {
		return ""
	}
	return a.dir
}

// Store returns the archive's git repository; of a Repository that is not open it
// is nil, of which every call returns an error.
func (a *Repository) Store() *objects.Store {
	if a == nil {
		return nil
	}
	return a.store
}

// World returns the clock, randomness and names that the archive uses.
func (a *Repository) World() World {
	if a == nil {
		return World{}.orReal()
	}
	return a.world.orReal()
}

// notOpen is the folder of a Repository that is not open: no system opens a path
// with a NUL, so nothing is read or written beside the current folder.
const notOpen = "\x00an archive that is not open"

// local returns the path of a file in archive.local.
func (a *Repository) local(parts ...string) string {
	dir := a.Dir()
	if dir == "" && a.Store() == nil {
		dir = notOpen
	}
	return filepath.Join(append([]string{dir, LocalDir}, parts...)...)
}

// notOpenError is the error of the calls of an archive that Open did not return.
func notOpenError() *problem.Error {
	return problem.New(problem.NoArchive, problem.Next(problem.DoFindArchive), "the archive is not open")
}

// LocalPath returns the path of a file in archive.local, and makes its folder.
func (a *Repository) LocalPath(parts ...string) (string, error) {
	path := a.local(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", problem.Wrap(err, "archive.local")
	}
	return path, nil
}

// ReadOnly reports whether the local folder cannot be written: then the ledger,
// which needs a file beside it even for reading, may not open.
func (a *Repository) ReadOnly() bool {
	f, err := os.CreateTemp(a.local(), ".muniment-*")
	if err != nil {
		return true
	}
	f.Close()
	os.Remove(f.Name())
	return false
}

// File returns the bytes at path in tree, or nil when there is none.
func (a *Repository) File(tree objects.Hash, path string) ([]byte, error) {
	h, ok, err := a.Store().Lookup(tree, path)
	if err != nil {
		return nil, problem.Wrap(err, path)
	}
	if !ok {
		return nil, nil
	}
	kind, data, err := a.Store().Get(h)
	if err != nil {
		return nil, problem.Wrap(err, path)
	}
	if kind != objects.Blob {
		return nil, problem.New(problem.Damaged, problem.Next(problem.DoListDamage), "%s is a %v, want a blob", path, kind)
	}
	return data, nil
}

// Head returns the newest snapshot and its commit, or nil and the zero hash before
// the first. Callers share the snapshot and leave it as it is. A branch that is gone,
// though anything here shows that there was a snapshot, is an error of TypeDamaged.
func (a *Repository) Head() (*snapshot.Snapshot, objects.Hash, error) {
	tip, err := a.Store().Ref(RefMain)
	if err != nil {
		return nil, objects.Hash{}, problem.Wrap(err, RefMain)
	}
	if tip.IsZero() {
		return nil, tip, a.checkNeverSigned()
	}
	if known := a.head.Load(); known != nil && known.tip == tip {
		return known.snapshot, tip, nil
	}
	_, content, err := a.Store().Get(tip)
	if err != nil {
		return nil, tip, problem.Wrap(err, "newest snapshot")
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, tip, problem.New(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoVerify),
			"the newest commit %s is not a valid snapshot: %w", tip, err)
	}
	a.head.Store(&parsedHead{tip, s})
	return s, tip, nil
}

// RequireHead returns the newest snapshot and its commit; an archive without a
// snapshot is an error of the kind NoSnapshot.
func (a *Repository) RequireHead() (*snapshot.Snapshot, objects.Hash, error) {
	s, tip, err := a.Head()
	if err == nil && s == nil {
		err = problem.New(problem.NoSnapshot, problem.Next(problem.DoSnapshot), "this archive has no snapshot yet")
	}
	return s, tip, err
}
