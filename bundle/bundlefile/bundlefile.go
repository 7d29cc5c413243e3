// Package bundlefile reads the files that a verifier is given: a bundle as a zip
// file, as a self-contained HTML page or as an unpacked folder, the proof of a
// paragraph or of an artifact as a JSON file, and evidence of two histories. Both programs that verify,
// muniment and muniment-verify, read such files here and nowhere else.
//
//	verdict, view, err := bundlefile.Check("answer.zip", bundle.Requirements{Allowed: trusted})
//	b, err := bundlefile.Read("answer.zip") // to disclose, open, sign or render it
//
// IsProof and IsEvidence tell the forms of input apart, CheckProof verifies a proof
// and CheckEvidence evidence.
//
// The content decides what a file is, never its name:
//
//	a folder                            an unpacked bundle
//	a file that begins with {           a proof
//	a file that begins as a page does   a page, see bundle.IsPage
//	one that begins as evidence does    evidence, see evidence.Is
//	any other file                      the zip of a bundle
//
// # Limits
//
// Only folders and regular files are read: a pipe or a device cannot be read a
// second time and has no size that could be refused. A symbolic link at the path
// itself is followed; in a folder it is refused. A bundle has at most
// bundle.MaxZip bytes, a page bundle.MaxPage, a proof bundle.MaxProof, evidence
// evidence.MaxFile; a larger file is refused before more than that is read.
//
// # Errors
//
// A file that was read and is not a bundle is a *bundle.InvalidError from Read,
// and the verdict INVALID from Check. A file that could not be read is a
// *fs.PathError from every function. A file that is no proof at all is
// ErrNotProof from CheckProof.
package bundlefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"muniment/bundle/display"
	"os"
	"path/filepath"

	"muniment/bundle"
	"muniment/bundle/evidence"
)

// ErrNotProof is the error for a file that holds neither the proof of a
// paragraph nor the proof of an artifact.
var ErrNotProof = errors.New("this is no proof of a paragraph or an artifact")

// bufferSize is the number of bytes that one read asks of a file.
const bufferSize = 64 << 10

// beginSize is the number of bytes that decide what a file is.
const beginSize = 64

// An input is an open folder or file of which nothing has been read, except the
// bytes that decide what it is.
type input struct {
	*bufio.Reader // nil for a folder
	file          *os.File
	proof         bool // the file begins as JSON does
	evidence      bool // the file begins as evidence does
}

// open opens the folder or regular file at path and decides what it is. A file
// that is too large for any bundle is a *bundle.InvalidError.
func open(path string) (*input, error) {
	// A pipe is refused before it is opened: opening one waits for its writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if err := checkMode(path, info); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := newInput(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

// newInput decides what an open folder or file is.
func newInput(path string, f *os.File) (*input, error) {
	info, err := f.Stat() // again: another file may stand at path by now
	if err != nil {
		return nil, err
	}
	if err := checkMode(path, info); err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &input{file: f}, nil
	}
	if info.Size() > bundle.MaxZip {
		return nil, &bundle.InvalidError{Where: filepath.Base(path), Reason: "larger than a bundle can be"}
	}
	r := bufio.NewReaderSize(f, bufferSize)
	first, err := r.Peek(beginSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return &input{Reader: r, file: f, proof: bytes.HasPrefix(first, []byte("{")), evidence: evidence.Is(first)}, nil
}

// checkMode refuses everything but folders and regular files.
func checkMode(path string, info fs.FileInfo) error {
	if info.IsDir() || info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file or a folder")}
}

// isFolder reports whether the input is a folder.
func (in *input) isFolder() bool { return in.Reader == nil }

// IsProof reports whether the file at path begins as a proof does. The report
// is false for a file that cannot be opened.
func IsProof(path string) bool {
	in, err := open(path)
	if err != nil {
		return false
	}
	defer in.file.Close()
	return in.proof
}

// IsEvidence reports whether the file at path begins as evidence does. The report
// is false for a file that cannot be opened.
func IsEvidence(path string) bool {
	in, err := open(path)
	if err != nil {
		return false
	}
	defer in.file.Close()
	return in.evidence
}

// Read reads the bundle in a zip file, a page or a folder, and holds all of it
// in memory.
func Read(path string) (*bundle.Bundle, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.file.Close()
	if in.isFolder() {
		return bundle.ReadDir(os.DirFS(path))
	}
	return bundle.Read(in.Reader)
}

// ReadShown is Read without the content of the sealed files, for whoever shows
// the bundle and does not write it.
func ReadShown(path string) (*bundle.Bundle, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.file.Close()
	if in.isFolder() {
		return bundle.ReadShownDir(os.DirFS(path))
	}
	return bundle.ReadShown(in.Reader)
}

// Check verifies and renders the bundle in a zip file, a page or a folder; see
// bundle.Check. A malformed bundle is the verdict INVALID.
func Check(path string, q bundle.Requirements) (*bundle.Verdict, display.View, error) {
	in, err := open(path)
	var invalid *bundle.InvalidError
	switch {
	case errors.As(err, &invalid):
		return bundle.InvalidVerdict(invalid), display.View{}, nil
	case err != nil:
		return nil, display.View{}, err
	}
	defer in.file.Close()
	if in.isFolder() {
		return bundle.CheckDir(os.DirFS(path), q)
	}
	return bundle.Check(in.Reader, q)
}

// CheckProof verifies the proof of a paragraph or of an artifact in a file; see
// bundle.JudgeProof. A malformed proof is the verdict INVALID.
func CheckProof(path string, q bundle.Requirements) (*bundle.ProofVerdict, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.file.Close()
	if !in.proof {
		return nil, ErrNotProof
	}
	data, err := io.ReadAll(io.LimitReader(in, bundle.MaxProof+1))
	switch {
	case err != nil:
		return nil, err
	case !bundle.IsProof(data):
		return nil, ErrNotProof
	}
	v := bundle.JudgeProof(data, q)
	v.File = path
	return v, nil
}

// CheckEvidence verifies a file that shows two histories; see evidence.Judge.
// What is malformed is the verdict INVALID.
func CheckEvidence(path string, q bundle.Requirements) (*evidence.Verdict, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.file.Close()
	if in.isFolder() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("a folder is no evidence")}
	}
	data, err := io.ReadAll(io.LimitReader(in, evidence.MaxFile+1))
	if err != nil {
		return nil, err
	}
	v := evidence.Judge(data, q)
	v.File = path
	return v, nil
}
