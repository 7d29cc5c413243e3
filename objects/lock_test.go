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
		host   string
		broken bool
	}{
		{"itself", now, "here", false},
		{"later process", processMark{now.boot, now.space, now.tick + "1"}, "here", true},
		{"another boot", processMark{"b00t", now.space, now.tick}, "here", true},
		{"another container", processMark{now.boot, "pid:[1]", now.tick + "1"}, "here", false},
		{"unknown", processMark{"-", "-", "-"}, "here", false},
		{"itself, before the machine got its name", now, "localhost", false},
		{"a dead one, before the machine got its name", processMark{now.boot, now.space, now.tick + "1"}, "localhost", true},
		{"another container of another name", processMark{now.boot, "pid:[1]", now.tick + "1"}, "a1b2c3", false},
		{"another machine", processMark{"b00t", now.space, now.tick}, "there", false},
		{"another machine that shows nothing", processMark{"-", "-", "-"}, "there", false},
	} {
		s := newStore(t)
		text := fmt.Sprintf("pid %d\nhost %s\nstart 2026-01-02T03:04:05Z\nprocess %s\n", os.Getpid(), c.host, c.mark)
		if err := os.WriteFile(s.path(lockFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Lock(testOwner(), 0); c.broken != (err == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A person may break the lock of an owner that nobody can look at, not that of one
// that is alive, and not one that another process has taken meanwhile.
func TestBreakLock(t *testing.T) {
	s := newStore(t)
	if h, err := s.Holder("here"); h != nil || err != nil {
		t.Errorf("without a lock: %+v, %v", h, err)
	}
	write := func(text string) {
		if err := os.WriteFile(s.path(lockFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := "pid 12\nhost there\nstart 2026-01-02T03:04:05Z\nprocess b00t pid:[1] 7\ntoken abcd\n"
	write(elsewhere)
	h, err := s.Holder("here")
	if err != nil || h.State != OwnerUnknown || h.Owner.PID != 12 || h.Owner.Host != "there" || h.Owner.Token != "abcd" {
		t.Fatalf("%+v, %v", h, err)
	}
	var busy *BusyError
	write(strings.Replace(elsewhere, "abcd", "abce", 1))
	if err := s.Break(h, "here"); !errors.As(err, &busy) {
		t.Errorf("a lock that another process has taken: %v", err)
	}
	write(elsewhere)
	if err := s.Break(h, "here"); err != nil {
		t.Error(err)
	}
	if err := s.Break(h, "here"); err != nil {
		t.Errorf("once more: %v", err)
	}
	me := testOwner()
	me.Token = "0123"
	l, err := s.Lock(me, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	h, err = s.Holder("here")
	if err != nil || h.State != OwnerAlive || h.Owner != me {
		t.Fatalf("%+v, %v", h, err)
	}
	if err := s.Break(h, "here"); !errors.As(err, &busy) || busy.State != OwnerAlive {
		t.Errorf("the lock of a living owner: %v", err)
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
