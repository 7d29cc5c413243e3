package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A RefUpdate moves a ref from one object to another.
type RefUpdate struct {
	Name string
	Old  Hash // what it must name now; zero: it must not exist
	New  Hash // zero deletes it
}

// A RefError reports that a ref does not name the object that an update
// expected: another process has moved the ref.
type RefError struct {
	Name string
	Want Hash // zero: absent
	Have Hash
}

// Error names the ref and both objects.
func (e *RefError) Error() string {
	say := func(h Hash) string {
		if h.IsZero() {
			return "absent"
		}
		return h.String()
	}
	return fmt.Sprintf("ref %s is %s, expected %s: another process moved it", e.Name, say(e.Have), say(e.Want))
}

// How long an update waits for stock git to release a ref; git holds a ref
// lock for milliseconds.
const (
	refLockTries = 20
	refLockPause = 50 * time.Millisecond
)

// checkUpdates refuses updates with bad names, with an Old that is not there, or
// after which one ref would be a directory of another.
func (s *Store) checkUpdates(updates []RefUpdate) error {
	if len(updates) == 0 {
		return nil
	}
	refs, err := s.Refs()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, u := range updates {
		if err := checkRefName(u.Name); err != nil {
			return err
		}
		if seen[u.Name] {
			return fmt.Errorf("ref %s is updated twice", u.Name)
		}
		seen[u.Name] = true
		if have := refs[u.Name]; have != u.Old {
			return &RefError{u.Name, u.Old, have}
		}
		if u.New.IsZero() {
			delete(refs, u.Name)
		} else {
			refs[u.Name] = u.New
		}
	}
	for name := range refs {
		for dir := path.Dir(name); dir != "refs"; dir = path.Dir(dir) {
			if _, ok := refs[dir]; ok && (seen[dir] || seen[name]) {
				return fmt.Errorf("refs %s and %s cannot both exist", dir, name)
			}
		}
	}
	return nil
}

// updateRefs moves refs in the order given, each by git's protocol: take its
// lock, compare, rename the lock over it. All locks are held and all refs
// compared before the first is moved.
func (s *Store) updateRefs(updates []RefUpdate) (err error) {
	var locked []string
	defer func() {
		for _, l := range locked {
			if e := s.disk.Remove(l); e != nil && !errors.Is(e, fs.ErrNotExist) && err == nil {
				err = e
			}
		}
	}()
	for _, u := range updates {
		l, err := u.lock(s)
		if err != nil {
			return err
		}
		locked = append(locked, l)
	}
	for _, u := range updates {
		have, err := s.Ref(u.Name)
		if err != nil {
			return err
		}
		if have != u.Old {
			return &RefError{u.Name, u.Old, have}
		}
	}
	for _, u := range updates {
		target := s.path(filepath.FromSlash(u.Name))
		if u.New.IsZero() {
			if err := u.remove(s, target); err != nil {
				return fmt.Errorf("ref %s: %w", u.Name, err)
			}
			continue
		}
		if err := s.disk.Rename(target+".lock", target); err != nil {
			return fmt.Errorf("ref %s: %w", u.Name, err)
		}
		locked = slices.DeleteFunc(locked, func(l string) bool { return l == target+".lock" })
		if err := s.disk.SyncDir(filepath.Dir(target)); err != nil {
			return fmt.Errorf("ref %s is moved, but not yet safe from a power loss: %w", u.Name, err)
		}
	}
	return nil
}

// lock makes the lock file of the ref, with its new content, and returns its path.
func (u RefUpdate) lock(s *Store) (string, error) {
	target := s.path(filepath.FromSlash(u.Name))
	lock := target + ".lock"
	var content []byte
	if !u.New.IsZero() {
		content = []byte(u.New.String() + "\n")
	}
	for try := 1; ; try++ {
		err := s.disk.MkdirAll(s.dir, filepath.Dir(target))
		if err == nil {
			err = s.disk.WriteFile(lock, content, 0o644)
		}
		switch {
		case err == nil:
			// An empty directory, left where refs used to be, is in the way.
			if st, e := os.Lstat(target); e == nil && st.IsDir() {
				s.disk.Remove(target)
			}
			return lock, nil
		case errors.Is(err, fs.ErrExist) && try < refLockTries && beforeBoot(lock):
			if e := s.disk.Remove(lock); e != nil && !errors.Is(e, fs.ErrNotExist) {
				return "", fmt.Errorf("ref %s: %w", u.Name, e)
			}
		case try == refLockTries:
			if errors.Is(err, fs.ErrExist) {
				return "", fmt.Errorf("ref %s is locked by another git process; if none is running, remove %s: %w", u.Name, lock, err)
			}
			return "", fmt.Errorf("ref %s: %w", u.Name, err)
		case errors.Is(err, fs.ErrExist):
			time.Sleep(refLockPause)
		case errors.Is(err, fs.ErrNotExist): // git removed the empty directory
		default:
			return "", fmt.Errorf("ref %s: %w", u.Name, err)
		}
	}
}

// remove deletes the locked ref, whose file is target: from packed-refs first, or the
// file's removal would bring an old value back.
func (u RefUpdate) remove(s *Store, target string) error {
	file := s.path(packedRefsFile)
	packed, err := readPackedRefs(file)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(packed), func(p packedRef) bool { return p.name == u.Name })
	if len(kept) < len(packed) {
		if beforeBoot(file + ".lock") {
			if err := s.disk.Remove(file + ".lock"); err != nil {
				return err
			}
		}
		if err := s.disk.WriteFile(file+".lock", encodePackedRefs(kept), 0o644); err != nil {
			return err
		}
		if err := s.disk.Rename(file+".lock", file); err != nil {
			s.disk.Remove(file + ".lock")
			return err
		}
		if err := s.disk.SyncDir(s.dir); err != nil {
			return err
		}
	}
	if err := s.disk.Remove(target); err != nil && !absent(err) {
		return err
	}
	return s.disk.SyncDir(filepath.Dir(target))
}

// removeLock removes the ref's lock file if it holds what a dead writer was
// about to write there, or the beginning of it.
func (r lockedRef) removeLock(s *Store) error {
	lock := s.path(filepath.FromSlash(r.name)) + ".lock"
	data, err := readBounded(lock, maxRefFile)
	if absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	if !strings.HasPrefix(r.content, string(data)) {
		return nil
	}
	return s.disk.Remove(lock)
}
