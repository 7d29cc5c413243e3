package pack

import (
	"fmt"

	"muniment/objects/object"
)

// deltaSize reads one of the two sizes at the start of a delta.
func deltaSize(b []byte) (n int64, used int, err error) {
	for shift := 0; used < len(b); shift += 7 {
		c := b[used]
		used++
		n |= int64(c&0x7f) << shift
		if n > object.MaxSize {
			return 0, 0, fmt.Errorf("delta of more than %d bytes: %w", object.MaxSize, object.ErrTooLarge)
		}
		if c&0x80 == 0 {
			if c == 0 && used > 1 {
				return 0, 0, object.Corruptf("delta has a size in more bytes than it needs")
			}
			return n, used, nil
		}
		if used == 5 {
			break
		}
	}
	return 0, 0, object.Corruptf("delta is cut short in its sizes")
}

// ApplyDelta builds an object from its base and a delta: two sizes, then
// instructions that copy from the base or insert bytes of their own.
func ApplyDelta(base, delta []byte) ([]byte, error) {
	from, n, err := deltaSize(delta)
	if err != nil {
		return nil, err
	}
	delta = delta[n:]
	if from != int64(len(base)) {
		return nil, object.Corruptf("delta is for a base of %d bytes, the base has %d", from, len(base))
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
					return nil, object.Corruptf("delta is cut short in a copy")
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
				return nil, object.Corruptf("delta copies %d bytes at %d of a base of %d", length, off, from)
			}
			piece = base[off : off+length]
		} else {
			if op == 0 {
				return nil, object.Corruptf("delta has instruction 0")
			}
			if int(op) > len(delta) {
				return nil, object.Corruptf("delta is cut short in an insert")
			}
			piece = delta[:op]
			delta = delta[op:]
		}
		if int64(len(out)+len(piece)) > size {
			return nil, object.Corruptf("delta makes more than its %d bytes", size)
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, object.Corruptf("delta makes %d bytes, announced %d", len(out), size)
	}
	return out, nil
}
