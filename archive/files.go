package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive/problem"
	"muniment/text/legible"
)

// CheckNewFile returns an error when a file cannot be made at path. A caller asks
// before an act that cannot be undone, such as appending to the answer log.
func CheckNewFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return problem.New(problem.Usage, problem.Advise("choose another name, or move it away first"), "%s is there already and is not replaced", legible.Printable(path))
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil {
		return problem.New(problem.Usage, problem.Advise("make the folder first, or choose another one"), "%s cannot be written: %s: %s", legible.Printable(path), legible.Printable(dir), legible.Reason(err))
	} else if !info.IsDir() {
		return problem.New(problem.Usage, problem.Advise("choose another folder"), "%s cannot be written: %s is not a folder", legible.Printable(path), legible.Printable(dir))
	}
	return nil
}

// A NewFile is a file that is to be written and must not exist yet.
type NewFile struct {
	Path    string
	Private bool // only its owner may read it; else everybody
}

// Modes of the files and folders that are written for others, and of private ones.
const (
	sharedFile, sharedFolder   fs.FileMode = 0o644, 0o755
	privateFile, privateFolder fs.FileMode = 0o600, 0o700
)

// FileModes returns the modes of a file and of a folder: for everybody to read, or
// private.
func FileModes(private bool) (file, folder fs.FileMode) {
	if private {
		return privateFile, privateFolder
	}
	return sharedFile, sharedFolder
}

// Write writes the file. It goes through a temporary file, so that the path never
// holds a part of data.
func (n NewFile) Write(data []byte) error {
	if err := CheckNewFile(n.Path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(n.Path), ".muniment-*")
	if err != nil {
		return problem.Wrap(err, "write "+n.Path)
	}
	defer os.Remove(f.Name())
	mode, _ := FileModes(n.Private)
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), n.Path)
	}
	return problem.Wrap(err, "write "+n.Path)
}

// BundleError returns the *Error of a bundle whose file could not be read. An error
// about the content of the bundle passes unchanged.
func BundleError(path string, err error) error {
	var unread *fs.PathError
	switch {
	case !errors.As(err, &unread):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return problem.New(problem.NotFound, problem.Advise("give the file of a bundle, or its unpacked folder"), "%s: %s", legible.Printable(path), legible.Reason(err))
	}
	return problem.New(problem.Environment, problem.Advise("give a file or folder that can be read"), "%s: %s", legible.Printable(path), legible.Reason(err))
}
