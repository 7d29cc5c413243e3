package custody_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/bundle"
	"muniment/custody"
	"muniment/history"
)

// After any damage to a copy of which a remote has all, a repair ends, and the copy is
// whole again: the same snapshot, nothing failed, nothing absent. Where the newest
// snapshot was never pushed, the copy is whole or the repair names what no copy has.
//
// MUNIMENT_DAMAGES sets how many, MUNIMENT_DAMAGE_SEED which; see internal/bench/heal.sh.
func TestRepairAfterDamage(t *testing.T) {
	want, seed := uint64(24), uint64(time.Now().UnixNano())
	for name, to := range map[string]*uint64{"MUNIMENT_DAMAGES": &want, "MUNIMENT_DAMAGE_SEED": &seed} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 63)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			*to = n
		}
	}
	t.Logf("MUNIMENT_DAMAGE_SEED=%d", seed)
	memory, err := os.MkdirTemp("/dev/shm", "heal-")
	if err != nil {
		memory = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(memory) })
	a, key := archivetest.NewLetters(t, 12)
	if _, err := history.Tag(a, history.TagOptions{Name: "twelve", Signer: key}); err != nil {
		t.Fatal(err)
	}
	bare := archivetest.NewBareRepository(t, filepath.Join(memory, "remote.git"))
	if _, err := custody.AddRemote(a, "disk", bare); err != nil {
		t.Fatal(err)
	}
	quick := custody.Transfer{Stall: 20 * time.Second}
	if _, err := custody.Push(t.Context(), a, "disk", quick); err != nil {
		t.Fatal(err)
	}
	pushed := filepath.Join(memory, "pushed")
	copyFolder(t, a.Dir(), pushed)
	archivetest.AddLetter(t, a, key, "A letter that no other copy has.\n")
	unpushed := filepath.Join(memory, "unpushed")
	copyFolder(t, a.Dir(), unpushed)
	rng := rand.New(rand.NewPCG(seed, 1))
	outcomes := map[string]int{}
	for i := range want {
		from, all := pushed, true
		if i%3 == 2 {
			from, all = unpushed, false
		}
		dir := filepath.Join(memory, "damaged")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		copyFolder(t, from, dir)
		what := damage(t, rng, dir)
		outcome, err := healed(t, dir, a.World(), quick, all)
		outcomes[outcome]++
		if err != nil {
			t.Errorf("damage %d, %s, pushed %v: %v", i, what, all, err)
		}
	}
	t.Logf("%d damages: %v", want, outcomes)
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// damage changes one to three files of a copy and returns what was done.
func damage(t *testing.T, rng *rand.Rand, dir string) string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		// The ledger and the keys are no part of what another copy has.
		if err == nil && d.Type().IsRegular() && !strings.Contains(path, "ledger") && !strings.Contains(path, "/keys") && !strings.Contains(path, "audit") && !strings.HasSuffix(path, "remotes.json") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	var done []string
	for range 1 + rng.IntN(3) {
		path := files[rng.IntN(len(files))]
		data, err := os.ReadFile(path)
		if err != nil {
			continue // removed by the damage before
		}
		kind := []string{"bit", "cut", "zeros", "removed", "empty"}[rng.IntN(5)]
		if len(data) == 0 {
			kind = "removed"
		}
		switch kind {
		case "bit":
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		case "cut":
			data = data[:rng.IntN(len(data))]
		case "zeros":
			at := rng.IntN(len(data))
			clear(data[at:min(len(data), at+512)])
		case "empty":
			data = nil
		}
		if kind == "removed" {
			err = os.Remove(path)
		} else {
			err = errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, data, 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, path)
		done = append(done, kind+" "+rel)
	}
	return strings.Join(done, ", ")
}

// healed repairs a copy and looks at the result. all says that the remote has all of it.
func healed(t *testing.T, dir string, w archive.World, quick custody.Transfer, all bool) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bare := filepath.Join(filepath.Dir(dir), "remote.git")
	r, err := custody.Repair(ctx, dir, bare, quick, w, nil)
	if ctx.Err() != nil {
		return "endless", fmt.Errorf("the repair did not end: %v", err)
	}
	var failure *problem.Error
	if errors.As(err, &failure) && failure.Kind == problem.Damaged && !all {
		if r, ok := failure.Partial.(*custody.RepairResult); ok && len(r.Missing) > 0 {
			return "listed", nil
		}
	}
	if err != nil {
		return "failed", err
	}
	a, err := archive.Open(dir, w)
	if err != nil {
		return "failed", fmt.Errorf("after %+v: %w", r, err)
	}
	defer a.Close()
	v, err := audit.Verify(a, audit.ArchiveVerifyOptions{})
	least := int64(12)
	if err != nil || v.Failed+v.Absent > 0 || v.Verdict == bundle.Invalid || v.Seq < least {
		return "failed", fmt.Errorf("after %+v it verifies as %+v: %v", r, v, err)
	}
	return "healed", nil
}

// A ref that cannot be read hides none that names what neither copy has.
func TestRepairBesideUnreadableRef(t *testing.T) {
	a, key := archivetest.NewLetters(t, 2)
	if _, err := history.Tag(a, history.TagOptions{Name: "two", Signer: key}); err != nil {
		t.Fatal(err)
	}
	bare := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "remote.git"))
	if _, err := custody.Push(t.Context(), a, bare, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{archive.RefTags + "two": "cut", archive.RefMain: strings.Repeat("1", 40) + "\n"} {
		if err := os.WriteFile(filepath.Join(a.Dir(), archive.StoreDir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := custody.Repair(t.Context(), a.Dir(), bare, custody.Transfer{}, a.World(), nil)
	if err != nil || len(r.Refs) != 2 || r.Refs[0].Seq != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}
