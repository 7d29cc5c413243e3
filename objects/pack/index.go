package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/pjbgf/sha1cd"

	"muniment/objects/disk"
	"muniment/objects/object"
)

// The pack index, version 2, as gitformat-pack(5) describes it: magic,
// version, 256 cumulative counts by first byte, then the sorted names, a CRC
// of each entry's packed bytes, 31-bit offsets, 64-bit offsets for those that
// do not fit, the pack's checksum and the index's own.
const (
	indexMagic  = "\xfftOc\x00\x00\x00\x02"
	indexHead   = len(indexMagic) + 256*4
	indexRow    = sha1cd.Size + 4 + 4
	indexTail   = 2 * sha1cd.Size
	offsetIsBig = 1 << 31
)

// An IndexEntry says where in a pack an object lies.
type IndexEntry struct {
	Hash   object.Hash
	Offset int64
	CRC    uint32 // of the entry's bytes, with its header
	Wide   bool   // the offset takes the 64-bit table though it fits into 31 bits
}

// An Index is a parsed view of an index file's bytes: the objects of a pack at
// positions from 0 to Len-1, in the order of their names.
type Index struct {
	data  []byte
	count int
	names []byte
	crcs  []byte
	small []byte
	big   []byte
	unmap func() error
	noCRC bool // read from version 1, which has none
}

// ParseIndex checks the shape of an index: its length, counts and order of
// counts. Names and offsets are checked as they are used, and all of them,
// with the checksum, by [Index.Verify].
func ParseIndex(data []byte) (*Index, error) {
	if len(data) < indexHead+indexTail {
		return nil, object.Corruptf("pack index of %d bytes is cut short", len(data))
	}
	if string(data[:4]) != indexMagic[:4] {
		return parseIndex1(data)
	}
	if string(data[:len(indexMagic)]) != indexMagic {
		return nil, object.Corruptf("pack index of version %d, want 1 or 2", binary.BigEndian.Uint32(data[4:]))
	}
	last := uint32(0)
	for i := range 256 {
		n := binary.BigEndian.Uint32(data[len(indexMagic)+4*i:])
		if n < last {
			return nil, object.Corruptf("pack index counts fall from %d to %d at %02x", last, n, i)
		}
		last = n
	}
	n := int64(last)
	extra := int64(len(data)) - int64(indexHead+indexTail) - n*int64(indexRow)
	if extra < 0 || extra%8 != 0 || extra/8 > n {
		return nil, object.Corruptf("pack index of %d bytes does not fit its %d objects", len(data), n)
	}
	x := &Index{data: data, count: int(n)}
	rest := data[indexHead : len(data)-indexTail]
	cut := func(size int) (part []byte) {
		part, rest = rest[:size:size], rest[size:]
		return part
	}
	x.names = cut(x.count * sha1cd.Size)
	x.crcs = cut(x.count * 4)
	x.small = cut(x.count * 4)
	x.big = rest
	return x, nil
}

// parseIndex1 reads an index of version 1, as git before 1.6 wrote it and still
// reads it: 256 counts, then for each name its 32-bit offset and itself, and the
// two checksums. It becomes one of version 2 in memory.
func parseIndex1(data []byte) (*Index, error) {
	const head, row = 256 * 4, 4 + sha1cd.Size
	n := int64(binary.BigEndian.Uint32(data[head-4:]))
	if int64(len(data)) != head+n*row+int64(indexTail) {
		return nil, object.Corruptf("pack index of %d bytes is of no version that is known here", len(data))
	}
	if sum, _ := sha1cd.Sum(data[:len(data)-sha1cd.Size]); !bytes.Equal(sum[:], data[len(data)-sha1cd.Size:]) {
		return nil, object.Corruptf("pack index of version 1 does not match its checksum")
	}
	entries := make([]IndexEntry, n)
	for i := range entries {
		at := data[head+i*row:]
		entries[i] = IndexEntry{Hash: object.Hash(at[4:row]), Offset: int64(binary.BigEndian.Uint32(at))}
		if i > 0 && bytes.Compare(entries[i-1].Hash[:], entries[i].Hash[:]) >= 0 {
			return nil, object.Corruptf("pack index names are out of order at %d", i)
		}
	}
	x, err := ParseIndex(EncodeIndex(entries, object.Hash(data[len(data)-indexTail:])))
	if err != nil {
		return nil, err
	}
	for i := range 256 {
		if counts := data[4*i:]; x.fanout(i) != int(binary.BigEndian.Uint32(counts)) {
			return nil, object.Corruptf("pack index of version 1 does not match its counts")
		}
	}
	x.noCRC = true
	return x, nil
}

// OpenIndex maps an index file. Close ends the mapping.
func OpenIndex(path string) (*Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() < int64(indexHead+indexTail) {
		return nil, object.Corruptf("pack index of %d bytes is cut short", st.Size())
	}
	if st.Size() > 1<<40 || int64(int(st.Size())) != st.Size() {
		return nil, &fs.PathError{Op: "map", Path: path, Err: errors.New("file too large")}
	}
	data, unmap, err := disk.Map(f, int(st.Size()))
	if err != nil {
		return nil, err
	}
	x, err := ParseIndex(data)
	if err != nil {
		unmap()
		return nil, err
	}
	if x.noCRC { // made anew
		return x, unmap()
	}
	x.unmap = unmap
	return x, nil
}

// Close releases the file. The index is not used again.
func (x *Index) Close() error {
	if x.unmap == nil {
		return nil
	}
	return x.unmap()
}

func (x *Index) fanout(i int) int {
	return int(binary.BigEndian.Uint32(x.data[len(indexMagic)+4*i:]))
}

// Len returns the number of objects.
func (x *Index) Len() int { return x.count }

// Find returns the position of a name, and whether the pack has it.
func (x *Index) Find(h object.Hash) (int, bool) {
	lo, hi := 0, x.fanout(int(h[0]))
	if h[0] > 0 {
		lo = x.fanout(int(h[0]) - 1)
	}
	want := binary.BigEndian.Uint64(h[:])
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		name := x.names[mid*sha1cd.Size:][:sha1cd.Size]
		found := binary.BigEndian.Uint64(name) // nearly always the first bytes differ
		switch {
		case found < want:
			lo = mid + 1
		case found > want:
			hi = mid
		default:
			switch c := bytes.Compare(name, h[:]); {
			case c == 0:
				return mid, true
			case c < 0:
				lo = mid + 1
			default:
				hi = mid
			}
		}
	}
	return 0, false
}

// Name returns the name at a position.
func (x *Index) Name(pos int) object.Hash {
	return object.Hash(x.names[pos*sha1cd.Size : (pos+1)*sha1cd.Size])
}

// CRC returns the checksum of the entry at a position, and whether the index
// has one: version 1 has none.
func (x *Index) CRC(pos int) (crc uint32, ok bool) { return x.crc(pos), !x.noCRC }

func (x *Index) crc(pos int) uint32 { return binary.BigEndian.Uint32(x.crcs[4*pos:]) }

// Offset returns where in the pack the entry at a position begins.
func (x *Index) Offset(pos int) (int64, error) {
	n := binary.BigEndian.Uint32(x.small[4*pos:])
	if n&offsetIsBig == 0 {
		return int64(n), nil
	}
	i := int(n &^ offsetIsBig)
	if i >= len(x.big)/8 {
		return 0, object.Corruptf("pack index names 64-bit offset %d of %d", i, len(x.big)/8)
	}
	off := binary.BigEndian.Uint64(x.big[8*i:])
	if off >= 1<<62 {
		return 0, object.Corruptf("pack index has offset %d", off)
	}
	return int64(off), nil
}

// PackSum returns the checksum of the pack that this index belongs to.
func (x *Index) PackSum() object.Hash {
	return object.Hash(x.data[len(x.data)-indexTail : len(x.data)-sha1cd.Size])
}

// Verify reads the whole index: names ascending and under their counts,
// offsets resolving, checksum right. An index that passes is exactly the one
// that [EncodeIndex] writes for its entries.
func (x *Index) Verify() error {
	entries := make([]IndexEntry, x.count)
	for i := range entries {
		off, err := x.Offset(i)
		if err != nil {
			return err
		}
		wide := off < offsetIsBig && binary.BigEndian.Uint32(x.small[4*i:])&offsetIsBig != 0
		entries[i] = IndexEntry{x.Name(i), off, x.crc(i), wide}
		if i > 0 && bytes.Compare(entries[i-1].Hash[:], entries[i].Hash[:]) >= 0 {
			return object.Corruptf("pack index names are out of order at %d", i)
		}
	}
	if !bytes.Equal(EncodeIndex(entries, x.PackSum()), x.data) {
		return object.Corruptf("pack index does not match its checksum or counts")
	}
	return nil
}

// EncodeIndex returns the index of a pack in version 2. entries are sorted in
// place.
func EncodeIndex(entries []IndexEntry, packSum object.Hash) []byte {
	slices.SortFunc(entries, func(a, b IndexEntry) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	out := make([]byte, 0, indexHead+len(entries)*indexRow+indexTail)
	out = append(out, indexMagic...)
	next := 0
	for i := range 256 {
		for next < len(entries) && int(entries[next].Hash[0]) == i {
			next++
		}
		out = binary.BigEndian.AppendUint32(out, uint32(next))
	}
	for _, e := range entries {
		out = append(out, e.Hash[:]...)
	}
	for _, e := range entries {
		out = binary.BigEndian.AppendUint32(out, e.CRC)
	}
	var big []int64
	for _, e := range entries {
		if e.Offset < offsetIsBig && !e.Wide {
			out = binary.BigEndian.AppendUint32(out, uint32(e.Offset))
			continue
		}
		out = binary.BigEndian.AppendUint32(out, uint32(offsetIsBig|len(big)))
		big = append(big, e.Offset)
	}
	for _, off := range big {
		out = binary.BigEndian.AppendUint64(out, uint64(off))
	}
	out = append(out, packSum[:]...)
	own, _ := sha1cd.Sum(out)
	return append(out, own[:]...)
}
