package accession_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
)

// While a zip is read, what is held of a member that was read is bounded: its entry and a
// second copy of its ID are not.
func TestHeldPerMember(t *testing.T) {
	const members, most = 20_000, 1_800 // bytes; 1,590 to 1,740 are measured, as 2 MB of buffers may be in flight
	a, _ := archivetest.NewLetters(t, 1)
	file := filepath.Join(t.TempDir(), "letters.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for i := range members {
		w, err := z.Create(fmt.Sprintf("folder%03d/letter%06d.txt", i/1000, i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "Letter %d.\n", i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools are emptied by the second
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, held := live(), int64(0)
	_, err = accession.Add(t.Context(), a, []string{file}, accession.AddOptions{Progress: func(done, _ int) {
		if done == members-100 {
			held = (live() - before) / members
		}
	}})
	if err != nil || held == 0 || held > most {
		t.Errorf("%d bytes held of each member, want at most %d: %v", held, most, err)
	}
	t.Logf("%d bytes held of each member", held)
}
