package epub_test

import (
	"flag"
	"testing"

	"muniment/canon"
	"muniment/canon/epub"
	"muniment/canon/vector"
)

var update = flag.Bool("update", false, "write testvectors/canon-epub anew")

const vectorDir = "../../testvectors/canon-epub"

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	set := vector.Set{Dir: vectorDir, Registry: canon.NewRegistry(epub.Reader()), Table: vectors(), OwnInput: true}
	if *update {
		if err := set.Write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range set.Check() {
		t.Error(err)
	}
}
