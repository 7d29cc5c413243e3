package objects

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"muniment/objects/pack"
)

// Borrow gives s the packs and loose objects of another store, as second links
// to the same files or, between file systems, as symbolic links. A quarantine
// sees the trusted objects in this way. The other store is not changed; objects
// that it gets later are not seen.
func (s *Store) Borrow(from *Store) error {
	packs, err := packNames(from.packDir())
	if err != nil {
		return err
	}
	for _, name := range packs {
		for _, ext := range []string{".idx", ".pack"} {
			err := linkFile(from.path("objects", "pack", name+ext), s.path("objects", "pack", name+ext))
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // repacked since it was listed
				return err
			}
		}
	}
	loose, err := filepath.Glob(from.path("objects", "[0-9a-f][0-9a-f]", strings.Repeat("[0-9a-f]", 38)))
	if err != nil {
		return err
	}
	for _, file := range loose {
		to := s.path("objects", filepath.Base(filepath.Dir(file)), filepath.Base(file))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := linkFile(file, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.rescan()
}

// linkFile gives a file of one store a name in another.
func linkFile(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(from, to)
}

// Unreached returns the objects of a list that no tip leads to. Only objects of the list are read:
// what lies below any other object counts as reached.
func (s *Store) Unreached(tips, among []Hash) ([]Hash, error) {
	left := make(map[Hash]bool, len(among))
	for _, h := range among {
		left[h] = true
	}
	stack := append([]Hash(nil), tips...)
	for len(stack) > 0 {
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !left[h] {
			continue
		}
		delete(left, h)
		k, data, err := s.Get(h)
		if err != nil {
			return nil, err
		}
		if k == Blob {
			continue
		}
		next, err := links(k, data)
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", h, err)
		}
		for _, n := range next {
			if n.want == Blob {
				delete(left, n.hash)
			} else {
				stack = append(stack, n.hash)
			}
		}
	}
	var out []Hash
	for _, h := range among {
		if left[h] {
			out = append(out, h)
		}
	}
	return out, nil
}

// Adopt publishes in s a pack that another store has received, and then moves
// refs, in the order of [Batch.Publish]: index, pack, directory, refs. l is the
// writer lock of s. Where got has no name only the refs are moved. Between file
// systems the pack is copied.
func (s *Store) Adopt(l *Lock, from *Store, got *Received, refs ...RefUpdate) error {
	if err := l.check(s); err != nil {
		return err
	}
	if err := s.checkUpdates(refs); err != nil {
		return err
	}
	if got.Name != "" {
		for _, ext := range []string{".idx", ".pack"} { // git ignores an index without its pack
			if err := s.linkOrCopy(from.path("objects", "pack", got.Name+ext), s.path("objects", "pack", got.Name+ext)); err != nil {
				return fmt.Errorf("adopt: %w", err)
			}
		}
		if err := s.disk.SyncDir(s.packDir()); err != nil {
			return fmt.Errorf("adopt: %w", err)
		}
		if err := s.rescan(); err != nil {
			return fmt.Errorf("adopt: %w", err)
		}
	}
	for _, r := range refs {
		if !r.New.IsZero() && !s.Has(r.New) {
			return fmt.Errorf("ref %s: object %s: %w", r.Name, r.New, ErrNotFound)
		}
	}
	if err := l.addRefs(refs); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	if err := s.updateRefs(refs); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	if got.Name != "" {
		s.consolidateSmall()
	}
	return nil
}

// linkOrCopy gives a synced file of another store a name in this one, by a
// second link to the file or by a copy of it.
func (s *Store) linkOrCopy(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return nil // the same pack has the same name
	}
	err := s.disk.Link(from, to)
	if err == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := s.disk.CreateTemp(filepath.Dir(to), pack.TempPack)
	if err != nil {
		return err
	}
	temp := out.Name()
	if _, err = io.Copy(s.disk.Writer(out), in); err == nil {
		err = s.disk.Chmod(out, 0o444)
	}
	if err == nil {
		err = s.disk.Sync(out)
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = s.disk.Rename(temp, to)
	}
	if err != nil {
		s.disk.Remove(temp)
	}
	return err
}
