//go:build unix

package objects

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
)

// A process is killed at every operation of a publish.
func TestKillAtEveryOperation(t *testing.T) {
	if dir := os.Getenv("OBJECTS_KILL_DIR"); dir != "" {
		killedChild(t, dir)
		return
	}
	needGit(t)
	base := newStore(t)
	want := commitLetters(t, base, 0, 3)
	old, _ := base.Ref("refs/heads/main")
	publish(t, newBatch(t, base), RefUpdate{"refs/muniment/staged", Hash{}, old})
	killed := 0
	for at := 1; ; at++ {
		dir := filepath.Join(t.TempDir(), "archive.git")
		if err := os.CopyFS(dir, os.DirFS(base.dir)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKillAtEveryOperation$")
		cmd.Env = append(os.Environ(), "OBJECTS_KILL_DIR="+dir, "OBJECTS_KILL_AT="+strconv.Itoa(at))
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("child at %d: %v\n%s", at, err, out)
		}
		killed++
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		main, err := r.Ref("refs/heads/main")
		if err != nil {
			t.Fatal(err)
		}
		if main == old {
			wantLetters(t, r, want)
			if _, err := publishOnce(r, old, old); err != nil {
				t.Errorf("kill at %d: the next writer: %v", at, err)
			}
		} else if staged, _ := r.Ref("refs/muniment/staged"); !staged.IsZero() {
			l, err := r.Lock(testOwner(), 0)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := r.NewBatch()
			if err := b.Publish(l, RefUpdate{"refs/muniment/staged", old, Hash{}}); err != nil {
				t.Errorf("kill at %d: deleting the staged ref: %v", at, err)
			}
			l.Unlock()
		}
		l, err := r.Lock(testOwner(), 0)
		if err != nil {
			t.Fatalf("kill at %d: %v", at, err)
		}
		if _, err := r.Sweep(l); err != nil {
			t.Error(err)
		}
		l.Unlock()
		for _, p := range r.Doctor() {
			t.Errorf("kill at %d: doctor after sweep: %v", at, p)
		}
		if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil && at%5 == 0 {
			fsck(t, r)
		}
		r.Close()
	}
	if killed < 20 {
		t.Errorf("%d processes were killed, want some 30", killed)
	}
}

func killedChild(t *testing.T, dir string) {
	at, err := strconv.Atoi(os.Getenv("OBJECTS_KILL_AT"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	old, _ := s.Ref("refs/heads/main")
	var n atomic.Int64
	s.disk.Before = func(string, string) error {
		if n.Add(1) == int64(at) {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	if _, err := publishOnce(s, old, old); err != nil {
		t.Fatal(err)
	}
}
