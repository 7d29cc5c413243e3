package objects

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"muniment/objects/disk"
	"muniment/objects/flate"
	"muniment/objects/object"
	"muniment/objects/pack"
)

// Get returns an object, after hashing it against its name. Every copy is
// tried before the error says ErrCorrupt; when none is found the pack
// directory is read again, because an outside `git gc` may have moved it,
// before the error says ErrNotFound. The caller owns the bytes.
func (s *Store) Get(h Hash) (Kind, []byte, error) { return s.get(h, nil) }

// get is Get by readings through near, unless that is nil. Where others merge packs, the pack that
// was found may be gone before it is read: the directory is read again until that changes nothing.
func (s *Store) get(h Hash, near *pack.Nearby) (Kind, []byte, error) {
	for n := 0; ; n++ {
		k, data, err := s.getOnce(h, near)
		if err == nil || errors.Is(err, errClosed) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrCollision) || n == mostListings {
			return k, data, err
		}
		before := s.openPacks()
		if e := s.rescan(); e != nil {
			return 0, nil, e
		}
		if n > 0 && slices.Equal(before, s.openPacks()) {
			return k, data, err
		}
	}
}

// openPacks returns the names of the packs of the current set.
func (l *packList) openPacks() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for _, p := range l.packs.all {
		names = append(names, p.Name)
	}
	return names
}

// Has reports whether the store holds an object under this name. It does not
// read the object.
func (s *Store) Has(h Hash) bool {
	return s.hasOnce(h) || s.rescan() == nil && s.hasOnce(h)
}

// IsUnreadable reports whether err says that the system did not read a file of a
// store: no permission, or a device that fails. Such an object is neither absent nor
// corrupt as far as anybody knows.
func IsUnreadable(err error) bool {
	return disk.IsUnreadable(err) && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrCorrupt)
}

// getOnce is get without reading the pack directory again.
func (s *Store) getOnce(h Hash, near *pack.Nearby) (Kind, []byte, error) {
	v, err := s.acquire()
	if err != nil {
		return 0, nil, err
	}
	defer s.release(v)
	return s.getIn(v, h, near)
}

// getIn returns an object from the packs of a set, or a loose one; near is as
// for pack.File.Get.
func (s *Store) getIn(v *packSet, h Hash, near *pack.Nearby) (Kind, []byte, error) {
	if s.disk.Read != nil {
		s.disk.Read(h.String())
	}
	var damage error
	try := func(k Kind, data []byte, err error) (Kind, []byte, bool) {
		if err == nil {
			err = object.Check(h, k, data)
		}
		if err == nil {
			return k, data, true
		}
		if damage == nil && !errors.Is(err, fs.ErrNotExist) {
			damage = err
		}
		return 0, nil, false
	}
	search := func(packs []*packFile) (Kind, []byte, bool) {
		for _, p := range packs {
			pos, found := p.Index.Find(h)
			if !found {
				continue
			}
			k, data, err := p.Get(pos, near)
			if err != nil {
				err = fmt.Errorf("pack %s: %w", p.Name, err)
			}
			if k, data, ok := try(k, data, err); ok {
				return k, data, true
			}
		}
		return 0, nil, false
	}
	if k, data, ok := search(v.all); ok {
		return k, data, nil
	}
	k, data, err := s.loose(h)
	if k, data, ok := try(k, data, err); ok {
		return k, data, nil
	}
	switch {
	case damage != nil:
		return 0, nil, fmt.Errorf("object %s: %w", h, damage)
	case slices.ContainsFunc(v.bad, disk.IsUnreadable):
		return 0, nil, fmt.Errorf("object %s: it may lie in a pack that cannot be read: %w", h, v.bad[slices.IndexFunc(v.bad, disk.IsUnreadable)])
	case len(v.bad) > 0:
		return 0, nil, fmt.Errorf("object %s: %w (%d packs cannot be read, first: %v)", h, ErrNotFound, len(v.bad), v.bad[0])
	}
	return 0, nil, fmt.Errorf("object %s: %w%s", h, ErrNotFound, otherSources(s.path("objects")))
}

// otherSources returns a note for an error message when git would look for
// objects in a place that no store reads; dir is the folder objects.
func otherSources(dir string) string {
	if _, err := os.Lstat(filepath.Join(dir, "info", "alternates")); err == nil {
		return " (objects/info/alternates names another repository, which is not read)"
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "pack", "*.promisor")); len(list) > 0 {
		return " (a partial clone: git left objects out)"
	}
	return ""
}

// hasOnce is Has without reading the pack directory again.
func (s *Store) hasOnce(h Hash) bool {
	if s.isPacked(h) {
		return true
	}
	_, err := os.Stat(s.loosePath(h))
	return err == nil
}

// isPacked reports whether a pack has an object.
func (s *Store) isPacked(h Hash) bool {
	v, err := s.acquire()
	if err != nil {
		return false
	}
	defer s.release(v)
	for _, p := range v.all {
		if _, ok := p.Index.Find(h); ok {
			return true
		}
	}
	return false
}

// loosePath returns the path of a loose object.
func (s *Store) loosePath(h Hash) string {
	name := h.String()
	return s.path("objects", name[:2], name[2:])
}

// loose reads an object that stock git wrote outside any pack.
func (s *Store) loose(h Hash) (Kind, []byte, error) {
	f, err := os.Open(s.loosePath(h))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	return readLoose(f)
}

// readLoose inflates "blob 12\x00" and the content, to exactly the end of r.
func readLoose(r io.Reader) (Kind, []byte, error) {
	f := flate.Borrow(r)
	defer f.Return()
	if err := f.Next(); err != nil {
		return 0, nil, err
	}
	z := bufio.NewReader(f)
	head, err := looseHeader(z)
	if err != nil {
		return 0, nil, err
	}
	word, digits, _ := strings.Cut(head, " ")
	kind, ok := object.ParseKind(word)
	size, err := strconv.ParseUint(digits, 10, 63)
	if !ok || err != nil || string(object.AppendHeader(nil, kind, int(size))) != head+"\x00" {
		return 0, nil, object.Corruptf("loose object has header %q", head)
	}
	if size > MaxObject {
		return 0, nil, fmt.Errorf("loose object of %d bytes, limit %d: %w", size, MaxObject, ErrTooLarge)
	}
	// The size is a claim: the buffer grows with what is really there.
	var data bytes.Buffer
	if _, err := io.CopyN(&data, z, int64(size)); err != nil {
		return 0, nil, err
	}
	if _, err := z.ReadByte(); err == nil {
		return 0, nil, object.Corruptf("loose object goes on after the %d bytes announced", size)
	} else if err != io.EOF {
		return 0, nil, err
	}
	if _, err := f.Peek(1); err != io.EOF {
		return 0, nil, object.Corruptf("loose object has bytes after its end")
	}
	return kind, data.Bytes(), nil
}

// looseHeader returns the bytes up to the NUL, which must come soon.
func looseHeader(z io.ByteReader) (string, error) {
	var head []byte
	for len(head) < len("commit ")+20 {
		c, err := z.ReadByte()
		if err != nil {
			return "", err
		}
		if c == 0 {
			return string(head), nil
		}
		head = append(head, c)
	}
	return "", object.Corruptf("loose object has no header")
}
