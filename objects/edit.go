package objects

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"muniment/objects/object"
)

// An Edit puts a blob at a path of a tree, or removes what is there.
type Edit struct {
	Path string // names separated by "/"
	Blob Hash   // zero removes the blob or the whole directory at Path
}

// Edit returns the tree that results from applying edits to root, where the
// zero Hash is the empty tree. Only trees that change are written; directories
// that become empty vanish, and so does the root: the result is then zero.
// Removing a path that does not exist changes nothing. A path may be edited
// once, though the same edit may occur twice; a blob never takes the place of a directory,
// nor a directory that of a blob, unless the same edits remove it.
func (b *Batch) Edit(root Hash, edits []Edit) (Hash, error) {
	for _, e := range edits {
		if _, err := splitPath(e.Path); err != nil {
			return Hash{}, err
		}
		if !e.Blob.IsZero() && !b.has(e.Blob) {
			return Hash{}, fmt.Errorf("path %q: blob %s: %w", object.Clip(e.Path), e.Blob, ErrNotFound)
		}
	}
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int { return comparePaths(a.Path, b.Path) })
	edits = slices.Compact(edits)
	for i := 1; i < len(edits); i++ {
		if edits[i].Path == edits[i-1].Path {
			return Hash{}, fmt.Errorf("path %q is edited twice", object.Clip(edits[i].Path))
		}
	}
	return b.edit(root, edits, 0)
}

// comparePaths orders paths so that a directory comes right before all that
// lies in it: the slash is the least byte.
func comparePaths(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i] == '/' {
				return -1
			}
			if b[i] == '/' {
				return 1
			}
			return int(a[i]) - int(b[i])
		}
	}
	return len(a) - len(b)
}

// edit applies sorted edits to one directory, whose own path is the first at
// bytes of each of theirs.
func (b *Batch) edit(tree Hash, edits []Edit, at int) (Hash, error) {
	old, err := b.tree(tree)
	if err != nil {
		return Hash{}, err
	}
	var was map[string]TreeEntry
	if len(old) > 0 {
		was = make(map[string]TreeEntry, len(old))
		for _, e := range old {
			was[e.Name] = e
		}
	}
	var names []nameEdit
	for len(edits) > 0 {
		name, _, _ := strings.Cut(edits[0].Path[at:], "/")
		end, n := at+len(name), 1
		for n < len(edits) && len(edits[n].Path) > end && edits[n].Path[end] == '/' && edits[n].Path[at:end] == name {
			n++
		}
		names = append(names, nameEdit{name: name, was: was[name], edits: edits[:n]})
		edits = edits[n:]
	}
	b.editNames(names, at)
	changed := false
	list := make([]TreeEntry, 0, len(old)+len(names))
	for _, n := range names {
		if n.err != nil {
			return Hash{}, n.err
		}
		changed = changed || n.now != n.was
		if delete(was, n.name); !n.now.Hash.IsZero() {
			list = append(list, n.now)
		}
	}
	if !changed {
		return tree, nil
	}
	for _, e := range was {
		list = append(list, e)
	}
	if len(list) == 0 {
		return Hash{}, nil
	}
	data, err := EncodeTree(list)
	if err != nil {
		return Hash{}, err
	}
	return b.Put(Tree, data)
}

// A nameEdit is the edits of one name of a directory, and their result.
type nameEdit struct {
	name     string
	was, now TreeEntry
	edits    []Edit
	err      error
}

// manyEdits is the number of edits from which the names of a directory are edited
// on all processors: the trees of a large add are a tenth of its work.
const manyEdits = 4096

// editNames applies the edits of each name; at is as for edit.
func (b *Batch) editNames(names []nameEdit, at int) {
	one := func(n *nameEdit) { n.now, n.err = b.editName(n.name, n.was, n.edits, at) }
	total := 0
	for i := range names {
		total += len(names[i].edits)
	}
	if len(names) == 1 || total < manyEdits {
		for i := range names {
			if one(&names[i]); names[i].err != nil {
				return
			}
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				one(&names[i])
			}
		})
	}
	wg.Wait()
}

// editName applies the edits of one name: at most one for the name itself,
// which comes first, then those for what lies in it.
func (b *Batch) editName(name string, was TreeEntry, edits []Edit, at int) (TreeEntry, error) {
	now := was
	var put Hash
	if len(edits[0].Path) == at+len(name) {
		if put = edits[0].Blob; put.IsZero() {
			now = TreeEntry{}
		}
		edits = edits[1:]
	}
	if len(edits) > 0 {
		if now.Mode == ModeFile {
			if i := slices.IndexFunc(edits, func(e Edit) bool { return !e.Blob.IsZero() }); i >= 0 {
				return TreeEntry{}, fmt.Errorf("path %q leads through a blob", object.Clip(edits[i].Path))
			}
		} else {
			sub, err := b.edit(now.Hash, edits, at+len(name)+1)
			if err != nil {
				return TreeEntry{}, err
			}
			now = TreeEntry{name, ModeTree, sub}
			if sub.IsZero() {
				now = TreeEntry{}
			}
		}
	}
	if put.IsZero() {
		return now, nil
	}
	if now.Mode == ModeTree {
		return TreeEntry{}, fmt.Errorf("path %q is a directory", object.Clip(name))
	}
	return TreeEntry{name, ModeFile, put}, nil
}

// tree returns the entries of a tree, none for the zero Hash.
func (b *Batch) tree(h Hash) ([]TreeEntry, error) {
	if h.IsZero() {
		return nil, nil
	}
	k, data, err := b.Get(h)
	if err != nil {
		return nil, err
	}
	return treeEntries(h, k, data)
}

// treeEntries returns the entries of a tree that was read.
func treeEntries(h Hash, k Kind, data []byte) ([]TreeEntry, error) {
	if k != Tree {
		return nil, object.Corruptf("object %s is a %s, want a tree", h, k)
	}
	entries, err := ParseTree(data)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", h, err)
	}
	return entries, nil
}
