package gate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/answer/policy"

	"github.com/clipperhouse/uax29/v2/words"
)

// DefaultLimit is the excerpt a reader gets where the policy says nothing
// else: 140 code points, within one sentence.
const DefaultLimit = 140

// A Piece is one contiguous run of an excerpt's text.
type Piece struct {
	Text       string
	Start, End int  // byte offsets in the text the excerpt was made of, half-open
	Shown      bool // false: withheld, rendered as a gap
}

// An Excerpt is a text cut into shown and withheld pieces. The pieces are in
// order, not empty, alternate between shown and withheld, and together are
// the whole text, so that each becomes one chunk leaf. The zero Excerpt is
// that of an empty text.
type Excerpt struct {
	Pieces []Piece
}

// Source returns the whole text, shown and withheld.
func (e Excerpt) Source() string {
	var b strings.Builder
	for _, p := range e.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Shown returns the shown pieces, with " … " in place of what is withheld
// between two of them and nothing at the ends.
func (e Excerpt) Shown() string {
	var shown []string
	for _, p := range e.Pieces {
		if p.Shown {
			shown = append(shown, p.Text)
		}
	}
	return strings.Join(shown, " … ")
}

// Len returns the number of code points shown.
func (e Excerpt) Len() int {
	n := 0
	for _, p := range e.Pieces {
		if p.Shown {
			n += utf8.RuneCountInString(p.Text)
		}
	}
	return n
}

// Withhold returns the excerpt with nothing shown.
func (e Excerpt) Withhold() Excerpt { return cut(e.Source(), 0, 0) }

// Limit returns the excerpt with at most limit code points shown: the first
// ones, cut between words. What e withholds stays withheld.
func (e Excerpt) Limit(limit int) Excerpt {
	if e.Len() <= limit {
		return Excerpt{slices.Clone(e.Pieces)}
	}
	out, left := Excerpt{}, max(limit, 0)
	for _, p := range e.Pieces {
		if !p.Shown {
			out.push(p)
			continue
		}
		if n := utf8.RuneCountInString(p.Text); n <= left {
			out.push(p)
			left -= n
			continue
		}
		end := 0
		for _, a := range atoms(p.Text, left) {
			if utf8.RuneCountInString(p.Text[:a.end]) > left {
				break
			}
			end = a.end
		}
		left = 0
		out.push(Piece{p.Text[:end], p.Start, p.Start + end, true})
		out.push(Piece{p.Text[end:], p.Start + end, p.End, false})
	}
	return out
}

// push appends a piece, joining it to the one before if both are of a kind.
func (e *Excerpt) push(p Piece) {
	if p.Text == "" {
		return
	}
	if n := len(e.Pieces); n > 0 && e.Pieces[n-1].Shown == p.Shown {
		last := &e.Pieces[n-1]
		last.Text += p.Text
		last.End = p.End
		return
	}
	e.Pieces = append(e.Pieces, p)
}

// cut shows text[from:to] and withholds the rest.
func cut(text string, from, to int) Excerpt {
	var e Excerpt
	e.push(Piece{text[:from], 0, from, false})
	e.push(Piece{text[from:to], from, to, true})
	e.push(Piece{text[to:], to, len(text), false})
	return e
}

// Clip is the minimum span of a direct quote: the quote itself, and where it
// is longer than limit code points its first words that fit.
func Clip(quote string, limit int) Excerpt {
	return cut(quote, 0, len(quote)).Limit(limit)
}

// Trim is the minimum span gate: the smallest passage of one sentence that
// supports a claim, at most limit code points, never ending inside a word. A
// sentence that fits is shown whole. Of a longer one Trim shows the shortest
// run that holds every word of need (compared without case, and by a common
// beginning of four letters or more), widened to its clause if that fits and
// else word by word up to the limit. Where the words lie too far apart it
// shows the run with most of them, and where none occurs the sentence's
// beginning. A limit of 0 or less shows nothing.
func Trim(sentence string, need []string, limit int) Excerpt {
	if limit <= 0 {
		return cut(sentence, 0, 0)
	}
	if utf8.RuneCountInString(sentence) <= limit {
		return cut(sentence, 0, len(sentence))
	}
	at := atoms(sentence, limit)
	first, last := window(at, hits(sentence, at, need), limit)
	if first < 0 {
		return cut(sentence, 0, 0) // not even one word fits
	}
	first, last = widen(sentence, at, first, last, limit)
	return cut(sentence, at[first].start, at[last].end)
}

// An atom is what a cut never divides: a run without white space, or, where
// such a run is longer than the limit (a URL, a script without spaces), one
// UAX 29 word of it.
type atom struct {
	start, end int // bytes
	from, to   int // code points
}

func atoms(text string, limit int) []atom {
	var out []atom
	cp := 0
	add := func(start, end int) {
		n := utf8.RuneCountInString(text[start:end])
		out = append(out, atom{start, end, cp, cp + n})
		cp += n
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			i += size
			cp++
			continue
		}
		j := i + strings.IndexFunc(text[i:], unicode.IsSpace)
		if j < i {
			j = len(text)
		}
		if utf8.RuneCountInString(text[i:j]) <= limit {
			add(i, j)
		} else {
			for it := words.FromString(text[i:j]); it.Next(); {
				add(i+it.Start(), i+it.Start()+len(it.Value()))
			}
		}
		i = j
	}
	return out
}

// hits lists, for each atom, the indexes of the needed words that are in it.
func hits(text string, at []atom, need []string) [][]int {
	var want []string
	for _, term := range need {
		for it := words.FromString(term); it.Next(); {
			if w := plain(it.Value()); w != "" && !slices.Contains(want, w) {
				want = append(want, w)
			}
		}
	}
	out := make([][]int, len(at))
	for i, a := range at {
		for it := words.FromString(text[a.start:a.end]); it.Next(); {
			w := plain(it.Value())
			for n := range want {
				if w != "" && alike(w, want[n]) && !slices.Contains(out[i], n) {
					out[i] = append(out[i], n)
				}
			}
		}
	}
	return out
}

// plain returns a word in lower case without a possessive ending, "" for
// punctuation and space.
func plain(w string) string {
	w = strings.ToLower(strings.ReplaceAll(w, "’", "'"))
	w = strings.TrimSuffix(w, "'s")
	if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return ""
	}
	return w
}

// alike tells whether two words are one, or one is the other with an ending.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	const stem = 4 // letters; shorter beginnings are shared by chance
	if min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) < stem {
		return false
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// window returns the first and last atom of the passage with most needed
// words, of these the shortest, of these the earliest; -1 where no atom fits.
func window(at []atom, hit [][]int, limit int) (first, last int) {
	first, last = -1, -1
	have := map[int]int{}
	best, width := 0, 0
	left := 0
	for right := range at {
		for _, n := range hit[right] {
			have[n]++
		}
		drop := func() {
			for _, n := range hit[left] {
				if have[n]--; have[n] == 0 {
					delete(have, n)
				}
			}
			left++
		}
		for left <= right && at[right].to-at[left].from > limit {
			drop()
		}
		for left < right && spare(hit[left], have) {
			drop()
		}
		if left > right {
			continue
		}
		w := at[right].to - at[left].from
		if first < 0 || len(have) > best || len(have) == best && best > 0 && w < width {
			first, last, best, width = left, right, len(have), w
		}
	}
	return first, last
}

// spare tells whether an atom can leave the window without losing a word.
func spare(hit []int, have map[int]int) bool {
	for _, n := range hit {
		if have[n] < 2 {
			return false
		}
	}
	return true
}

// widen grows a passage to its clause if that fits, else word by word, the
// right side first.
func widen(text string, at []atom, first, last, limit int) (int, int) {
	f, l := first, last
	for f > 0 && !ends(text[at[f-1].start:at[f-1].end]) {
		f--
	}
	for l < len(at)-1 && !ends(text[at[l].start:at[l].end]) {
		l++
	}
	if at[l].to-at[f].from <= limit {
		return f, l
	}
	for grown := true; grown; {
		grown = false
		if last < l && at[last+1].to-at[first].from <= limit {
			last++
			grown = true
		}
		if first > f && at[last].to-at[first-1].from <= limit {
			first--
			grown = true
		}
	}
	return first, last
}

// ends tells whether an atom ends a clause.
func ends(word string) bool {
	word = strings.TrimRight(word, `"'”’)]`)
	r, _ := utf8.DecodeLastRuneInString(word)
	return strings.ContainsRune(",;:.!?…—–", r)
}

// A View is what the three gates leave of one citation for one requestor.
type View struct {
	Excerpt    Excerpt
	Restricted bool   // the claim is delivered, its excerpt is not: Notice stands there
	Blocked    bool   // the claim may not be delivered: a consent refusal or a removed topic
	Hidden     bool   // as Blocked, and its existence may not show: behave as in a coverage refusal
	Notice     string // RestrictedNotice where Restricted, else empty
}

// Display passes an excerpt through the consent gate, the tier gate and the
// length limit of the requestor's tier. The view never shows a code point
// that e withholds.
func Display(e Excerpt, p policy.Permission) View {
	switch {
	default:
		return View{Excerpt: e.Limit(p.Excerpt)}
	case !p.Existence:
		return View{Excerpt: e.Withhold(), Blocked: true, Hidden: true}
	case !p.Surface:
		return View{Excerpt: e.Withhold(), Blocked: true}
	case !p.Display || p.Excerpt <= 0:
		return View{Excerpt: e.Withhold(), Restricted: true, Notice: RestrictedNotice}
	}
}
