package sign

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A testSigner signs as a key file does, or, with an application, as a
// security key does.
type testSigner struct {
	key     Key
	private ed25519.PrivateKey
	flags   byte
	counter uint32
}

// newTestSigner derives a plain key from a name.
func newTestSigner(name string) *testSigner {
	seed := sha256.Sum256([]byte("muniment test key " + name))
	s := &testSigner{private: ed25519.NewKeyFromSeed(seed[:])}
	key, err := KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	s.key = key
	return s
}

// newTestSecurityKey derives the key of a security key made of software.
func newTestSecurityKey(name string, flags byte) *testSigner {
	s := newTestSigner(name)
	s.key.typ, s.key.application = TypeSKEd25519, "ssh:"
	s.flags, s.counter = flags, 7
	return s
}

func (s *testSigner) Key() Key { return s.key }

func (s *testSigner) SignSSH(data []byte) ([]byte, error) {
	if s.key.typ != TypeSKEd25519 {
		blob := appendStr(nil, s.key.typ)
		return appendStr(blob, ed25519.Sign(s.private, data)), nil
	}
	application, message := sha256.Sum256([]byte(s.key.application)), sha256.Sum256(data)
	data = binary.BigEndian.AppendUint32(append(application[:], s.flags), s.counter)
	data = append(data, message[:]...)
	blob := appendStr(nil, s.key.typ)
	blob = appendStr(blob, ed25519.Sign(s.private, data))
	return binary.BigEndian.AppendUint32(append(blob, s.flags), s.counter), nil
}

// A parts value is an SSHSIG taken apart, each field as it goes on the wire,
// so that a test can spoil one of them.
type parts struct {
	magic     string
	version   uint32
	key       []byte
	namespace string
	reserved  string
	hash      string
	inner     []byte
	after     []byte
}

// goodParts signs message with hash, sparing no check.
func goodParts(s *testSigner, namespace, hash string, message []byte) parts {
	inner, err := s.SignSSH(signedData(namespace, hash, message))
	if err != nil {
		panic(err)
	}
	return parts{magic: magic, version: version, key: s.key.Blob(), namespace: namespace, hash: hash, inner: inner}
}

func (p parts) blob() []byte {
	b := binary.BigEndian.AppendUint32([]byte(p.magic), p.version)
	b = appendStr(b, p.key)
	b = appendStr(b, p.namespace)
	b = appendStr(b, p.reserved)
	b = appendStr(b, p.hash)
	b = appendStr(b, p.inner)
	return append(b, p.after...)
}

func (p parts) armored() []byte { return armor(p.blob()) }

// innerOf builds a plain inner signature from its bytes.
func innerOf(typ string, raw []byte) []byte { return appendStr(appendStr(nil, typ), raw) }

// rawOf returns the signature bytes of a plain inner signature.
func rawOf(inner []byte) []byte { return slices.Clone(inner[4+len(TypeEd25519)+4:]) }

// plusOrder adds the group order to the S of a signature.
func plusOrder(raw []byte) []byte {
	s := new(big.Int).Add(littleEndian(raw[32:]), orderL)
	out := make([]byte, 32)
	s.FillBytes(out)
	slices.Reverse(out)
	return append(slices.Clone(raw[:32]), out...)
}

// tool returns the path of a program, or skips and says what is missing.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: agreement with it is not tested", name)
	}
	return path
}

// writeFile writes a file into a test's folder and returns its path.
func writeFile(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
