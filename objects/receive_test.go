package objects

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pjbgf/sha1cd"

	"muniment/internal/casecount"
	"muniment/objects/pack"
)

// growing makes a store with n commits, each of which adds a file and edits
// one that the others edit too.
func growing(t testing.TB, n int) (*Store, []Hash) {
	t.Helper()
	s, err := InitWith(filepath.Join(t.TempDir(), "from.git"), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	l, err := s.Lock(Owner{PID: os.Getpid(), Host: "test"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	var tips []Hash
	var tree, tip Hash
	for i := range n {
		b, err := s.NewBatch()
		if err != nil {
			t.Fatal(err)
		}
		blob, err := b.Put(Blob, fmt.Appendf(nil, "file %d\n", i))
		if err != nil {
			t.Fatal(err)
		}
		long, err := b.Put(Blob, []byte(strings.Repeat("one line of many\n", 100)+fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		if tree, err = b.Edit(tree, []Edit{{Path: fmt.Sprintf("a/%d", i), Blob: blob}, {Path: "b/long", Blob: long}}); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("tree %s\n", tree)
		if !tip.IsZero() {
			text += fmt.Sprintf("parent %s\n", tip)
		}
		text += fmt.Sprintf("author A <a@b.c> %d +0000\ncommitter A <a@b.c> %d +0000\n\n%d\n", i, i, i)
		next, err := b.Put(Commit, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Publish(l, RefUpdate{"refs/heads/main", tip, next}); err != nil {
			t.Fatal(err)
		}
		tip = next
		tips = append(tips, tip)
	}
	return s, tips
}

func empty(t testing.TB) *Store {
	t.Helper()
	s, err := InitWith(filepath.Join(t.TempDir(), "to.git"), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// sent returns the pack of a selection.
func sent(t testing.TB, s *Store, tips, have []Hash) []byte {
	t.Helper()
	sel, err := s.Select(tips, have)
	if err != nil {
		t.Fatal(err)
	}
	defer sel.Close()
	var b bytes.Buffer
	if err := sel.WritePack(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSelectSends writes packs that stock git indexes, from a store as it was
// written and after git has repacked it with deltas, in steps and at once.
func TestSelectSends(t *testing.T) {
	s, tips := growing(t, 12)
	for _, repacked := range []bool{false, true} {
		if repacked {
			gitIn(t, s.dir, "gc", "-q", "--aggressive", "--prune=now")
		}
		for _, step := range []int{1, 5, 12} {
			to := empty(t)
			var have []Hash
			for i := step; ; i += step {
				tip := tips[min(i, len(tips))-1]
				pack := sent(t, s, []Hash{tip}, have)
				cmd := exec.Command("git", "-C", to.dir, "index-pack", "--strict", "--stdin")
				cmd.Stdin = bytes.NewReader(pack)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("repacked %v, step %d: git index-pack: %v\n%s", repacked, step, err, out)
				}
				have = []Hash{tip}
				if i >= len(tips) {
					break
				}
			}
			r, err := to.Check(have, nil)
			if err != nil || r.Failed+r.Absent != 0 || r.OK != 12*6 {
				t.Errorf("repacked %v, step %d: %+v, %v", repacked, step, r, err)
			}
		}
	}
}

func gitIn(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

// gitPack has stock git make the pack of a range of commits.
func gitPack(t testing.TB, dir string, revs string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "pack-objects", "--revs", "--stdout", "-q", "--window=50"}, args...)...)
	cmd.Stdin = strings.NewReader(revs)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git pack-objects: %v", err)
	}
	return out
}

// TestReceive takes packs that stock git made: with offsets, with names, thin.
func TestReceive(t *testing.T) {
	s, tips := growing(t, 12)
	last := tips[len(tips)-1]
	for _, args := range [][]string{nil, {"--delta-base-offset"}} {
		to := empty(t)
		got, err := to.Receive(bytes.NewReader(gitPack(t, s.dir, last.String()+"\n", args...)), ReceiveLimits{})
		if err != nil || len(got.Objects) != 12*6 {
			t.Fatalf("%v: %+v, %v", args, got, err)
		}
		gitIn(t, to.dir, "fsck", "--strict", last.String())
		if left, err := to.Unreached([]Hash{last}, got.Objects); err != nil || len(left) != 0 {
			t.Errorf("unreached: %v, %v", left, err)
		}
		if left, err := to.Unreached([]Hash{tips[10]}, got.Objects); err != nil || len(left) != 6 {
			t.Errorf("unreached from the one before: %d, want 6, %v", len(left), err)
		}
	}
	thin := gitPack(t, s.dir, fmt.Sprintf("%s\n^%s\n", last, tips[5]), "--thin", "--delta-base-offset")
	if _, err := empty(t).Receive(bytes.NewReader(thin), ReceiveLimits{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a thin pack without its bases: %v", err)
	}
	to := empty(t)
	if err := to.Borrow(s); err != nil {
		t.Fatal(err)
	}
	got, err := to.Receive(bytes.NewReader(thin), ReceiveLimits{})
	if err != nil {
		t.Fatalf("a thin pack with its bases: %v", err)
	}
	gitIn(t, to.dir, "verify-pack", filepath.Join(to.packDir(), got.Name+".idx"))

	pack := gitPack(t, s.dir, last.String()+"\n")
	for _, limits := range []ReceiveLimits{{Bytes: int64(len(pack) - 1)}, {Objects: 71}, {Content: 2000}} {
		if _, err := empty(t).Receive(bytes.NewReader(pack), limits); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%+v: %v", limits, err)
		}
	}
}

// TestReceiveDamaged flips bytes of a pack and cuts it at their places:
// nothing of it becomes visible.
func TestReceiveDamaged(t *testing.T) {
	s, tips := growing(t, 3)
	pack := gitPack(t, s.dir, tips[2].String()+"\n", "--delta-base-offset")
	to := empty(t)
	tried, step := 0, casecount.Of(7, 1)
	for i := 0; i < len(pack); i += step {
		for _, bad := range [][]byte{pack[:i], resummed(flip(pack, i)), flip(pack, i)} {
			got, err := to.Receive(bytes.NewReader(bad), ReceiveLimits{})
			if err == nil && got.Name != "" {
				// What the names are made of is intact: a flip in the
				// distance to a base may hit an equal one, or the zlib
				// header another level.
				for _, h := range got.Objects {
					if _, _, err := to.Get(h); err != nil {
						t.Fatalf("byte %d: object %s was accepted: %v", i, h, err)
					}
				}
			}
			tried++
		}
	}
	if tried != 3*((len(pack)+step-1)/step) || tried < casecount.Of(140, 1000) {
		t.Errorf("%d packs tried", tried)
	}
	if left, _ := filepath.Glob(filepath.Join(to.packDir(), "tmp_*")); len(left) > 0 {
		t.Errorf("%d temporary files were left", len(left))
	}
}

func flip(data []byte, i int) []byte {
	out := bytes.Clone(data)
	out[i] ^= 0x10
	return out
}

// resummed gives a pack the checksum of its bytes.
func resummed(data []byte) []byte {
	body := data[: len(data)-pack.TailSize : len(data)-pack.TailSize]
	d := sha1cd.New()
	d.Write(body)
	return append(body, d.Sum(nil)...)
}

// FuzzReceive: what is accepted is an index and a pack that stand for
// themselves, with every object under its own name.
func FuzzReceive(f *testing.F) {
	s, tips := growing(f, 3)
	f.Add(gitPack(f, s.dir, tips[2].String()+"\n", "--delta-base-offset"))
	f.Add(sent(f, s, tips[2:], nil))
	f.Add(gitPack(f, s.dir, fmt.Sprintf("%s\n^%s\n", tips[2], tips[1]), "--thin"))
	to := empty(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < pack.HeadSize+pack.TailSize {
			return
		}
		got, err := to.Receive(bytes.NewReader(resummed(data)), ReceiveLimits{Content: 1 << 24, Objects: 1000})
		if err != nil || got.Name == "" {
			return
		}
		if err := pack.CheckIndex(filepath.Join(to.packDir(), got.Name)); err != nil {
			t.Fatal(err)
		}
		for _, h := range got.Objects {
			if _, _, err := to.Get(h); err != nil {
				t.Fatalf("object %s: %v", h, err)
			}
		}
	})
}

// TestRepairParts damages a pack: what can be read is saved, the pack is set
// aside, and stock git finds the repository well.
func TestRepairParts(t *testing.T) {
	s, tips := growing(t, 4)
	gitIn(t, s.dir, "repack", "-q", "-a", "-d", "-F", "--depth=0")
	if err := s.rescan(); err != nil {
		t.Fatal(err)
	}
	good, _ := growing(t, 4) // the same bytes
	packs, err := filepath.Glob(filepath.Join(s.packDir(), "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("%v, %v", packs, err)
	}
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := errors.Join(os.Chmod(packs[0], 0o644), os.WriteFile(packs[0], data, 0o644)); err != nil {
		t.Fatal(err)
	}
	bad, err := s.DamagedPacks()
	if err != nil || len(bad) != 1 {
		t.Fatalf("damaged packs: %v, %v", bad, err)
	}
	healthy, err := s.Without(bad)
	if err != nil {
		t.Fatal(err)
	}
	defer healthy.Close()
	l, err := healthy.Lock(Owner{PID: os.Getpid(), Host: "test"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := healthy.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	saved, lost := 0, []Hash(nil)
	for name := range bad {
		if saved, lost, err = s.Salvage(name, b); err != nil {
			t.Fatal(err)
		}
	}
	if len(lost) != 1 || saved != 23 {
		t.Fatalf("%d saved, %d lost; want 23 and 1", saved, len(lost))
	}
	for _, h := range lost {
		k, content, err := good.Get(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Put(k, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.Publish(l), l.Unlock()); err != nil {
		t.Fatal(err)
	}
	if l, err = s.Lock(Owner{PID: os.Getpid(), Host: "test"}, 0); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "damaged")
	moved, err := s.SetAside(l, bad, lost, folder)
	if err := errors.Join(err, l.Unlock()); err != nil || len(moved) < 2 {
		t.Fatalf("moved %v, %v", moved, err)
	}
	if kept, err := os.ReadFile(filepath.Join(folder, filepath.Base(packs[0]))); err != nil || !bytes.Equal(kept, data) {
		t.Errorf("the damaged pack is not kept: %v", err)
	}
	gitIn(t, s.dir, "fsck", "--strict", "--full")
	if r, err := s.Check(tips[3:], nil); err != nil || r.OK != 24 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestSelectEarlierTree: what a push sends is whole where an earlier version of a tree, or
// of a folder, comes back, and where two lines of commits are joined. Git, which has
// nothing else, finds every object.
func TestSelectEarlierTree(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	tree := func(files ...string) Hash {
		var edits []Edit
		for _, f := range files {
			edits = append(edits, Edit{Path: f, Blob: put(t, b, Blob, f)})
		}
		h, err := b.Edit(Hash{}, edits)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	one, two := tree("a/1", "a/b/2", "c/3"), tree("a/1", "a/b/x", "c/3", "new")
	moved := tree("a/1", "a/b/x", "c/a/1", "c/a/b/2", "c/c/3")
	n := 0
	commit := func(tree Hash, parents ...Hash) Hash {
		n++
		return put(t, b, Commit, commitText(tree, n, parents...))
	}
	first := commit(one)
	second := commit(two, first)
	third := commit(one, second)
	fourth := commit(moved, third)
	fork := commit(tree("c/3", "side"), first)
	tips := map[string]Hash{
		"A, B, A": third, "a folder that was the root": fourth,
		"a join of two lines": commit(one, commit(two, third), fork),
		"a join that repeats": commit(one, commit(two, fork), commit(one, second)),
	}
	publish(t, b, RefUpdate{"refs/heads/main", Hash{}, third})
	for name, tip := range tips {
		for _, have := range [][]Hash{nil, {first}, {second}} {
			to := empty(t)
			receive := func(tips, have []Hash) {
				if _, err := to.Receive(bytes.NewReader(sent(t, s, tips, have)), ReceiveLimits{}); err != nil {
					t.Fatal(err)
				}
			}
			if have != nil {
				receive(have, nil)
			}
			receive([]Hash{tip}, have)
			r, err := to.Check([]Hash{tip}, nil)
			if err != nil || r.Failed+r.Absent != 0 {
				t.Errorf("%s, from %d commits there: %+v, %v", name, len(have), r, err)
			}
		}
	}
}
