// Package docpack opens the zip containers in which documents come (OPC for
// DOCX, the packages of OpenDocument, OCF for EPUB) and reads what lies in
// them within limits.
//
//	c, err := docpack.Open(data)
//	d, err := c.XML("content.xml")
//	parts, unread := c.Parts(map[string]string{"Pictures/1.png": "image/png"})
//
// Of a container only the names and the contents of entries count: not their
// order, times, compression, comments or extra fields, and not the entries
// that nobody asks for. Names are those of the central directory. They are
// compared in Normalization Form C and without regard to the case of ASCII
// letters, as the rules of OPC and OCF ask; a container in which two entries
// then have one name is refused, since two programs could read two documents
// in it. So is one with a name that is absolute, has an empty, "." or ".."
// component, a backslash, a colon or a control character. Names that are not
// UTF-8 cannot be asked for.
//
// Contents are stored or deflated; their length and checksum are verified, and
// no stated size is believed before.
package docpack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/read"
)

// Limits of a container.
const (
	// MaxInput is the longest container in bytes: it is held in memory, and so
	// is what is read of it.
	MaxInput = 256 << 20
	// MaxBytes is how much is inflated from one container in all: text that
	// deflates to a thousandth would otherwise make a terabyte.
	MaxBytes = 256 << 20
	// MaxEntries is the number of entries. A book in one entry for each page,
	// with as many pictures, has a few thousand.
	MaxEntries = 20_000
	// maxMarks is how often the mark of a directory entry may occur. It is
	// counted before the directory is read, which takes 300 bytes of memory for
	// each entry of 46; containers stored within this one add theirs.
	maxMarks = 100_000
	// MaxName is the longest name of an entry in bytes.
	MaxName = 1024
)

// flagEncrypted is bit 0 of an entry's flags.
const flagEncrypted = 1

// ErrEncrypted is in the chain of the error for an entry that is encrypted.
var ErrEncrypted = errors.New("encrypted")

// ErrAbsent is in the chain of the error for an entry that is not there.
var ErrAbsent = errors.New("not in the container")

// A Pack is an opened container. It is not safe for concurrent use.
type Pack struct {
	files map[string]*zip.File // by folded name
	left  *int64               // of MaxBytes, for this container and those within it
}

// Open reads the directory of a container.
func Open(data []byte) (*Pack, error) {
	left := int64(MaxBytes)
	return open(data, &left)
}

// Within reads the directory of a container that is an entry of this one. Of MaxBytes
// both have what is left.
func (c *Pack) Within(data []byte) (*Pack, error) { return open(data, c.left) }

func open(data []byte, left *int64) (*Pack, error) {
	if len(data) > MaxInput {
		return nil, fmt.Errorf("the container has %d bytes, at most %d are read", len(data), MaxInput)
	}
	if n := bytes.Count(data, []byte("PK\x01\x02")); n > maxMarks {
		return nil, fmt.Errorf("the container has %d marks of entries, at most %d are read", n, maxMarks)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("the container cannot be opened: %w", err)
	}
	if len(r.File) > MaxEntries {
		return nil, fmt.Errorf("the container has %d entries, at most %d are read", len(r.File), MaxEntries)
	}
	c := &Pack{files: make(map[string]*zip.File, len(r.File)), left: left}
	for _, f := range r.File {
		if err := checkTwice(data, f); err != nil {
			return nil, err
		}
		if !utf8.ValidString(f.Name) {
			continue
		}
		name, isDir := strings.CutSuffix(f.Name, "/")
		if err := CheckName(name); err != nil {
			return nil, err
		}
		key := fold(name)
		if other, ok := c.files[key]; ok && !isDir {
			return nil, fmt.Errorf("the container has two entries for one name, %q and %q", other.Name, f.Name)
		}
		if !isDir {
			c.files[key] = f
		}
	}
	return c, nil
}

// checkTwice compares an entry's name in the directory with the one before its
// content. No checksum covers them: a damaged name would hide a part that the
// text needs, its styles or its notes, from whoever looks for it.
func checkTwice(data []byte, f *zip.File) error {
	end, err := f.DataOffset()
	if err != nil || end > int64(len(data)) {
		return fmt.Errorf("the entry %q is not where the directory says", f.Name)
	}
	const head, nameLen = 30, 26 // of a local header, and where it states its name's length
	at := bytes.LastIndex(data[:end], []byte("PK\x03\x04"))
	if at < 0 || at+head > int(end) {
		return fmt.Errorf("the entry %q is not where the directory says", f.Name)
	}
	n := int(binary.LittleEndian.Uint16(data[at+nameLen:]))
	if at+head+n > int(end) || string(data[at+head:at+head+n]) != f.Name {
		return fmt.Errorf("the entry %q has another name before its content: damaged", f.Name)
	}
	return nil
}

// CheckName refuses a name that is not a plain relative path.
func CheckName(name string) error {
	if len(name) > MaxName {
		return fmt.Errorf("the name %.40q… has %d bytes, at most %d are read", name, len(name), MaxName)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r < ' ' || 0x7F <= r && r < 0xA0 || r == '\\' || r == ':' }); i >= 0 {
		return fmt.Errorf("the name %q holds the character %q, which no name in a container may", name, []rune(name[i:])[0])
	}
	if strings.HasPrefix(name, "/") {
		return fmt.Errorf("the name %q is absolute", name)
	}
	for component := range strings.SplitSeq(name, "/") {
		if component == "" || component == "." || component == ".." {
			return fmt.Errorf("the name %q has the component %q, which no name in a container may", name, component)
		}
	}
	return nil
}

// fold returns the key of a name. Case is that of ASCII alone: a wider rule
// would change with the tables of Unicode.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, string(canon.NFC([]byte(name))))
}

// Has reports whether there is an entry of that name.
func (c *Pack) Has(name string) bool {
	_, ok := c.files[fold(name)]
	return ok
}

// Read returns the content of an entry of at most limit bytes. Every error
// names the entry.
func (c *Pack) Read(name string, limit int64) ([]byte, error) {
	data, err := c.inflate(name, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// inflate returns the content of an entry, at most limit bytes, checked
// against its sum.
func (c *Pack) inflate(name string, limit int64) ([]byte, error) {
	f, ok := c.files[fold(name)]
	switch {
	case !ok:
		return nil, ErrAbsent
	case f.Flags&flagEncrypted != 0:
		return nil, ErrEncrypted
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return nil, fmt.Errorf("compressed by method %d, only stored and deflated entries are read", f.Method)
	}
	inContainer := limit > *c.left
	if inContainer {
		limit = *c.left
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	defer r.Close()
	var b bytes.Buffer
	// A stated size is a hint for memory, and no more than a megabyte of it.
	const hint = 1 << 20
	b.Grow(int(min(f.UncompressedSize64, hint)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	*c.left -= min(n, *c.left)
	switch {
	case n > limit && inContainer:
		return nil, fmt.Errorf("the container holds more than the %d bytes that are read", MaxBytes)
	case n > limit:
		return nil, fmt.Errorf("longer than the %d bytes that are read", limit)
	case err != nil:
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return b.Bytes(), nil
}

// Limits of Parts.
const (
	// MaxParts is the number of pictures and objects that are taken out of one
	// container: each becomes an artifact with a record.
	MaxParts = 5000
	// MaxPart is the longest of them in bytes.
	MaxPart = 128 << 20
)

// Parts returns the entries that want names, with the media types it gives, in
// the order of their names. Entries that are absent, empty, damaged, encrypted
// or beyond a limit are left out and counted: the text is worth keeping without
// its pictures, and the original has them still.
func (c *Pack) Parts(want map[string]string) (parts []read.Part, unread int) {
	names := slices.Sorted(maps.Keys(want))
	seen := map[string]bool{}
	for _, name := range names {
		if seen[fold(name)] {
			continue
		}
		seen[fold(name)] = true
		if len(parts) == MaxParts {
			unread++
			continue
		}
		data, err := c.Read(name, MaxPart)
		if err != nil || len(data) == 0 {
			unread++
			continue
		}
		parts = append(parts, read.Part{Name: name, MediaType: MediaType(want[name]), Data: data})
	}
	return parts, unread
}
