package archive_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/snapshot"
)

// compareHistory asks the history index what a walk over the commits finds.
func compareHistory(t *testing.T, a *archive.Archive) {
	t.Helper()
	_, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	walked, err := a.History(tip)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]int64{}
	seqs := map[int64]int{}
	for _, s := range walked {
		byID[s.ID.String()] = s.Seq
		seqs[s.Seq]++
	}
	n, last := 0, walked[0].Seq+1
	for r, err := range a.SnapshotRows() {
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(walked, func(s *snapshot.Snapshot) bool { return s.ID == r.ID })
		if i < 0 || r.Seq > last {
			t.Fatalf("row %d of %s is not in the history, or out of order", r.Seq, r.ID)
		}
		s := walked[i]
		if want := (archive.SnapshotRow{Seq: s.Seq, ID: s.ID, Commit: objects.Sum(objects.Commit, s.Content), Tree: s.Tree, Root: s.Root, Signer: s.Key.Point()}); r != want {
			t.Fatalf("row %+v, want %+v", r, want)
		}
		n, last = n+1, r.Seq
	}
	if n != len(walked) {
		t.Fatalf("%d rows of %d snapshots", n, len(walked))
	}
	for id, seq := range byID {
		if r, there, err := a.HasSnapshot(id); err != nil || !there || r.Seq != seq {
			t.Fatalf("snapshot %s: %v, %v", id, there, err)
		}
		if s, err := a.FindSnapshot(id[:30]); err != nil || s.ID.String() != id {
			t.Fatalf("snapshot %s by a prefix: %v", id, err)
		}
	}
	for seq, count := range seqs {
		if rows, err := a.FindRows(strconv.FormatInt(seq, 10)); err != nil || len(rows) != count {
			t.Fatalf("%d snapshots of number %d, want %d, %v", len(rows), seq, count, err)
		}
	}
	if _, there, err := a.HasSnapshot(a.ID().String()); err != nil || there {
		t.Fatalf("the archive's id is a snapshot: %v", err)
	}
}

// The history index says what a walk says: of a history that grows, joins, is cut
// back and goes on, and with the index damaged or gone.
func TestHistoryIndex(t *testing.T) {
	a, s := archivetest.NewLetters(t, 70)
	f := &shelf{t: t, a: a, s: s}
	current := filepath.Join(a.Dir(), archive.LocalDir, "history", "current")
	f.reopen()
	compareHistory(t, f.a)
	if _, err := os.Stat(current); err != nil {
		t.Fatalf("no index was written: %v", err)
	}
	other := archivetest.NewKey(t)
	f.must(history.EnrolSigner(f.a, other.Key(), "second"))
	archivetest.AddLetter(t, f.a, s, "Letter 71 of the mill.\n")
	far := filepath.Join(t.TempDir(), "far")
	f.must(os.CopyFS(far, os.DirFS(f.a.Dir())))
	b, err := archive.Open(far, f.a.World())
	f.must(err)
	t.Cleanup(func() { b.Close() })
	for range 3 {
		archivetest.AddLetter(t, b, other, "Letter "+strconv.Itoa(int(b.World().Now().UnixNano()))+" from afar.\n")
	}
	compareHistory(t, b)
	archivetest.AddLetter(t, f.a, s, "Letter 72 of the mill.\n")
	compareHistory(t, f.a)
	before := archivetest.Refs(t, f.a)[archive.RefMain]
	_, err = engine.Join(f.a, history.JoinOptions{Other: far, Text: "one again", Signer: s})
	f.must(err)
	compareHistory(t, f.a)
	for range 70 { // the join is written, too
		archivetest.AddLetter(t, f.a, s, "Letter "+strconv.Itoa(int(f.a.World().Now().UnixNano()))+" after the join.\n")
	}
	f.reopen()
	compareHistory(t, f.a)
	for at := 0; at < 8; at += casecount.Of(3, 1) {
		for _, pattern := range []string{"current", "*.keys"} {
			files, err := filepath.Glob(filepath.Join(filepath.Dir(current), pattern))
			f.must(err)
			for _, file := range files {
				data, err := os.ReadFile(file)
				f.must(err)
				data[len(data)*at/8] ^= 4
				f.must(os.WriteFile(file, data, 0o600))
			}
			if len(files) == 0 {
				t.Fatalf("no %s", pattern)
			}
			f.reopen()
			compareHistory(t, f.a)
		}
	}
	archivetest.Git(t, filepath.Join(f.a.Dir(), archive.StoreDir), "update-ref", archive.RefMain, before.String())
	f.reopen()
	compareHistory(t, f.a)
	f.must(os.RemoveAll(filepath.Dir(current)))
	f.reopen()
	compareHistory(t, f.a)
}
