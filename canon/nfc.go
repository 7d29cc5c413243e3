package canon

import (
	"slices"
	"unicode/utf8"
)

//go:generate go run gen_tables.go

// Parts of a property value in propValues. A code point whose value has none
// of them (combining class 0, quick check yes) begins a segment: nothing
// before it can change it.
const (
	cccMask   = 0xFF    // canonical combining class
	maybeBit  = 1 << 8  // NFC_Quick_Check=Maybe
	noBit     = 1 << 9  // NFC_Quick_Check=No
	decompBit = 1 << 10 // has a canonical decomposition in the tables
	checkBits = cccMask | maybeBit | noBit
)

// Hangul syllables are composed by arithmetic: section 3.12 of the Unicode
// Standard.
const (
	hangulS, hangulL, hangulV, hangulT = 0xAC00, 0x1100, 0x1161, 0x11A7
	countL, countV, countT             = 19, 21, 28
	countS                             = countL * countV * countT
)

// NFC returns src in Normalization Form C by the rules of Unicode Standard
// Annex 15 and the frozen tables. Runs of combining marks may have any length
// and are ordered in linear time; U+034F is never inserted. Bytes that are not
// UTF-8 stay as they are. The result is src itself when nothing changes.
func NFC(src []byte) []byte {
	at := quickSpan(src)
	if at == len(src) {
		return src
	}
	var n normalizer
	out := make([]byte, 0, len(src)+utf8.UTFMax)
	for {
		out = append(out, src[:at]...)
		if src = src[at:]; len(src) == 0 {
			return out
		}
		end := segmentLen(src)
		out = n.normalize(out, src[:end])
		src = src[end:]
		at = quickSpan(src)
	}
}

// properties returns the property value of r.
func properties(r rune) uint16 {
	if r >= propLimit {
		return 0
	}
	return propValues[r]
}

// quickSpan returns where the first segment begins that may not be in NFC, or
// len(b).
func quickSpan(b []byte) int {
	start, last := 0, uint16(0)
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i += asciiLen(b[i:])
			start, last = i-1, 0
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			i++
			start, last = i, 0
			continue
		}
		v := properties(r)
		ccc := v & cccMask
		switch {
		case v&checkBits == 0:
			start, last = i, 0
		case v&(maybeBit|noBit) != 0 || ccc < last:
			return start
		default:
			last = ccc
		}
		i += size
	}
	return len(b)
}

// segmentLen returns the length of the segment that begins b: its first code
// point and what follows up to the next that begins a segment.
func segmentLen(b []byte) int {
	_, end := utf8.DecodeRune(b)
	for end < len(b) {
		r, size := utf8.DecodeRune(b[end:])
		if properties(r)&checkBits == 0 { // U+FFFD, so anything invalid, among them
			break
		}
		end += size
	}
	return end
}

// A mark is a code point with its canonical combining class.
type mark struct {
	r   rune
	ccc uint8
}

// A normalizer holds the buffers that segments are worked on in.
type normalizer struct{ buf, spare []mark }

// normalize appends the NFC form of one segment to out.
func (n *normalizer) normalize(out, segment []byte) []byte {
	n.buf = n.buf[:0]
	for len(segment) > 0 {
		r, size := utf8.DecodeRune(segment)
		n.decompose(r)
		segment = segment[size:]
	}
	n.order()
	for _, m := range compose(n.buf) {
		out = utf8.AppendRune(out, m.r)
	}
	return out
}

// decompose adds the full canonical decomposition of r.
func (n *normalizer) decompose(r rune) {
	v := properties(r)
	switch {
	default:
		n.buf = append(n.buf, mark{r, uint8(v & cccMask)})
	case v&decompBit != 0:
		i, ok := slices.BinarySearch(decompKeys, r)
		if !ok {
			panic("canon: table has no decomposition of a code point marked for one")
		}
		from := 0
		if i > 0 {
			from = int(decompEnds[i-1])
		}
		for _, d := range decompRunes[from:decompEnds[i]] {
			n.buf = append(n.buf, mark{d, uint8(properties(d) & cccMask)})
		}
	case r >= hangulS && r < hangulS+countS:
		s := r - hangulS
		n.buf = append(n.buf, mark{hangulL + s/(countV*countT), 0}, mark{hangulV + s%(countV*countT)/countT, 0})
		if t := s % countT; t > 0 {
			n.buf = append(n.buf, mark{hangulT + t, 0})
		}
	}
}

// order sorts every run of combining marks by class, marks of one class
// staying in their order.
func (n *normalizer) order() {
	for i := 0; i < len(n.buf); i++ {
		if n.buf[i].ccc == 0 {
			continue
		}
		from := i
		for i < len(n.buf) && n.buf[i].ccc != 0 {
			i++
		}
		n.orderRun(n.buf[from:i])
	}
}

// orderRun sorts one run: by insertion while it is short, else by counting.
func (n *normalizer) orderRun(run []mark) {
	const short = 16
	if len(run) > short {
		n.countingSort(run)
		return
	}
	for i := 1; i < len(run); i++ {
		for j := i; j > 0 && run[j].ccc < run[j-1].ccc; j-- {
			run[j], run[j-1] = run[j-1], run[j]
		}
	}
}

// countingSort sorts a run of any length by combining class in linear time,
// and keeps the order within a class.
func (n *normalizer) countingSort(run []mark) {
	var next [256]int
	for _, m := range run {
		next[m.ccc]++
	}
	sum := 0
	for ccc, count := range next {
		next[ccc] = sum
		sum += count
	}
	n.spare = slices.Grow(n.spare[:0], len(run))[:len(run)]
	for _, m := range run {
		n.spare[next[m.ccc]] = m
		next[m.ccc]++
	}
	copy(run, n.spare)
}

// compose joins marks with the last starter before them where a primary
// composite exists and nothing blocks the way. It works in place.
func compose(buf []mark) []mark {
	starter, kept := -1, 0
	for _, m := range buf {
		if starter >= 0 && (kept-1 == starter || buf[kept-1].ccc < m.ccc) {
			if c, ok := composite(buf[starter].r, m.r); ok {
				buf[starter].r = c
				continue
			}
		}
		if m.ccc == 0 {
			starter = kept
		}
		buf[kept] = m
		kept++
	}
	return buf[:kept]
}

// composite returns the primary composite of a and b, if there is one.
func composite(a, b rune) (rune, bool) {
	if l, v := a-hangulL, b-hangulV; l >= 0 && l < countL && v >= 0 && v < countV {
		return hangulS + (l*countV+v)*countT, true
	}
	if s, t := a-hangulS, b-hangulT; s >= 0 && s < countS && s%countT == 0 && t > 0 && t < countT {
		return a + t, true
	}
	i, ok := slices.BinarySearchFunc(compositions, [3]rune{a, b}, comparePairs)
	if !ok {
		return 0, false
	}
	return compositions[i][2], true
}

// CountUnassigned returns how many code points of a text are not assigned in
// the frozen tables. Such a code point is kept as it is; a later version of
// Unicode may give it a normal form that differs from ours.
func CountUnassigned(utf8Text []byte) int {
	n := 0
	var last [2]rune // a text stays in few ranges, and mostly in the one it was in
	for b := utf8Text; len(b) > 0; {
		if b[0] < utf8.RuneSelf {
			b = b[asciiLen(b):]
			continue
		}
		r, size := utf8.DecodeRune(b)
		if r < last[0] || r > last[1] {
			if span, ok := assignedRange(r); ok {
				last = span
			} else {
				n++
			}
		}
		b = b[size:]
	}
	return n
}

// assignedRange returns the range of assigned code points that r is in.
func assignedRange(r rune) (span [2]rune, ok bool) {
	i, ok := slices.BinarySearchFunc(assignedRanges, r, func(span [2]rune, r rune) int {
		switch {
		default:
			return 0
		case span[1] < r:
			return -1
		case span[0] > r:
			return 1
		}
	})
	if !ok {
		return span, false
	}
	return assignedRanges[i], true
}
