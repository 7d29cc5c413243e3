package flate

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
	"sync"
)

// How many bits the first look into a code table takes; longer codes take a
// second one. 15 is the longest code of deflate. A table is made for every
// object: one of few bytes is read before a large table would be filled.
const (
	literalLook  = 9 // and two literals with one look
	fewBytes     = 2 << 10
	fewLook      = 8
	distanceLook = 8
	lengthLook   = lengthBits
	longestCode  = 15
)

// A codeEntry is what the next bits of a stream mean: in bits 0–7 how many of
// them the code takes, in 8–15 how many follow it as a number or one of the
// marks below, in 16–31 a literal, a length or distance to which that number
// is added, or the place of a second table.
type codeEntry uint32

const (
	markLiteral = 32 + iota // no number has that many bits
	markPair                // two literals, the first in bits 16–23
	markEnd
	markTable // then bits 0–7 are the bits of the second look
	markWrong
)

func (e codeEntry) size() uint { return uint(e & 0xff) }
func (e codeEntry) mark() uint { return uint(e >> 8 & 0xff) }
func (e codeEntry) value() int { return int(e >> 16) }

// A decoder inflates streams that are in memory as a whole, some three times
// as fast as a reader that gets its bytes one by one. It says only that a
// stream is sound: where it is not, or has a form that only odd writers make,
// the general reader says what is wrong. It is used by one goroutine.
type decoder struct {
	// Behind the first table of full size each symbol has room for a second one.
	literals  [1<<literalLook + 288<<(longestCode-literalLook)]codeEntry
	distances [1<<distanceLook + 32<<(longestCode-distanceLook)]codeEntry
	lengths   [1 << lengthLook]codeEntry
	single    [256]uint8 // sizes of the literals' codes
	look      uint       // of literals: literalLook or fewLook
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// symbolEntries and distanceEntries are the entries of the symbols without the
// sizes of their codes, RFC 1951, 3.2.5; fixedSizes are those of 3.2.6.
var (
	symbolEntries   [288]codeEntry
	distanceEntries [32]codeEntry
	lengthEntries   [19]codeEntry
	fixedSizes      [288]uint8
	fixedDistances  [32]uint8
)

func init() {
	for i := range 256 {
		symbolEntries[i] = codeEntry(i<<16 | markLiteral<<8)
	}
	symbolEntries[endOfBlock] = markEnd << 8
	base := 3
	for i := 257; i < 285; i++ {
		extra := max(0, (i-261)/4)
		symbolEntries[i] = codeEntry(base<<16 | extra<<8)
		base += 1 << extra
	}
	symbolEntries[285] = 258 << 16
	symbolEntries[286], symbolEntries[287] = markWrong<<8, markWrong<<8
	base = 1
	for i := range 30 {
		extra := max(0, (i-2)/2)
		distanceEntries[i] = codeEntry(base<<16 | extra<<8)
		base += 1 << extra
	}
	distanceEntries[30], distanceEntries[31] = markWrong<<8, markWrong<<8
	for i := range lengthEntries {
		lengthEntries[i] = codeEntry(i<<16 | markLiteral<<8)
	}
	for i := range fixedSizes {
		switch {
		case i < 144:
			fixedSizes[i] = 8
		case i < 256:
			fixedSizes[i] = 9
		case i < 280:
			fixedSizes[i] = 7
		default:
			fixedSizes[i] = 8
		}
	}
	for i := range fixedDistances {
		fixedDistances[i] = 5
	}
}

// Decode returns the size bytes of a zlib stream, RFC 1950 and 1951, that
// begins at the start of b and ends within it, in room if they fit. ok is false
// where it is of an unusual form, or not whole, or damaged.
func Decode(b []byte, size int, room []byte) (data []byte, ok bool) {
	const head, tail = 2, 4
	if len(b) < head+tail || b[0]&15 != 8 || b[0]>>4 > 7 || b[1]&0x20 != 0 || (uint(b[0])<<8|uint(b[1]))%31 != 0 {
		return nil, false
	}
	u := decoders.Get().(*decoder)
	defer decoders.Put(u)
	if u.look = literalLook; size < fewBytes {
		u.look = fewLook
	}
	data = resize(room, size)
	s := bitReader{src: b[head:]}
	at := 0
	for last := false; !last; {
		s.fill()
		last = s.take(1) == 1
		form := s.take(2)
		switch form {
		case 0:
			at, ok = s.stored(data, at)
		case 1:
			ok = u.build(fixedSizes[:], fixedDistances[:])
		case 2:
			ok = u.readCodes(&s)
		case 3:
			ok = false
		}
		if ok && form != 0 {
			at, ok = u.block(&s, data, at)
		}
		if !ok {
			return nil, false
		}
	}
	rest := s.rest()
	if at != size || len(rest) < tail || binary.BigEndian.Uint32(rest) != adler32.Checksum(data) {
		return nil, false
	}
	return data, true
}

// readCodes reads the head of a block with codes of its own.
func (u *decoder) readCodes(s *bitReader) bool {
	s.fill()
	literals, distances, lengths := int(s.take(5))+257, int(s.take(5))+1, int(s.take(4))+4
	if literals > 286 || distances > 30 {
		return false
	}
	var lengthSizes [19]uint8
	for _, i := range lengthOrder[:lengths] {
		if s.n < 3 {
			s.fill()
		}
		lengthSizes[i] = uint8(s.take(3))
	}
	if !buildCodes(u.lengths[:], lengthLook, lengthSizes[:], lengthEntries[:]) {
		return false
	}
	var sizes [286 + 30]uint8
	for i := 0; i < literals+distances; {
		s.fill()
		e := u.lengths[s.acc&(1<<lengthLook-1)]
		if e.mark() != markLiteral {
			return false
		}
		s.take(e.size())
		of, n := uint8(0), 1
		switch v := e.value(); v {
		default:
			of = uint8(v)
		case 16:
			if i == 0 {
				return false
			}
			of, n = sizes[i-1], 3+int(s.take(2))
		case 17:
			n = 3 + int(s.take(3))
		case 18:
			n = 11 + int(s.take(7))
		}
		if i+n > literals+distances {
			return false
		}
		for range n {
			sizes[i] = of
			i++
		}
	}
	return sizes[endOfBlock] > 0 && u.build(sizes[:literals], sizes[literals:literals+distances])
}

// build makes the tables of a block. Where a look into the first table shows
// two literals, it gives both.
func (u *decoder) build(literals, distances []uint8) bool {
	if !buildCodes(u.literals[:], u.look, literals, symbolEntries[:]) || !buildCodes(u.distances[:], distanceLook, distances, distanceEntries[:]) {
		return false
	}
	if u.look == fewLook {
		return true
	}
	copy(u.single[:], literals)
	first := (*[1 << literalLook]codeEntry)(u.literals[:])
	for i := len(first) - 1; i >= 0; i-- { // from above: what follows a code is a lower place
		a := first[i]
		b := first[i>>(a&63)]
		if size := a.size() + b.size(); a.mark() == markLiteral && b.mark() == markLiteral && size <= literalLook {
			first[i] = a&(0xff<<16) | b&(0xff<<16)<<8 | markPair<<8 | codeEntry(size)
		}
	}
	return true
}

// buildCodes fills a table from the sizes of the codes. Codes that leave room
// are refused, but for the one code of one bit, or none, that RFC 1951 knows,
// and those for which the table has no room.
func buildCodes(table []codeEntry, look uint, sizes []uint8, symbols []codeEntry) bool {
	var count, next [longestCode + 2]uint16
	most := uint(0)
	for _, n := range sizes {
		count[n]++
		most = max(most, uint(n))
	}
	count[0] = 0
	room := 1
	for n := 1; n <= longestCode; n++ {
		next[n] = (next[n-1] + count[n-1]) << 1
		if room = room<<1 - int(count[n]); room < 0 {
			return false
		}
	}
	first := table[:1<<look]
	first[0] = 0
	if room > 0 {
		if most > 1 || count[1] > 1 {
			return false
		}
		first[0] = markWrong<<8 | 1
	}
	// The symbols by the sizes of their codes.
	var sorted [288]uint16
	var end [longestCode + 2]uint16
	for n := 1; n <= longestCode; n++ {
		end[n+1] = end[n] + count[n]
	}
	for i, n := range sizes {
		if n > 0 {
			sorted[end[n]] = uint16(i)
			end[n]++
		}
	}
	// With each bit the table doubles; what the codes of that size mean is then
	// written into it.
	rest := sorted[:end[longestCode]]
	for n := uint(1); n <= look; n++ {
		copy(first[1<<(n-1):1<<n], first[:1<<(n-1)])
		for _, i := range rest[:count[n]] {
			first[bits.Reverse16(next[n])>>(16-n)] = symbols[i] | codeEntry(n)
			next[n]++
		}
		rest = rest[count[n]:]
	}
	free := len(first)
	for _, i := range rest {
		n := uint(sizes[i])
		code := uint(bits.Reverse16(next[n]) >> (16 - n))
		next[n]++
		at := &first[code&(1<<look-1)]
		if *at == 0 {
			if len(table)-free < 1<<(most-look) {
				return false // many long codes for few bytes
			}
			*at = codeEntry(free<<16 | markTable<<8 | int(most-look))
			free += 1 << (most - look)
		}
		second := table[at.value():][:1<<(most-look)]
		for code >>= look; code < uint(len(second)); code += 1 << (n - look) {
			second[code] = symbols[i] | codeEntry(n)
		}
	}
	return true
}

// block reads the symbols of a block into out from at on. What the loop needs
// of the bitReader lies in variables of its own, which fit into registers.
func (u *decoder) block(s *bitReader, out []byte, at int) (int, bool) {
	src, next, acc, n := s.src, s.at, s.acc, s.n
	first := (*[1 << literalLook]codeEntry)(u.literals[:])
	look := uint64(1)<<u.look - 1
	for {
		if len(src)-next >= 8 {
			acc |= binary.LittleEndian.Uint64(src[next:]) << (n & 63)
			next += int((63 - n) >> 3)
			n |= 56
		} else {
			s.at, s.acc, s.n = next, acc, n
			s.fill()
			next, acc, n = s.at, s.acc, s.n
		}
		e := first[acc&look&(1<<literalLook-1)]
		// Six looks take at most 54 of 56 bits, and give at most twelve bytes.
		if e.mark()-markLiteral < 2 && len(out)-at >= 12 {
			for range 6 {
				binary.LittleEndian.PutUint16(out[at:], uint16(e>>16)) // of a single literal, the second is written over
				at += int(e.mark() - markLiteral + 1)
				acc >>= e & 63
				n -= e.size()
				if e = first[acc&look&(1<<literalLook-1)]; e.mark()-markLiteral >= 2 {
					break
				}
			}
			continue
		}
		if e.mark() == markPair { // the last bytes, one by one
			e = e&^(0xff<<24|0xffff) | markLiteral<<8 | codeEntry(u.single[byte(e>>16)])
		}
		if e.mark() == markTable {
			e = u.literals[e.value()+int(acc>>(u.look&63)&(1<<e.size()-1))]
		}
		acc >>= e & 63
		n -= e.size()
		switch e.mark() {
		case markLiteral:
			if at >= len(out) {
				return 0, false
			}
			out[at] = byte(e >> 16)
			at++
			continue
		case markEnd:
			s.at, s.acc, s.n = next, acc, n
			return at, !s.past()
		case markWrong:
			return 0, false
		}
		length := e.value() + int(acc&(1<<e.mark()-1))
		acc >>= e.mark()
		n -= e.mark()
		e = u.distances[acc&(1<<distanceLook-1)]
		if e.mark() == markTable {
			e = u.distances[e.value()+int(acc>>distanceLook&(1<<e.size()-1))]
		}
		if e.mark() == markWrong {
			return 0, false
		}
		acc >>= e & 63
		back := e.value() + int(acc&(1<<e.mark()-1))
		acc >>= e.mark()
		n -= e.size() + e.mark()
		if back > at || length > len(out)-at {
			return 0, false
		}
		for from := out[at-back : at-back+length]; length > 0; { // it may reach into what it makes
			k := copy(out[at:at+length], from[:min(back, length)])
			at += k
			length -= k
			from = from[k:]
		}
	}
}

// A bitReader takes bits from a stream that is in memory, the lowest of each
// byte first. Behind its end it gives zeros.
type bitReader struct {
	src  []byte
	at   int    // the next byte
	acc  uint64 // the n bits before it, and above them bits that are read again
	n    uint
	over uint // of the n bits, how many bytes lie behind the end
}

// fill makes n at least 56.
func (r *bitReader) fill() {
	if len(r.src)-r.at >= 8 {
		r.acc |= binary.LittleEndian.Uint64(r.src[r.at:]) << (r.n & 63)
		r.at += int((63 - r.n) >> 3)
		r.n |= 56
		return
	}
	for ; r.n < 56; r.n += 8 {
		if r.at == len(r.src) {
			r.over++
			continue
		}
		r.acc |= uint64(r.src[r.at]) << r.n
		r.at++
	}
}

// take returns the next k of the n bits.
func (r *bitReader) take(k uint) uint64 {
	v := r.acc & (1<<(k&63) - 1)
	r.acc >>= k & 63
	r.n -= k
	return v
}

// past reports whether bits behind the end were taken.
func (r *bitReader) past() bool { return r.over > r.n>>3 }

// rest returns the bytes of which no bit was taken.
func (r *bitReader) rest() []byte {
	if r.past() {
		return nil
	}
	return r.src[r.at-int(r.n>>3-r.over):]
}

// stored reads a block of bytes as they are.
func (r *bitReader) stored(out []byte, at int) (int, bool) {
	b := r.rest()
	if len(b) < 4 {
		return 0, false
	}
	n := int(binary.LittleEndian.Uint16(b))
	if binary.LittleEndian.Uint16(b[2:]) != ^uint16(n) || n > len(b)-4 || n > len(out)-at {
		return 0, false
	}
	*r = bitReader{src: b[4+n:]}
	return at + copy(out[at:], b[4:4+n]), true
}
