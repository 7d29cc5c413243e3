package merkle

import "slices"

// A Frontier is a tree that grows by one leaf at a time and keeps only the
// hashes along its right edge: one for each bit of its size. The zero Frontier
// is the empty tree.
type Frontier struct {
	n     int64
	edges []Hash // of the perfect subtrees, the largest first
	short *hasher
}

// Add appends a leaf hash.
func (f *Frontier) Add(leaf Hash) {
	f.edges = append(f.edges, leaf)
	for n := f.n; n&1 == 1; n >>= 1 { // two subtrees of one size are one
		k := len(f.edges) - 2
		f.edges[k] = f.node(f.edges[k], f.edges[k+1])
		f.edges = f.edges[:k+1]
	}
	f.n++
}

// emptyLeaf is the hash of an empty line, of which texts have many.
var emptyLeaf = LeafHash(nil)

// AddData appends the hash of a leaf's data, and returns it.
func (f *Frontier) AddData(data []byte) (leaf Hash) {
	switch {
	case len(data) == 0:
		leaf = emptyLeaf
	case len(data) > shortLeaf || !savesState:
		leaf = LeafHash(data)
	default:
		leaf = Hash(f.hasher().leafHash(data))
	}
	f.Add(leaf)
	return leaf
}

func (f *Frontier) node(left, right Hash) Hash {
	if !savesState {
		return NodeHash(left, right)
	}
	return Hash(f.hasher().nodeHash(left, right))
}

func (f *Frontier) hasher() *hasher {
	if f.short == nil {
		f.short = newHasher()
	}
	return f.short
}

// Size returns the number of leaves.
func (f *Frontier) Size() int64 { return f.n }

// Root returns the tree hash, the same as that of Root over all leaves.
func (f *Frontier) Root() Hash {
	if f.n == 0 {
		return Root(nil)
	}
	h := f.edges[len(f.edges)-1]
	for i := len(f.edges) - 2; i >= 0; i-- {
		h = f.node(f.edges[i], h)
	}
	return h
}

// Reset makes the tree empty and keeps its room.
func (f *Frontier) Reset() { f.n, f.edges = 0, f.edges[:0] }

// Clone returns a tree of the same leaves that grows on its own.
func (f *Frontier) Clone() Frontier { return Frontier{n: f.n, edges: slices.Clone(f.edges)} }
