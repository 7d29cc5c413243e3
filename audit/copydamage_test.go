package audit

import (
	"os"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/custody"
	"muniment/history"
)

// noteDamages are ways to damage a file of which a note consists.
var noteDamages = map[string]func([]byte) []byte{
	"empty":    func([]byte) []byte { return nil },
	"flip":     func(b []byte) []byte { c := append([]byte(nil), b...); c[len(c)/2] ^= 1; return c },
	"truncate": func(b []byte) []byte { return b[:len(b)/2] },
}

// A damaged journal is named as damage of the copy, makes no signed archive INVALID, and is healed by
// putting it back; a repair heals one of which a line was changed.
func TestDamagedJournal(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"1931.txt": archivetest.Papers["1931-03-14.txt"]})
	archivetest.Seal(t, a, s)
	if _, err := history.Tag(a, history.TagOptions{Name: "first", Signer: s}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(a.Dir(), archive.LocalDir, archive.JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	judge := func(want, what string) {
		t.Helper()
		v, err := Verify(a, ArchiveVerifyOptions{})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if v.Verdict == bundle.Invalid || v.CopyVerdict != want {
			t.Errorf("%s: the archive is %s and the copy %s, want %s: %+v %+v", what, v.Verdict, v.CopyVerdict, want, v.Axes, v.Copy)
		}
	}
	judge(CopySound, "whole")
	for _, how := range []string{"empty", "truncate", "flip"} { // the repair at the end writes a shorter journal
		if err := os.WriteFile(path, noteDamages[how](whole), 0o600); err != nil {
			t.Fatal(err)
		}
		judge(CopyDamaged, how)
		if how == "flip" {
			if _, err := custody.Repair(t.Context(), a.Dir(), "", custody.Transfer{}, a.World(), nil); err != nil {
				t.Fatal(err)
			}
			judge(CopySound, "repaired")
			if _, id, _ := a.Head(); a.LastSeen() == "" {
				t.Errorf("after the repair this copy does not know that it saw %s", id)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		judge(CopySound, "put back after "+how)
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
	for _, name := range []string{archive.JournalFile, archive.FixityFile, archive.IdentityFile} {
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
	if tried < 2 {
		t.Errorf("%d files tried, want 2 at least", tried)
	}
}
