// Package disk changes files so that tests can watch and break every step.
//
// A [Disk] does one operation of the file system a call; an archive's store
// orders those calls itself. The methods of [Hooks] are whole steps, durable
// when they return, for the files that lie beside the store:
//
//	err := disk.Hooks{}.Replace("head.json", data, 0o644)
//	err := disk.Hooks{}.Append("log", line, 0o644)
//
// Both take the hooks of a test: one is called before each operation and may
// fail it, one after each that succeeded, with what it changed. Package
// objects/powercut replays what any order of those operations may leave on a
// disk that loses power.
//
// The package also has what the standard library has not: [Map], [TryLock] and
// [BeginWriting], each of which does less, or nothing, where the system cannot.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Hooks are callbacks around every operation that changes a file, and reads of
// objects. The zero
// value has none. Everything of an archive that must outlive a power cut is
// written through Hooks: the store by the operations of a [Disk], the files
// beside the store by the methods of Hooks.
type Hooks struct {
	// Before, if set, is called before each operation, from any goroutine.
	// Its error takes the operation's place.
	Before func(op, path string) error
	// After, if set, is called after each operation that succeeded.
	After func(Operation)
	// Read, if set, is called with the name of each object that a store reads, from
	// any goroutine: a test counts by it what a command costs.
	Read func(object string)
}

// Replace writes a file so that its name always shows either the old content
// or the new, and the new once Replace has returned. A file name + ".new"
// beside it is used on the way and overwritten.
func (h Hooks) Replace(path string, data []byte, perm fs.FileMode) error {
	d := Disk(h)
	temp := path + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.WriteFile(temp, data, perm); err != nil {
		return err
	}
	if err := d.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return d.SyncDir(filepath.Dir(path))
}

// Append adds data at the end of a file, which is made if it is not there, and
// returns when it is on the disk. A crash may leave the beginning of data.
func (h Hooks) Append(path string, data []byte, perm fs.FileMode) error {
	d := Disk(h)
	f, err := OpenPlain(path, os.O_WRONLY|os.O_APPEND, 0)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		f, err = d.Create(path, perm)
	}
	if err != nil {
		return err
	}
	if _, err = d.Write(f, data); err == nil {
		err = d.Sync(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && made {
		err = d.SyncDir(filepath.Dir(path))
	}
	return err
}

// Rename moves a file or directory and returns when both directories show it
// so on the disk.
func (h Hooks) Rename(from, to string) error {
	d := Disk(h)
	if err := d.Rename(from, to); err != nil {
		return err
	}
	if err := d.SyncDir(filepath.Dir(to)); err != nil {
		return err
	}
	if filepath.Dir(from) == filepath.Dir(to) {
		return nil
	}
	return d.SyncDir(filepath.Dir(from))
}

// Mkdir makes a directory below root, and those between, so that they last.
func (h Hooks) Mkdir(root, path string) error { return Disk(h).MkdirAll(root, path) }

// MkdirTemp makes a directory with a new name; the last "*" of pattern is
// replaced. It is not made to last.
func (h Hooks) MkdirTemp(parent, pattern string) (string, error) {
	return Disk(h).MkdirTemp(parent, pattern)
}

// Remove removes a file or an empty directory, and returns when it is gone
// from the disk.
func (h Hooks) Remove(path string) error {
	if err := Disk(h).Remove(path); err != nil {
		return err
	}
	return Disk(h).SyncDir(filepath.Dir(path))
}
