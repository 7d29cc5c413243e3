package handover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/handover"
	"muniment/handover/bagit"
	"muniment/policy"
)

// One bad name keeps no other original out of a bag: parts that are too long, a
// file and a folder of one name, names that are one name in another spelling,
// and paths of other systems.
func TestBagNames(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"plain.txt": "plain\n"})
	names := []string{
		strings.Repeat("x", 300) + ".txt", "deep/" + strings.Repeat("é", 200) + "/one.txt", "deep/" + strings.Repeat("é", 200) + "/two.txt",
		strings.Repeat("水", 100), "letters.zip", "letters.zip/one.txt", "letters.zip/inner", "letters.zip/inner/two.txt",
		"caf\u00e9.txt", "cafe\u0301.txt", `c:\out.txt`, `back\slash.txt`, "con.txt",
	}
	dir := t.TempDir()
	var inputs []accession.Input
	for i, name := range names {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte("original "+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, accession.Input{Name: name, Path: file})
	}
	if r, err := accession.AddInputs(t.Context(), a, inputs, nil, accession.AddOptions{}); err != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	archivetest.Seal(t, a, s)
	out := filepath.Join(dir, "bag")
	r, err := handover.ExportBag(t.Context(), a, out, handover.Options{View: policy.HolderView()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != len(names)+1 {
		t.Errorf("%d files, want %d", r.Files, len(names)+1)
	}
	report, err := bagit.ValidateDir(t.Context(), out, func(int64, int64) {})
	if err != nil || !report.Valid || len(report.Payload) != len(names)+1 {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, kept := range []string{"in/plain.txt", "letters.zip/one.txt"} {
		if _, err := os.Stat(filepath.Join(out, "data", kept)); err != nil {
			t.Errorf("%s lost its name: %v", kept, err)
		}
	}
	if said := strings.Join(r.Warnings, "\n"); strings.Count(said, "stands in the package as") < 9 {
		t.Errorf("warnings:\n%s", said)
	}
	if found, err := filepath.Glob(filepath.Join(out, "data", "deep", "*", "*")); err != nil || len(found) != 2 || filepath.Dir(found[0]) != filepath.Dir(found[1]) {
		t.Errorf("the long folder is %q, %v", found, err)
	}
}
