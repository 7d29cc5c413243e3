package flate

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/zlib"
)

const (
	// deflateLevel takes two thirds of the time of level 3 and a quarter of
	// that of git's default, for prose a tenth larger than the latter makes
	// it: docs/decisions/0006. `git repack -adF` shrinks it further.
	deflateLevel = 1

	// deflateFrom is the size from which an object is deflated. Below it are
	// the records and the trees: digests in hexadecimal, of which deflate
	// takes off a third, at a price that is mostly that of its code tables,
	// when written and again at every reading.
	deflateFrom = 1 << 10

	// deflateProbe is how much of a large object is tried before all of it
	// is deflated: sound, pictures and zip files do not shrink.
	deflateProbe = 64 << 10

	// storedBlock is the most that one stored block of deflate holds.
	storedBlock = 1<<16 - 1
)

// storedHead begins a zlib stream that store writes.
const storedHead = "\x78\x01"

// An Encoder writes zlib streams. The zero value is ready; it is used by one
// goroutine.
type Encoder struct {
	z        *zlib.Writer
	literals literalCoder
}

// Append adds data's zlib stream to out: deflated, as literals when it is
// short, or stored when it is small or its first 64 KiB do not shrink.
func (e *Encoder) Append(out *bytes.Buffer, data []byte) error {
	switch {
	case len(data) < deflateFrom:
		store(out, data)
		return nil
	case len(data) < literalsBelow:
		if !e.literals.appendTo(out, data) {
			store(out, data)
		}
		return nil
	}
	start := out.Len()
	if len(data) > deflateProbe {
		if err := e.deflate(out, data[:deflateProbe]); err != nil {
			return err
		}
		shrank := out.Len()-start < deflateProbe
		out.Truncate(start)
		if !shrank {
			store(out, data)
			return nil
		}
		return e.deflate(out, data)
	}
	if err := e.deflate(out, data); err != nil {
		return err
	}
	if out.Len()-start > StoredSize(len(data)) {
		out.Truncate(start)
		store(out, data)
	}
	return nil
}

// deflate writes the stream of the general coder.
func (e *Encoder) deflate(out io.Writer, data []byte) error {
	if e.z == nil {
		z, err := zlib.NewWriterLevel(out, deflateLevel)
		if err != nil {
			return err
		}
		e.z = z
	} else {
		e.z.Reset(out)
	}
	if _, err := e.z.Write(data); err != nil {
		return err
	}
	return e.z.Close()
}

// StoredSize returns the size of the stream of n bytes in stored blocks, which
// no stream that an Encoder writes is above.
func StoredSize(n int) int {
	blocks := max(1, (n+storedBlock-1)/storedBlock)
	return 2 + 5*blocks + n + 4
}

// store adds a zlib stream of stored blocks, RFC 1950 and 1951.
func store(out *bytes.Buffer, data []byte) {
	out.Grow(StoredSize(len(data)))
	out.WriteString(storedHead)
	for rest := data; ; {
		n := min(len(rest), storedBlock)
		final := byte(0)
		if n == len(rest) {
			final = 1
		}
		head := [5]byte{final}
		binary.LittleEndian.PutUint16(head[1:], uint16(n))
		binary.LittleEndian.PutUint16(head[3:], ^uint16(n))
		out.Write(head[:])
		out.Write(rest[:n])
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
	}
	out.Write(binary.BigEndian.AppendUint32(nil, adler32.Checksum(data)))
}
