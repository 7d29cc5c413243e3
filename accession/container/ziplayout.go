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

// findEnd reads the end records. They must be the last bytes of the file, agree
// with each other and stand directly behind the directory.
func findEnd(src io.ReaderAt, size int64) (t zipTail, err error) {
	tail := make([]byte, min(size, zipEnd64Len+zipLocatorLen+zipEndLen+math.MaxUint16))
	if _, err := src.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return t, err
	}
	whole, last := -1, -1 // the first record whose comment ends with the file, the last record at all
	for i := range len(tail) - zipEndLen + 1 {
		if le.Uint32(tail[i:]) == zipEnd {
			if last = i; whole < 0 && i+zipEndLen+int(le.Uint16(tail[i+20:])) == len(tail) {
				whole = i
			}
		}
	}
	switch {
	case last < 0:
		return t, fmt.Errorf("no end record: %w, or followed by other bytes", errCut)
	case whole < 0:
		return t, fmt.Errorf("the comment of the end record is %w, or followed by other bytes", errCut)
	case whole != last:
		return t, errors.New("two end records: which directory is meant is unknown")
	}
	end, stop := tail[last:], size-int64(len(tail)-last) // where the directory must end
	disks, here, entries := le.Uint32(end[4:]), le.Uint16(end[8:]), le.Uint16(end[10:])
	t = zipTail{int64(entries), int64(le.Uint32(end[12:])), int64(le.Uint32(end[16:]))}
	if at := last - zipLocatorLen; at >= 0 && le.Uint32(tail[at:]) == zipLocator64 {
		if stop, err = t.widen(tail[:last], stop); err != nil {
			return t, err
		}
	} else if entries == math.MaxUint16 || t.dirSize == math.MaxUint32 || t.dirOffset == math.MaxUint32 {
		return t, errors.New("saturated sizes without a zip64 end record")
	}
	gap := stop - t.dirOffset - t.dirSize
	switch {
	case disks != 0 && disks != math.MaxUint32 || here != entries:
		return t, errors.New("one disk of several")
	case t.dirOffset > stop || gap < 0:
		return t, fmt.Errorf("a directory of %d bytes at byte %d does not fit before byte %d: %w", t.dirSize, t.dirOffset, stop, errCut)
	case gap > 0:
		return t, fmt.Errorf("%d bytes before the first entry, or between the directory and the end record", gap)
	}
	return t, nil
}

// widen replaces saturated values by those of the zip64 end record, which must be with its locator
// at the end of tail, and returns its place. The other values must agree with it.
func (t *zipTail) widen(tail []byte, stop int64) (int64, error) {
	stop -= zipEnd64Len + zipLocatorLen
	if stop < 0 {
		return 0, fmt.Errorf("the zip64 end record is %w", errCut)
	}
	rec := tail[len(tail)-zipEnd64Len-zipLocatorLen:]
	loc := rec[zipEnd64Len:]
	if le.Uint32(rec) != zipEnd64 || le.Uint64(rec[4:]) != zipEnd64Len-12 || le.Uint64(loc[8:]) != uint64(stop) {
		return 0, errors.New("the zip64 end record is not directly before its locator")
	}
	if le.Uint32(loc[4:]) != 0 || le.Uint32(loc[16:]) > 1 || le.Uint64(rec[16:]) != 0 || le.Uint64(rec[24:]) != le.Uint64(rec[32:]) {
		return 0, errors.New("one disk of several")
	}
	for i, v := range []*int64{&t.entries, &t.dirSize, &t.dirOffset} {
		wide, saturated := le.Uint64(rec[32+8*i:]), int64(math.MaxUint32)
		if i == 0 {
			saturated = math.MaxUint16
		}
		if wide > math.MaxInt64 || *v != saturated && uint64(*v) != wide {
			return 0, fmt.Errorf("the end records disagree: %d and %d", *v, wide)
		}
		*v = int64(wide)
	}
	return stop, nil
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
	whole = crc == f.CRC32 && uint64(packed) == f.CompressedSize64 && uint64(size) == f.UncompressedSize64
	// What is not known when the header is written is 0 there; some writers know
	// the size already.
	known := func(got, want uint64) bool { return got == want || got == 0 && f.Flags&flagDescriptor != 0 }
	if !known(uint64(crc), uint64(f.CRC32)) || !known(uint64(packed), f.CompressedSize64) || !known(uint64(size), f.UncompressedSize64) {
		return 0, false, fmt.Errorf("checksum %08x, %d packed and %d plain bytes in the header, %08x, %d and %d in the directory",
			crc, packed, size, f.CRC32, f.CompressedSize64, f.UncompressedSize64)
	}
	return data, whole, nil
}

// checkDescriptor requires that the bytes from at to next are the descriptor of
// the data before them: checksum and sizes of 32 or 64 bits, with or without a
// signature.
func (f *zipEntry) checkDescriptor(src io.ReaderAt, at, next int64) error {
	b := make([]byte, min(next-at, 25))
	if _, err := src.ReadAt(b, at); err != nil {
		return err
	}
	wide := le.AppendUint64(le.AppendUint64(le.AppendUint32(nil, f.CRC32), f.CompressedSize64), f.UncompressedSize64)
	forms := [][]byte{wide}
	if f.CompressedSize64 <= math.MaxUint32 && f.UncompressedSize64 <= math.MaxUint32 {
		forms = append(forms, slices.Concat(wide[:8], wide[12:16]))
	}
	for _, form := range forms {
		if bytes.Equal(b, form) || bytes.Equal(b, append(le.AppendUint32(nil, zipData), form...)) {
			return nil
		}
	}
	return fmt.Errorf("%d bytes after the data are no descriptor of it", next-at)
}
