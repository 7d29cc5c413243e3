package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/objects/disk"
	"muniment/objects/pack"
)

// A Store is an open repository. Its methods may be called from any goroutine.
type Store struct {
	dir  string
	disk disk.Disk
	packList
}

// openStore returns a store of the repository at dir that passes over the packs in skip.
func openStore(dir string, d disk.Disk, skip map[string]bool) (*Store, error) {
	s := &Store{dir: dir, disk: d, packList: packList{
		folder: filepath.Join(dir, "objects", "pack"), bases: pack.NewCache(), skip: skip, packs: &packSet{},
	}}
	if err := s.rescan(); err != nil {
		return nil, err
	}
	return s, nil
}

// InitWith makes a bare repository at dir, which must not exist or be empty, and
// opens it. The repository appears under its name complete or not at all. The
// hooks stay with the store.
func InitWith(dir string, h Hooks) (*Store, error) { return initStore(dir, disk.Disk(h)) }

func initStore(dir string, d disk.Disk) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
		return nil, fmt.Errorf("%s exists and is not empty: %w", dir, fs.ErrExist)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temp, err := d.MkdirTemp(parent, filepath.Base(dir)+".tmp-*")
	if err != nil {
		return nil, err
	}
	if err := fill(temp, d); err != nil {
		os.RemoveAll(temp)
		return nil, err
	}
	// An empty directory in the way would stop a rename on some systems.
	if err := d.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		os.RemoveAll(temp)
		return nil, err
	}
	if err := d.Rename(temp, dir); err != nil {
		os.RemoveAll(temp)
		return nil, err
	}
	if err := d.SyncDir(parent); err != nil {
		return nil, err
	}
	return open(dir, d)
}

func fill(dir string, d disk.Disk) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	for _, sub := range []string{"info", "objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := d.MkdirAll(dir, filepath.Join(dir, sub)); err != nil {
			return err
		}
	}
	for _, f := range []struct{ name, content string }{
		{"config", configText()},
		{"description", "An archive of muniment. Written by muniment only; any git may read, clone and fsck it.\n"},
		{"HEAD", headText},
	} {
		if err := d.WriteFile(filepath.Join(dir, f.name), []byte(f.content), 0o644); err != nil {
			return err
		}
	}
	return d.SyncDir(dir)
}

// Open opens the repository at dir. The error is ErrNoStore when there is
// none, or when it is in a form that git has and this package does not read:
// SHA-256 names or refs in tables.
func Open(dir string) (*Store, error) { return open(dir, disk.Disk{}) }

// OpenWith is Open with hooks, which stay with the store.
func OpenWith(dir string, h Hooks) (*Store, error) { return open(dir, disk.Disk(h)) }

func open(dir string, d disk.Disk) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for _, sub := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(dir, sub)); err != nil || !st.IsDir() {
			return nil, fmt.Errorf("%s has no %s directory: %w", dir, sub, ErrNoStore)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return nil, fmt.Errorf("%s has no HEAD: %w", dir, ErrNoStore)
	}
	c, err := readConfig(filepath.Join(dir, "config"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, err, ErrNoStore)
	}
	if err := c.checkSupported(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, err, ErrNoStore)
	}
	return openStore(dir, d, nil)
}

// Close releases the files that the store holds open. Reads that are under
// way finish; later ones fail.
func (s *Store) Close() error {
	if !s.isOpen() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.replace(&packSet{})
	return nil
}

// notOpen is the folder of a store that is not open: no system opens a path with a NUL, so that the
// current folder is neither read nor written.
const notOpen = "\x00a store that is not open"

// isOpen reports whether Open or InitWith returned the store.
func (s *Store) isOpen() bool { return s != nil && s.dir != "" }

func (s *Store) path(elem ...string) string {
	dir := notOpen
	if s.isOpen() {
		dir = s.dir
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

func (s *Store) packDir() string { return s.path("objects", "pack") }
