package js

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// lines are the counts that vectors_test.js must report, with no disagreement.
var lines = []string{
	`134  zip`,
	`22  page`,
	`53  evidence`,
	`64  commit`,
	`20  zip, of an axis not decided here`,
	`51  statement`,
	`84  leaf`,
	`202  sign`,
	`55  jcs`,
	`15  command`,
	`all agree`,
}

// TestVerify runs the vectors, and tells whether verify.html is what
// make_page.js writes.
func TestVerify(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: verify.js was not run, because node is not installed")
	}
	read(t) // so that go test runs this again when one of the files changes

	out, err := exec.Command(node, "vectors_test.js").CombinedOutput()
	if err != nil {
		t.Errorf("vectors_test.js: %v", err)
	}
	for _, line := range lines {
		if !regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(line) + `$`).Match(out) {
			t.Errorf("no line %q in the output", line)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
	if out, err := exec.Command(node, "make_page.js", "--check").CombinedOutput(); err != nil {
		t.Errorf("make_page.js: %v: %s", err, out)
	}
}

func read(t *testing.T) {
	t.Helper()
	vectors := filepath.Join("..", "..", "testvectors")
	for _, pattern := range []string{"*.js", "page.*", filepath.Join("..", "verify.html"), filepath.Join("..", "verify.js"), filepath.Join(vectors, "bundle", "*"), filepath.Join(vectors, "evidence", "*"), filepath.Join(vectors, "snapshot", "*"), filepath.Join(vectors, "sign", "*"), filepath.Join(vectors, "jcs", "*")} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("nothing at %s: %v", pattern, err)
		}
		for _, name := range names {
			if _, err := os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}
