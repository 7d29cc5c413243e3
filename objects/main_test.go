package objects

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var testStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func testOwner() Owner { return Owner{PID: os.Getpid(), Host: "here", Start: testStart} }

func newStore(t testing.TB) *Store {
	t.Helper()
	s, err := InitWith(filepath.Join(t.TempDir(), "archive.git"), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	r, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func newBatch(t testing.TB, s *Store) *Batch {
	t.Helper()
	b, err := s.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Abort() })
	return b
}

func put(t testing.TB, b *Batch, k Kind, data string) Hash {
	t.Helper()
	h, err := b.Put(k, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func lock(t testing.TB, s *Store) *Lock {
	t.Helper()
	l, err := s.Lock(testOwner(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Unlock() })
	return l
}

func publish(t testing.TB, b *Batch, refs ...RefUpdate) {
	t.Helper()
	l := lock(t, b.store)
	if err := b.Publish(l, refs...); err != nil {
		t.Fatal(err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func commitText(tree Hash, n int, parents ...Hash) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author A <a@archive.invalid> %d +0000\ncommitter A <a@archive.invalid> %[1]d +0000\n\nsnapshot %[2]d\n", 1700000000+n, n)
	return b.String()
}

// letter is text that shrinks about as letters do.
func letter(n int) string {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	words := strings.Fields("the of and to in he was that his it with for as had you not be on at by which her from but all she they")
	var b strings.Builder
	fmt.Fprintf(&b, "letter %d\n", n)
	for b.Len() < 2000+n%3000 {
		b.WriteString(words[r.IntN(len(words))])
		fmt.Fprintf(&b, "%x ", r.IntN(256))
		if r.IntN(12) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// commitLetters publishes letters from..to as one more commit on main and
// returns their names by path, of all commits so far.
func commitLetters(t testing.TB, s *Store, from, to int) map[string]Hash {
	t.Helper()
	old, err := s.Ref("refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	var root Hash
	var parents []Hash
	if !old.IsZero() {
		parents = []Hash{old}
		if root, err = s.TreeOf(old); err != nil {
			t.Fatal(err)
		}
	}
	b := newBatch(t, s)
	var edits []Edit
	for i := from; i < to; i++ {
		text := letter(i)
		h := put(t, b, Blob, text)
		edits = append(edits, Edit{fmt.Sprintf("artifacts/%s/%s/%s", h.String()[:2], h.String()[2:4], h), h})
	}
	if root, err = b.Edit(root, edits); err != nil {
		t.Fatal(err)
	}
	c := put(t, b, Commit, commitText(root, to, parents...))
	publish(t, b, RefUpdate{"refs/heads/main", old, c})
	paths := map[string]Hash{}
	err = s.Walk(root, "", func(path string, h Hash) error {
		paths[path] = h
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// wantLetters reads every path of main and compares content with its name.
func wantLetters(t testing.TB, s *Store, want map[string]Hash) {
	t.Helper()
	tip, err := s.Ref("refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := s.TreeOf(tip)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = s.Walk(tree, "", func(path string, h Hash) error {
		n++
		k, data, err := s.Get(h)
		if err != nil {
			return err
		}
		if k != Blob || want[path] != h || Sum(k, data) != h {
			t.Errorf("%s is %s %s, want blob %s", path, k, h, want[path])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n != len(want) || n == 0 {
		t.Errorf("walk saw %d blobs, want %d", n, len(want))
	}
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
}

// git runs stock git on a store and returns what it prints.
func git(t testing.TB, s *Store, args ...string) string {
	t.Helper()
	return gitInput(t, s, "", args...)
}

func gitInput(t testing.TB, s *Store, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir", s.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@archive.invalid", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@archive.invalid")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("git %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

func fsck(t testing.TB, s *Store) {
	t.Helper()
	if out := git(t, s, "fsck", "--strict", "--full", "--no-dangling"); strings.TrimSpace(out) != "" {
		t.Errorf("git fsck says:\n%s", out)
	}
}

func packFiles(t testing.TB, s *Store) []string {
	t.Helper()
	files, err := os.ReadDir(s.packDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}
