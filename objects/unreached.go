package objects

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"muniment/objects/object"
)

// follow calls visit with each object of s that tips lead to; an object of which visit returns
// false is not followed further. Blobs are not read. Commits beyond a shallow boundary are
// left out.
func follow(s *Store, tips []Hash, visit func(h Hash, isBlob bool) bool) error {
	shallow, err := s.Shallow()
	if err != nil {
		return err
	}
	for stack := slices.Clone(tips); len(stack) > 0; {
		h := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; !visit(h, false) {
			continue
		}
		k, data, err := s.Get(h)
		if err == nil && k == Blob {
			continue // a tip
		}
		var next []checkNode
		if err == nil {
			next, err = links(k, data)
		}
		if err != nil {
			return fmt.Errorf("object %s: %w", h, err)
		}
		for _, n := range next {
			switch {
			case n.want == Blob:
				visit(n.hash, true)
			case k != Commit || n.want != Commit || !shallow[h]:
				stack = append(stack, n.hash)
			}
		}
	}
	return nil
}

// Reached returns the objects that tips lead to, at most limit; more are an error.
func (s *Store) Reached(tips []Hash, limit int) ([]Hash, error) {
	seen := map[Hash]bool{}
	var list []Hash
	err := follow(s, tips, func(h Hash, _ bool) bool {
		if seen[h] || len(list) > limit {
			return false
		}
		seen[h] = true
		list = append(list, h)
		return true
	})
	if err == nil && len(list) > limit {
		err = fmt.Errorf("they lead to more than %d objects", limit)
	}
	return list, err
}

// An Unreached counts the objects of a store that no ref leads to.
type Unreached struct {
	Explained int  // that a commit leads to which the caller knows
	Others    int  //
	First     Hash // of the others; zero where there are none
}

// FindUnreached counts the objects that no ref leads to. explains reports whether a commit
// that is not reached says why it and the objects below it are here. The result is nil
// where refs lead to more than limit objects. While another process writes the store, what
// it has published and no ref names yet would be counted: the caller looks for the lock
// in ready, which is called after the packs were listed and before the refs are read, and
// an error of it is returned.
//
// It reads every commit and tree of the store once, no blob, and holds a bit for each
// object.
func (s *Store) FindUnreached(limit int, explains func(commit []byte) bool, ready func() error) (*Unreached, error) {
	if err := s.rescan(); err != nil {
		return nil, err
	}
	v, err := s.acquire()
	if err != nil {
		return nil, err
	}
	defer s.release(v)
	loose, err := looseObjects(s.path("objects"))
	if err == nil {
		err = ready()
	}
	if err != nil {
		return nil, err
	}
	refs, err := s.Refs()
	if err != nil {
		return nil, err
	}
	seen, reached := newMarks(v), 0
	err = follow(s, slices.Collect(maps.Values(refs)), func(h Hash, _ bool) bool {
		if reached > limit || !seen.add(h) {
			return false
		}
		reached++
		return true
	})
	if err != nil || reached > limit {
		return nil, err
	}
	u := &Unreached{}
	here := map[Hash]bool{} // loose objects
	for _, h := range loose {
		here[h] = true
	}
	explain := func(h Hash, _ bool) bool {
		if !here[h] && !seen.inPack(h) || !seen.add(h) {
			return false
		}
		u.Explained++
		return true
	}
	each := func(fn func(Hash, func() (Kind, error))) {
		for _, p := range v.all {
			for pos := range p.Index.Len() {
				fn(p.Index.Name(pos), func() (Kind, error) { return p.Kind(pos) })
			}
		}
		for _, h := range loose {
			fn(h, func() (Kind, error) { k, _, err := s.Get(h); return k, err })
		}
	}
	each(func(h Hash, kind func() (Kind, error)) {
		if seen.has(h) {
			return
		}
		if k, err := kind(); err != nil || k != Commit {
			return
		}
		if _, content, err := s.Get(h); err == nil && explains(content) {
			_ = follow(s, []Hash{h}, explain) // what it lacks was taken back
		}
	})
	each(func(h Hash, _ func() (Kind, error)) {
		if !seen.add(h) {
			return
		}
		if u.Others++; u.First.IsZero() {
			u.First = h
		}
	})
	return u, nil
}

// looseObjects returns the objects that lie outside packs in the objects folder of a store.
func looseObjects(dir string) ([]Hash, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "[0-9a-f][0-9a-f]", strings.Repeat("[0-9a-f]", 38)))
	var list []Hash
	for _, path := range paths {
		if h, err := object.ParseHash(filepath.Base(filepath.Dir(path)) + filepath.Base(path)); err == nil {
			list = append(list, h)
		}
	}
	return list, err
}

// inPack reports whether a pack of the set holds an object.
func (m *marks) inPack(h Hash) bool {
	for _, p := range m.packs.all {
		if _, ok := p.Index.Find(h); ok {
			return true
		}
	}
	return false
}

// has reports whether an object is in the set.
func (m *marks) has(h Hash) bool {
	for i, p := range m.packs.all {
		if pos, ok := p.Index.Find(h); ok {
			return m.bits[i][pos/64]>>(pos%64)&1 == 1
		}
	}
	_, have := m.others[h]
	return have
}
