package bagit

import (
	"archive/zip"
	"bytes"
	"context"
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
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/bagit"

// made returns the vector's file: in its header what a validation found, in its
// body the bag.
func (v vector) made(t *testing.T) testvectors.Vector {
	t.Helper()
	r, err := Validate(context.Background(), v.bag.mapFS(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := testvectors.New(v.name, v.bag.encode(), "expect", string(r.Verdict()), "complete", strconv.FormatBool(r.Complete), "valid", strconv.FormatBool(r.Valid),
		"files", fmt.Sprintf("%d ok, %d failed, %d absent, %d not checked", r.OK, r.Failed, r.Absent, r.NotChecked))
	for _, p := range r.Problems {
		out.Add("problem", fmt.Sprintf("%s: %q: %s", p.State, p.Path, strconv.Quote(p.Reason)))
	}
	return out
}

// parse reads the bag in the body of a vector.
func parse(body []byte) (bag, error) {
	b := bag{}
	for len(body) > 0 {
		line, after, _ := bytes.Cut(body, []byte("\n"))
		var path string
		var n int
		if _, err := fmt.Sscanf(string(line), "-- %q %d --", &path, &n); err != nil || n+1 > len(after) {
			return nil, fmt.Errorf("%q: %v", line, err)
		}
		b[path], body = string(after[:n]), after[n+1:]
	}
	return b, nil
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
	table := map[string]vector{}
	var made []testvectors.Vector
	for _, v := range vectors() {
		table[v.name] = v
		made = append(made, v.made(t))
	}
	testvectors.Generate(t, vectorDir, made)
	packed := 0
	testvectors.Run(t, vectorDir, 121, func(t *testing.T, v testvectors.Vector) {
		b, err := parse(v.Body)
		if err != nil {
			t.Fatal(err)
		}
		if checkBag(t, b, table[v.Name]) {
			packed++
		}
	})
	if want := len(table) - 4; packed != want {
		t.Errorf("%d vectors packed, want %d", packed, want)
	}
}

// checkBag validates a bag in memory, in a folder and packed, and reports
// whether a zip can hold it.
func checkBag(t *testing.T, b bag, want vector) (packed bool) {
	if d := cmp.Diff(want.bag, b); d != "" {
		t.Errorf("the file is not of the table: %s", d)
	}
	memory, err := Validate(context.Background(), b.mapFS(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if memory.Verdict() != want.expect || memory.Valid != (want.expect == OK) {
		t.Errorf("verdict %s, valid %t, want %s: %v", memory.Verdict(), memory.Valid, want.expect, memory.Problems)
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
			return false
		}
	}
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
	return true
}
