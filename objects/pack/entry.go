package pack

import (
	"fmt"

	"muniment/objects/object"
)

// A Type is the type field of a pack entry: an [object.Kind] or a delta.
type Type uint8

// The two types of delta, which differ in how they name their base.
const (
	OffsetDelta Type = 6 // by its distance back in the same pack
	NameDelta   Type = 7 // by its hash
)

// IsDelta reports whether the entry is a delta of either type.
func (t Type) IsDelta() bool { return t == OffsetDelta || t == NameDelta }

// A Header precedes the deflated bytes of a pack entry.
type Header struct {
	Type Type
	Size int64       // of the inflated bytes
	Back int64       // OffsetDelta: how far before this entry its base begins
	Base object.Hash // NameDelta
	Len  int         // bytes of the header itself
}

// MaxHeader is the longest header in bytes: a size of at most 26 bits takes 5
// bytes, a distance 7, a hash 20.
const MaxHeader = 5 + 20

// ParseHeader reads the header at the start of b. Numbers in more bytes
// than they need are refused, as is an entry above [object.MaxSize].
func ParseHeader(b []byte) (Header, error) {
	if len(b) == 0 {
		return Header{}, object.Corruptf("pack entry is empty")
	}
	h := Header{Type: Type(b[0] >> 4 & 7), Size: int64(b[0] & 15), Len: 1}
	for shift := 4; b[h.Len-1]&0x80 != 0; shift += 7 {
		if h.Len == len(b) {
			return Header{}, object.Corruptf("pack entry header is cut short")
		}
		c := b[h.Len]
		h.Size |= int64(c&0x7f) << shift
		h.Len++
		if c == 0 {
			return Header{}, object.Corruptf("pack entry header has a size in more bytes than it needs")
		}
		if h.Size > object.MaxSize || shift > 25 {
			return Header{}, fmt.Errorf("pack entry above %d bytes: %w", object.MaxSize, object.ErrTooLarge)
		}
	}
	switch h.Type {
	default:
		return Header{}, object.Corruptf("pack entry has type %d", h.Type)
	case Type(object.Commit), Type(object.Tree), Type(object.Blob), Type(object.Tag):
	case OffsetDelta:
		n, used, err := parseDistance(b[h.Len:])
		if err != nil {
			return Header{}, err
		}
		h.Back = n
		h.Len += used
	case NameDelta:
		if len(b) < h.Len+len(h.Base) {
			return Header{}, object.Corruptf("pack entry header is cut short")
		}
		h.Len += copy(h.Base[:], b[h.Len:])
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
				return 0, 0, object.Corruptf("pack entry is a delta of itself")
			}
			return n, used, nil
		}
		n++
		if n >= 1<<48 {
			return 0, 0, object.Corruptf("pack entry has a base %d bytes back", n)
		}
	}
	return 0, 0, object.Corruptf("pack entry header is cut short")
}

// Append appends the header to b; [ParseHeader] reads the same back.
func (h Header) Append(b []byte) []byte {
	c := byte(h.Type)<<4 | byte(h.Size&15)
	for size := h.Size >> 4; size > 0; size >>= 7 {
		b = append(b, c|0x80)
		c = byte(size & 0x7f)
	}
	b = append(b, c)
	switch h.Type {
	case OffsetDelta:
		var rev [10]byte
		i := len(rev) - 1
		rev[i] = byte(h.Back & 0x7f)
		for n := h.Back >> 7; n > 0; n >>= 7 {
			n--
			i--
			rev[i] = byte(n&0x7f) | 0x80
		}
		b = append(b, rev[i:]...)
	case NameDelta:
		b = append(b, h.Base[:]...)
	}
	return b
}
