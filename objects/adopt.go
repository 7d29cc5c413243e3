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

// Borrow gives a store the packs and loose objects that another holds, as
// second links to the same files or, between file systems, as symbolic links.
// It is how a quarantine sees what is already trusted; the other store is not
// touched. Objects that the other gets later are not seen.
func (s *Store) Borrow(from *Store) error {
	packs, err := packNames(from.packDir())
	if err != nil {
		return err
	}
	for _, name := range packs {
		for _, ext := range []string{".idx", ".pack"} {
			err := s.lend(from.path("objects", "pack", name+ext), s.path("objects", "pack", name+ext))
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
		if err := s.lend(file, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.rescan()
}

func (s *Store) lend(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(from, to)
}

// Unreached returns those of some objects that no tip leads to. Only objects
// of the list are read: what lies below another is taken as known.
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

// Adopt moves a pack that from has received into s and then moves refs, with
// the writer lock of s held, in the order that Batch.Publish keeps: index,
// pack, directory, refs. A pack with no name moves only refs. The two stores
// lie on one file system, or the pack is copied.
func (s *Store) Adopt(l *Lock, from *Store, got *Received, refs ...RefUpdate) error {
	if err := l.held(s); err != nil {
		return err
	}
	if err := s.checkUpdates(refs); err != nil {
		return err
	}
	if got.Name != "" {
		for _, ext := range []string{".idx", ".pack"} { // git ignores an index without its pack
			if err := s.take(from.path("objects", "pack", got.Name+ext), s.path("objects", "pack", got.Name+ext)); err != nil {
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
	if err := l.note(refs); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	if err := s.updateRefs(refs); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	return nil
}

// take gives a synced file a name in this store, by a second link to it or by
// a copy.
func (s *Store) take(from, to string) error {
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
