package archive

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"muniment/custody/payloads"
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
func (a *Repository) Dir() string { return a.dir }

// Store returns the archive's git repository.
func (a *Repository) Store() *objects.Store { return a.store }

// World returns the clock, randomness and names that the archive uses.
func (a *Repository) World() World { return a.world }

// LocalPath returns the path of a file in archive.local, and makes its folder.
func (a *Repository) LocalPath(parts ...string) (string, error) {
	path := filepath.Join(append([]string{a.dir, LocalDir}, parts...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", Environment(err, "archive.local")
	}
	return path, nil
}

// ReadOnly reports whether the local folder cannot be written: then the ledger,
// which needs a file beside it even for reading, may not open.
func (a *Repository) ReadOnly() bool {
	f, err := os.CreateTemp(filepath.Join(a.dir, LocalDir), ".muniment-*")
	if err != nil {
		return true
	}
	f.Close()
	os.Remove(f.Name())
	return false
}

// File returns the bytes at path in tree, or nil when there is none.
func (a *Repository) File(tree objects.Hash, path string) ([]byte, error) {
	h, ok, err := a.store.Lookup(tree, path)
	if err != nil {
		return nil, Environment(err, path)
	}
	if !ok {
		return nil, nil
	}
	kind, data, err := a.store.Get(h)
	if err != nil {
		return nil, Environment(err, path)
	}
	if kind != objects.Blob {
		return nil, Problem(TypeDamaged, Next(DoListDamage), "%s is a %v, want a blob", path, kind)
	}
	return data, nil
}

// Head returns the newest snapshot and its commit, or nil and the zero hash before
// the first. Callers share the snapshot and leave it as it is.
func (a *Repository) Head() (*snapshot.Snapshot, objects.Hash, error) {
	tip, err := a.store.Ref(RefMain)
	if err != nil {
		return nil, objects.Hash{}, Environment(err, RefMain)
	}
	if tip.IsZero() {
		return nil, tip, nil
	}
	if known := a.head.Load(); known != nil && known.tip == tip {
		return known.snapshot, tip, nil
	}
	_, content, err := a.store.Get(tip)
	if err != nil {
		return nil, tip, Environment(err, "newest snapshot")
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, tip, Negative(TypeDamaged, Next(DoVerify).Or(DoRepair),
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
		err = Problem(TypeNoSnapshot, Next(DoSnapshot), "this archive has no snapshot yet")
	}
	return s, tip, err
}
