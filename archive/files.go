package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckNewFile returns an error when a file cannot be made at path. A caller asks
// before an act that cannot be undone, such as appending to the answer log.
func CheckNewFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return Problem(TypeUsage, Advise("choose another name, or move it away first"), "%s is there already and is not replaced", Printable(path))
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil {
		return Problem(TypeUsage, Advise("make the folder first, or choose another one"), "%s cannot be written: %s: %s", Printable(path), Printable(dir), Reason(err))
	} else if !info.IsDir() {
		return Problem(TypeUsage, Advise("choose another folder"), "%s cannot be written: %s is not a folder", Printable(path), Printable(dir))
	}
	return nil
}

// WriteNew writes a file that must not exist yet. It goes through a temporary
// file, so that path never holds a part of data.
func WriteNew(path string, data []byte) error {
	if err := CheckNewFile(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".muniment-*")
	if err != nil {
		return Environment(err, "write "+path)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	return Environment(err, "write "+path)
}

// BundleError returns the *Error of a bundle whose file could not be read. An error
// about the content of the bundle passes unchanged.
func BundleError(path string, err error) error {
	var unread *fs.PathError
	switch {
	case !errors.As(err, &unread):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return Problem(TypeNotFound, Next(DoGiveBundle), "%s: %s", Printable(path), Reason(err))
	}
	return Problem(TypeEnvironment, Advise("give a file or folder that can be read"), "%s: %s", Printable(path), Reason(err))
}
