//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/internal/casecount"
)

// With hundreds of snapshots, as many packs that cannot be merged, and no more than 64 open
// files every command does what it does otherwise.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	snapshots := casecount.Of(100, 2000)
	p := newPlace(t)
	if dir, err := os.MkdirTemp("/dev/shm", "muniment-"); err == nil { // each pack is synced
		t.Cleanup(func() { os.RemoveAll(dir) })
		p.dir, p.env["MUNIMENT_HOME"] = dir, filepath.Join(dir, ".keys")
	}
	p.must("key", "new")
	p.must("init", "letters", "--subject", "Ada Fenwick")
	for name, text := range archivetest.Papers {
		p.write("in/"+name, text)
	}
	p.must("-C", "letters", "add", "in")
	p.must("-C", "letters", "snapshot", "-m", "the papers")
	a, err := archive.Open(p.path("letters"), archivetest.World())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	archivetest.SignMany(t, a, archivetest.LoadKey(t, p.path(".keys/default")), snapshots-1)
	archivetest.SplitPacks(t, a, snapshots)
	p.write("new.txt", "A new letter of the mill.\n")
	if err := os.MkdirAll(p.path("remote.git"), 0o777); err != nil {
		t.Fatal(err)
	}
	archivetest.NewBareRepository(t, p.path("remote.git"))
	run := func(code int, args ...string) result {
		t.Helper()
		cmd := p.command(args...)
		cmd.Args = append([]string{"sh", "-c", `ulimit -n 64 && exec muniment "$@"`, "sh"}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		r := p.finish(cmd)
		if r.code != code {
			t.Errorf("muniment %q: exit %d, want %d\n%s%s", args, r.code, code, r.stdout, r.stderr)
		}
		return r
	}
	in := func(code int, args ...string) result {
		t.Helper()
		return run(code, append([]string{"-C", "letters"}, args...)...)
	}
	in(0, "status")
	in(0, "log", "--json")
	in(0, "ls")
	in(0, "cat", "1931-03-14.txt")
	in(0, "show", "1931-03-14.txt")
	in(0, "diff", fmt.Sprint(snapshots*3/4))
	in(0, "search", "mill wheel")
	in(3, "cite", "--artifact", "1931-04-02.txt", "--quote", "He would take no money for it", "--claim", "He took no money.")
	in(0, "citations")
	in(0, "ask", "Who repaired the mill wheel?")
	in(0, "consent", "1931-03-14.txt", "--display", "off", "--reason", "a wish")
	in(0, "add", "new.txt")
	in(0, "snapshot", "-m", "one more")
	in(0, "tag", "v1")
	in(0, "fixity")
	in(0, "doctor")
	if r := in(3, "verify"); !regexp.MustCompile(`(?i)0 failed|no problem|not checked`).MatchString(r.stdout) {
		t.Errorf("verify: %s", r.stdout)
	}
	in(0, "remote", "add", "disk", p.path("remote.git"))
	in(0, "push", "disk")
	in(0, "fetch", "disk")
	in(0, "sync")
	run(0, "clone", p.path("remote.git"), "copy")
	in(0, "repair", "--from", "disk")
	in(0, "export", "--bag", p.path("bag"))
	in(0, "gc")
	kept, err := filepath.Glob(p.path("letters/archive.git/objects/pack/*.keep"))
	if err != nil || len(kept) < snapshots {
		t.Fatalf("%d packs, %v", len(kept), err)
	}
	for _, path := range kept {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	in(0, "gc")
	left, err := filepath.Glob(p.path("letters/archive.git/objects/pack/*.pack"))
	if err != nil || len(left) > 8 {
		t.Errorf("%d packs after gc, %v", len(left), err)
	}
	in(3, "verify")
	in(0, "log")
}
