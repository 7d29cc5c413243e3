package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/internal/casecount"
)

// sampleBundle makes an archive, asks it, and returns the place with
// answer.zip, shown.zip and allowed in it.
func sampleBundle(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	p.write("one.txt", "Harrow, 2 April 1931\n\nTobias Lunt repaired the mill wheel.\n")
	p.must("-C", "letters", "add", "one.txt")
	p.must("-C", "letters", "snapshot", "-m", "one")
	p.must("-C", "letters", "ask", "Who repaired the mill wheel?", "--bundle", "answer.zip", "--display", "shown.zip")
	p.write("allowed", p.must("key", "trust").stdout)
	return p
}

// An entry is one file of a zip that a test makes.
type entry struct {
	name string
	data []byte
	mode os.FileMode
	deal uint16 // zip.Store or zip.Deflate
}

// entries reads a zip.
func entries(t *testing.T, data []byte) []entry {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out []entry
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(rc)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, entry{name: f.Name, data: content, deal: f.Method})
	}
	return out
}

// pack writes a zip as an ordinary tool does.
func pack(t *testing.T, list []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range list {
		h := &zip.FileHeader{Name: e.name, Method: e.deal}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestHostileZip gives every command that reads bundles zips that were made to
// deceive or to harm. Each is INVALID with exit 1, in little memory, and no
// file is made anywhere.
func TestHostileZip(t *testing.T) {
	t.Parallel()
	p := sampleBundle(t)
	good, err := os.ReadFile(p.path("shown.zip"))
	if err != nil {
		t.Fatal(err)
	}
	list := entries(t, good)
	plus := func(e ...entry) []byte { return pack(t, append(slices.Clone(list), e...)) }
	patched := func(at int, b ...byte) []byte {
		out := slices.Clone(good)
		copy(out[at:], b)
		return out
	}
	end := len(good) - 22 // of the central directory
	bomb := entry{name: "leaves/00063.json", data: make([]byte, 80<<20), deal: zip.Deflate}
	cases := map[string][]byte{
		"empty":             {},
		"cut off by a byte": good[:len(good)-1],
		"cut off by half":   good[:len(good)/2],
		"the first header":  good[:30],
		"byte before":       append([]byte{0}, good...),
		"program before":    append([]byte("#!/bin/sh\nexit 0\n"), good...),
		"byte after":        append(slices.Clone(good), 0),
		"another zip after": append(slices.Clone(good), good...),
		"repacked":          pack(t, list),
		"reversed":          pack(t, func() []entry { l := slices.Clone(list); slices.Reverse(l); return l }()),
		"only a directory":  append([]byte("PK\x05\x06"), make([]byte, 18)...),
		"traversal":         plus(entry{name: "../escaped", data: []byte("x")}),
		"absolute name":     plus(entry{name: "/tmp/escaped", data: []byte("x")}),
		"windows name":      plus(entry{name: `..\escaped`, data: []byte("x")}),
		"extra file":        plus(entry{name: "note.txt", data: []byte("x")}),
		"folder entry":      plus(entry{name: "leaves/", mode: os.ModeDir | 0o755}),
		"symbolic link":     plus(entry{name: "statement2", data: []byte("/etc/passwd"), mode: os.ModeSymlink | 0o777}),
		"other case":        plus(entry{name: "STATEMENT", data: []byte("x")}),
		"control name":      plus(entry{name: "a\x1b[31mb\nc", data: []byte("x")}),
		"long name":         plus(entry{name: strings.Repeat("n", 60_000), data: []byte("x")}),
		"no name":           plus(entry{data: []byte("x")}),
		"twice":             plus(list[0]),
		"deflated":          pack(t, []entry{{name: list[0].name, data: list[0].data, deal: zip.Deflate}}),
		"bomb":              plus(bomb),
		"many names": pack(t, slices.Repeat([]entry{{name: "leaves/00001.json", data: []byte("x")}},
			20_000)),
		"no statement":          pack(t, slices.DeleteFunc(slices.Clone(list), func(e entry) bool { return e.name == "statement" })),
		"size that lies":        patched(18, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f),
		"name length that lies": patched(26, 0xff, 0xff),
		"encrypted flag":        patched(6, 1),
		"count that lies":       patched(end+8, 0xff, 0xff, 0xff, 0xff),
		"offset that lies":      patched(end+16, 0xff, 0xff, 0xff, 0x7f),
		"comment that lies":     patched(end+20, 0xff, 0xff),
		"text":                  []byte("Dear Ruth,\n"),
		"a page":                []byte("<html>"),
	}
	if n := binary.LittleEndian.Uint16(good[end+8:]); int(n) != len(list) {
		t.Fatalf("the end record is not where the test thinks: %d files", n)
	}
	before := tree(t, p.dir)
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		file := p.path("hostile.zip")
		if err := os.WriteFile(file, cases[name], 0o666); err != nil {
			t.Fatal(err)
		}
		r := p.call("verify", file, "--trust", p.path("allowed"), "--json")
		if r.code != 1 || r.document(t)["verdict"] != "INVALID" {
			t.Errorf("%s: exit %d, want 1 and INVALID\n%s%s", name, r.code, r.stdout, r.stderr)
		}
		if err := checkVoice(r.stderr, r.code); err != nil {
			t.Errorf("%s: verify: %v", name, err)
		}
		for _, args := range [][]string{
			{"bundle", "show", file},
			{"bundle", "disclose", file, "-o", p.path("out.zip")},
			{"bundle", "open", file, "--identity", p.path("letters/archive.local/audit.key"), "-o", p.path("out")},
		} {
			r := p.call(args...)
			if r.code != 1 {
				t.Errorf("%s: %v: exit %d, want 1", name, args[:2], r.code)
			}
			if err := checkVoice(r.stderr, r.code); err != nil {
				t.Errorf("%s: %v: %v", name, args[:2], err)
			}
			if strings.ContainsAny(r.stderr, "\x1b\x00") {
				t.Errorf("%s: %v: control characters reach the terminal: %q", name, args[:2], r.stderr)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if after := tree(t, p.dir); !slices.Equal(after, before) {
			t.Fatalf("%s: files are now\n%s\nand were\n%s", name, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
	}
	if r := p.call("verify", "/dev/zero"); r.code != 6 || !strings.Contains(r.stderr, "not a regular file") {
		t.Errorf("/dev/zero: exit %d, want 6\n%s", r.code, r.stderr)
	}
	for _, endless := range []func() (string, error){
		func() (string, error) {
			return p.path("sparse.zip"), errorsOf(os.WriteFile(p.path("sparse.zip"), good, 0o666), os.Truncate(p.path("sparse.zip"), 1<<40))
		},
	} {
		file, err := endless()
		if err != nil {
			t.Fatal(err)
		}
		if r := p.call("verify", file); r.code != 1 {
			t.Errorf("%s: exit %d, want 1\n%s", file, r.code, r.stderr)
		}
	}
	if r := p.call("verify", p.path("shown.zip"), "--trust", p.path("allowed")); r.code != 0 {
		t.Errorf("the good one: exit %d\n%s", r.code, r.stderr)
	}
}

// TestHostileFolder does the same to unpacked bundles.
func TestHostileFolder(t *testing.T) {
	t.Parallel()
	p := sampleBundle(t)
	good, err := os.ReadFile(p.path("shown.zip"))
	if err != nil {
		t.Fatal(err)
	}
	list := entries(t, good)
	leaf := list[slices.IndexFunc(list, func(e entry) bool { return strings.HasPrefix(e.name, "leaves/") })].name
	cases := map[string]func(dir string) error{
		"extra file":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "note.txt"), []byte("x"), 0o666) },
		"hidden file": func(dir string) error { return os.WriteFile(filepath.Join(dir, ".DS_Store"), nil, 0o666) },
		"extra leaf": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "leaves/00099.json"), []byte("{}"), 0o666)
		},
		"extra folder": func(dir string) error { return os.Mkdir(filepath.Join(dir, "more"), 0o777) },
		"extra scope": func(dir string) error {
			return errorsOf(os.MkdirAll(filepath.Join(dir, "sealed"), 0o777), os.WriteFile(filepath.Join(dir, "sealed/none.age"), []byte("x"), 0o666))
		},
		"no statement": func(dir string) error { return os.Remove(filepath.Join(dir, "statement")) },
		"no sums":      func(dir string) error { return os.Remove(filepath.Join(dir, "SHA256SUMS")) },
		"no proof":     func(dir string) error { return os.Remove(filepath.Join(dir, "log.proof")) },
		"no signature": func(dir string) error { return os.RemoveAll(filepath.Join(dir, "sigs")) },
		"empty leaf":   func(dir string) error { return os.Truncate(filepath.Join(dir, leaf), 0) },
		"link for leaf": func(dir string) error {
			return errorsOf(os.Rename(filepath.Join(dir, leaf), dir+".leaf"), os.Symlink(dir+".leaf", filepath.Join(dir, leaf)))
		},
		"huge leaf":      func(dir string) error { return os.Truncate(filepath.Join(dir, leaf), 1<<40) },
		"nothing in it":  func(dir string) error { return errorsOf(os.RemoveAll(dir), os.Mkdir(dir, 0o777)) },
		"line end added": func(dir string) error { return appendTo(filepath.Join(dir, "statement"), "\n") },
		"leaf appended":  func(dir string) error { return appendTo(filepath.Join(dir, leaf), "\n") },
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		dir := p.path("bundle-" + strings.ReplaceAll(name, " ", "-"))
		for _, e := range list {
			p.write(filepath.Join(filepath.Base(dir), e.name), string(e.data))
		}
		if r := p.call("verify", dir, "--trust", p.path("allowed")); r.code != 0 {
			t.Fatalf("%s: before: exit %d\n%s", name, r.code, r.stderr)
		}
		if err := cases[name](dir); err != nil {
			t.Fatal(err)
		}
		r := p.call("verify", dir, "--trust", p.path("allowed"), "--json")
		if r.code != 1 || r.document(t)["verdict"] != "INVALID" {
			t.Errorf("%s: exit %d, want 1 and INVALID\n%s%s", name, r.code, r.stdout, r.stderr)
		}
		if err := checkVoice(r.stderr, r.code); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryByte changes bytes all over a display copy: none may be changed
// without being seen.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	p := sampleBundle(t)
	good, err := os.ReadFile(p.path("shown.zip"))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for at := 0; at < len(good); at += casecount.Of(401, 41) {
		bad := slices.Clone(good)
		bad[at] ^= 0x01
		if err := os.WriteFile(p.path("bad.zip"), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if r := p.call("verify", p.path("bad.zip"), "--trust", p.path("allowed")); r.code != 1 {
			t.Errorf("byte %d of %d: exit %d, want 1\n%s", at, len(good), r.code, r.stdout)
		}
		tried++
	}
	if tried < casecount.Of(10, 100) {
		t.Errorf("%d bytes tried, want more", tried)
	}
}

// errorsOf returns the first error of steps that were already taken.
func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func appendTo(file, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, text...), 0o666)
}

// tree lists every path below dir.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
