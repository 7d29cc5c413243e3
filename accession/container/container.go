// Package container lists and reads the files of a zip, a 7z or a tar, plain or packed
// by gzip, bzip2, xz or zstd, where it lies, for folders that arrive packed. Libraries
// read zip and tar, and this package refuses what they let pass; of a 7z, libraries
// unpack the streams, and the list of files is read here.
//
//	r, err := container.Open(ctx, "letters.zip")
//	for _, e := range r.Entries() { // in stored order
//		body, err := e.Open()
//		...
//	}
//	for _, s := range r.Skipped() { ... s.Name, s.Reason ... }
//	r.Close()
//
// The format follows from the content, never from the name. Open reads the whole
// list (of a tar.gz: the whole stream, once) before it returns, so that a damaged
// container is refused before any entry is read.
//
// Two readers of one container must not see two different lists. What can be
// read in two ways is therefore refused or skipped, with the reason:
//
// A container is refused as a whole when its structure is in doubt. Of a zip:
// bytes before, between or after the entries that belong to none, entries that
// overlap, a directory entry that disagrees with the header before the data, a
// missing or second end record, several disks, a zip64 field that repeats or is
// of the wrong length. Of a tar: a wrong checksum, a number that is negative or
// beyond 2^63-1, a size that a PAX header changes although the plain header
// could hold it, two long names for one file, PAX defaults for all files that
// set a name, size, time or sparse map, a missing end, anything but zeros after
// the end. Of a gzip: a wrong length or checksum, trailing bytes. And any of them
// beyond a limit (see the constants). Of a 7z: a head that claims what its own bytes
// do not hold, or with a wrong checksum, bytes after the end, a wrong checksum of any
// file, a head that is encrypted.
//
// An entry is skipped, and the others stay, when its name is absolute, has a
// drive letter, a backslash, a NUL or a part "..", "." or "" (one leading "./"
// is dropped), is longer than MaxName, or occurs twice (no copy is read: which
// one is meant is unknown) or is also a folder; when it is a symbolic
// link, a device, a pipe or a sparse file; when it is encrypted or compressed
// with a method other than deflate (of a 7z: than LZMA, LZMA2, PPMd, BZip2, deflate,
// zstd and delta). A hard link of a tar is the file before it
// that it names, with a Note; any other hard link is skipped.
//
// A backslash is a separator in a zip that a DOS or Windows program made and in
// which no name has a slash; such names carry a Note.
//
// Names that differ only in case, in Unicode normalization or by invisible
// characters stay apart, with a Note each. A container in a container is a file.
//
// A wrong size or checksum is an error of reading the entry, in the place of
// io.EOF; no more than Size bytes are read.
//
// Salvage opens a damaged container as far as it can be read; Damage is then the
// reason why Open refuses it. Salvage, too, refuses a zip that can be read in two
// ways.
package container

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
)

// Limits on what one container may ask for.
const (
	// MaxEntries of all kinds: above five times the largest correspondence
	// that is planned for, and still a list of some ten megabytes.
	MaxEntries = 1 << 18
	// MaxName is the length of a name in bytes: PATH_MAX of Linux.
	MaxName = 4096
	// MaxTotal bytes of all entries together: ten recordings of 10 GiB and
	// room. Larger holdings are to be handed over in parts.
	MaxTotal = 256 << 30
	// MaxRatio of the bytes of all entries to those of the container. Deflate
	// reaches 1032 on zeros; text reaches 20, repetitive logs 100. Below
	// FreeTotal the ratio does not matter.
	MaxRatio  = 256
	FreeTotal = 64 << 20

	maxNames     = 64 << 20 // bytes of all names: what the list may hold in memory
	maxDirectory = 64 << 20 // bytes of a zip's directory: it is read whole
)

// A Format is the kind of a container.
type Format string

// The formats that are read.
const (
	Zip    Format = "zip"
	Tar    Format = "tar"
	TarGz  Format = "tar.gz"
	TarBz2 Format = "tar.bz2"
	TarXz  Format = "tar.xz"
	TarZst Format = "tar.zst"

	SevenZip Format = "7z"
)

// ErrFormat reports that a file is no container of a kind that is read here.
var ErrFormat = errors.New("neither a zip nor a 7z nor a tar, plain or packed by gzip, bzip2, xz or zstd")

// errClosed is the error of reading from a closed container or entry.
var errClosed = errors.New("the container was closed")

// An Entry is one regular file of a container.
type Entry struct {
	Name string // the bytes as stored, or what the Unicode path field of a zip has in the place of them; not always UTF-8
	Path string // Name without a leading "./"
	Size int64  // bytes
	Note string // a remark about the name or link, "" if none

	// Modified is the time of the file, in UTC as RFC 3339 writes it, without the Z
	// where the container does not say its zone; "" if it has none.
	Modified string

	Comment string // of a zip: what it says of the file, in whatever charset; "" if nothing

	r      *Reader
	index  int
	offset int64        // of the data of a tar: in the file; of a packed tar or a 7z, in the expanded stream
	zip    *zip.File    // nil of a tar and a 7z
	folder *sevenFolder // of a 7z: where it is packed; nil for an empty file
	digest digest
}

// A Skip is an entry that cannot be read, and the reason.
type Skip struct {
	Name   string // as stored
	Reason string
	Unread bool // it has bytes, which another program, a password or a person may read
}

// A Reader is an open container. Its entries may be read concurrently.
type Reader struct {
	format   Format
	entries  []*Entry
	skipped  []Skip
	document string
	comment  string
	damage   error // of a salvaged container

	src    io.ReaderAt
	size   int64
	lim    limits
	file   *os.File // closed by Close; nil if the caller's
	mu     sync.Mutex
	closed bool
	idle   []*packedStream
}

// limits are the constants above, smaller in tests.
type limits struct {
	entries, names     int
	total, ratio, free int64
	directory          int64
}

var standard = limits{entries: MaxEntries, names: maxNames, total: MaxTotal, ratio: MaxRatio, free: FreeTotal, directory: maxDirectory}

// expansion returns how many bytes a container of size bytes may expand to.
func (l limits) expansion(size int64) int64 {
	if size > math.MaxInt64/l.ratio {
		return l.total
	}
	return min(l.total, max(l.free, size*l.ratio))
}

// Open opens the container in the file path, a regular one. The error is
// ErrFormat when it is none of the kinds that are read.
func Open(ctx context.Context, path string) (*Reader, error) { return openFile(ctx, path, New) }

// Salvage opens the container in the file path like Open, and one that Open
// refuses as far as it can be read:
//
//   - of a tar and a gzipped tar, every entry that lies whole before the place
//     of the damage, or before the expansion limit is reached;
//   - of a zip whose directory is whole, every entry but those whose header is
//     damaged and, where all together expand beyond the limit, those that
//     expand by more than MaxRatio. A zip that is cut off has no directory;
//   - of a 7z whose head is whole, every entry whose bytes have the right checksum.
//     The head is at the end: a 7z that is cut off has none.
//
// Damage then returns the reason why Open refuses it, and Skipped the entries that
// are lost and known. A container of which no entry can be read is refused.
func Salvage(ctx context.Context, path string) (*Reader, error) {
	return openFile(ctx, path, SalvageFrom)
}

func openFile(ctx context.Context, path string, parse func(context.Context, io.ReaderAt, int64) (*Reader, error)) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	var r *Reader
	if err == nil {
		r, err = parse(ctx, f, info.Size())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	return r, nil
}

// New opens the container in the size bytes of src, which stays the caller's.
func New(ctx context.Context, src io.ReaderAt, size int64) (*Reader, error) {
	r, err := SalvageFrom(ctx, src, size)
	if err == nil && r.damage != nil {
		return nil, r.damage
	}
	return r, err
}

// SalvageFrom opens the container in the size bytes of src, which stays the caller's, like Salvage.
func SalvageFrom(ctx context.Context, src io.ReaderAt, size int64) (*Reader, error) {
	return newReader(ctx, src, size, standard)
}

// newReader opens a container, a damaged one as far as it can be read.
func newReader(ctx context.Context, src io.ReaderAt, size int64, lim limits) (*Reader, error) {
	r := &Reader{format: Detect(src, size), src: src, size: size, lim: lim}
	var all []candidate
	var err error
	switch r.format {
	default:
		return nil, ErrFormat
	case Zip:
		all, r.damage, err = r.scanZip(ctx)
	case Tar:
		all, r.damage = scanTar(ctx, io.NewSectionReader(src, 0, size), lim)
	case SevenZip:
		all, r.damage, err = r.scanSevenZip(ctx)
	case TarGz, TarBz2, TarXz, TarZst:
		all, r.damage = scanPacked(ctx, src, size, lim)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.format, err)
	}
	if r.format != Zip && r.format != SevenZip {
		followHardLinks(all, lim.expansion(size), r.format != Tar)
	}
	r.addEntries(all)
	if r.damage != nil {
		if r.damage = fmt.Errorf("%s: %w", r.format, r.damage); len(r.entries) == 0 {
			return nil, r.damage
		}
	}
	r.document = r.findDocument()
	return r, nil
}

// Damage returns the damage of a salvaged container, nil for a whole one.
func (r *Reader) Damage() error { return r.damage }

// Format returns the kind of the container.
func (r *Reader) Format() Format { return r.format }

// Comment returns the comment of a zip as a whole, "" if there is none.
func (r *Reader) Comment() string { return r.comment }

// Entries returns the files that can be read, in stored order.
func (r *Reader) Entries() []*Entry { return r.entries }

// TakeEntries returns the entries and forgets them: one is freed as soon as its caller has
// read it, and what the directory of a zip says of all with the last.
func (r *Reader) TakeEntries() []*Entry {
	entries := r.entries
	r.entries = nil
	return entries
}

// Skipped returns the entries that cannot be read, in stored order. Folders are in
// neither list.
func (r *Reader) Skipped() []Skip { return r.skipped }

// Document returns the media type of a zip that is one document rather than a
// packed folder (office files, EPUB, Java archives), else "".
func (r *Reader) Document() string { return r.document }

// Close releases the container. Entries that are being read then fail.
func (r *Reader) Close() error {
	r.mu.Lock()
	r.closed, r.idle = true, nil
	r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Index returns the place of the entry among the reader's entries, from 0.
// Of a tar.gz and a 7z, entries are cheapest to open in this order.
func (e *Entry) Index() int { return e.index }
