package snapshot

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/cid/merkle"
	"muniment/snapshot/layout"
)

// shards is the number of shard lines under a root: 00 to ff, then "--".
const shards = 257

// A Line is one file of a snapshot.
type Line struct {
	Digest [32]byte // sha256 of the file's bytes
	Path   string
}

// String returns the line as it is hashed and as sha256sum prints it: 64
// lower case digits, two spaces, the path, a line feed.
func (l Line) String() string { return string(l.append(nil)) }

func (l Line) append(b []byte) []byte {
	b = append(hex.AppendEncode(b, l.Digest[:]), "  "...)
	return append(append(b, l.Path...), '\n')
}

// leaf returns the line's leaf hash.
func (l Line) leaf() merkle.Hash {
	var room [256]byte // most lines have 137 or 210 bytes
	return merkle.LeafHash(l.append(room[:0]))
}

// A Tree holds the lines of a snapshot in their shards. It is not safe for
// use by several goroutines while it changes.
type Tree struct {
	shard   [shards]shard
	entries int64

	// load brings in the lines of a shard that is away; see treeFrom.
	load func(i int) ([]Line, error)
	lost error // what load could not read
}

// shard is the sorted lines of one shard with their leaf hashes.
type shard struct {
	lines  []Line
	hashes []merkle.Hash
	root   merkle.Hash
	fresh  bool // root is that of hashes

	away  bool  // only root and count are known
	count int64 // while away
}

// NewTree returns the tree over lines, in any order. A path twice, or one
// that a snapshot may not hold, is refused.
func NewTree(lines []Line) (*Tree, error) {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.Path, b.Path) })
	t := &Tree{}
	for i, l := range lines {
		if i > 0 && lines[i-1].Path == l.Path {
			return nil, fmt.Errorf("path %q twice", l.Path)
		}
		if !layout.CleanPath(l.Path) {
			return nil, fmt.Errorf("path %q may not be in a snapshot", l.Path)
		}
		s := &t.shard[shardOf(l.Path)]
		s.lines = append(s.lines, l)
		s.hashes = append(s.hashes, l.leaf())
		t.entries++
	}
	return t, nil
}

// Entries returns the number of lines.
func (t *Tree) Entries() int64 { return t.entries }

// Root returns the Muniment-Root.
func (t *Tree) Root() merkle.Hash { return merkle.Root(t.outer()) }

// Line returns the line of a path, and whether there is one.
func (t *Tree) Line(path string) (Line, bool) {
	s := t.at(path)
	i, found := s.find(path)
	if !found {
		return Line{}, false
	}
	return s.lines[i], true
}

// set adds a line to the tree and replaces one with the same path.
func (t *Tree) set(l Line) {
	s := t.at(l.Path)
	i, found := s.find(l.Path)
	h := l.leaf()
	s.fresh = false
	if found {
		s.lines[i], s.hashes[i] = l, h
		return
	}
	s.lines, s.hashes = slices.Insert(s.lines, i, l), slices.Insert(s.hashes, i, h)
	t.entries++
}

// remove takes a path out of the tree if it is there.
func (t *Tree) remove(path string) {
	s := t.at(path)
	if i, found := s.find(path); found {
		s.lines, s.hashes = slices.Delete(s.lines, i, i+1), slices.Delete(s.hashes, i, i+1)
		s.fresh = false
		t.entries--
	}
}

// outer returns the leaf hashes of the shard lines.
func (t *Tree) outer() []merkle.Hash {
	out := make([]merkle.Hash, shards)
	for i := range t.shard {
		s := &t.shard[i]
		out[i] = merkle.LeafHash([]byte(shardLine(i, s.size(), s.sum())))
	}
	return out
}

// summary returns the counts and roots of the shards.
func (t *Tree) summary() *Summary {
	out := &Summary{}
	for i := range t.shard {
		out.shard[i] = shardSum{t.shard[i].size(), t.shard[i].sum()}
	}
	return out
}

// find returns where path is, or would be, among the shard's lines.
func (s *shard) find(path string) (int, bool) {
	if n := len(s.lines); n == 0 || s.lines[n-1].Path < path { // they are set in order, as a rule
		return n, false
	}
	return slices.BinarySearchFunc(s.lines, path, func(l Line, p string) int { return strings.Compare(l.Path, p) })
}

// sum returns the shard's root.
func (s *shard) sum() merkle.Hash {
	if !s.fresh {
		s.root, s.fresh = merkle.Root(s.hashes), true
	}
	return s.root
}

// shardName returns the two characters of a shard.
func shardName(i int) string {
	if i == shards-1 {
		return "--"
	}
	return hex.EncodeToString([]byte{byte(i)})
}

// shardLine returns the leaf of the outer tree for a shard.
func shardLine(i int, count int64, root merkle.Hash) string {
	return shardName(i) + " " + strconv.FormatInt(count, 10) + " " + hex.EncodeToString(root[:]) + "\n"
}

// shardOf returns the shard of a path: of <top>/ab/cd/<more> it is ab, of
// every other path the last one.
func shardOf(path string) int {
	_, rest, _ := strings.Cut(path, "/")
	if len(rest) < len("ab/cd/x") || rest[2] != '/' || rest[5] != '/' {
		return shards - 1
	}
	high, low := nibble(rest[0]), nibble(rest[1])
	if high < 0 || low < 0 || nibble(rest[3]) < 0 || nibble(rest[4]) < 0 {
		return shards - 1
	}
	return high<<4 | low
}

func nibble(c byte) int { return strings.IndexByte("0123456789abcdef", c) }

// parseHex reads 64 lower case hexadecimal digits.
func parseHex(s string) (h [32]byte, err error) {
	if len(s) != 2*len(h) || strings.ToLower(s) != s {
		return h, fmt.Errorf("%q is not 64 lower case hexadecimal digits", s)
	}
	_, err = hex.Decode(h[:], []byte(s))
	return h, err
}
