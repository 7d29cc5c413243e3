package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/objects/pack"
)

// A packFile is a pack of the store, shared by all pack sets that have it.
type packFile struct {
	*pack.File
	stamp [2]fileStamp // of the pack and of its index

	sets int // that have it; guarded by packList.mu
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

// A packSet is the packs of a store at one moment. A reader keeps one set while
// it reads, so that a pack which an outside repack has replaced stays open until
// its last reader is done.
type packSet struct {
	all     []*packFile // the newest first
	bad     []error     // indexes that could not be read
	readers int         // guarded by packList.mu
	gone    bool        // replaced; closes with its last reader
}

// A packList is the packs that a store has open.
type packList struct {
	folder string // in which they lie
	bases  *pack.Cache
	skip   map[string]bool // packs that are passed over

	scan sync.Mutex // one rescan at a time

	mu     sync.Mutex
	packs  *packSet
	closed bool
}

var errClosed = errors.New("store is closed")

// acquire returns the current pack set, for a reader that ends with release.
func (s *Store) acquire() (*packSet, error) {
	if !s.isOpen() {
		return nil, errClosed
	}
	return s.packList.acquire()
}

func (l *packList) acquire() (*packSet, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	l.packs.readers++
	return l.packs, nil
}

// release ends what acquire began.
func (l *packList) release(v *packSet) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v.readers--
	l.closeUnused(v)
}

// replace makes v the current pack set. The caller holds l.mu.
func (l *packList) replace(v *packSet) {
	for _, p := range v.all {
		p.sets++
	}
	old := l.packs
	l.packs = v
	old.gone = true
	l.closeUnused(old)
}

// closeUnused closes the packs of a set that was replaced and has no reader. The
// caller holds l.mu.
func (l *packList) closeUnused(v *packSet) {
	if !v.gone || v.readers > 0 {
		return
	}
	for _, p := range v.all {
		if p.sets--; p.sets == 0 {
			p.Close()
		}
	}
	v.all = nil
}

// rescan reads the pack directory again. Packs already open are kept; a pack
// without an index and an index without a pack are passed over, as git does.
func (s *Store) rescan() error {
	if !s.isOpen() {
		return errClosed
	}
	return s.packList.rescan()
}

func (l *packList) rescan() error {
	l.scan.Lock()
	defer l.scan.Unlock()
	old, err := l.acquire()
	if err != nil {
		return err
	}
	defer l.release(old)
	open := map[string]*packFile{}
	for _, p := range old.all {
		open[p.Name] = p
	}
	next, fresh, err := l.openListed(open)
	if err != nil {
		return err
	}
	// The newest pack holds what is read next more often than not.
	slices.SortStableFunc(next.all, func(a, b *packFile) int { return b.stamp[0].mod.Compare(a.stamp[0].mod) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		for _, p := range fresh {
			p.Close()
		}
		return errClosed
	}
	l.replace(next)
	return nil
}

// mostListings is how often the pack directory is listed at once while others merge packs in it:
// each time some were published or removed between.
const mostListings = 8

// openListed opens the packs of the directory as openNamed does. A listing made while packs are
// merged may name only removed packs: the directory is listed again until it is the same before and
// after.
func (l *packList) openListed(open map[string]*packFile) (next *packSet, fresh []*packFile, err error) {
	names, err := packNames(l.folder)
	for n := 1; err == nil; n++ {
		next, fresh = l.openNamed(names, open)
		before := names
		if names, err = packNames(l.folder); err == nil && (n == mostListings || slices.Equal(names, before)) {
			return next, fresh, nil
		}
		for _, p := range fresh {
			p.Close()
		}
	}
	return nil, nil, err
}

// openNamed opens packs by name, reuses the open ones, and returns the set and the packs that it
// had to open.
func (l *packList) openNamed(names []string, open map[string]*packFile) (next *packSet, fresh []*packFile) {
	next = &packSet{}
	for _, name := range names {
		if l.skip[name] {
			continue
		}
		p, err := l.openPack(name, open[name])
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed since it was listed
		case err != nil:
			next.bad = append(next.bad, fmt.Errorf("pack %s: %w", name, err))
		default:
			next.all = append(next.all, p)
			if p != open[name] {
				fresh = append(fresh, p)
			}
		}
	}
	return next, fresh
}

// openPack opens a pack's index, or returns have when its files are unchanged.
func (l *packList) openPack(name string, have *packFile) (*packFile, error) {
	base := filepath.Join(l.folder, name)
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
	return &packFile{File: pack.NewFile(name, base+".pack", idx, l.bases), stamp: stamp}, nil
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
