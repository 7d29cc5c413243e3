// Package archivetest makes archives for the tests of other packages: New and
// NewLetters make signed ones, Seal signs what is staged, NewBareRepository and
// Git use stock git. Every archive lies in a temporary folder of the test and is
// closed at its end; a failure ends the test.
//
//	a, key := archivetest.New(t, archivetest.Papers)
//	archivetest.Seal(t, a, key)
//
// It is imported by tests alone.
package archivetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/engine"
	"muniment/history"
	"muniment/ledger"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// World returns a world with the real clock and randomness and a fixed archivist.
func World() archive.World {
	return archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test", Author: "Test Archivist <archivist@archive.invalid>"}
}

// NewSigner returns a new key and an allowed_signers list that trusts it.
func NewSigner(t testing.TB) (sign.Signer, *sign.AllowedSigners) {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(s.Key(), "test")))
	if err != nil {
		t.Fatal(err)
	}
	return s, allowed
}

// New returns an archive in which the texts of files, by name, are staged, and a
// key that has signed nothing yet.
func New(t testing.TB, files map[string]string) (*archive.Archive, sign.Signer) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(in, tree); err != nil {
		t.Fatal(err)
	}
	s, _ := NewSigner(t)
	w := archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test", Author: "Test <test@archive.invalid>"}
	a, err := archive.Init(filepath.Join(dir, "a"), archive.InitOptions{Subject: "Ada Fenwick", Died: "1961-11-08"}, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	data, err := emptyLedger()
	if err != nil {
		t.Fatal(err)
	}
	if path, err := a.LocalPath("ledger.db"); err != nil || os.WriteFile(path, data, 0o666) != nil {
		t.Fatal(path, err)
	}
	if _, err := accession.Add(context.Background(), a, []string{in}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	return a, s
}

// emptyLedger returns the file of a ledger without claims. Making one takes 40 ms of the processor; a test run needs hundreds.
var emptyLedger = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(filepath.Join(dir, "one"))
	if err != nil {
		return nil, err
	}
	l.Close() // its one file then has all
	return os.ReadFile(filepath.Join(dir, "one"))
})

// Seal stages consents and signs all that is staged.
func Seal(t testing.TB, a *archive.Archive, s sign.Signer, consents ...history.ConsentOptions) {
	t.Helper()
	for _, c := range consents {
		if _, err := history.Consent(a, c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "test", Signer: s}); err != nil {
		t.Fatal(err)
	}
}

// ReopenWithClock returns the archive opened once more, with another clock.
func ReopenWithClock(t testing.TB, a *archive.Archive, now func() time.Time) *archive.Archive {
	w := a.World()
	w.Now = now
	return reopen(t, a, w)
}

// ReopenWithJudge returns the archive opened once more, with a model that judges
// and another one at the same address that drafts.
func ReopenWithJudge(t testing.TB, a *archive.Archive, judge *archive.Judge) *archive.Archive {
	w := a.World()
	w.Drafter = judge
	w.Judge = &archive.Judge{URL: judge.URL, Model: strings.TrimPrefix(judge.Model+"-judge", "-"), Key: judge.Key, Timeout: judge.Timeout, Backoff: judge.Backoff}
	return reopen(t, a, w)
}

// ReopenWithModels returns the archive opened once more, with a model that drafts,
// one that judges and one that ranks passages; each may be nil.
func ReopenWithModels(t testing.TB, a *archive.Archive, drafter, judge, reranker *archive.Judge) *archive.Archive {
	w := a.World()
	w.Drafter, w.Judge, w.Reranker = drafter, judge, reranker
	return reopen(t, a, w)
}

// reopen returns the archive opened once more in another world.
func reopen(t testing.TB, a *archive.Archive, w archive.World) *archive.Archive {
	t.Helper()
	b, err := archive.Open(a.Dir(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// NewLetters returns an archive with n snapshots, each of which adds one letter,
// and the key that signed them.
func NewLetters(t *testing.T, n int) (*archive.Archive, sign.Signer) {
	t.Helper()
	a, s := New(t, map[string]string{"letter-1.txt": "Letter 1 of the mill.\n"})
	Seal(t, a, s)
	for i := 2; i <= n; i++ {
		AddLetter(t, a, s, fmt.Sprintf("Letter %d of the mill.\n", i))
	}
	return a, s
}

// AddLetter adds a text and signs the next snapshot.
func AddLetter(t *testing.T, a *archive.Archive, s sign.Signer, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), fmt.Sprintf("letter-%x.txt", text[:min(12, len(text))]))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	Seal(t, a, s)
}

// NewKey returns a new key.
func NewKey(t *testing.T) sign.Signer {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Papers are five letters and notes by file name, for tests of the pipeline.
var Papers = map[string]string{
	"1931-03-14.txt": "Harrow Weir, 14 March 1931\n\nDear Ruth,\n\nThe mill wheel has stopped. There is flour for nine days.\n",
	"1931-04-02.txt": "Harrow Weir, 2 April 1931\n\nDear Ruth,\n\nTobias Lunt repaired the mill wheel. He would take no money for it, only flour.\n",
	"1935-08-16.txt": "16 August 1935\n\nDr. Marsh listened to my heart and told me to give up the ladder.\n",
	"1936-05-03.txt": "3 May 1936\n\nInes Roth told me about the lantern in the chapel.\n",
	"1937-01-09.txt": "9 January 1937\n\nThe brass telescope came from Bremen in a crate of straw.\n",
}

// LoadKey returns the key in a file without a passphrase.
func LoadKey(t testing.TB, path string) sign.Signer {
	t.Helper()
	s, err := sshkey.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
