package muniment_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"muniment"
	"muniment/archive"
	"muniment/sign/sshkey"
)

// An Archive is used by many goroutines at once, while another takes papers in and signs
// snapshots: they cite, list, search and ask, and no citation is lost or registered twice.
func TestConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	key, err := sshkey.Generate(rand.Reader, filepath.Join(dir, "key"), "concurrent", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := muniment.Init(filepath.Join(dir, "letters"), muniment.InitOptions{Subject: "Ada Vale"}, muniment.World{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	const papers, goroutines, calls = 8, 16, 6
	addPaper := func(n int) error {
		path := filepath.Join(dir, fmt.Sprintf("letter-%03d.txt", n))
		text := fmt.Sprintf("Harrow, %d April 1931\n\nThe mill wheel number %d has stopped. There is flour for %d days.\n", n%28+1, n, n+2)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
		if _, err := a.Add(t.Context(), []string{path}, muniment.AddOptions{}); err != nil {
			return err
		}
		_, err := a.Snapshot(muniment.SnapshotOptions{Text: "more letters", Signer: key})
		return err
	}
	for n := range papers {
		if err := addPaper(n); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	numbers := map[int64]string{}
	var asked atomic.Int64
	for g := range goroutines {
		all.Go(func() {
			for i := range calls {
				n := (g + i) % papers
				words := fmt.Sprintf("There is flour for %d days.", n+2)
				r, err := a.Cite(muniment.CiteOptions{Artifact: fmt.Sprintf("letter-%03d.txt", n), Quote: words, Claim: words, Session: fmt.Sprintf("s%d", g), Key: fmt.Sprintf("k%d", i)})
				if err != nil || r.VerificationStatus != "verified" {
					t.Errorf("goroutine %d, call %d: %+v, %v", g, i, r, err)
					return
				}
				mu.Lock()
				if was := numbers[r.CitationID]; was != "" {
					t.Errorf("citation %d is that of %s and of s%d k%d", r.CitationID, was, g, i)
				}
				numbers[r.CitationID] = fmt.Sprintf("s%d k%d", g, i)
				mu.Unlock()
				if list, err := a.List("letter-"); err != nil || len(list) < papers {
					t.Errorf("list: %d artifacts, %v", len(list), err)
				}
				if found, err := a.Search(t.Context(), "mill wheel flour", 5); err != nil || len(found.Hits) == 0 {
					t.Errorf("search: %v", err)
				}
				if i%3 == 0 {
					question := fmt.Sprintf("For how many days is there flour at mill wheel number %d?", n)
					ask := func() error {
						_, err := a.Ask(t.Context(), question, muniment.AskOptions{Signer: key, BundleFile: filepath.Join(dir, fmt.Sprintf("answer-%d-%d.zip", g, i))})
						return err
					}
					if err := patiently(ask); err != nil {
						t.Errorf("ask: %v", err)
					}
					asked.Add(1)
				}
			}
		})
	}
	all.Go(func() {
		for n := papers; n < papers+3; n++ {
			if err := patiently(func() error { return addPaper(n) }); err != nil {
				t.Errorf("adding a paper: %v", err)
			}
		}
	})
	all.Wait()
	e, err := a.Engine(muniment.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range goroutines {
		list, err := e.CitationsBySession(fmt.Sprintf("s%d", g))
		if err != nil || len(list) != calls {
			t.Errorf("session %d has %d citations, want %d: %v", g, len(list), calls, err)
		}
	}
	if asked.Load() != goroutines*calls/3 {
		t.Errorf("%d questions were answered, want %d", asked.Load(), goroutines*calls/3)
	}
}

// patiently calls fn again while another writer has the archive.
func patiently(fn func() error) error {
	for {
		err := fn()
		var busy *muniment.Error
		if !errors.As(err, &busy) || busy.Kind != archive.TypeBusy {
			return err
		}
	}
}
