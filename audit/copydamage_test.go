package audit

import (
	"os"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/history"
)

// noteDamages are ways to damage a file of which a note consists.
var noteDamages = map[string]func([]byte) []byte{
	"empty":    func([]byte) []byte { return nil },
	"flip":     func(b []byte) []byte { c := append([]byte(nil), b...); c[len(c)/2] ^= 1; return c },
	"truncate": func(b []byte) []byte { return b[:len(b)/2] },
}

// A damaged note of this copy, alone or with a second one, is named as damage of the
// copy, makes no signed archive INVALID, and is healed by putting it back.
func TestDamagedNotes(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"1931.txt": archivetest.Papers["1931-03-14.txt"]})
	archivetest.Seal(t, a, s)
	if _, err := history.Tag(a, history.TagOptions{Name: "first", Signer: s}); err != nil {
		t.Fatal(err)
	}
	files := []string{archive.AcceptedTrustFile, archive.LastRefsFile, archive.LastSeenFile}
	whole := map[string][]byte{}
	path := func(file string) string { return filepath.Join(a.Dir(), archive.LocalDir, file) }
	for _, file := range files {
		data, err := os.ReadFile(path(file))
		if err != nil {
			t.Fatal(err)
		}
		whole[file] = data
	}
	judge := func(want string, damaged ...string) {
		t.Helper()
		v, err := Verify(a, ArchiveVerifyOptions{})
		if err != nil {
			t.Fatalf("%v: %v", damaged, err)
		}
		if v.Verdict == bundle.Invalid || v.CopyVerdict != want {
			t.Errorf("%v: the archive is %s and the copy %s, want %s: %+v %+v", damaged, v.Verdict, v.CopyVerdict, want, v.Axes, v.Copy)
		}
	}
	judge(CopySound)
	cases := 0
	for i, one := range files {
		for _, other := range files[i:] {
			for how, damage := range noteDamages {
				for _, file := range []string{one, other} {
					if err := os.WriteFile(path(file), damage(whole[file]), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				judge(CopyDamaged, how, one, other)
				for _, file := range []string{one, other} {
					if err := os.WriteFile(path(file), whole[file], 0o600); err != nil {
						t.Fatal(err)
					}
				}
				cases++
			}
		}
	}
	judge(CopySound, "healed")
	if cases != 18 {
		t.Errorf("%d cases, want 18", cases)
	}
}
