package container

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// maxWindow is the most bytes of what was expanded last that a packed tar may refer
// to: what xz -9 and zstd --long need. A reader keeps as many in memory.
const maxWindow = 128 << 20

// A compression is a way in which a tar is packed.
type compression struct {
	format Format
	magic  []byte // the first bytes
	open   func(io.Reader) (io.Reader, error)
}

// compressions are the supported compressions.
var compressions = []compression{
	{TarGz, []byte{0x1f, 0x8b}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{TarBz2, []byte("BZh"), func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{TarXz, []byte("\xfd7zXZ\x00"), openXz},
	{TarZst, []byte{0x28, 0xb5, 0x2f, 0xfd}, func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	}},
}

// openXz returns a reader of an xz file. The window of its first block, which stands
// in byte 16 where the block has one filter, is compared with maxWindow, as the
// reader makes room for all of it at once.
func openXz(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(17)
	if err != nil {
		return nil, err
	}
	if bits := head[16]; head[13]&3 == 0 && head[14] == 0x21 && (bits > 40 || int64(2|bits&1)<<(bits/2+11) > maxWindow) {
		return nil, errors.New("its window is too large")
	}
	return xz.NewReader(b)
}

// Decompress returns a reader of what gzip, bzip2, xz or zstd packed, by its first bytes; nil for
// anything else.
func Decompress(head []byte, r io.Reader) (io.Reader, error) {
	c := compressionOf(head)
	if c == nil {
		return nil, nil
	}
	z, err := c.open(r)
	if err != nil { // z may be a nil pointer
		return nil, err
	}
	return z, nil
}

// compressionOf returns how a file is packed that begins with head, nil for another
// one.
func compressionOf(head []byte) *compression {
	for i := range compressions {
		if bytes.HasPrefix(head, compressions[i].magic) {
			return &compressions[i]
		}
	}
	return nil
}
