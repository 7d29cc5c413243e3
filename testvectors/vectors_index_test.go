package testvectors_test

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"muniment/testvectors"
	"os"
	"path"
	"strings"
	"testing"
)

var updateIndex = flag.Bool("update-index", false, "write testvectors/index.tsv anew")

// vectorPages are the pages of docs/spec that an area of vectors belongs to.
var vectorPages = map[string]string{
	"bundle": "bundle.md", "sign": "bundle.md", "snapshot": "snapshot.md", "cite": "citation.md",
	"objects": "object.md", "record": "object.md", "jcs": "object.md", "chunk": "object.md", "paragraph": "object.md",
	"trust": "trust-root.md", "log": "log.md", "archive": "snapshot.md", "evidence": "evidence.md", "review": "review.md",
}

// TestVectorIndex compares testvectors/index.tsv, which other implementers read,
// with the vectors: one line per file with its path, size, sha256, area, page of
// the specification and, where the file begins with header lines, its kind,
// expect and axis.
func TestVectorIndex(t *testing.T) {
	const file = "index.tsv"
	var b strings.Builder
	b.WriteString("path\tbytes\tsha256\tarea\tspec\tkind\texpect\taxis\n")
	n := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && name == "kit" { // a program
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || name == "index.tsv" || path.Ext(name) == ".go" || path.Base(name) == testvectors.Readme {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		area, _, _ := strings.Cut(name, "/")
		page := vectorPages[area]
		if page == "" {
			page = "canonical-forms.md"
			if !strings.HasPrefix(area, "canon") && area != "golden" {
				page = "-"
			}
		}
		header := func(key string) string { return "-" }
		if v, err := testvectors.Parse(name, data); err == nil {
			header = func(key string) string { return cmp.Or(v.Get(key), "-") }
		}
		n++
		fmt.Fprintf(&b, "%s\t%d\t%x\t%s\t%s\t%s\t%s\t%s\n", name, len(data), sha256.Sum256(data), area, page, header("kind"), header("expect"), header("axis"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if *updateIndex {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s is not the index of the vectors: go test ./testvectors -run TestVectorIndex -update-index writes it", file)
	}
	if n < 500 {
		t.Errorf("%d vectors, want at least 500", n)
	}
}
