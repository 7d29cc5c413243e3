package cite

import "unicode/utf8"

// word is the number of pattern rows a block holds.
const word = 64

// A pattern is a quote compiled for Myers' bit-vector algorithm: for every code
// point that occurs in it, one bit per row, in blocks of 64 rows.
type pattern struct {
	m      int      // rows: code points of the quote
	blocks int      // of word rows, the last one perhaps shorter
	eq     []uint64 // rows of blocks words; row 0 is that of every other code point
	ascii  [utf8.RuneSelf]int32
	other  map[rune]int32
}

// compile makes the pattern of a quote.
func compile(runes []rune) *pattern {
	p := &pattern{m: len(runes), blocks: (len(runes) + word - 1) / word, other: map[rune]int32{}}
	p.eq = make([]uint64, p.blocks)
	for i, r := range runes {
		at := p.row(r)
		if at == 0 {
			at = int32(len(p.eq))
			p.eq = append(p.eq, make([]uint64, p.blocks)...)
			if r < utf8.RuneSelf {
				p.ascii[r] = at
			} else {
				p.other[r] = at
			}
		}
		p.eq[int(at)+i/word] |= 1 << (i % word)
	}
	return p
}

// row returns where the bits of r begin in p.eq.
func (p *pattern) row(r rune) int32 {
	switch {
	default:
		return p.other[r]
	case r < utf8.RuneSelf:
		return p.ascii[r]
	case len(p.other) == 0:
		return 0
	}
}

// size returns the rows of block b.
func (p *pattern) size(b int) int { return min(word, p.m-b*word) }

// A block is 64 rows of one column of the dynamic programming matrix, as
// vertical differences: a bit of plus or minus says that its row differs from
// the row above by one. bottom is the value in the last row.
type block struct {
	plus, minus uint64
	bottom      int
}

// column returns column 0: row i is i edits away from the empty run.
func (p *pattern) column() []block {
	col := make([]block, p.blocks)
	for b := range col {
		col[b].plus, col[b].bottom = ^uint64(0), min(p.m, (b+1)*word)
	}
	return col
}

// step advances the block by one text code point whose bits are eq. in and the
// result are the horizontal differences (−1, 0, +1) above the block and at its
// bottom.
func (c *block) step(eq uint64, in, size int) int {
	xv := eq | c.minus
	eq |= uint64(in) >> (word - 1) // 1 when in is negative
	xh := (((eq & c.plus) + c.plus) ^ c.plus) | eq
	hp := c.minus | ^(xh | c.plus)
	hm := c.plus & xh
	shift := uint(size-1) % word
	out := int(hp>>shift&1) - int(hm>>shift&1)
	hp = hp<<1 | uint64(in+1)>>1
	hm = hm<<1 | uint64(in)>>(word-1)
	c.plus = hm | ^(xv | hp)
	c.minus = hp & xv
	c.bottom += out
	return out
}

// scan runs the pattern over text and calls found at the end of every run that
// is within k edits of it, with the least number of edits of any run ending
// there. found returns the k to go on with, which may only be smaller.
func (p *pattern) scan(text []byte, k int, found func(end, edits int) int) {
	col := p.column()
	last := p.blocks - 1
	// Blocks beyond active hold no value up to k: the cut-off.
	active := min(last, k/word)
	top := &col[0]
	size := p.size(0)
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		i += n
		eq := p.eq[p.row(r):]
		in := top.step(eq[0], 0, size)
		if active == 0 && last > 0 && top.bottom-in > k && top.bottom < k+size {
			continue // most of any text: only the first block of several is near
		}
		for b := 1; b <= active; b++ {
			in = col[b].step(eq[b], in, p.size(b))
		}
		if active < last && col[active].bottom-in <= k && (eq[active+1]&1 != 0 || in < 0) {
			above := col[active].bottom - in
			active++
			col[active] = block{^uint64(0), 0, above + p.size(active)}
			col[active].step(eq[active], in, p.size(active))
		} else {
			for active > 0 && col[active].bottom >= k+p.size(active) {
				active--
			}
		}
		if active == last && col[last].bottom <= k {
			k = found(i, col[last].bottom)
		}
	}
}

// back runs the pattern, compiled from the reversed quote, from end towards the
// start of text, and calls at for every place with the edits between the
// quote and text[start:end], until it has read most code points.
func (p *pattern) back(text []byte, end, most int, at func(start, edits int)) {
	col := p.column()
	for i := end; i > 0 && most > 0; most-- {
		r, n := rune(text[i-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRune(text[:i])
		}
		i -= n
		eq := p.eq[p.row(r):]
		in := 1 // the run begins here: every code point read costs one above row 0
		for b := range col {
			in = col[b].step(eq[b], in, p.size(b))
		}
		at(i, col[p.blocks-1].bottom)
	}
}
