package objects

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// A Selection is a set of objects that another repository lacks, ready to be
// written as one pack. It holds the packs that they lie in open until Close,
// and some 16 bytes per object.
type Selection struct {
	store  *Store
	packs  *packSet
	seen   *marks
	places [][]pack.Place // by pack of the set
	loose  []Hash
}

// Select lists the objects that are reachable from tips and not from have: commits and tags up to
// those that have reaches, and of each commit's tree the difference from the trees of its parents.
// Names in have that the store does not hold are passed over: the other side may be ahead. A blob
// that came back in a later tree may be listed although have reaches it; that costs bytes, no more.
func (s *Store) Select(tips, have []Hash) (*Selection, error) {
	if err := s.rescan(); err != nil {
		return nil, err
	}
	v, err := s.acquire()
	if err != nil {
		return nil, err
	}
	sel := &Selection{store: s, packs: v, seen: newMarks(v), places: make([][]pack.Place, len(v.all))}
	if err := sel.walk(tips, have); err != nil {
		sel.Close()
		return nil, err
	}
	for _, places := range sel.places {
		slices.SortFunc(places, pack.ComparePlaces)
	}
	return sel, nil
}

// Objects returns how many objects are selected.
func (s *Selection) Objects() int {
	n := len(s.loose)
	for _, places := range s.places {
		n += len(places)
	}
	return n
}

// Bytes estimates the size of the pack.
func (s *Selection) Bytes() int64 {
	var n int64
	for i, places := range s.places {
		for j, at := range places {
			end := s.packs.all[i].End()
			if j+1 < len(places) {
				end = min(end, places[j+1].Offset)
			}
			n += min(end-at.Offset, MaxObject)
		}
	}
	return n
}

// Close releases the packs. Another call does nothing.
func (s *Selection) Close() {
	if s.packs != nil {
		s.store.release(s.packs)
		s.packs = nil
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

// endAt reports whether every line of commits from tips ends at one of have. What have
// leads to need not be read then: a history is often pushed one commit further, and its
// earlier commits are many.
func endAt(s *Store, tips, have []Hash) (bool, error) {
	seen := map[Hash]bool{}
	for stack := slices.Clone(tips); len(stack) > 0; {
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[h] || slices.Contains(have, h) {
			continue
		}
		seen[h] = true
		k, data, err := s.Get(h)
		if err != nil || k != Commit {
			return false, err
		}
		_, parents, err := commitParents(data)
		if err != nil || len(parents) == 0 {
			return false, err
		}
		stack = append(stack, parents...)
	}
	return true, nil
}

func (s *Selection) walk(tips, have []Hash) error {
	var known map[Hash]bool
	if meet, err := endAt(s.store, tips, have); err != nil {
		return err
	} else if !meet {
		if known, err = s.store.Ancestors(have...); err != nil {
			return err
		}
	}
	commits, err := s.addCommits(tips, func(h Hash) bool { return known[h] || slices.Contains(have, h) })
	if err != nil {
		return err
	}
	for _, h := range commits {
		if err := s.addTree(h); err != nil {
			return err
		}
	}
	return nil
}

// addCommits selects the commits and tags that tips lead to, up to those that the other
// side has, and returns the commits, each after its parents. The trees are selected in
// this order: all of the tree of a parent is then selected, or on the other side, when
// that of its child is compared with it. A tree that was met before is therefore whole,
// also where an earlier version comes back.
func (s *Selection) addCommits(tips []Hash, isThere func(Hash) bool) ([]Hash, error) {
	var commits []Hash
	type visit struct {
		hash    Hash
		leaving bool // its parents are in commits
	}
	var stack []visit
	push := func(list []Hash) {
		for _, h := range list {
			stack = append(stack, visit{hash: h})
		}
	}
	push(tips)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.leaving {
			commits = append(commits, v.hash)
			continue
		}
		if isThere(v.hash) || !s.seen.add(v.hash) {
			continue
		}
		k, data, err := s.store.Get(v.hash)
		if err != nil {
			return nil, err
		}
		s.add(v.hash)
		switch k {
		case Tag:
			next, err := tagLinks(data)
			if err != nil {
				return nil, err
			}
			push([]Hash{next[0].hash})
		case Tree:
			return nil, fmt.Errorf("%s is a tree, want a commit or a tag", v.hash)
		case Commit:
			_, parents, err := commitParents(data)
			if err != nil {
				return nil, err
			}
			stack = append(stack, visit{v.hash, true})
			push(parents)
		}
	}
	return commits, nil
}

// addTree selects of a commit's tree the objects that its parents' trees do not have.
func (s *Selection) addTree(commit Hash) error {
	_, data, err := s.store.Get(commit)
	if err != nil {
		return err
	}
	tree, parents, err := commitParents(data)
	if err != nil {
		return err
	}
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
	return s.addChanges(tree, old, 0)
}

// addChanges selects a tree, and of what it names what none of old names at the
// same place.
func (s *Selection) addChanges(h Hash, old []Hash, depth int) error {
	if slices.Contains(old, h) || !s.seen.add(h) {
		return nil
	}
	if depth >= MaxDepth {
		return object.Corruptf("tree %s is %d directories deep", h, MaxDepth)
	}
	entries, err := s.store.Tree(h)
	if err != nil {
		return err
	}
	s.add(h)
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
			err = s.addChanges(e.Hash, s.onlyTrees(same), depth+1)
		case s.seen.add(e.Hash):
			if !s.add(e.Hash) {
				err = fmt.Errorf("object %s: %w", e.Hash, ErrNotFound)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// onlyTrees returns the trees among some objects: a directory may have replaced a file.
func (s *Selection) onlyTrees(all []Hash) []Hash {
	return slices.DeleteFunc(all, func(h Hash) bool {
		k, _, err := s.store.Get(h)
		return err != nil || k != Tree
	})
}

// add selects an object, and reports whether the store has it.
func (s *Selection) add(h Hash) bool {
	for i, p := range s.packs.all {
		pos, ok := p.Index.Find(h)
		if !ok {
			continue
		}
		off, err := p.Index.Offset(pos)
		if err == nil {
			err = p.Stat()
		}
		if err == nil {
			s.places[i] = append(s.places[i], pack.Place{Offset: off, Pos: int32(pos)})
			return true
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt) {
			break
		}
	}
	if s.store.Has(h) {
		s.loose = append(s.loose, h)
		return true
	}
	return false
}

// WritePack writes the selected objects as a pack. Entries go as they lie in
// the store's packs, without being inflated: their bytes are compared with the
// checksum that the index keeps of them. A delta goes with its base, or is
// replaced by the whole object. progress, which may be nil, is called with the
// number of objects written so far.
func (s *Selection) WritePack(w io.Writer, progress func(done int)) error {
	if s.packs == nil {
		return errClosed
	}
	out := pack.NewStream(w, s.Objects())
	done := 0
	count := func() {
		if done++; progress != nil {
			progress(done)
		}
	}
	for i, places := range s.places {
		if len(places) == 0 {
			continue
		}
		if err := out.Copy(s.packs.all[i].File, places, s.store.Get, count); err != nil {
			return err
		}
	}
	for _, h := range s.loose {
		k, data, err := s.store.Get(h)
		if err != nil {
			return err
		}
		if err := out.Add(k, data); err != nil {
			return err
		}
		count()
	}
	return out.Close()
}
