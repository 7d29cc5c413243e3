package search_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"muniment/archive/archivetest"
	"muniment/archive/search"
	"muniment/history"
	"muniment/snapshot/access"
)

// A damaged text is not found by a reader from whom names withhold words, and the others are.
func TestDamagedText(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"mill.txt": "The mill wheel has stopped.\n", "race.txt": "The mill race is clean.\n", "zuckmann.txt": "Verena Zuckmann came.\n"})
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Verena Zuckmann", State: access.PersonSealed})
	find := func() (names []string) {
		t.Helper()
		a := archivetest.ReopenWithClock(t, a, a.World().Now) // which has cached no text
		view, err := a.ReaderView("")
		if err != nil {
			t.Fatal(err)
		}
		r, err := search.Search(t.Context(), a, "mill", 5, search.Reader{View: view}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range r.Hits {
			names = append(names, hit.Name)
		}
		return names
	}
	if got := find(); len(got) != 2 {
		t.Fatalf("found %q before the damage", got)
	}
	lost := 0
	err := filepath.WalkDir(a.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		before := lost
		for at := range data { // an object may lie in a pack
			if r, err := zlib.NewReader(bytes.NewReader(data[at:])); err == nil {
				if text, _ := io.ReadAll(r); bytes.Contains(text, []byte("wheel has stopped")) {
					lost, data[at] = lost+1, 0
				}
			}
		}
		if lost == before {
			return nil
		}
		return errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, data, 0o600))
	})
	if err != nil || lost == 0 {
		t.Fatalf("%d objects lost, %v", lost, err)
	}
	if got := find(); len(got) != 1 || got[0] != "in/race.txt" {
		t.Errorf("found %q after the damage", got)
	}
}
