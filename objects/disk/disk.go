package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Disk changes files, one operation a call. The zero value is the real file
// system; its fields are those of [Hooks]. Nothing outlives a power cut before
// Sync of the file and SyncDir of its directory have returned.
type Disk Hooks

// An Operation is one change of the file system, or one call that makes
// changes last: create, write, chmod, sync, rename, link, remove, mkdir,
// syncdir.
type Operation struct {
	Op     string
	Path   string // for rename and link, the new name
	From   string // of a rename or link, the old name
	Offset int64  // of a write, in bytes
	Data   []byte // of a write; valid only during the call
}

// do runs f, unless the hook before the operation gives an error.
func (d Disk) do(op, path string, f func() error) error {
	if d.Before != nil {
		if err := d.Before(op, path); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return f()
}

// done reports an operation that succeeded to the hook after it.
func (d Disk) done(op Operation, err error) {
	if d.After != nil && err == nil {
		d.After(op)
	}
}

// Create makes a file that must not exist, open for reading and writing.
func (d Disk) Create(path string, perm fs.FileMode) (f *os.File, err error) {
	err = d.do("create", path, func() error {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		return err
	})
	d.done(Operation{Op: "create", Path: path}, err)
	return f, err
}

// CreateTemp makes a file with a new name; the last "*" of pattern is replaced.
func (d Disk) CreateTemp(dir, pattern string) (f *os.File, err error) {
	err = d.do("create", filepath.Join(dir, pattern), func() error {
		f, err = os.CreateTemp(dir, pattern)
		return err
	})
	if err == nil {
		d.done(Operation{Op: "create", Path: f.Name()}, nil)
	}
	return f, err
}

// Write appends p at the position of f.
func (d Disk) Write(f *os.File, p []byte) (n int, err error) {
	err = d.do("write", f.Name(), func() error {
		n, err = f.Write(p)
		return err
	})
	if d.After != nil && n > 0 {
		// A file open for appending shows only afterwards where p was written.
		if end, e := f.Seek(0, io.SeekCurrent); e == nil {
			d.After(Operation{Op: "write", Path: f.Name(), Offset: end - int64(n), Data: p[:n]})
		}
	}
	return n, err
}

// Writer returns a writer that appends to f as Write does.
func (d Disk) Writer(f *os.File) io.Writer { return fileWriter{d, f} }

type fileWriter struct {
	disk Disk
	file *os.File
}

func (w fileWriter) Write(p []byte) (int, error) { return w.disk.Write(w.file, p) }

// WriteAt writes p at an offset of f.
func (d Disk) WriteAt(f *os.File, p []byte, off int64) error {
	err := d.do("write", f.Name(), func() error {
		_, err := f.WriteAt(p, off)
		return err
	})
	d.done(Operation{Op: "write", Path: f.Name(), Offset: off, Data: p}, err)
	return err
}

// Truncate cuts f to size bytes.
func (d Disk) Truncate(f *os.File, size int64) error {
	return d.do("truncate", f.Name(), func() error { return f.Truncate(size) })
}

// Sync makes the content of f last.
func (d Disk) Sync(f *os.File) error {
	err := d.do("sync", f.Name(), f.Sync)
	d.done(Operation{Op: "sync", Path: f.Name()}, err)
	return err
}

// Chmod sets the permissions of f.
func (d Disk) Chmod(f *os.File, mode fs.FileMode) error {
	return d.do("chmod", f.Name(), func() error { return f.Chmod(mode) })
}

// Rename moves a file or directory, in place of what has the new name.
func (d Disk) Rename(from, to string) error {
	err := d.do("rename", to, func() error { return os.Rename(from, to) })
	d.done(Operation{Op: "rename", From: from, Path: to}, err)
	return err
}

// Link gives a file a second name.
func (d Disk) Link(from, to string) error {
	err := d.do("link", to, func() error { return os.Link(from, to) })
	d.done(Operation{Op: "link", From: from, Path: to}, err)
	return err
}

// Remove removes a file or an empty directory.
func (d Disk) Remove(path string) error {
	err := d.do("remove", path, func() error { return os.Remove(path) })
	d.done(Operation{Op: "remove", Path: path}, err)
	return err
}

// SyncDir makes the names in a directory last.
func (d Disk) SyncDir(path string) error {
	err := d.do("syncdir", path, func() error { return syncDir(path) })
	d.done(Operation{Op: "syncdir", Path: path}, err)
	return err
}

// MkdirTemp makes a directory with a new name.
func (d Disk) MkdirTemp(parent, pattern string) (path string, err error) {
	err = d.do("mkdir", filepath.Join(parent, pattern), func() error {
		path, err = os.MkdirTemp(parent, pattern)
		return err
	})
	d.done(Operation{Op: "mkdir", Path: path}, err)
	return path, err
}

// MkdirAll makes a directory below root, and those between, so that they last.
func (d Disk) MkdirAll(root, path string) error {
	if path == root {
		return nil
	}
	parent := filepath.Dir(path)
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		// An empty one may come from a process that ended before it could
		// make the name last.
		if names, err := os.ReadDir(path); err == nil && len(names) == 0 {
			return d.SyncDir(parent)
		}
		return nil
	}
	if err := d.MkdirAll(root, parent); err != nil {
		return err
	}
	err := d.do("mkdir", path, func() error { return os.Mkdir(path, 0o777) })
	d.done(Operation{Op: "mkdir", Path: path}, err)
	if err != nil && !os.IsExist(err) {
		return err
	}
	return d.SyncDir(parent)
}

// WriteFile makes a new file with the given content and syncs the file, unless
// it is empty and only its name matters. A file that could not be finished is
// removed.
func (d Disk) WriteFile(path string, content []byte, perm fs.FileMode) error {
	f, err := d.Create(path, perm)
	if err != nil {
		return err
	}
	if len(content) > 0 {
		if _, err = d.Write(f, content); err == nil {
			err = d.Sync(f)
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		d.Remove(path)
	}
	return err
}
