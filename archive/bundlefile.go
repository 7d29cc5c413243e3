package archive

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"muniment/bundle"
)

// maxBundle is the largest bundle file that is read: the limit of the format.
const maxBundle = bundle.MaxZip

// ReadBundle reads a bundle from a zip file, a page or an unpacked folder.
func ReadBundle(path string) (*bundle.Bundle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, Problem(TypeNotFound, ExitUsage, "give the file that ask --bundle wrote, or its unpacked folder", "%s: %s", Printable(path), Reason(err))
	}
	if info.IsDir() {
		b, err := bundle.ReadDir(os.DirFS(path))
		var invalid *bundle.InvalidError
		if err != nil && !errors.As(err, &invalid) {
			return nil, Problem(TypeEnvironment, ExitEnvironment, "check the permissions in that folder", "%s: %s", Printable(path), Reason(err))
		}
		return b, err
	}
	if info.Size() > maxBundle {
		return nil, &bundle.InvalidError{Where: filepath.Base(path), Reason: "larger than a bundle can be"}
	}
	data, err := readBounded(path)
	if err != nil {
		return nil, Problem(TypeEnvironment, ExitEnvironment, "check the file's permissions", "%s: %s", Printable(path), Reason(err))
	}
	return bundle.Read(data)
}

// readBounded reads a file, or a pipe or device that says no size, up to one
// byte more than a bundle can have.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBundle+1))
}

// StrictBundle is readBundle for commands that need a well-formed one.
func StrictBundle(path string) (*bundle.Bundle, error) {
	b, err := ReadBundle(path)
	var invalid *bundle.InvalidError
	if errors.As(err, &invalid) {
		return nil, Problem(TypeInvalidBundle, ExitNo, "muniment verify says what is wrong with it; ask its sender for another copy", "%s is not a bundle: %w", Printable(path), err)
	}
	return b, err
}
