package evidence

import (
	"muniment/testvectors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The recipes of docs/spec/evidence.md succeed on genuine evidence, and not on a
// pair that shows nothing.
func TestEvidenceRecipes(t *testing.T) {
	for _, tool := range []string{"unzip", "sha256sum", "ssh-keygen", "openssl", "awk", "base64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: the recipes for evidence were not run: there is no %s", tool)
		}
	}
	page := string(must[[]byte](t)(os.ReadFile("../../docs/spec/evidence.md")))
	recipe := func(begin string) string {
		at := strings.Index(page, "```\n"+begin)
		if at < 0 {
			t.Fatalf("the page has no recipe that begins %q", begin)
		}
		text, _, _ := strings.Cut(page[at+4:], "```")
		return text
	}
	for _, c := range []struct {
		begin, name string
		holds       bool
	}{
		{"unzip", "snapshots-equivocation", true},
		{"unzip", "snapshots-same-payload", false},
		{"unzip", "snapshots-two-keys", false},
		{"unzip", "snapshots-two-numbers", false},
		{"unzip", "snapshots-two-archives", false},
		{"unzip", "snapshots-payload-differs", false},
		{"awk", "log-one-size", true},
		{"awk", "log-key-of-another-log", false},
		{"awk", "log-second-of-another-key", false},
		{"awk", "log-size-altered", false},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "FILE"), testvectors.ReadFile(t, evidenceDir+"/"+c.name).Body, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-e", "-c", recipe(c.begin))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); (err == nil) != c.holds {
			t.Errorf("%s: %v, want %v\n%s", c.name, err, c.holds, out)
		}
	}
}
