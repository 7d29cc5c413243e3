package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
)

// The notes of versions before the journal are read while it has none of their kind, outlive a damaged
// journal, and are moved aside by the first note of their kind. A mended journal without a sound
// line of the trust has a person asked again.
func TestEarlierNotes(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 1)
	local := filepath.Join(a.Dir(), archive.LocalDir)
	seen := a.LastSeen()
	refs, err := a.KnownRefs()
	if err != nil || seen == "" {
		t.Fatal(seen, err)
	}
	digest := strings.Repeat("ab", 32)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(local, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(local, archive.JournalFile)); err != nil {
		t.Fatal(err)
	}
	write("last-snapshot", fmt.Sprintf("1 %s\n", seen))
	write("accepted-trust", digest+"\n")
	trust := func() string {
		t.Helper()
		got, err := a.AcceptedTrust()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if a.LastSeen() != seen || trust() != digest {
		t.Errorf("the earlier notes are read as %q and %q", a.LastSeen(), trust())
	}
	a.RememberRefs()
	write(archive.JournalFile, "no journal\n")
	if _, err := a.AcceptedTrust(); err == nil {
		t.Error("a damaged journal is passed over")
	}
	if err := a.MendJournal(filepath.Join(local, "aside")); err != nil || trust() != digest || a.LastSeen() != seen {
		t.Errorf("mended: %q, %q, %v", trust(), a.LastSeen(), err)
	}
	next := strings.Repeat("cd", 32)
	if err := a.AcceptTrust(next); err != nil || trust() != next {
		t.Errorf("accepted %q, %v", trust(), err)
	}
	if _, err := os.Stat(filepath.Join(local, "before-journal", "accepted-trust")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(local, "last-snapshot")); err != nil || a.LastSeen() != seen {
		t.Errorf("the note of another kind: %q, %v", a.LastSeen(), err)
	}
	write(archive.JournalFile, "no journal\n")
	if err := a.MendJournal(filepath.Join(local, "aside")); err != nil || trust() == "" || trust() == next {
		t.Errorf("with no sound line the accepted trust is %q, %v", trust(), err)
	}
	if a.RememberRefs(); len(refs) > 0 {
		if again, err := a.KnownRefs(); err != nil || len(again) != len(refs) {
			t.Errorf("%d of %d refs are noted again: %v", len(again), len(refs), err)
		}
	}
}
