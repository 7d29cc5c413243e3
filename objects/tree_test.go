package objects

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var h1, h2 = Sum(Blob, []byte("1")), Sum(Blob, []byte("2"))

func TestEncodeTree(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []TreeEntry
		want string
	}{
		{"", nil, ""},
		{"directory sorts with a slash", []TreeEntry{{"a", ModeTree, h1}, {"a.b", ModeFile, h2}, {"a0", ModeFile, h2}},
			"100644 a.b\x00" + string(h2[:]) + "40000 a\x00" + string(h1[:]) + "100644 a0\x00" + string(h2[:])},
	} {
		got, err := EncodeTree(c.in)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	for _, bad := range [][]TreeEntry{
		{{"", ModeFile, h1}}, {{".", ModeFile, h1}}, {{"..", ModeTree, h1}}, {{"a/b", ModeFile, h1}}, {{"a\x00b", ModeFile, h1}},
		{{".git", ModeTree, h1}}, {{".GiT", ModeFile, h1}}, {{"git~1", ModeFile, h1}}, {{".git . ", ModeFile, h1}}, {{".g\u200cit", ModeFile, h1}}, {{".git::$INDEX", ModeFile, h1}},
		{{"a", 0o100755, h1}}, {{"a", 0o120000, h1}}, {{"a", 0o160000, h1}}, {{"a", 0, h1}}, {{"a", ModeFile, Hash{}}},
		{{"a", ModeFile, h1}, {"a", ModeFile, h2}}, {{"a", ModeTree, h1}, {"a", ModeTree, h1}},
		{{"a", ModeFile, h1}, {"a.b", ModeFile, h1}, {"a", ModeTree, h1}},
	} {
		if got, err := EncodeTree(bad); err == nil || got != nil {
			t.Errorf("encoded %v", bad)
		}
	}
}

// Any tree that encodes is read back the same.
func TestTreeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[0-9a-z][0-9a-z._-]{0,4}`), func(s string) string { return s }).Draw(t, "names")
		var in []TreeEntry
		for _, n := range names {
			in = append(in, TreeEntry{n, rapid.SampledFrom([]uint32{ModeFile, ModeTree}).Draw(t, "mode"), h1})
		}
		data, err := EncodeTree(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ParseTree(data)
		if err != nil {
			t.Fatal(err)
		}
		byKey := func(e TreeEntry) string {
			if e.Mode == ModeTree {
				return e.Name + "/"
			}
			return e.Name
		}
		slices.SortFunc(in, func(a, b TreeEntry) int { return strings.Compare(byKey(a), byKey(b)) })
		if !slices.Equal(in, out) {
			t.Fatalf("in %v, out %v", in, out)
		}
	})
}

// Edit is compared with a map of paths.
func TestEditModel(t *testing.T) {
	s := newStore(t)
	blobs := make([]Hash, 4)
	b := newBatch(t, s)
	for i := range blobs {
		blobs[i] = put(t, b, Blob, fmt.Sprint("blob ", i))
	}
	publish(t, b)
	part := rapid.SampledFrom([]string{"a", "a.b", "a-b", "b", "0", "c0"})
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "parts"), "/")
	})
	rapid.Check(t, func(rt *rapid.T) {
		b, err := s.NewBatch()
		if err != nil {
			rt.Fatal(err)
		}
		defer b.Abort()
		model := map[string]Hash{}
		var root Hash
		for range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			paths := rapid.SliceOfNDistinct(path, 0, 5, func(s string) string { return s }).Draw(rt, "paths")
			var edits []Edit
			for _, p := range paths {
				e := Edit{Path: p}
				if rapid.IntRange(0, 3).Draw(rt, "remove") > 0 {
					e.Blob = rapid.SampledFrom(blobs).Draw(rt, "blob")
				}
				edits = append(edits, e)
			}
			next, ok := editModel(model, edits)
			got, err := b.Edit(root, edits)
			if ok != (err == nil) {
				rt.Fatalf("edits %v of %v: %v, the model says %v", edits, model, err, ok)
			}
			if !ok {
				continue
			}
			root, model = got, next
			flat := map[string]Hash{}
			var order []string
			flatten(rt, b, root, "", func(p string, h Hash) { flat[p] = h; order = append(order, p) })
			if d := cmp.Diff(model, flat); d != "" {
				rt.Fatalf("after %v (-model +tree):\n%s", edits, d)
			}
			if !slices.IsSorted(order) {
				rt.Fatalf("paths out of order: %q", order)
			}
		}
		if len(model) == 0 && !root.IsZero() {
			rt.Fatalf("an empty tree is %s", root)
		}
	})
}

// editModel applies removals, then additions, to a flat map.
func editModel(old map[string]Hash, edits []Edit) (map[string]Hash, bool) {
	next := map[string]Hash{}
	for p, h := range old {
		next[p] = h
	}
	for _, e := range edits {
		if e.Blob.IsZero() {
			for p := range next {
				if p == e.Path || strings.HasPrefix(p, e.Path+"/") {
					delete(next, p)
				}
			}
		}
	}
	for _, e := range edits {
		if !e.Blob.IsZero() {
			next[e.Path] = e.Blob
		}
	}
	for p := range next {
		for q := range next {
			if strings.HasPrefix(q, p+"/") {
				return nil, false
			}
		}
	}
	return next, true
}

func flatten(t *rapid.T, b *Batch, tree Hash, prefix string, fn func(string, Hash)) {
	entries, err := b.tree(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Mode == ModeTree {
			flatten(t, b, e.Hash, prefix+e.Name+"/", fn)
		} else {
			fn(prefix+e.Name, e.Hash)
		}
	}
}

func TestEditRefuses(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	h, g := put(t, b, Blob, "x"), put(t, b, Blob, "y")
	for _, edits := range [][]Edit{
		{{"", h}}, {{"/a", h}}, {{"a/", h}}, {{"a//b", h}}, {{"../a", h}}, {{"a/.git/b", h}},
		{{"a", h}, {"a", g}}, {{"a", h}, {"b", g}, {"a", Hash{}}}, {{"a", h}, {"a/b", h}}, {{"a", h2}},
		{{strings.Repeat("a/", MaxDepth) + "a", h}},
	} {
		if got, err := b.Edit(Hash{}, edits); err == nil || !got.IsZero() {
			t.Errorf("edit %v gave %s", edits, got)
		}
	}
	if _, err := b.Edit(h, []Edit{{"a", h}}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("editing a blob: %v", err)
	}
	// only changed trees are written
	root, err := b.Edit(Hash{}, []Edit{{"a/x", h}, {"b/x", h}})
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := b.Edit(Hash{}, []Edit{{"b/x", h}, {"a/x", h}, {"b/x", h}}); err != nil || twice != root {
		t.Errorf("an edit that is said twice: %s, %v, want %s", twice, err, root)
	}
	before := len(b.entries)
	if same, err := b.Edit(root, []Edit{{"a/x", h}, {"c", Hash{}}, {"a/y/z", Hash{}}}); err != nil || same != root || len(b.entries) != before {
		t.Errorf("an edit without effect: %s, %v, %d new objects", same, err, len(b.entries)-before)
	}
	if _, err := b.Edit(root, []Edit{{"a/y", h}}); err != nil || len(b.entries) != before+2 {
		t.Errorf("one new name wrote %d objects, want 2 trees: %v", len(b.entries)-before, err)
	}
	if none, err := b.Edit(root, []Edit{{"a", Hash{}}, {"b/x", Hash{}}}); err != nil || !none.IsZero() {
		t.Errorf("a tree without blobs is %s, %v", none, err)
	}
}

func TestWalkAndLookup(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	h := put(t, b, Blob, "x")
	paths := []string{"a-b", "a.b", "a/b", "a/c/d", "a/c0", "a0", "b"}
	var edits []Edit
	for _, p := range paths {
		edits = append(edits, Edit{p, h})
	}
	root, err := b.Edit(Hash{}, edits)
	if err != nil {
		t.Fatal(err)
	}
	c := put(t, b, Commit, commitText(root, 1))
	publish(t, b)
	for under, want := range map[string][]string{
		"": paths, "a": {"a/b", "a/c/d", "a/c0"}, "a/c": {"a/c/d"}, "a/b": {"a/b"}, "x": nil, "a/b/c": nil, "a/x": nil,
	} {
		var got []string
		if err := s.Walk(root, under, func(p string, _ Hash) error { got = append(got, p); return nil }); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("walk %q (-want +got):\n%s", under, d)
		}
	}
	stop := errors.New("enough")
	if err := s.Walk(root, "", func(string, Hash) error { return stop }); err != stop {
		t.Errorf("walk did not stop: %v", err)
	}
	for path, want := range map[string]bool{"a/c/d": true, "a": false, "a/c": false, "a/x": false, "b/x": false, "a.b": true} {
		got, ok, err := s.Lookup(root, path)
		if err != nil || ok != want || ok && got != h {
			t.Errorf("lookup %s: %s %v %v", path, got, ok, err)
		}
	}
	if _, _, err := s.Lookup(root, "a/../b"); err == nil {
		t.Error("looked up a path with ..")
	}
	if got, err := s.TreeOf(c); err != nil || got != root {
		t.Errorf("tree of commit: %s, %v", got, err)
	}
	if _, err := s.TreeOf(root); !errors.Is(err, ErrCorrupt) {
		t.Errorf("tree of a tree: %v", err)
	}
}

// Many edits at once give the tree that few at a time give.
func TestEditMany(t *testing.T) {
	st := newStore(t)
	b, err := st.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Abort()
	blob, err := b.Put(Blob, []byte("a letter"))
	if err != nil {
		t.Fatal(err)
	}
	var edits []Edit
	for i := range manyEdits + 100 {
		edits = append(edits, Edit{Path: fmt.Sprintf("artifacts/%02x/%02x/%d", i%256, i/256%7, i), Blob: blob})
	}
	want, err := b.Edit(Hash{}, edits)
	if err != nil {
		t.Fatal(err)
	}
	var got Hash
	for part := range slices.Chunk(edits, manyEdits/4) {
		if got, err = b.Edit(got, part); err != nil {
			t.Fatal(err)
		}
	}
	if got != want {
		t.Errorf("in parts: %s, at once: %s", got, want)
	}
	edits[7].Path = "artifacts/08/00"
	if _, err := b.Edit(Hash{}, edits); err == nil {
		t.Error("a blob took the place of a directory")
	}
}
