package bagit

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/accession/container"
)

// A packed bag has one folder at its top; what its container skips fails.
func TestPacked(t *testing.T) {
	valid := plan{}.build()
	pack := func(change func(files map[string]string)) []byte {
		files := map[string]string{}
		for path, body := range valid {
			files["bag/"+path] = body
		}
		change(files)
		var w bytes.Buffer
		z := zip.NewWriter(&w)
		for path, body := range files {
			h := &zip.FileHeader{Name: path}
			if link, ok := strings.CutPrefix(path, "link "); ok {
				h.Name = link
				h.SetMode(os.ModeSymlink | 0o777)
			}
			f, err := z.CreateHeader(h)
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
	for _, c := range []struct {
		name   string
		change func(files map[string]string)
		want   string
	}{
		{"fine", func(map[string]string) {}, "ok"},
		{"beside", func(f map[string]string) { f["README"] = "x" }, `failed : "README" lies beside the bag's folder: a packed bag has one folder at its top and nothing else`},
		{"two", func(f map[string]string) { clear(f); f["a/x"], f["a/y"] = "", "" }, "absent"},
		{"empty", func(f map[string]string) { clear(f) }, "failed : no bag: a packed bag has one folder at its top, named in UTF-8"},
		{"without a folder", func(f map[string]string) {
			for name, body := range maps.Clone(f) {
				delete(f, name)
				f[strings.TrimPrefix(name, "bag/")] = body
			}
		}, "ok"},
		{"turned", func(f map[string]string) { f["bag/notes/fdp\u202etxt.exe"] = "y" }, "failed notes/fdp\u202etxt.exe: the name holds U+202E, which turns the direction of what follows: it is shown as another name"},
		{"link", func(f map[string]string) { f["link bag/data/l"] = "/etc" }, "failed data/l: a symbolic link"},
		{"parent", func(f map[string]string) { f["bag/../../x"] = "y" }, `failed ../../x: the path leaves its folder: a part ".."`},
		{"not UTF-8", func(f map[string]string) { f["bag/data/\xff"] = "y" }, "failed data/\xff: the name is not UTF-8"},
		{"case", func(f map[string]string) { f["bag/Bagit.txt"] = "y" }, "ok"},
	} {
		data := pack(c.change)
		r, err := container.New(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		report, err := ValidateContainer(context.Background(), r, nil)
		got := fmt.Sprint(err)
		if err == nil {
			got = string(report.Verdict())
			i := slices.IndexFunc(report.Problems, func(p Problem) bool { return p.State == Failed })
			if i >= 0 && got == "failed" {
				p := report.Problems[i]
				got += " " + p.Path + ": " + p.Reason
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if _, err := ValidateSerialized(context.Background(), filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
}

// Names that are not UTF-8, links to folders and unreadable files fail, and
// nothing outside the folder is read.
func TestFolder(t *testing.T) {
	dir := plan{}.build().lay(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "data", "link")); err != nil {
		t.Fatal(err)
	}
	want := []Problem{{Path: "data/link", State: Failed, Reason: "a symbolic link: what it leads to is no part of the bag"}}
	if err := os.WriteFile(filepath.Join(dir, "data", "\xff"), nil, 0o600); err == nil {
		want = append(want, Problem{Path: "data/\xff", State: Failed, Reason: "the name is not UTF-8"})
	} else {
		t.Logf("not tried: this file system holds no name that is not UTF-8: %v", err)
	}
	r, err := ValidateDir(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, r.Problems, cmp.AllowUnexported(Problem{})); d != "" {
		t.Error(d)
	}
	if _, err := ValidateDir(context.Background(), filepath.Join(dir, "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ValidateDir(ctx, dir, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Every path is read back as it was written, and only one way.
func TestPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := "data/" + rapid.StringMatching(`[a%\n\r 0-9ADäé*]{1,20}`).Draw(t, "path")
		s := encodePath(path)
		if got, ok := decodePath(s); !ok || got != path || strings.ContainsAny(s, "\r\n") {
			t.Fatalf("%q is written %q and read %q", path, s, got)
		}
		l, err := parseManifestLine(strings.Repeat("0f", 32)+"  "+s, 32)
		if err != nil || l.path != s || l.star {
			t.Fatalf("%q: %+v, %v", s, l, err)
		}
	})
}

// Every field that can be written is read back as it was.
func TestInfo(t *testing.T) {
	text := rapid.StringMatching(`[a-zA-Z :\t\n\rä]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Field {
			return Field{Label: text.Draw(t, "label"), Value: text.Draw(t, "value")}
		}), 0, 4).Draw(t, "fields")
		data, err := formatInfo(fields)
		if err != nil {
			return
		}
		got, bad := parseInfo(string(data), "1.0")
		if d := cmp.Diff(append([]Field{}, fields...), append([]Field{}, got...)); d != "" || len(bad) > 0 {
			t.Fatalf("%q: %v %s", data, bad, d)
		}
	})
}

// Any bytes in the place of a tag file give a report with a clear result: one
// count and one state for every file, and a problem for every bag that is not
// valid.
func FuzzTagFiles(f *testing.F) {
	for _, v := range vectors() {
		b := v.bag
		f.Add(b["bagit.txt"], b["manifest-sha256.txt"], b["tagmanifest-sha512.txt"], b["bag-info.txt"], b["fetch.txt"])
	}
	f.Fuzz(func(t *testing.T, declaration, manifest, tags, info, fetch string) {
		b := bag{"data/a.txt": "Dear Ada,\n", "bagit.txt": declaration, "manifest-sha256.txt": manifest, "tagmanifest-sha512.txt": tags, "bag-info.txt": info, "fetch.txt": fetch}
		r, err := Validate(context.Background(), b.mapFS(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Valid != (r.Verdict() == OK) || r.Valid && !r.Complete || r.OK+r.Failed+r.Absent+r.NotChecked < len(b) {
			t.Fatalf("%+v", r)
		}
		if r.Valid && (!strings.Contains(manifest, "data/a.txt") || !strings.Contains(strings.ToLower(manifest), sum("sha256", "Dear Ada,\n"))) &&
			!strings.HasPrefix(strings.ToUpper(r.Encoding), "UTF-16") && r.Encoding == "UTF-8" {
			t.Fatalf("valid without the payload's checksum: %q", manifest)
		}
		if fields, bad := parseInfo(info, "1.0"); len(bad) == 0 {
			if data, err := formatInfo(fields); err == nil {
				if again, bad := parseInfo(string(data), "1.0"); len(bad) > 0 || !cmp.Equal(fields, again) {
					t.Fatalf("%q is read back as %v", fields, again)
				}
			}
		}
	})
}

// A whole bag from any bytes: the container and the bag together.
func FuzzPacked(f *testing.F) {
	for _, v := range vectors() {
		if strings.HasPrefix(v.name, "valid") || strings.HasPrefix(v.name, "path") {
			var w bytes.Buffer
			z := zip.NewWriter(&w)
			for _, path := range slices.Sorted(maps.Keys(v.bag)) {
				body := v.bag[path]
				c, err := z.Create("b/" + strings.TrimPrefix(path, "link "))
				if err != nil {
					f.Fatal(err)
				}
				c.Write([]byte(body))
			}
			if err := z.Close(); err != nil {
				f.Fatal(err)
			}
			f.Add(w.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := container.New(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		report, err := ValidateContainer(context.Background(), r, nil)
		if err == nil && report.Valid != (report.Verdict() == OK) {
			t.Fatalf("%+v", report)
		}
	})
}

// A file system that changes or breaks under the reader makes files fail.
func TestUnreadable(t *testing.T) {
	b := plan{}.build()
	m := b.mapFS()
	r, err := Validate(context.Background(), breaking{m}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Valid || r.Failed != 1 || len(r.Problems) != 1 || r.Problems[0].Reason != "changed while it was read: 10 bytes, then 3" {
		t.Errorf("%+v", r.Problems)
	}
}

// breaking is a file system in which one file is shorter than it was listed.
type breaking struct{ fstest.MapFS }

func (b breaking) Open(name string) (fs.File, error) {
	if name != "data/a.txt" {
		return b.MapFS.Open(name)
	}
	return fstest.MapFS{name: &fstest.MapFile{Data: []byte("cut")}}.Open(name)
}
