package custody_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/archivetest"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/objects"
)

// flip changes the byte at an offset of a file of the log's first epoch.
func flip(t *testing.T, a *archive.Archive, name string, at int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(a.Dir(), archive.LocalDir, "log", "*", "*", "1", name))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[at] ^= 1
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A damaged byte of a log in archive.local reaches no ref: hashes are made again, entries
// come from the ref, and what nobody has is named.
func TestLogDamage(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	newLog(t, a, s, 0, 300)
	ref := archive.RefLog + s.Key().ID()
	dir, err := a.LocalPath("log")
	if err != nil {
		t.Fatal(err)
	}
	l, err := answerlog.Open(dir, s, a.ID())
	if err != nil {
		t.Fatal(err)
	}
	grow := func() {
		t.Helper()
		for i := range 5 {
			if _, err := l.Append([32]byte{byte(i), 0xff}); err != nil {
				t.Fatal(err)
			}
		}
	}
	publish := func(want int64) {
		t.Helper()
		states, err := logref.PublishLogs(a, true)
		if err != nil || len(states) != 1 || states[0].Published != want {
			t.Fatalf("%+v, %v, want %d entries", states, err, want)
		}
		if _, err := logref.CheckLogs(a); err != nil {
			t.Fatal(err)
		}
	}
	grow()
	flip(t, a, "hashes", 520*32) // in the last tile of level 0
	publish(305)
	grow()
	flip(t, a, "entries", 260*32) // which the ref has
	publish(310)
	grow()
	before := archivetest.Refs(t, a)[ref]
	flip(t, a, "entries", 312*32) // which nobody else has
	_, err = logref.PublishLogs(a, true)
	var failure *problem.Error
	if !errors.As(err, &failure) || failure.Kind != problem.Damaged || !strings.Contains(failure.Message, "nothing was copied") || failure.Next.IsZero() {
		t.Errorf("entries that nobody has: %v", err)
	}
	if archivetest.Refs(t, a)[ref] != before {
		t.Error("a damaged log moved its ref")
	}
}

// The folder of a log is lost, or put back from an old copy: it comes back from the ref,
// and the next answer contradicts nothing.
func TestLogLost(t *testing.T) {
	for name, lose := range map[string]func(dir string) error{
		"folder":     os.RemoveAll,
		"checkpoint": func(dir string) error { return os.Remove(filepath.Join(dir, "1", "checkpoint")) },
		"entries":    func(dir string) error { return os.Truncate(filepath.Join(dir, "1", "entries"), 32) },
	} {
		a, s := archivetest.NewLetters(t, 1)
		newLog(t, a, s, 0, 300)
		dir, err := a.LocalPath("log")
		if err != nil {
			t.Fatal(err)
		}
		if err := lose(filepath.Join(dir, a.ID().Hex(), s.Key().ID())); err != nil {
			t.Fatal(err)
		}
		l, err := answerlog.Open(dir, s, a.ID())
		if err != nil {
			t.Fatal(err)
		}
		copies, err := logref.PublishedEpochs(a.Repository, s.Key().ID())
		if err != nil {
			t.Fatal(err)
		}
		if notice, err := l.Restore(copies); err != nil || !strings.Contains(notice, "back from the archive") {
			t.Errorf("%s: %q, %v", name, notice, err)
		}
		if _, err := l.Append([32]byte{9}); err != nil {
			t.Fatal(err)
		}
		states, err := logref.PublishLogs(a, true)
		if err != nil || len(states) != 1 || states[0].Evidence != "" {
			t.Errorf("%s: %+v, %v", name, states, err)
		}
		if states, err = logref.CheckLogs(a); err != nil || states[0].Size < 300 {
			t.Errorf("%s: %+v, %v", name, states, err)
		}
	}
}

// A copy of a log whose tile is damaged is not pushed over the good one.
func TestDamagedLogIsNotPushed(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	newLog(t, a, s, 0, 300)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.Push(t.Context(), a, repo, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	ref := archive.RefLog + s.Key().ID()
	good := archivetest.Git(t, repo, "rev-parse", ref)
	newLog(t, a, s, 300, 301)
	git := filepath.Join(a.Dir(), archive.StoreDir)
	tile := "1/tile/0/x001.p/45"
	if out := archivetest.Git(t, git, "ls-tree", "-r", "--name-only", ref); strings.Contains(out, "1/tile/0/001.p/45") {
		tile = "1/tile/0/001.p/45"
	}
	base, err := a.Store().TreeOf(archivetest.Refs(t, a)[ref])
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Git(t, git, "update-ref", ref, good)
	tip := archivetest.Refs(t, a)[ref]
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	data, err := a.File(base, tile)
	if err != nil || len(data) == 0 {
		t.Fatal(tile, err)
	}
	data = append([]byte(nil), data...)
	data[7] ^= 1
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	h, err := b.Put(objects.Blob, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.CommitFiles(b, lock, ref, base, []objects.Edit{{Path: tile, Blob: h}}, tip); err != nil {
		t.Fatal(err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	_, err = custody.Push(t.Context(), a, repo, custody.Transfer{})
	var failure *problem.Error
	if !errors.As(err, &failure) || failure.Kind != problem.Damaged || !strings.Contains(failure.Message, "was not sent") {
		t.Errorf("a damaged tile: %v", err)
	}
	if now := archivetest.Git(t, repo, "rev-parse", ref); now != good {
		t.Errorf("the remote's copy moved to %s", now)
	}
	if _, err := logref.PublishLogs(a, true); err != nil { // from the sound folder
		t.Fatal(err)
	}
	if _, err := custody.Push(t.Context(), a, repo, custody.Transfer{}); err != nil {
		t.Errorf("once it is published again: %v", err)
	}
}
