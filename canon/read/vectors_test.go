package read_test

import (
	"strings"
	"testing"

	"muniment/canon/csvtable"
	"muniment/canon/formstest"
	"muniment/canon/html"
	"muniment/canon/read"
	"muniment/cid"
)

const vectorDir = "../../testvectors/canon"

func registry() *read.Registry {
	return read.NewRegistry(html.Reader(), csvtable.Reader())
}

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: registry(), Table: vectors}
	set.Run(t, 83)
}

// The vectors of one letter in many encodings are one artifact.
func TestVectorsOfOneLetter(t *testing.T) {
	ids := map[cid.ID]int{}
	for name, v := range vectors {
		if !strings.HasPrefix(name, "letter-") {
			continue
		}
		form, err := registry().Canonicalize(v.Input())
		if err != nil {
			t.Fatal(err)
		}
		ids[cid.Of(form.Payload)]++
	}
	if len(ids) != 1 {
		t.Errorf("%d artifacts, want one: %v", len(ids), ids)
	}
	for id, n := range ids {
		if n < 10 {
			t.Errorf("%d vectors of %s, want at least 10", n, id)
		}
	}
}
