package flate

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"

	"github.com/klauspost/compress/zlib"
)

const (
	// level takes two thirds of the time of level 3 and a quarter of that of
	// git's default, for prose a tenth larger than the latter makes it:
	// docs/decisions/0006. `git repack -adF` shrinks it further.
	level = zlib.BestSpeed

	// storedBelow is the size below which content is stored. Those objects are
	// the records and the trees: digests in hexadecimal, of which deflate takes
	// off a third, at a price that is mostly that of its code tables, when
	// written and again at every reading.
	storedBelow = 1 << 10

	// literalsBelow is the size below which content is written as literals:
	// each byte by its own Huffman code, without looking for repetitions. In a
	// text of a few pages there are few, and looking for them is most of the
	// time of deflate: docs/decisions/0009.
	literalsBelow = 8 << 10

	// probe is how much of a large object is tried before all of it is
	// deflated: sound, pictures and zip files do not shrink.
	probe = 64 << 10

	// storedBlock is the most that one stored block of deflate holds.
	storedBlock = 1<<16 - 1
)

// storedHead begins a zlib stream that store writes.
const storedHead = "\x78\x01"

// An Encoder writes zlib streams. The zero value is ready; it is used by one
// goroutine.
type Encoder struct {
	literals *zlib.Writer // of Huffman codes alone
	general  *zlib.Writer
}

// Append adds data's zlib stream to out: deflated, as literals when it is
// short, or stored when it is small or does not shrink. Of large data only the
// first 64 KiB are tried.
func (e *Encoder) Append(out *bytes.Buffer, data []byte) error {
	if len(data) < storedBelow {
		store(out, data)
		return nil
	}
	start := out.Len()
	head := data[:min(len(data), probe)]
	if err := e.deflate(out, head); err != nil {
		return err
	}
	if out.Len()-start >= StoredSize(len(head)) {
		out.Truncate(start)
		store(out, data)
		return nil
	}
	if len(head) == len(data) {
		return nil
	}
	out.Truncate(start)
	return e.deflate(out, data)
}

// deflate writes the stream of the coder for data of this size.
func (e *Encoder) deflate(out *bytes.Buffer, data []byte) error {
	z, at := &e.general, level
	if len(data) < literalsBelow {
		z, at = &e.literals, zlib.HuffmanOnly
	}
	if *z == nil {
		var err error
		if *z, err = zlib.NewWriterLevel(out, at); err != nil {
			return err
		}
	} else {
		(*z).Reset(out)
	}
	if _, err := (*z).Write(data); err != nil {
		return err
	}
	return (*z).Close()
}

// StoredSize returns the size of the stream of n bytes in stored blocks.
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
