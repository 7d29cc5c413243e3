package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/ledger"
)

// A ledger that is older than the last that this copy closed, and one that has as many citations but
// others, are named until the newer one is put back or a person goes on without it.
func TestSetBack(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 2)
	dir, world := a.Dir(), a.World()
	path := filepath.Join(dir, archive.LocalDir, "ledger.db")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	with := func(act func(a *archive.Archive)) {
		t.Helper()
		a, err := archive.Open(dir, world)
		if err != nil {
			t.Fatal(err)
		}
		act(a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cite := func(claim string) []byte {
		t.Helper()
		with(func(a *archive.Archive) {
			if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "letter-1.txt", Quote: "Letter 1 of the mill.", Claim: claim, Session: "s", Agent: "a"}); err != nil {
				t.Fatal(err)
			}
		})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	put := func(data []byte) {
		t.Helper()
		for _, end := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + end)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want, when string) {
		t.Helper()
		for range 2 { // closing an older ledger does not make it the newest
			with(func(a *archive.Archive) {
				got, err := ledger.FindSetBack(a)
				if err != nil || want == "" && got != "" || !strings.Contains(got, want) {
					t.Errorf("%s: %q, %v, want %q", when, got, err, want)
				}
			})
		}
	}
	one := cite("It is of the mill.")
	expect("", "with one citation")
	two := cite("It is of a mill.")
	expect("", "with two")
	put(one)
	expect("an older ledger was put back", "set back")
	put(two)
	expect("", "healed")
	put(one)
	cite("This letter is of the mill.")
	expect("another ledger", "set back and continued")
	with(func(a *archive.Archive) {
		if short, err := ledger.AcceptSetBack(a); err != nil || short == "" {
			t.Errorf("accepted %q, %v", short, err)
		}
	})
	expect("", "accepted")
	put(one)
	expect("an older ledger was put back", "set back again")
}
