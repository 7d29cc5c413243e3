package testvectors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is parsed encodes to the same bytes; all else is refused.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		file string
		want int // header lines, 0 if it is refused
	}{
		{"kind: a\n\nbody\n\nmore", 1},
		{"kind: a\nseed: \nkind: b: c\n\n", 3},
		{"p_count: 3\nx9: é\n\n\x00\xff", 2},
		{"", 0},
		{"\n\nbody", 0},
		{"\nbody", 0},
		{"kind: a\nbody", 0},
		{"kind: a\n", 0},
		{"kind:a\n\n", 0},
		{"kind : a\n\n", 0},
		{"Kind: a\n\n", 0},
		{"9: a\n\n", 0},
		{": a\n\n", 0},
		{"kind: a\r\n\n", 0},
		{"kind: a\tb\n\n", 0},
		{"kind: \xff\n\n", 0},
	} {
		v, err := Parse("v", []byte(c.file))
		if len(v.Header) != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%q: %q, %v", c.file, v.Header, err)
		}
		if again := string(v.Encode()); err == nil && again != c.file {
			t.Errorf("%q is written as %q", c.file, again)
		}
	}
}

func TestGet(t *testing.T) {
	v := New("v", nil, "kind", "a", "kind", "b")
	v.AddIf("axis", "")
	v.AddIf("line", "3")
	if v.Get("kind") != "a" || v.Get("line") != "3" || v.Get("axis") != "" || len(v.Header) != 3 {
		t.Errorf("%q", v.Header)
	}
}

// Vectors that were written are found as they are, and a change of a file, a
// file too many and a file too few are each found.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, Readme)
	if err := os.WriteFile(readme, []byte("# Vectors\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := encodeAll([]Vector{New("one", []byte("1\n"), "kind", "a"), New("two", []byte("2\n"), "kind", "b")})
	if err != nil {
		t.Fatal(err)
	}
	change := func(name, data string) func() error {
		return func() error { return os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600) }
	}
	for _, c := range []struct {
		change func() error
		want   string
	}{
		{func() error { return nil }, ""},
		{change("one", "kind: b\n\n1\n"), "line 1 is"},
		{change("one", "kind: a\n\n1\n\n"), "The file has 5 lines"},
		{change("three", "kind: a\n\n"), "made by no test"},
		{func() error { return os.Remove(filepath.Join(dir, "two")) }, "is missing"},
	} {
		if err := write(dir, files); err != nil {
			t.Fatal(err)
		}
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		switch wrong := compare(dir, files); {
		case c.want == "" && len(wrong) != 0, c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), c.want)):
			t.Errorf("%v, want %q", wrong, c.want)
		}
	}
	if _, err := os.Stat(readme); err != nil {
		t.Error(err)
	}
	if v := Read(t, dir); len(v) != 1 {
		t.Errorf("%d vectors are read, want 1", len(v))
	}
}

// What could not be read again is not written.
func TestEncodeAll(t *testing.T) {
	for name, made := range map[string][]Vector{
		"none":      nil,
		"twice":     {New("a", nil, "kind", "a"), New("a", nil, "kind", "b")},
		"no name":   {New("", nil, "kind", "a")},
		"readme":    {New(Readme, nil, "kind", "a")},
		"no header": {New("a", nil)},
		"two lines": {New("a", nil, "kind", "a\nb: c")},
	} {
		if files, err := encodeAll(made); err == nil {
			t.Errorf("%s: %q", name, files)
		}
	}
}

func TestRun(t *testing.T) {
	ran := 0
	Run(t, "jcs", 68, func(t *testing.T, v Vector) {
		ran++
		if v.Get("expect") == "" {
			t.Errorf("%q", v.Header)
		}
	})
	if ran != 68 {
		t.Errorf("%d vectors were run, want 68", ran)
	}
}
