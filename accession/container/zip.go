package container

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The records of a zip, by the sections of APPNOTE 6.3.10.
const (
	zipLocal     = 0x04034b50 // 4.3.7
	zipCentral   = 0x02014b50 // 4.3.12
	zipEnd       = 0x06054b50 // 4.3.16
	zipEnd64     = 0x06064b50 // 4.3.14
	zipLocator64 = 0x07064b50 // 4.3.15
	zipData      = 0x08074b50 // 4.3.9

	zipLocalLen   = 30
	zipCentralLen = 46
	zipEndLen     = 22
	zipEnd64Len   = 56
	zipLocatorLen = 20
)

// The general purpose flags that change how the data is read (APPNOTE 4.4.4).
const (
	flagEncrypted  = 1 | 1<<6 | 1<<13
	flagDescriptor = 1 << 3
	flagPatch      = 1 << 5
)

var le = binary.LittleEndian

// A zipEntry is an entry of a zip's directory as archive/zip reads it, with the
// place of the header before its data.
type zipEntry struct {
	*zip.File
	extra  zipExtra
	offset int64
	lost   string // why a damaged zip does not give it
}

// scanZip lists the entries of a zip. Damage is the reason why the zip as a
// whole is refused although some entries can be read; err, why none may be.
func (r *Reader) scanZip(ctx context.Context) (all []candidate, damage, err error) {
	entries, at, err := r.readDirectory()
	if err != nil {
		return nil, nil, err
	}
	var total int64
	for i, f := range entries {
		if f.UncompressedSize64 > uint64(math.MaxInt64-total) || f.CompressedSize64 > math.MaxInt64 {
			return nil, nil, fmt.Errorf("directory entry %d declares %d bytes", i+1, max(f.UncompressedSize64, f.CompressedSize64))
		}
		total += int64(f.UncompressedSize64)
	}
	if limit := r.lim.expansion(r.size); total > limit {
		damage = fmt.Errorf("%d bytes expand to %d, at most %d are read", r.size, total, limit)
		for _, f := range entries {
			if f.UncompressedSize64/uint64(r.lim.ratio) > f.CompressedSize64 {
				f.lost = fmt.Sprintf("%d bytes expand to %d, at most %d times as many are read", f.CompressedSize64, f.UncompressedSize64, r.lim.ratio)
				total -= int64(f.UncompressedSize64)
			}
		}
		if total > limit {
			return nil, nil, damage
		}
	}
	headers, err := checkLayout(ctx, r.src, entries, at)
	if err != nil {
		return nil, nil, err
	}
	// A DOS or Windows program may write backslashes for slashes, against
	// APPNOTE 4.4.17.1. Their file systems are FAT, HPFS, NTFS and VFAT (4.4.2).
	dosSystems, backslashed := []uint16{0, 6, 10, 14}, true
	for _, f := range entries {
		backslashed = backslashed && slices.Contains(dosSystems, f.CreatorVersion>>8) && !strings.Contains(f.Name, "/")
	}
	for _, f := range entries {
		all = append(all, f.candidate(backslashed))
	}
	return all, cmp.Or(damage, headers), nil
}

// readDirectory reads the list at the end of a zip and the place where it
// begins. archive/zip reads it only after its bounds are known to be sound.
func (r *Reader) readDirectory() (list []*zipEntry, at int64, err error) {
	end, err := findEnd(r.src, r.size)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case end.entries > int64(r.lim.entries):
		return nil, 0, fmt.Errorf("%d entries, at most %d are read", end.entries, r.lim.entries)
	case end.dirSize > r.lim.directory:
		return nil, 0, fmt.Errorf("a directory of %d bytes, at most %d are read", end.dirSize, r.lim.directory)
	case end.entries*zipCentralLen > end.dirSize:
		return nil, 0, fmt.Errorf("%d entries do not fit into a directory of %d bytes", end.entries, end.dirSize)
	}
	dir := make([]byte, end.dirSize)
	if _, err := r.src.ReadAt(dir, end.dirOffset); err != nil {
		return nil, 0, fmt.Errorf("directory: %w", err)
	}
	for i := range end.entries {
		f, rest, err := cutDirectory(dir)
		if err != nil {
			return nil, 0, fmt.Errorf("directory entry %d: %w", i+1, err)
		}
		list, dir = append(list, f), rest
	}
	if len(dir) > 0 {
		return nil, 0, fmt.Errorf("%d bytes of the directory belong to no entry", len(dir))
	}
	z, err := zip.NewReader(r.src, r.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, 0, err
	}
	if len(z.File) != len(list) {
		return nil, 0, fmt.Errorf("%d directory entries, %d are declared", len(z.File), len(list))
	}
	for i, f := range list {
		f.File = z.File[i]
	}
	r.comment = z.Comment
	return list, end.dirOffset, nil
}

// cutDirectory cuts one entry from the front of the directory and checks what
// archive/zip passes over: the disk, the extra fields and the zip64 sizes.
func cutDirectory(dir []byte) (*zipEntry, []byte, error) {
	if len(dir) < zipCentralLen || le.Uint32(dir) != zipCentral {
		return nil, nil, fmt.Errorf("%q, want a directory entry", dir[:min(4, len(dir))])
	}
	nameLen, extraLen, commentLen := int(le.Uint16(dir[28:])), int(le.Uint16(dir[30:])), int(le.Uint16(dir[32:]))
	rest := dir[zipCentralLen:]
	if nameLen+extraLen+commentLen > len(rest) {
		return nil, nil, errCut
	}
	name := string(rest[:nameLen])
	x, err := parseExtra(rest[nameLen:nameLen+extraLen], name)
	if err != nil {
		return nil, nil, fmt.Errorf("%q: %w", name, err)
	}
	f := &zipEntry{extra: x, offset: int64(le.Uint32(dir[42:]))}
	packed, size := int64(le.Uint32(dir[20:])), int64(le.Uint32(dir[24:]))
	if err := x.widen(&size, &packed, &f.offset); err != nil {
		return nil, nil, fmt.Errorf("%q: %w", name, err)
	}
	if n := le.Uint16(dir[34:]); n != 0 {
		return nil, nil, fmt.Errorf("%q is on disk %d of several", name, n)
	}
	return f, rest[nameLen+extraLen+commentLen:], nil
}

// A zipExtra is the extra fields of one entry that decide on its place, size or
// name.
type zipExtra struct {
	zip64       []byte // nil if there is none
	unicodePath string // where it differs from the name
	unicodeFits bool   // it is valid, and was made for this name
	zoned       bool   // the time of the file is known in UTC
}

// parseExtra reads the extra fields of an entry (APPNOTE 4.5). Up to three
// zeros at the end are padding, as zipalign writes it.
func parseExtra(extra []byte, name string) (zipExtra, error) {
	var x zipExtra
	for len(extra) > 0 {
		if len(extra) < 4 {
			if zeros(extra) {
				break
			}
			return zipExtra{}, errors.New("a cut off extra field")
		}
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if n > len(extra)-4 {
			return zipExtra{}, fmt.Errorf("extra field 0x%04x of %d bytes is cut off", id, n)
		}
		data := extra[4 : 4+n]
		extra = extra[4+n:]
		switch {
		case id == 0x0001 && x.zip64 != nil:
			return zipExtra{}, errors.New("two zip64 fields")
		case id == 0x0001:
			x.zip64 = data
		case id == 0x000a || id == 0x5455 || id == 0x5855 || id == 0x000d: // NTFS, and three of Unix
			x.zoned = true
		case id == 0x7075 && n > 5 && string(data[5:]) != name:
			x.unicodePath = string(data[5:])
			x.unicodeFits = data[0] == 1 && le.Uint32(data[1:]) == crc32.ChecksumIEEE([]byte(name)) && utf8.ValidString(x.unicodePath)
		}
	}
	return x, nil
}

// widen replaces the fields that are saturated, in the order of APPNOTE 4.5.3,
// and requires that the zip64 field holds these and nothing else.
func (x zipExtra) widen(fields ...*int64) error {
	fields = slices.DeleteFunc(fields, func(v *int64) bool { return *v != math.MaxUint32 })
	if len(fields) > 0 && x.zip64 == nil {
		return errors.New("a size of 2^32-1 without a zip64 field")
	}
	if len(x.zip64) != 8*len(fields) {
		return fmt.Errorf("zip64 field of %d bytes, want %d", len(x.zip64), 8*len(fields))
	}
	for i, v := range fields {
		n := le.Uint64(x.zip64[8*i:])
		if n > math.MaxInt64 {
			return fmt.Errorf("zip64 size of %d", n)
		}
		*v = int64(n)
	}
	return nil
}

// candidate returns the entry as a file, a folder or something to skip. With
// backslashed, a backslash in its name stands for a slash.
func (f *zipEntry) candidate(backslashed bool) candidate {
	e := &Entry{Name: f.Name, Size: int64(f.UncompressedSize64), zip: f.File, digest: digest{f.CRC32, true}, Comment: f.Comment}
	if e.Modified = formatTime(f.Modified); !f.extra.zoned {
		e.Modified = strings.TrimSuffix(e.Modified, "Z")
	}
	switch {
	case f.extra.unicodeFits && !utf8.ValidString(f.Name):
		// The name in an old charset gives way to the one that was written
		// beside it for this purpose (APPNOTE 4.6.9).
		e.Name = f.extra.unicodePath
	case f.extra.unicodePath != "":
		e.addNote(fmt.Sprintf("its Unicode path field says %q", f.extra.unicodePath))
	}
	if backslashed && strings.Contains(e.Name, `\`) {
		e.addNote(fmt.Sprintf("the zip has it as %s, with backslashes for slashes", Quoted(e.Name)))
		e.Name = strings.ReplaceAll(e.Name, `\`, "/")
	}
	var unix uint32
	if sys := f.CreatorVersion >> 8; sys == 3 || sys == 19 { // Unix, macOS
		unix = f.ExternalAttrs >> 16 & 0o170000
	}
	folder := strings.HasSuffix(e.Name, "/") || unix == 0o040000
	var reason string
	switch {
	case unix == 0o120000:
		reason = "a symbolic link"
	case unix != 0 && unix != 0o100000 && unix != 0o040000:
		reason = "a device, a pipe or a socket"
	case folder && f.UncompressedSize64 != 0:
		reason = fmt.Sprintf("a folder with %d bytes of data", f.UncompressedSize64)
	case folder:
	case f.Flags&flagEncrypted != 0 || f.Method == 99:
		reason = "encrypted"
	case f.Flags&flagPatch != 0:
		reason = "a patch to another file"
	case f.Method != zip.Store && f.Method != zip.Deflate:
		reason = fmt.Sprintf("compressed with %s, which is not read here", methodName(f.Method))
	case f.Method == zip.Store && f.CompressedSize64 != f.UncompressedSize64:
		reason = fmt.Sprintf("stored as %d bytes and said to have %d", f.CompressedSize64, f.UncompressedSize64)
	default:
		reason = f.lost
	}
	return candidate{entry: e, folder: folder && reason == "", reason: reason, isLink: unix == 0o120000}
}

// methodName names a compression method (APPNOTE 4.4.5).
func methodName(m uint16) string {
	names := map[uint16]string{1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "XZ", 98: "PPMd"}
	if name, ok := names[m]; ok {
		return name
	}
	return fmt.Sprintf("method %d", m)
}

// findDocument returns the media type of a zip that is one document, else "".
func (r *Reader) findDocument() string {
	for i, e := range r.entries {
		switch {
		case r.format != Zip:
			return ""
		case i == 0 && e.Path == "mimetype" && e.zip.Method == zip.Store && e.Size < 128:
			rc, err := e.Open()
			if err != nil {
				return ""
			}
			b, err := io.ReadAll(rc)
			if rc.Close(); err != nil || !bytes.HasPrefix(b, []byte("application/")) {
				return ""
			}
			return strings.TrimSpace(string(b))
		case e.Path == "[Content_Types].xml":
			return "application/vnd.openxmlformats-package"
		case i < 2 && e.Path == "META-INF/MANIFEST.MF":
			return "application/java-archive"
		}
	}
	return ""
}
