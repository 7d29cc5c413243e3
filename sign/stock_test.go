package sign

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// verifyStock asks ssh-keygen -Y verify, with one allowed key.
func verifyStock(t *testing.T, k Key, armored []byte, namespace string, message []byte) error {
	t.Helper()
	dir := t.TempDir()
	allowed := AllowedSigner{Principals: []string{"anna@example.org"}, Key: k, Namespaces: []string{namespace}}
	list := writeFile(t, dir, "allowed", []byte(allowed.String()+"\n"))
	cmd := exec.Command(tool(t, "ssh-keygen"), "-Y", "verify", "-f", list, "-I", "anna@example.org",
		"-n", namespace, "-s", writeFile(t, dir, "sig", armored))
	cmd.Stdin = bytes.NewReader(message)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("ssh-keygen: %s", bytes.TrimSpace(out))
	}
	return err
}

// ssh-keygen accepts what Sign wrote, also by a security key.
func TestStockVerifiesOurs(t *testing.T) {
	message := []byte(vectorMessage)
	for _, signer := range []*testSigner{newTestSigner("anna"), newTestSecurityKey("anna", 1), newTestSecurityKey("anna", 5)} {
		for _, namespace := range []string{NamespaceGit, NamespaceAnswer, NamespaceSnapshot} {
			armored, err := Sign(signer, namespace, message)
			if err != nil {
				t.Fatal(err)
			}
			if err := verifyStock(t, signer.key, armored, namespace, message); err != nil {
				t.Errorf("%s, %s: %v", signer.key.typ, namespace, err)
			}
		}
	}
}

// Our reader accepts what ssh-keygen wrote, byte for byte, whatever the length
// of the last line.
func TestOursVerifiesStock(t *testing.T) {
	keygen := tool(t, "ssh-keygen")
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-C", "anna", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	want, err := ParseKey(string(public))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 60 {
		namespace := strings.Repeat("n", n+1)
		hash := []string{hashSHA512, hashSHA256}[n%2]
		cmd := exec.Command(keygen, "-Y", "sign", "-f", key, "-n", namespace, "-O", "hashalg="+hash)
		cmd.Stdin = strings.NewReader(vectorMessage)
		armored, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSignature(armored)
		if err != nil {
			t.Fatalf("namespace of %d bytes: %v", n+1, err)
		}
		if s.Key() != want || s.Hash() != hash {
			t.Errorf("reads as key %s, hash %s", s.Key().Authorized(), s.Hash())
		}
		if err := s.Verify(namespace, []byte(vectorMessage)); err != nil {
			t.Errorf("namespace of %d bytes: %v", n+1, err)
		}
	}
	out, err := exec.Command(keygen, "-l", "-f", key+".pub").Output()
	if err != nil || !strings.Contains(string(out), want.Fingerprint()) {
		t.Errorf("ssh-keygen -l prints %q, %v; want %s", out, err, want.Fingerprint())
	}
}

// Every signature that the corpus accepts is accepted by ssh-keygen, and none
// that it refuses.
func TestStockAgreesOnVectors(t *testing.T) {
	ran := 0
	for _, v := range allVectors() {
		if v.kind() != "signature" || v.expect == malformed {
			continue
		}
		s, err := ParseSignature(v.body)
		if err != nil {
			t.Fatal(err)
		}
		err = verifyStock(t, s.Key(), v.body, v.get("namespace"), []byte(v.get("message")))
		if (err == nil) != (v.expect == accept) {
			t.Errorf("%s: %s here, ssh-keygen says %v", v.name, v.expect, err)
		}
		ran++
	}
	if ran < 10 {
		t.Errorf("%d signatures compared, want at least 10", ran)
	}
}

// Where our list allows a signature, ssh-keygen does, except in the bounds,
// which it compares with the clock.
func TestStockAgreesOnAllowedSigners(t *testing.T) {
	keygen := tool(t, "ssh-keygen")
	anna := newTestSigner("anna")
	armored, err := Sign(anna, NamespaceAnswer, []byte(vectorMessage))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range allVectors() {
		if v.kind() != "allowed" || v.expect == malformed {
			continue
		}
		principal := "anna"
		a, err := ParseAllowedSigners(v.body)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := a.Allows(anna.key, NamespaceAnswer); ok {
			principal = strings.Trim(e.Principals[0], "!")
		}
		dir := t.TempDir()
		cmd := exec.Command(keygen, "-Y", "verify", "-f", writeFile(t, dir, "allowed", v.body), "-I", principal,
			"-n", NamespaceAnswer, "-s", writeFile(t, dir, "sig", armored))
		cmd.Stdin = strings.NewReader(vectorMessage)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (v.expect == accept) {
			t.Errorf("%s: %s here, ssh-keygen says %v: %s", v.name, v.expect, err, out)
		}
		ran++
	}
	if ran < 12 {
		t.Errorf("%d lists compared, want at least 12", ran)
	}
}

// The gpgsig header of a commit that git signed is our armor, indented.
func TestOursVerifiesGit(t *testing.T) {
	git, keygen := tool(t, "git"), tool(t, "ssh-keygen")
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", filepath.Base(name), args, err)
		}
		return string(out)
	}
	run(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key)
	run(git, "init", "-q")
	run(git, "-c", "user.name=Anna", "-c", "user.email=anna@example.org", "-c", "gpg.format=ssh", "-c", "user.signingkey="+key,
		"commit", "-q", "-S", "--allow-empty", "-m", "first")
	head, rest, ok := strings.Cut(run(git, "cat-file", "commit", "HEAD"), "gpgsig ")
	if !ok {
		t.Fatal("the commit has no gpgsig")
	}
	indented, message, ok := strings.Cut(rest, "\n\n")
	if !ok {
		t.Fatal("the commit has no message")
	}
	s, err := ParseSignature([]byte(strings.ReplaceAll(indented, "\n ", "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(NamespaceGit, []byte(head+"\n"+message)); err != nil {
		t.Error(err)
	}
}
