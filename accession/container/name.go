package container

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"muniment/canon"
	"muniment/text/legible"
)

// CheckName returns the path of a stored name, or the reason why the name may not
// be used. A path is relative, slash separated, and free of empty,
// "." and ".." parts; its bytes are those of the name, UTF-8 or not.
func CheckName(name string) (path, reason string) {
	path = strings.TrimPrefix(name, "./")
	switch {
	case path == "":
		return "", "an empty name"
	case len(name) > MaxName:
		return "", fmt.Sprintf("a name of %d bytes, at most %d are taken", len(name), MaxName)
	case strings.IndexByte(name, 0) >= 0:
		return "", "a NUL in the name"
	case strings.HasPrefix(name, `\\`):
		return "", "an absolute path (a Windows share or namespace)"
	case hasDrive(path):
		return "", fmt.Sprintf("a drive letter: %q", path[:2])
	case strings.IndexByte(name, '\\') >= 0:
		return "", "a backslash in the name, which some systems take for a separator"
	case path[0] == '/':
		return "", "an absolute path"
	}
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "":
			return "", "an empty part in the path"
		case ".":
			return "", `a part "." in the path`
		case "..":
			return "", `the path leaves its folder: a part ".."`
		}
	}
	return path, ""
}

// hasDrive reports whether a path begins with a drive letter.
func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// Fold returns a key that is equal for names that are one name to a file system
// which ignores case and Unicode normalization: NFC, then the smallest code
// point of each simple case-folding orbit.
func Fold(name string) string {
	folded := strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, NFC(name))
	return NFC(folded)
}

// NFC returns name in Unicode Normalization Form C by the project's frozen
// tables, so that a name is judged alike under every toolchain.
func NFC(name string) string { return string(canon.NFC([]byte(name))) }

// A candidate is one entry as the scanner of a format met it: a file, a folder
// (its path alone matters) or something to skip.
type candidate struct {
	entry    *Entry
	folder   bool
	link     string // of a hard link: the name it stands for
	isLink   bool   // a symbolic link: its bytes are a name
	reason   string // for skipping it, "" if none
	headerAt int64  // of a tar: its first header block
	dataAt   int64  // of a tar
}

// addEntries checks the names of the candidates against each other and fills
// the reader's lists.
func (r *Reader) addEntries(all []candidate) {
	count := map[string]int{}
	paths := make([]string, 0, len(all)) // of files, and of folders with a slash behind
	for i := range all {
		f := &all[i]
		name := f.entry.Name
		if f.reason != "" || f.folder && (name == "." || name == "./") { // the packed folder itself
			continue
		}
		if f.folder {
			name = strings.TrimSuffix(name, "/")
		}
		switch f.entry.Path, f.reason = CheckName(name); {
		case f.reason != "":
		case f.folder:
			paths = append(paths, f.entry.Path+"/")
		default:
			paths = append(paths, f.entry.Path)
			count[f.entry.Path]++
		}
	}
	slices.Sort(paths)
	for _, f := range all {
		switch p := f.entry.Path; {
		case f.reason != "" || f.folder:
		case count[p] > 1:
			f.reason = fmt.Sprintf("%d entries have this name; which one is meant is unknown", count[p])
		case isFolder(paths, p):
			f.reason = "the name of a file and of a folder"
		default:
			f.entry.r, f.entry.index = r, len(r.entries)
			r.entries = append(r.entries, f.entry)
		}
		if f.reason != "" {
			r.skipped = append(r.skipped, Skip{Name: f.entry.Name, Reason: f.reason, Unread: f.entry.Size > 0 && !f.isLink})
		}
	}
	noteAlike(r.entries)
}

// isFolder reports whether one of the sorted paths is p as a folder or lies
// below it.
func isFolder(sorted []string, p string) bool {
	i, _ := slices.BinarySearch(sorted, p+"/")
	return i < len(sorted) && strings.HasPrefix(sorted[i], p+"/")
}

// Skeleton returns a key that is equal for names that look alike, or are one name
// to a file system that ignores case and normalization: Fold without the invisible
// characters.
func Skeleton(name string) string {
	return Fold(strings.Map(func(r rune) rune {
		if legible.IsInvisible(r) {
			return -1
		}
		return r
	}, name))
}

// DirectionMark returns the first mark of a name that turns the direction in which the
// rest is shown, or 0: with U+202E before it, "fdp.exe" is read as "exe.pdf". The
// joiners and marks that Persian, Hebrew and emoji need turn nothing.
func DirectionMark(name string) rune {
	for _, r := range name {
		if 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 {
			return r
		}
	}
	return 0
}

// Difference returns how two names of one Skeleton differ, as in "in case".
func Difference(a, b string) string {
	switch {
	case NFC(a) == NFC(b):
		return "in Unicode normalization"
	case Fold(a) == Fold(b):
		return "in case"
	}
	return "by invisible characters"
}

// noteAlike adds a note to entries whose names differ only in case, normalization
// or invisible characters.
func noteAlike(entries []*Entry) {
	first := make(map[string]*Entry, len(entries))
	for _, e := range entries {
		key := Skeleton(e.Path)
		other, ok := first[key]
		if !ok {
			first[key] = e
			continue
		}
		note := func(e, other *Entry) {
			e.addNote(fmt.Sprintf("differs from %s only %s", Quoted(other.Path), Difference(e.Path, other.Path)))
		}
		note(e, other)
		if other.Note == "" {
			note(other, e)
		}
	}
}

// Quoted returns a name in quotes; one with invisible characters in ASCII, for %q of
// package fmt leaves variation selectors as they are.
func Quoted(name string) string {
	if strings.ContainsFunc(name, legible.IsInvisible) {
		return fmt.Sprintf("%+q", name)
	}
	return fmt.Sprintf("%q", name)
}

// addNote appends a remark to the note of e.
func (e *Entry) addNote(note string) {
	if e.Note != "" {
		note = e.Note + "; " + note
	}
	e.Note = note
}

// formatTime writes the time of a file, "" where the container has none or one before
// the year 1 or after 9999.
func formatTime(t time.Time) string {
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
