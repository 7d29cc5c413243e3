package follow

import "testing"

// TestLists demands that the data files are read without an error.
func TestLists(t *testing.T) {
	if listsError != nil {
		t.Fatal(listsError)
	}
	if n := len(contraries()); n < 3000 {
		t.Errorf("%d words have opposites, want the pairs of WordNet", n)
	}
}
