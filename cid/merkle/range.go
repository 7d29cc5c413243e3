package merkle

import (
	"errors"
	"fmt"
	"math/bits"
)

// ProveRange returns the proof that leaves[from:to] are adjacent at their places: the hashes of the
// largest subtrees that contain none of them, from left to right. It panics when the range is empty
// or not within leaves.
func ProveRange(leaves []Hash, from, to int) []Hash {
	if from < 0 || from >= to || to > len(leaves) {
		panic(fmt.Sprintf("merkle: proof of leaves %d to %d asked of %d leaves", from, to, len(leaves)))
	}
	return proveRange(leaves, from, to)
}

func proveRange(leaves []Hash, from, to int) []Hash {
	switch {
	case from <= 0 && to >= len(leaves):
		return nil
	case to <= 0 || from >= len(leaves):
		return []Hash{Root(leaves)}
	}
	k := split(len(leaves))
	return append(proveRange(leaves[:k], from, to), proveRange(leaves[k:], from-k, to-k)...)
}

// RangeRoot returns the root of the tree of n leaves that has leaves from the place from on, given
// the proof that ProveRange made. A proof with other than the needed hashes is refused; the caller
// compares the root.
func RangeRoot(leaves []Hash, from, n int64, proof []Hash) (Hash, error) {
	if from < 0 || len(leaves) == 0 || n < int64(len(leaves)) || from > n-int64(len(leaves)) {
		return Hash{}, fmt.Errorf("leaves %d to %d are not in a tree of %d leaves", from, from+int64(len(leaves)), n)
	}
	root, rest, err := rangeRoot(leaves, from, n, proof)
	if err != nil {
		return Hash{}, err
	}
	if len(rest) > 0 {
		return Hash{}, fmt.Errorf("range proof has %d hashes too many", len(rest))
	}
	return root, nil
}

// rangeRoot returns the root of a subtree of n leaves and the hashes it left.
// from may lie before the subtree, and leaves reach beyond it.
func rangeRoot(leaves []Hash, from, n int64, proof []Hash) (Hash, []Hash, error) {
	to := from + int64(len(leaves))
	switch {
	case from <= 0 && to >= n:
		return Root(leaves[-from : n-from]), proof, nil
	case (to <= 0 || from >= n) && len(proof) == 0:
		return Hash{}, nil, errors.New("range proof has too few hashes")
	case to <= 0 || from >= n:
		return proof[0], proof[1:], nil
	}
	k := int64(1) << (bits.Len64(uint64(n-1)) - 1)
	left, proof, err := rangeRoot(leaves, from, k, proof)
	if err != nil {
		return Hash{}, nil, err
	}
	right, proof, err := rangeRoot(leaves, from-k, n-k, proof)
	return NodeHash(left, right), proof, err
}
