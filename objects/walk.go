package objects

import (
	"fmt"
	"slices"
	"strings"

	"muniment/objects/object"
)

// Tree returns the entries of a tree, none for the zero Hash.
func (s *Store) Tree(h Hash) ([]TreeEntry, error) {
	if h.IsZero() {
		return nil, nil
	}
	k, data, err := s.Get(h)
	if err != nil {
		return nil, err
	}
	return treeEntries(h, k, data)
}

// Walk calls fn for every blob at or below a path of a tree, in the byte order
// of full paths; under "" is the whole tree. A path that is not there has
// none. Walk stops at the first error of fn and returns it.
func (s *Store) Walk(root Hash, under string, fn func(path string, h Hash) error) error {
	if under == "" {
		return walkTree(s, root, "", 0, fn)
	}
	e, ok, err := findEntry(s, root, under)
	if err != nil || !ok {
		return err
	}
	if e.Mode == ModeFile {
		return fn(under, e.Hash)
	}
	return walkTree(s, e.Hash, under+"/", strings.Count(under, "/")+1, fn)
}

// walkTree visits a tree of a store. Git's order of entries, in which a directory sorts as if
// its name ended in a slash, is the byte order of full paths.
func walkTree(s *Store, tree Hash, prefix string, depth int, fn func(string, Hash) error) error {
	if depth >= MaxDepth {
		return object.Corruptf("path %q has more than %d components", object.Clip(prefix), MaxDepth)
	}
	entries, err := s.Tree(tree)
	if err != nil {
		return fmt.Errorf("directory %q: %w", object.Clip(prefix), err)
	}
	for _, e := range entries {
		if e.Mode == ModeFile {
			err = fn(prefix+e.Name, e.Hash)
		} else {
			err = walkTree(s, e.Hash, prefix+e.Name+"/", depth+1, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Lookup returns the blob at a path of a tree, and reports whether there is one.
func (s *Store) Lookup(root Hash, path string) (Hash, bool, error) {
	e, ok, err := findEntry(s, root, path)
	if err != nil || !ok || e.Mode != ModeFile {
		return Hash{}, false, err
	}
	return e.Hash, true, nil
}

// findEntry returns the entry at a path of a tree.
func findEntry(s *Store, root Hash, path string) (TreeEntry, bool, error) {
	parts, err := splitPath(path)
	if err != nil {
		return TreeEntry{}, false, err
	}
	at := TreeEntry{Mode: ModeTree, Hash: root}
	for _, name := range parts {
		if at.Mode != ModeTree {
			return TreeEntry{}, false, nil
		}
		entries, err := s.Tree(at.Hash)
		if err != nil {
			return TreeEntry{}, false, fmt.Errorf("path %q: %w", object.Clip(path), err)
		}
		e, ok := findName(entries, name)
		if !ok {
			return TreeEntry{}, false, nil
		}
		at = e
	}
	return at, true, nil
}

// findName looks a name up among sorted entries, as a file, then as a directory.
func findName(entries []TreeEntry, name string) (TreeEntry, bool) {
	for _, mode := range []uint32{ModeFile, ModeTree} {
		want := TreeEntry{Name: name, Mode: mode}
		if i, found := slices.BinarySearchFunc(entries, want, compareEntries); found {
			return entries[i], true
		}
	}
	return TreeEntry{}, false
}

// TreeOf returns the tree that a commit names in its first header.
func (s *Store) TreeOf(commit Hash) (Hash, error) {
	k, data, err := s.Get(commit)
	if err != nil {
		return Hash{}, err
	}
	if k != Commit {
		return Hash{}, object.Corruptf("object %s is a %s, want a commit", commit, k)
	}
	h, err := commitTree(data)
	if err != nil {
		return Hash{}, fmt.Errorf("commit %s: %w", commit, err)
	}
	return h, nil
}

// commitTree returns the tree in the first header of a commit.
func commitTree(data []byte) (Hash, error) {
	const end = len("tree ") + 2*len(Hash{})
	if len(data) <= end || string(data[:len("tree ")]) != "tree " || data[end] != '\n' {
		return Hash{}, object.Corruptf("commit does not begin with its tree")
	}
	h, err := ParseHash(string(data[len("tree "):end]))
	if err != nil {
		return Hash{}, object.Corruptf("commit does not begin with its tree: %v", err)
	}
	return h, nil
}
