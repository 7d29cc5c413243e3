package objects

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// An Edit puts a blob at a path of a tree, or removes what is there.
type Edit struct {
	Path string // names separated by "/"
	Blob Hash   // zero removes the blob or the whole directory at Path
}

// Edit returns the tree that results from applying edits to root, where the
// zero Hash is the empty tree. Only trees that change are written; directories
// that become empty vanish, and so does the root: the result is then zero.
// Removing what is not there changes nothing. A path may be edited once; a
// blob never takes the place of a directory, nor a directory that of a blob,
// unless the same edits remove it.
func (b *Batch) Edit(root Hash, edits []Edit) (Hash, error) {
	steps := make([]step, len(edits))
	for i, e := range edits {
		if _, err := splitPath(e.Path); err != nil {
			return Hash{}, err
		}
		if !e.Blob.IsZero() && !b.has(e.Blob) {
			return Hash{}, fmt.Errorf("path %q: blob %s: %w", clip(e.Path), e.Blob, ErrNotFound)
		}
		steps[i] = step{rest: e.Path, Edit: e}
	}
	slices.SortFunc(steps, func(a, b step) int { return comparePaths(a.Path, b.Path) })
	for i := 1; i < len(steps); i++ {
		if steps[i].Path == steps[i-1].Path {
			return Hash{}, fmt.Errorf("path %q is edited twice", clip(steps[i].Path))
		}
	}
	return b.edit(root, steps)
}

// A step is an edit seen from a directory: rest is its path from there.
type step struct {
	rest string
	Edit
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

// edit applies sorted steps to one directory.
func (b *Batch) edit(tree Hash, steps []step) (Hash, error) {
	old, err := b.tree(tree)
	if err != nil {
		return Hash{}, err
	}
	entries := make(map[string]TreeEntry, len(old)+len(steps))
	for _, e := range old {
		entries[e.Name] = e
	}
	var names []nameEdit
	for len(steps) > 0 {
		name, _, _ := strings.Cut(steps[0].rest, "/")
		n := 1
		for n < len(steps) && strings.HasPrefix(steps[n].rest, name+"/") {
			n++
		}
		names = append(names, nameEdit{name: name, was: entries[name], steps: steps[:n]})
		steps = steps[n:]
	}
	b.editNames(names)
	changed := false
	for _, n := range names {
		if n.err != nil {
			return Hash{}, n.err
		}
		if n.now != n.was {
			changed = true
			entries[n.name] = n.now
			if n.now.Hash.IsZero() {
				delete(entries, n.name)
			}
		}
	}
	switch {
	case !changed:
		return tree, nil
	case len(entries) == 0:
		return Hash{}, nil
	}
	list := make([]TreeEntry, 0, len(entries))
	for _, e := range entries {
		list = append(list, e)
	}
	data, err := EncodeTree(list)
	if err != nil {
		return Hash{}, err
	}
	return b.Put(Tree, data)
}

// A nameEdit is what becomes of one name of a directory.
type nameEdit struct {
	name     string
	was, now TreeEntry
	steps    []step
	err      error
}

// manySteps is from how many edits below a directory its names are edited on
// all processors: the trees of a large add are a tenth of its work.
const manySteps = 4096

// editNames applies the steps of each name.
func (b *Batch) editNames(names []nameEdit) {
	one := func(n *nameEdit) { n.now, n.err = b.editName(n.name, n.was, n.steps) }
	total := 0
	for i := range names {
		total += len(names[i].steps)
	}
	if len(names) == 1 || total < manySteps {
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

// editName applies the steps of one name: at most one for the name itself,
// which comes first, then those for what lies in it.
func (b *Batch) editName(name string, was TreeEntry, steps []step) (TreeEntry, error) {
	now := was
	var put Hash
	if steps[0].rest == name {
		if put = steps[0].Blob; put.IsZero() {
			now = TreeEntry{}
		}
		steps = steps[1:]
	}
	if len(steps) > 0 {
		if now.Mode == ModeFile {
			if i := slices.IndexFunc(steps, func(s step) bool { return !s.Blob.IsZero() }); i >= 0 {
				return TreeEntry{}, fmt.Errorf("path %q leads through a blob", clip(steps[i].Path))
			}
		} else {
			inner := make([]step, len(steps))
			for i, s := range steps {
				inner[i] = step{s.rest[len(name)+1:], s.Edit}
			}
			sub, err := b.edit(now.Hash, inner)
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
		return TreeEntry{}, fmt.Errorf("path %q is a directory", clip(name))
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

func treeEntries(h Hash, k Kind, data []byte) ([]TreeEntry, error) {
	if k != Tree {
		return nil, corrupt("object %s is a %s, want a tree", h, k)
	}
	entries, err := ParseTree(data)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", h, err)
	}
	return entries, nil
}
