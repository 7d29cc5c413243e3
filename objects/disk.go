package objects

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is the seam through which the store changes files. Tests set step to
// fail, or to stop the world, at any operation, and after to record it; its
// zero value is the real file system.
type disk struct {
	step  func(op, path string) error
	after func(Operation)
}

func (d disk) do(op, path string, f func() error) error {
	if d.step != nil {
		if err := d.step(op, path); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return f()
}

// done tells of an operation that succeeded.
func (d disk) done(op Operation, err error) {
	if d.after != nil && err == nil {
		d.after(op)
	}
}

// create makes a file that must not exist, open for reading and writing.
func (d disk) create(path string, perm fs.FileMode) (f *os.File, err error) {
	err = d.do("create", path, func() error {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		return err
	})
	d.done(Operation{Op: "create", Path: path}, err)
	return f, err
}

// createTemp makes a file with a new name; the last "*" of pattern is replaced.
func (d disk) createTemp(dir, pattern string) (f *os.File, err error) {
	err = d.do("create", filepath.Join(dir, pattern), func() error {
		f, err = os.CreateTemp(dir, pattern)
		return err
	})
	if err == nil {
		d.done(Operation{Op: "create", Path: f.Name()}, nil)
	}
	return f, err
}

func (d disk) write(f *os.File, p []byte) (n int, err error) {
	err = d.do("write", f.Name(), func() error {
		n, err = f.Write(p)
		return err
	})
	if d.after != nil && n > 0 {
		// Where it went: a file open for appending shows it only afterwards.
		if end, e := f.Seek(0, io.SeekCurrent); e == nil {
			d.after(Operation{Op: "write", Path: f.Name(), Offset: end - int64(n), Data: p[:n]})
		}
	}
	return n, err
}

func (d disk) writeAt(f *os.File, p []byte, off int64) error {
	err := d.do("write", f.Name(), func() error {
		_, err := f.WriteAt(p, off)
		return err
	})
	d.done(Operation{Op: "write", Path: f.Name(), Offset: off, Data: p}, err)
	return err
}

func (d disk) truncate(f *os.File, size int64) error {
	return d.do("truncate", f.Name(), func() error { return f.Truncate(size) })
}

func (d disk) sync(f *os.File) error {
	err := d.do("sync", f.Name(), f.Sync)
	d.done(Operation{Op: "sync", Path: f.Name()}, err)
	return err
}

func (d disk) chmod(f *os.File, mode fs.FileMode) error {
	return d.do("chmod", f.Name(), func() error { return f.Chmod(mode) })
}

func (d disk) rename(from, to string) error {
	err := d.do("rename", to, func() error { return os.Rename(from, to) })
	d.done(Operation{Op: "rename", From: from, Path: to}, err)
	return err
}

// link gives a file a second name.
func (d disk) link(from, to string) error {
	err := d.do("link", to, func() error { return os.Link(from, to) })
	d.done(Operation{Op: "link", From: from, Path: to}, err)
	return err
}

func (d disk) remove(path string) error {
	err := d.do("remove", path, func() error { return os.Remove(path) })
	d.done(Operation{Op: "remove", Path: path}, err)
	return err
}

// syncDir makes the names in a directory durable.
func (d disk) syncDir(path string) error {
	err := d.do("syncdir", path, func() error { return syncDir(path) })
	d.done(Operation{Op: "syncdir", Path: path}, err)
	return err
}

// mkdirTemp makes a directory with a new name.
func (d disk) mkdirTemp(parent, pattern string) (path string, err error) {
	err = d.do("mkdir", filepath.Join(parent, pattern), func() error {
		path, err = os.MkdirTemp(parent, pattern)
		return err
	})
	d.done(Operation{Op: "mkdir", Path: path}, err)
	return path, err
}

// mkdirs makes a directory below root and all between, durably.
func (d disk) mkdirs(root, path string) error {
	if path == root {
		return nil
	}
	parent := filepath.Dir(path)
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		// An empty one may come from a process that ended before it could
		// make the name last.
		if names, err := os.ReadDir(path); err == nil && len(names) == 0 {
			return d.syncDir(parent)
		}
		return nil
	}
	if err := d.mkdirs(root, parent); err != nil {
		return err
	}
	err := d.do("mkdir", path, func() error { return os.Mkdir(path, 0o777) })
	d.done(Operation{Op: "mkdir", Path: path}, err)
	if err != nil && !os.IsExist(err) {
		return err
	}
	return d.syncDir(parent)
}

// writeFile makes a new file with the given content and syncs it, unless it is
// empty and only its name matters. A file that could not be finished is removed.
func (d disk) writeFile(path string, content []byte, perm fs.FileMode) error {
	f, err := d.create(path, perm)
	if err != nil {
		return err
	}
	if len(content) > 0 {
		if _, err = d.write(f, content); err == nil {
			err = d.sync(f)
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		d.remove(path)
	}
	return err
}
