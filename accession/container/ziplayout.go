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

// A zipTail is what the end records of a zip declare of its directory.
type zipTail struct{ entries, dirSize, dirOffset int64 }

var errDisks = errors.New("one disk of several")

// findEnd reads the end records. They must be the last bytes of the file, and
// the directory must lie directly before them.
func findEnd(src io.ReaderAt, size int64) (zipTail, error) {
	tail := make([]byte, min(size, zipEndLen+math.MaxUint16))
	if _, err := src.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return zipTail{}, err
	}
	fits := 0 // end records whose comment ends with the file
	last := -1
	for i := range len(tail) - zipEndLen + 1 {
		if le.Uint32(tail[i:]) == zipEnd {
			if last = i; i+zipEndLen+int(le.Uint16(tail[i+20:])) == len(tail) {
				fits++
			}
		}
	}
	if last < 0 {
		return zipTail{}, fmt.Errorf("no end record: %w, or followed by other bytes", errCut)
	}
	end := tail[last:]
	switch more := len(end) - zipEndLen - int(le.Uint16(end[20:])); {
	case fits > 1:
		return zipTail{}, errors.New("two end records: which directory is meant is unknown")
	case more > 0:
		return zipTail{}, fmt.Errorf("%d bytes after the end record", more)
	case more < 0:
		return zipTail{}, fmt.Errorf("the comment is %w", errCut)
	}
	disk, dirDisk, here := le.Uint16(end[4:]), le.Uint16(end[6:]), le.Uint16(end[8:])
	t := zipTail{entries: int64(le.Uint16(end[10:])), dirSize: int64(le.Uint32(end[12:])), dirOffset: int64(le.Uint32(end[16:]))}
	if disk != 0 && disk != math.MaxUint16 || dirDisk != 0 && dirDisk != math.MaxUint16 || int64(here) != t.entries {
		return zipTail{}, errDisks
	}
	stop, err := t.widen(src, size-int64(len(end))) // where the directory must end
	if err != nil {
		return zipTail{}, err
	}
	if t.dirOffset > stop || t.dirSize > stop-t.dirOffset {
		return zipTail{}, fmt.Errorf("a directory of %d bytes at byte %d does not fit before byte %d: %w", t.dirSize, t.dirOffset, stop, errCut)
	}
	if gap := stop - t.dirOffset - t.dirSize; gap > 0 {
		head := make([]byte, 4)
		if _, err := src.ReadAt(head, stop-t.dirSize); err == nil && t.dirSize > 0 && le.Uint32(head) == zipCentral {
			return zipTail{}, fmt.Errorf("%d bytes before the first entry, as of a self-extracting program", gap)
		}
		return zipTail{}, fmt.Errorf("%d bytes between the directory and the end record", gap)
	}
	return t, nil
}

// widen replaces saturated values by those of the zip64 end record, if one
// stands before stop, requires that the others agree with it, and returns where
// the directory must end.
func (t *zipTail) widen(src io.ReaderAt, stop int64) (int64, error) {
	room := stop - zipLocatorLen
	loc := make([]byte, zipLocatorLen)
	if room >= 0 {
		if _, err := src.ReadAt(loc, room); err != nil {
			return 0, err
		}
	}
	if le.Uint32(loc) != zipLocator64 {
		if t.entries == math.MaxUint16 || t.dirSize == math.MaxUint32 || t.dirOffset == math.MaxUint32 {
			return 0, errors.New("saturated sizes without a zip64 end record")
		}
		return stop, nil
	}
	at := le.Uint64(loc[8:])
	if at > uint64(room) || room-int64(at) < zipEnd64Len {
		return 0, fmt.Errorf("zip64 end record at byte %d, want it directly before byte %d", at, room)
	}
	rec := make([]byte, zipEnd64Len)
	if _, err := src.ReadAt(rec, int64(at)); err != nil {
		return 0, err
	}
	if le.Uint32(rec) != zipEnd64 || le.Uint64(rec[4:]) != uint64(room)-at-12 {
		return 0, fmt.Errorf("zip64 end record at byte %d is not one, or not directly before its locator", at)
	}
	if le.Uint32(loc[4:]) != 0 || le.Uint32(loc[16:]) > 1 || le.Uint64(rec[16:]) != 0 || le.Uint64(rec[24:]) != le.Uint64(rec[32:]) {
		return 0, errDisks
	}
	for i, f := range []struct {
		field *int64
		full  int64
		what  string
	}{
		{&t.entries, math.MaxUint16, "entries"},
		{&t.dirSize, math.MaxUint32, "directory bytes"},
		{&t.dirOffset, math.MaxUint32, "as the directory's place"},
	} {
		wide := le.Uint64(rec[32+8*i:])
		if wide > math.MaxInt64 || *f.field != f.full && uint64(*f.field) != wide {
			return 0, fmt.Errorf("the end records disagree: %d and %d %s", *f.field, wide, f.what)
		}
		*f.field = int64(wide)
	}
	return int64(at), nil
}

// checkLayout requires that the entries, each with its header and descriptor,
// follow each other without gap or overlap from byte 0 to the directory. An
// entry whose header or descriptor is damaged is lost and ends where the next
// one begins; damage is the first such error.
func checkLayout(ctx context.Context, src io.ReaderAt, entries []*zipEntry, directory int64) (damage, err error) {
	order := slices.SortedFunc(slices.Values(entries), func(a, b *zipEntry) int { return cmp.Compare(a.offset, b.offset) })
	var at int64
	for i, f := range order {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := directory
		if i+1 < len(order) {
			next = order[i+1].offset
		}
		switch {
		case f.offset < at:
			return nil, fmt.Errorf("%q at byte %d overlaps the entry before it, which ends at %d", f.Name, f.offset, at)
		case f.offset > at:
			return nil, fmt.Errorf("%d bytes at byte %d belong to no entry", f.offset-at, at)
		}
		data, whole, err := f.readLocal(src, next)
		if err == nil {
			packed := int64(f.CompressedSize64)
			if next-data < packed {
				return nil, fmt.Errorf("%q of %d packed bytes at byte %d overlaps what begins at byte %d", f.Name, packed, data, next)
			}
			at = data + packed
			if f.Flags&flagDescriptor != 0 && (next != at || !whole) {
				err = f.checkDescriptor(src, at, next)
				at = next
			}
		}
		if err != nil {
			f.lost, at = cmp.Or(f.lost, err.Error()), next
			damage = cmp.Or(damage, fmt.Errorf("%q at byte %d: %w", f.Name, f.offset, err))
		}
	}
	if at != directory {
		return nil, fmt.Errorf("%d bytes at byte %d belong to no entry", directory-at, at)
	}
	return damage, nil
}

// readLocal compares the header before the data with the directory's entry and
// returns where the data begins. It reports whether the header itself holds
// checksum and sizes.
func (f *zipEntry) readLocal(src io.ReaderAt, next int64) (data int64, whole bool, err error) {
	head := make([]byte, zipLocalLen)
	if next-f.offset < zipLocalLen {
		return 0, false, errors.New("no room for a header")
	}
	if _, err := src.ReadAt(head, f.offset); err != nil {
		return 0, false, err
	}
	if le.Uint32(head) != zipLocal {
		return 0, false, fmt.Errorf("%q, want a header", head[:4])
	}
	nameLen, extraLen := int64(le.Uint16(head[26:])), int64(le.Uint16(head[28:]))
	data = f.offset + zipLocalLen + nameLen + extraLen
	if data > next {
		return 0, false, errors.New("the header overlaps what follows")
	}
	rest := make([]byte, nameLen+extraLen)
	if _, err := src.ReadAt(rest, f.offset+zipLocalLen); err != nil {
		return 0, false, err
	}
	if name := string(rest[:nameLen]); name != f.Name {
		return 0, false, fmt.Errorf("the header before the data names it %q", name)
	}
	const decisive = flagEncrypted | flagDescriptor | flagPatch
	if flags, method := le.Uint16(head[6:]), le.Uint16(head[8:]); flags&decisive != f.Flags&decisive || method != f.Method {
		return 0, false, fmt.Errorf("flags 0x%04x and method %d in the header, 0x%04x and %d in the directory", flags, method, f.Flags, f.Method)
	}
	crc, packed, size := le.Uint32(head[14:]), int64(le.Uint32(head[18:])), int64(le.Uint32(head[22:]))
	x, err := parseExtra(rest[nameLen:], f.Name)
	if err == nil && (packed == math.MaxUint32 || size == math.MaxUint32) {
		packed, size = math.MaxUint32, math.MaxUint32 // both, always: 4.5.3
		err = x.widen(&size, &packed)
	}
	if err != nil {
		return 0, false, fmt.Errorf("header: %w", err)
	}
	wantPacked, wantSize := int64(f.CompressedSize64), int64(f.UncompressedSize64)
	if crc == f.CRC32 && packed == wantPacked && size == wantSize {
		return data, true, nil
	}
	// What is not known when the header is written is 0 there; some writers know
	// the size already.
	if f.Flags&flagDescriptor != 0 && (crc == 0 || crc == f.CRC32) && (packed == 0 || packed == wantPacked) && (size == 0 || size == wantSize) {
		return data, false, nil
	}
	return 0, false, fmt.Errorf("checksum %08x, %d packed and %d plain bytes in the header, %08x, %d and %d in the directory",
		crc, packed, size, f.CRC32, wantPacked, wantSize)
}

// checkDescriptor requires that the bytes from at to next are the descriptor of
// the data before them: checksum and sizes of 32 or 64 bits, with or without a
// signature.
func (f *zipEntry) checkDescriptor(src io.ReaderAt, at, next int64) error {
	b := make([]byte, min(next-at, 25))
	if _, err := src.ReadAt(b, at); err != nil {
		return err
	}
	narrow := le.AppendUint32(nil, f.CRC32)
	wide := le.AppendUint64(le.AppendUint64(bytes.Clone(narrow), f.CompressedSize64), f.UncompressedSize64)
	narrow = le.AppendUint32(le.AppendUint32(narrow, uint32(f.CompressedSize64)), uint32(f.UncompressedSize64))
	if len(b) == 16 || len(b) == 24 {
		b, _ = bytes.CutPrefix(b, le.AppendUint32(nil, zipData))
	}
	if bytes.Equal(b, wide) || bytes.Equal(b, narrow) && f.CompressedSize64 <= math.MaxUint32 && f.UncompressedSize64 <= math.MaxUint32 {
		return nil
	}
	return fmt.Errorf("%d bytes after the data are no descriptor of it", next-at)
}
