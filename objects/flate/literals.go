package flate

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"math/bits"
	"slices"
)

const (
	// literalsBelow is the size below which an object is written as literals:
	// each byte by its own Huffman code, without looking for repetitions. In
	// a text of a few pages there are few, and looking for them is most of
	// the time of deflate: docs/decisions/0009.
	literalsBelow = 8 << 10

	// literalBits is the longest code of a literal. Four of them and the up
	// to 7 bits before them fit into 64.
	literalBits = 14

	// lengthBits is the longest code of a code length, by RFC 1951.
	lengthBits = 7

	endOfBlock  = 256
	literalSize = 257 // codes: the bytes and the end of the block
)

// lengthOrder is the order of the code lengths of code lengths, RFC 1951, 3.2.7.
var lengthOrder = [19]byte{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// A literalCoder writes zlib streams of one block, RFC 1951, that has a code
// table of its own and literals only. It is used by one goroutine.
type literalCoder struct {
	counts [4][256]uint32 // four, so that runs of one byte do not wait for each other
	freq   [literalSize]uint32
	size   [literalSize]uint8 // of each code, in bits; 0: not used
	code   [literalSize]uint64
	tree   codeTree

	runs     []codeRun // the sizes, as the head of the block writes them
	runFreq  [19]uint32
	runSize  [19]uint8
	runCode  [19]uint64
	runCodes int
}

// A codeRun is a symbol of the alphabet of code lengths, with its extra bits.
type codeRun struct{ symbol, extra, width uint8 }

// appendTo adds data's stream to out and reports true, or adds nothing where
// stored blocks take no more room.
func (c *literalCoder) appendTo(out *bytes.Buffer, data []byte) bool {
	total := c.plan(data)
	size := len(storedHead) + (total+7)/8 + 4
	if size >= StoredSize(len(data)) {
		return false
	}
	out.Grow(size + 8) // bits are written eight bytes at a time
	b := out.AvailableBuffer()
	w := bitWriter{buf: b[:cap(b)]}
	w.at = copy(w.buf, storedHead)
	c.writeHead(&w)
	c.writeLiterals(&w, data)
	w.flush()
	out.Write(binary.BigEndian.AppendUint32(w.buf[:w.at], adler32.Checksum(data)))
	return true
}

// plan makes the codes for data and returns the size of the block in bits.
func (c *literalCoder) plan(data []byte) int {
	c.counts = [4][256]uint32{}
	rest := data
	for ; len(rest) >= 4; rest = rest[4:] {
		c.counts[0][rest[0]]++
		c.counts[1][rest[1]]++
		c.counts[2][rest[2]]++
		c.counts[3][rest[3]]++
	}
	for _, b := range rest {
		c.counts[0][b]++
	}
	for i := range c.counts[0] {
		c.freq[i] = c.counts[0][i] + c.counts[1][i] + c.counts[2][i] + c.counts[3][i]
	}
	c.freq[endOfBlock] = 1
	c.tree.sizes(c.freq[:], c.size[:], literalBits)
	codes(c.size[:], c.code[:])
	c.planHead()
	total := 3 + 5 + 5 + 4 + 3*c.runCodes
	for _, r := range c.runs {
		total += int(c.runSize[r.symbol] + r.width)
	}
	for i, n := range c.freq {
		total += int(n) * int(c.size[i])
	}
	return total
}

// planHead turns the sizes into runs and makes the codes of these. One distance
// code of one bit, never used, follows the literals: a form that every reader
// of deflate knows.
func (c *literalCoder) planHead() {
	c.runs, c.runFreq = c.runs[:0], [19]uint32{}
	add := func(symbol, extra, width uint8) {
		c.runs = append(c.runs, codeRun{symbol, extra, width})
		c.runFreq[symbol]++
	}
	for i := 0; i < literalSize; {
		n := 1
		for i+n < literalSize && c.size[i+n] == c.size[i] {
			n++
		}
		at := c.size[i]
		i += n
		if at == 0 {
			for ; n >= 11; n -= min(n, 138) {
				add(18, uint8(min(n, 138)-11), 7)
			}
			if n >= 3 {
				add(17, uint8(n-3), 3)
				n = 0
			}
		} else {
			add(at, 0, 0)
			for n--; n >= 3; n -= min(n, 6) {
				add(16, uint8(min(n, 6)-3), 2)
			}
		}
		for ; n > 0; n-- {
			add(at, 0, 0)
		}
	}
	add(1, 0, 0)
	c.tree.sizes(c.runFreq[:], c.runSize[:], lengthBits)
	codes(c.runSize[:], c.runCode[:])
	for c.runCodes = len(lengthOrder); c.runCodes > 4 && c.runSize[lengthOrder[c.runCodes-1]] == 0; c.runCodes-- {
	}
}

func (c *literalCoder) writeHead(w *bitWriter) {
	w.put(1, 1) // the last block
	w.put(2, 2) // with its own codes
	w.put(literalSize-257, 5)
	w.put(0, 5) // one distance code
	w.put(uint64(c.runCodes-4), 4)
	for _, s := range lengthOrder[:c.runCodes] {
		w.put(uint64(c.runSize[s]), 3)
	}
	for _, r := range c.runs {
		w.put(c.runCode[r.symbol], c.runSize[r.symbol])
		w.put(uint64(r.extra), r.width)
	}
}

func (c *literalCoder) writeLiterals(w *bitWriter, data []byte) {
	buf, at, acc, n := w.buf, w.at, w.acc, w.n
	for ; len(data) >= 4; data = data[4:] {
		acc |= c.code[data[0]] << (n & 63)
		n += uint(c.size[data[0]])
		acc |= c.code[data[1]] << (n & 63)
		n += uint(c.size[data[1]])
		acc |= c.code[data[2]] << (n & 63)
		n += uint(c.size[data[2]])
		acc |= c.code[data[3]] << (n & 63)
		n += uint(c.size[data[3]])
		binary.LittleEndian.PutUint64(buf[at:], acc)
		at += int(n >> 3)
		acc >>= n &^ 7 & 63
		n &= 7
	}
	w.at, w.acc, w.n = at, acc, n
	for _, b := range data {
		w.put(c.code[b], c.size[b])
	}
	w.put(c.code[endOfBlock], c.size[endOfBlock])
}

// A bitWriter packs bits into bytes, the first in the lowest place. Its buffer
// has eight bytes more than are written.
type bitWriter struct {
	buf []byte
	at  int    // whole bytes written
	acc uint64 // the n bits, at most 7, that follow
	n   uint
}

// put writes the lower size bits of v, at most literalBits; the others are 0.
func (w *bitWriter) put(v uint64, size uint8) {
	w.acc |= v << w.n
	w.n += uint(size)
	binary.LittleEndian.PutUint64(w.buf[w.at:], w.acc)
	w.at += int(w.n >> 3)
	w.acc >>= w.n &^ 7
	w.n &= 7
}

// flush writes a last incomplete byte.
func (w *bitWriter) flush() {
	if w.n > 0 {
		w.at++
		w.acc, w.n = 0, 0
	}
}

// codes gives symbols their canonical codes, RFC 1951, 3.2.2, with the first
// bit in the lowest place, from their sizes.
func codes(size []uint8, code []uint64) {
	var count, next [literalBits + 2]uint16
	for _, n := range size {
		count[n]++
	}
	count[0] = 0
	for n := 1; n < len(count); n++ {
		next[n] = (next[n-1] + count[n-1]) << 1
	}
	for i, n := range size {
		if n == 0 {
			continue
		}
		code[i] = uint64(bits.Reverse16(next[n]) >> (16 - n))
		next[n]++
	}
}

// A codeTree finds the sizes of Huffman codes.
type codeTree struct {
	order []uint64 // count and symbol of those that are used, the rarest first
	nodes []uint32 // their counts, then parents, then depths
}

// sizes sets the size of each symbol's code, at most limit; a symbol that does
// not occur has none. At least two symbols get a code where one occurs: a
// complete code has no fewer.
func (t *codeTree) sizes(freq []uint32, size []uint8, limit int) {
	clear(size)
	t.order = t.order[:0]
	for i, n := range freq {
		if n > 0 {
			t.order = append(t.order, uint64(n)<<16|uint64(i))
		}
	}
	for i := 0; len(t.order) < 2; i++ {
		if freq[i] == 0 {
			t.order = append(t.order, 1<<16|uint64(i))
		}
	}
	slices.Sort(t.order)
	for !t.depths(limit) { // flatter counts give flatter trees
		for i, o := range t.order {
			t.order[i] = (o>>17|1)<<16 | o&0xffff
		}
		slices.Sort(t.order)
	}
	for i, o := range t.order {
		size[o&0xffff] = uint8(t.nodes[i])
	}
}

// depths sets nodes to the depth of each symbol in order and reports whether
// none is below limit. It works in place: A. Moffat and J. Katajainen,
// "In-place calculation of minimum-redundancy codes", 1995.
func (t *codeTree) depths(limit int) bool {
	n := len(t.order)
	t.nodes = slices.Grow(t.nodes[:0], n)[:n]
	a := t.nodes
	for i, o := range t.order {
		a[i] = uint32(o >> 16)
	}
	// 1. Join the two lightest, leaves or nodes; a node's place takes its
	// parent once it is joined.
	leaf, root := 0, 0
	take := func(next int) (weight uint32) {
		if leaf >= n || root < next && a[root] < a[leaf] {
			weight, a[root] = a[root], uint32(next)
			root++
			return weight
		}
		leaf++
		return a[leaf-1]
	}
	for next := range n - 1 {
		first := take(next)
		a[next] = first + take(next)
	}
	// 2. Parents become depths, from the root down.
	a[n-2] = 0
	for i := n - 3; i >= 0; i-- {
		a[i] = a[a[i]] + 1
	}
	// 3. Depths of nodes become depths of leaves, the heaviest first.
	open, used, depth := 1, 0, uint32(0)
	node, at := n-2, n-1
	for open > 0 {
		for node >= 0 && a[node] == depth {
			used++
			node--
		}
		for ; open > used; open-- {
			a[at] = depth
			at--
		}
		open, used, depth = 2*used, 0, depth+1
	}
	return a[0] <= uint32(limit)
}
