package retrieve

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An index and a scan of what it lacks find the same as one index of all: passages, order and
// scores, with hidden artifacts and without, where a text has changed since, and where the index
// is empty.
func TestJoined(t *testing.T) {
	whole := opened(t, filepath.Join(t.TempDir(), "whole"))
	update(t, whole, "s2", sample)
	stale := letter("d", "1954-08-01", "The mill stood for a hundred years, and the wheel too.")
	for name, c := range map[string]struct {
		old   []Doc
		rest  []Doc
		stale []string
	}{
		"two lack":         {sample[:3], sample[3:], nil},
		"one has changed":  {append(sample[:3:3], stale, sample[4]), sample[3:4], []string{"d"}},
		"nothing is there": {nil, sample, nil},
		"all is there":     {sample, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			old := opened(t, filepath.Join(t.TempDir(), "old"))
			if len(c.old) > 0 {
				update(t, old, "s1", c.old)
			}
			rest, err := Scan(t.Context(), sequence(c.rest))
			if err != nil {
				t.Fatal(err)
			}
			joined := &Joined{Folder: old, Rest: rest, Stale: c.stale}
			defer joined.Close()
			asked := 0
			for _, text := range []string{"apple trees", "Who repaired the mill wheel?", "mill 1931", "ration cards", "zebra"} {
				for _, hidden := range [][]string{nil, {"b"}, {"a", "d"}} {
					q := Query{Text: text, K: 2, Hidden: hidden}
					want, err := whole.Search(t.Context(), q)
					got, failed := joined.Search(t.Context(), q)
					if err != nil || failed != nil {
						t.Fatal(err, failed)
					}
					if d := cmp.Diff(want, got); d != "" {
						t.Errorf("%q without %v:\n%s", text, hidden, d)
					}
					weighed, err := whole.Weigh(t.Context(), q)
					again, failed := joined.Weigh(t.Context(), q)
					if d := cmp.Diff(weighed, again); d != "" || err != nil || failed != nil {
						t.Errorf("weights of %q without %v: %v, %v\n%s", text, hidden, err, failed, d)
					}
					var ids []string
					for _, p := range want {
						ids = append(ids, p.ID)
					}
					fetched, err := joined.Fetch(t.Context(), q, ids)
					if d := cmp.Diff(want, fetched); len(want) > 0 && (d != "" || err != nil) {
						t.Errorf("fetched for %q: %v\n%s", text, err, d)
					}
					asked += len(want)
				}
			}
			if asked < 10 {
				t.Errorf("%d passages were compared", asked)
			}
			ids, err := joined.Artifacts(t.Context())
			if d := cmp.Diff([]string{"a", "b", "c", "d", "e"}, ids); d != "" || err != nil {
				t.Errorf("artifacts: %v\n%s", err, d)
			}
		})
	}
}
