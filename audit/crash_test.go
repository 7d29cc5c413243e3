package audit

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/objects/powercut"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// A deed is one thing that is done to an archive. What ready does before it
// is taken to be safe: elsewhere is a folder for other copies, the same for
// every deed of an archive.
type deed struct {
	name  string
	do    func(dir string, w archive.World, s sign.Signer) error
	ready func(dir, elsewhere string, w archive.World, s sign.Signer) error // or nil
}

// prepare does what comes before a deed.
func (d deed) prepare(dir, elsewhere string, s sign.Signer) error {
	if d.ready == nil {
		return nil
	}
	return d.ready(dir, elsewhere, liveWorld(), s)
}

// with opens the archive for a deed.
func with(fn func(a *archive.Archive, s sign.Signer) error) func(string, archive.World, sign.Signer) error {
	return func(dir string, w archive.World, s sign.Signer) error {
		a, err := archive.Open(dir, w)
		if err != nil {
			return err
		}
		return errors.Join(fn(a, s), a.Close())
	}
}

// deeds are the life of a small archive, in order. Whatever returns has made its
// change safe; a Snapshot or Join has signed it.
var deeds = []deed{
	{name: "init", do: func(dir string, w archive.World, _ sign.Signer) error {
		a, err := archive.Init(dir, archive.InitOptions{Name: "Crash", Subject: "Ada Fenwick", Died: "1961-11-08"}, w)
		if err != nil {
			return err
		}
		return a.Close()
	}},
	{name: "add", do: with(func(a *archive.Archive, _ sign.Signer) error { return addPapers(a, "first") })},
	{name: "snapshot", do: with(func(a *archive.Archive, s sign.Signer) error {
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "one", Signer: s})
		return err
	})},
	{name: "add more", do: with(func(a *archive.Archive, _ sign.Signer) error { return addPapers(a, "second") })},
	{name: "consent", do: with(func(a *archive.Archive, _ sign.Signer) error {
		_, err := history.Consent(a, history.ConsentOptions{Person: "Ines Roth", State: "sealed"})
		return err
	})},
	{name: "second snapshot", do: with(func(a *archive.Archive, s sign.Signer) error {
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "two", Signer: s})
		return err
	})},
	{name: "hold", do: with(func(a *archive.Archive, _ sign.Signer) error {
		_, err := history.Hold(a, history.HoldOptions{Artifacts: []string{"first-a.txt"}, Reason: "litigation", Authority: "District Court"})
		return err
	})},
	{name: "withdraw", do: with(func(a *archive.Archive, _ sign.Signer) error {
		_, err := history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{"second-a.txt"}, Reason: "asked by the family", Authority: "board, 3 May"})
		return err
	})},
	{name: "third snapshot", do: with(func(a *archive.Archive, s sign.Signer) error {
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "three", Signer: s})
		return err
	})},
	{name: "tag", do: with(func(a *archive.Archive, s sign.Signer) error {
		_, err := history.Tag(a, history.TagOptions{Name: "deposit-1", Signer: s})
		return err
	})},
	{name: "fetch", ready: aheadElsewhere, do: with(func(a *archive.Archive, _ sign.Signer) error {
		_, err := custody.Fetch(context.Background(), a, "far", custody.FetchOptions{})
		return err
	})},
	{name: "join", ready: forkedElsewhere, do: with(func(a *archive.Archive, s sign.Signer) error {
		_, err := engine.Join(a, history.JoinOptions{Other: joinedFrom(a), Text: "one history again", Signer: s})
		return err
	})},
}

// aheadElsewhere makes another copy of the archive that holds a snapshot more,
// and makes it a remote.
func aheadElsewhere(dir, elsewhere string, w archive.World, s sign.Signer) error {
	far := filepath.Join(elsewhere, "far")
	if err := os.CopyFS(far, os.DirFS(dir)); err != nil {
		return err
	}
	err := with(func(a *archive.Archive, s sign.Signer) error {
		if err := addPapers(a, "far"); err != nil {
			return err
		}
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "from afar", Signer: s})
		return err
	})(far, w, s)
	if err != nil {
		return err
	}
	return with(func(a *archive.Archive, _ sign.Signer) error {
		if _, err := a.LocalPath(custody.QuarantineDir, "x"); err != nil {
			return err
		}
		_, err := custody.AddRemote(a, "far", filepath.Join(far, archive.StoreDir))
		return err
	})(dir, w, s)
}

// forkedElsewhere gives the archive a second archivist, whose copy goes another
// way than the archive.
func forkedElsewhere(dir, elsewhere string, w archive.World, s sign.Signer) error {
	other, err := sshkey.Generate(w.Rand, filepath.Join(elsewhere, "second"), "second", nil)
	if err != nil {
		return err
	}
	fork := filepath.Join(elsewhere, "fork")
	sealed := func(papers string, by sign.Signer) func(string, archive.World, sign.Signer) error {
		return with(func(a *archive.Archive, _ sign.Signer) error {
			if err := addPapers(a, papers); err != nil {
				return err
			}
			_, err := engine.Snapshot(a, history.SnapshotOptions{Text: papers, Signer: by})
			return err
		})
	}
	if err := with(func(a *archive.Archive, _ sign.Signer) error { return history.EnrolSigner(a, other.Key(), "second") })(dir, w, s); err != nil {
		return err
	}
	if err := sealed("before", s)(dir, w, s); err != nil {
		return err
	}
	if err := os.CopyFS(fork, os.DirFS(dir)); err != nil {
		return err
	}
	if err := sealed("there", other)(fork, w, s); err != nil {
		return err
	}
	if err := sealed("here", s)(dir, w, s); err != nil {
		return err
	}
	return with(func(a *archive.Archive, _ sign.Signer) error {
		_, err := custody.AddRemote(a, "fork", filepath.Join(fork, archive.StoreDir))
		return err
	})(dir, w, s)
}

// joinedFrom returns the folder of the copy that forkedElsewhere made.
func joinedFrom(a *archive.Archive) string {
	list, err := custody.Remotes(a)
	if err != nil {
		return err.Error()
	}
	for _, r := range list {
		if r.Name == "fork" {
			return filepath.Dir(r.URL)
		}
	}
	return "no fork"
}

// addPapers adds a folder of two letters beside the archive.
func addPapers(a *archive.Archive, name string) error {
	in := filepath.Join(filepath.Dir(a.Dir()), "in-"+name)
	if err := os.MkdirAll(in, 0o777); err != nil {
		return err
	}
	for _, n := range []string{"a", "b"} {
		text := fmt.Sprintf("Letter %s of the %s box.\n\nThe mill wheel has stopped.\n", n, name)
		if err := os.WriteFile(filepath.Join(in, name+"-"+n+".txt"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	r, err := accession.Add(context.Background(), a, []string{in}, accession.AddOptions{})
	if err == nil && len(r.Skipped) > 0 {
		err = fmt.Errorf("skipped %v", r.Skipped)
	}
	return err
}

// standing is what an archive shows: its newest snapshot and its staged files.
type standing struct {
	exists bool
	seq    int64
	staged int
	tags   int
}

// stand opens an archive, verifies it and says how it stands.
func stand(dir string, w archive.World) (standing, error) {
	a, err := archive.Open(dir, w)
	var failure *problem.Error
	if errors.As(err, &failure) && failure.Kind == problem.NoArchive {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, err
	}
	defer a.Close()
	st, err := history.Status(a)
	if err != nil {
		return standing{}, err
	}
	if st.Seq > 0 {
		v, err := Verify(a, ArchiveVerifyOptions{})
		if err != nil {
			return standing{}, err
		}
		if v.Verdict == bundle.Invalid || v.Failed+v.Absent+v.NotChecked > 0 {
			return standing{}, fmt.Errorf("verify: %s %v %v", v.Verdict, v.Axes, v.Problems)
		}
	}
	tags, err := a.Tags()
	if err != nil {
		return standing{}, err
	}
	return standing{true, st.Seq, len(st.Changes), len(tags)}, nil
}

// deadWorld is a process that will be gone when the archive is looked at.
func deadWorld(t testing.TB) archive.World {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	w := liveWorld()
	w.PID = cmd.Process.Pid
	return w
}

func liveWorld() archive.World {
	return archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test", Author: "Test <test@archive.invalid>"}
}

func crashKey(t testing.TB) sign.Signer {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever a power cut leaves of every deed: what was
// acknowledged stands, what was not is there whole or not at all, the archive
// verifies, git finds nothing wrong, and the same deed can be done again.
//
// The ledger is SQLite's to keep: it is not recorded, and stands as it was
// before the deed.
func TestPowerCut(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	work := t.TempDir()
	dir, key, w := filepath.Join(work, "a"), crashKey(t), deadWorld(t)
	all, looked, elsewhere := 0, 0, t.TempDir()
	for _, d := range deeds {
		if err := d.prepare(dir, elsewhere, key); err != nil {
			t.Fatal(err)
		}
		before, err := stand(dir, w)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := powercut.Record(work)
		if err != nil {
			t.Fatal(err)
		}
		recorded := w
		recorded.Disk = objects.Hooks{After: rec.After}
		if err := d.do(dir, recorded, key); err != nil {
			t.Fatal(err)
		}
		after, err := stand(dir, w)
		if err != nil {
			t.Fatal(err)
		}
		n, m := replay(t, d, rec, before, after, key)
		all, looked = all+n, looked+m
	}
	t.Logf("%d states in all, %d of them different to a reader, each verified, through git fsck and continued", all, looked)
	if all < 20000 || looked < 30 {
		t.Errorf("%d states, %d different: too few", all, looked)
	}
}

// fewStates is how many states of a deed are looked at in any case: of those beyond it
// some or, with MUNIMENT_LONG, all.
var fewStates = casecount.Of(3, 12)

// replay goes through the states of one deed.
func replay(t *testing.T, d deed, rec *powercut.Recorder, before, after standing, key sign.Signer) (all, looked int) {
	root := memory(t)
	stage, seen := powercut.NewStage(root), map[[32]byte]bool{}
	dir := filepath.Join(root, "a")
	err := rec.States(func(s powercut.State) error {
		all++
		k := s.Key(func(p string) bool {
			return !strings.HasPrefix(path.Base(p), "tmp_") && !strings.HasSuffix(p, ".lock") && !strings.HasSuffix(p, ".new") &&
				!strings.Contains(p, archive.LocalDir+"/"+custody.QuarantineDir+"/") // quarantines are read by the process that made them
		})
		if s.Last {
			k[0]++ // what had returned must stand
		}
		if seen[k] {
			return nil
		}
		seen[k] = true
		if len(seen) > fewStates && len(seen)%casecount.Of(75, 1) != 0 && !s.Last {
			return nil
		}
		looked++
		if err := errors.Join(stage.Reset(), stage.Show(s), stage.Age()); err != nil {
			return err
		}
		now, err := stand(dir, liveWorld())
		switch {
		case err != nil:
		case now != before && now != after:
			err = fmt.Errorf("it stands at %+v, want %+v or %+v", now, before, after)
		case s.Last && now != after:
			err = errors.New("what was acknowledged is lost")
		case now.exists:
			if err = fsckArchive(dir); err == nil && now != after {
				err = d.do(dir, liveWorld(), key)
			}
		default:
			err = d.do(dir, liveWorld(), key)
		}
		if err == nil {
			now, err = stand(dir, liveWorld())
			if err == nil && now != after {
				err = fmt.Errorf("done again, it stands at %+v, want %+v", now, after)
			}
		}
		if err != nil {
			var names []string
			for p := range s.Files {
				names = append(names, p)
			}
			return fmt.Errorf("after %d operations: %w\n%s", s.After, err, strings.Join(names, "\n"))
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", d.name, err)
	}
	t.Logf("%s: %d operations, %d states, %d different to a reader", d.name, rec.Len(), all, looked)
	return all, looked
}

// memory is a folder in memory where the system has one.
func memory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "muniment-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func fsckArchive(dir string) error {
	cmd := exec.Command("git", "--git-dir", filepath.Join(dir, archive.StoreDir), "fsck", "--strict", "--full", "--no-dangling")
	cmd.Env = append(os.Environ(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		if len(line) > 0 && !bytes.HasPrefix(line, []byte("notice: ")) {
			return fmt.Errorf("git fsck: %v: %s", err, out)
		}
	}
	return err
}

// A full or failing disk at any operation of every deed: the archive verifies and stands as before or, where the deed was done and
// only its tidying failed, as after; and the next attempt succeeds.
func TestDiskFaultAtEveryCall(t *testing.T) {
	key, ended := crashKey(t), deadWorld(t)
	total := 0
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, stays := range []bool{false, true} { // until the attempt has given up
			if stays != (fault == syscall.ENOSPC) && !casecount.Long() {
				continue // a disk stays full; a failing one may fail once
			}
			work := memory(t)
			good, elsewhere := filepath.Join(work, "good", "a"), t.TempDir()
			for _, d := range deeds {
				if err := d.prepare(good, elsewhere, key); err != nil {
					t.Fatal(err)
				}
				before, err := stand(good, liveWorld())
				if err != nil {
					t.Fatal(err)
				}
				var tries []string
				var calls int
				for at := 1; ; at += casecount.Of(11, 1) {
					dir := filepath.Join(work, fmt.Sprintf("%s-%d", strings.ReplaceAll(d.name, " ", "-"), at), "a")
					if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
						t.Fatal(err)
					}
					if before.exists {
						if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
							t.Fatal(err)
						}
					}
					calls = 0
					w := ended // its process ends after the attempt
					w.Disk.Before = func(op, path string) error {
						if calls++; calls == at || stays && calls > at {
							return fault
						}
						return nil
					}
					failed := d.do(dir, w, key)
					if calls < at {
						break
					}
					tries = append(tries, dir)
					name := fmt.Sprintf("%s, %v at call %d, stays %v", d.name, fault, at, stays)
					now, err := stand(dir, liveWorld())
					if err != nil {
						t.Fatalf("%s: %v (the deed: %v)", name, err, failed)
					}
					done := now.seq > before.seq || now.staged != before.staged || now.tags != before.tags || now.exists != before.exists
					if !done {
						if now != before {
							t.Errorf("%s: it stands at %+v, before %+v", name, now, before)
						}
						if failed == nil {
							t.Errorf("%s: no error, and nothing was done", name)
						}
						if err := d.do(dir, liveWorld(), key); err != nil {
							t.Errorf("%s: the next attempt: %v", name, err)
						}
						if now, err = stand(dir, liveWorld()); err != nil || now == before {
							t.Errorf("%s: after the next attempt it stands at %+v, %v", name, now, err)
						}
					}
					os.RemoveAll(filepath.Dir(dir))
				}
				if err := os.MkdirAll(filepath.Dir(good), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := d.do(good, liveWorld(), key); err != nil {
					t.Fatal(err)
				}
				total += len(tries)
			}
		}
	}
	t.Logf("%d calls were made to fail", total)
	if total < casecount.Of(35, 400) {
		t.Errorf("%d calls were made to fail, want more", total)
	}
}
