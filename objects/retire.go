package objects

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
		err := s.lookIndex(name)
		if err == nil {
			err = sumPack(filepath.Join(s.packDir(), name+".pack"))
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

// sumBuffer is how much of a pack is read at a time for its checksum.
const sumBuffer = 256 << 10

// sumPack compares a pack with the checksum at its end.
func sumPack(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var tail Hash
	if st.Size() < int64(packHead+packTail) {
		return corrupt("a pack of %d bytes is cut short", st.Size())
	}
	if _, err := f.ReadAt(tail[:], st.Size()-int64(packTail)); err != nil {
		return err
	}
	// It guards against accidents alone: what an object is, its name says, which
	// is computed with the detection of collisions.
	d := sha1.New()
	if _, err := io.CopyBuffer(d, io.NewSectionReader(f, 0, st.Size()-int64(packTail)), make([]byte, sumBuffer)); err != nil {
		return err
	}
	if got := Hash(d.Sum(nil)); got != tail {
		return corrupt("it hashes to %s and ends in %s", got, tail)
	}
	return nil
}

// Without opens the same repository, passing over some packs: what is put
// into a batch of the result is stored again even if one of them holds it.
func (s *Store) Without(packs map[string]error) (*Store, error) {
	t := &Store{dir: s.dir, disk: s.disk, bases: newBaseCache(), view: &view{}, shun: map[string]bool{}}
	for name := range packs {
		t.shun[name] = true
	}
	if err := t.rescan(); err != nil {
		return nil, err
	}
	return t, nil
}

// Salvage puts into b every object of a damaged pack that can still be read,
// from whatever copy, and returns how many it put and the names of those that
// it could not. A pack with an unreadable index has no names.
func (s *Store) Salvage(pack string, b *Batch) (saved int, lost []Hash, err error) {
	x, err := openIndex(filepath.Join(s.packDir(), pack+".idx"))
	if errors.Is(err, ErrCorrupt) {
		return 0, nil, nil
	} else if err != nil {
		return 0, nil, err
	}
	defer x.close()
	for i := range x.count {
		h := x.name(i)
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
			return saved, lost, corrupt("object %s is %s", h, got)
		}
		saved++
	}
	return saved, lost, nil
}

// SetAside moves damaged packs, and loose copies of the objects in bad, out of
// the repository into a folder, where their names are kept. Nothing is
// deleted. l is the writer lock of this store.
func (s *Store) SetAside(l *Lock, packs map[string]error, bad []Hash, folder string) ([]string, error) {
	if err := l.held(s); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	var moved []string
	move := func(from, name string) error {
		err := s.disk.rename(from, filepath.Join(folder, name))
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
		if err := s.looseWell(h); errors.Is(err, ErrCorrupt) {
			if err := move(s.loosePath(h), h.String()); err != nil {
				return moved, fmt.Errorf("set aside: %w", err)
			}
		}
	}
	slices.Sort(moved)
	if err := s.disk.syncDir(s.packDir()); err != nil {
		return moved, err
	}
	return moved, s.rescan()
}

// looseWell reads the loose copy of an object.
func (s *Store) looseWell(h Hash) error {
	k, data, err := s.loose(h)
	if err != nil {
		return err
	}
	return named(h, k, data)
}
