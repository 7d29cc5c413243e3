package objects

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/objects/pack"
)

// Every publish adds a pack. Consolidation merges packs so that their number grows
// with the logarithm of the number of objects, by the rule of git repack
// --geometric: in the order of their sizes every pack has at least twice the objects
// of the next smaller one. Entries are copied as they lie, so that no object is
// inflated, and every object of a merged pack is in the new one, whether a ref leads
// to it or not.
const (
	// mergeFactor is by how much a pack is larger than the next smaller one.
	mergeFactor = 2

	// mergeLate is how many small packs come together before a publish merges them:
	// one publish in eight then takes four more syncs.
	mergeLate = 8

	// mergeSmall is the size in bytes up to which a publish merges packs. Larger
	// ones would keep a writer waiting: [Store.Consolidate] merges them.
	mergeSmall = 16 << 20
)

// Files of stock git that are made from the packs, and that would name packs which
// are gone.
const multiPackIndex = "multi-pack-index"

// A Consolidation says what was merged.
type Consolidation struct {
	Merged  int   // packs that are now part of another
	Bytes   int64 // of the new packs
	Packs   int   // that the store has now
	Damaged int   // packs left as they are because they or their indexes are damaged
}

// Consolidate merges packs until they are a geometric progression, with the writer
// lock held. Packs that git keeps for itself (with a file .keep, .promisor or
// .mtimes), damaged packs, and packs above half of MaxPack are left as they are. A
// crash leaves all objects in one pack at least.
func (s *Store) Consolidate(l *Lock) (Consolidation, error) {
	if err := l.check(s); err != nil {
		return Consolidation{}, err
	}
	// What earlier versions derived here, and git does not know, serves nobody.
	if err := s.disk.Remove(s.path("objects", "info", "muniment.lookup")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Consolidation{}, err
	}
	var all Consolidation
	for {
		c, err := s.consolidate(MaxPack/2, 2)
		all.Merged += c.Merged
		all.Bytes += c.Bytes
		all.Damaged = max(all.Damaged, c.Damaged)
		all.Packs = c.Packs
		if err != nil || c.Merged == 0 {
			return all, err
		}
	}
}

// consolidateSmall merges the small packs after a publish. Errors are passed over:
// the publish stands, and the packs are where they were.
func (s *Store) consolidateSmall() { _, _ = s.consolidate(mergeSmall, mergeLate) }

// consolidate merges the packs of up to limit bytes that are out of the progression,
// if they are least or more.
func (s *Store) consolidate(limit int64, least int) (c Consolidation, err error) {
	if err := s.rescan(); err != nil {
		return c, err
	}
	v, err := s.acquire()
	if err != nil {
		return c, err
	}
	defer s.release(v)
	c.Packs = len(v.all)
	packs, err := v.mergeable(s.packDir(), limit)
	if err != nil || len(outOfProgression(packs)) < least {
		return c, err
	}
	// A damaged pack is left to a repair: its objects may be whole elsewhere, and
	// the file is evidence. Only what is going to be merged is read whole.
	var merge []*packFile
	for {
		merge = outOfProgression(packs)
		damaged, err := firstDamaged(s.packDir(), merge)
		if err != nil {
			return c, err
		}
		if damaged == nil {
			break
		}
		c.Damaged++
		packs = slices.DeleteFunc(packs, func(p *packFile) bool { return p == damaged })
	}
	if len(merge) < 2 {
		return c, nil
	}
	name, size, err := s.mergePacks(v, merge)
	if err != nil {
		return c, fmt.Errorf("consolidate: %w", err)
	}
	c.Bytes = size
	var merged []string
	for _, p := range merge {
		if p.Name != name {
			merged = append(merged, p.Name)
		}
	}
	if err := s.removePacks(merged); err != nil {
		return c, fmt.Errorf("consolidate: %w", err)
	}
	if err := s.rescan(); err != nil {
		return c, err
	}
	c.Merged = len(merged)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Packs = len(s.packs.all)
	return c, nil
}

// mergeable returns the packs up to a size that may be merged, the one with the
// fewest objects first; dir is their folder.
func (v *packSet) mergeable(dir string, limit int64) ([]*packFile, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	kept := map[string]bool{}
	for _, f := range files {
		switch base, ext, _ := strings.Cut(f.Name(), "."); ext {
		case "keep", "promisor", "mtimes":
			kept[base] = true
		}
	}
	var out []*packFile
	for _, p := range v.all {
		if p.stamp[0].size <= limit && !kept[p.Name] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *packFile) int {
		return cmp.Or(cmp.Compare(a.Index.Len(), b.Index.Len()), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

// outOfProgression returns the packs of a sorted list whose merger leaves a geometric progression,
// none if the list is one. Together they are within MaxPack.
func outOfProgression(packs []*packFile) []*packFile {
	n := 0
	for i := 1; i < len(packs); i++ {
		if packs[i].Index.Len() < mergeFactor*packs[i-1].Index.Len() {
			n = i + 1
		}
	}
	// The merged pack may in turn be too near to the next.
	objects := 0
	for _, p := range packs[:n] {
		objects += p.Index.Len()
	}
	for n > 0 && n < len(packs) && packs[n].Index.Len() < mergeFactor*objects {
		objects += packs[n].Index.Len()
		n++
	}
	size := int64(0)
	for i, p := range packs[:n] {
		if size += p.stamp[0].size; size > MaxPack {
			return packs[:i]
		}
	}
	return packs[:n]
}

// firstDamaged returns the first pack of a folder that does not match its checksum or
// its index, nil where all do.
func firstDamaged(dir string, packs []*packFile) (*packFile, error) {
	for _, p := range packs {
		base := filepath.Join(dir, p.Name)
		err := pack.CheckIndex(base)
		if err == nil {
			err = pack.CheckSum(base + ".pack")
		}
		if errors.Is(err, ErrCorrupt) {
			return p, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// createPack begins a pack that takes the name of no pack which is passed over: its
// objects would be passed over too.
func (s *Store) createPack() (*pack.Writer, error) {
	w, err := pack.Create(s.disk, s.packDir(), s.packDir())
	if err == nil {
		w.Avoid = s.skip
	}
	return w, err
}

// mergePacks publishes one pack with all objects of some packs of a set, each once,
// and returns its name and size. The largest pack comes first.
func (s *Store) mergePacks(v *packSet, merge []*packFile) (name string, size int64, err error) {
	w, err := s.createPack()
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			w.Discard()
		}
	}()
	get := func(h Hash) (Kind, []byte, error) { return s.getIn(v, h, nil) }
	have := map[Hash]bool{}
	for _, p := range slices.Backward(merge) {
		var places []pack.Place
		for pos := range p.Index.Len() {
			if h := p.Index.Name(pos); !have[h] {
				off, err := p.Index.Offset(pos)
				if err != nil {
					return "", 0, err
				}
				have[h] = true
				places = append(places, pack.Place{Offset: off, Pos: int32(pos)})
			}
		}
		slices.SortFunc(places, pack.ComparePlaces)
		if err := p.Stat(); err != nil {
			return "", 0, err
		}
		if err := w.Copy(p.File, places, get); err != nil {
			return "", 0, err
		}
	}
	if err := w.Seal(); err != nil {
		return "", 0, err
	}
	if err := w.Publish(); err != nil {
		return "", 0, err
	}
	return w.Name(), w.Size() + int64(pack.TailSize), s.disk.SyncDir(s.packDir())
}

// removePacks removes packs whose objects are all in others. Packs go before their
// indexes, with a sync between: an index without its pack is passed over by git and
// swept, while a pack without its index would look like objects that cannot be seen.
func (s *Store) removePacks(packs []string) error {
	remove := func(path string) error {
		if err := s.disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	stale, err := filepath.Glob(filepath.Join(s.packDir(), multiPackIndex+"*"))
	if err != nil {
		return err
	}
	for _, path := range stale {
		if err := remove(path); err != nil {
			return err
		}
	}
	for _, part := range [][]string{{".pack"}, {".idx", ".rev", ".bitmap"}} {
		for _, name := range packs {
			for _, ext := range part {
				path := filepath.Join(s.packDir(), name+ext)
				if _, err := os.Lstat(path); err != nil {
					continue
				}
				if err := remove(path); err != nil {
					return err
				}
			}
		}
		if err := s.disk.SyncDir(s.packDir()); err != nil {
			return err
		}
	}
	return nil
}
