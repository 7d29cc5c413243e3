package cite

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// findNearest returns the place of the view most like the quote. A short quote is
// looked for with a third of it changed; any other, and a short one not found
// so, by the words it shares with the text, rare ones weighing more.
func (f *finder) findNearest() (place, bool) {
	if m := len(f.runes); m < ShortQuote && m >= 3 {
		if places := f.best(m/3, []run{{0, len(f.view.text)}}); len(places) > 0 {
			return places[0], true
		}
	}
	return f.sharedWords()
}

// minShare is the part of the quote's weight, one in minShare, that a place
// must share with it to be worth showing.
const minShare = 4

// An occurrence is a word of the quote where the text has it.
type occurrence struct {
	word       int // index of the distinct word
	ordinal    int // of the word in the text
	start, end int // bytes of the view
}

// sharedWords finds the window of the text, half as long again as the quote in
// words, that shares the most weight with it.
func (f *finder) sharedWords() (place, bool) {
	need, index := []int{}, map[uint64]int{} // by distinct word of the quote
	length := 0
	eachWord(f.quote, func(h uint64, _, _ int) {
		i, ok := index[h]
		if !ok {
			i = len(need)
			index[h], need = i, append(need, 0)
		}
		need[i]++
		length++
	})
	var all []occurrence
	count := make([]int, len(need))
	ordinal := 0
	eachWord(f.view.text, func(h uint64, start, end int) {
		if i, ok := index[h]; ok {
			all = append(all, occurrence{i, ordinal, start, end})
			count[i]++
		}
		ordinal++
	})
	weight, total := make([]int, len(need)), 0
	for i := range need {
		weight[i] = 1 + bits.Len(uint(ordinal/(count[i]+1))) // 1 + log2 of how rare it is
		total += need[i] * weight[i]
	}
	w := window{need: need, weight: weight, has: make([]int, len(need))}
	best, from, to := 0, 0, 0
	for left, right := 0, 0; right < len(all); right++ {
		w.add(all[right].word)
		for all[right].ordinal-all[left].ordinal >= length+length/2+1 || w.spare(all[left].word) {
			w.drop(all[left].word)
			left++
		}
		if w.score > best {
			best, from, to = w.score, left, right
		}
	}
	if best == 0 || best*minShare < total {
		return place{}, false
	}
	return f.snap(place{start: all[from].start, end: all[to].end})
}

// A window keeps the weight that a run of the text shares with the quote.
type window struct {
	need, weight, has []int // by distinct word
	score             int
}

// add takes word i into the window.
func (w *window) add(i int) {
	if w.has[i]++; w.has[i] <= w.need[i] {
		w.score += w.weight[i]
	}
}

// drop takes word i out of the window.
func (w *window) drop(i int) {
	if w.has[i]--; w.has[i] < w.need[i] {
		w.score -= w.weight[i]
	}
}

// spare reports whether the window has more of word i than the quote.
func (w *window) spare(i int) bool { return w.has[i] > w.need[i] }

// snap widens p to where a match may begin and end.
func (f *finder) snap(p place) (place, bool) {
	for p.start > 0 && !f.edge(p.start, false) {
		p.start = runeStart(f.view.text, p.start-1)
	}
	for p.end < len(f.view.text) && !f.edge(p.end, true) {
		_, n := utf8.DecodeRune(f.view.text[p.end:])
		p.end += n
	}
	return p, f.edge(p.start, false) && f.edge(p.end, true)
}

// eachWord calls fn with a hash of every word of folded text, whatever its
// case, and its bytes.
func eachWord(text []byte, fn func(hash uint64, start, end int)) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, 64 bits
	start, h := -1, uint64(offset)
	flush := func(end int) {
		if start >= 0 {
			fn(h, start, end)
		}
		start, h = -1, offset
	}
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
			r = unicode.ToLower(r)
		} else if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		switch {
		default:
			flush(i)
		case inWord(r):
			if start < 0 {
				start = i
			}
			h = (h ^ uint64(r)) * prime
		case isUnspaced(r):
			flush(i)
			start, h = i, (h^uint64(r))*prime
			flush(i + n)
		}
		i += n
	}
	flush(len(text))
}
