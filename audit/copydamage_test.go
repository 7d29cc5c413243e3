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

// Every file of this copy that is removed or, where it only grows, set back, is named by the
// verdict on the copy until it is put back or a person goes on without it, and makes no signed
// archive INVALID.
func TestLostFiles(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"1931.txt": archivetest.Papers["1931-03-14.txt"]})
	archivetest.Seal(t, a, s)
	for range 2 {
		if _, err := Fixity(t.Context(), a, FixityOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	dir := a.Dir()
	local := filepath.Join(dir, archive.LocalDir)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	judge := func(name string) (lost bool) {
		t.Helper()
		again, err := archive.Open(dir, archivetest.World())
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		v, err := Verify(again, ArchiveVerifyOptions{})
		if err != nil || v.Verdict == bundle.Invalid {
			t.Fatalf("%s: %v, %v", name, v, err)
		}
		if name != "" && v.CopyVerdict == CopyDamaged {
			list, err := LostFiles(again)
			if err == nil {
				err = ForgetLost(again, list)
			}
			if v, _ := Verify(again, ArchiveVerifyOptions{}); err != nil || v.CopyVerdict != CopySound && name != archive.FixityFile {
				t.Errorf("%s: still %s after it was forgotten: %+v, %v", name, v.CopyVerdict, v.Copy, err)
			}
		}
		return v.CopyVerdict == CopyDamaged
	}
	if judge("") {
		t.Fatal("an untouched copy is damaged")
	}
	tried := 0
	for _, name := range []string{archive.AcceptedTrustFile, archive.LastRefsFile, archive.LastSeenFile, archive.FixityFile, archive.IdentityFile} {
		path := filepath.Join(local, name)
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if !judge(name) {
			t.Errorf("%s was removed, and nothing is missed", name)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if judge(name) {
			t.Errorf("%s was put back, and the copy is still damaged", name)
		}
		tried++
	}
	data, err := os.ReadFile(filepath.Join(local, archive.FixityFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(local, archive.FixityFile), data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if !judge("an older fixity log") {
		t.Error("an older fixity log is not missed")
	}
	if tried < 3 {
		t.Errorf("%d files tried, want 3 at least", tried)
	}
}
