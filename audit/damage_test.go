package audit

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/history"
	"muniment/internal/casecount"
)

// unverified says why a byte of a file of the repository may change without
// anything that is verified changing. For these the verdict must be the true
// one.
func unverified(path string, data []byte, i int) string {
	switch base := filepath.Base(path); {
	case base == "description":
		return "git shows it to people; nothing is read from it"
	case base == "config":
		return "settings of git and comments; doctor compares those that matter"
	case base == "HEAD":
		return "the archive's one branch is read by its own name; doctor compares it"
	case base == "packed-refs" && i < bytes.IndexByte(data, '\n'):
		return "a comment; nothing is read from it"
	case base == "packed-refs":
		line := data[:i+bytes.IndexByte(data[i:], '\n')]
		if bytes.HasSuffix(line, []byte(" refs/tags/first")) {
			return "a tag under another name is no tag; nothing says which tags there are"
		}
	}
	return ""
}

// packTag packs main and a tag, as git pack-refs does.
func packTag(t *testing.T, a *archive.Archive, tag string) {
	t.Helper()
	refs := archivetest.Refs(t, a)
	text := fmt.Sprintf("# pack-refs with: peeled fully-peeled sorted \n%s %s\n%s %s\n^%s\n", refs[archive.RefMain], archive.RefMain, refs[archive.RefTags+tag], archive.RefTags+tag, refs[archive.RefMain])
	if err := os.WriteFile(filepath.Join(a.Dir(), archive.StoreDir, "packed-refs"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{archive.RefMain, archive.RefTags + tag} {
		if err := os.Remove(filepath.Join(a.Dir(), archive.StoreDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if after := archivetest.Refs(t, a); !maps.Equal(refs, after) {
		t.Fatalf("refs are %v, were %v", after, refs)
	}
}

// Every byte of a small archive's repository is changed, once wholly and once
// in one bit: verify reports failed or absent, or the file is one of which
// nothing is verified there and the verdict is that of the sound archive.
// Nothing panics, and no change makes another snapshot out of this one.
func TestEveryByteFlipped(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"1931.txt": archivetest.Papers["1931-03-14.txt"]})
	archivetest.Seal(t, a, s)
	for _, name := range []string{"first", "second"} {
		if _, err := history.Tag(a, history.TagOptions{Name: name, Signer: s}); err != nil {
			t.Fatal(err)
		}
	}
	packTag(t, a, "first")
	want, err := Verify(a, ArchiveVerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(memory(t), "a")
	if err := os.CopyFS(dir, os.DirFS(a.Dir())); err != nil {
		t.Fatal(err)
	}
	stride := casecount.Of(163, 1) // odd, so that every bit of a byte has its turn
	found, same, flips := 0, map[string]int{}, 0
	err = filepath.WalkDir(filepath.Join(dir, archive.StoreDir), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.Chmod(path, 0o644); err != nil {
			return err
		}
		rel, _ := filepath.Rel(filepath.Join(dir, archive.StoreDir), path)
		step := stride
		if len(data) < 200 {
			step = casecount.Of(13, 1)
		}
		for i := 0; i < len(data); i += step {
			for _, mask := range []byte{0xff, 1 << (i % 8)} {
				data[i] ^= mask
				if err := os.WriteFile(path, data, 0o644); err != nil {
					return err
				}
				flips++
				v, err := verifyAt(dir)
				data[i] ^= mask
				switch {
				case err != nil || v.Verdict == bundle.Invalid:
					found++
				case v.Snapshot != want.Snapshot || v.OK != want.OK || v.NotChecked != want.NotChecked:
					t.Errorf("%s, byte %d xor %#x: %s of snapshot %s, %d ok, %d not checked; want %s, %d and %d", rel, i, mask, v.Verdict, v.Snapshot, v.OK, v.NotChecked, want.Snapshot, want.OK, want.NotChecked)
				case unverified(rel, data, i) == "":
					t.Errorf("%s, byte %d xor %#x: not noticed", rel, i, mask)
				default:
					same[filepath.Ext(rel)+" "+unverified(rel, data, i)]++
				}
			}
		}
		return os.WriteFile(path, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d changes, %d reported", flips, found)
	for why, n := range same {
		t.Logf("%d changes in %s", n, why)
	}
	if v, err := verifyAt(dir); err != nil || v.OK != want.OK {
		t.Errorf("put back, it is %+v, %v", v, err)
	}
	if flips < casecount.Of(120, 1000) || found < flips/4 {
		t.Errorf("%d changes, %d reported: too few", flips, found)
	}
}

// verifyAt opens and verifies. An error that is not a refusal of this archive
// is one to look at, so it is required to speak to people.
func verifyAt(dir string) (*ArchiveVerdict, error) {
	a, err := archive.Open(dir, liveWorld())
	if err != nil {
		var failure *problem.Error
		if !errors.As(err, &failure) {
			panic(err)
		}
		return nil, err
	}
	defer a.Close()
	return Verify(a, ArchiveVerifyOptions{})
}
