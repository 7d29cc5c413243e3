package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/objects/disk"
	"muniment/objects/powercut"
)

func appendAll(t testing.TB, path string, entries ...journal.Entry) {
	t.Helper()
	if err := journal.Append(path, disk.Hooks{}, entries...); err != nil {
		t.Fatal(err)
	}
}

// The newest line of a key counts, an empty value takes it away, and an entry that is there
// already adds nothing.
func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	if s, err := journal.Read(path); err != nil || s.Value("ref", "a") != "" {
		t.Fatal(s, err)
	}
	appendAll(t, path, journal.Entry{"ref", "a", "1"}, journal.Entry{"ref", "b", "two words"})
	appendAll(t, path, journal.Entry{"ref", "a", "3"})
	appendAll(t, path, journal.Entry{"trust", "-", "x"})
	appendAll(t, path, journal.Entry{"trust", "-", ""})
	before, _ := os.ReadFile(path)
	appendAll(t, path, journal.Entry{"ref", "a", "3"})
	s, err := journal.Read(path)
	if got := fmt.Sprint(s.Kind("ref"), s.Kind("trust")); err != nil || got != "map[a:3 b:two words] map[]" {
		t.Errorf("%s, %v", got, err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("the same entry was written again:\n%s", after)
	}
	for _, bad := range []journal.Entry{{"", "a", "1"}, {"ref", "a b", "1"}, {"ref", "a", "1\n"}, {"re f", "a", "1"}} {
		if journal.Append(path, disk.Hooks{}, bad) == nil {
			t.Errorf("%q was written", bad)
		}
	}
}

// A journal of which most lines no longer count is written again, and keeps every entry.
func TestCompaction(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, journal.File)
	most := int64(0)
	appendAll(t, path, journal.Entry{"trust", "-", "first"})
	long := strings.Repeat("x", 450)
	for i := range 160 {
		appendAll(t, path, journal.Entry{"snapshot", "-", fmt.Sprintf("%d %s", i, long)})
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, info.Size())
		if err := mark.Take(dir); err != nil {
			t.Fatal(err)
		}
		if lost, err := mark.Lost(dir); err != nil || len(lost) > 0 {
			t.Fatalf("after %d: %v, %v", i, lost, err)
		}
	}
	s, err := journal.Read(path)
	if err != nil || s.Value("trust", "-") != "first" || !strings.HasPrefix(s.Value("snapshot", "-"), "159 ") || most < 64<<10 || most > 66<<10 {
		t.Errorf("%v, at most %d bytes: %q", err, most, s.Value("trust", "-"))
	}
}

// Writers in parallel lose nothing, also while the journal is compacted.
func TestParallel(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for i := range 25 {
				if err := journal.Append(path, disk.Hooks{}, journal.Entry{"ref", fmt.Sprintf("%d-%d", w, i), "1"}, journal.Entry{"snapshot", "-", strings.Repeat("x", 2000+w*50+i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if s, err := journal.Read(path); err != nil || len(s.Kind("ref")) != 100 {
		t.Errorf("%d entries, %v", len(s.Kind("ref")), err)
	}
}

// Every byte that is changed, and every line that is emptied, is named by its line; nothing is appended
// until the journal was mended, which keeps the sound lines and the damaged file.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	path, aside := filepath.Join(dir, journal.File), filepath.Join(dir, "aside")
	for i := range 4 {
		appendAll(t, path, journal.Entry{"ref", fmt.Sprint(i), "value"})
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for at := range len(whole) - 1 { // without its line end the last line is one that was cut short
		bad := append([]byte(nil), whole...)
		bad[at] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		line := 1 + strings.Count(string(whole[:at]), "\n")
		var damage *journal.DamagedError
		s, err := journal.Read(path)
		if !errors.As(err, &damage) || damage.Lines[0] != line {
			t.Fatalf("byte %d of line %d: %v", at, line, err)
		}
		if err := journal.Append(path, disk.Hooks{}, journal.Entry{"ref", "9", "1"}); !errors.As(err, &damage) {
			t.Fatalf("byte %d: appended: %v", at, err)
		}
		sound := len(s.Kind("ref"))
		if err := journal.Mend(path, disk.Hooks{}, aside, func(journal.State) []journal.Entry { return nil }); err != nil {
			t.Fatal(err)
		}
		if kept, _ := os.ReadFile(aside); string(kept) != string(bad) {
			t.Fatalf("byte %d: the damaged file is not kept", at)
		}
		if s, err := journal.Read(path); err != nil || len(s.Kind("ref")) != sound || sound < 2 {
			t.Fatalf("byte %d: mended to %d of %d entries: %v", at, len(s.Kind("ref")), sound, err)
		}
		cases++
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Read(path); err == nil || cases < 80 {
		t.Errorf("an empty journal is read without an error, %d cases", cases)
	}
}

// Whatever a power cut leaves of appending, replacing and compacting has what was acknowledged,
// and can be appended to. Where the disk loses the block that it was adding to, also what was safe in it, the
// journal says that it is damaged, and goes on once it was mended.
func TestPowerCut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, journal.File)
	rec, err := powercut.Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	hooks := disk.Hooks{After: rec.After}
	acts := [][]journal.Entry{
		{{"snapshot", "-", "1"}},
		{{"ref", "a", "1"}, {"ref", "b", "1"}},
		{{"snapshot", "-", "2 " + strings.Repeat("x", 5000)}},
		{{"snapshot", "-", "3"}},
	}
	var after []int // operations once each act had returned
	for _, act := range acts {
		if err := journal.Append(path, hooks, act...); err != nil {
			t.Fatal(err)
		}
		after = append(after, rec.Len())
	}
	root := t.TempDir()
	stage, states, holes := powercut.NewStage(root), 0, 0
	err = rec.States(func(s powercut.State) error {
		states++
		if err := errors.Join(stage.Reset(), stage.Show(s)); err != nil {
			return err
		}
		at := filepath.Join(root, journal.File)
		got, err := journal.Read(at)
		var damage *journal.DamagedError
		if data, _ := os.ReadFile(at); errors.As(err, &damage) && bytes.IndexByte(data, 0) >= 0 {
			holes++
			err = journal.Mend(at, disk.Hooks{}, filepath.Join(root, "aside"), func(journal.State) []journal.Entry { return nil })
			return errors.Join(err, journal.Append(at, disk.Hooks{}, journal.Entry{"trust", "-", "later"}))
		}
		if err != nil {
			return fmt.Errorf("after %d operations: %w", s.After, err)
		}
		number := got.Value("snapshot", "-")
		if s.After >= after[0] && number == "" || s.After >= after[1] && len(got.Kind("ref")) != 2 || s.After >= after[2] && number[0] < '2' || s.After >= after[3] && number != "3" {
			return fmt.Errorf("after %d operations of %v: %.20q, %v", s.After, after, number, got.Kind("ref"))
		}
		if err := journal.Append(at, disk.Hooks{}, journal.Entry{"trust", "-", "later"}); err != nil {
			return err
		}
		again, err := journal.Read(at)
		if again.Value("trust", "-") != "later" || again.Value("snapshot", "-") != number {
			return fmt.Errorf("after %d operations: appended, then %.20q: %v", s.After, again.Value("snapshot", "-"), err)
		}
		return err
	})
	t.Logf("%d states, %d of them with a hole in what was safe", states, holes)
	if err != nil || states < 100 || holes == 0 || holes > states/20 {
		t.Error(states, holes, err)
	}
}

// TestBytes checks the bytes of a journal: a copy that was made with them is read by later programs.
func TestBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	appendAll(t, path, journal.Entry{Kind: "ref", Key: "refs/tags/one", Value: "1f"})
	appendAll(t, path, journal.Entry{Kind: "trust", Key: "-", Value: "two words"})
	data, err := os.ReadFile(path)
	if want := "muniment/journal/v1\nref refs/tags/one 1f 08796452\ntrust - two words 58199f62\n"; err != nil || string(data) != want {
		t.Errorf("%q, %v, want %q", data, err, want)
	}
}
