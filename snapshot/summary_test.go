package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muniment/objects"

	"pgregory.net/rapid"
)

// treeOf publishes edits on top of a tree.
func treeOf(t *rapid.T, st *objects.Store, base objects.Hash, files map[string]string) objects.Hash {
	b, err := st.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Abort()
	var edits []objects.Edit
	for path, text := range files {
		e := objects.Edit{Path: path}
		if text != "" {
			if e.Blob, err = b.Put(objects.Blob, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		edits = append(edits, e)
	}
	tree, err := b.Edit(base, edits)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := st.Lock(objects.Owner{PID: 1, Host: "test", Start: noon}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if err := b.Publish(lock); err != nil {
		t.Fatal(err)
	}
	return tree
}

// somePaths are files in and beside the fan-out, some of them where no archive
// has any.
var somePaths = []string{"README.txt", "policy/a.json", "policy/ab/cd/e", "artifacts/x", "artifacts/ab", "artifacts/zz/00/x",
	"artifacts/ac/zz/x", "artifacts/ad/00", "records/ae/00/x/y", "a/b/c/d/e", "trust/00/11/" + strings.Repeat("0", 60)}

// A summary made from the one before is the summary made from nothing, and its
// root and entries are those of the lines.
func TestSummaryFromTheOneBefore(t *testing.T) {
	st, err := objects.InitWith(t.TempDir()+"/archive.git", objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	path := rapid.OneOf(rapid.SampledFrom(somePaths), rapid.Custom(func(t *rapid.T) string {
		top := rapid.SampledFrom([]string{"artifacts", "originals", "citations"}).Draw(t, "top")
		return fmt.Sprintf("%s/%02x/%02x/%s%s", top, rapid.SampledFrom([]int{0, 1, 0xfe, 0xff}).Draw(t, "ab"), rapid.IntRange(0, 3).Draw(t, "cd"),
			strings.Repeat(rapid.SampledFrom([]string{"0", "7"}).Draw(t, "rest"), 60), rapid.SampledFrom([]string{"", ".consent.json"}).Draw(t, "tail"))
	}))
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		var tree objects.Hash
		var known *Summary
		payloads := int64(0)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			files := rapid.MapOfN(path, rapid.SampledFrom([]string{"", "one", "two"}), 0, 12).Draw(t, "files")
			for p := range files { // a file never takes the place of a directory here
				for q := range files {
					if strings.HasPrefix(q, p+"/") {
						delete(files, p)
					}
				}
			}
			next := treeOf(t, st, tree, files)
			whole, all, err := Summarize(st, next, objects.Hash{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := Lines(st, next, nil)
			if err != nil {
				t.Fatal(err)
			}
			full, err := NewTree(lines)
			if err != nil {
				t.Fatal(err)
			}
			if whole.Root() != full.Root() || whole.Entries() != full.Entries() {
				t.Fatalf("summary %x of %d lines, want %x of %d", whole.Root(), whole.Entries(), full.Root(), full.Entries())
			}
			if known != nil {
				part, more, err := Summarize(st, next, tree, known)
				if err != nil {
					t.Fatal(err)
				}
				if part.String() != whole.String() || payloads+more != all {
					t.Fatalf("from the one before: %d artifacts, want %d\n%s\nwant\n%s", payloads+more, all, part, whole)
				}
				compared++
			}
			again, err := ParseSummary(whole.String())
			if err != nil || again.String() != whole.String() {
				t.Fatalf("parsed: %v", err)
			}
			tree, known, payloads = next, whole, all
		}
	})
	if compared == 0 {
		t.Error("no summary was made from another")
	}
}

func FuzzSummary(f *testing.F) {
	empty, _, err := Summarize(nil, objects.Hash{}, objects.Hash{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(empty.String())
	f.Add(strings.Replace(empty.String(), "07 0 ", "07 00 ", 1))
	f.Add(strings.TrimSuffix(empty.String(), "\n"))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSummary(text)
		if err != nil {
			if s != nil {
				t.Fatalf("a summary with %v", err)
			}
			return
		}
		if s.String() != text {
			t.Fatalf("%q is written again as %q", text, s)
		}
	})
}

// Many shards, which are read side by side, give the root of their lines.
func TestSummaryOfManyShards(t *testing.T) {
	st, err := objects.InitWith(t.TempDir()+"/archive.git", objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{"README.txt": "read me"}
		for i := range rapid.IntRange(manyShards, 90).Draw(t, "files") {
			files[fmt.Sprintf("artifacts/%02x/%02x/%060x", i*7%256, i, i)] = "x"
		}
		tree := treeOf(t, st, objects.Hash{}, files)
		s, more, err := Summarize(st, tree, objects.Hash{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := Lines(st, tree, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := NewTree(lines)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root() != whole.Root() || s.Entries() != int64(len(files)) || more != int64(len(files)-1) {
			t.Fatalf("root %x, %d entries, %d artifacts; want %x, %d, %d", s.Root(), s.Entries(), more, whole.Root(), len(files), len(files)-1)
		}
	})
}
