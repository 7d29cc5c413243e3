package objects

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/objects/object"
)

// The two modes of a tree entry.
const (
	ModeFile uint32 = 0o100644
	ModeTree uint32 = 0o40000
)

// A TreeEntry is one name in a tree.
type TreeEntry struct {
	Name string
	Mode uint32 // ModeFile or ModeTree
	Hash Hash
}

// compareEntries orders entries as git does: by bytes, a directory as if its name ended in
// a slash.
func compareEntries(a, b TreeEntry) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return int(a.byteAt(n)) - int(b.byteAt(n))
}

// byteAt returns the byte of the name that is compared at i, at most its
// length: 0 where a file's name ends.
func (e TreeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.Name):
		return e.Name[i]
	case e.Mode == ModeTree:
		return '/'
	}
	return 0
}

// ParseTree reads the content of a tree object. It is stricter than git:
// entries are in git's order with every name once, modes are 100644 and 40000
// as git writes them, names are those that [EncodeTree] accepts, and no entry
// has the zero name. Encoding the result gives data again.
func ParseTree(data []byte) ([]TreeEntry, error) {
	var entries []TreeEntry
	for rest := data; len(rest) > 0; {
		n := len(entries)
		sp := bytes.IndexByte(rest, ' ')
		nul := bytes.IndexByte(rest, 0)
		if sp < 0 || nul < sp || len(rest) < nul+1+len(Hash{}) {
			return nil, object.Corruptf("tree entry %d is cut short", n)
		}
		e := TreeEntry{Name: string(rest[sp+1 : nul])}
		switch string(rest[:sp]) {
		default:
			return nil, object.Corruptf("tree entry %d has mode %q, want 100644 or 40000", n, object.Clip(string(rest[:sp])))
		case "100644":
			e.Mode = ModeFile
		case "40000":
			e.Mode = ModeTree
		}
		copy(e.Hash[:], rest[nul+1:])
		rest = rest[nul+1+len(e.Hash):]
		if n > 0 && compareEntries(entries[n-1], e) >= 0 {
			return nil, object.Corruptf("tree entry %q is out of order after %q", object.Clip(e.Name), object.Clip(entries[n-1].Name))
		}
		entries = append(entries, e)
	}
	if err := checkEntries(entries); err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return entries, nil
}

// EncodeTree returns the content of the tree object with these entries, given
// in any order. Names are not empty, not "." or "..", hold no slash and no
// NUL, and are not ".git" in any spelling that a file system could take for it.
func EncodeTree(entries []TreeEntry) ([]byte, error) {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, compareEntries)
	if err := checkEntries(sorted); err != nil {
		return nil, err
	}
	size := 0
	for _, e := range sorted {
		size += len("100644 ") + len(e.Name) + 1 + len(e.Hash)
	}
	out := make([]byte, 0, size)
	for _, e := range sorted {
		out = strconv.AppendUint(out, uint64(e.Mode), 8)
		out = append(out, ' ')
		out = append(out, e.Name...)
		out = append(out, 0)
		out = append(out, e.Hash[:]...)
	}
	return out, nil
}

// checkEntries checks entries already sorted by key.
func checkEntries(entries []TreeEntry) error {
	for i, e := range entries {
		if err := checkName(e.Name); err != nil {
			return err
		}
		if e.Mode != ModeFile && e.Mode != ModeTree {
			return fmt.Errorf("tree entry %q has mode %o, want 100644 or 40000", e.Name, e.Mode)
		}
		if e.Hash.IsZero() {
			return fmt.Errorf("tree entry %q names no object", e.Name)
		}
		if i > 0 && compareEntries(entries[i-1], e) == 0 {
			return fmt.Errorf("tree has two entries %q", e.Name)
		}
		// A file and a directory of one name need not be neighbours:
		// "a", "a.b", "a/".
		if e.Mode == ModeTree {
			file := TreeEntry{Name: e.Name, Mode: ModeFile}
			if _, found := slices.BinarySearchFunc(entries[:i], file, compareEntries); found {
				return fmt.Errorf("tree has a file and a directory %q", e.Name)
			}
		}
	}
	return nil
}

// checkName refuses a name that no tree entry may have.
func checkName(name string) error {
	switch {
	case name == "", name == ".", name == "..":
		return fmt.Errorf("%q is not a name in a tree", name)
	case strings.IndexByte(name, '/') >= 0, strings.IndexByte(name, 0) >= 0:
		return fmt.Errorf("name %q in a tree holds a slash or NUL", object.Clip(name))
	case isDotGit(name):
		return fmt.Errorf("name %q in a tree would be git's own directory", object.Clip(name))
	}
	return nil
}

// isDotGit reports whether a file system may take name for ".git": any case;
// NTFS drops trailing dots and spaces, ends at a colon or backslash and knows
// the short name; HFS+ ignores some code points. The same names fail
// `git fsck --strict`.
func isDotGit(name string) bool {
	// All of them begin so: most names are digits, and need no more.
	if c := name[0]; c < utf8.RuneSelf && c != '.' && c != 'g' && c != 'G' {
		return false
	}
	if i := strings.IndexAny(name, ":\\"); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimRight(name, " .")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, name)
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// splitPath checks a path of a blob and returns its components.
func splitPath(path string) ([]string, error) {
	parts := strings.Split(path, "/")
	if len(parts) > MaxDepth {
		return nil, fmt.Errorf("path %q has %d components, limit %d", object.Clip(path), len(parts), MaxDepth)
	}
	for _, p := range parts {
		if err := checkName(p); err != nil {
			return nil, fmt.Errorf("path %q: %w", object.Clip(path), err)
		}
	}
	return parts, nil
}
