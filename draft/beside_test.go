package draft_test

import (
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
)

// TestMarkOnNeighbour demands that a mark counts only for what its own words say: a sentence that another sentence of the same
// paragraph says keeps no mark of its neighbour.
func TestMarkOnNeighbour(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"wren.txt": "Fowey, 3 May 1890\n\nCaptain Harris did not take the boat out. The crew saved eleven men, but the cook was drowned.\n"})
	archivetest.Seal(t, a, s)
	e := engineOf(t, a)
	for _, words := range []string{"Captain Harris did not take the boat out.", "The crew saved eleven men, but the cook was drowned."} {
		if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "wren.txt", Quote: words, Claim: words}); err != nil {
			t.Fatal(err)
		}
	}
	for mark, kept := range map[string]bool{"[1]": false, "[2]": true} {
		r, err := draft.Check(t.Context(), e, "The cook was drowned. "+mark+"\n", draft.CheckOptions{NoRepair: true})
		if r == nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Text, mark) != kept {
			t.Errorf("%s: %s, %v", mark, r.Text, err)
		}
	}
}
