package canon_test

import (
	"flag"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/csvtable"
	"muniment/canon/html"
	"muniment/canon/vector"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write testvectors/canon anew")

const vectorDir = "../testvectors/canon"

func registry() *canon.Registry {
	return canon.NewRegistry(html.Reader(), csvtable.Reader())
}

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	set := vector.Set{Dir: vectorDir, Registry: registry(), Table: vectors}
	if *update {
		if err := set.Write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range set.Check() {
		t.Error(err)
	}
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
