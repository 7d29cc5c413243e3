package custody_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/custody"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// fetchReads returns how many objects a copy reads to fetch one letter more. before is
// called with the closed copy.
func fetchReads(t *testing.T, a *archive.Archive, s sign.Signer, dir, text string, before func(local string)) int64 {
	t.Helper()
	archivetest.AddLetter(t, a, s, text)
	if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	if before != nil {
		before(filepath.Join(dir, archive.LocalDir))
	}
	var reads atomic.Int64
	w := a.World()
	w.Disk.Read = func(string) { reads.Add(1) }
	b, err := archive.Open(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r, err := custody.Fetch(t.Context(), b, "origin", custody.FetchOptions{})
	if err != nil || r.Relation != "ahead" {
		t.Fatalf("fetch: %+v, %v", r, err)
	}
	if v := b.LastVerified(); v == nil || v.ID != r.Snapshot {
		t.Fatalf("after the fetch %+v is noted as verified", v)
	}
	read := reads.Load()
	head, _, err := b.Head()
	if err != nil {
		t.Fatal(err)
	}
	n, err := snapshot.Grown(b.Store(), objects.Hash{}, head.Tree)
	if v := b.LastVerified(); err != nil || v.Artifacts != n {
		t.Errorf("%d artifacts are noted, %d counted, %v", v.Artifacts, n, err)
	}
	return read
}

// A fetch of one letter reads what is new, however many papers the archive has. A copy
// whose note of its last verification is gone, damaged or of another snapshot reads
// everything, and notes that.
func TestFetchReadsWhatIsNew(t *testing.T) {
	var few int64
	for _, papers := range []int{20, casecount.Of(600, 2000)} {
		files := map[string]string{}
		for i := range papers {
			files[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("Letter %d of the mill.\n", i)
		}
		a, s := archivetest.New(t, files)
		archivetest.Seal(t, a, s)
		repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
		if _, err := custody.AddRemote(a, "host", repo); err != nil {
			t.Fatal(err)
		}
		if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "copy")
		if _, err := custody.Clone(t.Context(), repo, dir, custody.CloneOptions{}, a.World()); err != nil {
			t.Fatal(err)
		}
		first := fetchReads(t, a, s, dir, "One letter more.\n", nil)
		second := fetchReads(t, a, s, dir, "And one letter more.\n", nil)
		t.Logf("%d papers: a fetch of one letter read %d objects, the next %d", papers, first, second)
		if few == 0 {
			few = max(first, second)
			continue
		}
		// A directory has more entries, and a shard more directories: no more than that.
		if most := few + 60; max(first, second) > most {
			t.Errorf("a fetch into %d papers read %d and %d objects, want %d at most", papers, first, second, most)
		}
		damages := map[string]func(note string) error{
			"gone":    os.Remove,
			"a digit": func(note string) error { return editFile(note, func(b []byte) { b[bytes.IndexByte(b, 'a')] ^= 1 }) },
			"cut":     func(note string) error { return os.Truncate(note, 900) },
			"of another": func(note string) error {
				// A well-formed note of a snapshot that is not in the history is no reason to pass anything over.
				v, err := os.ReadFile(note)
				if err != nil {
					return err
				}
				k, _ := archive.ParseVerified(v)
				k.ID = strings.Replace(k.ID, k.ID[20:24], "aaaa", 1)
				return os.WriteFile(note, k.Encode(), 0o600)
			},
			"of other trust": func(note string) error {
				v, err := os.ReadFile(note)
				if err != nil {
					return err
				}
				k, _ := archive.ParseVerified(v)
				k.Trust = strings.Repeat("0", 64)
				return os.WriteFile(note, k.Encode(), 0o600)
			},
		}
		for name, damage := range damages {
			n := fetchReads(t, a, s, dir, "A letter after the note was "+name+".\n", func(local string) {
				if err := damage(filepath.Join(local, archive.VerifiedFile)); err != nil {
					t.Fatal(err)
				}
			})
			if n < int64(2*papers) { // payload and record of each
				t.Errorf("with a note that is %s a fetch read %d objects of %d papers", name, n, papers)
			}
		}
		if again := fetchReads(t, a, s, dir, "The last letter.\n", nil); again > few+60 {
			t.Errorf("after a fetch that read everything the next read %d objects", again)
		}
	}
}

// editFile changes the bytes of a file.
func editFile(path string, edit func([]byte)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	edit(data)
	return errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, data, 0o600))
}

// A push and a fetch of a history that both sides have, a push and a fetch of one letter
// more, and a fetch from a remote that is behind read no snapshot of before, however many
// there are.
func TestSameHistoryIsNotRead(t *testing.T) {
	var few [5]int64
	for _, snapshots := range []int{5, 200} {
		a, s := archivetest.NewLetters(t, 3)
		archivetest.SignMany(t, a, s, snapshots)
		repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
		if _, err := custody.AddRemote(a, "host", repo); err != nil {
			t.Fatal(err)
		}
		if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), "copy")
		if _, err := custody.Clone(t.Context(), repo, copied, custody.CloneOptions{}, a.World()); err != nil {
			t.Fatal(err)
		}
		reads := func(dir string, do func(*archive.Archive)) int64 {
			var n atomic.Int64
			w := a.World()
			w.Disk.Read = func(string) { n.Add(1) }
			b, err := archive.Open(dir, w)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			do(b)
			return n.Load()
		}
		push := func(b *archive.Archive) {
			if _, err := custody.Push(t.Context(), b, "host", custody.Transfer{}); err != nil {
				t.Fatal(err)
			}
		}
		fetch := func(remote, relation string) func(*archive.Archive) {
			return func(b *archive.Archive) {
				if r, err := custody.Fetch(t.Context(), b, remote, custody.FetchOptions{}); err != nil || r.Relation != relation {
					t.Fatalf("%+v, %v", r, err)
				}
			}
		}
		// The first command in a clone makes the index of its snapshots.
		reads(copied, fetch("origin", "same"))
		got := [5]int64{reads(a.Dir(), push), reads(a.Dir(), fetch("host", "same"))}
		archivetest.AddLetter(t, a, s, "One letter more.\n")
		got[2] = reads(a.Dir(), fetch("host", "behind"))
		got[3] = reads(a.Dir(), push)
		got[4] = reads(copied, fetch("origin", "ahead"))
		t.Logf("%d snapshots: a push, a fetch, a fetch from behind, a push and a fetch of one more read %d objects", snapshots, got)
		if few[0] == 0 {
			few = got
			continue
		}
		for i := range got {
			if got[i] > few[i]+20 {
				t.Errorf("%d snapshots: %d objects were read, %d with few", snapshots, got, few)
			}
		}
	}
}

// A note of what was verified that somebody changed lets nothing in: not where it names
// the snapshot of a stranger that the remote shows, not where the index of snapshots has
// that too.
func TestForgedNote(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	rooted(t, a, s, func(*trust.Root) {})
	archivetest.Seal(t, a, s)
	copied, theirs := copyOf(t, a), copyOf(t, a)
	stranger := archivetest.NewKey(t)
	if err := history.EnrolSigner(theirs, stranger.Key(), "stranger"); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, theirs, s)
	archivetest.AddLetter(t, theirs, stranger, "A letter that a stranger signed.\n")
	head, tip, err := theirs.Head()
	if err != nil {
		t.Fatal(err)
	}
	before, _, err := copied.Head()
	if err != nil {
		t.Fatal(err)
	}
	summary, artifacts, err := snapshot.Summarize(theirs.Store(), head.Tree, objects.Hash{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The note of a copy that trusts the same, as if the stranger's snapshot were verified.
	honest := copyOf(t, a)
	archivetest.AddLetter(t, a, s, "A letter by who may sign.\n")
	if _, err := custody.Fetch(t.Context(), honest, "origin", custody.FetchOptions{Trust: trustOf(t, a)}); err != nil {
		t.Fatal(err)
	}
	v := honest.LastVerified()
	if v == nil {
		t.Fatal("nothing is noted")
	}
	v.SnapshotSummary = archive.SnapshotSummary{ID: head.ID.String(), Artifacts: artifacts, Summary: summary}
	for _, index := range []bool{false, true} {
		copied.KeepVerified(*v)
		if index {
			if there, err := theirs.HasCommit(tip); err != nil || !there {
				t.Fatalf("%v, %v", there, err)
			}
			from, to := filepath.Join(theirs.Dir(), archive.LocalDir, "history"), filepath.Join(copied.Dir(), archive.LocalDir, "history")
			if err := os.RemoveAll(to); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(to, os.DirFS(from)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		b, err := archive.Open(copied.Dir(), copied.World())
		if err != nil {
			t.Fatal(err)
		}
		if r, err := custody.Fetch(t.Context(), b, theirs.Dir(), custody.FetchOptions{}); err == nil || !strings.Contains(err.Error(), "does not give that key the role") {
			t.Errorf("a fetch with a forged note takes %+v, %v", r, err)
		}
		if after, _, err := b.Head(); err != nil || after.ID != before.ID {
			t.Errorf("the copy stands at another snapshot, %v", err)
		}
		b.Close()
	}
}

// trustOf returns the trust root of an archive, as a caller gives it.
func trustOf(t *testing.T, a *archive.Archive) archive.Trust {
	t.Helper()
	root, err := a.TrustRoot()
	if err != nil {
		t.Fatal(err)
	}
	return archive.Trust{Root: root, Text: root.Encode()}
}
