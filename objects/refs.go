package objects

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"muniment/objects/object"
)

const (
	// maxRefFile bounds a loose ref: a hash, or the name of another ref.
	maxRefFile = 4096
	// maxPackedRefs bounds packed-refs, at some 100 bytes a ref.
	maxPackedRefs = 64 << 20
	// maxSymrefs is git's own bound on refs that name refs.
	maxSymrefs = 5
)

// Ref returns the object that a ref names, following symbolic refs, or the
// zero Hash when the ref does not exist. The name is "HEAD" or full, as in
// "refs/heads/main".
func (s *Store) Ref(name string) (Hash, error) {
	for range maxSymrefs {
		if name != "HEAD" {
			if err := checkRefName(name); err != nil {
				return Hash{}, err
			}
		}
		h, target, err := s.rawRef(name)
		if err != nil || target == "" {
			return h, err
		}
		name = target
	}
	return Hash{}, object.Corruptf("ref %q is more than %d steps from an object", name, maxSymrefs)
}

// Refs returns every ref below refs/ and the object it names.
func (s *Store) Refs() (map[string]Hash, error) {
	refs := map[string]Hash{}
	root := s.path("refs")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed or packed since it was listed
		} else if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if checkRefName(name) != nil {
			return nil // a lock or a file that is no ref to git either
		}
		h, err := s.Ref(name)
		if err == nil && !h.IsZero() {
			refs[name] = h
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// Packed refs come second: git packs a ref before it removes the file.
	packed, err := readPackedRefs(s.path(packedRefsFile))
	if err != nil {
		return nil, err
	}
	for _, p := range packed {
		if _, ok := refs[p.name]; !ok && p.name != "" {
			refs[p.name] = p.hash
		}
	}
	return refs, nil
}

// Peeled returns, by the name of a packed ref, the object to which an annotated
// tag leads according to packed-refs. Git believes that file.
func (s *Store) Peeled() (map[string]Hash, error) {
	packed, err := readPackedRefs(s.path(packedRefsFile))
	if err != nil {
		return nil, err
	}
	peeled := map[string]Hash{}
	for _, p := range packed {
		if !p.peeled.IsZero() {
			peeled[p.name] = p.peeled
		}
	}
	return peeled, nil
}

// rawRef reads one ref: its hash, or the ref it points to, or neither.
func (s *Store) rawRef(name string) (Hash, string, error) {
	data, err := readBounded(s.path(filepath.FromSlash(name)), maxRefFile)
	if err == nil {
		return parseRef(name, data)
	}
	if !absent(err) {
		return Hash{}, "", err
	}
	packed, err := readPackedRefs(s.path(packedRefsFile))
	if err != nil {
		return Hash{}, "", err
	}
	for _, p := range packed {
		if p.name == name {
			return p.hash, "", nil
		}
	}
	return Hash{}, "", nil
}

// absent reports whether err says that a path leads to no file: nothing, a
// directory, or through a file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

// parseRef reads the content of a loose ref: an object, or another ref's name.
func parseRef(name string, data []byte) (Hash, string, error) {
	text := strings.TrimRight(string(data), " \t\r\n")
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		target = strings.TrimSpace(target)
		if err := checkRefName(target); err != nil {
			return Hash{}, "", object.Corruptf("ref %s points to %v", name, err)
		}
		return Hash{}, target, nil
	}
	h, err := ParseHash(text)
	if err != nil || h.IsZero() {
		return Hash{}, "", object.Corruptf("ref %s holds %q, want an object name", name, object.Clip(text))
	}
	return h, "", nil
}

// A packedRef is a line of packed-refs; name is "" for comments. peeled holds
// a "^" line that follows, so that rewriting the file loses nothing.
type packedRef struct {
	name   string
	hash   Hash
	peeled Hash // what an annotated tag names in the end; zero where the file does not say
	line   string
}

func readPackedRefs(path string) ([]packedRef, error) {
	data, err := readBounded(path, maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return parsePackedRefs(string(data))
}

// parsePackedRefs returns every line of packed-refs, so that encodePackedRefs of
// the result is text again.
func parsePackedRefs(text string) ([]packedRef, error) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return nil, object.Corruptf("packed-refs is cut short")
	}
	var refs []packedRef
	for line := range strings.Lines(text) {
		switch {
		case line[0] == '#':
			refs = append(refs, packedRef{line: line})
			continue
		case line[0] == '^':
			if len(refs) == 0 || refs[len(refs)-1].name == "" {
				return nil, object.Corruptf("packed-refs has a peeled line after no ref")
			}
			last := &refs[len(refs)-1]
			h, err := ParseHash(strings.TrimSuffix(line[1:], "\n"))
			if err != nil || !last.peeled.IsZero() {
				return nil, object.Corruptf("packed-refs line %q: want one object name that %s leads to", object.Clip(line), last.name)
			}
			last.peeled = h
			last.line += line
			continue
		}
		hex, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		h, err := ParseHash(hex)
		if err == nil {
			err = checkRefName(name)
		}
		if err != nil {
			return nil, object.Corruptf("packed-refs line %q: %v", object.Clip(line), err)
		}
		refs = append(refs, packedRef{name: name, hash: h, line: line})
	}
	return refs, nil
}

func encodePackedRefs(refs []packedRef) []byte {
	var b bytes.Buffer
	for _, r := range refs {
		b.WriteString(r.line)
	}
	return b.Bytes()
}

// readBounded reads a file of at most so many bytes.
func readBounded(path string, most int64) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > most {
		return nil, object.Corruptf("%s has %d bytes, limit %d", filepath.Base(path), st.Size(), most)
	}
	return os.ReadFile(path)
}

// checkRefName refuses a name that breaks the rules of git check-ref-format(1),
// or is not below refs/.
func checkRefName(name string) error {
	bad := func(why string) error { return fmt.Errorf("%q is not a ref name: %s", object.Clip(name), why) }
	rest, ok := strings.CutPrefix(name, "refs/")
	switch {
	case !ok || rest == "":
		return bad("it is not below refs/")
	case len(name) > 1024:
		return bad("it is above 1024 bytes")
	case strings.Contains(name, "..") || strings.Contains(name, "@{"):
		return bad(`it holds ".." or "@{"`)
	case strings.HasSuffix(name, "."):
		return bad("it ends in a dot")
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return bad(fmt.Sprintf("it holds %q", c))
		}
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return bad("a component is empty, begins with a dot or ends in .lock")
		}
	}
	return nil
}
