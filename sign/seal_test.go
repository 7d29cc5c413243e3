package sign

import (
	"bytes"
	"errors"
	"muniment/testvectors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/cryptotest"

	"filippo.io/age"
	agearmor "filippo.io/age/armor"
)

const vectorPlaintext = "0 {\"kind\":\"claim\"}"

// sealedVectors names the sealed files of the corpus with what is said of
// them; their bodies are made by TestUpdateSealed.
func sealedVectors() []vector {
	return []vector{
		{name: "sealed/hybrid", expect: accept},
		{name: "sealed/x25519", expect: accept},
		{name: "sealed/two-recipients", expect: accept},
		{name: "sealed/other-identity", expect: refused, says: "none of these identities"},
		{name: "sealed/header-altered", expect: refused, says: "header"},
		{name: "sealed/payload-altered", expect: refused, says: "authenticate"},
		{name: "sealed/cut", expect: refused, says: "sealed file"},
		{name: "sealed/trailing-byte", expect: refused, says: "sealed file"},
		{name: "sealed/armored", expect: refused, says: "no end of an age header"},
		{name: "sealed/empty", expect: refused, says: "no end of an age header"},
	}
}

// With -update the sealed files are written anew, and stay as they are while
// the toolchain draws its randomness in the same order.
func TestUpdateSealed(t *testing.T) {
	if !testvectors.Update() {
		return
	}
	cryptotest.SetGlobalRandom(t, 1)
	pq, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	x, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	seal := func(to ...string) []byte {
		b, err := Seal(to, []byte(vectorPlaintext))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	base := seal(pq.Recipient().String())
	flip := func(i int) []byte {
		b := bytes.Clone(base)
		b[i] ^= 1
		return b
	}
	var armored bytes.Buffer
	w := agearmor.NewWriter(&armored)
	if _, err := w.Write(base); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	header := bytes.Index(base, []byte("\n--- ")) + len("\n--- ")
	bodies := map[string][]byte{
		"hybrid": base, "x25519": seal(x.Recipient().String()),
		"two-recipients": seal(other.Recipient().String(), pq.Recipient().String()),
		"other-identity": seal(other.Recipient().String()),
		"header-altered": flip(header), "payload-altered": flip(len(base) - 20), "cut": base[:len(base)-1],
		"trailing-byte": append(bytes.Clone(base), 0), "armored": armored.Bytes(), "empty": nil,
	}
	for _, v := range sealedVectors() {
		name := strings.TrimPrefix(v.name, "sealed/")
		identity := pq.String()
		if name == "x25519" {
			identity = x.String()
		}
		body, ok := bodies[name]
		if !ok {
			t.Fatalf("no body for %s", v.name)
		}
		v.head, v.body = []string{"identity: " + identity, "plaintext: " + vectorPlaintext}, body
		if err := os.WriteFile(filepath.Join(vectorDir, v.file()), v.made().Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSealOpen(t *testing.T) {
	file, recipient, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(recipient, prefixHybrid) || !bytes.Contains(file, []byte("\nAGE-SECRET-KEY-PQ-1")) {
		t.Fatalf("identity file %q for %q is not of the post-quantum kind", file, recipient)
	}
	if err := ParseRecipient(recipient); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 1 << 16, 1<<16 + 1, 300_000} {
		plain := bytes.Repeat([]byte{'x'}, n)
		sealed, err := Seal([]string{recipient}, plain)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(file, sealed)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: got %d bytes, %v", n, len(got), err)
		}
	}
	stranger, _, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := Seal([]string{recipient}, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Open(stranger, sealed); !errors.Is(err, ErrNoIdentity) || got != nil {
		t.Errorf("a stranger's identity: got %q, %v; want ErrNoIdentity", got, err)
	}
}

func TestSealRefuses(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	plain := id.Recipient().String()
	_, hybrid, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	many := make([]string, MaxRecipients+1)
	for i := range many {
		many[i] = hybrid
	}
	tests := []struct {
		name string
		to   []string
		says string
	}{
		{"nobody", nil, "0 recipients"},
		{"too many", many, "65 recipients"},
		{"mixed", []string{hybrid, plain}, "cannot share a file"},
		{"twice", []string{plain, plain}, "twice"},
		{"secret key", []string{id.String()}, "does not begin"},
		{"ssh key", []string{newTestSigner("anna").key.Authorized()}, "does not begin"},
		{"cut", []string{hybrid[:len(hybrid)-1]}, "malformed"},
		{"upper case", []string{strings.ToUpper(plain)}, "does not begin"},
		{"trailing space", []string{plain + " "}, "malformed"},
	}
	for _, test := range tests {
		got, err := Seal(test.to, []byte("x"))
		if err == nil || got != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %d bytes, %v; want an error with %q", test.name, len(got), err, test.says)
		}
		if err != nil && strings.Contains(err.Error(), id.String()) {
			t.Errorf("%s: the error shows a secret key", test.name)
		}
	}
	if _, err := Seal([]string{plain}, make([]byte, MaxPlaintext+1)); err == nil {
		t.Error("a plaintext above the limit was sealed")
	}
	if _, err := Open([]byte("not a key\n"), []byte("x")); err == nil {
		t.Error("an identity file without a key was accepted")
	}
}

// Limits hold before any key is tried, and while decrypting.
func TestOpenLimits(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file := []byte(id.String() + "\n")
	sealed := func(size int) []byte {
		var out bytes.Buffer
		w, err := age.Encrypt(&out, id.Recipient())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	if got, err := Open(file, sealed(MaxPlaintext)); err != nil || len(got) != MaxPlaintext {
		t.Errorf("the largest file: %d bytes, %v", len(got), err)
	}
	header := "age-encryption.org/v1\n" + strings.Repeat("-> X25519 a\nb\n", maxHeader/14) + "--- x\n"
	tests := []struct {
		name       string
		identities []byte
		sealed     []byte
		says       string
	}{
		{"plaintext", file, sealed(MaxPlaintext + 1), "holds more than"},
		{"header", file, []byte(header), "no end of an age header"},
		{"file", file, make([]byte, maxSealed+1), "at most"},
		{"identities", bytes.Repeat(file, MaxIdentities/len(file)+1), sealed(1), "at most"},
	}
	for _, test := range tests {
		got, err := Open(test.identities, test.sealed)
		if err == nil || got != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %d bytes, %v; want an error with %q", test.name, len(got), err, test.says)
		}
	}
}

// As many recipients as are allowed fit into the header that is read.
func TestMostRecipients(t *testing.T) {
	var to []string
	var last []byte
	for range MaxRecipients {
		file, recipient, err := NewIdentity()
		if err != nil {
			t.Fatal(err)
		}
		to, last = append(to, recipient), file
	}
	sealed, err := Seal(to, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Open(last, sealed); err != nil || string(got) != "x" {
		t.Errorf("the last of %d recipients: %q, %v", len(to), got, err)
	}
}
