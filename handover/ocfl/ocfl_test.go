package ocfl_test

import (
	"crypto/sha512"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/handover/ocfl"
)

// writeObject writes an object of one version of the files into dir.
func writeObject(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	v := ocfl.NewInventory("urn:example:1", ocfl.Version{Created: "2026-01-01T00:00:00Z", Message: "first"})
	put := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		put(ocfl.ContentPath(name), text)
		v.Add(name, fmt.Sprintf("%x", sha512.Sum512([]byte(text))), name)
	}
	inventory, sidecar, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(ocfl.ObjectDeclaration, "ocfl_object_1.1\n")
	for _, at := range []string{"", "v1/"} {
		put(at+ocfl.InventoryFile, string(inventory))
		put(at+ocfl.SidecarFile, string(sidecar))
	}
}

// What is written is read; each object with one defect is refused with its reason.
func TestOpen(t *testing.T) {
	files := map[string]string{"a.txt": "a\n", "in/b.txt": "b\n", "in/twin.txt": "b\n"}
	reseal := func(t *testing.T, dir, old, new string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, ocfl.InventoryFile))
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%q is not in the inventory: %v", old, err)
		}
		text := strings.Replace(string(data), old, new, 1)
		for _, at := range []string{"", "v1"} {
			err1 := os.WriteFile(filepath.Join(dir, at, ocfl.InventoryFile), []byte(text), 0o666)
			err2 := os.WriteFile(filepath.Join(dir, at, ocfl.SidecarFile), fmt.Appendf(nil, "%x %s\n", sha512.Sum512([]byte(text)), ocfl.InventoryFile), 0o666)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
		}
	}
	write := func(t *testing.T, dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name, want string
		spoil      func(t *testing.T, dir string)
	}{
		{"whole", "", func(*testing.T, string) {}},
		{"content", "does not have the digest of the manifest", func(t *testing.T, dir string) { write(t, dir, "v1/content/a.txt", "x\n") }},
		{"content-missing", "is missing", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "v1/content/a.txt")) }},
		{"content-more", "is not in the manifest", func(t *testing.T, dir string) { write(t, dir, "v1/content/c.txt", "c\n") }},
		{"file-more", "is not in the manifest", func(t *testing.T, dir string) { write(t, dir, "notes.txt", "c\n") }},
		{"link", "no regular file", func(t *testing.T, dir string) { os.Symlink("/etc/passwd", filepath.Join(dir, "v1/content/l")) }},
		{"sidecar", "digest of its sidecar", func(t *testing.T, dir string) { write(t, dir, ocfl.SidecarFile, "00 inventory.json\n") }},
		{"sidecar-form", "the sidecar", func(t *testing.T, dir string) { write(t, dir, ocfl.SidecarFile, "00\n") }},
		{"declaration", "the declaration holds", func(t *testing.T, dir string) { write(t, dir, ocfl.ObjectDeclaration, "ocfl_object_1.0\n") }},
		{"version-inventory", "differs from the object's", func(t *testing.T, dir string) { write(t, dir, "v1/inventory.json", "{}") }},
		{"head", "head is", func(t *testing.T, dir string) { reseal(t, dir, `"head": "v1"`, `"head": "v2"`) }},
		{"id", "id is missing", func(t *testing.T, dir string) { reseal(t, dir, `"id": "urn:example:1"`, `"id": ""`) }},
		{"type", "is of type", func(t *testing.T, dir string) { reseal(t, dir, "ocfl.io/1.1/", "ocfl.io/1.0/") }},
		{"algorithm", "digestAlgorithm", func(t *testing.T, dir string) { reseal(t, dir, `"sha512"`, `"md5"`) }},
		{"created", "created is missing", func(t *testing.T, dir string) { reseal(t, dir, `"created": "2026-01-01T00:00:00Z"`, `"created": ""`) }},
		{"path", "path", func(t *testing.T, dir string) { reseal(t, dir, `"a.txt"`, `"../a.txt"`) }},
		{"path-twice", "twice", func(t *testing.T, dir string) { reseal(t, dir, `"a.txt"`, `"in/b.txt"`) }},
		{"path-folder", "is a file and a folder", func(t *testing.T, dir string) { reseal(t, dir, `"a.txt"`, `"in"`) }},
		{"content-path", "is no content path", func(t *testing.T, dir string) { reseal(t, dir, `v1/content/a.txt`, `v1/stuff/a.txt`) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeObject(t, dir, files)
			c.spoil(t, dir)
			list, err := ocfl.Open(t.Context(), dir)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil || len(list) != 1 || len(list[0].Files) != len(files) {
				t.Fatalf("%+v, %v", list, err)
			}
			for _, f := range list[0].Files {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				r.Close()
				if err != nil || string(data) != files[f.Path] || f.Size != int64(len(data)) {
					t.Errorf("%s is %q, %v", f.Path, data, err)
				}
			}
		})
	}
}

// A folder without a declaration is neither.
func TestNone(t *testing.T) {
	if _, err := ocfl.Open(t.Context(), t.TempDir()); err != ocfl.ErrFormat {
		t.Error(err)
	}
}
