package office_test

import (
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/office"
	"muniment/canon/read"
)

const vectorDir = "../../testvectors/canon-office"

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: read.NewRegistry(office.Docx(), office.Odt()), Table: vectors(), OwnInput: true}
	set.Run(t, 51)
}
