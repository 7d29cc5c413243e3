//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Two processes that write at once: each waits for the other, or is told who
// holds the lock (exit 11). Whatever they answer, what they acknowledged is
// there, the archive verifies, and a process that was told to wait succeeds
// when it is run again.
func TestTwoWritersOfEachKind(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	for _, pair := range []struct {
		name        string
		left, right []string
	}{
		{"add and snapshot", []string{"add", "many"}, []string{"snapshot", "-m", "at once"}},
		{"add and fetch", []string{"add", "many"}, []string{"fetch", "far"}},
		{"snapshot and withdraw", []string{"snapshot", "-m", "at once"}, []string{"withdraw", "base.txt", "--reason", "asked", "--authority", "the board"}},
	} {
		t.Run(pair.name, func(t *testing.T) {
			p := newPlace(t)
			p.must("key", "new")
			p.write("allowed", p.must("key", "trust").stdout)
			p.must("init", "letters")
			p.write("base.txt", "The base of it all.\n")
			p.must("-C", "letters", "add", "base.txt")
			p.must("-C", "letters", "snapshot", "-m", "base")
			if pair.right[0] == "fetch" {
				if out, err := exec.Command("git", "init", "-q", "--bare", "-b", "main", p.path("far.git")).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				p.must("-C", "letters", "remote", "add", "far", "far.git")
				p.must("-C", "letters", "push", "far")
				p.must("clone", "far.git", "copy")
				p.write("theirs.txt", "From the other reading room.\n")
				p.must("-C", "copy", "add", "theirs.txt")
				p.must("-C", "copy", "snapshot", "-m", "theirs")
				p.must("-C", "copy", "push", "origin")
			} else {
				p.write("staged.txt", "It waits for the snapshot.\n")
				p.must("-C", "letters", "add", "staged.txt")
			}
			for i := range 150 {
				p.write(fmt.Sprintf("many/%03d.txt", i), fmt.Sprintf("Letter %d.\n%s", i, strings.Repeat("The mill wheel turns. ", 300)))
			}
			results := make(chan [2]any, 2)
			for _, args := range [][]string{pair.left, pair.right} {
				go func() { results <- [2]any{args, p.run(append([]string{"-C", "letters"}, args...)...)} }()
			}
			for range 2 {
				r := <-results
				args, got := r[0].([]string), r[1].(result)
				switch got.code {
				case 0:
				case exitBusy:
					p.must(append([]string{"-C", "letters"}, args...)...)
				default: // an add came first, and a fetch of newer snapshots says what to do
					if args[0] != "fetch" || got.code != exitUsage || !strings.Contains(got.stderr, "staged") {
						t.Errorf("%v: exit %d\n%s", args, got.code, got.stderr)
					}
				}
				if err := checkVoice(got.stderr, got.code); err != nil {
					t.Error(err)
				}
			}
			// Nothing of either is lost: the next snapshot holds it all.
			if doc := p.must("-C", "letters", "status", "--json").document(t); doc["clean"] != true {
				p.must("-C", "letters", "snapshot", "-m", "the rest")
			}
			p.must("-C", "letters", "verify", "--trust", "allowed")
			names := p.must("-C", "letters", "ls").stdout
			if pair.left[0] == "add" && strings.Count(names, "many/") != 150 {
				t.Errorf("%d of 150 letters are there", strings.Count(names, "many/"))
			}
			if pair.right[0] == "withdraw" && strings.Contains(names, "base.txt") {
				t.Errorf("what was withdrawn is there:\n%s", names)
			}
			if out := fsck(p.path("letters/archive.git")); out != "" {
				t.Errorf("git fsck: %s", out)
			}
		})
	}
}

// The lock of a process that lives is respected and its owner named. That of
// one that is gone is broken, also where its number has come to mean another.
func TestLockOwner(t *testing.T) {
	t.Parallel()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() { child.Process.Kill(); child.Wait() })
	defer end()
	pid := child.Process.Pid
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	add := func(name, mark string) result {
		p.write("letters/archive.git/muniment.lock", fmt.Sprintf("pid %d\nhost %s\nstart %s\nprocess %s\n", pid, host, since.Format(time.RFC3339), mark))
		p.write(name, "The letter "+name+".\n")
		return p.run("-C", "letters", "add", name)
	}

	const unknown = "- - -" // what the system does not show
	got := add("live.txt", unknown)
	if want := fmt.Sprintf("pid %d on %s since 2026-01-02", pid, host); got.code != exitBusy || !strings.Contains(got.stderr, want) {
		t.Errorf("a living owner: exit %d, want %q\n%s", got.code, want, got.stderr)
	}
	if err := checkVoice(got.stderr, got.code); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		if got := add("reused.txt", "- - 1"); got.code != 0 { // that one began with the machine
			t.Errorf("the number of another process: exit %d\n%s", got.code, got.stderr)
		}
	}
	end()
	if got := add("dead.txt", unknown); got.code != 0 {
		t.Errorf("a dead owner: exit %d\n%s", got.code, got.stderr)
	}
	if _, err := os.Stat(p.path("letters/archive.git/muniment.lock")); err == nil {
		t.Error("the lock is still there")
	}
}
