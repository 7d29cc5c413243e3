package merkle

import (
	"encoding/hex"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

func leaves(n int) []Hash {
	hashes := make([]Hash, n)
	for i := range hashes {
		hashes[i] = LeafHash(fmt.Appendf(nil, "leaf %d", i))
	}
	return hashes
}

func TestEmpty(t *testing.T) {
	const want = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	root := Root(nil)
	if got := hex.EncodeToString(root[:]); got != want {
		t.Errorf("root of nothing: %s, want %s", got, want)
	}
}

// The peer is tlog, which stores hashes in its own order and computes the
// tree from them.
func TestRootAgreesWithTlog(t *testing.T) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(idx []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(idx))
		for i, x := range idx {
			out[i] = stored[x]
		}
		return out, nil
	})
	const most = 300
	for n := 1; n <= most; n++ {
		add, err := tlog.StoredHashes(int64(n-1), fmt.Appendf(nil, "leaf %d", n-1), reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, add...)
		want, err := tlog.TreeHash(int64(n), reader)
		if err != nil {
			t.Fatal(err)
		}
		if got := Root(leaves(n)); got != Hash(want) {
			t.Fatalf("root over %d leaves differs from tlog", n)
		}
	}
}

func TestProofs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 700).Draw(t, "n")
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		hashes := leaves(n)
		root, proof := Root(hashes), Prove(hashes, i)
		if err := Verify(hashes[i], int64(i), int64(n), proof, root); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			return
		}
		other := rapid.IntRange(0, n-1).Filter(func(j int) bool { return j != i }).Draw(t, "other")
		if Verify(hashes[other], int64(i), int64(n), proof, root) == nil {
			t.Fatalf("leaf %d passed for leaf %d", other, i)
		}
		at := rapid.IntRange(0, len(proof)-1).Draw(t, "at")
		proof[at][0] ^= 1
		if Verify(hashes[i], int64(i), int64(n), proof, root) == nil {
			t.Fatal("an altered proof was accepted")
		}
		if Verify(hashes[i], int64(i), int64(n), Prove(hashes, i)[1:], root) == nil {
			t.Fatal("a shortened proof was accepted")
		}
	})
}
