package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// DamagedPacks reads every pack whole and returns the names of those that do
// not hash to their own checksum, do not belong to their index, or whose index
// is damaged or absent, with the reason of each.
func (s *Store) DamagedPacks() (map[string]error, error) {
	files, err := filepath.Glob(filepath.Join(s.packDir(), "pack-*.pack"))
	if err != nil {
		return nil, err
	}
	bad := map[string]error{}
	for _, path := range files {
		base := strings.TrimSuffix(path, ".pack")
		err := pack.CheckIndex(base)
		if err == nil {
			err = pack.CheckSum(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			if _, e := os.Lstat(path); e != nil {
				continue // removed by an outside repack
			}
			err = object.Corruptf("it has no index")
		}
		if err != nil {
			bad[filepath.Base(base)] = err
		}
	}
	return bad, nil
}

// RebuildIndexes gives each of some packs whose own bytes are intact a new index,
// made from the pack, and returns their names. l is the writer lock of this store.
// The pack is written again beside the old one; a damaged pack stays as it is.
func (s *Store) RebuildIndexes(l *Lock, packs map[string]error) (rebuilt []string, err error) {
	if err := l.check(s); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(packs)) {
		path := filepath.Join(s.packDir(), name+".pack")
		if err := pack.CheckSum(path); errors.Is(err, ErrCorrupt) {
			continue
		} else if err != nil {
			return rebuilt, err
		}
		switch err := rebuildIndex(s, name, path); {
		case errors.Is(err, ErrCorrupt), errors.Is(err, ErrCollision), errors.Is(err, ErrTooLarge):
			// Its bytes are as they were written, and no pack: a repair sets it aside.
		case err != nil:
			return rebuilt, fmt.Errorf("index of %s: %w", name, err)
		default:
			rebuilt = append(rebuilt, name)
		}
	}
	if len(rebuilt) == 0 {
		return nil, nil
	}
	return rebuilt, errors.Join(s.disk.SyncDir(s.packDir()), s.rescan())
}

// rebuildIndex publishes a pack of a store once more, with a new index, under its old name.
func rebuildIndex(s *Store, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := pack.Create(s.disk, s.packDir(), s.packDir())
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := pack.Receive(w, f, ReceiveLimits{}, s.base); err != nil {
		return err
	}
	if w.Len() == 0 {
		return object.Corruptf("it has no object")
	}
	w.Rename = name
	return w.Publish()
}

// Without opens the same repository without some packs: an object that only they
// hold counts as absent, and a batch stores it again.
func (s *Store) Without(packs map[string]error) (*Store, error) {
	if !s.isOpen() {
		return nil, errClosed
	}
	skip := map[string]bool{}
	for name := range packs {
		skip[name] = true
	}
	return openStore(s.dir, s.disk, skip)
}

// Salvage puts into b every object of a damaged pack of which any copy can be
// read. saved is their number, lost has the names of the others. A pack whose
// index cannot be read has no names.
func (s *Store) Salvage(name string, b *Batch) (saved int, lost []Hash, err error) {
	x, err := pack.OpenIndex(filepath.Join(s.packDir(), name+".idx"))
	if errors.Is(err, ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
		return 0, nil, nil
	} else if err != nil {
		return 0, nil, err
	}
	defer x.Close()
	for i := range x.Len() {
		h := x.Name(i)
		k, data, err := s.Get(h)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrCorrupt), errors.Is(err, ErrCollision), errors.Is(err, ErrTooLarge):
			lost = append(lost, h)
			continue
		case err != nil:
			return saved, lost, err
		}
		got, err := b.Put(k, data)
		if err != nil {
			return saved, lost, err
		}
		if got != h {
			return saved, lost, object.Corruptf("object %s is %s", h, got)
		}
		saved++
	}
	return saved, lost, nil
}

// SetAside moves damaged packs, and damaged loose copies of the objects in bad,
// out of the repository into a folder, under the same names. Nothing is deleted.
// l is the writer lock of this store. The result is the names of the files.
func (s *Store) SetAside(l *Lock, packs map[string]error, bad []Hash, folder string) ([]string, error) {
	if err := l.check(s); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	var moved []string
	move := func(from, name string) error {
		err := s.disk.Rename(from, filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		moved = append(moved, name)
		return nil
	}
	for name := range packs {
		// The pack goes first: git ignores an index without its pack.
		for _, ext := range []string{".pack", ".idx", ".rev", ".bitmap"} {
			if err := move(filepath.Join(s.packDir(), name+ext), name+ext); err != nil {
				return moved, fmt.Errorf("set aside: %w", err)
			}
		}
	}
	for _, h := range bad {
		k, data, err := s.loose(h)
		if err == nil {
			err = object.Check(h, k, data)
		}
		if errors.Is(err, ErrCorrupt) {
			if err := move(s.loosePath(h), h.String()); err != nil {
				return moved, fmt.Errorf("set aside: %w", err)
			}
		}
	}
	slices.Sort(moved)
	if err := s.disk.SyncDir(s.packDir()); err != nil {
		return moved, err
	}
	return moved, s.rescan()
}
