package objects

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

// A deflater writes zlib streams. It is used by one goroutine.
type deflater struct {
	z        *zlib.Writer
	literals literalCoder
}

// appendTo adds data's zlib stream to out: deflated, as literals when it is
// short, or stored when it is small or its first 64 KiB do not shrink.
func (d *deflater) appendTo(out *bytes.Buffer, data []byte) error {
	switch {
	case len(data) < deflateFrom:
		store(out, data)
		return nil
	case len(data) < literalsBelow:
		if !d.literals.appendTo(out, data) {
			store(out, data)
		}
		return nil
	}
	start := out.Len()
	if len(data) > deflateProbe {
		if err := d.deflate(out, data[:deflateProbe]); err != nil {
			return err
		}
		shrank := out.Len()-start < deflateProbe
		out.Truncate(start)
		if !shrank {
			store(out, data)
			return nil
		}
		return d.deflate(out, data)
	}
	if err := d.deflate(out, data); err != nil {
		return err
	}
	if out.Len()-start > storedSize(len(data)) {
		out.Truncate(start)
		store(out, data)
	}
	return nil
}

func (d *deflater) deflate(out io.Writer, data []byte) error {
	if d.z == nil {
		z, err := zlib.NewWriterLevel(out, deflateLevel)
		if err != nil {
			return err
		}
		d.z = z
	} else {
		d.z.Reset(out)
	}
	if _, err := d.z.Write(data); err != nil {
		return err
	}
	return d.z.Close()
}

func storedSize(n int) int {
	blocks := max(1, (n+storedBlock-1)/storedBlock)
	return 2 + 5*blocks + n + 4
}

// store adds a zlib stream of stored blocks, RFC 1950 and 1951.
func store(out *bytes.Buffer, data []byte) {
	out.Grow(storedSize(len(data)))
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
