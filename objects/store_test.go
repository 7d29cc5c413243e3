package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/objects/disk"
)

func TestNames(t *testing.T) {
	// git hash-object of nothing, and of the empty tree
	for _, c := range []struct {
		k    Kind
		data string
		want string
	}{
		{Blob, "", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{Tree, "", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
		{Blob, "hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"},
	} {
		if got := Sum(c.k, []byte(c.data)); got.String() != c.want {
			t.Errorf("%s %q is named %s, want %s", c.k, c.data, got, c.want)
		}
	}
	for _, bad := range []string{"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c539", "E69DE29BB2D1D6434B8B29AE775AD8C2E48C5391", "g69de29bb2d1d6434b8b29ae775ad8c2e48c5391", strings.Repeat("0", 64)} {
		if h, err := ParseHash(bad); err == nil || !h.IsZero() {
			t.Errorf("%q was read as %s", bad, h)
		}
	}
	if got := fmt.Sprint(Commit, Tree, Blob, Tag, Kind(7)); got != "commit tree blob tag kind 7" {
		t.Errorf("kinds are %s", got)
	}
}

func TestInitAndOpen(t *testing.T) {
	dir := t.TempDir()
	if s, err := InitWith(dir, Hooks{}); err != nil { // an empty directory will do
		t.Fatal(err)
	} else if s.Close(); s.Close() != nil {
		t.Error("closing twice")
	}
	if _, err := InitWith(dir, Hooks{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("init twice: %v", err)
	}
	if files, _ := filepath.Glob(dir + ".tmp-*"); len(files) > 0 {
		t.Errorf("init left %v", files)
	}
	for _, c := range []struct {
		name  string
		spoil func(dir string) error
	}{
		{"nothing there", os.RemoveAll},
		{"no HEAD", func(d string) error { return os.Remove(filepath.Join(d, "HEAD")) }},
		{"no objects", func(d string) error { return os.RemoveAll(filepath.Join(d, "objects")) }},
		{"sha-256", func(d string) error {
			return os.WriteFile(filepath.Join(d, "config"), []byte("[core]\nrepositoryformatversion=1\n[extensions]\nobjectFormat = sha256\n"), 0o644)
		}},
		{"refs in tables", func(d string) error {
			return os.WriteFile(filepath.Join(d, "config"), []byte("[Core]\nrepositoryFormatVersion=1\n[extensions] refStorage = \"reftable\" ; new\n"), 0o644)
		}},
		{"format 2", func(d string) error {
			return os.WriteFile(filepath.Join(d, "config"), []byte("[core]\nrepositoryformatversion=2\n"), 0o644)
		}},
	} {
		d := filepath.Join(t.TempDir(), "x.git")
		s, err := InitWith(d, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if err := c.spoil(d); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(d); !errors.Is(err, ErrNoStore) {
			t.Errorf("%s: opened with %v", c.name, err)
		}
	}
}

// An error at any step of Init leaves nothing behind.
func TestInitFaults(t *testing.T) {
	for at := 1; ; at++ {
		parent := t.TempDir()
		f := faults{at: at}
		s, err := initStore(filepath.Join(parent, "x.git"), disk.Disk{Before: f.step})
		if err == nil {
			s.Close()
			if at < 10 {
				t.Errorf("init took %d operations", at)
			}
			break
		}
		left, _ := os.ReadDir(parent)
		if renamed := strings.HasPrefix(f.ops[at-1], "syncdir "+filepath.Base(parent)); len(left) > 0 && !renamed {
			t.Errorf("fault at %s left %v", f.ops[at-1], left)
		}
	}
}

func TestClosedStore(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 1)
	tip, _ := s.Ref("HEAD")
	s.Close()
	if _, _, err := s.Get(tip); !errors.Is(err, errClosed) {
		t.Errorf("get: %v", err)
	}
	if s.Has(tip) {
		t.Error("has")
	}
	if _, err := s.NewBatch(); err == nil {
		t.Error("new batch")
	}
	if _, err := s.Check(nil, nil); err == nil {
		t.Error("check")
	}
}

func TestConfig(t *testing.T) {
	c := parseConfig("# note\n[core]\n\tBare = yes ; really\n\tfilemode\n[remote \"Custodian\"]\nurl = \"a b\" # c\n[gc] auto=0\nauto = 1\n")
	for key, want := range map[string]string{"core.bare": "yes", "core.filemode": "true", "remote.Custodian.url": "a b", "gc.auto": "1"} {
		if c[key] != want {
			t.Errorf("%s is %q, want %q", key, c[key], want)
		}
	}
	if d := parseConfig(configText()).differences(); d != nil {
		t.Errorf("what Init writes differs: %v", d)
	}
}

// Damaged and unusual states of the pack directory.
func TestUnusualPacks(t *testing.T) {
	pick := func(t *testing.T, s *Store, ext string) string {
		for _, f := range packFiles(t, s) {
			if strings.HasSuffix(f, ext) {
				path := filepath.Join(s.packDir(), f)
				os.Chmod(path, 0o644)
				return path
			}
		}
		t.Fatalf("no %s file", ext)
		return ""
	}
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, s *Store)
		want   error // of reading a letter of the first pack; nil: still read
		doctor string
	}{
		{"pack without index", func(t *testing.T, s *Store) { os.Remove(pick(t, s, ".idx")) }, ErrNotFound, "pack without an index"},
		{"index without pack", func(t *testing.T, s *Store) { os.Remove(pick(t, s, ".pack")) }, ErrNotFound, "index without its pack"},
		{"empty pack", func(t *testing.T, s *Store) { os.Truncate(pick(t, s, ".pack"), 0) }, ErrCorrupt, "cut short"},
		{"half a pack", func(t *testing.T, s *Store) { os.Truncate(pick(t, s, ".pack"), 300) }, ErrCorrupt, "cut short or altered"},
		{"empty index", func(t *testing.T, s *Store) { os.Truncate(pick(t, s, ".idx"), 0) }, ErrNotFound, "cut short"},
		{"half an index", func(t *testing.T, s *Store) { os.Truncate(pick(t, s, ".idx"), 1080) }, ErrNotFound, "pack index"},
		{"one bit of a letter", func(t *testing.T, s *Store) {
			path := pick(t, s, ".pack")
			data, _ := os.ReadFile(path)
			data[200] ^= 4
			os.WriteFile(path, data, 0o644)
		}, ErrCorrupt, ""},
		{"one bit of the index checksum", func(t *testing.T, s *Store) {
			path := pick(t, s, ".idx")
			data, _ := os.ReadFile(path)
			data[len(data)-1] ^= 4
			os.WriteFile(path, data, 0o644)
		}, nil, "checksum"},
		{"a stray pack of garbage", func(t *testing.T, s *Store) {
			os.WriteFile(filepath.Join(s.packDir(), "pack-x.pack"), []byte("x"), 0o644)
			os.WriteFile(filepath.Join(s.packDir(), "pack-x.idx"), []byte("x"), 0o644)
		}, nil, "pack-x.idx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			b := newBatch(t, s)
			h := put(t, b, Blob, letter(1))
			publish(t, b)
			s.Close()
			c.spoil(t, s)
			r := reopen(t, s)
			_, data, err := r.Get(h)
			if !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("get: %d bytes, %v; want %v", len(data), err, c.want)
			}
			var found []string
			for _, p := range r.Doctor() {
				found = append(found, p.String())
			}
			if all := strings.Join(found, "\n"); !strings.Contains(all, c.doctor) || c.doctor == "" && all != "" {
				t.Errorf("doctor says %q, want %q", all, c.doctor)
			}
			// Whatever the damage, the letter can be stored again.
			b = newBatch(t, r)
			put(t, b, Blob, letter(1))
			put(t, b, Blob, "and more")
			publish(t, b)
			if _, data, err := r.Get(h); err != nil || string(data) != letter(1) {
				t.Errorf("after storing it again: %d bytes, %v", len(data), err)
			}
		})
	}
}

func TestDoctor(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 1)
	if p := s.Doctor(); p != nil {
		t.Fatalf("a new store: %v", p)
	}
	write := func(path, text string) {
		t.Helper()
		path = s.path(filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tip, _ := s.Ref("HEAD")
	write("info/grafts", tip.String()+"\n")
	write("objects/info/alternates", "/elsewhere/objects\n")
	write("refs/replace/"+tip.String(), tip.String()+"\n")
	write("refs/heads/lost", h1.String()+"\n")
	write("refs/heads/main.lock", "")
	write("info/attributes", "*.txt text eol=crlf\n")
	write("objects/pack/pack-1.promisor", "")
	write("shallow", tip.String()+"\n")
	write("objects/pack/tmp_pack_muniment_1", "PACK")
	write("objects/pack/tmp_pack_XXXX", "PACK")
	write("objects/pack/pack-1.idx", "")
	write("HEAD", "ref: refs/heads/other\n")
	write("config", configText()+"[gc]\n\tauto = 6700\n[include]\n\tpath = other\n")
	got := map[string]State{}
	for _, p := range s.Doctor() {
		got[p.Object] = p.State
	}
	want := []string{"info/grafts", "objects/info/alternates", "refs/replace/" + tip.String(), "refs/heads/lost", "refs/heads/main.lock", "shallow",
		"info/attributes", "objects/pack/pack-1.promisor",
		"objects/pack/tmp_pack_muniment_1", "objects/pack/tmp_pack_XXXX", "objects/pack/pack-1.idx", "HEAD", "config"}
	for _, path := range want {
		if got[path] == "" {
			t.Errorf("doctor does not see %s", path)
		}
	}
	if len(got) != len(want) || got["refs/heads/lost"] != Absent {
		t.Errorf("doctor sees %v", got)
	}
	b := newBatch(t, s)
	put(t, b, Blob, "being written")
	if _, _, err := b.Get(Sum(Blob, []byte("being written"))); err != nil {
		t.Fatal(err)
	}
	swept, err := s.Sweep(lock(t, s))
	if err != nil || fmt.Sprint(swept) != "[objects/pack/pack-1.idx objects/pack/tmp_pack_muniment_1]" {
		t.Errorf("swept %v, %v", swept, err)
	}
}

func TestCheck(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 600)
	commitLetters(t, s, 600, 610)
	tip, _ := s.Ref("HEAD")
	var last int64
	r, err := s.Check([]Hash{tip, tip}, func(done int64) {
		if done < last {
			t.Errorf("progress went from %d to %d", last, done)
		}
		last = done
	})
	if err != nil || r.OK < 612 || r.OK != r.Checked || r.Failed+r.Absent+r.NotChecked != 0 || last != r.Checked {
		t.Errorf("%+v, %v, progress ended at %d", r, err, last)
	}
	// a tree that names a blob that is not there, a commit as a blob, and nothing
	b := newBatch(t, s)
	data, err := EncodeTree([]TreeEntry{{"gone", ModeFile, h1}, {"commit", ModeFile, tip}, {"gonetree", ModeTree, h2}})
	if err != nil {
		t.Fatal(err)
	}
	tree := put(t, b, Tree, string(data))
	c := put(t, b, Commit, commitText(tree, 1, tip))
	odd := put(t, b, Tree, "100755 x\x00"+string(h1[:]))
	publish(t, b)
	r, err = s.Check([]Hash{c, odd}, nil)
	if err != nil || r.Absent != 2 || r.Failed != 2 || r.NotChecked != 0 || len(r.Problems) != 4 || r.Checked != r.OK+r.Failed {
		t.Errorf("%+v, %v", r, err)
	}
	// a shallow copy
	if err := os.WriteFile(s.path("shallow"), []byte(tip.String()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err = s.Check([]Hash{tip}, nil)
	if err != nil || r.NotChecked != 1 || r.Failed+r.Absent != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
