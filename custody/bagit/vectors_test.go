package bagit

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"muniment/accession/container"
)

var update = flag.Bool("update", false, "write testvectors/bagit anew")

const (
	vectorDir = "../../testvectors/bagit"
	readme    = "README.md"
)

// head writes what a validation found as the first part of a vector's file.
func head(r *Report) []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "expect: %s\ncomplete: %t\nvalid: %t\nfiles: %d ok, %d failed, %d absent, %d not checked\n",
		r.Verdict(), r.Complete, r.Valid, r.OK, r.Failed, r.Absent, r.NotChecked)
	for _, p := range r.Problems {
		fmt.Fprintf(&w, "problem: %s: %q: %s\n", p.State, p.Path, strconv.Quote(p.Reason))
	}
	return append(w.Bytes(), '\n')
}

// parse reads the files of a bag from a vector's file.
func parse(data []byte) (head []byte, b bag, err error) {
	h, rest, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		return nil, nil, fmt.Errorf("no blank line behind the head")
	}
	b = bag{}
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		var path string
		var n int
		if _, err := fmt.Sscanf(string(line), "-- %q %d --", &path, &n); err != nil || n+1 > len(after) {
			return nil, nil, fmt.Errorf("%q: %v", line, err)
		}
		b[path], rest = string(after[:n]), after[n+1:]
	}
	return append(h, '\n', '\n'), b, nil
}

// mapFS is the bag in memory.
func (b bag) mapFS() fstest.MapFS {
	m := fstest.MapFS{}
	for path, body := range b {
		if link, ok := strings.CutPrefix(path, "link "); ok {
			m[link] = &fstest.MapFile{Data: []byte(body), Mode: fs.ModeSymlink | 0o777}
		} else if folder, ok := strings.CutSuffix(path, "/"); ok {
			m[folder] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			m[path] = &fstest.MapFile{Data: []byte(body), Mode: 0o644}
		}
	}
	return m
}

// lay writes the bag to a folder.
func (b bag) lay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, body := range b {
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(path, "link ")))
		err := os.MkdirAll(filepath.Dir(name), 0o700)
		switch {
		case err != nil:
		case strings.HasPrefix(path, "link "):
			err = os.Symlink(body, name)
		case strings.HasSuffix(path, "/"):
			err = os.MkdirAll(name, 0o700)
		default:
			err = os.WriteFile(name, []byte(body), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pack writes the bag to a zip, in a folder of its own.
func (b bag) pack(t *testing.T) []byte {
	t.Helper()
	var w bytes.Buffer
	z := zip.NewWriter(&w)
	for path, body := range b {
		f, err := z.Create("bag/" + path)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(body))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// Every vector is found to be exactly what its file says, in memory, in a
// folder and, where a zip can hold it, packed.
func TestVectors(t *testing.T) {
	table := vectors()
	if want := 121; len(table) != want {
		t.Errorf("%d vectors, want %d", len(table), want)
	}
	if *update {
		old, err := filepath.Glob(filepath.Join(vectorDir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range old {
			if filepath.Base(f) != readme {
				os.Remove(f)
			}
		}
	}
	packed := 0
	for _, v := range table {
		t.Run(v.name, func(t *testing.T) {
			memory, err := Validate(context.Background(), v.bag.mapFS(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if memory.Verdict() != v.expect || memory.Valid != (v.expect == OK) {
				t.Errorf("verdict %s, valid %t, want %s: %v", memory.Verdict(), memory.Valid, v.expect, memory.Problems)
			}
			path := filepath.Join(vectorDir, v.name)
			if *update {
				if err := os.WriteFile(path, append(head(memory), v.bag.encode()...), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, b, err := parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(v.bag, b); d != "" {
				t.Errorf("the file is not of the table: %s", d)
			}
			if d := cmp.Diff(string(want), string(head(memory))); d != "" {
				t.Error(d)
			}
			folder, err := ValidateDir(context.Background(), b.lay(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			same := cmpopts.IgnoreUnexported(Problem{})
			if d := cmp.Diff(memory, folder, same); d != "" {
				t.Errorf("in a folder: %s", d)
			}
			for name := range b {
				if strings.HasPrefix(name, "link ") || strings.HasSuffix(name, "/") {
					return
				}
			}
			packed++
			z := b.pack(t)
			r, err := container.New(context.Background(), bytes.NewReader(z), int64(len(z)))
			if err != nil {
				t.Fatal(err)
			}
			zipped, err := ValidateContainer(context.Background(), r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(memory, zipped, same); d != "" {
				t.Errorf("packed: %s", d)
			}
		})
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil || len(files) != len(table)+1 {
		t.Errorf("%d files in %s, want %d and %s: %v", len(files), vectorDir, len(table), readme, err)
	}
	if want := len(table) - 4; packed != want {
		t.Errorf("%d vectors packed, want %d", packed, want)
	}
}
