// Package mark keeps the list of the files that a copy of an archive has to have
// besides its repository: ledger, receipts, kept bundles and notes. No snapshot holds them, so that
// without the list nobody would miss one that was removed, or see that an older one was put back.
//
//	mark.Take(local)                       // note what is there now
//	mark.Add(local, "bundles/1f…e2.zip")   // note one file
//	lost, err := mark.Lost(local)          // what was noted, and is gone or has shrunk
//	mark.Forget(local, "receipts")         // a person goes on without it
//
// The list is the file "marks" in the folder archive.local. A line is a sign (+ or -), the least
// size of the file in bytes (of one that only grows: of its whole lines), its name in slashes, and the CRC-32C of all that. Lines are only
// added. Each says something that stays true: that a file was there, and, of a file that only
// grows, how long it was at least. A line that is not as it was written, or was lost in a
// crash, is therefore passed over, and costs nothing but the alarm that it would have given. The list is
// no protection against somebody who can write the folder.
package mark

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"muniment/objects/disk"
)

const (
	// File is the name of the list.
	File = "marks"

	// MaxFile is the most bytes of the list that are read: 400,000 kept bundles.
	MaxFile = 32 << 20

	// maxName is the most bytes of a name: that of a remote, or of a bundle.
	maxName = 255
)

// growing are the files to which lines are only added; others are replaced whole.
var growing = map[string]bool{"journal": true, "receipts": true, "openings": true, "fixity.jsonl": true}

// noted are the files of a copy that Take looks for, besides those in folders.
var noted = []string{"accepted-trust", "audit.key", "fixity.jsonl", "given-trust", "journal", "last-refs", "last-snapshot", "ledger.db", "openings", "receipts", "sent.jsonl", "tokens.json"}

// folders has the names of the folders whose files Take looks for.
var folders = []string{"remotes"}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A LostFile is a file that was noted and is not as it must be.
type LostFile struct {
	Name string // within archive.local, with slashes
	Was  int64  // bytes that it had at least, 0 where it does not only grow
	Now  int64  // bytes that it has, -1 where it is gone
}

// String returns one line of English.
func (l LostFile) String() string {
	if l.Now < 0 {
		return l.Name + " was here and is gone"
	}
	return fmt.Sprintf("%s had %d bytes or more and has %d: lines are missing, or an older one was put back", l.Name, l.Was, l.Now)
}

// Take notes the files that are in the folder now and were not noted yet, or have grown. A
// folder that cannot be written, or is not there, stays as it is, and is no error.
func Take(local string) error {
	had, err := read(local)
	if err != nil {
		return err
	}
	names := slices.Clone(noted)
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(local, folder))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".new") { // is still being written
				names = append(names, path.Join(folder, e.Name()))
			}
		}
	}
	var lines strings.Builder
	for _, name := range names {
		size := sizeOf(local, name)
		if size < 0 {
			continue
		}
		least := int64(0)
		if growing[name] {
			least = size
		}
		if was, ok := had[name]; !ok || least > was {
			lines.WriteString(line('+', least, name))
		}
	}
	return add(local, lines.String())
}

// Add notes one file that is there now.
func Add(local, name string) error { return add(local, line('+', 0, name)) }

// Forget takes a file out of the list: whoever calls it goes on without the file.
func Forget(local, name string) error { return add(local, line('-', 0, name)) }

// Least returns how many bytes of whole lines a file that only grows had at least, 0 where nothing was noted.
func Least(local, name string) int64 {
	had, _ := read(local) // a list that cannot be read costs the alarm
	return had[name]
}

// Lost returns the files that were noted and are gone or have shrunk, by name.
func Lost(local string) ([]LostFile, error) {
	had, err := read(local)
	if err != nil {
		return nil, err
	}
	var lost []LostFile
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if now := sizeOf(local, name); now < had[name] {
			lost = append(lost, LostFile{name, had[name], now})
		}
	}
	return lost, nil
}

// sizeOf returns the bytes of a plain file, of one that only grows those of its whole lines; -1 where there
// is none.
func sizeOf(local, name string) int64 {
	path := filepath.Join(local, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	if growing[name] {
		return WholeSize(path, info.Size())
	}
	return info.Size()
}

// maxTail is the most bytes at the end of a file in which the end of its last whole line is looked for.
const maxTail = 64 << 10

// WholeSize returns how many of the size bytes of a file lie up to the end of its last whole line: a crash can leave a part of a
// line, or zeros in the last one. A file without a line end in its last maxTail bytes counts as it is.
func WholeSize(path string, size int64) int64 {
	f, err := disk.OpenPlain(path, os.O_RDONLY, 0)
	if err != nil {
		return size
	}
	defer f.Close()
	from := max(0, size-maxTail)
	tail := make([]byte, size-from)
	if _, err := f.ReadAt(tail, from); err != nil {
		return size
	}
	end := bytes.LastIndexByte(tail, '\n') + 1
	if start := bytes.LastIndexByte(tail[:max(end-1, 0)], '\n') + 1; bytes.IndexByte(tail[start:end], 0) >= 0 {
		end = start
	}
	if end == 0 && from > 0 {
		return size
	}
	return from + int64(end)
}

func line(sign byte, least int64, name string) string {
	text := fmt.Sprintf("%c %d %s", sign, least, name)
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

func add(local, lines string) error {
	if lines == "" {
		return nil
	}
	f, err := disk.OpenPlain(filepath.Join(local, File), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), disk.IsReadOnly(err):
		return nil
	case err != nil:
		return err
	}
	_, err = f.WriteString(lines)
	return errors.Join(err, f.Close())
}

// read returns the least size of each file that is on the list.
func read(local string) (map[string]int64, error) {
	data, err := disk.ReadOwnPlain(filepath.Join(local, File), MaxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	had := map[string]int64{}
	for text := range strings.Lines(string(data)) {
		sign, least, name, ok := parse(text)
		switch {
		case !ok:
		case sign == '-':
			delete(had, name)
		default:
			had[name] = max(least, had[name])
		}
	}
	return had, nil
}

// parse reads one line, which is exactly as line writes it.
func parse(text string) (sign byte, least int64, name string, ok bool) {
	fields := strings.Split(strings.TrimSuffix(text, "\n"), " ")
	if len(fields) < 4 || len(fields[0]) != 1 {
		return 0, 0, "", false
	}
	sign, name = fields[0][0], strings.Join(fields[2:len(fields)-1], " ")
	least, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || least < 0 || sign != '+' && sign != '-' || len(name) > maxName || !filepath.IsLocal(name) {
		return 0, 0, "", false
	}
	return sign, least, name, text == line(sign, least, name)
}
