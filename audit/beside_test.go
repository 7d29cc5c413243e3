package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// keepWriting adds a letter, cites it, signs, tags and countersigns, again and again until
// the test says so, and returns how often. Its archive is opened by itself, as another process
// opens it.
func keepWriting(t *testing.T, dir string, w archive.World, key sign.Signer, done <-chan struct{}) <-chan int {
	t.Helper()
	result := make(chan int, 1)
	a, err := archive.Open(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	witness := archivetest.NewKey(t)
	in := t.TempDir()
	write := func(i int) error {
		file := filepath.Join(in, fmt.Sprintf("beside-%d.txt", i))
		if err := os.WriteFile(file, fmt.Appendf(nil, "Letter %d was written meanwhile.\n", i), 0o666); err != nil {
			return err
		}
		if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{}); err != nil {
			return err
		}
		if _, err := engine.Cite(a, engine.CiteOptions{Artifact: filepath.Base(file), Quote: "was written meanwhile", Claim: "It was written meanwhile.", Session: "s", Agent: "a"}); err != nil {
			return err
		}
		if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "meanwhile", Signer: key}); err != nil {
			return err
		}
		if i%5 > 0 {
			return nil
		}
		if _, err := history.Countersign(a, "", witness); err != nil {
			return err
		}
		_, err := history.Tag(a, history.TagOptions{Name: fmt.Sprintf("t%d", i), Signer: key})
		return err
	}
	go func() {
		n := 0
		defer func() { a.Close(); result <- n }()
		for {
			select {
			case <-done:
				return
			default:
			}
			if err := write(n); err != nil {
				t.Errorf("the writer, after %d snapshots: %v", n, err)
				return
			}
			n++
		}
	}()
	return result
}

// A verification and a doctor raise no alarm while another process signs: in a copy that
// is opened for each run, and in one that stays open, as in a server.
func TestVerifyBesideWriter(t *testing.T) {
	dir := filepath.Join(memory(t), "a")
	made, key := archivetest.New(t, map[string]string{"1931.txt": archivetest.Papers["1931-03-14.txt"]})
	archivetest.Seal(t, made, key)
	if err := os.CopyFS(dir, os.DirFS(made.Dir())); err != nil {
		t.Fatal(err)
	}
	open, err := archive.Open(dir, liveWorld())
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	done := make(chan struct{})
	written := keepWriting(t, dir, made.World(), key, done)
	var verified, examined, alarms, faults atomic.Int64
	complain := func(n *atomic.Int64, format string, args ...any) {
		if n.Add(1) <= 3 {
			t.Errorf(format, args...)
		}
	}
	span := 2 * time.Second
	if os.Getenv("MUNIMENT_LONG") != "" {
		span = 20 * time.Second
	}
	end := time.Now().Add(span)
	var looking sync.WaitGroup
	keepLooking := func(look func(a *archive.Archive)) {
		looking.Go(func() {
			for now := time.Now(); now.Before(end) || verified.Load() < 10 && now.Before(end.Add(time.Minute)); now = time.Now() { // longer on a slow machine
				look(open)
				a, err := archive.Open(dir, liveWorld())
				if err != nil {
					t.Error(err)
					return
				}
				look(a)
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	keepLooking(func(a *archive.Archive) {
		v, err := Verify(a, ArchiveVerifyOptions{})
		if verified.Add(1); err != nil || v.Verdict == bundle.Invalid {
			complain(&alarms, "verify beside a writer: %v, %+v", err, v)
		}
	})
	keepLooking(func(a *archive.Archive) {
		checks, err := Doctor(a)
		if examined.Add(1); err != nil || slices.ContainsFunc(checks, func(c Check) bool { return c.State == "failed" }) {
			complain(&faults, "doctor beside a writer: %v, %+v", err, checks)
		}
	})
	looking.Wait()
	close(done)
	n := <-written
	t.Logf("%d snapshots; %d verifications, %d alarms; %d doctors, %d faults", n, verified.Load(), alarms.Load(), examined.Load(), faults.Load())
	if n < 5 || verified.Load() < 10 {
		t.Errorf("too few: %d snapshots, %d verifications", n, verified.Load())
	}
}
