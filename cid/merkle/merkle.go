// Package merkle computes the Merkle trees of RFC 6962 over lists that fit in
// memory: the lines of a snapshot, the paragraphs of a text, the leaves of an
// answer.
//
// A leaf hash is sha256(0x00 || data), an inner node sha256(0x01 || left ||
// right), and the tree over nothing is sha256 of nothing. The split is at the
// largest power of two smaller than the number of leaves. The two calls most
// people need are Root, and Prove with its counterpart Verify:
//
//	root := merkle.Root(hashes)
//	proof := merkle.Prove(hashes, 3)
//	err := merkle.Verify(hashes[3], 3, int64(len(hashes)), proof, root)
//
// A proof carries no tree size: the verifier takes it from a place that is
// itself proved or signed. Hashes and proofs agree byte for byte with
// golang.org/x/mod/sumdb/tlog, which does the checking.
package merkle

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"math/bits"
	"sync"

	"golang.org/x/mod/sumdb/tlog"
)

// A Hash is a leaf or node hash: 32 bytes of sha2-256.
type Hash = [sha256.Size]byte

// shortLeaf is the longest leaf that is hashed in one call: lines of a text
// and of a snapshot are shorter, and there are millions of them.
const shortLeaf = 255

// A longHasher hashes a leaf in two writes, without copying it.
type longHasher struct {
	h   hash.Hash
	out Hash
}

var longHashers = sync.Pool{New: func() any { return &longHasher{h: sha256.New()} }}

// leafPrefix is hashed before the data of a leaf (RFC 6962).
var leafPrefix = []byte{0x00}

func longLeaf(data []byte) Hash {
	l := longHashers.Get().(*longHasher)
	defer longHashers.Put(l)
	l.h.Reset()
	l.h.Write(leafPrefix)
	l.h.Write(data)
	l.h.Sum(l.out[:0])
	return l.out
}

// LeafHash returns the hash of a leaf's data.
func LeafHash(data []byte) Hash {
	if len(data) > shortLeaf {
		return longLeaf(data)
	}
	var input [1 + shortLeaf]byte // begins with 0x00
	n := copy(input[1:], data)
	return sha256.Sum256(input[:1+n])
}

// NodeHash returns the hash of the inner node above left and right.
func NodeHash(left, right Hash) Hash {
	var input [1 + 2*sha256.Size]byte
	input[0] = 0x01
	copy(input[1:], left[:])
	copy(input[1+len(left):], right[:])
	return sha256.Sum256(input[:])
}

// Root returns the tree hash over leaf hashes in order.
func Root(leaves []Hash) Hash {
	switch len(leaves) {
	default:
		k := split(len(leaves))
		return NodeHash(Root(leaves[:k]), Root(leaves[k:]))
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaves[0]
	}
}

// Prove returns the inclusion proof of leaf i, from 0, ordered from the leaf
// to the root. It panics when i is not a leaf of the tree.
func Prove(leaves []Hash, i int) []Hash {
	if i < 0 || i >= len(leaves) {
		panic(fmt.Sprintf("merkle: proof of leaf %d asked of %d leaves", i, len(leaves)))
	}
	if len(leaves) == 1 {
		return nil
	}
	k := split(len(leaves))
	if i < k {
		return append(Prove(leaves[:k], i), Root(leaves[k:]))
	}
	return append(Prove(leaves[k:], i-k), Root(leaves[:k]))
}

// Verify checks that leaf is leaf i of the n leaves under root.
func Verify(leaf Hash, i, n int64, proof []Hash, root Hash) error {
	if i < 0 || n < 1 || i >= n {
		return fmt.Errorf("leaf %d is not in a tree of %d leaves", i, n)
	}
	p := make(tlog.RecordProof, len(proof))
	for j, h := range proof {
		p[j] = tlog.Hash(h)
	}
	if err := tlog.CheckRecord(p, n, tlog.Hash(root), i, tlog.Hash(leaf)); err != nil {
		return fmt.Errorf("inclusion proof of leaf %d of %d does not lead to root %x", i, n, root)
	}
	return nil
}

// split returns the largest power of two smaller than n, for n of at least 2.
func split(n int) int { return 1 << (bits.Len(uint(n-1)) - 1) }
