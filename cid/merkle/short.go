package merkle

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"hash"
)

// A hasher hashes leaves and nodes one after the other, in two thirds of the
// time of sha256.Sum256: it pads a short message itself, FIPS 180-4, 5.1.1, so
// that whole blocks go in, and takes the result from the saved state. It is
// used by one goroutine.
type hasher struct {
	h     hash.Hash // a *sha256.Digest, which also appends its state
	state []byte
	leaf  [shortBlocks * sha256.BlockSize]byte // begins with 0x00
	node  [2 * sha256.BlockSize]byte           // 0x01, two hashes, and the padding
}

// shortBlocks hold the longest short leaf: prefix, data, a bit and the length.
const shortBlocks = (1 + shortLeaf + 1 + 8 + sha256.BlockSize - 1) / sha256.BlockSize

// stateAt is the offset of the hash of whole blocks in a saved state, after four bytes that name
// its kind.
const stateAt = 4

// savesState reports whether this release of crypto/sha256 saves its state in
// the form that hasher reads. Where it does not, Sum256 is used.
var savesState = func() bool {
	l, r := sha256.Sum256([]byte("left")), sha256.Sum256([]byte("right"))
	x := newHasher()
	return x.blocks(nil) != nil && Hash(x.nodeHash(l, r)) == NodeHash(l, r) && Hash(x.leafHash(l[:])) == LeafHash(l[:])
}()

func newHasher() *hasher {
	x := &hasher{h: sha256.New()}
	x.node[0] = 0x01
	pad(x.node[:], 1+2*sha256.Size)
	return x
}

// pad ends a message of n bytes in blocks that hold it.
func pad(blocks []byte, n int) {
	blocks[n] = 0x80
	end := len(blocks) - 8
	clear(blocks[n+1 : end])
	binary.BigEndian.PutUint64(blocks[end:], uint64(n)*8)
}

// blocks returns the hash of a padded message, nil where no state is had.
func (x *hasher) blocks(padded []byte) []byte {
	saver, ok := x.h.(encoding.BinaryAppender)
	if !ok {
		return nil
	}
	x.h.Reset()
	x.h.Write(padded)
	var err error
	if x.state, err = saver.AppendBinary(x.state[:0]); err != nil || len(x.state) < stateAt+sha256.Size {
		return nil
	}
	return x.state[stateAt:][:sha256.Size]
}

func (x *hasher) leafHash(data []byte) []byte {
	n := 1 + copy(x.leaf[1:1+shortLeaf], data)
	padded := x.leaf[:(n+8)/sha256.BlockSize*sha256.BlockSize+sha256.BlockSize]
	pad(padded, n)
	return x.blocks(padded)
}

func (x *hasher) nodeHash(left, right Hash) []byte {
	copy(x.node[1:], left[:])
	copy(x.node[1+len(left):], right[:])
	return x.blocks(x.node[:])
}
