package accession

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"muniment/archive"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// An Input is one file to be added and the name it will have.
type Input struct {
	Path    string // where to read it
	Name    string // relative, slash separated, valid in a record
	Encoded bool   // the name is not the path's own bytes: see record.EncodeName

	// Fetch, if set, returns the bytes, from a packed folder or the web, and Path
	// is not read.
	Fetch          func(context.Context) (Body, error)
	Facts          map[string]string // for the record
	url, fetchedAt string            // of a page from the web
	textOf         *scanLink         // the scan or recording of which it is the text, or nil
	hasText        bool              // another input is its text
	whole          *wholeFile        // it is a packed file of which other inputs are parts, or nil
	within         *wholeFile        // the packed file of which it is a part, or nil
	scrubbed       bool              // it is the copy of a web archive without secrets
}

// Body is the result of the Fetch of an Input: the bytes, or a stream of them.
type Body struct {
	Data      []byte
	stream    *stream
	MediaType string
	Facts     map[string]string
	source    record.Source
}

// listFiles returns the files below paths in a fixed order. A path that cannot be
// read is a skip, never an error: one bad input does not stop the rest.
func listFiles(archiveDir string, paths []string) (inputs []Input, skips []Skip, left []LeftOut) {
	leave := func(file, what string) {
		left = append(left, LeftOut{Path: legible.Printable(file), What: what})
	}
	seen := map[string]bool{}
	take := func(file, name string) {
		if len(paths) > 1 { // one walk meets no file twice
			if seen[file] {
				return
			}
			seen[file] = true
		}
		clean, encoded := record.EncodeName(name)
		inputs = append(inputs, Input{Path: file, Name: clean, Encoded: encoded})
	}
	skip := func(file, reason string) {
		skips = append(skips, Skip{Path: legible.Printable(file), Reason: reason})
	}
	for _, p := range paths {
		if p == "" { // Clean would make it the current folder
			skip("(empty path)", "no file is named by an empty path")
			continue
		}
		root := filepath.Clean(p)
		base := nameBase(root)
		filled := map[string]bool{} // folders in which something lies
		var folders []string
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				skip(file, legible.Reason(err))
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			filled[filepath.Dir(file)] = true
			if d.IsDir() {
				if isArchiveFolder(archiveDir, file) {
					if file == root {
						skip(file, "a part of this archive itself")
					}
					return fs.SkipDir
				}
				if d.Name() == ".git" && file != root {
					leave(file, "a .git folder")
					return fs.SkipDir
				}
				folders = append(folders, file)
				return nil
			}
			if reason := unfitReason(file, d, file == root); reason != "" {
				if file != root {
					leave(file, kindWords(d.Type()))
				}
				skip(file, reason)
				return nil
			}
			take(file, nameBelow(root, base, file))
			return nil
		})
		if err != nil {
			skip(p, legible.Reason(err))
		}
		for _, folder := range folders {
			if !filled[folder] {
				leave(folder, "an empty folder")
			}
		}
	}
	return inputs, skips, left
}

// unfitReason returns why an entry of a walk is no file to take in, "" for one that is.
// A link that was named is followed; links met on the way are not.
func unfitReason(file string, d fs.DirEntry, named bool) string {
	switch {
	case d.Type()&fs.ModeSymlink == 0 && d.Type().IsRegular():
		return ""
	case d.Type()&fs.ModeSymlink == 0:
		return "not a regular file but " + kindWords(d.Type())
	case !named:
		return "a symbolic link; name it to follow it"
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "a symbolic link to nothing"
	case err != nil:
		return legible.Reason(err)
	case info.IsDir():
		return "a symbolic link to a folder; name the folder itself"
	case !info.Mode().IsRegular():
		return "not a regular file but " + kindWords(info.Mode())
	}
	return ""
}

// kindWords returns the name of the kind of a file that is not a regular one.
func kindWords(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// isArchiveFolder reports whether dir is a part of the archive itself.
func isArchiveFolder(archiveDir, dir string) bool {
	name := filepath.Base(dir)
	if name != archive.StoreDir && name != archive.LocalDir {
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

// nameBelow returns the name of a file that a walk met at or below root, whose
// names begin with base. Both paths are clean, and root is a prefix of file.
func nameBelow(root, base, file string) string {
	rel := file
	if root != "." {
		rel = strings.TrimPrefix(strings.TrimPrefix(file, root), string(filepath.Separator))
	}
	switch rel = filepath.ToSlash(rel); {
	case rel == "":
		return base
	case base == "":
		return rel
	}
	return base + "/" + rel
}

// readStable reads a whole file and requires that it is the same file, of the
// same size and time, after the reading as before; it tries twice. A file above
// maxRead is left to be read as a stream. wait is called with the size before
// the bytes are read.
func readStable(file string, wait func(size int64)) (Body, error) {
	for try := 0; ; try++ {
		got, err := readOnce(file, wait)
		if err == nil || try == 1 || !errors.Is(err, errChanged) {
			return got, err
		}
	}
}

// readOnce reads a file as readStable does, without a second try.
func readOnce(file string, wait func(size int64)) (Body, error) {
	f, err := openFile(file)
	if err != nil {
		return Body{}, err
	}
	before, err := f.Stat()
	switch {
	case err != nil:
	case !before.Mode().IsRegular():
		err = errors.New("not a regular file")
	case before.Size() == 0:
		err = errEmpty
	}
	if err != nil {
		f.Close()
		return Body{}, err
	}
	s := &stream{ReadCloser: f, size: before.Size(), at: f, checkUnchanged: func(n int64) error {
		after, err := os.Stat(file)
		if err == nil && (n != before.Size() || after.Size() != n || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after)) {
			err = errChanged
		}
		return err
	}}
	wait(s.size)
	if s.size > maxRead {
		return Body{stream: s}, nil
	}
	defer f.Close()
	data := make([]byte, s.size)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Body{}, err
	}
	return Body{Data: data[:n]}, s.checkUnchanged(int64(n))
}
