package disk

// This file opens files that somebody else may have put in place: those that a flag names, and those of an archive's
// folder that came from a stranger.
//
//	data, err := disk.ReadPlain("trust.txt", 1<<20)                 // named by a person; a link is followed
//	f, err := disk.OpenPlain(path, os.O_WRONLY|os.O_APPEND, 0o600) // of an archive; a link is refused
//	err := disk.CheckFolder("letters/archive.local")
//
// Only regular files are opened: a pipe would be waited for, a device may have no end, and opening some devices does
// something. No file is read beyond the limit that its reader names, so that a file which is all hole costs no memory.
//
// OpenPlain refuses a symbolic link as the last part of a path, with O_NOFOLLOW where the system has it. Links among the
// folders above are found by CheckFolder, which an archive's folder passes before anything in it is opened.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotRegular is the error for a link, pipe, device or folder instead of a file.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge is the error for a file with more bytes than its reader takes.
var ErrTooLarge = errors.New("too large")

// ReadPlain returns the content of the file that a person named. A link is followed. A
// file that is no regular one is ErrNotRegular, one of more than most bytes
// ErrTooLarge, each in a *fs.PathError.
func ReadPlain(path string, most int64) ([]byte, error) {
	f, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// OpenNamed opens the file that a person named, to be read as a stream. A link is
// followed; a file that is no regular one is ErrNotRegular in a *fs.PathError.
func OpenNamed(path string) (*os.File, error) { return open(path, os.O_RDONLY, 0) }

// ReadOwnPlain is Read for a file of an archive's folder: a link is refused.
func ReadOwnPlain(path string, most int64) ([]byte, error) {
	f, err := OpenPlain(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// readAll returns the rest of a file of at most most bytes.
func readAll(f *os.File, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// OpenPlain opens a file of an archive's folder, as os.OpenFile does, and refuses a
// link and everything else that is no regular file.
func OpenPlain(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: describe(info.Mode())}
	}
	return open(path, flag|noFollow, perm)
}

// open opens a regular file. A pipe is not waited for.
func open(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: describe(info.Mode())}
	}
	f, err := os.OpenFile(path, flag|noWait, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat() // again: another file may stand at path by now
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: describe(info.Mode())}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// describe returns ErrNotRegular with the word for what is there.
func describe(m fs.FileMode) error {
	what := "a device"
	switch {
	case m.IsDir():
		what = "a folder"
	case m&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case m&fs.ModeSocket != 0:
		what = "a socket"
	}
	return fmt.Errorf("%w but %s", ErrNotRegular, what)
}

// WritePlain makes or replaces the content of a file of an archive's folder. A link is
// refused.
func WritePlain(path string, data []byte, perm fs.FileMode) error {
	f, err := OpenPlain(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// packDir ends the folders in which a store of git keeps its packs. On file
// systems without hard links, a quarantine has links to packs there.
var packDir = filepath.Join("objects", "pack")

// CheckFolder returns an error for the first link, pipe, device or socket at or
// below dir; a folder that is not there has none. In the folder of packs a link
// to a regular file is let pass: packs are made under new names and never
// written to.
func CheckFolder(dir string) error {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && (e.IsDir() || e.Type().IsRegular()):
			return nil // one that is gone by now was another process's
		case err != nil:
			return err
		case e.Type() == fs.ModeSymlink && strings.HasSuffix(filepath.Dir(path), packDir) && path != dir:
			if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
				return nil
			}
		}
		return &fs.PathError{Op: "open", Path: path, Err: describe(e.Type())}
	})
	return err
}

// A Folder is a file system of the regular files below a path, for a reader of
// single files that bounds what it reads.
type Folder string

// OpenPlain implements fs.FS.
func (f Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return open(filepath.Join(string(f), filepath.FromSlash(name)), os.O_RDONLY, 0)
}
