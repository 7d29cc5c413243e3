package custody_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/journal"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/bundle"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// A lossTest is an archive with three snapshots, a tag, a countersignature, a citation, an
// answer log, a remote and something staged, of which copies lose a file.
type lossTest struct {
	whole    string // its folder
	world    archive.World
	key      sign.Signer
	other    sign.Signer // countersigns
	peer     string      // the folder of the archive that push writes to
	letter   string      // a file that is not in the archive
	head     string      // ID of the newest snapshot
	tag      objects.Hash
	cosigned string // path of the countersignature in its tree
}

func newLossTest(t *testing.T) *lossTest {
	t.Helper()
	a, key := archivetest.NewLetters(t, 3)
	x := &lossTest{world: a.World(), key: key, other: archivetest.NewKey(t)}
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(history.Tag(a, history.TagOptions{Name: "one", Snapshot: "1", Signer: key}))
	cosigned, err := history.Countersign(a, "3", x.other)
	must(nil, err)
	x.cosigned = cosigned.Path
	must(engine.Cite(a, engine.CiteOptions{Artifact: "letter-1.txt", Quote: "Letter 1 of the mill.", Claim: "It is of the mill.", Session: "s", Agent: "a"}))
	must(answer.Ask(t.Context(), a, "Which letter is of the mill?", answer.AskOptions{Signer: key}))
	must(custody.AddRemote(a, "home", archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "home.git"))))
	must(custody.Sync(t.Context(), a, custody.FetchOptions{}, nil))
	x.letter = filepath.Join(t.TempDir(), "new.txt")
	must(nil, os.WriteFile(x.letter, []byte("A letter that was never seen.\n"), 0o666))
	staged := filepath.Join(t.TempDir(), "staged.txt")
	must(nil, os.WriteFile(staged, []byte("A letter that is staged.\n"), 0o666))
	must(accession.Add(t.Context(), a, []string{staged}, accession.AddOptions{}))
	head, _, err := a.RequireHead()
	must(nil, err)
	x.head, x.tag = head.ID.String(), archivetest.Refs(t, a)[archive.RefTags+"one"]
	must(nil, a.Close())
	x.whole, x.peer = a.Dir(), a.Dir()
	return x
}

// files returns the paths in the archive's folder that can be lost: every ref, and every
// file of archive.local but those that a database has beside its file.
func (x *lossTest) files(t *testing.T) (refs, notes, local []string) {
	t.Helper()
	err := filepath.WalkDir(x.whole, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(x.whole, path)
		switch {
		case err != nil || d.IsDir():
		case strings.HasPrefix(rel, filepath.Join(archive.StoreDir, "refs")):
			refs = append(refs, rel)
		case filepath.Base(rel) == archive.JournalFile:
			notes = append(notes, rel)
		case strings.HasPrefix(rel, archive.LocalDir) && !strings.HasSuffix(rel, "-wal") && !strings.HasSuffix(rel, "-shm"):
			local = append(local, rel)
		}
		return err
	})
	if err != nil || len(refs) != 5 || len(notes) != 1 || len(local) < 8 {
		t.Fatalf("%v, %v, %v: %v", refs, notes, local, err)
	}
	return refs, notes, local
}

// lose makes a copy of the archive that has lost a file, and returns its folder.
func (x *lossTest) lose(t *testing.T, file, how string) string {
	t.Helper()
	memory, err := os.MkdirTemp("/dev/shm", "lost-")
	if err != nil {
		memory = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(memory) })
	dir := filepath.Join(memory, "a")
	copyFolder(t, x.whole, dir)
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err == nil {
		switch how {
		case "removed":
			err = os.Remove(path)
		case "emptied":
			err = os.WriteFile(path, nil, 0o644)
		case "cut":
			err = os.WriteFile(path, data[:len(data)/2], 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// writers are the acts that change an archive.
func (x *lossTest) writers(t *testing.T) map[string]func(a *archive.Archive) error {
	second := func(_ any, err error) error { return err }
	quick := custody.Transfer{Stall: 20 * time.Second}
	return map[string]func(a *archive.Archive) error{
		"1 add": func(a *archive.Archive) error {
			return second(accession.Add(t.Context(), a, []string{x.letter}, accession.AddOptions{}))
		},
		"2 consent": func(a *archive.Archive) error {
			return second(history.Consent(a, history.ConsentOptions{Default: "closed"}))
		},
		"3 hold": func(a *archive.Archive) error {
			return second(history.Hold(a, history.HoldOptions{Artifacts: []string{"letter-1.txt"}, Reason: "r", Authority: "a"}))
		},
		"4 withdraw": func(a *archive.Archive) error {
			return second(history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{"staged.txt"}, Reason: "r", Authority: "a"}))
		},
		"5 cite": func(a *archive.Archive) error {
			return second(engine.Cite(a, engine.CiteOptions{Artifact: "letter-1.txt", Quote: "Letter 1 of the mill.", Claim: "It is of a mill.", Session: "s", Agent: "a"}))
		},
		"6 ask": func(a *archive.Archive) error {
			return second(answer.Ask(t.Context(), a, "Which letter is of the mill?", answer.AskOptions{Signer: x.key}))
		},
		"7 tag": func(a *archive.Archive) error {
			return second(history.Tag(a, history.TagOptions{Name: "one", Signer: x.key}))
		},
		"8 cosign": func(a *archive.Archive) error { return second(history.Countersign(a, "2", x.other)) },
		"9 snapshot": func(a *archive.Archive) error {
			return second(engine.Snapshot(a, history.SnapshotOptions{Text: "next", Signer: x.key}))
		},
		"a fetch": func(a *archive.Archive) error {
			return second(custody.Fetch(t.Context(), a, "home", custody.FetchOptions{Transfer: quick}))
		},
		"b join": func(a *archive.Archive) error {
			return second(engine.Join(a, history.JoinOptions{Other: x.whole, Text: "j", Signer: x.key}))
		},
		"c push": func(a *archive.Archive) error { return second(custody.Push(t.Context(), a, x.peer, quick)) },
		"d sync": func(a *archive.Archive) error {
			return second(custody.Sync(t.Context(), a, custody.FetchOptions{Transfer: quick}, nil))
		},
		"e gc": func(a *archive.Archive) error { return second(a.Consolidate()) },
	}
}

// write runs every writer on a copy and returns their errors by name; of an archive that
// does not open each has that error.
func (x *lossTest) write(t *testing.T, dir string) map[string]error {
	t.Helper()
	errs := map[string]error{}
	all := x.writers(t)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "a fetch" || name == "d sync" { // the true remote is not to get what these copies make
			continue
		}
		a, err := archive.Open(dir, x.world)
		if err == nil {
			err = all[name](a)
			a.Close()
		}
		errs[name] = err
	}
	return errs
}

// checkKept fails where a copy has another history, tag or countersignature than it had,
// or remembers less.
func (x *lossTest) checkKept(t *testing.T, dir string, noteLost bool) {
	t.Helper()
	st, err := archive.OpenStore(dir, x.world.Disk)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if tip, err := st.Ref(archive.RefMain); err == nil && !tip.IsZero() {
		line, err := st.Ancestors(tip)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for commit := range line {
			one, err := archive.SnapshotAt(st, commit)
			found = found || err == nil && one.ID.String() == x.head
		}
		if !found {
			t.Error("another history has begun")
		}
	}
	if tag, err := st.Ref(archive.RefTags + "one"); err == nil && !tag.IsZero() && tag != x.tag {
		t.Error("the tag was moved")
	}
	if tip, err := st.Ref(snapshot.RefCountersignatures); err == nil && !tip.IsZero() {
		tree, err := st.TreeOf(tip)
		if err != nil {
			t.Fatal(err)
		}
		if _, there, err := st.Lookup(tree, x.cosigned); err != nil || !there {
			t.Errorf("the countersignature is no longer there: %v", err)
		}
	}
	notes, err := journal.Read(filepath.Join(dir, archive.LocalDir, archive.JournalFile))
	if note := notes.Value("snapshot", "-"); !noteLost && (err != nil || note < "3") {
		t.Errorf("this copy remembers %q: %v", note, err)
	}
}

// Whatever ref or note a copy loses, wholly or in part, no writer begins another history,
// moves a tag or drops a countersignature; a repair from the copy alone brings it back.
func TestLostRef(t *testing.T) {
	x := newLossTest(t)
	refs, notes, _ := x.files(t)
	for i, file := range append(refs, notes...) {
		ways := []string{"removed", "emptied", "cut"}
		if os.Getenv("MUNIMENT_LONG") == "" && !strings.HasSuffix(file, "heads/main") && !strings.HasSuffix(file, archive.JournalFile) {
			ways = ways[i%3 : i%3+1]
		}
		for _, how := range ways {
			t.Run(how+" "+filepath.ToSlash(file), func(t *testing.T) {
				dir := x.lose(t, file, how)
				note := strings.HasPrefix(file, archive.LocalDir)
				again := strings.HasSuffix(file, "staged") || strings.Contains(file, "/log/") // nothing notes the one, the local log makes the other again
				errs := x.write(t, dir)
				for name, err := range errs {
					var failure *problem.Error
					stopped := errors.As(err, &failure) && failure.Kind == problem.Damaged && failure.Outcome == "" && failure.Next.Do == problem.DoRepair
					main := strings.HasSuffix(file, "heads/main")
					if main && !stopped {
						t.Errorf("%s: %v, want an error that says damaged and leads to a repair", name, err)
					}
				}
				x.checkKept(t, dir, note)
				v, err := verify(dir, x.world)
				if !note && !again && err == nil && v.Verdict != bundle.Invalid {
					t.Errorf("it verifies as %s", v.Verdict)
				}
				if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, x.world, nil); err != nil {
					t.Fatalf("repair: %v", err)
				}
				x.checkKept(t, dir, note)
				if v, err := verify(dir, x.world); err != nil || v.Verdict == bundle.Invalid || v.Seq < 3 {
					t.Errorf("after the repair it verifies as %+v, %v", v, err)
				}
				for name, err := range x.write(t, dir) {
					var failure *problem.Error
					if errors.As(err, &failure) && failure.Kind == problem.Damaged {
						t.Errorf("%s after the repair: %v", name, err)
					}
				}
				x.checkKept(t, dir, note)
			})
		}
	}
}

// Whatever file of its local folder a copy loses, its history and its refs stay, and the
// repair and verify end.
func TestLostLocalFile(t *testing.T) {
	x := newLossTest(t)
	_, _, local := x.files(t)
	for i, file := range local {
		if i%casecount.Of(2, 1) != 0 {
			continue
		}
		ways := []string{"removed", "emptied", "cut"}
		if os.Getenv("MUNIMENT_LONG") == "" {
			ways = ways[i%3 : i%3+1]
		}
		for _, how := range ways {
			t.Run(how+" "+filepath.ToSlash(file), func(t *testing.T) {
				dir := x.lose(t, file, how)
				x.write(t, dir)
				x.checkKept(t, dir, false)
				if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, x.world, nil); err != nil {
					t.Errorf("repair: %v", err)
				}
				v, err := verify(dir, x.world)
				if err != nil || v.Seq < 3 {
					t.Fatalf("it verifies as %+v, %v", v, err)
				}
				for _, axis := range v.Axes {
					if axis.Result == bundle.Fail {
						t.Errorf("axis %s fails: %s", axis.Name, axis.Reason)
					}
				}
			})
		}
	}
}

// Where the branch and all that archive.local noted are gone, each thing that remains
// still shows that there was a snapshot.
func TestEveryTrace(t *testing.T) {
	x := newLossTest(t)
	refs, _, _ := x.files(t)
	for _, keep := range append(refs, "nothing but the packs") {
		if strings.HasSuffix(keep, "heads/main") {
			continue
		}
		t.Run(filepath.ToSlash(keep), func(t *testing.T) {
			dir := x.lose(t, filepath.Join(archive.StoreDir, "refs", "heads", "main"), "removed")
			if err := os.RemoveAll(filepath.Join(dir, archive.LocalDir)); err != nil {
				t.Fatal(err)
			}
			for _, ref := range refs {
				if ref != keep {
					_ = os.Remove(filepath.Join(dir, ref))
				}
			}
			for name, err := range x.write(t, dir) {
				var failure *problem.Error
				if !errors.As(err, &failure) || failure.Kind != problem.Damaged || failure.Next.Do != problem.DoRepair {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, x.world, nil); err != nil {
				t.Fatal(err)
			}
			if v, err := verify(dir, x.world); err != nil || v.Verdict == bundle.Invalid || v.Snapshot != x.head {
				t.Errorf("after the repair it verifies as %+v, %v", v, err)
			}
		})
	}
}

// verify opens and verifies a copy.
func verify(dir string, w archive.World) (*audit.ArchiveVerdict, error) {
	a, err := archive.Open(dir, w)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return audit.Verify(a, audit.ArchiveVerifyOptions{})
}
