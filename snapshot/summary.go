package snapshot

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// A Summary is what the Muniment-Root is computed over: for every shard the
// number of its lines and their root. With the summary of the snapshot before,
// that of a tree is made from the shards in which the two differ:
//
//	s, more, err := snapshot.Summarize(get, tree, prev.Tree, known)
//
// A summary that was kept somewhere proves itself: its Root and Entries are
// those that the snapshot states, or it is not of that snapshot.
type Summary struct {
	shard [shards]shardSum
}

type shardSum struct {
	count int64
	root  merkle.Hash
}

// summaryLine is the longest shard line in bytes, and maxSummary that of all.
const (
	summaryLine = len("ab 9223372036854775807 ") + 2*sha256.Size + 1
	maxSummary  = shards * summaryLine
)

// Root returns the Muniment-Root.
func (s *Summary) Root() merkle.Hash {
	hashes := make([]merkle.Hash, shards)
	for i, sum := range s.shard {
		hashes[i] = merkle.LeafHash([]byte(shardLine(i, sum.count, sum.root)))
	}
	return merkle.Root(hashes)
}

// Entries returns the number of lines of all shards.
func (s *Summary) Entries() int64 {
	n := int64(0)
	for _, sum := range s.shard {
		n += sum.count
	}
	return n
}

// String returns the 257 shard lines as they are hashed.
func (s *Summary) String() string {
	var b strings.Builder
	for i, sum := range s.shard {
		b.WriteString(shardLine(i, sum.count, sum.root))
	}
	return b.String()
}

// ParseSummary reads the output of String and nothing else.
func ParseSummary(text string) (*Summary, error) {
	if len(text) > maxSummary {
		return nil, fmt.Errorf("a summary of %d bytes, limit %d", len(text), maxSummary)
	}
	s := &Summary{}
	lines := strings.SplitAfter(text, "\n")
	if len(lines) != shards+1 || lines[shards] != "" {
		return nil, fmt.Errorf("a summary of %d lines, want %d", len(lines)-1, shards)
	}
	for i, line := range lines[:shards] {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(words) != 3 {
			return nil, fmt.Errorf("shard line %q, want name, count and root", line)
		}
		n, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("shard line %q has the count %q", line, words[1])
		}
		root, err := parseHex(words[2])
		if err != nil {
			return nil, fmt.Errorf("shard line %q: %w", line, err)
		}
		if s.shard[i] = (shardSum{n, root}); shardLine(i, n, root) != line {
			return nil, fmt.Errorf("shard line %q, want %q", line, shardLine(i, n, root))
		}
	}
	return s, nil
}

// Of reports whether s is the summary of a snapshot: the one its signer signed.
func (s *Summary) Of(snap *Snapshot) bool {
	return s.Entries() == snap.Entries && s.Root() == snap.Root
}

// Summarize returns the summary of a tree, and how many more artifacts it has
// than the tree base. With known, the summary of base, it reads only the shards
// in which the two trees differ; without, known is nil and base zero, and it
// reads all. The result is the same.
func Summarize(get Getter, tree, base objects.Hash, known *Summary) (s *Summary, more int64, err error) {
	s = &Summary{}
	for i := range s.shard {
		s.shard[i].root = sha256.Sum256(nil)
	}
	r := shardReader{get: get}
	if known == nil {
		for i := range r.wanted {
			r.wanted[i] = true
		}
	} else {
		*s = *known
		w := differ{get: get, fn: func(path string, old, new objects.Hash) error {
			r.wanted[shardOf(path)] = true
			more += artifactChange(path, old, new)
			return nil
		}}
		if err := w.tree("", base, tree, 0); err != nil {
			return nil, 0, err
		}
	}
	if err := r.read(tree); err != nil {
		return nil, 0, err
	}
	for i := range r.wanted {
		if r.wanted[i] {
			s.shard[i] = shardSum{int64(len(r.hashes[i])), merkle.Root(r.hashes[i])}
		}
	}
	if known == nil {
		more = r.payloads
	}
	return s, more, nil
}

// Grown returns how many more artifacts a tree has than another; the zero hash
// is the empty tree.
func Grown(get Getter, from, to objects.Hash) (more int64, err error) {
	w := differ{get: get, fn: func(path string, old, new objects.Hash) error {
		more += artifactChange(path, old, new)
		return nil
	}}
	if err := w.tree("", from, to, 0); err != nil {
		return 0, err
	}
	return more, nil
}

// artifactChange returns by how many artifacts the change of one file changes
// their number.
func artifactChange(path string, old, new objects.Hash) int64 {
	switch {
	case old.IsZero() == new.IsZero() || !holdsPayload(path):
		return 0
	case old.IsZero():
		return 1
	}
	return -1
}

// holdsPayload reports whether a payload, the first chunk of one, or a pointer to
// one lies at path.
func holdsPayload(path string) bool {
	kind, _ := layout.ClassifyPath(path)
	return firstOfPayload(kind, path)
}

func firstOfPayload(kind layout.Kind, path string) bool {
	return kind == layout.KindPayload || kind == layout.KindPointer || kind == layout.KindPayloadChunk && strings.HasSuffix(path, "/000/000")
}

// A shardReader collects the leaf hashes of some shards of a tree. Lines of a
// shard come in path order because those of a tree do.
type shardReader struct {
	get      Getter
	wanted   [shards]bool
	hashes   [shards][]merkle.Hash
	payloads int64 // met on the way

	lines *[]Line // where the lines go, when they are wanted too
}

// manyShards is from how many shards on they are read by several goroutines.
const manyShards = 16

// readers is how many goroutines read the shards: more than processors of a
// small machine gain nothing, and each reads the upper directories again.
const readers = 2

// read collects the wanted shards of a tree.
func (r *shardReader) read(tree objects.Hash) error {
	n := 0
	for _, w := range r.wanted {
		if w {
			n++
		}
	}
	if n < manyShards || r.lines != nil {
		return r.dir("", tree, 0)
	}
	var parts [readers]shardReader
	var errs [readers]error
	var wg sync.WaitGroup
	for k := range parts {
		parts[k].get = r.get
		for i := range r.wanted {
			parts[k].wanted[i] = r.wanted[i] && i%readers == k
		}
		wg.Go(func() { errs[k] = parts[k].dir("", tree, 0) })
	}
	wg.Wait()
	for k := range parts {
		if errs[k] != nil {
			return errs[k]
		}
		r.payloads += parts[k].payloads
	}
	for i := range r.hashes {
		r.hashes[i] = parts[i%readers].hashes[i]
	}
	return nil
}

// dir goes through a directory, past the ones that hold no line of a shard
// that is wanted.
func (r *shardReader) dir(prefix string, tree objects.Hash, depth int) error {
	entries, err := (differ{get: r.get}).entries(prefix, tree, depth)
	if err != nil {
		return fmt.Errorf("directory %q: %w", prefix, err)
	}
	for _, e := range entries {
		path := prefix + e.Name
		if e.Mode == objects.ModeTree {
			if r.wants(path+"/", depth) {
				err = r.dir(path+"/", e.Hash, depth+1)
			}
		} else {
			err = r.file(path, e.Hash)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wants reports whether a line of a wanted shard can lie below a directory,
// whose path ends in a slash and lies inside depth others. What lies in
// <top>/ab/ is of the shard ab, or, if no two digits follow, of the last one.
func (r *shardReader) wants(dir string, depth int) bool {
	switch depth {
	case 0:
		return true
	case 1:
		return r.wanted[shardOf(dir+"00/x")] || r.wanted[shards-1]
	default:
		return r.wanted[shardOf(dir+"x")]
	}
}

func (r *shardReader) file(path string, blob objects.Hash) error {
	i := shardOf(path)
	if !r.wanted[i] {
		return nil
	}
	if !layout.CleanPath(path) {
		return fmt.Errorf("path %q may not be in a snapshot", path)
	}
	kind, ids := layout.ClassifyPath(path)
	if firstOfPayload(kind, path) {
		r.payloads++
	}
	digest, ok := digestOfKind(kind, ids)
	if !ok {
		data, err := getBlob(r.get, blob)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		digest = sha256.Sum256(data)
	}
	l := Line{digest, path}
	if r.lines != nil {
		*r.lines = append(*r.lines, l)
	}
	r.hashes[i] = append(r.hashes[i], l.leaf())
	return nil
}
