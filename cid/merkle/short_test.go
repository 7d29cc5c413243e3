package merkle

import (
	"bytes"
	"testing"
)

// TestShortHasher compares the hashes made from saved states with those of
// Sum256, for every length that is hashed so and one more.
func TestShortHasher(t *testing.T) {
	if !savesState {
		t.Error("crypto/sha256 saves its state in another form: hashing is slower than it was")
	}
	data := bytes.Repeat([]byte{0xa5, 0x00, 0xff}, 100)
	x := newHasher()
	for n := range shortLeaf + 1 {
		leaf := LeafHash(data[:n])
		if got := Hash(x.leafHash(data[:n])); got != leaf {
			t.Fatalf("leaf of %d bytes: %x, want %x", n, got, leaf)
		}
		if got, want := Hash(x.nodeHash(leaf, Hash(data[n%3:]))), NodeHash(leaf, Hash(data[n%3:])); got != want {
			t.Fatalf("node: %x, want %x", got, want)
		}
	}
	var a, b Frontier
	for n := range shortLeaf + 2 {
		a.AddData(data[:n])
		b.Add(LeafHash(data[:n]))
		if a.Root() != b.Root() {
			t.Fatalf("trees over leaves of up to %d bytes differ", n)
		}
	}
}
