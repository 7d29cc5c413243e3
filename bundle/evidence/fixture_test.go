package evidence

import (
	"crypto/ed25519"
	"encoding/binary"
	"muniment/sign"
	"strings"
	"testing"
)

// seedKey is a signer whose seed is one repeated byte.
type seedKey struct{ private ed25519.PrivateKey }

func newSeedKey(b byte) seedKey {
	return seedKey{ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(b)), ed25519.SeedSize)))}
}

func (s seedKey) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (s seedKey) SignSSH(data []byte) ([]byte, error) {
	wire := func(b []byte, v []byte) []byte {
		return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return wire(wire(nil, []byte(sign.TypeEd25519)), ed25519.Sign(s.private, data)), nil
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The closed set of what a vector expects.
const (
	expectValid      = "valid"
	expectIncomplete = "incomplete"
	expectInvalid    = "invalid" // the axis in the header fails
)
