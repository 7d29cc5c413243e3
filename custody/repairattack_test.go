package custody_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
)

// A repair takes bytes from a remote that nobody trusts, and never a history: the branch
// leads to what this copy had, whoever signed the longer or the other history there.
func TestRepairTakesNoForeignHistory(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 3)
	head, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	attacker := archivetest.NewKey(t)
	fork := func(name string, change func(b *archive.Archive)) string {
		dir := filepath.Join(t.TempDir(), name)
		copyFolder(t, a.Dir(), dir)
		b, err := archive.Open(dir, a.World())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		change(b)
		return dir
	}
	extended := fork("extended", func(b *archive.Archive) { // ours, and more by a stranger
		archivetest.AddLetter(t, b, attacker, "A letter by a stranger.\n")
	})
	enrolled := fork("enrolled", func(b *archive.Archive) { // a stranger enrols himself, signs that, and goes on
		enrol(t, b, attacker)
		signAll(t, b, attacker)
		archivetest.AddLetter(t, b, attacker, "A letter by a stranger who is enrolled.\n")
	})
	rootOfOthers := fork("root", func(b *archive.Archive) { // a trust root of the stranger's own names him
		rooted(t, b, attacker, func(*trust.Root) {})
		signAll(t, b, attacker)
		archivetest.AddLetter(t, b, attacker, "A letter by a stranger with a root.\n")
	})
	// Another history that is whole in itself: the same archive.json, another founder.
	foreign := fork("foreign", func(b *archive.Archive) { restart(t, b, attacker) })

	damages := map[string]func(t *testing.T, dir string){
		"branch":               nil,
		"branch and note":      func(t *testing.T, dir string) { remove(t, dir, archive.LocalDir, archive.JournalFile) },
		"branch and all packs": func(t *testing.T, dir string) { emptyPacks(t, dir) },
		"branch, packs, and all notes": func(t *testing.T, dir string) {
			emptyPacks(t, dir)
			remove(t, dir, archive.LocalDir)
		},
	}
	for what, damage := range damages {
		for _, from := range []string{extended, enrolled, rootOfOthers, foreign} {
			t.Run(what+" from "+filepath.Base(from), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "a")
				copyFolder(t, a.Dir(), dir)
				remove(t, dir, archive.StoreDir, "refs", "heads", "main")
				if damage != nil {
					damage(t, dir)
				}
				_, err := custody.Repair(t.Context(), dir, filepath.Join(from, archive.StoreDir), custody.Transfer{}, a.World(), nil)
				st, open := archive.OpenStore(dir, a.World().Disk)
				if open != nil {
					t.Fatal(open)
				}
				defer st.Close()
				now, refErr := st.Ref(archive.RefMain)
				if refErr != nil {
					t.Fatal(refErr)
				}
				var failure *problem.Error
				switch {
				case now == tip && err == nil: // what this copy had
				case now.IsZero() && errors.As(err, &failure) && failure.Kind == problem.Damaged: // nobody can say what it had
					if from != foreign && what != "branch, packs, and all notes" {
						t.Errorf("snapshot %s is there, and was not found: %v", head.ID, err)
					}
				default:
					t.Errorf("main is %s, was %s: %v", now, tip, err)
				}
			})
		}
	}
	// Objects of the stranger's histories lie in our packs: none becomes the branch.
	for _, from := range []string{extended, enrolled, rootOfOthers, foreign} {
		t.Run("planted "+filepath.Base(from), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a")
			copyFolder(t, a.Dir(), dir)
			plant(t, dir, from)
			remove(t, dir, archive.StoreDir, "refs", "heads", "main")
			if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, a.World(), nil); err != nil {
				t.Fatal(err)
			}
			checkMain(t, dir, tip)
			// And without any note but the packs: ours, or none.
			remove(t, dir, archive.StoreDir, "refs", "heads", "main")
			remove(t, dir, archive.LocalDir)
			if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, a.World(), nil); from == foreign {
				if err == nil {
					t.Error("one of two histories was chosen")
				}
				checkMain(t, dir, objects.Hash{})
			} else if err != nil {
				t.Fatal(err)
			} else {
				checkMain(t, dir, tip)
			}
		})
	}
}

func remove(t *testing.T, parts ...string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(parts...)); err != nil {
		t.Fatal(err)
	}
}

func emptyPacks(t *testing.T, dir string) {
	t.Helper()
	remove(t, dir, archive.StoreDir, "objects", "pack")
	if err := os.Mkdir(filepath.Join(dir, archive.StoreDir, "objects", "pack"), 0o777); err != nil {
		t.Fatal(err)
	}
}

// plant copies the packs of one archive into another.
func plant(t *testing.T, dir, from string) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(from, archive.StoreDir, "objects", "pack", "*"))
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	for _, path := range packs {
		data, err := os.ReadFile(path)
		if err == nil {
			to := filepath.Join(dir, archive.StoreDir, "objects", "pack", filepath.Base(path))
			if _, there := os.Lstat(to); there == nil {
				continue
			}
			err = os.WriteFile(to, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func checkMain(t *testing.T, dir string, want objects.Hash) {
	t.Helper()
	st, err := archive.OpenStore(dir, archive.World{}.Disk)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if now, err := st.Ref(archive.RefMain); err != nil || now != want {
		t.Errorf("main is %s, want %s: %v", now, want, err)
	}
}

// signAll signs what is staged, whatever right the key lacks.
func signAll(t *testing.T, a *archive.Archive, key sign.Signer) {
	t.Helper()
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "mine now", Signer: key, AwaitCountersign: true}); err != nil {
		t.Fatal(err)
	}
}

// enrol stages a key as one that may do everything.
func enrol(t *testing.T, a *archive.Archive, key sign.Signer) {
	t.Helper()
	if err := a.Edit(map[string][]byte{"trust/allowed_signers": []byte(history.TrustLine(key.Key(), "attacker"))}); err != nil {
		t.Fatal(err)
	}
}

// restart makes an archive begin its history again, signed by another key.
func restart(t *testing.T, a *archive.Archive, key sign.Signer) {
	t.Helper()
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	_, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	content := "tree " + tree.String() + "\nauthor S <s@archive.invalid> 1 +0000\ncommitter S <s@archive.invalid> 1 +0000\n\nstaged\n"
	commit, err := b.Put(objects.Commit, []byte(content))
	if err == nil {
		err = b.Publish(lock, objects.RefUpdate{Name: archive.RefStaged, New: commit}, objects.RefUpdate{Name: archive.RefMain, Old: tip})
	}
	if err := errors.Join(err, lock.Unlock()); err != nil {
		t.Fatal(err)
	}
	remove(t, a.Dir(), archive.LocalDir)
	emptyOf(t, a)
	enrol(t, a, key)
	archivetest.Seal(t, a, key)
	archivetest.AddLetter(t, a, key, "Another second letter.\n")
	archivetest.AddLetter(t, a, key, "Another third letter.\n")
	archivetest.AddLetter(t, a, key, "Another fourth letter.\n")
}

// emptyOf takes all commits that no ref leads to out of the packs of an archive.
func emptyOf(t *testing.T, a *archive.Archive) {
	t.Helper()
	var old []objects.Hash
	if err := a.Store().Commits(func(h objects.Hash, _ []byte) bool { old = append(old, h); return true }); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Store().Forget(archive.Owner(a.World()), archive.LockWait, old); err != nil {
		t.Fatal(err)
	}
}
