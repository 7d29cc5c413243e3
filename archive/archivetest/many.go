package archivetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/objects/pack"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// SignMany adds n snapshots to an archive with nothing staged, each of which changes
// README.txt, in one publish.
func SignMany(t testing.TB, a *archive.Archive, signer sign.Signer, n int) {
	t.Helper()
	prev, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Abort()
	var known *snapshot.Summary
	at := tip
	for i := range n {
		s, commit, summary, err := signOne(b, signer, prev, at, known, i)
		if err != nil {
			t.Fatal(err)
		}
		prev, at, known = s, commit, summary
	}
	if err := b.Publish(lock, objects.RefUpdate{Name: archive.RefMain, Old: tip, New: at}); err != nil {
		t.Fatal(err)
	}
	a.RememberSnapshot(prev)
}

// signOne puts the snapshot after prev into a batch.
func signOne(b *objects.Batch, signer sign.Signer, prev *snapshot.Snapshot, tip objects.Hash, known *snapshot.Summary, i int) (*snapshot.Snapshot, objects.Hash, *snapshot.Summary, error) {
	none := objects.Hash{}
	blob, err := b.Put(objects.Blob, fmt.Appendf(nil, "note %d\n", i))
	if err != nil {
		return nil, none, nil, err
	}
	tree, err := b.Edit(prev.Tree, []objects.Edit{{Path: layout.PathReadme, Blob: blob}})
	if err != nil {
		return nil, none, nil, err
	}
	base := prev.Tree
	if known == nil {
		base = none
	}
	summary, _, err := snapshot.Summarize(b, tree, base, known)
	if err != nil {
		return nil, none, nil, err
	}
	payload, err := snapshot.Draft{Tree: tree, Parents: []objects.Hash{tip}, Author: prev.Author, Time: prev.Time.Add(time.Second), Text: "a note",
		Archive: prev.Archive, Seq: prev.Seq + 1, Root: summary.Root(), Entries: summary.Entries(), Prev: prev.ID}.Payload()
	if err != nil {
		return nil, none, nil, err
	}
	armored, err := sign.Sign(signer, sign.NamespaceGit, payload)
	if err != nil {
		return nil, none, nil, err
	}
	content, err := snapshot.Attach(payload, armored)
	if err != nil {
		return nil, none, nil, err
	}
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return nil, none, nil, err
	}
	s, err := snapshot.Parse(content)
	return s, commit, summary, err
}

// SplitPacks replaces the packs of an archive by n packs or more that nobody merges,
// as the versions of this program left one or two for each snapshot that merged none.
func SplitPacks(t testing.TB, a *archive.Archive, n int) {
	t.Helper()
	dir := filepath.Join(a.Dir(), archive.StoreDir, "objects", "pack")
	old, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	total, made := 0, map[string]bool{}
	var files []*pack.File
	cache := pack.NewCache()
	for _, path := range old {
		if name, ok := strings.CutSuffix(path, ".pack"); ok {
			x, err := pack.OpenIndex(name + ".idx")
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, pack.NewFile(filepath.Base(name), path, x, cache))
			total += x.Len()
		}
	}
	size := max(1, total/n)
	for _, f := range files {
		var places []pack.Place
		for i := range f.Index.Len() {
			off, err := f.Index.Offset(i)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, pack.Place{Offset: off, Pos: int32(i)})
		}
		slices.SortFunc(places, pack.ComparePlaces)
		for part := range slices.Chunk(places, size) {
			w, err := pack.Create(disk.Disk{}, dir, dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Copy(f, part, a.Store().Get), w.Seal()); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Publish(), os.WriteFile(filepath.Join(dir, w.Name()+".keep"), nil, 0o644)); err != nil {
				t.Fatal(err)
			}
			made[filepath.Join(dir, w.Name())] = true
		}
		f.Close()
	}
	if len(made) < n {
		t.Fatalf("%d packs of %d objects, want %d", len(made), total, n)
	}
	for _, path := range old {
		if name := path[:len(path)-len(filepath.Ext(path))]; made[name] {
			continue // a pack that was small enough as it was
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
