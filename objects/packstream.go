package objects

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// readAhead is how much of a pack is read at a time while it is sent.
const readAhead = 1 << 20

// WritePack writes the selected objects as a pack. Entries go as they lie in
// the store's packs, without being inflated: their bytes are compared with the
// checksum that the index keeps of them. A delta goes with its base, or is
// written whole. progress, which may be nil, is told how many objects are done.
func (s *Selection) WritePack(w io.Writer, progress func(done int)) error {
	if s.view == nil {
		return errClosed
	}
	// The sum at the end finds what the way there has damaged. It names
	// nothing, so that collisions need not be looked for.
	out := &packStream{w: w, sum: sha1.New()}
	out.write(binary.BigEndian.AppendUint32([]byte(packMagic), uint32(s.Objects())))
	if progress == nil {
		progress = func(int) {}
	}
	done := 0
	for i := 0; i < len(s.at); {
		end := i + 1
		for end < len(s.at) && s.at[end].pack == s.at[i].pack {
			end++
		}
		if err := s.copyPack(out, s.at[i:end], func() { done++; progress(done) }); err != nil {
			return err
		}
		i = end
	}
	for _, h := range s.other {
		if err := s.copyWhole(out, h); err != nil {
			return err
		}
		done++
		progress(done)
	}
	sum := out.sum.Sum(nil)
	if out.err == nil {
		_, out.err = w.Write(sum)
	}
	return out.err
}

// A packStream writes a pack and sums it. Its first error stays.
type packStream struct {
	w   io.Writer
	sum hash.Hash
	err error

	deflate deflater
	entry   bytes.Buffer
}

func (p *packStream) write(b []byte) {
	if p.err == nil {
		p.sum.Write(b)
		_, p.err = p.w.Write(b)
	}
}

// copyPack sends entries of one pack, in the order of their offsets.
func (s *Selection) copyPack(out *packStream, places []packPlace, done func()) error {
	n := places[0].pack
	p := s.view.packs[n]
	ends, err := p.ends(places)
	if err != nil {
		return err
	}
	win := window{file: p.file, limit: p.size - int64(packTail)}
	for i, at := range places {
		h := p.idx.name(int(at.pos))
		raw, err := win.bytes(at.offset, ends[i])
		if err != nil {
			return fmt.Errorf("pack %s: object %s: %w", p.name, h, err)
		}
		if p.idx.noCRC || crc32.ChecksumIEEE(raw) != p.idx.crc(int(at.pos)) {
			// Another copy may be well.
			if err := s.copyWhole(out, h); err != nil {
				return err
			}
			done()
			continue
		}
		head, err := parseEntryHeader(raw)
		if err != nil {
			return fmt.Errorf("pack %s: object %s: %w", p.name, h, err)
		}
		switch head.kind {
		case ofsDelta, refDelta:
			err = s.copyDelta(out, p, n, at, head, raw[head.len:])
		default:
			out.write(raw)
		}
		if err != nil {
			return err
		}
		if out.err != nil {
			return out.err
		}
		done()
	}
	return nil
}

// copyDelta sends a delta that names its base, which is sent too, or else the
// object whole.
func (s *Selection) copyDelta(out *packStream, p *pack, n int32, at packPlace, head entryHeader, deflated []byte) error {
	h := p.idx.name(int(at.pos))
	base, err := p.base(at.offset, head)
	if err != nil {
		return err
	}
	if head.kind == refDelta && s.has(n, base) {
		out.write(head.append(nil))
		out.write(deflated)
		return nil
	}
	if s.has(n, base) {
		i, _ := slices.BinarySearchFunc(s.at, packPlace{pack: n, offset: base}, func(a, b packPlace) int {
			return cmp.Or(cmp.Compare(a.pack, b.pack), cmp.Compare(a.offset, b.offset))
		})
		out.write(entryHeader{kind: refDelta, size: head.size, base: p.idx.name(int(s.at[i].pos))}.append(nil))
		out.write(deflated)
		return nil
	}
	return s.copyWhole(out, h)
}

func (s *Selection) copyWhole(out *packStream, h Hash) error {
	k, data, err := s.store.Get(h)
	if err != nil {
		return err
	}
	if err := whole(&out.deflate, &out.entry, k, data); err != nil {
		return err
	}
	out.write(out.entry.Bytes())
	return out.err
}

// ends returns where the entries at places end: at the next entry of the pack,
// whatever it is. places are in the order of their offsets.
func (p *pack) ends(places []packPlace) ([]int64, error) {
	all := make([]int64, p.idx.count)
	for i := range all {
		off, err := p.idx.offset(i)
		if err != nil {
			return nil, err
		}
		all[i] = off
	}
	slices.Sort(all)
	ends := make([]int64, len(places))
	for i, at := range places {
		j, _ := slices.BinarySearch(all, at.offset+1)
		ends[i] = p.size - int64(packTail)
		if j < len(all) {
			ends[i] = all[j]
		}
	}
	return ends, nil
}

// A window reads a file forwards in large pieces.
type window struct {
	file  io.ReaderAt
	limit int64
	buf   []byte
	start int64
}

// bytes returns the bytes from one offset to another, until the next call.
func (w *window) bytes(from, to int64) ([]byte, error) {
	if from < 0 || to <= from || to > w.limit || to-from > maxEntryHeader+int64(storedSize(MaxObject)) {
		return nil, corrupt("entry from %d to %d of %d", from, to, w.limit)
	}
	if from < w.start || to > w.start+int64(len(w.buf)) {
		n := min(max(to-from, readAhead), w.limit-from)
		if int64(cap(w.buf)) < n {
			w.buf = make([]byte, n)
		}
		w.buf, w.start = w.buf[:n], from
		if _, err := w.file.ReadAt(w.buf, from); err != nil {
			w.buf = w.buf[:0]
			return nil, err
		}
	}
	return w.buf[from-w.start : to-w.start], nil
}
