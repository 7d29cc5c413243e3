package sign

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"muniment/cid"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// A security key on the P-256 curve signs as PROTOCOL.u2f says; ssh-keygen takes
// it, we take Ed25519 only.
func TestOtherSecurityKeysAreRefused(t *testing.T) {
	const typ, application = "sk-ecdsa-sha2-nistp256@openssh.com", "ssh:"
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := private.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	key := appendStr(appendStr(appendStr(appendStr(nil, typ), "nistp256"), point), application)
	app, body := sha256.Sum256([]byte(application)), sha256.Sum256(signedData(NamespaceAnswer, hashSHA512, []byte(vectorMessage)))
	rest := []byte{0x01, 0, 0, 0, 7}
	digest := sha256.Sum256(slices.Concat(app[:], rest, body[:]))
	r, s, err := ecdsa.Sign(rand.Reader, private, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	number := func(n *big.Int) []byte { return append([]byte{0}, n.FillBytes(make([]byte, 32))...) }
	mpint := func(n *big.Int) []byte { // no needless zero before
		b := number(n)
		for len(b) > 1 && b[0] == 0 && b[1] < 0x80 {
			b = b[1:]
		}
		return b
	}
	inner := append(appendStr(appendStr(nil, typ), appendStr(appendStr(nil, mpint(r)), mpint(s))), rest...)
	p := parts{magic: magic, version: version, key: key, namespace: NamespaceAnswer, hash: hashSHA512, inner: inner}
	armored := p.armored()
	dir := t.TempDir()
	list := writeFile(t, dir, "allowed", []byte("anna@example.org "+typ+" "+base64.StdEncoding.EncodeToString(key)+"\n"))
	cmd := exec.Command(tool(t, "ssh-keygen"), "-Y", "verify", "-f", list, "-I", "anna@example.org", "-n", NamespaceAnswer, "-s", writeFile(t, dir, "sig", armored))
	cmd.Stdin = strings.NewReader(vectorMessage)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("ssh-keygen: %v: %s", err, out)
	}
	if _, err := ParseSignature(armored); err == nil || !strings.Contains(err.Error(), typ) {
		t.Errorf("%v, want the key's type refused", err)
	}
	if _, err := ParseKey(typ + " " + base64.StdEncoding.EncodeToString(key)); err == nil {
		t.Error("the key is read")
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
		err = verifyStock(t, s.Key(), v.body, v.made().Get("namespace"), []byte(v.made().Get("message")))
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
		if slices.ContainsFunc(v.head, func(line string) bool { return strings.HasPrefix(line, "archive: ") }) && v.expect == refused {
			continue // of another archive: ssh-keygen knows none
		}
		principal := "anna"
		a, err := ParseAllowedSigners(v.body)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := a.Allows(anna.key, NamespaceAnswer, cid.OfJSON([]byte("x"))); ok {
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
