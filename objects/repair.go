package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// DamagedPacks reads every pack whole and returns the names of those that do
// not hash to their own checksum, do not belong to their index, or whose index
// is damaged, with the reason of each.
func (s *Store) DamagedPacks() (map[string]error, error) {
	names, err := packNames(s.packDir())
	if err != nil {
		return nil, err
	}
	bad := map[string]error{}
	for _, name := range names {
		err := pack.CheckIndex(filepath.Join(s.packDir(), name))
		if err == nil {
			err = pack.CheckSum(filepath.Join(s.packDir(), name+".pack"))
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by an outside repack
		}
		if err != nil {
			bad[name] = err
		}
	}
	return bad, nil
}

// Without opens the same repository without some packs: an object that only they
// hold counts as absent, and a batch stores it again.
func (s *Store) Without(packs map[string]error) (*Store, error) {
	t := &Store{dir: s.dir, disk: s.disk, bases: pack.NewCache(), packs: &packSet{}, skip: map[string]bool{}}
	for name := range packs {
		t.skip[name] = true
	}
	if err := t.rescan(); err != nil {
		return nil, err
	}
	return t, nil
}

// Salvage puts into b every object of a damaged pack of which any copy can be
// read. saved is their number, lost has the names of the others. A pack whose
// index cannot be read has no names.
func (s *Store) Salvage(name string, b *Batch) (saved int, lost []Hash, err error) {
	x, err := pack.OpenIndex(filepath.Join(s.packDir(), name+".idx"))
	if errors.Is(err, ErrCorrupt) {
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
		if err := s.checkLoose(h); errors.Is(err, ErrCorrupt) {
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

// checkLoose reads the loose copy of an object and compares it with its name.
func (s *Store) checkLoose(h Hash) error {
	k, data, err := s.loose(h)
	if err != nil {
		return err
	}
	return object.Check(h, k, data)
}
