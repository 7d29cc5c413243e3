//go:build unix

package archive_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
)

// localFiles are files that this program writes in an archive's folder; any of
// them may be a link in a folder that came from somebody else.
var localFiles = []string{
	"archive.local/summary", "archive.local/summary.new", "archive.local/journal", "archive.local/journal.new", "archive.local/dropped-objects",
	"archive.local/ledger.db", "archive.local/ledger.db-wal", "archive.local/receipts", "archive.local/fixity.jsonl", "archive.local/openings", "archive.local/given-trust",
	"archive.local/log/a/b/1/entries", "archive.local/log/a/b/1/hashes", "archive.local/log/a/b/1/checkpoint.new", "archive.local/log/a/b/lock",
	"archive.local/witness/x.new", "archive.local/remotes/origin", "archive.local/evidence/x.zip", "archive.local/search/current", "archive.local/search/x/store/root.bolt",
	"archive.local/vectors/x/covered", "archive.local/bundles", "archive.local/incoming", "archive.local/forks/x", "archive.local/identity",
	"archive.git/config", "archive.git/refs/heads/new", "archive.git/muniment.lock", "archive.git/objects/aa/x", "archive.git/incoming/x.pack", "archive.git/packed-refs", "archive.git/logs",
}

// An archive's folder with a link, a pipe or a link to a device in it is not
// opened; nothing outside it is written and nothing is waited for.
func TestForeignFolder(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, name := range localFiles {
		for what, put := range map[string]func(path string) error{
			"link":        func(path string) error { return os.Symlink(victim, path) },
			"folder link": func(path string) error { return os.Symlink(outside, path) },
			"dangling":    func(path string) error { return os.Symlink(filepath.Join(outside, "gone"), path) },
			"device":      func(path string) error { return os.Symlink("/dev/zero", path) },
			"pipe":        func(path string) error { return syscall.Mkfifo(path, 0o600) },
		} {
			path := filepath.Join(a.Dir(), name)
			made := path
			for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
				if _, err := os.Lstat(dir); err == nil {
					break
				}
				made = dir
			}
			kept := path + ".kept"
			moved := os.Rename(path, kept) == nil
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), put(path)); err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			b, err := archive.Open(a.Dir(), a.World())
			if err == nil {
				_, err2 := engine.Snapshot(b, history.SnapshotOptions{Text: "test", Signer: s})
				t.Errorf("%s as a %s: opened (%v)", name, what, err2)
				b.Close()
			} else if !strings.Contains(err.Error(), "not a regular file") || !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%s as a %s: %v", name, what, err)
			}
			if took := time.Since(begun); took > time.Minute {
				t.Errorf("%s as a %s: it took %v", name, what, took)
			}
			os.RemoveAll(made)
			if moved {
				if err := os.Rename(kept, path); err != nil {
					t.Fatal(err)
				}
			}
			tried++
		}
	}
	if tried < 150 {
		t.Errorf("%d tried", tried)
	}
	if data, err := os.ReadFile(victim); string(data) != "mine" || err != nil {
		t.Errorf("the file outside is %q, %v", data, err)
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) != 1 {
		t.Errorf("files were made outside: %v, %v", names, err)
	}
	b, err := archive.Open(a.Dir(), a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
}

// A link that appears while the archive is open is not written through either.
func TestLinkAppears(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(parts ...string) {
		path, err := a.LocalPath(parts...)
		if err == nil {
			os.Remove(path)
			err = os.Symlink(victim, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	link("summary.new")
	archivetest.AddLetter(t, a, s, "Another letter.\n")
	dir, err := a.LocalPath("log")
	if err != nil {
		t.Fatal(err)
	}
	id := s.Key().ID()
	link("log", a.ID().Hex(), id, "1", "entries")
	if l, err := answerlog.Open(dir, s, a.ID()); err == nil {
		if _, err := l.Append([32]byte{1}); err == nil {
			t.Error("an answer was logged through a link")
		}
	}
	if data, err := os.ReadFile(victim); string(data) != "mine" || err != nil {
		t.Errorf("the file outside is %q, %v", data, err)
	}
}
