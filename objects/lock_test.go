package objects

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLockBusy(t *testing.T) {
	s := newStore(t)
	l := lock(t, s)
	other := reopen(t, s)
	var busy *BusyError
	if _, err := other.Lock(testOwner(), 0); !errors.As(err, &busy) || busy.Owner != testOwner() {
		t.Fatalf("second lock: %v", err)
	}
	if got := busy.Error(); !strings.Contains(got, fmt.Sprint("process ", os.Getpid(), " on here since 2026-01-02T03:04:05Z")) {
		t.Errorf("says %q", got)
	}
	unlocked := make(chan error)
	go func() {
		time.Sleep(100 * time.Millisecond)
		unlocked <- l.Unlock()
	}()
	l2, err := other.Lock(testOwner(), 20*time.Second)
	if err != nil {
		t.Fatalf("waiting: %v", err)
	}
	if err := errors.Join(<-unlocked, l2.Unlock(), l2.Unlock(), l.Unlock()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.path(lockFile)); err == nil {
		t.Error("the lock file is still there")
	}
}

func TestLockOfDeadOwner(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 1)
	tip, _ := s.Ref("HEAD")
	refLock := s.path("refs", "heads", "main.lock")
	for _, c := range []struct {
		name, lock string
		broken     bool
		refLock    string // content of main.lock
		refBroken  bool
	}{
		{"dead here", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\n", deadPID(t)), true, "", false},
		{"dead elsewhere", fmt.Sprintf("pid %d\nhost there\nstart 2026-01-02T03:04:05Z\nprocess -\n", deadPID(t)), false, "", false},
		{"alive", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\n", os.Getpid()), false, "", false},
		{"cut short", "pid 12\nho", true, "", false},
		{"empty", "", true, "", false},
		{"its ref lock", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\nref refs/heads/main %s\n", deadPID(t), tip), true, tip.String() + "\n", true},
		{"its half ref lock", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\nref refs/heads/main %s\n", deadPID(t), tip), true, tip.String()[:9], true},
		{"git's ref lock", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\nref refs/heads/main %s\n", deadPID(t), tip), true, h1.String() + "\n", false},
		{"hostile", fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\nref ../../x %s\n", deadPID(t), tip), true, "", false},
	} {
		if err := os.WriteFile(s.path(lockFile), []byte(c.lock), 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(refLock)
		if c.refLock != "" {
			if err := os.WriteFile(refLock, []byte(c.refLock), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l, err := s.Lock(testOwner(), 0)
		var busy *BusyError
		if c.broken != (err == nil) || err != nil && !errors.As(err, &busy) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.refLock != "" {
			if _, err := os.Stat(refLock); c.refBroken != (err != nil) {
				t.Errorf("%s: the ref lock: %v", c.name, err)
			}
		}
		if l != nil {
			l.Unlock()
		}
		os.Remove(s.path(lockFile))
	}
	os.Remove(refLock)
}

// A process number in use again does not keep a lock alive; one that holds in
// another container says nothing here.
func TestLockOfReusedPID(t *testing.T) {
	now := markOf(os.Getpid())
	if now.boot == "-" || now.space == "-" || now.tick == "-" {
		t.Skip("skipped: this system does not show when a process began")
	}
	for _, c := range []struct {
		name   string
		mark   processMark
		broken bool
	}{
		{"itself", now, false},
		{"later process", processMark{now.boot, now.space, now.tick + "1"}, true},
		{"another boot", processMark{"b00t", now.space, now.tick}, true},
		{"another container", processMark{now.boot, "pid:[1]", now.tick + "1"}, false},
		{"unknown", processMark{"-", "-", "-"}, false},
	} {
		s := newStore(t)
		text := fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess %s\n", os.Getpid(), c.mark)
		if err := os.WriteFile(s.path(lockFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Lock(testOwner(), 0); c.broken != (err == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Many writers that all find a dead owner's lock: one at a time gets through.
func TestLockContention(t *testing.T) {
	s := newStore(t)
	text := fmt.Sprintf("pid %d\nhost here\nstart 2026-01-02T03:04:05Z\nprocess -\n", deadPID(t))
	if err := os.WriteFile(s.path(lockFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var inside, total atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		r := reopen(t, s)
		wg.Go(func() {
			for range 3 {
				l, err := r.Lock(testOwner(), time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two writers at once")
				}
				total.Add(1)
				inside.Add(-1)
				if err := l.Unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if total.Load() != 18 {
		t.Errorf("%d locks, want 18", total.Load())
	}
}

func TestLockLost(t *testing.T) {
	s := newStore(t)
	l := lock(t, s)
	if err := os.WriteFile(s.path(lockFile), []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := newBatch(t, s)
	h := put(t, b, Blob, "x")
	if err := b.Publish(l, RefUpdate{"refs/heads/main", Hash{}, h}); err == nil {
		t.Error("published with a lock that another took")
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(s.path(lockFile)); string(data) != "another" {
		t.Error("unlocking removed another's lock")
	}
	for _, o := range []Owner{{}, {PID: 1}, {Host: "x"}, {PID: 1, Host: "a\nb"}} {
		if _, err := s.Lock(o, 0); err == nil {
			t.Errorf("locked by %v", o)
		}
	}
}

// Two processes publish to one ref: the second sees that it moved.
func TestTwoWriters(t *testing.T) {
	s := newStore(t)
	want := commitLetters(t, s, 0, 2)
	old, _ := s.Ref("HEAD")
	other := reopen(t, s)
	b1, b2 := newBatch(t, s), newBatch(t, other)
	c1 := put(t, b1, Commit, commitText(mustTree(t, s, old), 7, old))
	c2 := put(t, b2, Commit, commitText(mustTree(t, s, old), 8, old))
	publish(t, b1, RefUpdate{"refs/heads/main", old, c1})
	l := lock(t, other)
	var moved *RefError
	if err := b2.Publish(l, RefUpdate{"refs/heads/main", old, c2}); !errors.As(err, &moved) || moved.Have != c1 {
		t.Errorf("the second writer: %v", err)
	}
	if got, _ := other.Ref("HEAD"); got != c1 {
		t.Errorf("main is %s, want %s", got, c1)
	}
	wantLetters(t, other, want)
}

func mustTree(t *testing.T, s *Store, c Hash) Hash {
	t.Helper()
	h, err := s.TreeOf(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
