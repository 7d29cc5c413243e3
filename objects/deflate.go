package objects

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/zlib"
)

const (
	// deflateLevel is the level at which the archive's letters shrink to
	// within a few per cent of git's default in a third of the time.
	deflateLevel = 3

	// deflateProbe is how much of a large object is tried before all of it
	// is deflated: sound, pictures and zip files do not shrink.
	deflateProbe = 64 << 10

	// storedBlock is the most that one stored block of deflate holds.
	storedBlock = 1<<16 - 1
)

// A deflater writes zlib streams. It is used by one goroutine.
type deflater struct {
	z *zlib.Writer
}

// appendTo adds data's zlib stream to out: deflated, or stored when the first
// 64 KiB do not shrink.
func (d *deflater) appendTo(out *bytes.Buffer, data []byte) error {
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
	out.Write([]byte{0x78, 0x01})
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
