// Package chunk cuts long payloads into chunks at places that the content
// decides, so that a change in the middle leaves nearly all of them as they
// were.
//
//	s := chunk.NewSplitter(file)
//	for {
//		c, err := s.Next() // valid until the next call
//		if err == io.EOF {
//			break
//		}
//		...
//	}
//
// The algorithm is FastCDC with normalized chunking. A fingerprint runs over
// the last 64 bytes: for each byte b, f becomes 2f + Gear[b] modulo 2^64. A
// chunk of n bytes ends
//
//   - where the payload ends,
//   - at n = Max,
//   - at n from Min to Normal-1 where f & MaskSmall is 0,
//   - at n from Normal to Max-1 where f & MaskLarge is 0,
//
// and at the first of these places. f is 0 before the byte at Min-64 of the
// chunk: a place depends on the 64 bytes before it and on the chunk's length,
// and on nothing else. On random bytes a chunk has about 4.7 MiB.
//
// Gear[b] is the first eight bytes, big endian, of the SHA-256 of the ASCII
// text "muniment/chunk/gear/v1" followed by the byte b.
//
// All of this is frozen: another rule would store the same recording twice. It
// is not part of a payload's identity, and readers accept chunks of any size.
// The specification is docs/spec/object.md; its vectors are in
// testvectors/chunk.
package chunk

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
)

// Sizes of a chunk in bytes. The last one of a payload may be shorter than Min.
const (
	Min    = 1 << 20
	Normal = 4 << 20
	Max    = 8 << 20 // what the store keeps as one file
)

// The masks of the two parts of a chunk: 24 and 20 of the bits that depend on
// the most bytes. Normal is 2^22, and two bits more or less keep most chunks
// near it.
const (
	MaskSmall = 0xFFFFFF_0000000000
	MaskLarge = 0xFFFFF_00000000000
)

// window is the number of bytes on which a fingerprint of 64 bits depends.
const window = 64

const gearLabel = "muniment/chunk/gear/v1"

// Gear is the number that each byte adds to the fingerprint.
var Gear = makeGear()

func makeGear() (g [256]uint64) {
	for i := range g {
		d := sha256.Sum256(append([]byte(gearLabel), byte(i)))
		g[i] = binary.BigEndian.Uint64(d[:8])
	}
	return g
}

// A rule is the sizes and masks of chunks, which are smaller in tests.
type rule struct {
	min, normal, max int
	small, large     uint64
}

var standard = rule{Min, Normal, Max, MaskSmall, MaskLarge}

// cut returns the length of the first chunk of data: the rest of the payload, or
// at least max bytes of the rest.
func (r *rule) cut(data []byte) int {
	if len(data) <= r.min {
		return len(data)
	}
	data = data[:min(len(data), r.max)]
	f := uint64(0)
	for _, b := range data[r.min-window : r.min-1] {
		f = f<<1 + Gear[b]
	}
	n := r.min - 1
	near := min(len(data), r.normal-1)
	for _, b := range data[n:near] {
		n++
		if f = f<<1 + Gear[b]; f&r.small == 0 {
			return n
		}
	}
	for _, b := range data[near:] {
		n++
		if f = f<<1 + Gear[b]; f&r.large == 0 {
			return n
		}
	}
	return len(data)
}

// A Splitter cuts the bytes of a reader into chunks. It takes Max bytes of memory.
type Splitter struct {
	r     io.Reader
	rule  *rule
	buf   []byte
	start int // of the bytes not given out
	end   int
	err   error // of the reader
}

// NewSplitter returns a Splitter of the bytes of r.
func NewSplitter(r io.Reader) *Splitter { return newSplitter(r, &standard) }

func newSplitter(r io.Reader, rule *rule) *Splitter {
	return &Splitter{r: r, rule: rule, buf: make([]byte, rule.max)}
}

// Next returns the next chunk, which is valid until the next call, or io.EOF after the last one. An
// error of the reader is returned in the place of the chunk in which it fell.
func (s *Splitter) Next() ([]byte, error) {
	s.end = copy(s.buf, s.buf[s.start:s.end])
	s.start = 0
	for s.end < len(s.buf) && s.err == nil {
		var n int
		n, s.err = io.ReadFull(s.r, s.buf[s.end:])
		s.end += n
		if errors.Is(s.err, io.ErrUnexpectedEOF) {
			s.err = io.EOF
		}
	}
	switch {
	case s.err != nil && s.err != io.EOF:
		s.end = 0
		return nil, s.err
	case s.end == 0:
		return nil, io.EOF
	}
	s.start = s.rule.cut(s.buf[:s.end])
	return s.buf[:s.start], nil
}
