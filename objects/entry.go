package objects

import "fmt"

// packKind is the type field of a pack entry: a Kind or one of two deltas.
type packKind uint8

const (
	ofsDelta packKind = 6 // base named by its distance back in the same pack
	refDelta packKind = 7 // base named by its hash
)

// An entryHeader is what stands before the deflated bytes of a pack entry.
type entryHeader struct {
	kind packKind
	size int64 // of the inflated bytes
	back int64 // ofsDelta: how far before this entry its base begins
	base Hash  // refDelta
	len  int   // bytes of the header itself
}

// maxEntryHeader is the longest header: a size of at most 26 bits takes 5
// bytes, a distance 7, a hash 20.
const maxEntryHeader = 5 + 20

// parseEntryHeader reads the header at the start of b. Numbers in more bytes
// than they need are refused, as is an entry above MaxObject.
func parseEntryHeader(b []byte) (entryHeader, error) {
	if len(b) == 0 {
		return entryHeader{}, corrupt("pack entry is empty")
	}
	h := entryHeader{kind: packKind(b[0] >> 4 & 7), size: int64(b[0] & 15), len: 1}
	for shift := 4; b[h.len-1]&0x80 != 0; shift += 7 {
		if h.len == len(b) {
			return entryHeader{}, corrupt("pack entry header is cut short")
		}
		c := b[h.len]
		h.size |= int64(c&0x7f) << shift
		h.len++
		if c == 0 {
			return entryHeader{}, corrupt("pack entry header has a size in more bytes than it needs")
		}
		if h.size > MaxObject || shift > 25 {
			return entryHeader{}, fmt.Errorf("pack entry above %d bytes: %w", MaxObject, ErrTooLarge)
		}
	}
	switch h.kind {
	default:
		return entryHeader{}, corrupt("pack entry has type %d", h.kind)
	case packKind(Commit), packKind(Tree), packKind(Blob), packKind(Tag):
	case ofsDelta:
		n, used, err := parseDistance(b[h.len:])
		if err != nil {
			return entryHeader{}, err
		}
		h.back = n
		h.len += used
	case refDelta:
		if len(b) < h.len+len(h.base) {
			return entryHeader{}, corrupt("pack entry header is cut short")
		}
		h.len += copy(h.base[:], b[h.len:])
	}
	return h, nil
}

// parseDistance reads git's offset encoding, in which every number has
// exactly one form: each continuation adds one before shifting.
func parseDistance(b []byte) (n int64, used int, err error) {
	for used < len(b) {
		c := b[used]
		n = n<<7 | int64(c&0x7f)
		used++
		if c&0x80 == 0 {
			if n == 0 {
				return 0, 0, corrupt("pack entry is a delta of itself")
			}
			return n, used, nil
		}
		n++
		if n >= 1<<48 {
			return 0, 0, corrupt("pack entry has a base %d bytes back", n)
		}
	}
	return 0, 0, corrupt("pack entry header is cut short")
}

// append writes the header; parseEntryHeader reads the same back.
func (h entryHeader) append(b []byte) []byte {
	c := byte(h.kind)<<4 | byte(h.size&15)
	for size := h.size >> 4; size > 0; size >>= 7 {
		b = append(b, c|0x80)
		c = byte(size & 0x7f)
	}
	b = append(b, c)
	switch h.kind {
	case ofsDelta:
		var rev [10]byte
		i := len(rev) - 1
		rev[i] = byte(h.back & 0x7f)
		for n := h.back >> 7; n > 0; n >>= 7 {
			n--
			i--
			rev[i] = byte(n&0x7f) | 0x80
		}
		b = append(b, rev[i:]...)
	case refDelta:
		b = append(b, h.base[:]...)
	}
	return b
}

// deltaSize reads one of the two sizes at the start of a delta.
func deltaSize(b []byte) (n int64, used int, err error) {
	for shift := 0; used < len(b); shift += 7 {
		c := b[used]
		used++
		n |= int64(c&0x7f) << shift
		if n > MaxObject {
			return 0, 0, fmt.Errorf("delta of more than %d bytes: %w", MaxObject, ErrTooLarge)
		}
		if c&0x80 == 0 {
			if c == 0 && used > 1 {
				return 0, 0, corrupt("delta has a size in more bytes than it needs")
			}
			return n, used, nil
		}
		if used == 5 {
			break
		}
	}
	return 0, 0, corrupt("delta is cut short in its sizes")
}

// applyDelta builds an object from its base and a delta: two sizes, then
// instructions that copy from the base or insert bytes of their own.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, n, err := deltaSize(delta)
	if err != nil {
		return nil, err
	}
	delta = delta[n:]
	if from != int64(len(base)) {
		return nil, corrupt("delta is for a base of %d bytes, the base has %d", from, len(base))
	}
	size, n, err := deltaSize(delta)
	if err != nil {
		return nil, err
	}
	delta = delta[n:]
	// The size is a claim until the instructions bear it out.
	out := make([]byte, 0, min(size, from+int64(len(delta))))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var piece []byte
		if op&0x80 != 0 {
			var off, length int64
			for i := range 7 {
				if op>>i&1 == 0 {
					continue
				}
				if len(delta) == 0 {
					return nil, corrupt("delta is cut short in a copy")
				}
				if i < 4 {
					off |= int64(delta[0]) << (8 * i)
				} else {
					length |= int64(delta[0]) << (8 * (i - 4))
				}
				delta = delta[1:]
			}
			if length == 0 {
				length = 0x10000
			}
			if off+length > from {
				return nil, corrupt("delta copies %d bytes at %d of a base of %d", length, off, from)
			}
			piece = base[off : off+length]
		} else {
			if op == 0 {
				return nil, corrupt("delta has instruction 0")
			}
			if int(op) > len(delta) {
				return nil, corrupt("delta is cut short in an insert")
			}
			piece = delta[:op]
			delta = delta[op:]
		}
		if int64(len(out)+len(piece)) > size {
			return nil, corrupt("delta makes more than its %d bytes", size)
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, corrupt("delta makes %d bytes, announced %d", len(out), size)
	}
	return out, nil
}
