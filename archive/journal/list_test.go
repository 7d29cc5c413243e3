package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/objects/disk"
	"muniment/objects/powercut"
)

type visit struct {
	Who  string `json:"who"`
	Seen int    `json:"seen"`
}

func appendList(t testing.TB, path string, list ...visit) {
	t.Helper()
	if err := journal.AppendList(path, disk.Hooks{}, list...); err != nil {
		t.Fatal(err)
	}
}

// Every byte of a list that is changed is named by its line; mending keeps the other lines and the file.
func TestListDamage(t *testing.T) {
	dir := t.TempDir()
	path, aside := filepath.Join(dir, "receipts"), filepath.Join(dir, "aside")
	appendList(t, path, visit{"<Ada>", 1}, visit{`crc32c":"`, 2})
	appendList(t, path, visit{"", 3})
	whole, err := os.ReadFile(path)
	if want := `{"who":"<Ada>","seen":1,"crc32c":"10ef96ee"}` + "\n"; err != nil || !bytes.HasPrefix(whole, []byte(want)) {
		t.Errorf("%q, %v, want %q first", whole, err, want)
	}
	if list, err := journal.ReadList[visit](path, nil); err != nil || len(list) != 3 || list[1].Who != `crc32c":"` {
		t.Fatal(list, err)
	}
	if err := mark.Take(dir); err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		var damage *journal.DamagedError
		line := 1 + bytes.Count(whole[:at], []byte("\n"))
		if list, err := journal.ReadList[visit](path, nil); !errors.As(err, &damage) || damage.Lines[0] != line || len(list) > 2 {
			t.Fatalf("byte %d of line %d: %v, %v", at, line, list, err)
		}
		mended, err := journal.MendList[visit](path, disk.Hooks{}, aside, nil)
		if kept, _ := os.ReadFile(aside); err != nil || !mended || !bytes.Equal(kept, bad) {
			t.Fatalf("byte %d: mended %v, %v", at, mended, err)
		}
		if list, err := journal.ReadList[visit](path, nil); err != nil || len(list) < 1 {
			t.Fatalf("byte %d: after mending %v, %v", at, list, err)
		}
		if lost, err := mark.Lost(dir); err != nil || len(lost) > 0 {
			t.Fatalf("byte %d: after mending: %v, %v", at, lost, err)
		}
		if err := errors.Join(os.WriteFile(path, whole, 0o600), mark.Take(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if mended, err := journal.MendList[visit](path, disk.Hooks{}, aside, nil); mended || err != nil {
		t.Error("a sound list was mended", err)
	}
}

// An end of a line that a crash left is passed over and removed by the next entry; where the line was noted as
// acknowledged, it is damage and stays.
func TestListTail(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "receipts")
	appendList(t, path, visit{"a", 1})
	one, _ := os.ReadFile(path)
	appendList(t, path, visit{"b", 2})
	two, _ := os.ReadFile(path)
	zeroed := append(bytes.Clone(one), make([]byte, len(two)-len(one))...)
	ended := append(bytes.Clone(zeroed[:len(zeroed)-1]), '\n')
	for _, noted := range []bool{false, true} {
		for _, end := range [][]byte{two[:len(two)-1], two[:len(one)+1], zeroed, ended} {
			if noted {
				if err := errors.Join(os.WriteFile(path, two, 0o600), mark.Take(dir)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(path, end, 0o600); err != nil {
				t.Fatal(err)
			}
			var damage *journal.DamagedError
			if list, err := journal.ReadList[visit](path, nil); len(list) != 1 || errors.As(err, &damage) != noted {
				t.Errorf("noted %v, %q: %v, %v", noted, end, list, err)
			}
			appendList(t, path, visit{"c", 3})
			list, err := journal.ReadList[visit](path, nil)
			if noted && len(end) == len(two)-1 && bytes.HasPrefix(two, end) { // the line end alone is gone, and comes back
				if len(list) != 3 || err != nil {
					t.Errorf("%q, then another entry: %v, %v", end, list, err)
				}
			} else if len(list) != 2 || list[1].Who != "c" || errors.As(err, &damage) != noted {
				t.Errorf("noted %v, %q, then another entry: %v, %v", noted, end, list, err)
			}
		}
	}
}

// Writers in parallel lose no entry.
func TestListParallel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "receipts")
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for i := range 25 {
				if err := journal.AppendList(path, disk.Hooks{}, visit{"w", w*100 + i}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if list, err := journal.ReadList[visit](path, nil); err != nil || len(list) != 100 {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

// Whatever a power cut leaves of a list has what was acknowledged, and can be added to. Where the disk loses the block
// that it was adding to, only the mark of the file tells, which is not written here.
func TestListPowerCut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "receipts")
	rec, err := powercut.Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	var after []int
	for i := range 3 {
		if err := journal.AppendList(path, disk.Hooks{After: rec.After}, visit{"w", i}); err != nil {
			t.Fatal(err)
		}
		after = append(after, rec.Len())
	}
	root, states, holes := t.TempDir(), 0, 0
	stage := powercut.NewStage(root)
	err = rec.States(func(s powercut.State) error {
		states++
		if err := errors.Join(stage.Reset(), stage.Show(s)); err != nil {
			return err
		}
		at := filepath.Join(root, "receipts")
		data, _ := os.ReadFile(at)
		list, err := journal.ReadList[visit](at, nil)
		if err != nil {
			return err
		}
		for i, done := range after {
			if s.After >= done && len(list) <= i {
				if holes++; bytes.IndexByte(data, 0) < 0 {
					t.Errorf("after %d operations: %v", s.After, list)
				}
				break
			}
		}
		return journal.AppendList(at, disk.Hooks{}, visit{"later", 9})
	})
	t.Logf("%d states, %d with a hole in what was safe", states, holes)
	if err != nil || states < 30 || holes > states/20 {
		t.Error(states, holes, err)
	}
}
