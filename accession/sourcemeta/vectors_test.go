package sourcemeta

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testvectors/sourcemeta anew")

const vectorDir = "../../testvectors/sourcemeta"

// A vector is a file of header lines, a blank line and the bytes of a sidecar
// or registry.
type vector struct {
	name   string
	kind   string // csv, json, registry
	expect string // ok, or defect: exactly one
	line   int    // of the defect
	field  string // of the defect, "" when none is meant
	data   string
}

func (v vector) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "kind: %s\nexpect: %s\n", v.kind, v.expect)
	if v.expect == "defect" {
		fmt.Fprintf(&b, "line: %d\n", v.line)
	}
	if v.field != "" {
		fmt.Fprintf(&b, "field: %s\n", v.field)
	}
	b.WriteString("\n" + v.data)
	return b.Bytes()
}

func parseVector(t *testing.T, name string, file []byte) vector {
	t.Helper()
	head, data, ok := strings.Cut(string(file), "\n\n")
	if !ok {
		t.Fatalf("vector %s has no blank line", name)
	}
	v := vector{name: name, data: data}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		default:
			t.Fatalf("vector %s has the header %q", name, line)
		case "kind":
			v.kind = value
		case "expect":
			v.expect = value
		case "field":
			v.field = value
		case "line":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatalf("vector %s has the header %q", name, line)
			}
			v.line = n
		}
	}
	return v
}

// read reads the bytes as what they are.
func (v vector) read(t *testing.T) (err error) {
	t.Helper()
	switch v.kind {
	default:
		t.Fatalf("vector %s has the kind %q", v.name, v.kind)
	case "csv":
		_, err = ReadCSV("f", []byte(v.data))
	case "json":
		_, err = ReadJSON("f", []byte(v.data))
	case "registry":
		_, err = ReadRegistry("f", []byte(v.data))
	}
	return err
}

func TestVectors(t *testing.T) {
	if *update {
		if err := os.RemoveAll(vectorDir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(vectorDir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors() {
			if err := os.WriteFile(filepath.Join(vectorDir, v.name), v.encode(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(vectorDir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		v := parseVector(t, f.Name(), data)
		err = v.read(t)
		if v.expect == "ok" {
			if err != nil {
				t.Errorf("%s: %v, want it read", v.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s is read, want a defect", v.name)
			continue
		}
		list := defectsOf(t, err)
		if e := list[0]; len(list) != 1 || e.Line != v.line || e.Field != v.field {
			t.Errorf("%s: %v with the field %q; want one defect in line %d of the field %q", v.name, err, e.Field, v.line, v.field)
		}
	}
	if want := len(vectors()); len(files) != want || want != 81 {
		t.Errorf("%d vectors were run, the table has %d, want 81", len(files), want)
	}
}
