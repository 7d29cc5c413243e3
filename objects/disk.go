package objects

import (
	"io/fs"
	"os"
	"path/filepath"
)

// disk is the seam through which the store changes files. Tests set step to
// fail, or to stop the world, at any operation; its zero value is the real
// file system.
type disk struct {
	step func(op, path string) error
}

func (d disk) do(op, path string, f func() error) error {
	if d.step != nil {
		if err := d.step(op, path); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return f()
}

// create makes a file that must not exist, open for reading and writing.
func (d disk) create(path string, perm fs.FileMode) (f *os.File, err error) {
	err = d.do("create", path, func() error {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		return err
	})
	return f, err
}

// createTemp makes a file with a new name; the last "*" of pattern is replaced.
func (d disk) createTemp(dir, pattern string) (f *os.File, err error) {
	err = d.do("create", filepath.Join(dir, pattern), func() error {
		f, err = os.CreateTemp(dir, pattern)
		return err
	})
	return f, err
}

func (d disk) write(f *os.File, p []byte) (n int, err error) {
	err = d.do("write", f.Name(), func() error {
		n, err = f.Write(p)
		return err
	})
	return n, err
}

func (d disk) writeAt(f *os.File, p []byte, off int64) error {
	return d.do("write", f.Name(), func() error {
		_, err := f.WriteAt(p, off)
		return err
	})
}

func (d disk) truncate(f *os.File, size int64) error {
	return d.do("truncate", f.Name(), func() error { return f.Truncate(size) })
}

func (d disk) sync(f *os.File) error {
	return d.do("sync", f.Name(), f.Sync)
}

func (d disk) chmod(f *os.File, mode fs.FileMode) error {
	return d.do("chmod", f.Name(), func() error { return f.Chmod(mode) })
}

func (d disk) rename(from, to string) error {
	return d.do("rename", to, func() error { return os.Rename(from, to) })
}

func (d disk) remove(path string) error {
	return d.do("remove", path, func() error { return os.Remove(path) })
}

// syncDir makes the names in a directory durable.
func (d disk) syncDir(path string) error {
	return d.do("syncdir", path, func() error { return syncDir(path) })
}

// mkdirs makes a directory below root and all between, durably.
func (d disk) mkdirs(root, path string) error {
	if path == root {
		return nil
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if err := d.mkdirs(root, parent); err != nil {
		return err
	}
	err := d.do("mkdir", path, func() error { return os.Mkdir(path, 0o777) })
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
