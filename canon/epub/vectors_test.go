package epub_test

import (
	"testing"

	"muniment/canon/epub"
	"muniment/canon/formstest"
	"muniment/canon/read"
)

const vectorDir = "../../testvectors/canon-epub"

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: read.NewRegistry(epub.Reader()), Table: vectors(), OwnInput: true}
	set.Run(t, 16)
}
