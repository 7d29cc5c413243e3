// Package testvectors reads, compares and runs the files in this folder: test
// vectors, by which other implementations can check that they agree with this
// one. Only tests import the package.
//
//	func TestVectors(t *testing.T) {
//		testvectors.Generate(t, "../testvectors/jcs", vectors())
//		testvectors.Run(t, "../testvectors/jcs", 68, func(t *testing.T, v testvectors.Vector) {
//			err := parse(v.Body)
//			// compare err with v.Get("expect")
//		})
//	}
//
// Generate requires the files of a folder to be, byte for byte, the vectors that
// a test makes; `go test -update` writes the files anew. Run calls a function
// for each file of a folder and requires their number, so that an empty folder
// is a failure.
//
// # The form of a file
//
// Each folder holds the vectors of one area, one vector in each file, and beside
// them README.md at most. A file is header lines, an empty line, and the body,
// which is the rest of the file and may be any bytes:
//
//	kind: leaf
//	expect: malformed
//
//	{"index":0,…
//
// A header line is a key, a colon, a space, a value and a line feed. A key
// begins with a lower-case letter; lower-case letters, digits and underscores
// follow. A value is UTF-8 without characters below U+0020, and may be empty.
// There is at least one header line; a key may have several lines, and the order
// of the lines counts. Which keys there are, and what they mean, is up to the
// area; most have expect, from a closed set of outcomes. A vector has one defect
// at most, by which its file is named.
package testvectors

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Readme is the one file of a folder that is not a vector.
const Readme = "README.md"

var update = flag.Bool("update", false, "write the test vectors anew")

// Update reports whether the test was called with -update.
func Update() bool { return *update }

// A Line is one line of a header.
type Line struct{ Key, Value string }

// A Vector is the content of one file.
type Vector struct {
	Name   string // of the file, without its folder
	Header []Line // in the order of the file
	Body   []byte
}

// New returns a vector. The header is given as keys and values in turn.
func New(name string, body []byte, header ...string) Vector {
	v := Vector{Name: name, Body: body}
	for i := 0; i < len(header); i += 2 {
		v.Add(header[i], header[i+1])
	}
	return v
}

// Add appends a header line.
func (v *Vector) Add(key, value string) { v.Header = append(v.Header, Line{key, value}) }

// AddIf appends a header line unless its value is empty.
func (v *Vector) AddIf(key, value string) {
	if value != "" {
		v.Add(key, value)
	}
}

// Get returns the value of the first header line with a key, "" where there is
// none.
func (v Vector) Get(key string) string {
	for _, l := range v.Header {
		if l.Key == key {
			return l.Value
		}
	}
	return ""
}

// Encode returns the content of the vector's file.
func (v Vector) Encode() []byte {
	var b bytes.Buffer
	for _, l := range v.Header {
		fmt.Fprintf(&b, "%s: %s\n", l.Key, l.Value)
	}
	b.WriteByte('\n')
	b.Write(v.Body)
	return b.Bytes()
}

// Parse reads the content of a vector's file.
func Parse(name string, file []byte) (Vector, error) {
	head, body, ok := bytes.Cut(file, []byte("\n\n"))
	if !ok {
		return Vector{}, fmt.Errorf("vector %s: no empty line ends the header", name)
	}
	v := Vector{Name: name, Body: body}
	for line := range strings.SplitSeq(string(head), "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || !isKey(key) || !isValue(value) {
			return Vector{}, fmt.Errorf("vector %s: header line %q is not a key and a value", name, line)
		}
		v.Add(key, value)
	}
	return v, nil
}

// isKey reports whether s has the form of a header key.
func isKey(s string) bool {
	for i, c := range s {
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// isValue reports whether s has the form of a header value.
func isValue(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' })
}

// Read returns the vectors of a folder, sorted by name.
func Read(t testing.TB, dir string) []Vector {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []Vector
	for _, e := range entries {
		if e.Name() == Readme {
			continue
		}
		vectors = append(vectors, ReadFile(t, filepath.Join(dir, e.Name())))
	}
	if len(vectors) == 0 {
		t.Fatalf("no vectors in %s", dir)
	}
	return vectors
}

// ReadFile returns the vector in a file.
func ReadFile(t testing.TB, path string) Vector {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Parse(filepath.Base(path), data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Run calls f in a subtest for each vector of a folder, and requires the folder
// to have want vectors.
func Run(t *testing.T, dir string, want int, f func(t *testing.T, v Vector)) {
	t.Helper()
	vectors := Read(t, dir)
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) { f(t, v) })
	}
	if len(vectors) != want {
		t.Errorf("%d vectors in %s, want %d", len(vectors), dir, want)
	}
}

// Generate requires the vectors of a folder to be those in made. With -update it
// writes them first, and removes the other files but README.md.
func Generate(t *testing.T, dir string, made []Vector) {
	t.Helper()
	want, err := encodeAll(made)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := write(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range compare(dir, want) {
		t.Error(err)
	}
}

// encodeAll returns the contents of the vectors' files by name. It refuses what
// could not be read again.
func encodeAll(made []Vector) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, v := range made {
		if _, twice := files[v.Name]; twice || v.Name == "" || v.Name == Readme {
			return nil, fmt.Errorf("vector %q: the name is empty, taken or %s", v.Name, Readme)
		}
		file := v.Encode()
		again, err := Parse(v.Name, file)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(again.Header, v.Header) || !bytes.Equal(again.Body, v.Body) {
			return nil, fmt.Errorf("vector %s: its file would be read as %q", v.Name, again.Header)
		}
		files[v.Name] = file
	}
	if len(files) == 0 {
		return nil, errors.New("no vectors were made")
	}
	return files, nil
}

// write writes the files of a folder and removes its other files but README.md.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if files[e.Name()] == nil && e.Name() != Readme {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compare returns one error for each file that a folder lacks, has besides those
// in want, or has with another content.
func compare(dir string, want map[string][]byte) []error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []error{err}
	}
	var wrong []error
	missing := maps.Clone(want)
	for _, e := range entries {
		if e.Name() == Readme {
			continue
		}
		path := filepath.Join(dir, e.Name())
		delete(missing, e.Name())
		got, err := os.ReadFile(path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case want[e.Name()] == nil:
			wrong = append(wrong, fmt.Errorf("%s is made by no test", path))
		case !bytes.Equal(got, want[e.Name()]):
			wrong = append(wrong, fmt.Errorf("%s is not what the test makes; -update writes it anew. %s", path, difference(got, want[e.Name()])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		wrong = append(wrong, fmt.Errorf("%s is missing; -update writes it", filepath.Join(dir, name)))
	}
	return wrong
}

// difference describes the first line in which two files differ.
func difference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d is\n %.2000q\nand the test makes\n %.2000q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("The file has %d lines, and the test makes %d", len(a), len(b))
}
