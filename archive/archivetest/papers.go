package archivetest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// NewBareRepository makes an empty bare repository that takes pushes over every protocol.
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
	if dir != "" {
		args = append([]string{"-C", dir}, args...)
	}
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// NewLetters makes an archive with n snapshots of one letter each.
func NewLetters(t *testing.T, n int) (*archive.Archive, sign.Signer) {
	t.Helper()
	a, s := New(t, map[string]string{"letter-1.txt": "Letter 1 of the mill.\n"})
	Seal(t, a, s)
	for i := 2; i <= n; i++ {
		AddLetter(t, a, s, fmt.Sprintf("Letter %d of the mill.\n", i))
	}
	return a, s
}

// AddLetter adds a text and signs it.
func AddLetter(t *testing.T, a *archive.Archive, s sign.Signer, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), fmt.Sprintf("letter-%x.txt", text[:min(12, len(text))]))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	Seal(t, a, s)
}

func Refs(t *testing.T, a *archive.Archive) map[string]objects.Hash {
	t.Helper()
	refs, err := a.Store().Refs()
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// WriteLookupIndex has the lookup index written, which so small a store has not.
func WriteLookupIndex(t *testing.T, a *archive.Archive) {
	t.Helper()
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Store().Reindex(lock), lock.Unlock()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(a.Dir(), LookupPath)); err != nil {
		t.Fatal(err)
	}
}

// LookupPath is where the lookup index lies in an archive.
const LookupPath = archive.StoreDir + "/objects/info/muniment.lookup"

// NewKey makes a key of its own file.
func NewKey(t *testing.T) sign.Signer {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// GitWithInput runs stock git with some input.
func GitWithInput(t *testing.T, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// HashFiles lists every file of an archive's repository with its size.
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

// Papers is a small archive for tests of the pipeline.
var Papers = map[string]string{
	"1931-03-14.txt": "Harrow Weir, 14 March 1931\n\nDear Ruth,\n\nThe mill wheel has stopped. There is flour for nine days.\n",
	"1931-04-02.txt": "Harrow Weir, 2 April 1931\n\nDear Ruth,\n\nTobias Lunt repaired the mill wheel. He would take no money for it, only flour.\n",
	"1935-08-16.txt": "16 August 1935\n\nDr. Marsh listened to my heart and told me to give up the ladder.\n",
	"1936-05-03.txt": "3 May 1936\n\nInes Roth told me about the lantern in the chapel.\n",
	"1937-01-09.txt": "9 January 1937\n\nThe brass telescope came from Bremen in a crate of straw.\n",
}
