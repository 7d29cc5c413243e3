package accession

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A packed folder that comes through a pipe is opened like a file of its name.
func TestPiped(t *testing.T) {
	data, err := os.ReadFile("container/testdata/7z/notsolid.7z")
	if err != nil {
		t.Fatal(err)
	}
	in, kept, err := (&Piped{Name: "box/scans.7z", Content: bytes.NewReader(data)}).input(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, skips, closers := unpack(t.Context(), []Input{in}, false)
	if len(out) < 2 || len(skips) != 0 || !strings.HasPrefix(out[0].Name, "box/scans.7z/") {
		t.Errorf("%v, skips %v", out, skips)
	}
	for _, c := range append(closers, kept) {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(in.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (&Piped{Name: "a.txt", Content: strings.NewReader("a")}).input(ctx); err == nil {
		t.Error("an interrupted pipe was read")
	}
}

// What a packed folder says of itself and of its files goes into the records of these.
func TestContainerFacts(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "letters.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "a.txt", Modified: time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600))})
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("A letter."))
	if err := z.SetComment("Letters of\r\nthe mill\x1b " + strings.Repeat("x", maxComment)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	seven, err := os.ReadFile("container/testdata/7z/notsolid.7z")
	if err != nil {
		t.Fatal(err)
	}
	bad := append([]byte{}, seven...)
	bad[40] ^= 1 // in the packed bytes of scans.bin
	mixed, err := os.ReadFile("container/testdata/7z/mixed.7z")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"scans.7z": seven, "bad.7z": bad, "mixed.7z": mixed} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	facts := map[string]map[string]string{}
	for _, name := range []string{"letters.zip", "scans.7z", "bad.7z", "mixed.7z"} {
		out, _, closers := unpack(t.Context(), []Input{{Path: filepath.Join(dir, name), Name: name}}, false)
		for _, in := range out {
			facts[in.Name] = in.Facts
			if in.Fetch == nil {
				continue
			}
			if body, err := in.Fetch(t.Context()); err == nil {
				for key, value := range body.Facts {
					facts[in.Name][key] = value
				}
			}
		}
		for _, c := range closers {
			c.Close()
		}
	}
	comment := facts["letters.zip/a.txt"]["container_comment"]
	if !strings.HasPrefix(comment, "Letters of the mill%1B xxx") || !strings.HasSuffix(comment, "x …") || len(comment) > maxComment+len("%1B …") {
		t.Errorf("comment %.60q, %d bytes", comment, len(comment))
	}
	zipID, err := hashFile(filepath.Join(dir, "letters.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"container_id": zipID.String(), "container_time": "2001-02-03T03:05:06Z", "container_comment": comment}, facts["letters.zip/a.txt"]); diff != "" {
		t.Errorf("zip (-want +got):\n%s", diff)
	}
	if got := facts["scans.7z/letters/01.txt"]["container_time"]; got != "2024-02-29T12:30:40Z" || facts["scans.7z"] != nil {
		t.Errorf("7z: %v", facts)
	}
	if facts["mixed.7z"]["container_unread"] != "files that cannot be read: 2" || facts["mixed.7z/scans.bin"] == nil {
		t.Errorf("a 7z with encrypted files is not kept beside the others: %v", facts)
	}
	if facts["bad.7z"]["container_damage"] == "" || len(facts) < 8 {
		t.Errorf("of a damaged 7z the file itself is not kept: %v", facts)
	}
}
