package canon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"muniment/cid/merkle"
)

// The two kinds of unit.
const (
	Paragraphs = 'p'
	Lines      = 'l'
)

// sampleStep is the distance in bytes between the places whose code point
// index is kept: one int per kilobyte of text, and at most that much to count.
const sampleStep = 1024

// A Unit is one paragraph or line: byte offsets into the payload, half-open.
type Unit struct{ Start, End int }

// A Document is the index of a canonical text: its units, its code points and
// the trees over its units. It is safe for use by several goroutines.
type Document struct {
	payload    []byte
	paragraphs []Unit
	lines      []Unit
	samples    []int // code points before each multiple of sampleStep; nil for ASCII
	points     int
	leaves     [2]func() []merkle.Hash
}

// NewDocument indexes payload, which must not change afterwards. Units are
// defined for any bytes; code point offsets require valid UTF-8, which every
// textual form is.
func NewDocument(payload []byte) *Document {
	d := &Document{payload: payload, points: len(payload)}
	d.lines = make([]Unit, 0, bytes.Count(payload, []byte{'\n'})+1)
	d.split()
	if asciiLen(payload) < len(payload) {
		d.sample()
	}
	d.leaves[0] = sync.OnceValue(func() []merkle.Hash { return d.hashUnits(d.paragraphs) })
	d.leaves[1] = sync.OnceValue(func() []merkle.Hash { return d.hashUnits(d.lines) })
	return d
}

// split finds lines and paragraphs in one pass. A paragraph is open from its
// first byte until two LF meet.
func (d *Document) split() {
	open := -1
	for at := 0; at < len(d.payload); {
		end := len(d.payload)
		if lf := bytes.IndexByte(d.payload[at:], '\n'); lf >= 0 {
			end = at + lf
		}
		d.lines = append(d.lines, Unit{at, end})
		switch {
		case end > at && open < 0:
			open = at
		case end == at && open >= 0:
			d.paragraphs = append(d.paragraphs, Unit{open, at - 1})
			open = -1
		}
		at = end + 1
	}
	if open >= 0 {
		d.paragraphs = append(d.paragraphs, Unit{open, d.lines[len(d.lines)-1].End})
	}
}

// sample counts code points and keeps the count at each multiple of
// sampleStep.
func (d *Document) sample() {
	d.samples = make([]int, 0, len(d.payload)/sampleStep+1)
	n := 0
	for chunk := range slices.Chunk(d.payload, sampleStep) {
		d.samples = append(d.samples, n)
		n += countCodePoints(chunk)
	}
	d.points = n
}

// countCodePoints returns how many code points begin in b: its bytes that are not
// continuation bytes (10xxxxxx).
func countCodePoints(b []byte) int {
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(w & ^(w << 1) & 0x8080808080808080)
	}
	for _, c := range b {
		if !utf8.RuneStart(c) {
			n--
		}
	}
	return n
}

// Payload returns the text that d indexes.
func (d *Document) Payload() []byte { return d.payload }

// Units returns the units of a kind, 'p' or 'l', in order; unit 1 of a span is
// index 0 here. The caller must not change them. Any other kind panics.
func (d *Document) Units(kind byte) []Unit {
	switch kind {
	default:
		panic(fmt.Sprintf("canon: unit kind %q, want 'p' or 'l'", kind))
	case Paragraphs:
		return d.paragraphs
	case Lines:
		return d.lines
	}
}

// CodePoint returns how many code points of the payload lie before byteOff,
// which must be where one begins, or the payload's end.
func (d *Document) CodePoint(byteOff int) (int, error) {
	switch {
	case byteOff < 0 || byteOff > len(d.payload):
		return 0, fmt.Errorf("byte offset %d is outside the text of %d bytes", byteOff, len(d.payload))
	case d.samples == nil:
		return byteOff, nil
	case byteOff == len(d.payload):
		return d.points, nil
	case !utf8.RuneStart(d.payload[byteOff]):
		return 0, fmt.Errorf("byte offset %d is inside a code point", byteOff)
	}
	i := byteOff / sampleStep
	return d.samples[i] + countCodePoints(d.payload[i*sampleStep:byteOff]), nil
}

// ByteOffset returns the offset of code point cp of the payload, counting from 0; the number of
// code points gives the payload's end.
func (d *Document) ByteOffset(cp int) (int, error) {
	switch {
	case cp < 0 || cp > d.points:
		return 0, fmt.Errorf("code point %d is outside the text of %d code points", cp, d.points)
	case d.samples == nil:
		return cp, nil
	case cp == d.points:
		return len(d.payload), nil
	}
	i, _ := slices.BinarySearch(d.samples, cp+1) // the first sample behind cp
	i--
	n := d.samples[i]
	for at := i * sampleStep; ; at++ {
		if utf8.RuneStart(d.payload[at]) {
			if n == cp {
				return at, nil
			}
			n++
		}
	}
}

// Root returns the RFC 6962 root over the units of a kind.
func (d *Document) Root(kind byte) merkle.Hash { return merkle.Root(d.hashes(kind)) }

// Prove returns the inclusion proof of unit i of a kind, counting from 0. It
// panics when there is no such unit.
func (d *Document) Prove(kind byte, i int) []merkle.Hash { return merkle.Prove(d.hashes(kind), i) }

// hashes returns the leaf hashes of a kind, computed at the first call.
func (d *Document) hashes(kind byte) []merkle.Hash {
	d.Units(kind) // panics on an unknown kind
	if kind == Paragraphs {
		return d.leaves[0]()
	}
	return d.leaves[1]()
}

// hashUnits returns the leaf hashes of some units.
func (d *Document) hashUnits(units []Unit) []merkle.Hash {
	out := make([]merkle.Hash, len(units))
	for i, u := range units {
		out[i] = merkle.LeafHash(d.payload[u.Start:u.End])
	}
	return out
}
