package sshkey

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/sign"
)

// tool returns the path of a program, or skips and says what is missing.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: agreement with it is not tested", name)
	}
	return path
}

// keygen makes a key file with ssh-keygen and returns its path.
func keygen(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	args = append([]string{"-q", "-f", path, "-C", "anna@example.org"}, args...)
	if out, err := exec.Command(tool(t, "ssh-keygen"), args...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen %q: %v: %s", args, err, out)
	}
	return path
}

func secret(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}

// unasked is for keys that need no passphrase.
func unasked(t *testing.T) func() ([]byte, error) {
	return func() ([]byte, error) {
		t.Error("the passphrase was asked for")
		return nil, errors.New("asked")
	}
}

// checkSigner signs with s and compares its key with a .pub file.
func checkSigner(t *testing.T, s sign.Signer, public string) {
	t.Helper()
	line, err := os.ReadFile(public)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sign.ParseKey(string(line))
	if err != nil || s.Key() != want {
		t.Fatalf("key %s, want %s (%v)", s.Key().Authorized(), line, err)
	}
	if _, err := sign.Sign(s, sign.NamespaceGit, []byte("message")); err != nil {
		t.Error(err)
	}
}

func TestLoad(t *testing.T) {
	path := keygen(t, "-t", "ed25519", "-N", "")
	s, err := Load(path, unasked(t))
	if err != nil {
		t.Fatal(err)
	}
	checkSigner(t, s, path+".pub")
}

func TestLoadEncrypted(t *testing.T) {
	path := keygen(t, "-t", "ed25519", "-N", "correct horse")
	s, err := Load(path, secret("correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	checkSigner(t, s, path+".pub")
	for _, wrong := range []string{"wrong horse", ""} {
		if s, err := Load(path, secret(wrong)); !errors.Is(err, ErrWrongPassphrase) || s != nil {
			t.Errorf("passphrase %q: %v, %v", wrong, s, err)
		}
	}
	if s, err := Load(path, nil); !errors.Is(err, ErrPassphraseNeeded) || s != nil {
		t.Errorf("no passphrase: %v, %v", s, err)
	}
	cancelled := errors.New("cancelled")
	if _, err := Load(path, func() ([]byte, error) { return nil, cancelled }); !errors.Is(err, cancelled) {
		t.Errorf("the error of the question is lost: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := keygen(t, "-t", "ed25519", "-N", "")
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(data, []byte("b3BlbnNza"), []byte("c3BlbnNza"), 1)
	tests := []struct {
		name, path string
		want       error
		says       string
	}{
		{"missing", filepath.Join(dir, "none"), fs.ErrNotExist, "none"},
		{"a folder", dir, ErrNotKey, "regular file"},
		{"empty", write("empty", nil), ErrNotKey, ""},
		{"text", write("text", []byte("hello\n")), ErrNotKey, ""},
		{"public key", good + ".pub", ErrNotKey, "without .pub"},
		{"cut", write("cut", data[:len(data)/2]), ErrNotKey, ""},
		{"damaged", write("damaged", damaged), ErrNotKey, "damaged"},
		{"too long", write("long", bytes.Repeat([]byte("x"), MaxFile+1)), ErrNotKey, "more than"},
		{"certificate", write("cert", []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")), ErrNotKey, "CERTIFICATE"},
		{"rsa", keygen(t, "-t", "rsa", "-b", "2048", "-N", ""), ErrNotEd25519, "ssh-rsa"},
		{"rsa, encrypted", keygen(t, "-t", "rsa", "-b", "2048", "-N", "secret"), ErrNotEd25519, "ssh-rsa"},
		{"ecdsa", keygen(t, "-t", "ecdsa", "-N", ""), ErrNotEd25519, "ecdsa"},
		{"another cipher", keygen(t, "-t", "ed25519", "-Z", "aes128-ctr", "-N", "secret"), ErrCipher, `"aes128-ctr"`},
		{"a cipher with a tag", keygen(t, "-t", "ed25519", "-Z", "chacha20-poly1305@openssh.com", "-N", "secret"), ErrCipher, "chacha20"},
		{"another cipher with a tag", keygen(t, "-t", "ed25519", "-Z", "aes256-gcm@openssh.com", "-N", "secret"), ErrCipher, "aes256-gcm"},
		{"rsa in PEM", keygen(t, "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", ""), ErrNotEd25519, "RSA PRIVATE KEY"},
	}
	for _, test := range tests {
		s, err := Load(test.path, unasked(t))
		if s != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, %v; want %v and %q", test.name, s, err, test.want, test.says)
		}
	}
}

// Whatever reads as a key signs.
func FuzzParse(f *testing.F) {
	for _, passphrase := range []string{"", "secret"} {
		path := filepath.Join(f.TempDir(), "key")
		if _, err := Generate(bytes.NewReader(make([]byte, 32)), path, "x", []byte(passphrase)); err != nil {
			f.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data, nil)
		if err != nil {
			if s != nil {
				t.Fatal("an error and a signer")
			}
			return
		}
		if _, err := sign.Sign(s, sign.NamespaceGit, nil); err != nil {
			t.Fatal(err)
		}
	})
}
