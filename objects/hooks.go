package objects

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// An Operation is one change of the file system, or one call that makes
// changes last: create, write, chmod, sync, rename, link,
// remove, mkdir, syncdir.
type Operation struct {
	Op     string
	Path   string // for rename and link, the new name
	From   string // of a rename or link, the old name
	Offset int64  // of a write, in bytes
	Data   []byte // of a write; not to be kept
}

// Hooks stand between an archive and its disk. The zero value is the real
// disk. Everything that must outlive a power cut is written through them, in
// the store and, by the methods of Hooks, beside it: tests make single calls
// fail, and replay what each order of writing may leave.
type Hooks struct {
	// Before, if set, is called before each operation, from any goroutine.
	// Its error takes the operation's place.
	Before func(op, path string) error
	// After, if set, is called after each operation that succeeded.
	After func(Operation)
}

func (h Hooks) disk() disk { return disk{step: h.Before, after: h.After} }

// Replace writes a file so that its name always shows either the old content
// or the new, and the new once Replace has returned. A file name + ".new"
// beside it is used on the way and overwritten.
func (h Hooks) Replace(path string, data []byte, perm fs.FileMode) error {
	d := h.disk()
	temp := path + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.writeFile(temp, data, perm); err != nil {
		return err
	}
	if err := d.rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return d.syncDir(filepath.Dir(path))
}

// Append adds data at the end of a file, which is made if it is not there, and
// returns when it is on the disk. A crash may leave the beginning of data.
func (h Hooks) Append(path string, data []byte, perm fs.FileMode) error {
	d := h.disk()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		f, err = d.create(path, perm)
	}
	if err != nil {
		return err
	}
	if _, err = d.write(f, data); err == nil {
		err = d.sync(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && made {
		err = d.syncDir(filepath.Dir(path))
	}
	return err
}

// Rename moves a file or directory and returns when both directories show it
// so on the disk.
func (h Hooks) Rename(from, to string) error {
	d := h.disk()
	if err := d.rename(from, to); err != nil {
		return err
	}
	if err := d.syncDir(filepath.Dir(to)); err != nil {
		return err
	}
	if filepath.Dir(from) == filepath.Dir(to) {
		return nil
	}
	return d.syncDir(filepath.Dir(from))
}

// Mkdir makes a directory below root, and those between, so that they last.
func (h Hooks) Mkdir(root, path string) error { return h.disk().mkdirs(root, path) }

// MkdirTemp makes a directory with a new name; the last "*" of pattern is
// replaced. It is not made to last.
func (h Hooks) MkdirTemp(parent, pattern string) (string, error) {
	return h.disk().mkdirTemp(parent, pattern)
}

// Remove removes a file or an empty directory, and returns when it is gone
// from the disk.
func (h Hooks) Remove(path string) error {
	if err := h.disk().remove(path); err != nil {
		return err
	}
	return h.disk().syncDir(filepath.Dir(path))
}
