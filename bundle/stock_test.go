package bundle

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// unpack writes a bundle into a folder.
func unpack(t *testing.T, b *Bundle) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range b.Files() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stock runs a program that is not ours in dir.
func stock(t *testing.T, dir string, stdin []byte, name string, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is missing: it is not checked that it accepts a bundle", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestSSHKeygenAccepts(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t).WithoutSealed()
	dir := unpack(t, b)
	trust := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(trust, []byte("ada@example.org "+f.answerer.Key().Authorized()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-Y", "verify", "-f", trust, "-I", "ada@example.org", "-n", "answer@muniment", "-s", sigName(f.answerer.Key())}
	if out, err := stock(t, dir, b.files[nameStatement], "ssh-keygen", args...); err != nil {
		t.Errorf("ssh-keygen refuses the statement: %v\n%s", err, out)
	}
	changed := bytes.Replace(b.files[nameStatement], []byte("partial"), []byte("refusal"), 1)
	if out, err := stock(t, dir, changed, "ssh-keygen", args...); err == nil {
		t.Errorf("ssh-keygen accepts a changed statement\n%s", out)
	}
}

func TestSHA256SumAccepts(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t).WithoutSealed()
	dir := unpack(t, b)
	if out, err := stock(t, dir, nil, "sha256sum", "-c", "--ignore-missing", "--strict", nameSums); err != nil {
		t.Errorf("sha256sum refuses the leaves: %v\n%s", err, out)
	}
	leaf := filepath.Join(dir, leafName(b.statement.Display))
	data, err := os.ReadFile(leaf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(leaf, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := stock(t, dir, nil, "sha256sum", "-c", "--ignore-missing", "--strict", nameSums); err == nil {
		t.Errorf("sha256sum accepts a changed leaf\n%s", out)
	}
}

func TestUnzipAccepts(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	zip := filepath.Join(t.TempDir(), "answer.zip")
	if err := os.WriteFile(zip, must[[]byte](t)(b.Zip()), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, err := stock(t, dir, nil, "unzip", "-q", zip); err != nil {
		t.Fatalf("unzip: %v\n%s", err, out)
	}
	again := must[*Bundle](t)(ReadDir(os.DirFS(dir)))
	if !bytes.Equal(must[[]byte](t)(again.Zip()), must[[]byte](t)(b.Zip())) {
		t.Error("what unzip unpacked is another bundle")
	}
}
