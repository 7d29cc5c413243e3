package pack

import (
	"io"

	"muniment/objects/flate"
	"muniment/objects/object"
)

// A Nearby holds the bytes around the entry that was read last, so that its
// neighbours in the pack take no further reading of the disk. The zero value is
// empty; it is used by one goroutine and holds 6 KiB. It shows a pack as it was
// when its bytes were read: use a new one for every pass over an archive.
type Nearby struct {
	Room []byte // where the next object is put if it fits

	pack  *File
	from  int64
	bytes []byte // of pack, from that offset on
}

// A reading begins before the entry that is asked for: a record lies before its
// payload, and is read after it.
const (
	nearbyBefore = 1 << 10
	nearbySize   = 6 << 10
)

// entry is File.entry for a sound object that is small and no delta. For every
// other one ok is false.
func (n *Nearby) entry(p *File, file io.ReaderAt, off, end int64) (h Header, data []byte, ok bool) {
	if n.pack == p && off >= n.from && off < n.from+int64(len(n.bytes)) {
		if h, data, ok = n.decode(n.bytes[off-n.from:]); ok {
			return h, data, true
		}
	}
	from := max(off-nearbyBefore, int64(HeadSize))
	n.pack = nil
	if n.bytes == nil {
		n.bytes = make([]byte, nearbySize)
	}
	bytes := n.bytes[:min(nearbySize, end-from)]
	if _, err := file.ReadAt(bytes, from); err != nil {
		return Header{}, nil, false
	}
	n.pack, n.from, n.bytes = p, from, bytes
	return n.decode(bytes[off-from:])
}

// decode returns the object of an entry that begins at the start of b.
func (n *Nearby) decode(b []byte) (Header, []byte, bool) {
	h, err := ParseHeader(b)
	if err != nil || h.Type.IsDelta() || h.Len > len(b) {
		return Header{}, nil, false
	}
	// Prose shrinks to about half in a pack: an entry with fewer bytes behind
	// its header is not whole, and decoding it would be in vain.
	if b = b[h.Len:]; int64(len(b)) < h.Size/2 || h.Size > object.MaxSize {
		return Header{}, nil, false
	}
	data, ok := flate.Decode(b, int(h.Size), n.Room)
	return h, data, ok
}
