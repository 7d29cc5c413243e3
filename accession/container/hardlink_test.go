package container

import (
	"bytes"
	"strings"
	"testing"
)

// TestHardLinks reads a file by all its names, and only as often as the limit
// of the whole allows.
func TestHardLinks(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 256) // 4096 bytes
	link := func(name string) []byte {
		return header('1', name, 0, func(b []byte) { copy(b[157:257], "./a") })
	}
	data := append(join(tarFile("./a", big), link("b"), link("c")), tarEnd...)
	for name, packed := range map[string][]byte{"tar": data, "tar.gz": gzipped(t, data)} {
		r, err := open(packed)
		if err != nil {
			t.Fatal(name, err)
		}
		if len(r.Entries()) != 3 || len(r.Skipped()) != 0 {
			t.Errorf("%s: %d entries, skipped %v", name, len(r.Entries()), r.Skipped())
		}
		for _, e := range r.Entries() {
			if body, err := readAll(e); err != nil || string(body) != big {
				t.Errorf("%s: %s has %d bytes, %v", name, e.Path, len(body), err)
			}
		}
	}
	small := limits{entries: 9, names: 1000, total: 5000, ratio: 10, free: 5000, directory: 400}
	r, err := openWithin(data, small)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Entries()) != 2 || len(r.Skipped()) != 1 || !strings.HasSuffix(r.Skipped()[0].Reason, "beyond the limit of the whole") {
		t.Errorf("%d entries, skipped %v", len(r.Entries()), r.Skipped())
	}
}

// TestBackslashes takes the names of a zip from Windows apart at backslashes,
// unless one of them has a slash.
func TestBackslashes(t *testing.T) {
	for _, c := range []struct {
		system  byte
		other   string
		path    string
		skipped int
	}{
		{0, `b.txt`, "d/a.txt", 0},
		{10, `b.txt`, "d/a.txt", 0},
		{0, `e/b.txt`, "", 1},
		{3, `b.txt`, "", 1},
		{0, `..\b.txt`, "d/a.txt", 1},
	} {
		data := buildZip(t, zipPlan{}, named(`d\a.txt`), named(c.other))
		for at := 0; ; at++ { // "made by" of each entry of the directory
			i := bytes.Index(data[at:], []byte("PK\x01\x02"))
			if i < 0 {
				break
			}
			at += i
			data[at+5] = c.system
		}
		r, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Skipped()) != c.skipped {
			t.Errorf("%+v: skipped %v", c, r.Skipped())
		}
		got := ""
		for _, e := range r.Entries() {
			if strings.HasSuffix(e.Path, "a.txt") {
				got = e.Path
				if !strings.Contains(e.Note, "backslashes") {
					t.Errorf("%+v: note %q", c, e.Note)
				}
			}
		}
		if got != c.path {
			t.Errorf("%+v: path %q", c, got)
		}
	}
}
