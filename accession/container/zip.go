package container

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"time"
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

	zipStored  = 0
	zipDeflate = 8
)

var le = binary.LittleEndian

// A zipFile is one entry of a zip's directory.
type zipFile struct {
	name          string
	madeBy, flags uint16
	method        uint16
	clock, date   uint16
	crc           uint32
	packed, size  int64
	offset        int64 // of the header before the data
	data          int64 // of the data: that header says where it ends
	external      uint32
	modified      time.Time
	unicodePath   string
	unicodeFits   bool // unicodePath is valid, and was made for this name
}

// scanZip reads a zip's directory and checks that its entries fill the file
// from the first byte to the directory.
func (r *Reader) scanZip(ctx context.Context) ([]found, error) {
	files, total, end, err := r.readDirectory()
	if err != nil {
		return nil, err
	}
	if limit := r.lim.expansion(r.size); total > limit {
		return nil, fmt.Errorf("%d bytes expand to %d, at most %d are read", r.size, total, limit)
	}
	if err := checkLayout(ctx, r.src, files, end, nil); err != nil {
		return nil, err
	}
	return foundIn(files), nil
}

// foundIn says what the entries of a directory are.
func foundIn(files []*zipFile) []found {
	backslashed := len(files) > 0
	for _, f := range files {
		backslashed = backslashed && f.fromDOS() && !strings.Contains(f.name, "/")
	}
	all := make([]found, len(files))
	for i, f := range files {
		all[i] = f.found(backslashed)
	}
	return all
}

// fromDOS reports whether the file system of the writer has the backslash for a
// separator (APPNOTE 4.4.2): FAT, HPFS, NTFS and VFAT.
func (f *zipFile) fromDOS() bool {
	switch f.madeBy >> 8 {
	case 0, 6, 10, 14:
		return true
	}
	return false
}

// readDirectory reads the list at the end of a zip, the sum of the sizes in it
// and the place where it begins.
func (r *Reader) readDirectory() (files []*zipFile, total, at int64, err error) {
	end, err := findEnd(r.src, r.size)
	if err != nil {
		return nil, 0, 0, err
	}
	switch {
	case end.entries > int64(r.lim.entries):
		return nil, 0, 0, fmt.Errorf("%d entries, at most %d are read", end.entries, r.lim.entries)
	case end.dirSize > r.lim.directory:
		return nil, 0, 0, fmt.Errorf("a directory of %d bytes, at most %d are read", end.dirSize, r.lim.directory)
	case end.entries*zipCentralLen > end.dirSize:
		return nil, 0, 0, fmt.Errorf("%d entries do not fit into a directory of %d bytes", end.entries, end.dirSize)
	}
	dir := make([]byte, end.dirSize)
	if _, err := r.src.ReadAt(dir, end.dirOffset); err != nil {
		return nil, 0, 0, fmt.Errorf("directory: %w", err)
	}
	files = make([]*zipFile, 0, end.entries)
	for i := range end.entries {
		f, rest, err := cutCentral(dir)
		if err != nil {
			return nil, 0, 0, fmt.Errorf("directory entry %d: %w", i+1, err)
		}
		if f.size > math.MaxInt64-total {
			return nil, 0, 0, fmt.Errorf("directory entry %d declares %d bytes", i+1, f.size)
		}
		total += f.size
		files, dir = append(files, f), rest
	}
	if len(dir) > 0 {
		return nil, 0, 0, fmt.Errorf("%d bytes of the directory belong to no entry", len(dir))
	}
	return files, total, end.dirOffset, nil
}

// cutCentral takes one entry from the front of the directory.
func cutCentral(dir []byte) (*zipFile, []byte, error) {
	if len(dir) < zipCentralLen || le.Uint32(dir) != zipCentral {
		return nil, nil, fmt.Errorf("%q, want a directory entry", dir[:min(4, len(dir))])
	}
	f := &zipFile{
		madeBy: le.Uint16(dir[4:]), flags: le.Uint16(dir[8:]), method: le.Uint16(dir[10:]),
		clock: le.Uint16(dir[12:]), date: le.Uint16(dir[14:]), crc: le.Uint32(dir[16:]),
		packed: int64(le.Uint32(dir[20:])), size: int64(le.Uint32(dir[24:])),
		external: le.Uint32(dir[38:]), offset: int64(le.Uint32(dir[42:])),
	}
	nameLen, extraLen, commentLen := int(le.Uint16(dir[28:])), int(le.Uint16(dir[30:])), int(le.Uint16(dir[32:]))
	disk := dir[34:36]
	rest := dir[zipCentralLen:]
	if nameLen+extraLen+commentLen > len(rest) {
		return nil, nil, errors.New("cut off")
	}
	f.name = string(rest[:nameLen])
	x, err := parseExtra(rest[nameLen:nameLen+extraLen], f.name)
	if err != nil {
		return nil, nil, fmt.Errorf("%q: %w", f.name, err)
	}
	want := []*int64{}
	for _, v := range []*int64{&f.size, &f.packed, &f.offset} {
		if *v == math.MaxUint32 {
			want = append(want, v)
		}
	}
	if err := x.take64(want); err != nil {
		return nil, nil, fmt.Errorf("%q: %w", f.name, err)
	}
	if n := le.Uint16(disk); n != 0 {
		return nil, nil, fmt.Errorf("%q is on disk %d of several", f.name, n)
	}
	f.modified, f.unicodePath, f.unicodeFits = x.modified, x.unicodePath, x.unicodeFits
	return f, rest[nameLen+extraLen+commentLen:], nil
}

// A zipExtra is what the extra fields of one entry say.
type zipExtra struct {
	zip64       []byte // nil if there is none
	modified    time.Time
	unicodePath string // where it differs from the name
	unicodeFits bool   // it is valid, and was made for this name
}

// parseExtra reads the extra fields of an entry (APPNOTE 4.5). Up to three
// zeros at the end are padding, as zipalign writes it.
func parseExtra(extra []byte, name string) (zipExtra, error) {
	var x zipExtra
	for len(extra) > 0 {
		if len(extra) < 4 {
			if len(bytes.Trim(extra, "\x00")) == 0 {
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
		case id == 0x0001:
			if x.zip64 != nil {
				return zipExtra{}, errors.New("two zip64 fields")
			}
			x.zip64 = data
			if data == nil {
				x.zip64 = []byte{}
			}
		case id == 0x5455 && n >= 5 && data[0]&1 != 0: // extended timestamp
			x.modified = time.Unix(int64(int32(le.Uint32(data[1:]))), 0).UTC()
		case id == 0x000a && n >= 16 && le.Uint16(data[4:]) == 1 && x.modified.IsZero(): // NTFS, in 100 ns since 1601
			t := int64(le.Uint64(data[8:]))
			x.modified = time.Unix(t/1e7-11644473600, t%1e7*100).UTC()
		case id == 0x7075 && n > 5 && string(data[5:]) != name:
			x.unicodePath = string(data[5:])
			x.unicodeFits = data[0] == 1 && le.Uint32(data[1:]) == crc32.ChecksumIEEE([]byte(name)) && utf8.ValidString(x.unicodePath)
		}
	}
	return x, nil
}

// take64 fills the fields that were saturated, in the order of APPNOTE 4.5.3,
// and requires that the zip64 field holds these and nothing else.
func (x zipExtra) take64(fields []*int64) error {
	if len(fields) == 0 && x.zip64 == nil {
		return nil
	}
	if x.zip64 == nil {
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

// found says whether the entry is a file, a folder or something to skip. In its
// name backslashes may stand for slashes, against APPNOTE 4.4.17.1.
func (f *zipFile) found(backslashed bool) found {
	e := &Entry{Name: f.name, Size: f.size, ModTime: f.modified, offset: f.data, packed: f.packed, method: f.method, crc: f.crc}
	if e.ModTime.IsZero() && f.date != 0 {
		e.ModTime = dosTime(f.date, f.clock)
	}
	switch {
	case f.unicodeFits && !utf8.ValidString(f.name):
		// The name in an old charset gives way to the one that was written
		// beside it for this purpose (APPNOTE 4.6.9).
		e.Name = f.unicodePath
	case f.unicodePath != "":
		e.addNote(fmt.Sprintf("its Unicode path field says %q", f.unicodePath))
	}
	if backslashed && strings.Contains(e.Name, `\`) {
		e.addNote(fmt.Sprintf("the zip has it as %s, with backslashes for slashes", Quoted(e.Name)))
		e.Name = strings.ReplaceAll(e.Name, `\`, "/")
	}
	var unix uint32
	if sys := f.madeBy >> 8; sys == 3 || sys == 19 { // Unix, macOS
		unix = f.external >> 16
	}
	folder := strings.HasSuffix(e.Name, "/") || unix&0o170000 == 0o040000
	var reason string
	switch {
	case unix&0o170000 == 0o120000:
		reason = "a symbolic link"
	case unixSpecial(unix):
		reason = "a device, a pipe or a socket"
	case folder && f.size != 0:
		reason = fmt.Sprintf("a folder with %d bytes of data", f.size)
	case folder:
	case f.flags&(1|1<<6|1<<13) != 0 || f.method == 99:
		reason = "encrypted"
	case f.flags&(1<<5) != 0:
		reason = "a patch to another file"
	case f.method != zipStored && f.method != zipDeflate:
		reason = fmt.Sprintf("compressed with %s, which is not read here", methodName(f.method))
	case f.method == zipStored && f.packed != f.size:
		reason = fmt.Sprintf("stored as %d bytes and said to have %d", f.packed, f.size)
	}
	return found{entry: e, folder: folder && reason == "", reason: reason}
}

func unixSpecial(mode uint32) bool {
	switch mode & 0o170000 {
	case 0, 0o100000, 0o040000, 0o120000:
		return false
	}
	return true
}

// methodName names a compression method (APPNOTE 4.4.5).
func methodName(m uint16) string {
	names := map[uint16]string{1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "XZ", 98: "PPMd"}
	if name, ok := names[m]; ok {
		return name
	}
	return fmt.Sprintf("method %d", m)
}

// dosTime reads a date and time of two seconds' precision. It has no zone and
// is taken for UTC.
func dosTime(date, clock uint16) time.Time {
	return time.Date(int(date>>9)+1980, time.Month(date>>5&15), int(date&31), int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}

// findDocument recognises zips that are one document.
func (r *Reader) findDocument() string {
	if r.format != Zip || len(r.entries) == 0 {
		return ""
	}
	for i, e := range r.entries {
		switch {
		case i == 0 && e.Path == "mimetype" && e.method == zipStored && e.Size < 128:
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
