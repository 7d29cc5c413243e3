package archive

import (
	"errors"
	"os"
	"path/filepath"
)

// CheckNewFile says what is in the way of a new file: callers ask before they do
// what cannot be taken back, such as appending to the answer log.
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

// WriteNew writes a file that must not exist yet, through a temporary one, so
// that what is there is whole.
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
