package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"muniment/objects/pack"
)

// Forget removes those objects of a list that no ref leads to, for o as the owner of
// the writer lock. Every pack that holds one of them is written again without
// whatever no ref leads to, and removed when the new one is in place; an interruption
// between leaves both. It returns how many objects of the list are gone.
//
// Every commit and tree that a ref leads to is read.
func (s *Store) Forget(o Owner, wait time.Duration, list []Hash) (gone int, err error) {
	return s.forget(o, wait, list, false)
}

// Drop is Forget for the objects of a list alone: no other object of a pack that is written
// again is left out, whether a ref leads to it or not.
func (s *Store) Drop(o Owner, wait time.Duration, list []Hash) (gone int, err error) {
	return s.forget(o, wait, list, true)
}

// forget is Forget or, where keepOthers is set, Drop.
func (s *Store) forget(o Owner, wait time.Duration, list []Hash, keepOthers bool) (gone int, err error) {
	packs, members, err := packsWith(s.packDir(), list)
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	rest, err := s.Without(packs)
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	defer rest.Close()
	lock, err := rest.Lock(o, wait)
	if err != nil {
		return 0, err
	}
	defer lock.Unlock()
	keep, err := s.findReached(slices.Concat(members, list))
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	for _, h := range list {
		if !keep[h] {
			gone++
		}
	}
	if gone == 0 {
		return 0, nil
	}
	if keepOthers {
		listed := map[Hash]bool{}
		for _, h := range list {
			listed[h] = true
		}
		for _, h := range members {
			keep[h] = keep[h] || !listed[h]
		}
	}
	b, err := rest.NewBatch()
	if err != nil {
		return 0, err
	}
	defer b.Abort()
	for _, h := range members {
		if !keep[h] {
			continue
		}
		k, data, err := s.Get(h)
		if err == nil {
			_, err = b.Put(k, data)
		}
		if err != nil {
			return 0, fmt.Errorf("forget: object %s: %w", h, err)
		}
	}
	if err := b.Publish(lock); err != nil {
		return 0, err
	}
	return gone, s.removeForgotten(packs, list, keep)
}

// packsWith returns the names of the packs in a folder that hold an object of a list, and
// all objects in them.
func packsWith(dir string, list []Hash) (packs map[string]error, members []Hash, err error) {
	names, err := packNames(dir)
	if err != nil {
		return nil, nil, err
	}
	packs = map[string]error{}
	for _, name := range names {
		x, err := pack.OpenIndex(filepath.Join(dir, name+".idx"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by an outside repack
		} else if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(list, func(h Hash) bool { _, ok := x.Find(h); return ok }) {
			packs[name] = nil
			for i := range x.Len() {
				members = append(members, x.Name(i))
			}
		}
		if err := x.Close(); err != nil {
			return nil, nil, err
		}
	}
	return packs, members, nil
}

// findReached returns the objects of a list that a ref leads to.
func (s *Store) findReached(list []Hash) (map[Hash]bool, error) {
	asked := make(map[Hash]bool, len(list))
	for _, h := range list {
		asked[h] = true
	}
	refs, err := s.Refs()
	if err != nil {
		return nil, err
	}
	keep, seen := map[Hash]bool{}, map[Hash]bool{}
	err = follow(s, slices.Collect(maps.Values(refs)), func(h Hash, isBlob bool) bool {
		if asked[h] {
			keep[h] = true
		}
		if isBlob || seen[h] {
			return false
		}
		seen[h] = true
		return true
	})
	return keep, err
}

// removeForgotten removes packs that were written again, and loose objects of a list
// that are not kept.
func (s *Store) removeForgotten(packs map[string]error, list []Hash, keep map[Hash]bool) error {
	if err := s.removePacks(slices.Sorted(maps.Keys(packs))); err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	for _, h := range list {
		if keep[h] {
			continue
		}
		if err := s.disk.Remove(s.loosePath(h)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget: %w", err)
		}
	}
	return s.rescan()
}
