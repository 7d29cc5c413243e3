package powercut_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/objects/powercut"
)

const (
	refMain   = "refs/heads/main"
	refStaged = "refs/muniment/staged"
)

// gone is an owner that is not alive when a state is looked at.
func gone(t testing.TB) objects.Owner {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return objects.Owner{PID: cmd.Process.Pid, Host: "here", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

// memory is a folder in memory where the system has one: thousands of states
// are written.
func memory(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "powercut-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// publish puts letters n to n+4 and moves main to a commit of them and those
// before. A staged ref is made, or, if it is there, deleted.
func publish(s *objects.Store, o objects.Owner, n int) (tip objects.Hash, err error) {
	refs, err := s.Refs()
	if err != nil {
		return tip, err
	}
	old, staged := refs[refMain], refs[refStaged]
	var root objects.Hash
	var parent string
	if !old.IsZero() {
		if root, err = s.TreeOf(old); err != nil {
			return tip, err
		}
		parent = "parent " + old.String() + "\n"
	}
	l, err := s.Lock(o, 0)
	if err != nil {
		return tip, err
	}
	defer func() {
		if e := l.Unlock(); err == nil {
			err = e
		}
	}()
	b, err := s.NewBatch()
	if err != nil {
		return tip, err
	}
	defer b.Abort()
	var edits []objects.Edit
	for i := n; i < n+4; i++ {
		h, err := b.Put(objects.Blob, fmt.Appendf(nil, "letter %d\n%s\n", i, strings.Repeat(fmt.Sprint(i*7919), 40+i)))
		if err != nil {
			return tip, err
		}
		edits = append(edits, objects.Edit{Path: fmt.Sprintf("artifacts/%d/%d", i%2, i), Blob: h})
	}
	if root, err = b.Edit(root, edits); err != nil {
		return tip, err
	}
	if tip, err = b.Put(objects.Commit, fmt.Appendf(nil, "tree %s\n%sauthor A <a@archive.invalid> %d +0000\ncommitter A <a@archive.invalid> %[3]d +0000\n\nletters\n", root, parent, 1700000000+n)); err != nil {
		return tip, err
	}
	second := objects.RefUpdate{Name: refStaged, Old: staged}
	if staged.IsZero() {
		second.New = tip
	}
	return tip, b.Publish(l, objects.RefUpdate{Name: refMain, Old: old, New: tip}, second)
}

// A recording is one publish into a store that already held something.
type recording struct {
	rec      *powercut.Recorder
	old, tip map[string]objects.Hash // refs before and after
	owner    objects.Owner
}

// record publishes once unseen, unless first, and once on the record.
func record(t testing.TB, first, pack bool, forget func(objects.Operation) bool) recording {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "archive.git")
	s, err := objects.InitWith(dir, objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	owner := gone(t)
	if !first {
		if _, err := publish(s, owner, 0); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	if pack {
		git(t, dir, "pack-refs", "--all")
	}
	rec, err := powercut.Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	rec.Forget(forget)
	if s, err = objects.OpenWith(dir, objects.Hooks{After: rec.After}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := recording{rec: rec, owner: owner}
	if r.old, err = s.Refs(); err != nil {
		t.Fatal(err)
	}
	if _, err := publish(s, owner, 100); err != nil {
		t.Fatal(err)
	}
	if r.tip, err = s.Refs(); err != nil {
		t.Fatal(err)
	}
	return r
}

// check says what is wrong with a state: main must be as it was, or as it was
// to be, the latter if the publish had returned, and whole in both cases.
func (r recording) check(dir string, acknowledged bool) error {
	s, err := objects.Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	refs, err := s.Refs()
	if err != nil {
		return err
	}
	main, staged := refs[refMain], refs[refStaged]
	switch {
	case main != r.tip[refMain] && main != r.old[refMain]:
		return fmt.Errorf("main is %s", main)
	case staged != r.tip[refStaged] && staged != r.old[refStaged]:
		return fmt.Errorf("staged is %s", staged)
	case acknowledged && main != r.tip[refMain]:
		return errors.New("a publish that had returned is lost")
	case staged != r.old[refStaged] && main != r.tip[refMain]:
		return errors.New("the second ref moved before the first")
	}
	var tips []objects.Hash
	for _, h := range refs {
		tips = append(tips, h)
	}
	report, err := s.Check(tips, nil)
	if err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return fmt.Errorf("%v", report.Problems[0])
	}
	return nil
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	if err := gitErr(dir, args...); err != nil {
		t.Fatal(err)
	}
}

func gitErr(dir string, args ...string) error {
	cmd := exec.Command("git", append([]string{"--git-dir", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	said := slices.DeleteFunc(strings.Split(strings.TrimSpace(out.String()), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "notice: ") // no ref yet
	})
	if err != nil || len(said) > 0 && args[0] == "fsck" {
		return fmt.Errorf("git %s: %v: %s", args[0], err, out.String())
	}
	return nil
}

// forGit takes the files that git reads.
func forGit(path string) bool {
	base := filepath.Base(path)
	return !strings.HasPrefix(base, "tmp_") && !strings.HasSuffix(base, ".lock")
}

// forWriter tells apart what the next writer comes upon: which files there
// are, and for the lock files how far they were written.
func forWriter(s powercut.State) string {
	var names []string
	for name := range s.Files {
		base := filepath.Base(name)
		if strings.HasPrefix(base, "tmp_") {
			base = base[:8]
		}
		if data, _ := s.Data(name); strings.HasSuffix(base, ".lock") {
			line := bytes.Count(data, []byte("\n"))
			base += fmt.Sprint(len(data) == 0, line, bytes.HasPrefix(data, make([]byte, min(1, len(data)))))
		}
		names = append(names, filepath.Dir(name)+"/"+base)
	}
	slices.Sort(names)
	return strings.Join(names, "\n")
}

// Whatever a power cut leaves of a publish, an acknowledged one is there and
// whole, another is whole or absent, stock git finds nothing wrong, and the
// next writer gets through by itself.
func TestPublish(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	total := 0
	for _, c := range []struct {
		name        string
		first, pack bool
		least       int
	}{
		{"the first publish", true, false, 10000},
		{"a later one that deletes a ref", false, false, 10000},
		{"a later one that deletes a packed ref", false, true, 10000},
	} {
		total += record(t, c.first, c.pack, nil).replay(t, c.name, c.least)
	}
	t.Logf("%d states in all", total)
}

// replay goes through all states of a recording, of which there are at least so
// many, and returns their number. It reads those that differ to git or to the next
// writer, and of the others some or, with MUNIMENT_LONG, all.
func (r recording) replay(t *testing.T, name string, least int) int {
	dir, next := memory(t), memory(t)
	shown, continued := powercut.NewStage(dir), powercut.NewStage(next)
	states, checked, fscked, writers := 0, 0, map[[32]byte]bool{}, map[string]bool{}
	each := casecount.Of(11, 1)
	err := r.rec.States(func(s powercut.State) error {
		if states++; states%each != 0 && !s.Last && fscked[s.Key(forGit)] && writers[forWriter(s)] {
			return nil
		}
		checked++
		if err := shown.Show(s); err != nil {
			return err
		}
		if err := r.check(dir, s.Last); err != nil {
			return fmt.Errorf("after %d operations: %w", s.After, err)
		}
		if k := s.Key(forGit); !fscked[k] {
			fscked[k] = true
			if err := gitErr(dir, "fsck", "--strict", "--full", "--no-dangling"); err != nil {
				return fmt.Errorf("after %d operations: %w", s.After, err)
			}
		}
		if k := forWriter(s); !writers[k] {
			writers[k] = true
			if err := continued.Reset(); err != nil {
				return err
			}
			if err := continued.Show(s); err != nil {
				return err
			}
			if err := continued.Age(); err != nil {
				return err
			}
			if err := r.goOn(next); err != nil {
				return fmt.Errorf("after %d operations: the next writer: %w", s.After, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	t.Logf("%s: %d operations, %d states, %d of them read; %d that differ to git, each through git fsck; %d that differ to the next writer, each continued",
		name, r.rec.Len(), states, checked, len(fscked), len(writers))
	if states < least || checked < least/each || len(fscked) < 5 || len(writers) < 50 {
		t.Errorf("%s: %d states, %d for git, %d for the next writer: too few", name, states, len(fscked), len(writers))
	}
	return states
}

// Whatever a power cut leaves of a consolidation, every object is there.
func TestConsolidate(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	dir := filepath.Join(t.TempDir(), "archive.git")
	s, err := objects.InitWith(dir, objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	r := recording{owner: gone(t)}
	for i := range 3 {
		if _, err := publish(s, r.owner, 10*i); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	if r.rec, err = powercut.Record(dir); err != nil {
		t.Fatal(err)
	}
	if s, err = objects.OpenWith(dir, objects.Hooks{After: r.rec.After}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r.old, err = s.Refs(); err != nil {
		t.Fatal(err)
	}
	r.tip = r.old
	l, err := s.Lock(r.owner, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := s.Consolidate(l); err != nil || c.Merged != 3 || c.Packs != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	r.replay(t, "a consolidation of three packs", 1000)
}

// goOn publishes once more into a state, and then nothing is left over.
func (r recording) goOn(dir string) error {
	s, err := objects.Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	me := r.owner
	me.PID = os.Getpid()
	tip, err := publish(s, me, 200)
	if err != nil {
		return err
	}
	l, err := s.Lock(me, 0)
	if err != nil {
		return err
	}
	defer l.Unlock()
	if _, err := s.Sweep(l); err != nil {
		return err
	}
	for _, p := range s.Doctor() {
		// The new names of a pack and its index may last one without the other.
		// A pack alone is read by nobody, and not ours to delete.
		if strings.HasSuffix(p.Object, ".pack") && strings.Contains(p.Reason, "without an index") {
			continue
		}
		return fmt.Errorf("doctor after sweep: %v", p)
	}
	if got, err := s.Ref(refMain); err != nil || got != tip {
		return fmt.Errorf("main is %s, want %s: %v", got, tip, err)
	}
	return nil
}

var errWrong = errors.New("a wrong state")

// With any one kind of sync left out there are states that are wrong: the
// replay would notice.
func TestMissingSync(t *testing.T) {
	for _, c := range []struct {
		name string
		drop func(objects.Operation) bool
	}{
		{"the pack", func(o objects.Operation) bool { return o.Op == "sync" && strings.Contains(o.Path, "tmp_pack") }},
		{"the index", func(o objects.Operation) bool { return o.Op == "sync" && strings.Contains(o.Path, "tmp_idx") }},
		{"the names of packs", func(o objects.Operation) bool { return o.Op == "syncdir" && filepath.Base(o.Path) == "pack" }},
		{"the ref", func(o objects.Operation) bool { return o.Op == "sync" && filepath.Base(o.Path) == "main.lock" }},
		{"the name of the ref", func(o objects.Operation) bool { return o.Op == "syncdir" && filepath.Base(o.Path) == "heads" }},
	} {
		r := record(t, false, false, c.drop)
		dir := memory(t)
		shown, tried, wrong := powercut.NewStage(dir), 0, errors.New("")
		seen := map[[32]byte]bool{}
		err := r.rec.States(func(s powercut.State) error {
			k := s.Key(forGit)
			if seen[k] && !s.Last {
				return nil
			}
			seen[k] = true
			if err := shown.Show(s); err != nil {
				return err
			}
			tried++
			if err := r.check(dir, s.Last); err != nil {
				wrong = err
				return errWrong
			}
			return nil
		})
		if err != errWrong {
			t.Errorf("without the sync of %s none of %d states is wrong: %v", c.name, tried, err)
		}
		t.Logf("without the sync of %s, state %d: %v", c.name, tried, wrong)
	}
}
