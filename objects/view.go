package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A view is the set of packs at one moment. Readers hold a view while they
// read, so that a pack which an outside repack has replaced stays open until
// the last of them is done.
type view struct {
	packs   []*pack
	bad     []error // indexes that could not be read
	lookup  *lookup // nil: none that fits the packs
	covered []*pack // those of lookup, in its order
	rest    []*pack // the others
	readers int     // guarded by Store.mu
	gone    bool    // replaced; closes with its last reader
}

var errClosed = errors.New("store is closed")

// acquire returns the current view; release gives it back.
func (s *Store) acquire() (*view, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	s.view.readers++
	return s.view, nil
}

func (s *Store) release(v *view) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v.readers--
	s.retire(v)
}

// replace makes v the current view. s.mu is held.
func (s *Store) replace(v *view) {
	for _, p := range v.packs {
		p.views++
	}
	if v.lookup != nil {
		v.lookup.views++
	}
	old := s.view
	s.view = v
	old.gone = true
	s.retire(old)
}

// retire closes the packs of a view that nobody can reach. s.mu is held.
func (s *Store) retire(v *view) {
	if !v.gone || v.readers > 0 {
		return
	}
	for _, p := range v.packs {
		if p.views--; p.views == 0 {
			p.close()
		}
	}
	if x := v.lookup; x != nil {
		if x.views--; x.views == 0 {
			x.unmap()
		}
	}
	v.packs, v.covered, v.rest, v.lookup = nil, nil, nil, nil
}

// rescan reads the pack directory again. Packs already open are kept; a pack
// without an index and an index without a pack are passed over, as git does.
func (s *Store) rescan() error {
	s.scan.Lock()
	defer s.scan.Unlock()
	old, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.release(old)
	open := map[string]*pack{}
	for _, p := range old.packs {
		open[p.name] = p
	}
	names, err := packNames(s.packDir())
	if err != nil {
		return err
	}
	next := &view{}
	var fresh []*pack
	for _, name := range names {
		if s.shun[name] {
			continue
		}
		p, err := s.openPack(name, open[name])
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed since it was listed
		case err != nil:
			next.bad = append(next.bad, fmt.Errorf("pack %s: %w", name, err))
		default:
			next.packs = append(next.packs, p)
			if p != open[name] {
				fresh = append(fresh, p)
			}
		}
	}
	// The newest pack holds what is read next more often than not.
	slices.SortStableFunc(next.packs, func(a, b *pack) int { return b.stamp[0].mod.Compare(a.stamp[0].mod) })
	// A lookup index that cannot be read, or is of other packs, is passed over:
	// Doctor says so, and it is written anew.
	x, err := s.openLookup(old.lookup)
	if err != nil || !next.cover(x) {
		if x != nil && x != old.lookup {
			x.unmap()
		}
		next.cover(nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		for _, p := range fresh {
			p.close()
		}
		if x := next.lookup; x != nil && x != old.lookup {
			x.unmap()
		}
		return errClosed
	}
	s.replace(next)
	return nil
}

// cover divides the packs of a view into those of a lookup index and the
// others. It reports whether x is an index of packs that are all there.
func (v *view) cover(x *lookup) bool {
	v.lookup, v.covered, v.rest = nil, nil, v.packs
	if x == nil {
		return false
	}
	bySum := make(map[lookupPack]*pack, len(v.packs))
	for _, p := range v.packs {
		bySum[lookupPack{p.idx.packSum(), uint32(p.idx.count)}] = p
	}
	covered := make([]*pack, len(x.packs))
	in := make(map[*pack]bool, len(x.packs))
	for i, want := range x.packs {
		p := bySum[want]
		if p == nil || in[p] {
			return false
		}
		covered[i], in[p] = p, true
	}
	var rest []*pack
	for _, p := range v.packs {
		if !in[p] {
			rest = append(rest, p)
		}
	}
	v.lookup, v.covered, v.rest = x, covered, rest
	return true
}

// openPack opens a pack's index, or returns have when the files are the same.
func (s *Store) openPack(name string, have *pack) (*pack, error) {
	base := filepath.Join(s.packDir(), name)
	var stamp [2]fileStamp
	for i, ext := range []string{".pack", ".idx"} {
		st, err := stampOf(base + ext)
		if err != nil {
			return nil, err
		}
		stamp[i] = st
	}
	if have != nil && have.stamp == stamp {
		return have, nil
	}
	idx, err := openIndex(base + ".idx")
	if err != nil {
		return nil, err
	}
	return &pack{name: name, path: base + ".pack", stamp: stamp, idx: idx, bases: s.bases}, nil
}

// packNames lists the packs that have an index, without extension, sorted.
func packNames(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	indexed := map[string]bool{}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".idx"); ok {
			indexed[name] = true
		}
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".pack"); ok && indexed[name] {
			names = append(names, name)
		}
	}
	return names, nil
}
