package archivetest

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// World is a real world with a fixed archivist.
func World() archive.World {
	return archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test", Author: "Test Archivist <archivist@archive.invalid>"}
}

// NewSigner makes a key and the trust in it.
func NewSigner(t *testing.T) (sign.Signer, *sign.AllowedSigners) {
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

// New makes an archive of papers, signed once.
func New(t testing.TB, files map[string]string) (*archive.Archive, sign.Signer) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sshkey.Generate(rand.Reader, filepath.Join(dir, "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	w := archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test", Author: "Test <test@archive.invalid>"}
	a, err := archive.Init(filepath.Join(dir, "a"), archive.InitOptions{Subject: "Ada Fenwick", Died: "1961-11-08"}, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if _, err := accession.Add(context.Background(), a, []string{in}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	return a, s
}

// Seal stages consents and signs.
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

// ReopenWithClock opens the archive once more, with another clock.
func ReopenWithClock(t testing.TB, a *archive.Archive, now func() time.Time) *archive.Archive {
	w := a.World()
	w.Now = now
	return reopen(t, a, w)
}

// ReopenWithJudge opens the archive once more, with a model that judges and drafts.
func ReopenWithJudge(t testing.TB, a *archive.Archive, judge *archive.Judge) *archive.Archive {
	w := a.World()
	w.Judge = judge
	return reopen(t, a, w)
}

func reopen(t testing.TB, a *archive.Archive, w archive.World) *archive.Archive {
	t.Helper()
	b, err := archive.Open(a.Dir(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}
