package custody_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/custody"
	"muniment/history"
	"muniment/objects"
	"muniment/snapshot"
)

// withSteps adds a second commit to the refs of the countersignatures and of the log, and
// returns the remote as it is then.
func (x *lossTest) withSteps(t *testing.T) (remote string) {
	t.Helper()
	a, err := archive.Open(x.whole, x.world)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := history.Countersign(a, "1", x.other); err != nil {
		t.Fatal(err)
	}
	if _, err := answer.Ask(t.Context(), a, "What is of the mill?", answer.AskOptions{Signer: x.key}); err != nil {
		t.Fatal(err)
	}
	if _, err := logref.PublishLogs(a, true); err != nil {
		t.Fatal(err)
	}
	a.RememberRefs()
	if _, err := custody.Sync(t.Context(), a, custody.FetchOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	remotes, err := custody.Remotes(a)
	if err != nil || len(remotes) != 1 {
		t.Fatal(remotes, err)
	}
	return remotes[0].URL
}

// checkSignedOnce fails where the key of the archive signed two snapshots of one number, or
// where the archive has evidence against it.
func (x *lossTest) checkSignedOnce(t *testing.T, dir, when string) {
	t.Helper()
	st, err := archive.OpenStore(dir, x.world.Disk)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	signed := map[int64]string{}
	err = st.Commits(func(_ objects.Hash, content []byte) bool {
		if s, err := snapshot.Parse(content); err == nil {
			if id := signed[s.Seq]; id != "" && id != s.ID.String() {
				t.Errorf("%s: two snapshots %d: %s and %s", when, s.Seq, id, s.ID)
			}
			signed[s.Seq] = s.ID.String()
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, archive.LocalDir, "evidence", "*")); err != nil || len(found) > 0 {
		t.Errorf("%s: evidence %q, %v", when, found, err)
	}
}

// refLosses returns the ways in which the refs of the archive are lost: each is gone, or was
// set back by one commit where it has two.
func (x *lossTest) refLosses(t *testing.T) map[string]func(git string) {
	t.Helper()
	out := map[string]func(git string){}
	a, err := archive.Open(x.whole, x.world)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	older := 0
	for name, h := range archivetest.Refs(t, a) {
		out[name+" gone"] = func(git string) { archivetest.Git(t, git, "update-ref", "-d", name) }
		if name == archive.RefMain || archive.IsMergeable(name) {
			older++
			out[name+" older"] = func(git string) { archivetest.Git(t, git, "update-ref", name, h.String()+"~1") }
		}
	}
	if older != 3 {
		t.Fatalf("%d refs have two steps", older)
	}
	return out
}

// Where a copy loses or sets back a ref and loses a local file too, no writer signs a number a
// second time or begins a log again; a repair, or a fetch where the copy alone does not have
// it, heals the copy.
func TestLostPair(t *testing.T) {
	x := newLossTest(t)
	remote := x.withSteps(t)
	refs := x.refLosses(t)
	_, notes, local := x.files(t)
	local = append(append(local, notes...), archive.LocalDir, filepath.Join(archive.LocalDir, "log"))
	n := 0
	for loss, lose := range refs {
		for _, file := range local {
			n++
			telling := strings.HasSuffix(file, archive.JournalFile) || file == archive.LocalDir || strings.HasSuffix(file, "log") && strings.Contains(loss, "/log/")
			known := strings.HasPrefix(loss, archive.RefMain) || strings.Contains(loss, "/log/")
			if os.Getenv("MUNIMENT_LONG") == "" && !(telling && known) && n%75 != 0 {
				continue
			}
			t.Run(loss+" and "+filepath.ToSlash(file), func(t *testing.T) {
				dir := x.lose(t, filepath.Join(archive.StoreDir, "HEAD"), "kept")
				lose(filepath.Join(dir, archive.StoreDir))
				x.peer = x.lose(t, filepath.Join(archive.StoreDir, "HEAD"), "kept") // a log that one copy extends is not that of the next
				if err := os.RemoveAll(filepath.Join(dir, file)); err != nil {
					t.Fatal(err)
				}
				for name, err := range x.write(t, dir) {
					var failure *problem.Error
					if strings.HasPrefix(loss, archive.RefMain) && (!errors.As(err, &failure) || failure.Kind != problem.Damaged || failure.Next.Do != problem.DoRepair) {
						t.Errorf("%s: %v, want an error that says damaged and leads to a repair", name, err)
					}
				}
				x.checkSignedOnce(t, dir, "after every writer")
				if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, x.world, nil); err != nil {
					t.Errorf("repair: %v", err)
				}
				x.exchange(t, dir, remote)
				for name, err := range x.write(t, dir) {
					var failure *problem.Error
					if errors.As(err, &failure) && failure.Kind == problem.Damaged {
						t.Errorf("%s after the repair: %v", name, err)
					}
				}
				x.exchange(t, dir, remote)
				x.checkSignedOnce(t, dir, "at the end")
				if v, err := verify(dir, x.world); err != nil || v.Verdict == bundle.Invalid || v.Seq < 3 {
					t.Errorf("it verifies as %+v, %v", v, err)
				}
			})
		}
	}
}

// exchange fetches from the true remote and copies the logs to their refs: what contradicts
// the remote is then found.
func (x *lossTest) exchange(t *testing.T, dir, remote string) {
	t.Helper()
	a, err := archive.Open(dir, x.world)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := logref.PublishLogs(a, true); err != nil {
		t.Errorf("log publish: %v", err)
	}
	if _, err := custody.Fetch(t.Context(), a, remote, custody.FetchOptions{}); err != nil {
		t.Errorf("fetch: %v", err)
	}
}

// Where HEAD, config or the folder of refs is gone, the archive says that it is damaged and
// leads to a repair, which brings all three back.
func TestLostSettings(t *testing.T) {
	x := newLossTest(t)
	for _, lost := range []string{"HEAD", "config", "refs"} {
		dir := x.lose(t, filepath.Join(archive.StoreDir, "HEAD"), "kept")
		if err := os.RemoveAll(filepath.Join(dir, archive.StoreDir, lost)); err != nil {
			t.Fatal(err)
		}
		for name, err := range x.write(t, dir) {
			var failure *problem.Error
			if !errors.As(err, &failure) || failure.Kind != problem.Damaged || failure.Next.Do != problem.DoRepair {
				t.Errorf("%s without %s: %v", name, lost, err)
			}
		}
		if _, err := custody.Repair(t.Context(), dir, "", custody.Transfer{}, x.world, nil); err != nil {
			t.Errorf("%s: %v", lost, err)
		}
		if v, err := verify(dir, x.world); err != nil || v.Verdict == bundle.Invalid || v.Snapshot != x.head {
			t.Errorf("%s: after the repair it verifies as %+v, %v", lost, v, err)
		}
	}
}

// A log of which one byte of the entries is flipped is not called sound: log check says so,
// and log publish mends it from its ref or refuses it.
func TestFlippedEntries(t *testing.T) {
	x := newLossTest(t)
	for _, ref := range []bool{true, false} {
		dir := x.lose(t, filepath.Join(archive.StoreDir, "HEAD"), "kept")
		logs, err := filepath.Glob(filepath.Join(dir, archive.LocalDir, "log", "*", "*", "1", "entries"))
		if err != nil || len(logs) != 1 {
			t.Fatal(logs, err)
		}
		data, err := os.ReadFile(logs[0])
		if err != nil {
			t.Fatal(err)
		}
		data[3] ^= 1
		if err := os.WriteFile(logs[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := archive.Open(dir, x.world)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		var failure *problem.Error
		if _, err := logref.CheckLogs(a); !errors.As(err, &failure) || failure.Kind != problem.Damaged {
			t.Errorf("log check: %v", err)
		}
		if !ref {
			archivetest.Git(t, filepath.Join(dir, archive.StoreDir), "update-ref", "-d", archive.RefLog+x.key.Key().ID())
			if _, err := logref.PublishLogs(a, true); !errors.As(err, &failure) || failure.Kind != problem.Damaged {
				t.Errorf("log publish without the ref: %v", err)
			}
			continue
		}
		if states, err := logref.PublishLogs(a, true); err != nil || len(states) != 1 || !strings.Contains(states[0].Note, "mended") {
			t.Errorf("log publish: %+v, %v", states, err)
		}
		if _, err := logref.CheckLogs(a); err != nil {
			t.Errorf("log check of the mended log: %v", err)
		}
	}
}

// Where the folder, the ref, its note and the commits of a log are all gone, a kept bundle
// still shows that there was one: no answer is given before the log is back, or the next
// epoch has its folder.
func TestLogProvedByBundle(t *testing.T) {
	x := newLossTest(t)
	bare := x.lose(t, filepath.Join(archive.StoreDir, "HEAD"), "kept")
	git := filepath.Join(bare, archive.StoreDir)
	archivetest.Git(t, git, "update-ref", "-d", archive.RefLog+x.key.Key().ID())
	archivetest.Git(t, git, "-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now")
	for _, name := range []string{"log", archive.JournalFile} {
		if err := os.RemoveAll(filepath.Join(bare, archive.LocalDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	ask := func() error {
		a, err := archive.Open(bare, x.world)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		_, err = answer.Ask(t.Context(), a, "What is of a mill?", answer.AskOptions{Signer: x.key})
		return err
	}
	var failure *problem.Error
	if err := ask(); !errors.As(err, &failure) || failure.Kind != problem.Damaged || failure.Next.Do != problem.DoFetch {
		t.Fatalf("%v, want an error that says damaged and leads to a fetch", err)
	}
	next, err := filepath.Glob(filepath.Join(bare, archive.LocalDir, "log", "*", x.key.Key().ID()))
	if err != nil || len(next) != 1 {
		t.Fatal(next, err)
	}
	if err := os.Mkdir(filepath.Join(next[0], "2"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(next[0], "2", "checkpoint")); err != nil {
		t.Error(err)
	}
}
