package muniment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"muniment/record"
)

// maxWhole is the largest input taken whole. Payloads above it are to be kept
// as content-defined chunks, which this version does not write.
const maxWhole = 8 << 20

// An input is one file to be added and the name it will have.
type input struct {
	path    string // where to read it
	name    string // relative, slash separated, valid in a record
	encoded bool   // the name is not the path's own bytes: see record.EncodeName

	// fetch, if set, gets the bytes in the place of reading path: from a packed
	// folder or the web. The rest is what came with them.
	fetch  func(context.Context) (fetched, error)
	facts  map[string]string
	source record.Source
}

// fetched is what an input's fetch brought.
type fetched struct {
	data      []byte
	mediaType string
	facts     map[string]string
	source    record.Source
}

// gather lists the files below paths in a fixed order. A path that cannot be
// read is a skip, never an error: one bad input does not stop the rest.
func gather(archiveDir string, paths []string) (inputs []input, skips []Skip) {
	seen := map[string]bool{}
	take := func(file, name string) {
		if seen[file] {
			return
		}
		seen[file] = true
		clean, encoded := record.EncodeName(name)
		inputs = append(inputs, input{path: file, name: clean, encoded: encoded})
	}
	skip := func(file, reason string) {
		skips = append(skips, Skip{Path: printable(file), Reason: reason})
	}
	for _, p := range paths {
		if p == "" { // Clean would make it the current folder
			skip("(empty path)", "no file is named by an empty path")
			continue
		}
		root := filepath.Clean(p)
		base := nameBase(root)
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				skip(file, reason(err))
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if d.IsDir() {
				if own(archiveDir, file) {
					if file == root {
						skip(file, "a part of this archive itself")
					}
					return fs.SkipDir
				}
				if d.Name() == ".git" && file != root {
					return fs.SkipDir
				}
				return nil
			}
			if file == root && d.Type()&fs.ModeSymlink != 0 {
				// A link that was named is followed; links met on the way are not.
				info, err := os.Stat(file)
				if errors.Is(err, fs.ErrNotExist) {
					skip(file, "a symbolic link to nothing")
					return nil
				}
				if err != nil {
					skip(file, reason(err))
					return nil
				}
				if info.IsDir() {
					skip(file, "a symbolic link to a folder; name the folder itself")
					return nil
				}
				if !info.Mode().IsRegular() {
					skip(file, "not a regular file")
					return nil
				}
			} else if d.Type()&fs.ModeSymlink != 0 {
				skip(file, "a symbolic link; name it to follow it")
				return nil
			} else if !d.Type().IsRegular() {
				skip(file, "not a regular file")
				return nil
			}
			rel, err := filepath.Rel(root, file)
			if err != nil {
				rel = filepath.Base(file)
			}
			take(file, path.Join(base, filepath.ToSlash(rel)))
			return nil
		})
		if err != nil {
			skip(p, reason(err))
		}
	}
	return inputs, skips
}

// own reports whether dir is a part of the archive itself.
func own(archiveDir, dir string) bool {
	name := filepath.Base(dir)
	if name != StoreDir && name != LocalDir {
		return false
	}
	a, errA := filepath.Abs(filepath.Join(archiveDir, name))
	b, errB := filepath.Abs(dir)
	return errA == nil && errB == nil && a == b
}

// nameBase returns the first part of the names below root: the path as it was
// given where that is relative and stays inside, else its last element.
func nameBase(root string) string {
	s := filepath.ToSlash(root)
	if filepath.IsAbs(root) || s == ".." || strings.HasPrefix(s, "../") {
		s = path.Base(s)
	}
	if s == "." || s == ".." || s == "/" {
		return ""
	}
	return s
}

// printable makes a path safe to show on a terminal and in JSON.
func printable(p string) string {
	clean, _ := record.EncodeName(p)
	return clean
}

// reason says in a few words why a file could not be read.
func reason(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}

// errEmpty is the reason of a file without bytes.
var errEmpty = errors.New("an empty file: there is nothing to keep")

// errChanged is the reason of a file that did not hold still.
var errChanged = errors.New("changed while it was read")

// readStill reads a whole file and requires that it is the same file, of the
// same size and time, after the reading as before; it tries twice.
func readStill(file string) ([]byte, error) {
	for try := 0; ; try++ {
		data, err := readOnce(file)
		if err == nil || try == 1 || !errors.Is(err, errChanged) {
			return data, err
		}
	}
}

func readOnce(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case !before.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case before.Size() == 0:
		return nil, errEmpty
	case before.Size() > maxWhole:
		return nil, fmt.Errorf("%d bytes: payloads above %d bytes are not taken by this version", before.Size(), maxWhole)
	}
	data := make([]byte, before.Size()+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	after, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if int64(n) != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after) {
		return nil, errChanged
	}
	return data[:n], nil
}
