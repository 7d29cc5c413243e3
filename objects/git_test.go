package objects

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/objects/pack"
)

func TestGitAcceptsWhatIsWritten(t *testing.T) {
	needGit(t)
	s := newStore(t)
	fsck(t, s)
	commitLetters(t, s, 0, 300)
	want := commitLetters(t, s, 300, 310)
	fsck(t, s)

	tip, _ := s.Ref("refs/heads/main")
	if got := strings.TrimSpace(git(t, s, "rev-parse", "HEAD")); got != tip.String() {
		t.Errorf("git's HEAD is %s, want %s", got, tip)
	}
	listed := map[string]Hash{}
	for line := range strings.Lines(git(t, s, "ls-tree", "-r", "HEAD")) {
		var mode, kind, hex, path string
		if _, err := fmt.Sscan(line, &mode, &kind, &hex, &path); err != nil {
			t.Fatal(err)
		}
		h, err := ParseHash(hex)
		if err != nil || mode != "100644" || kind != "blob" {
			t.Errorf("git lists %q", line)
		}
		listed[path] = h
	}
	if d := cmp.Diff(want, listed); d != "" {
		t.Errorf("git ls-tree (-want +got):\n%s", d)
	}
	for path, h := range want {
		_, data, err := s.Get(h)
		if err != nil {
			t.Fatal(err)
		}
		if got := git(t, s, "cat-file", "blob", h.String()); got != string(data) {
			t.Errorf("git cat-file %s differs from Get", path)
		}
		break
	}
	for _, name := range packFiles(t, s) {
		if strings.HasSuffix(name, ".idx") {
			git(t, s, "verify-pack", filepath.Join(s.packDir(), name))
			// git writes the same index from the pack alone
			own, _ := os.ReadFile(filepath.Join(s.packDir(), name))
			made := filepath.Join(t.TempDir(), "made.idx")
			git(t, s, "index-pack", "-o", made, "--no-rev-index", filepath.Join(s.packDir(), strings.TrimSuffix(name, ".idx")+".pack"))
			theirs, err := os.ReadFile(made)
			if err != nil || !bytes.Equal(own, theirs) {
				t.Errorf("%s differs from the index that git makes (%v)", name, err)
			}
		}
	}
	if out := git(t, s, "config", "--list", "--local"); !strings.Contains(out, "core.usereplacerefs=false\n") || !strings.Contains(out, "gc.auto=0\n") {
		t.Errorf("git reads the config as:\n%s", out)
	}
	if p := s.Doctor(); p != nil {
		t.Errorf("doctor: %v", p)
	}
}

func TestLargeAndIncompressible(t *testing.T) {
	needGit(t)
	s := newStore(t)
	b := newBatch(t, s)
	const probe = 64 << 10 // bytes that are tried before more is deflated
	noise := make([]byte, 3<<20)
	x := uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	bodies := [][]byte{{}, {0}, noise[:100], noise[:probe], noise[:probe+1], noise,
		bytes.Repeat([]byte("a line of text\n"), 500_000), append(bytes.Repeat([]byte("x"), probe), noise...)}
	var names []Hash
	for _, body := range bodies {
		names = append(names, put(t, b, Blob, string(body)))
	}
	publish(t, b)
	for i, h := range names {
		if _, data, err := s.Get(h); err != nil || !bytes.Equal(data, bodies[i]) {
			t.Errorf("body %d of %d bytes: got %d bytes, %v", i, len(bodies[i]), len(data), err)
		}
		if got := git(t, s, "cat-file", "blob", h.String()); got != string(bodies[i]) {
			t.Errorf("body %d: git reads %d bytes of %d", i, len(got), len(bodies[i]))
		}
	}
	if size := len(names) + 1; size < 2 {
		t.Fatal("no bodies")
	}
	fsck(t, s)
}

// Stock git repacks with deltas, while the store is open.
func TestOutsideRepack(t *testing.T) {
	needGit(t)
	for _, how := range [][]string{
		{"repack", "-a", "-d", "-q", "-f", "--depth=200", "--window=50"},
		{"gc", "-q", "--prune=now"},
		{"repack", "-a", "-d", "-q"},
		{"-c", "pack.indexVersion=1", "repack", "-a", "-d", "-q", "-f"},
	} {
		t.Run(how[0]+strings.Join(how[1:], ""), func(t *testing.T) {
			s := newStore(t)
			root := Hash{}
			var parents []Hash
			text := letter(1)
			want := map[string]Hash{}
			// Versions of one letter, so that git finds deltas.
			for i := range 60 {
				b := newBatch(t, s)
				text += fmt.Sprintf("postscript %d\n", i)
				h := put(t, b, Blob, text)
				path := fmt.Sprintf("a/%02d", i)
				want[path] = h
				var err error
				if root, err = b.Edit(root, []Edit{{path, h}}); err != nil {
					t.Fatal(err)
				}
				c := put(t, b, Commit, commitText(root, i, parents...))
				old := Hash{}
				if parents != nil {
					old = parents[0]
				}
				publish(t, b, RefUpdate{"refs/heads/main", old, c})
				parents = []Hash{c}
			}
			wantLetters(t, s, want)
			git(t, s, how...)
			wantLetters(t, s, want) // the store was open all along
			for range 3 {           // bases now come from the cache
				wantLetters(t, s, want)
			}
			wantLetters(t, reopen(t, s), want)
			r, err := s.Check(parents, nil)
			if err != nil || r.OK != 240 || r.Failed+r.Absent+r.NotChecked != 0 {
				t.Errorf("check: %+v, %v", r, err)
			}
			for _, p := range s.Doctor() {
				t.Errorf("doctor: %v", p)
			}
			out := git(t, s, "count-objects", "-v")
			if !strings.Contains(out, "packs: 1\n") {
				t.Errorf("git left:\n%s", out)
			}
			fsck(t, s)
		})
	}
}

// A pack in which deltas name their base by hash.
func TestRefDeltas(t *testing.T) {
	needGit(t)
	s := newStore(t)
	b := newBatch(t, s)
	text := letter(7)
	var names strings.Builder
	var hashes []Hash
	for i := range 20 {
		text += fmt.Sprintf("line %d\n", i)
		h := put(t, b, Blob, text)
		hashes = append(hashes, h)
		names.WriteString(h.String() + "\n")
	}
	publish(t, b)
	to := newStore(t)
	// Without --delta-base-offset every delta names its base.
	gitInput(t, s, names.String(), "pack-objects", "-q", "--no-reuse-delta", filepath.Join(to.packDir(), "pack"))
	for _, h := range hashes {
		if _, _, err := to.Get(h); err != nil {
			t.Error(err)
		}
	}
	v, err := to.acquire()
	if err != nil || len(v.all) != 1 {
		t.Fatalf("%d packs, %v", len(v.all), err)
	}
	defer to.release(v)
	data, err := os.ReadFile(filepath.Join(to.packDir(), v.all[0].Name+".pack"))
	if err != nil {
		t.Fatal(err)
	}
	deltas := 0
	for pos := range v.all[0].Index.Len() {
		off, err := v.all[0].Index.Offset(pos)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := pack.ParseHeader(data[off:]); err == nil && h.Type == pack.NameDelta {
			deltas++
		}
	}
	if deltas < 10 {
		t.Errorf("the pack has %d deltas by name, want most of 20", deltas)
	}
}

func TestLooseObjects(t *testing.T) {
	needGit(t)
	s := newStore(t)
	hex := strings.TrimSpace(gitInput(t, s, "written by git\n", "hash-object", "-w", "--stdin"))
	h, err := ParseHash(hex)
	if err != nil {
		t.Fatal(err)
	}
	k, data, err := s.Get(h)
	if err != nil || k != Blob || string(data) != "written by git\n" {
		t.Errorf("got %s %q, %v", k, data, err)
	}
	if !s.Has(h) {
		t.Error("Has says no")
	}
	b := newBatch(t, s)
	if got := put(t, b, Blob, "written by git\n"); got != h {
		t.Errorf("named %s, git names it %s", got, h)
	}
	publish(t, b)
	if files := packFiles(t, s); len(files) != 0 {
		t.Errorf("a loose object was stored again: %v", files)
	}
	// cut the file at every length: an error, never a panic or wrong bytes
	path := s.loosePath(h)
	whole, _ := os.ReadFile(path)
	os.Chmod(path, 0o644)
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Get(h); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole), 'x'), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Get(h); !errors.Is(err, ErrCorrupt) {
		t.Errorf("with a byte more: %v", err)
	}
	// damage in the store does not keep the object from being stored
	b = newBatch(t, s)
	put(t, b, Blob, "written by git\n")
	publish(t, b)
	if _, data, err := s.Get(h); err != nil || string(data) != "written by git\n" {
		t.Errorf("after storing it again: %q, %v", data, err)
	}
}

func TestPackedRefs(t *testing.T) {
	needGit(t)
	s := newStore(t)
	commitLetters(t, s, 0, 3)
	tip, _ := s.Ref("refs/heads/main")
	b := newBatch(t, s)
	publish(t, b, RefUpdate{"refs/muniment/staged", Hash{}, tip})
	git(t, s, "tag", "-a", "-m", "a tag", "first", "main")
	git(t, s, "pack-refs", "--all", "--prune")
	if _, err := os.Stat(s.path("refs", "heads", "main")); err == nil {
		t.Fatal("git packed nothing")
	}
	want := map[string]Hash{"refs/heads/main": tip, "refs/muniment/staged": tip}
	got, err := s.Refs()
	if err != nil {
		t.Fatal(err)
	}
	tag := got["refs/tags/first"]
	want["refs/tags/first"] = tag
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("refs (-want +got):\n%s", d)
	}
	if k, _, err := s.Get(tag); err != nil || k != Tag {
		t.Errorf("tag is %s, %v", k, err)
	}
	publish(t, newBatch(t, s), RefUpdate{"refs/muniment/staged", tip, Hash{}})
	if h, err := s.Ref("refs/muniment/staged"); err != nil || !h.IsZero() {
		t.Errorf("deleted ref is %s, %v", h, err)
	}
	delete(want, "refs/muniment/staged")
	listed := map[string]Hash{}
	for line := range strings.Lines(git(t, s, "for-each-ref", "--format=%(objectname) %(refname)")) {
		hex, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		listed[name], _ = ParseHash(hex)
	}
	if d := cmp.Diff(want, listed); d != "" {
		t.Errorf("git's refs after a deletion (-want +got):\n%s", d)
	}
	if out := git(t, s, "rev-parse", "first^{commit}"); strings.TrimSpace(out) != tip.String() {
		t.Errorf("the tag peels to %s", out)
	}
	commitLetters(t, s, 3, 4) // a loose ref now shadows the packed one
	fsck(t, s)
	r, err := s.Check([]Hash{tag}, nil)
	if err != nil || r.OK == 0 || len(r.Problems) != 0 {
		t.Errorf("check through a tag: %+v, %v", r, err)
	}
}

// A clone by stock git opens, and a push arrives.
func TestCloneAndPush(t *testing.T) {
	needGit(t)
	s := newStore(t)
	want := commitLetters(t, s, 0, 40)
	dir := filepath.Join(t.TempDir(), "copy.git")
	git(t, s, "clone", "-q", "--bare", "--no-hardlinks", s.dir, dir)
	copied, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	wantLetters(t, copied, want)
	if len(copied.Doctor()) == 0 {
		t.Error("a plain clone has other settings, and doctor does not say so")
	}
	want = commitLetters(t, copied, 40, 45)
	git(t, copied, "push", "-q", s.dir, "main")
	wantLetters(t, s, want)
	fsck(t, s)
}

// Git accepts the trees that are accepted here, under the same names.
func TestTreeVectorsInGit(t *testing.T) {
	needGit(t)
	s := newStore(t)
	accepted := 0
	for _, v := range vectors(t, "tree") {
		if v.expect != "accept" {
			continue
		}
		accepted++
		if got := strings.TrimSpace(gitInput(t, s, string(v.body), "hash-object", "-t", "tree", "--stdin")); got != v.sha1 {
			t.Errorf("%s: git names it %s, want %s", v.name, got, v.sha1)
		}
	}
	if accepted < 4 {
		t.Errorf("%d accepted trees", accepted)
	}
}
