package pack

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"

	"muniment/objects/flate"
	"muniment/objects/object"
)

// readAhead is how much of a pack is read at a time while it is sent.
const readAhead = 1 << 20

// A Stream writes a pack that is sent elsewhere. Its first error stays. Used by
// one goroutine.
type Stream struct {
	w   io.Writer
	sum hash.Hash
	err error

	encoder flate.Encoder
	entry   bytes.Buffer
}

// NewStream begins a pack of count objects on w.
func NewStream(w io.Writer, count int) *Stream {
	// The sum at the end shows damage on the way. It names nothing, so that
	// collisions need not be looked for.
	s := &Stream{w: w, sum: sha1.New()}
	s.write(binary.BigEndian.AppendUint32([]byte(magic), uint32(count)))
	return s
}

func (s *Stream) write(b []byte) {
	if s.err == nil {
		s.sum.Write(b)
		_, s.err = s.w.Write(b)
	}
}

// Add writes an object as an entry of its own.
func (s *Stream) Add(k object.Kind, data []byte) error {
	s.entry.Reset()
	if err := AppendEntry(&s.entry, &s.encoder, k, data); err != nil {
		return err
	}
	s.write(s.entry.Bytes())
	return s.err
}

// Close writes the checksum. It does not close the writer below.
func (s *Stream) Close() error {
	sum := s.sum.Sum(nil)
	if s.err == nil {
		_, s.err = s.w.Write(sum)
	}
	return s.err
}

// A Place is where in a pack an object lies.
type Place struct {
	Offset int64
	Pos    int32 // in the index
}

// ComparePlaces orders places by their offset.
func ComparePlaces(a, b Place) int { return cmp.Compare(a.Offset, b.Offset) }

// Copy writes the entries at places of a pack, which are in the order of their
// offsets. Bytes that match the checksum of the index go as they are; others, a
// delta whose base is not among places, and all of a pack whose file is gone, are
// replaced by the object that get returns. A delta names its base by hash. done is
// called after each object.
func (s *Stream) Copy(p *File, places []Place, get GetFunc, done func()) error {
	return p.copyEntries(places, get, func(_ object.Hash, entry ...[]byte) error {
		for _, part := range entry {
			s.write(part)
		}
		done()
		return s.err
	})
}

// A GetFunc returns an object by its name.
type GetFunc func(object.Hash) (object.Kind, []byte, error)

// copyEntries calls emit with the name of the object at each place and the parts of
// an entry of it that any pack with the objects at places can hold.
func (p *File) copyEntries(places []Place, get GetFunc, emit func(h object.Hash, entry ...[]byte) error) error {
	file, err := p.acquire()
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	var ends []int64
	if !gone {
		defer p.release()
		if ends, err = p.ends(places); err != nil {
			return err
		}
	}
	win := window{file: file, limit: p.End()}
	var encoder flate.Encoder
	var whole bytes.Buffer
	for i, at := range places {
		h := p.Index.Name(int(at.Pos))
		var entry [][]byte
		if !gone {
			raw, err := win.bytes(at.Offset, ends[i])
			if err == nil {
				entry, err = p.sendable(places, at, raw)
			}
			if err != nil {
				return fmt.Errorf("pack %s: object %s: %w", p.Name, h, err)
			}
		}
		if entry == nil {
			k, data, err := get(h)
			if err != nil {
				return err
			}
			whole.Reset()
			if err := AppendEntry(&whole, &encoder, k, data); err != nil {
				return err
			}
			entry = [][]byte{whole.Bytes()}
		}
		if err := emit(h, entry...); err != nil {
			return err
		}
	}
	return nil
}

// sendable returns the parts of an entry as another pack can hold them. There
// are none when the bytes do not match the checksum of the index, or are a
// delta whose base is not at one of places.
func (p *File) sendable(places []Place, at Place, raw []byte) ([][]byte, error) {
	if crc, ok := p.Index.CRC(int(at.Pos)); !ok || crc32.ChecksumIEEE(raw) != crc {
		return nil, nil
	}
	h, err := ParseHeader(raw)
	if err != nil {
		return nil, err
	}
	if !h.Type.IsDelta() {
		return [][]byte{raw}, nil
	}
	off, err := p.base(at.Offset, h)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(places, Place{Offset: off}, ComparePlaces)
	if !ok {
		return nil, nil
	}
	named := Header{Type: NameDelta, Size: h.Size, Base: p.Index.Name(int(places[i].Pos))}
	return [][]byte{named.Append(nil), raw[h.Len:]}, nil
}

// ends returns where the entries at places end: at the next entry of the pack,
// whatever it is. places are in the order of their offsets.
func (p *File) ends(places []Place) ([]int64, error) {
	all := make([]int64, p.Index.Len())
	for i := range all {
		off, err := p.Index.Offset(i)
		if err != nil {
			return nil, err
		}
		all[i] = off
	}
	slices.Sort(all)
	ends := make([]int64, len(places))
	for i, at := range places {
		j, _ := slices.BinarySearch(all, at.Offset+1)
		ends[i] = p.End()
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
	if from < 0 || to <= from || to > w.limit || to-from > MaxHeader+int64(flate.StoredSize(object.MaxSize)) {
		return nil, object.Corruptf("entry from %d to %d of %d", from, to, w.limit)
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
