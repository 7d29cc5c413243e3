package retrieve

import (
	"slices"
	"testing"
)

// The passages around the first ones of a list are those of the same texts, each once and none that the list has.
func TestNeighbourIDs(t *testing.T) {
	list := []Passage{{ID: passageID("a", 0)}, {ID: passageID("a", 3)}, {ID: passageID("b", 7)}}
	want := []string{passageID("a", 1), passageID("a", 2), passageID("a", 4), passageID("a", 5)}
	if got := NeighbourIDs(list, 2, 2); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := NeighbourIDs([]Passage{{ID: "of another index"}}, 1, 2); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
