package container

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A zipTail is what the end of a zip says of its directory.
type zipTail struct{ entries, dirSize, dirOffset int64 }

// findEnd reads the end records. They must be the last bytes of the file, and
// the directory must lie directly before them.
func findEnd(src io.ReaderAt, size int64) (zipTail, error) {
	tail := make([]byte, min(size, zipEndLen+math.MaxUint16))
	if _, err := src.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return zipTail{}, err
	}
	sig := le.AppendUint32(nil, zipEnd)
	at, last := -1, -1
	for i := len(tail) - zipEndLen; i >= 0; i-- {
		if !bytes.Equal(tail[i:i+4], sig) {
			continue
		}
		last = max(last, i)
		if int(le.Uint16(tail[i+20:])) == len(tail)-i-zipEndLen {
			if at >= 0 {
				return zipTail{}, errors.New("two end records: which directory is meant is unknown")
			}
			at = i
		}
	}
	switch {
	case at >= 0:
	case last >= 0:
		if n := len(tail) - last - zipEndLen - int(le.Uint16(tail[last+20:])); n > 0 {
			return zipTail{}, fmt.Errorf("%d bytes after the end record", n)
		}
		return zipTail{}, fmt.Errorf("the comment is %w", errCut)
	default:
		return zipTail{}, fmt.Errorf("no end record: %w, or followed by other bytes", errCut)
	}
	end := tail[at:]
	disk, dirDisk := le.Uint16(end[4:]), le.Uint16(end[6:])
	here, entries := int64(le.Uint16(end[8:])), int64(le.Uint16(end[10:]))
	t := zipTail{entries: entries, dirSize: int64(le.Uint32(end[12:])), dirOffset: int64(le.Uint32(end[16:]))}
	if disk != 0 && disk != math.MaxUint16 || dirDisk != 0 && dirDisk != math.MaxUint16 || here != entries {
		return zipTail{}, errors.New("one disk of several")
	}
	stop := size - int64(len(end)) // where the directory must end
	t, stop, err := t.widen(src, stop)
	if err != nil {
		return zipTail{}, err
	}
	if t.dirOffset > stop || t.dirSize > stop-t.dirOffset {
		return zipTail{}, fmt.Errorf("a directory of %d bytes at byte %d does not fit before byte %d: %w", t.dirSize, t.dirOffset, stop, errCut)
	}
	if gap := stop - t.dirOffset - t.dirSize; gap > 0 {
		var head [4]byte
		if _, err := src.ReadAt(head[:], stop-t.dirSize); err == nil && t.dirSize > 0 && le.Uint32(head[:]) == zipCentral {
			return zipTail{}, fmt.Errorf("%d bytes before the first entry, as of a self-extracting program", gap)
		}
		return zipTail{}, fmt.Errorf("%d bytes between the directory and the end record", gap)
	}
	return t, nil
}

// widen replaces saturated values by those of the zip64 end record that stands
// before stop, and requires that the others agree with it.
func (t zipTail) widen(src io.ReaderAt, stop int64) (zipTail, int64, error) {
	full := t.entries == math.MaxUint16 || t.dirSize == math.MaxUint32 || t.dirOffset == math.MaxUint32
	loc := make([]byte, zipLocatorLen)
	if stop >= zipLocatorLen {
		if _, err := src.ReadAt(loc, stop-zipLocatorLen); err != nil {
			return zipTail{}, 0, err
		}
	}
	if le.Uint32(loc) != zipLocator64 {
		if full {
			return zipTail{}, 0, errors.New("saturated sizes without a zip64 end record")
		}
		return t, stop, nil
	}
	at := le.Uint64(loc[8:])
	if le.Uint32(loc[4:]) != 0 || le.Uint32(loc[16:]) > 1 {
		return zipTail{}, 0, errors.New("one disk of several")
	}
	room := stop - zipLocatorLen
	if at > uint64(room) || room-int64(at) < zipEnd64Len {
		return zipTail{}, 0, fmt.Errorf("zip64 end record at byte %d, want it directly before byte %d", at, room)
	}
	rec := make([]byte, zipEnd64Len)
	if _, err := src.ReadAt(rec, int64(at)); err != nil {
		return zipTail{}, 0, err
	}
	if le.Uint32(rec) != zipEnd64 || le.Uint64(rec[4:]) != uint64(room)-at-12 {
		return zipTail{}, 0, fmt.Errorf("zip64 end record at byte %d is not one, or not directly before its locator", at)
	}
	if le.Uint32(rec[16:]) != 0 || le.Uint32(rec[20:]) != 0 || le.Uint64(rec[24:]) != le.Uint64(rec[32:]) {
		return zipTail{}, 0, errors.New("one disk of several")
	}
	for _, v := range []struct {
		field *int64
		full  int64
		wide  uint64
		what  string
	}{
		{&t.entries, math.MaxUint16, le.Uint64(rec[32:]), "entries"},
		{&t.dirSize, math.MaxUint32, le.Uint64(rec[40:]), "directory bytes"},
		{&t.dirOffset, math.MaxUint32, le.Uint64(rec[48:]), "as the directory's place"},
	} {
		if v.wide > math.MaxInt64 || *v.field != v.full && uint64(*v.field) != v.wide {
			return zipTail{}, 0, fmt.Errorf("the end records disagree: %d and %d %s", *v.field, v.wide, v.what)
		}
		*v.field = int64(v.wide)
	}
	return t, int64(at), nil
}

// checkLayout requires that the files, each with its header and descriptor,
// follow each other without gap or overlap from byte 0 to the directory.
//
// Where lost is given, a file whose header or descriptor is damaged is told to
// it with the reason and ends where the next one begins.
func checkLayout(ctx context.Context, src io.ReaderAt, files []*zipFile, directory int64, lost func(*zipFile, error)) error {
	order := slices.SortedFunc(slices.Values(files), func(a, b *zipFile) int { return cmp.Compare(a.offset, b.offset) })
	var at int64
	for i, f := range order {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := directory
		if i+1 < len(order) {
			next = order[i+1].offset
		}
		switch {
		case f.offset < at:
			return fmt.Errorf("%q at byte %d overlaps the entry before it, which ends at %d", f.name, f.offset, at)
		case f.offset > at:
			return fmt.Errorf("%d bytes at byte %d belong to no entry", f.offset-at, at)
		}
		local, err := f.readLocal(src, next)
		if err != nil && lost != nil {
			lost(f, err)
			at = next
			continue
		}
		if err != nil {
			return fmt.Errorf("%q at byte %d: %w", f.name, f.offset, err)
		}
		if next-f.data < f.packed {
			return fmt.Errorf("%q of %d packed bytes at byte %d overlaps what begins at byte %d", f.name, f.packed, f.data, next)
		}
		at = f.data + f.packed
		if f.flags&(1<<3) != 0 && (next != at || !local) {
			n, err := f.descriptor(src, at, next)
			if err != nil && lost != nil {
				lost(f, err)
				at = next
				continue
			}
			if err != nil {
				return fmt.Errorf("%q: %w", f.name, err)
			}
			at += n
		}
	}
	if at != directory {
		return fmt.Errorf("%d bytes at byte %d belong to no entry", directory-at, at)
	}
	return nil
}

// readLocal reads the header before the data and compares it with the
// directory's entry. It reports whether the header itself holds checksum and
// sizes.
func (f *zipFile) readLocal(src io.ReaderAt, next int64) (whole bool, err error) {
	head := make([]byte, zipLocalLen)
	if next-f.offset < zipLocalLen {
		return false, errors.New("no room for a header")
	}
	if _, err := src.ReadAt(head, f.offset); err != nil {
		return false, err
	}
	if le.Uint32(head) != zipLocal {
		return false, fmt.Errorf("%q, want a header", head[:4])
	}
	nameLen, extraLen := int64(le.Uint16(head[26:])), int64(le.Uint16(head[28:]))
	f.data = f.offset + zipLocalLen + nameLen + extraLen
	if f.data > next {
		return false, errors.New("the header overlaps what follows")
	}
	rest := make([]byte, nameLen+extraLen)
	if _, err := src.ReadAt(rest, f.offset+zipLocalLen); err != nil {
		return false, err
	}
	if name := string(rest[:nameLen]); name != f.name {
		return false, fmt.Errorf("the header before the data names it %q", name)
	}
	const telling = 1 | 1<<3 | 1<<5 | 1<<6 | 1<<13 // flags that change how the data is read
	if flags, method := le.Uint16(head[6:]), le.Uint16(head[8:]); flags&telling != f.flags&telling || method != f.method {
		return false, fmt.Errorf("flags 0x%04x and method %d in the header, 0x%04x and %d in the directory", flags, method, f.flags, f.method)
	}
	crc, packed, size := le.Uint32(head[14:]), int64(le.Uint32(head[18:])), int64(le.Uint32(head[22:]))
	x, err := parseExtra(rest[nameLen:], f.name)
	if err != nil {
		return false, fmt.Errorf("header: %w", err)
	}
	if packed == math.MaxUint32 || size == math.MaxUint32 {
		if err := x.take64([]*int64{&size, &packed}); err != nil { // both, always: 4.5.3
			return false, fmt.Errorf("header: %w", err)
		}
	}
	if crc == f.crc && packed == f.packed && size == f.size {
		return true, nil
	}
	// What is not known when the header is written is 0 there; some writers know
	// the size already.
	if f.flags&(1<<3) != 0 && (crc == 0 || crc == f.crc) && (packed == 0 || packed == f.packed) && (size == 0 || size == f.size) {
		return false, nil
	}
	return false, fmt.Errorf("checksum %08x, %d packed and %d plain bytes in the header, %08x, %d and %d in the directory",
		crc, packed, size, f.crc, f.packed, f.size)
}

// descriptor checks the record after the data, whose four forms differ in
// length, and returns its length.
func (f *zipFile) descriptor(src io.ReaderAt, at, next int64) (int64, error) {
	n := next - at
	bad := fmt.Errorf("%d bytes after the data are no descriptor of it", n)
	if n != 12 && n != 16 && n != 20 && n != 24 {
		return 0, bad
	}
	b := make([]byte, n)
	if _, err := src.ReadAt(b, at); err != nil {
		return 0, err
	}
	if n == 16 || n == 24 {
		if le.Uint32(b) != zipData {
			return 0, bad
		}
		b = b[4:]
	}
	packed, size := uint64(le.Uint32(b[4:])), uint64(le.Uint32(b[8:]))
	if len(b) == 20 {
		packed, size = le.Uint64(b[4:]), le.Uint64(b[12:])
	}
	if le.Uint32(b) != f.crc || packed != uint64(f.packed) || size != uint64(f.size) {
		return 0, bad
	}
	return n, nil
}
