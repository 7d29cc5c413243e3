package sshkey

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestGenerate(t *testing.T) {
	for _, passphrase := range []string{"", "correct horse"} {
		path := filepath.Join(t.TempDir(), "key")
		s, err := Generate(rand.Reader, path, "anna@example.org, at home", []byte(passphrase))
		if err != nil {
			t.Fatal(err)
		}
		checkSigner(t, s, path+".pub")
		for name, want := range map[string]fs.FileMode{path: 0o600, path + ".pub": 0o644} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got&^want != 0 || got&0o600 != 0o600 {
				t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, want)
			}
		}
		back, err := Load(path, secret(passphrase))
		if err != nil || back.Key() != s.Key() {
			t.Errorf("loads as %v, %v", back, err)
		}
		if public, err := os.ReadFile(path + ".pub"); err != nil || !strings.HasSuffix(string(public), " anna@example.org, at home\n") {
			t.Errorf("the public key is %q, %v", public, err)
		}
		// Nothing is overwritten.
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := Generate(rand.Reader, path, "", nil); !errors.Is(err, fs.ErrExist) || s != nil {
			t.Errorf("over an existing key: %v, %v", s, err)
		}
		after, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("the existing key changed: %v", err)
		}
	}
}

// ssh-keygen reads the private file, and derives our public one from it.
func TestGenerateForStock(t *testing.T) {
	keygen := tool(t, "ssh-keygen")
	for _, passphrase := range []string{"", "correct horse"} {
		path := filepath.Join(t.TempDir(), "key")
		if _, err := Generate(rand.Reader, path, "anna", []byte(passphrase)); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(keygen, "-y", "-P", passphrase, "-f", path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		public, err := os.ReadFile(path + ".pub")
		if err != nil || string(out) != string(public) {
			t.Errorf("ssh-keygen -y prints %q, .pub holds %q (%v)", out, public, err)
		}
		if out, err := exec.Command(keygen, "-y", "-P", "wrong", "-f", path).CombinedOutput(); passphrase != "" && err == nil {
			t.Errorf("opens with a wrong passphrase: %s", out)
		}
	}
}

// The same random bytes give the same key, and too few give none.
func TestGenerateRandom(t *testing.T) {
	dir := t.TempDir()
	seed := bytes.Repeat([]byte{7}, 32)
	a, err := Generate(bytes.NewReader(seed), filepath.Join(dir, "a"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Generate(bytes.NewReader(seed), filepath.Join(dir, "b"), "", nil)
	if err != nil || a.Key() != b.Key() {
		t.Errorf("%v, %v, %v", a.Key(), b.Key(), err)
	}
	if s, err := Generate(bytes.NewReader(seed[:31]), filepath.Join(dir, "c"), "", nil); !errors.Is(err, io.ErrUnexpectedEOF) || s != nil {
		t.Errorf("31 random bytes: %v, %v", s, err)
	}
}

// After an error there is no half of a pair.
func TestGenerateLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	if err := os.WriteFile(path+".pub", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Generate(rand.Reader, path, "", nil); !errors.Is(err, fs.ErrExist) || s != nil {
		t.Errorf("beside an existing .pub: %v, %v", s, err)
	}
	for _, comment := range []string{"two\nlines", strings.Repeat("x", MaxComment+1)} {
		if s, err := Generate(rand.Reader, filepath.Join(dir, "other"), comment, nil); err == nil || s != nil {
			t.Errorf("comment %q: %v, %v", comment, s, err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "key.pub" {
		t.Errorf("left %v, %v", files, err)
	}
	if data, err := os.ReadFile(path + ".pub"); err != nil || string(data) != "mine" {
		t.Errorf(".pub now holds %q, %v", data, err)
	}
}
