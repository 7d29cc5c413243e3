package objects

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var errInjected = errors.New("injected")

// faults counts operations; the at-th fails, and if dead every later one does
// too, as if the process had stopped.
type faults struct {
	mu    sync.Mutex
	n, at int
	dead  bool
	ops   []string
	moved bool // the ref was renamed before the fault
}

func (f *faults) step(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	f.ops = append(f.ops, op+" "+filepath.Base(path))
	if f.n == f.at || f.dead && f.at > 0 && f.n > f.at {
		return errInjected
	}
	if op == "rename" && filepath.Base(path) == "main" {
		f.moved = true
	}
	return nil
}

// publishOnce does one add: a batch of letters, a tree, a commit, main moved
// and a staged ref deleted.
func publishOnce(s *Store, old, staged Hash) (tip Hash, err error) {
	b, err := s.NewBatch()
	if err != nil {
		return Hash{}, err
	}
	defer b.Abort()
	var edits []Edit
	for i := range 30 {
		h, err := b.Put(Blob, []byte(letter(1000+i)))
		if err != nil {
			return Hash{}, err
		}
		edits = append(edits, Edit{fmt.Sprintf("new/%d", i), h})
	}
	root, err := s.TreeOf(old)
	if err != nil {
		return Hash{}, err
	}
	if root, err = b.Edit(root, edits); err != nil {
		return Hash{}, err
	}
	if tip, err = b.Put(Commit, []byte(commitText(root, 99, old))); err != nil {
		return Hash{}, err
	}
	l, err := s.Lock(testOwner(), 0)
	if err != nil {
		return Hash{}, err
	}
	err = b.Publish(l, RefUpdate{"refs/heads/main", old, tip}, RefUpdate{"refs/muniment/staged", staged, Hash{}})
	if e := l.Unlock(); e != nil {
		err = errors.Join(err, e, l.Unlock())
	}
	return tip, err
}

// The order of operations is the one the package promises.
func TestPublishOrder(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 3)
	old, _ := s.Ref("refs/heads/main")
	publish(t, newBatch(t, s), RefUpdate{"refs/muniment/staged", Hash{}, old})
	var f faults
	s.disk.Before = f.step
	if _, err := publishOnce(s, old, old); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range f.ops {
		verb, name, _ := strings.Cut(op, " ")
		switch {
		case strings.HasPrefix(name, "tmp_"):
			name = name[:len("tmp_idx")]
		case strings.HasPrefix(name, "pack-"):
			name = "pack-*" + filepath.Ext(name)
		}
		if op = verb + " " + strings.TrimSuffix(name, "_"); len(got) == 0 || got[len(got)-1] != op {
			got = append(got, op)
		}
	}
	want := []string{
		"create muniment.lock", "write muniment.lock",
		"create tmp_pac", "write tmp_pac", "chmod tmp_pac", "sync tmp_pac",
		"create tmp_idx", "write tmp_idx", "chmod tmp_idx", "sync tmp_idx",
		"rename pack-*.idx", "rename pack-*.pack", "syncdir pack",
		"write muniment.lock",
		"create main.lock", "write main.lock", "sync main.lock",
		"create staged.lock",
		"rename main", "syncdir heads",
		"remove staged", "syncdir muniment", "remove staged.lock",
		"remove muniment.lock",
	}
	// The batch's file is made while the lock is, by another goroutine.
	made := func(ops []string) []string {
		i := slices.Index(ops, "create tmp_pac")
		if i < 0 || i > slices.Index(ops, "write tmp_pac") {
			t.Errorf("the pack is not made before it is written: %q", ops)
			return ops
		}
		return slices.Delete(slices.Clone(ops), i, i+1)
	}
	got, want = made(got), made(want)
	if !slices.Equal(got, want) {
		t.Errorf("operations\n got %q\nwant %q", got, want)
	}
}

// An error at any operation, once or from then on, leaves every ref either as
// it was or, from the commit point on, as it was to be; all old objects are
// there; and the next writer gets through without help.
func TestFaultAtEveryOperation(t *testing.T) {
	for _, dead := range []bool{false, true} {
		ran := 0
		for at := 1; ; at++ {
			if !faultAt(t, at, dead) {
				break
			}
			ran++
		}
		if ran < 20 {
			t.Errorf("%d operations were made to fail, want some 30", ran)
		}
	}
}

// faultAt reports whether the fault came before the end.
func faultAt(t *testing.T, at int, dead bool) bool {
	s, err := InitWith(filepath.Join(t.TempDir(), "archive.git"), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := commitLetters(t, s, 0, 3)
	old, _ := s.Ref("refs/heads/main")
	publish(t, newBatch(t, s), RefUpdate{"refs/muniment/staged", Hash{}, old})
	before, _ := s.Refs()

	f := faults{at: at, dead: dead}
	s.disk.Before = f.step
	tip, err := publishOnce(s, old, old)
	if f.n < at {
		return false
	}
	op := f.ops[at-1]
	name := fmt.Sprintf("fault at %d (%s), dead %v", at, op, dead)
	if err == nil && !strings.HasPrefix(op, "remove") {
		t.Errorf("%s: no error", name)
	}
	if err != nil && !errors.Is(err, errInjected) {
		t.Errorf("%s: %v", name, err)
	}

	// Another process looks at it. A lock left behind counts as a dead
	// owner's: this process, but an earlier life of it.
	if dead {
		if data, err := os.ReadFile(s.path(lockFile)); err == nil {
			gone := strings.Replace(string(data), fmt.Sprintf("pid %d\n", os.Getpid()), fmt.Sprintf("pid %d\n", deadPID(t)), 1)
			if err := os.WriteFile(s.path(lockFile), []byte(gone), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := Open(s.dir)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer r.Close()
	after, err := r.Refs()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if f.moved {
		if after["refs/heads/main"] != tip {
			t.Errorf("%s: main is %s after the commit point, want %s", name, after["refs/heads/main"], tip)
		}
	} else {
		if fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: refs are %v, were %v", name, after, before)
		}
		wantLetters(t, r, want)
	}
	if c, err := r.Check([]Hash{after["refs/heads/main"]}, nil); err != nil || len(c.Problems) > 0 {
		t.Errorf("%s: check %+v, %v", name, c, err)
	}

	// The next writer.
	if !f.moved {
		tip, err = publishOnce(r, old, old)
		if err != nil {
			t.Errorf("%s: the next writer: %v", name, err)
			return true
		}
	}
	l, err := r.Lock(testOwner(), 0)
	if err != nil {
		t.Errorf("%s: the next lock: %v", name, err)
		return true
	}
	s.Close() // its open batch files would be spared
	if _, err := r.Sweep(l); err != nil {
		t.Errorf("%s: sweep: %v", name, err)
	}
	l.Unlock()
	for _, p := range r.Doctor() {
		if !dead && op == "remove "+filepath.Base(p.Object) {
			continue // the file whose removal failed
		}
		t.Errorf("%s: doctor after sweep: %v", name, p)
	}
	if got, _ := r.Ref("refs/heads/main"); got != tip {
		t.Errorf("%s: main is %s in the end, want %s", name, got, tip)
	}
	return true
}

// deadPID returns the number of a process that is gone.
func deadPID(t testing.TB) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
