package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A ledger whose folder cannot be written is read, with what another process has not
// put into its file yet, and is not changed.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, entry("It burned."))
	for _, open := range []bool{true, false} {
		if !open {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := openReadOnly(path)
		if err != nil {
			t.Fatalf("while a writer is there: %v: %v", open, err)
		}
		if all, err := r.List(Filter{}); err != nil || len(all) != 1 || all[0].Claim != "It burned." {
			t.Errorf("while a writer is there: %v: %v, %v", open, all, err)
		}
		if _, err := r.AddCitation(entry("It stood.")); !errors.Is(err, ErrReadOnly) {
			t.Errorf("a change: %v", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	empty, err := OpenEmpty(filepath.Join(t.TempDir(), "none.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	if all, err := empty.List(Filter{}); err != nil || len(all) != 0 {
		t.Errorf("an empty ledger: %v, %v", all, err)
	}
	if _, err := empty.AddCitation(entry("It stood.")); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a change of an empty ledger: %v", err)
	}
	if err := os.WriteFile(path, []byte("no database, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := openReadOnly(path); err == nil {
		r.Close()
		t.Error("a file that is no database was opened")
	}
}

// A file that may not grow is a full disk.
func TestIsFull(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	if _, err := l.write.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	var err error
	n := 0
	for ; err == nil && n < 10_000; n++ {
		_, err = l.AddCitation(entry(fmt.Sprintf("claim %d", n)))
	}
	if !IsFull(err) || IsFull(ErrReadOnly) {
		t.Errorf("after %d entries: %v", n, err)
	}
}
