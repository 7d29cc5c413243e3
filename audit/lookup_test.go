package audit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
)

// The lookup index is only a way to find objects: without it, with another
// archive's, with a damaged one and after stock git has packed everything anew
// the verdict and the words are those of the sound archive, and it is made again
// from the packs alone.
func TestLookupIndexInArchive(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	archivetest.WriteLookupIndex(t, a)
	other, _ := archivetest.NewLetters(t, 2)
	archivetest.WriteLookupIndex(t, other)
	foreign, err := os.ReadFile(filepath.Join(other.Dir(), archivetest.LookupPath))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(a.Dir(), archivetest.LookupPath)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Verify(a, ArchiveVerifyOptions{})
	if err != nil || want.Failed+want.Absent+want.NotChecked > 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	half := append(bytes.Clone(good[:len(good)/2]), make([]byte, len(good)-len(good)/2)...)
	git := func() { archivetest.Git(t, filepath.Join(a.Dir(), archive.StoreDir), "repack", "-q", "-a", "-d", "-f") }
	for _, c := range []struct {
		name  string
		index []byte
		then  func()
		sound bool // the index is, so that verify has nothing to say of it
	}{
		{"none", nil, nil, true},
		{"another archive's", foreign, nil, false},
		{"half of it", half, nil, false},
		{"cut short", good[:len(good)-1], nil, false},
		{"empty", []byte{}, nil, false},
		{"good, and the packs new", good, git, false},
		{"none, and the packs new", nil, git, true},
	} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if c.index != nil {
			if err := os.WriteFile(path, c.index, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if c.then != nil {
			c.then()
		}
		b, err := archive.Open(a.Dir(), a.World())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v, err := Verify(b, ArchiveVerifyOptions{})
		if err != nil || v.OK != want.OK || v.Absent+v.NotChecked > 0 || c.sound && v.Failed > 0 || v.Snapshot != want.Snapshot {
			t.Errorf("%s: %+v, %v", c.name, v, err)
		}
		if r, err := Fixity(t.Context(), b, FixityOptions{}); err != nil || r.Failed+r.Absent > 0 || r.Checked != r.Total {
			t.Errorf("%s: fixity: %+v, %v", c.name, r, err)
		}
		os.Remove(path)
		if c.then == nil { // one pack needs no index
			archivetest.WriteLookupIndex(t, b) // from the packs alone
		}
		if v, err := Verify(b, ArchiveVerifyOptions{}); err != nil || v.Failed+v.Absent+v.NotChecked > 0 || v.OK != want.OK {
			t.Errorf("%s, made again: %+v, %v", c.name, v, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
