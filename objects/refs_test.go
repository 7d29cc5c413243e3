package objects

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestRefForms(t *testing.T) {
	s := newStore(t)
	if h, err := s.Ref("HEAD"); err != nil || !h.IsZero() {
		t.Errorf("HEAD of an empty store is %s, %v", h, err)
	}
	for text, ok := range map[string]bool{
		h1.String() + "\n": true, h1.String(): true, "": false, "\n": false, h1.String()[:39] + "\n": false,
		strings.ToUpper(h1.String()): false, Hash{}.String(): false, "ref: ../../x": false, "ref: refs/heads/loop": false,
		h1.String() + " x": false,
	} {
		if err := os.WriteFile(s.path("refs", "heads", "loop"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		h, err := s.Ref("refs/heads/loop")
		if ok != (err == nil) || ok && h != h1 || !ok && !errors.Is(err, ErrCorrupt) {
			t.Errorf("a ref that holds %q: %s, %v", text, h, err)
		}
		if _, err := s.Refs(); ok != (err == nil) {
			t.Errorf("refs, one of which holds %q: %v", text, err)
		}
	}
	if h, err := s.Ref("refs/heads"); err != nil || !h.IsZero() {
		t.Errorf("a directory of refs is %s, %v", h, err)
	}
	if h, err := s.Ref("refs/heads/loop/x"); err != nil || !h.IsZero() {
		t.Errorf("a ref below a ref is %s, %v", h, err)
	}
}

func TestRefNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"refs/heads/main": true, "refs/muniment/log/ab": true, "refs/heads/ü": true,
		"": false, "main": false, "HEAD": false, "refs/": false, "refs//a": false, "refs/a/": false, "refs/a..b": false, "refs/.a": false,
		"refs/a.lock": false, "refs/a.lock/b": false, "refs/a b": false, "refs/a\n": false, "refs/a~1": false, "refs/a@{1}": false,
		"refs/a\\b": false, "refs/a.": false, "refs/a*": false, "refs/" + strings.Repeat("a", 1100): false, "refs/a\x7f": false,
	} {
		if err := checkRefName(name); ok != (err == nil) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A ref that stock git holds locked is waited for, then refused in words that
// say what to do.
func TestRefLockedByGit(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 1)
	tip, _ := s.Ref("HEAD")
	path := s.path("refs", "heads", "main.lock")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b := newBatch(t, s)
	c := put(t, b, Commit, commitText(mustTree(t, s, tip), 5, tip))
	err := b.Publish(lock(t, s), RefUpdate{"refs/heads/main", tip, c})
	if err == nil || !strings.Contains(err.Error(), "remove "+path) {
		t.Errorf("publish over git's lock: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("git's lock was removed")
	}
	if got, _ := s.Ref("HEAD"); got != tip {
		t.Error("the ref moved")
	}
}
