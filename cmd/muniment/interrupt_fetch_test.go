//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"muniment/internal/casecount"
)

// TestKilledFetch kills fetches and clones at several moments each. The archive is
// as it was, or whole with what came; a clone's folder is not there, or whole;
// the next run sweeps what was left and comes through.
func TestKilledFetch(t *testing.T) {
	t.Parallel()
	moments := casecount.Of(2, 10)
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	p.write("one.txt", "One.\n")
	p.must("-C", "letters", "add", "one.txt")
	p.must("-C", "letters", "snapshot", "-m", "one")
	p.must("clone", "letters", "copy")
	manyFiles(p, "many", 60)
	p.must("-C", "letters", "add", "many")
	p.must("-C", "letters", "snapshot", "-m", "many")
	p.write("allowed", p.must("key", "trust").stdout)

	// kill runs a command and kills it after a while; it reports whether it came
	// to its end before.
	kill := func(after time.Duration, args ...string) bool {
		cmd := p.command(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { cmd.Process.Signal(syscall.SIGKILL) })
		defer timer.Stop()
		return cmd.Wait() == nil
	}
	// age makes what is left look as old as what is swept.
	age := func(pattern string) int {
		left, err := filepath.Glob(p.path(pattern))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Hour)
		for _, dir := range left {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
		return len(left)
	}
	begun := time.Now()
	p.must("clone", "letters", "whole")
	long := time.Since(begun)
	killed, seen := 0, 0
	for i := range moments {
		after := long * time.Duration(i+1) / time.Duration(moments+1)
		into := fmt.Sprintf("clone%d", i)
		if !kill(after, "clone", "letters", into) {
			killed++
		}
		if _, err := os.Stat(p.path(into)); err == nil {
			p.must("-C", into, "verify", "--trust", p.path("allowed"))
		}
		seen += age(".muniment-clone-*/fetch-*")

		p.must("clone", "letters", fmt.Sprintf("old%d", i)) // sweeps the ones above
		if left, _ := filepath.Glob(p.path(".muniment-clone-*/fetch-*")); len(left) > 0 {
			t.Errorf("clone %d: %v was left", i, left)
		}
	}
	for i := range moments {
		before := p.state("copy")
		done := kill(long*time.Duration(i+1)/time.Duration(moments+1), "-C", "copy", "fetch", p.path("letters"))
		if !done {
			killed++
		}
		seen += age("copy/archive.local/incoming/fetch-*")
		if now := p.state("copy"); now == before {
			continue
		}
		p.must("-C", "copy", "verify", "--trust", p.path("allowed"))
		break // it has all there is
	}
	p.must("-C", "copy", "verify", "--trust", p.path("allowed"))
	p.must("-C", "copy", "doctor", "--sweep", "--yes") // asks only where something is left
	p.must("-C", "copy", "fetch", p.path("letters"))
	if left, _ := filepath.Glob(p.path("copy/archive.local/incoming/fetch-*")); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
	p.must("-C", "copy", "verify", "--trust", p.path("allowed"))
	if killed == 0 {
		t.Error("nothing was killed in time")
	}
	t.Logf("%d killed, %d quarantines left behind and swept", killed, seen)
}
