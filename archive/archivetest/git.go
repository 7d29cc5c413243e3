package archivetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/objects"
)

// NewBareRepository makes dir an empty bare repository that accepts pushes over
// every protocol, and returns dir.
func NewBareRepository(t *testing.T, dir string) string {
	t.Helper()
	Git(t, "", "init", "-q", "--bare", "-b", "main", dir)
	Git(t, dir, "config", "http.receivepack", "true")
	Git(t, dir, "config", "daemon.receivepack", "true")
	Git(t, dir, "config", "uploadpack.allowFilter", "true")
	return dir
}

// Git runs stock git in a repository and returns what it prints.
func Git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return GitWithInput(t, dir, "", args...)
}

// GitWithInput runs stock git in a repository with in as its standard input and
// returns what it prints.
func GitWithInput(t *testing.T, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Refs returns the references of an archive by name.
func Refs(t *testing.T, a *archive.Archive) map[string]objects.Hash {
	t.Helper()
	refs, err := a.Store().Refs()
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// HashFiles returns a line for every file of an archive's repository: its path and
// the hash of its bytes.
func HashFiles(t *testing.T, a *archive.Archive) string {
	t.Helper()
	var out strings.Builder
	root := filepath.Join(a.Dir(), archive.StoreDir)
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			data, e := os.ReadFile(path)
			fmt.Fprintf(&out, "%s %x\n", path, objects.Sum(objects.Blob, data))
			err = e
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
