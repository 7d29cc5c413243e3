package cite

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// findFuzzy returns the runs of the view within k edits of the quote that have the
// fewest edits, begin and end at word boundaries, and do not overlap.
//
// Among runs that overlap, the one that starts first wins, then the longest.
func (f *finder) findFuzzy(k int) []place {
	if k == 0 {
		return nil
	}
	// 5. A match with few edits holds one of the quote's pieces unchanged, so
	// only the surroundings of such pieces need be looked at.
	// Long pieces are rare in a text, short ones allow more edits.
	for _, length := range [...]int{2 * pieceLen, pieceLen} {
		few := min(k, len(f.runes)/length-1)
		if few < 1 {
			continue
		}
		if places := f.best(few, f.candidates(few)); len(places) > 0 {
			return places
		}
	}
	// 6. Else the whole text is.
	return f.best(k, []run{{0, len(f.view.text)}})
}

// A run is a half-open range of bytes of the view.
type run struct{ from, to int }

// best scans the runs for the places with the fewest edits, at most k.
func (f *finder) best(k int, runs []run) []place {
	forward, backward := compile(f.runes), compileReversed(f.runes)
	text := f.view.text
	var places []place
	steps, perTry := maxSteps, (len(f.runes)+k)*forward.blocks
	for _, r := range runs {
		if steps -= (r.to - r.from) * forward.blocks; steps < 0 {
			break
		}
		forward.scan(text[r.from:r.to], k, func(end, _ int) int {
			end += r.from
			// 7. Given the end, the start is found by running backwards.
			if steps < 0 || !f.edge(end, true) {
				return k
			}
			steps -= perTry
			p := f.startOf(backward, end, k)
			if p.edits < k {
				k, places = p.edits, places[:0]
			}
			if p.edits == k {
				places = append(places, p)
			}
			return k
		})
	}
	return withoutOverlaps(places)
}

// startOf returns the run that ends at end with the fewest edits, the longest
// where several have as many. Its edits are above k when there is none.
func (f *finder) startOf(backward *pattern, end, k int) place {
	p := place{end: end, edits: k + 1}
	backward.back(f.view.text, end, len(f.runes)+k, func(start, edits int) {
		if edits <= min(p.edits, k) && f.edge(start, false) {
			p.start, p.edits = start, edits
		}
	})
	return p
}

// withoutOverlaps returns the places in reading order, without those that overlap
// an earlier one.
func withoutOverlaps(places []place) []place {
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var out []place
	for _, p := range places {
		if n := len(out); n == 0 || out[n-1].end <= p.start && n < MaxPlaces {
			out = append(out, p)
		}
	}
	return out
}

// pieceLen is the least length in code points, and so in bytes, of the pieces
// that candidates looks for: one machine word.
const pieceLen = 8

// A piece is a part of the quote: of n+1 disjoint pieces, n edits leave one
// unchanged. Equal pieces are one, so that a quote of few words repeated costs
// no more than another.
type piece struct {
	text        []byte
	first, last int // code points of the quote before its first and its last place
}

// candidates returns the runs of the view that can hold a match with at most k
// edits, in order and apart.
func (f *finder) candidates(k int) []run {
	pieces := f.pieces(k + 1)
	var seen [1 << 10]uint64 // a set of 16-bit hashes of first words
	byHash := map[uint16][]piece{}
	for _, p := range pieces {
		h := hash16(binary.LittleEndian.Uint64(p.text))
		seen[h>>6] |= 1 << (h & 63)
		byHash[h] = append(byHash[h], p)
	}
	width := utf8.UTFMax
	if f.view.ascii {
		width = 1
	}
	text, m := f.view.text, len(f.runes)
	var runs []run
	for i := 0; i+pieceLen <= len(text); i++ {
		h := hash16(binary.LittleEndian.Uint64(text[i:]))
		if seen[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		for _, p := range byHash[h] {
			if bytes.HasPrefix(text[i:], p.text) {
				runs = extend(runs, run{
					runeStart(text, max(0, i-width*(p.last+k))),
					runeStart(text, min(len(text), i+width*(m-p.first+k))),
				})
			}
		}
	}
	return runs
}

// extend adds r to runs that are in order and apart, joining what meets.
func extend(runs []run, r run) []run {
	for n := len(runs); n > 0 && runs[n-1].to >= r.from; n-- {
		last := runs[n-1]
		r = run{min(last.from, r.from), max(last.to, r.to)}
		runs = runs[:n-1]
	}
	return append(runs, r)
}

// pieces cuts the quote into n parts of nearly equal length.
func (f *finder) pieces(n int) []piece {
	var pieces []piece
	index := map[string]int{}
	for i := range n {
		from, to := i*len(f.runes)/n, (i+1)*len(f.runes)/n
		text := string(f.runes[from:to])
		at, ok := index[text]
		if !ok {
			at = len(pieces)
			index[text], pieces = at, append(pieces, piece{text: []byte(text), first: from})
		}
		pieces[at].last = from
	}
	return pieces
}

// hash16 is Fibonacci hashing: the top bits of a product with 2^64/φ.
func hash16(v uint64) uint16 { return uint16(v * 0x9E3779B97F4A7C15 >> 48) }

// runeStart moves at back to where a code point begins.
func runeStart(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
