package archive

import (
	"errors"
	"io/fs"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
)

// ReadBundle reads a bundle from a zip file, a page or an unpacked folder. The
// error is a problem, or a *bundle.InvalidError.
func ReadBundle(path string) (*bundle.Bundle, error) {
	b, err := bundlefile.Read(path)
	return b, BundleError(path, err)
}

// BundleError returns the problem of a bundle that could not be read. An error
// that says what is wrong with its content stays as it is.
func BundleError(path string, err error) error {
	var invalid *bundle.InvalidError
	switch {
	case err == nil, errors.As(err, &invalid):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return Problem(TypeNotFound, Next(DoGiveBundle), "%s: %s", Printable(path), Reason(err))
	}
	return Problem(TypeEnvironment, Advise("give a file or folder that can be read"), "%s: %s", Printable(path), Reason(err))
}

// ReadValidBundle is ReadBundle for commands that need a well-formed one.
func ReadValidBundle(path string) (*bundle.Bundle, error) {
	b, err := ReadBundle(path)
	var invalid *bundle.InvalidError
	if errors.As(err, &invalid) {
		return nil, Problem(TypeInvalidBundle, Next(DoVerifyBundle).With("ask its sender for another copy"), "%s is not a bundle: %w", Printable(path), err)
	}
	return b, err
}
