package merkle

import (
	"testing"

	"pgregory.net/rapid"
)

// Every range of every small tree leads to its root, and no other proof does.
func TestRange(t *testing.T) {
	tried := 0
	for n := 1; n <= 20; n++ {
		leaves := make([]Hash, n)
		for i := range leaves {
			leaves[i] = LeafHash([]byte{byte(i)})
		}
		for from := range n {
			for to := from + 1; to <= n; to++ {
				tried++
				proof := ProveRange(leaves, from, to)
				got, err := RangeRoot(leaves[from:to], int64(from), int64(n), proof)
				if err != nil || got != Root(leaves) {
					t.Fatalf("%d to %d of %d: %x, %v", from, to, n, got, err)
				}
				if to == from+1 && len(proof) != len(Prove(leaves, from)) {
					t.Errorf("leaf %d of %d: %d hashes, want %d", from, n, len(proof), len(Prove(leaves, from)))
				}
				if _, err := RangeRoot(leaves[from:to], int64(from), int64(n), append(proof[:len(proof):len(proof)], Hash{})); err == nil {
					t.Fatalf("%d to %d of %d: a hash too many is accepted", from, to, n)
				}
				if len(proof) > 0 {
					if _, err := RangeRoot(leaves[from:to], int64(from), int64(n), proof[1:]); err == nil {
						t.Fatalf("%d to %d of %d: a hash too few is accepted", from, to, n)
					}
				}
			}
		}
	}
	if tried != 1540 {
		t.Errorf("%d ranges tried", tried)
	}
	for _, bad := range []struct{ from, n int64 }{{-1, 3}, {0, 0}, {3, 3}, {2, 3}, {1 << 62, 1 << 62}} {
		if _, err := RangeRoot(make([]Hash, 2), bad.from, bad.n, nil); err == nil {
			t.Errorf("2 leaves from %d of %d are accepted", bad.from, bad.n)
		}
	}
}

// A range at another place, or with another leaf, has another root.
func TestRangeMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 300).Draw(t, "n")
		leaves := make([]Hash, n)
		for i := range leaves {
			leaves[i] = LeafHash([]byte{byte(i), byte(i >> 8)})
		}
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		to := rapid.IntRange(from+1, n).Draw(t, "to")
		proof := ProveRange(leaves, from, to)
		other := append([]Hash{}, leaves[from:to]...)
		other[rapid.IntRange(0, len(other)-1).Draw(t, "changed")][0]++
		if got, err := RangeRoot(other, int64(from), int64(n), proof); err == nil && got == Root(leaves) {
			t.Fatal("another leaf has the same root")
		}
		at := rapid.IntRange(0, n-(to-from)).Draw(t, "at")
		if got, err := RangeRoot(leaves[from:to], int64(at), int64(n), proof); at != from && err == nil && got == Root(leaves) {
			t.Fatalf("%d to %d of %d also stands at %d", from, to, n, at)
		}
	})
}
