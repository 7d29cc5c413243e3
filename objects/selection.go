package objects

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// A Selection is a set of objects that another repository lacks, ready to be
// written as one pack. It holds the packs that they lie in open until Close,
// and some 16 bytes per object.
type Selection struct {
	store *Store
	view  *view
	seen  *marks
	at    []packPlace // in packs
	other []Hash      // loose
}

// A packPlace is where in the packs of a view an object lies.
type packPlace struct {
	pack   int32
	pos    int32
	offset int64
}

// Select lists what is reachable from tips and not from have: commits and tags
// up to those that have reaches, and of each commit's tree what differs from
// the trees of its parents. Names in have that the store does not hold are
// passed over: the other side may be ahead. A blob that came back in a later
// tree may be listed although have reaches it; that costs bytes, no more.
func (s *Store) Select(tips, have []Hash) (*Selection, error) {
	if err := s.rescan(); err != nil {
		return nil, err
	}
	v, err := s.acquire()
	if err != nil {
		return nil, err
	}
	sel := &Selection{store: s, view: v, seen: newMarks(v)}
	if err := sel.walk(tips, have); err != nil {
		sel.Close()
		return nil, err
	}
	slices.SortFunc(sel.at, func(a, b packPlace) int {
		return cmp.Or(cmp.Compare(a.pack, b.pack), cmp.Compare(a.offset, b.offset))
	})
	return sel, nil
}

// Objects returns how many objects are selected.
func (s *Selection) Objects() int { return len(s.at) + len(s.other) }

// Bytes estimates the size of the pack.
func (s *Selection) Bytes() int64 {
	var n int64
	for i, at := range s.at {
		end := s.view.packs[at.pack].size - int64(packTail)
		if i+1 < len(s.at) && s.at[i+1].pack == at.pack {
			end = min(end, s.at[i+1].offset)
		}
		n += min(end-at.offset, MaxObject)
	}
	return n
}

// Close lets the packs go. Another call does nothing.
func (s *Selection) Close() {
	if s.view != nil {
		s.store.release(s.view)
		s.view = nil
	}
}

// Ancestors returns the commits reachable from tips, themselves included.
// Commits that the store does not hold end their line.
func (s *Store) Ancestors(tips ...Hash) (map[Hash]bool, error) {
	seen := map[Hash]bool{}
	for stack := slices.Clone(tips); len(stack) > 0; {
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[h] {
			continue
		}
		k, data, err := s.Get(h)
		switch {
		case errors.Is(err, ErrNotFound):
			continue
		case err != nil:
			return nil, err
		case k == Tag:
			next, err := tagLinks(data)
			if err != nil {
				return nil, err
			}
			stack = append(stack, next[0].hash)
			continue
		case k != Commit:
			continue
		}
		seen[h] = true
		_, parents, err := commitParents(data)
		if err != nil {
			return nil, err
		}
		stack = append(stack, parents...)
	}
	return seen, nil
}

// commitParents returns the tree and the parents of a commit.
func commitParents(data []byte) (tree Hash, parents []Hash, err error) {
	links, err := commitLinks(data)
	if err != nil {
		return Hash{}, nil, err
	}
	for _, l := range links[1:] {
		parents = append(parents, l.hash)
	}
	return links[0].hash, parents, nil
}

func (s *Selection) walk(tips, have []Hash) error {
	held, err := s.store.Ancestors(have...)
	if err != nil {
		return err
	}
	for stack := slices.Clone(tips); len(stack) > 0; {
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if held[h] || slices.Contains(have, h) || !s.seen.add(h) {
			continue
		}
		k, data, err := s.store.Get(h)
		if err != nil {
			return err
		}
		s.take(h)
		switch k {
		case Tag:
			next, err := tagLinks(data)
			if err != nil {
				return err
			}
			stack = append(stack, next[0].hash)
		case Tree:
			return fmt.Errorf("%s is a tree, want a commit or a tag", h)
		case Commit:
			tree, parents, err := commitParents(data)
			if err != nil {
				return err
			}
			if err := s.news(tree, parents); err != nil {
				return err
			}
			stack = append(stack, parents...)
		}
	}
	return nil
}

// news selects what of a commit's tree its parents' trees do not have.
func (s *Selection) news(tree Hash, parents []Hash) error {
	var old []Hash
	for _, p := range parents {
		t, err := s.store.TreeOf(p)
		if errors.Is(err, ErrNotFound) {
			continue // beyond a shallow boundary
		} else if err != nil {
			return err
		}
		old = append(old, t)
	}
	return s.tree(tree, old, 0)
}

func (s *Selection) tree(h Hash, old []Hash, depth int) error {
	if slices.Contains(old, h) || !s.seen.add(h) {
		return nil
	}
	if depth >= MaxDepth {
		return corrupt("tree %s is %d directories deep", h, MaxDepth)
	}
	entries, err := s.store.Tree(h)
	if err != nil {
		return err
	}
	s.take(h)
	var before []map[string]Hash
	for _, o := range old {
		was, err := s.store.Tree(o)
		if err != nil {
			return err
		}
		names := make(map[string]Hash, len(was))
		for _, e := range was {
			names[e.Name] = e.Hash
		}
		before = append(before, names)
	}
	for _, e := range entries {
		var same []Hash
		for _, names := range before {
			if was, ok := names[e.Name]; ok {
				same = append(same, was)
			}
		}
		switch {
		case slices.Contains(same, e.Hash):
		case e.Mode == ModeTree:
			err = s.tree(e.Hash, s.trees(same), depth+1)
		case s.seen.add(e.Hash):
			if !s.take(e.Hash) {
				err = fmt.Errorf("object %s: %w", e.Hash, ErrNotFound)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trees keeps those names that are of trees: a file may have stood where a
// directory is now.
func (s *Selection) trees(all []Hash) []Hash {
	return slices.DeleteFunc(all, func(h Hash) bool {
		k, _, err := s.store.Get(h)
		return err != nil || k != Tree
	})
}

// take notes where an object lies, and reports whether it does.
func (s *Selection) take(h Hash) bool {
	for i, p := range s.view.packs {
		pos, ok := p.idx.find(h)
		if !ok {
			continue
		}
		off, err := p.idx.offset(pos)
		if err == nil {
			err = p.open()
		}
		if err == nil {
			s.at = append(s.at, packPlace{int32(i), int32(pos), off})
			return true
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt) {
			break
		}
	}
	if s.store.Has(h) {
		s.other = append(s.other, h)
		return true
	}
	return false
}

// has reports whether the object at a position of a pack is selected there.
func (s *Selection) has(pack int32, off int64) bool {
	_, ok := slices.BinarySearchFunc(s.at, packPlace{pack: pack, offset: off}, func(a, b packPlace) int {
		return cmp.Or(cmp.Compare(a.pack, b.pack), cmp.Compare(a.offset, b.offset))
	})
	return ok
}

// whole returns an object as an entry of its own.
func whole(d *deflater, out *bytes.Buffer, k Kind, data []byte) error {
	out.Reset()
	out.Write(entryHeader{kind: packKind(k), size: int64(len(data))}.append(nil))
	return d.appendTo(out, data)
}
