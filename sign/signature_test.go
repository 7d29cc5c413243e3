package sign

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		namespace := rapid.StringMatching(`[!-~]{1,255}`).Draw(t, "namespace")
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		signer := newTestSigner("anna")
		if rapid.Bool().Draw(t, "security key") {
			signer = newTestSecurityKey("anna", 1)
		}
		armored, err := Sign(signer, namespace, message)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSignature(armored)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(namespace, message); err != nil {
			t.Fatal(err)
		}
		if s.Key() != signer.key || s.Namespace() != namespace || s.Hash() != hashSHA512 {
			t.Fatalf("reads as key %s, namespace %q, hash %q", s.Key().Authorized(), s.Namespace(), s.Hash())
		}
		if s.Verify(namespace+"x", message) == nil || s.Verify(namespace, append(message, 0)) == nil {
			t.Fatal("verifies another namespace or message")
		}
	})
}

// Whatever single byte of a signature changes, it no longer verifies.
func TestSignatureEveryByte(t *testing.T) {
	for _, signer := range []*testSigner{newTestSigner("anna"), newTestSecurityKey("anna", 1)} {
		good, err := Sign(signer, NamespaceGit, []byte(vectorMessage))
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			for _, x := range []byte{1, 0x20, 0x80} {
				bad := bytes.Clone(good)
				bad[i] ^= x
				s, err := ParseSignature(bad)
				if err != nil {
					if s != nil {
						t.Fatalf("byte %d: an error and a signature", i)
					}
					continue
				}
				if s.Key() == signer.key && s.Verify(NamespaceGit, []byte(vectorMessage)) == nil {
					t.Errorf("byte %d changed by %#x: still verifies", i, x)
				}
			}
		}
	}
}

// A brokenSigner has a key but returns what it was told to.
type brokenSigner struct {
	key  Key
	blob []byte
	err  error
}

func (b brokenSigner) Key() Key                       { return b.key }
func (b brokenSigner) SignSSH([]byte) ([]byte, error) { return b.blob, b.err }

// Sign and SignCheckpoint let nothing through that does not verify.
func TestSignVerifiesItself(t *testing.T) {
	anna, ben := newTestSigner("anna"), newTestSigner("ben")
	other, err := ben.SignSSH([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	absent, err := newTestSecurityKey("anna", 0).SignSSH([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	refusal := errors.New("agent refused operation")
	tests := []struct {
		name   string
		signer Signer
		says   string
	}{
		{"error", brokenSigner{anna.key, nil, refusal}, "agent refused"},
		{"nothing", brokenSigner{anna.key, nil, nil}, "cut short"},
		{"other key", brokenSigner{anna.key, other, nil}, "not by key"},
		{"malleable", brokenSigner{anna.key, innerOf(TypeEd25519, plusOrder(rawOf(other))), nil}, "group order"},
		{"trailing byte", brokenSigner{anna.key, append(bytes.Clone(other), 0), nil}, "after the end"},
		{"user absent", brokenSigner{newTestSecurityKey("anna", 0).key, absent, nil}, "not present"},
		{"no key", brokenSigner{Key{}, other, nil}, "signature type"},
	}
	for _, test := range tests {
		got, err := Sign(test.signer, NamespaceGit, []byte("message"))
		if err == nil || got != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %q, %v; want an error with %q", test.name, got, err, test.says)
		}
		note, err := SignCheckpoint(test.signer, Checkpoint{Origin: "o", Size: 1})
		if err == nil || note != nil {
			t.Errorf("%s: SignCheckpoint gave %q, %v", test.name, note, err)
		}
	}
	for _, namespace := range []string{"", "a b", "ä", strings.Repeat("n", MaxNamespace+1)} {
		if got, err := Sign(anna, namespace, nil); err == nil || got != nil {
			t.Errorf("namespace %q: got %q, %v", namespace, got, err)
		}
	}
	if _, err := Sign(brokenSigner{anna.key, nil, refusal}, NamespaceGit, nil); !errors.Is(err, refusal) {
		t.Errorf("the signer's error is lost: %v", err)
	}
}

func FuzzParseSignature(f *testing.F) {
	for _, v := range allVectors() {
		if v.kind() == "signature" {
			f.Add(v.body)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSignature(data)
		if err != nil {
			if s != nil {
				t.Fatal("an error and a signature")
			}
			return
		}
		if got := s.Armored(); !bytes.Equal(got, data) {
			t.Fatalf("%q encodes to %q", data, got)
		}
		if _, err := ParseKey(s.Key().Authorized()); err != nil {
			t.Fatal(err)
		}
	})
}
