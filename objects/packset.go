package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/objects/pack"
)

// A packFile is a pack of the store, shared by all views that have it.
type packFile struct {
	*pack.File
	stamp [2]fileStamp // of the pack and of its index

	views int // guarded by Store.mu
}

// A fileStamp tells a file from another of the same name.
type fileStamp struct {
	size int64
	mod  time.Time
}

func stampOf(path string) (fileStamp, error) {
	st, err := os.Stat(path)
	if err != nil {
		return fileStamp{}, err
	}
	return fileStamp{st.Size(), st.ModTime()}, nil
}

// A view is the set of packs at one moment. Readers hold a view while they
// read, so that a pack which an outside repack has replaced stays open until
// the last of them is done.
type view struct {
	packs   []*packFile
	bad     []error     // indexes that could not be read
	lookup  *lookup     // nil: none that fits the packs
	covered []*packFile // those of lookup, in its order
	rest    []*packFile // the others
	readers int         // guarded by Store.mu
	gone    bool        // replaced; closes with its last reader
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
			p.Close()
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
	open := map[string]*packFile{}
	for _, p := range old.packs {
		open[p.Name] = p
	}
	names, err := packNames(s.packDir())
	if err != nil {
		return err
	}
	next := &view{}
	var fresh []*packFile
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
	slices.SortStableFunc(next.packs, func(a, b *packFile) int { return b.stamp[0].mod.Compare(a.stamp[0].mod) })
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
			p.Close()
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
	bySum := make(map[lookupPack]*packFile, len(v.packs))
	for _, p := range v.packs {
		bySum[lookupPack{p.Index.PackSum(), uint32(p.Index.Len())}] = p
	}
	covered := make([]*packFile, len(x.packs))
	in := make(map[*packFile]bool, len(x.packs))
	for i, want := range x.packs {
		p := bySum[want]
		if p == nil || in[p] {
			return false
		}
		covered[i], in[p] = p, true
	}
	var rest []*packFile
	for _, p := range v.packs {
		if !in[p] {
			rest = append(rest, p)
		}
	}
	v.lookup, v.covered, v.rest = x, covered, rest
	return true
}

// openPack opens a pack's index, or returns have when the files are the same.
func (s *Store) openPack(name string, have *packFile) (*packFile, error) {
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
	idx, err := pack.OpenIndex(base + ".idx")
	if err != nil {
		return nil, err
	}
	return &packFile{File: pack.NewFile(name, base+".pack", idx, s.bases), stamp: stamp}, nil
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
