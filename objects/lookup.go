package objects

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"muniment/objects/disk"
	"muniment/objects/object"
	"muniment/objects/pack"
)

// The lookup index says for every object of many packs in which it lies, where,
// and in how many bytes, so that finding an object costs the same however many
// packs there are. It is derived from the pack indexes, lies in
// objects/info/muniment.lookup where git does not look, and can be deleted.
//
// Numbers are big-endian: magic; number of packs, of objects; for each pack its
// checksum and number of objects; for each two first bytes of a name the number
// of objects up to them; sha256 of all this. Then the names, sorted; for each
// its pack, packed size and offset; sha256 of the whole.
//
// Nothing rests on it. What it finds is read and hashed as ever; what it does
// not find is looked for in the pack indexes before it is called absent.
const (
	lookupFile    = "muniment.lookup" // in objects/info
	lookupMagic   = "muniment-lookup\x01"
	lookupFixed   = len(lookupMagic) + 4 + 4
	lookupPackRow = len(Hash{}) + 4
	lookupBuckets = 1 << 16
	lookupPlace   = 4 + 4 + 8

	// maxLookupPacks bounds the table of packs; an archive with more of them
	// wants `git repack` anyway.
	maxLookupPacks = 1 << 20
)

// A lookupPack is a pack that a lookup index covers.
type lookupPack struct {
	sum   Hash
	count uint32
}

// A lookupRow is where an object lies.
type lookupRow struct {
	hash   Hash
	pack   uint32 // which of the packs
	size   uint32 // of the entry, with its header
	offset int64
}

// A lookup is a parsed lookup index.
type lookup struct {
	data    []byte
	packs   []lookupPack
	count   int
	buckets []byte
	names   []byte
	places  []byte
	stamp   fileStamp
	unmap   func() error

	sets int // pack sets that have it; guarded by Store.mu
}

func lookupHeadSize(packs int) int { return lookupFixed + packs*lookupPackRow + 4*lookupBuckets }

// parseLookup checks the head of a lookup index, with its checksum, and the
// length of the rest. Rows are checked in use, and all of them by verify.
func parseLookup(data []byte) (*lookup, error) {
	if len(data) < lookupFixed || string(data[:len(lookupMagic)]) != lookupMagic {
		return nil, object.Corruptf("lookup index has another beginning")
	}
	packs := binary.BigEndian.Uint32(data[len(lookupMagic):])
	count := binary.BigEndian.Uint32(data[len(lookupMagic)+4:])
	if packs > maxLookupPacks {
		return nil, object.Corruptf("lookup index has %d packs, limit %d", packs, maxLookupPacks)
	}
	head := lookupHeadSize(int(packs))
	want := int64(head) + 2*sha256.Size + int64(count)*int64(len(Hash{})+lookupPlace)
	if int64(len(data)) != want {
		return nil, object.Corruptf("lookup index has %d bytes, want %d", len(data), want)
	}
	if sum := sha256.Sum256(data[:head]); !bytes.Equal(sum[:], data[head:head+sha256.Size]) {
		return nil, object.Corruptf("lookup index does not match the checksum of its head")
	}
	x := &lookup{data: data, count: int(count), buckets: data[head-4*lookupBuckets : head]}
	total := uint64(0)
	for row := range slices.Chunk(data[lookupFixed:head-4*lookupBuckets], lookupPackRow) {
		p := lookupPack{Hash(row[:len(Hash{})]), binary.BigEndian.Uint32(row[len(Hash{}):])}
		x.packs = append(x.packs, p)
		total += uint64(p.count)
	}
	last := uint32(0)
	for i := range lookupBuckets {
		n := binary.BigEndian.Uint32(x.buckets[4*i:])
		if n < last {
			return nil, object.Corruptf("lookup index counts fall from %d to %d at %04x", last, n, i)
		}
		last = n
	}
	if last != count || total != uint64(count) {
		return nil, object.Corruptf("lookup index has %d objects, its counts say %d, its packs %d", count, last, total)
	}
	rows := data[head+sha256.Size : len(data)-sha256.Size]
	x.names, x.places = rows[:x.count*len(Hash{})], rows[x.count*len(Hash{}):]
	return x, nil
}

// find returns where an object lies.
func (x *lookup) find(h Hash) (lookupRow, bool) {
	bucket := int(h[0])<<8 | int(h[1])
	lo, hi := 0, int(binary.BigEndian.Uint32(x.buckets[4*bucket:]))
	if bucket > 0 {
		lo = int(binary.BigEndian.Uint32(x.buckets[4*bucket-4:]))
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch c := bytes.Compare(x.names[mid*len(h):(mid+1)*len(h)], h[:]); {
		case c == 0:
			row := x.row(mid)
			return row, int(row.pack) < len(x.packs)
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lookupRow{}, false
}

func (x *lookup) row(i int) lookupRow {
	place := x.places[i*lookupPlace:]
	return lookupRow{
		hash:   Hash(x.names[i*len(Hash{}) : (i+1)*len(Hash{})]),
		pack:   binary.BigEndian.Uint32(place),
		size:   binary.BigEndian.Uint32(place[4:]),
		offset: int64(binary.BigEndian.Uint64(place[8:])),
	}
}

// verify reads the whole index. One that passes is exactly what encodeLookup
// writes for its rows.
func (x *lookup) verify() error {
	rows := make([]lookupRow, x.count)
	counts := make([]uint32, len(x.packs))
	for i := range rows {
		rows[i] = x.row(i)
		if int(rows[i].pack) >= len(x.packs) {
			return object.Corruptf("lookup index names pack %d of %d", rows[i].pack, len(x.packs))
		}
		counts[rows[i].pack]++
	}
	for i, p := range x.packs {
		if counts[i] != p.count {
			return object.Corruptf("lookup index has %d objects of pack %s, want %d", counts[i], p.sum, p.count)
		}
	}
	if !bytes.Equal(encodeLookup(x.packs, rows), x.data) {
		return object.Corruptf("lookup index does not match its checksum, its counts or its order")
	}
	return nil
}

func compareRows(a, b lookupRow) int {
	return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.pack, b.pack), cmp.Compare(a.offset, b.offset))
}

// encodeLookup returns the lookup index of packs. rows are sorted in place.
func encodeLookup(packs []lookupPack, rows []lookupRow) []byte {
	slices.SortFunc(rows, compareRows)
	head := lookupHeadSize(len(packs))
	out := make([]byte, 0, head+2*sha256.Size+len(rows)*(len(Hash{})+lookupPlace))
	out = append(out, lookupMagic...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(packs)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(rows)))
	for _, p := range packs {
		out = append(out, p.sum[:]...)
		out = binary.BigEndian.AppendUint32(out, p.count)
	}
	next := 0
	for i := range lookupBuckets {
		for next < len(rows) && int(rows[next].hash[0])<<8|int(rows[next].hash[1]) == i {
			next++
		}
		out = binary.BigEndian.AppendUint32(out, uint32(next))
	}
	sum := sha256.Sum256(out)
	out = append(out, sum[:]...)
	for _, r := range rows {
		out = append(out, r.hash[:]...)
	}
	for _, r := range rows {
		out = binary.BigEndian.AppendUint32(out, r.pack)
		out = binary.BigEndian.AppendUint32(out, r.size)
		out = binary.BigEndian.AppendUint64(out, uint64(r.offset))
	}
	sum = sha256.Sum256(out)
	return append(out, sum[:]...)
}

// lookupOf builds the lookup index of packs from their own indexes.
func lookupOf(packs []*packFile) ([]byte, error) {
	table := make([]lookupPack, len(packs))
	total := 0
	for _, p := range packs {
		total += p.Index.Len()
	}
	rows := make([]lookupRow, 0, total)
	for i, p := range packs {
		table[i] = lookupPack{p.Index.PackSum(), uint32(p.Index.Len())}
		from := len(rows)
		for pos := range p.Index.Len() {
			off, err := p.Index.Offset(pos)
			if err != nil {
				return nil, err
			}
			rows = append(rows, lookupRow{hash: p.Index.Name(pos), pack: uint32(i), offset: off})
		}
		if err := setSizes(rows[from:], p.stamp[0].size-int64(pack.TailSize)); err != nil {
			return nil, err
		}
	}
	return encodeLookup(table, rows), nil
}

// setSizes gives every entry of one pack the bytes up to the next.
func setSizes(rows []lookupRow, end int64) error {
	slices.SortFunc(rows, func(a, b lookupRow) int { return cmp.Compare(a.offset, b.offset) })
	for i := range rows {
		next := end
		if i+1 < len(rows) {
			next = rows[i+1].offset
		}
		size := next - rows[i].offset
		if size <= 0 || size > 1<<32-1 {
			return object.Corruptf("pack index has an entry of %d bytes at %d", size, rows[i].offset)
		}
		rows[i].size = uint32(size)
	}
	return nil
}

func (s *Store) lookupPath() string { return s.path("objects", "info", lookupFile) }

// openLookup maps the lookup index, or returns have when it is the same file.
// There is none, without an error, when the file is absent.
func (s *Store) openLookup(have *lookup) (*lookup, error) {
	f, err := os.Open(s.lookupPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	stamp := fileStamp{st.Size(), st.ModTime()}
	if have != nil && have.stamp == stamp {
		return have, nil
	}
	if st.Size() < int64(lookupFixed) || st.Size() > 1<<40 || int64(int(st.Size())) != st.Size() {
		return nil, object.Corruptf("lookup index has %d bytes", st.Size())
	}
	data, unmap, err := disk.Map(f, int(st.Size()))
	if err != nil {
		return nil, err
	}
	x, err := parseLookup(data)
	if err != nil {
		unmap()
		return nil, err
	}
	x.stamp, x.unmap = stamp, unmap
	return x, nil
}

// Limits of how far the lookup index may be behind before Publish writes it
// anew: packs that it does not cover are looked through one by one, a few
// nanoseconds each while they are small.
const (
	lookupAfter = 8   // packs that are not covered, together of some size
	lookupLate  = 128 // packs that are not covered, however small
	lookupShare = 64  // some size: this part of what is covered

	// The largest packs, up to lookupApart of more than lookupLarge objects
	// each, are never covered. Their own indexes are fast enough, and one
	// more artifact in a million must not write a million rows.
	lookupLarge = 1 << 16
	lookupApart = 4
)

// coverable returns the packs that a lookup index is made of.
func (v *packSet) coverable() []*packFile {
	packs := slices.Clone(v.all)
	slices.SortStableFunc(packs, func(a, b *packFile) int { return cmp.Compare(b.Index.Len(), a.Index.Len()) })
	apart := 0
	for apart < len(packs) && apart < lookupApart && packs[apart].Index.Len() > lookupLarge {
		apart++
	}
	return packs[apart:]
}

// reindexDue reports whether the lookup index of a pack set is behind.
func (v *packSet) reindexDue() bool {
	packs, objects, covered := 0, 0, 0
	in := make(map[*packFile]bool, len(v.covered))
	for _, p := range v.covered {
		in[p] = true
		covered += p.Index.Len()
	}
	for _, p := range v.coverable() {
		if !in[p] {
			packs++
			objects += p.Index.Len()
		}
	}
	return packs > lookupLate || packs > lookupAfter && objects*lookupShare > covered
}

// Reindex writes the lookup index anew, from the pack indexes alone, with the
// writer lock held. Publish does it when the index has fallen behind. A store
// of one pack, or of a few large ones, needs none and gets none.
func (s *Store) Reindex(l *Lock) error {
	if err := l.check(s); err != nil {
		return err
	}
	return s.reindex()
}

func (s *Store) reindex() error {
	v, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.release(v)
	packs := v.coverable()
	if len(packs) < 2 {
		err := s.disk.Remove(s.lookupPath())
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return errors.Join(err, s.rescan())
	}
	data, err := lookupOf(packs)
	if err != nil {
		return err
	}
	// Among the packs, so that Sweep knows it for what it is.
	f, err := s.disk.CreateTemp(s.packDir(), pack.TempIndex)
	if err != nil {
		return err
	}
	disk.TryLock(f)
	if _, err = s.disk.Write(f, data); err == nil {
		err = s.disk.Sync(f) // a power cut must not leave one that CheckFiles finds damaged
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = s.disk.Rename(f.Name(), s.lookupPath())
	}
	if err != nil {
		s.disk.Remove(f.Name())
		return err
	}
	return s.rescan()
}
