package mark_test

import (
	"os"
	"path/filepath"
	"testing"

	"muniment/archive/mark"
)

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func lost(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	list, err := mark.Lost(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, l := range list {
		out[l.Name] = l.Now
	}
	return out
}

// Every file that was noted is missed when it is removed, and every growing one when it
// shrinks; one that a person goes on without is not.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	if got := lost(t, dir); len(got) != 0 {
		t.Errorf("an empty folder misses %v", got)
	}
	files := map[string]bool{"receipts": true, "openings": true, "fixity.jsonl": true, "ledger.db": false, "audit.key": false, "remotes/disk": false, "bundles/one.zip": false}
	for name := range files {
		write(t, dir, name, "a first line\n")
	}
	if err := mark.Take(dir); err != nil {
		t.Fatal(err)
	}
	if err := mark.Add(dir, "bundles/one.zip"); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, mark.File))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	if err := mark.Take(dir); err != nil || size() != before {
		t.Errorf("a second Take of the same files wrote %d bytes, %v", size()-before, err)
	}
	for name, grows := range files {
		write(t, dir, name, "a first line\nand another\n")
		if err := mark.Take(dir); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, "a first line\n")
		if got, ok := lost(t, dir)[name]; ok != grows || grows && got != 13 {
			t.Errorf("%s, shrunk: missed %v with %d bytes, want %v", name, ok, got, grows)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if got, ok := lost(t, dir)[name]; !ok || got != -1 {
			t.Errorf("%s, removed: not missed", name)
		}
		if err := mark.Forget(dir, name); err != nil {
			t.Fatal(err)
		}
		if _, ok := lost(t, dir)[name]; ok {
			t.Errorf("%s, forgotten: still missed", name)
		}
	}
}

// A line that was damaged is passed over: its file is not missed, the others are.
func TestDamagedLines(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "ledger.db", "x")
	write(t, dir, "receipts", "x")
	if err := mark.Take(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, mark.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ledger.db", "receipts"} {
		os.Remove(filepath.Join(dir, name))
	}
	for at := range data {
		changed := append([]byte(nil), data...)
		changed[at] ^= 4
		write(t, dir, mark.File, string(changed))
		if got := lost(t, dir); len(got) < 1 && changed[at] != '\n' && data[at] != '\n' || len(got) > 2 {
			t.Errorf("byte %d changed: missed %v", at, got)
		}
		write(t, dir, mark.File, string(data[:at]))
		lost(t, dir)
	}
}

func FuzzLost(f *testing.F) {
	f.Add("+ 0 ledger.db 00000000\n")
	f.Add("- 0 ../x 00000000")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, dir, mark.File, text)
		lost(t, dir)
	})
}
