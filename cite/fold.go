package cite

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"

	"muniment/canon"
)

// A view is a text folded for matching, with the way back to the bytes it was
// made of:
//
//   - a run of white space, line breaks included, is one space;
//   - curly, low, angled and prime quotation marks are ' or ";
//   - hyphens, dashes and the minus sign are -, and a run of them one -;
//   - Latin ligatures are their letters;
//   - soft hyphens and zero width spaces are gone.
//
// Case is kept.
type view struct {
	text  []byte
	ascii bool // the folded text is ASCII
	jumps []jump

	reading bool // broken words are joined, and emphasis is gone: word boundaries are those of text
}

// A jump is a piece of the text whose folded length differs from its own.
// Between jumps the two run in step.
type jump struct {
	fold, foldEnd int // in view.text
	src, srcEnd   int // in the source
}

// fold returns the match view of src.
func fold(src []byte) *view {
	v := &view{text: make([]byte, 0, len(src)), ascii: true}
	for i := 0; i < len(src); {
		if i = v.plainRun(src, i); i < len(src) {
			i = v.foldOne(src, i)
		}
	}
	return v
}

// foldQuote returns the match view of a quote, in the normal form of canonical
// texts and without white space around it.
func foldQuote(quote string) []byte {
	text := fold(canon.NFC([]byte(quote))).text
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// plain marks the bytes that fold to themselves in every context.
var plain = func() (t [256]bool) {
	for c := range 0x80 {
		t[c] = !isSpace(rune(c)) && !isDash(rune(c)) && foldRune(rune(c)) == ""
	}
	return t
}()

// plainLen returns the length of the code point at i if it folds to itself in every context: an
// ASCII byte of that kind, a letter of two bytes above Latin-1 signs (Arabic's block with its
// direction mark left out), or one of three among the Chinese characters, kana except the first,
// and Hangul.
func plainLen(src []byte, i int) int {
	next := func(at int) bool { return at < len(src) && src[at]&0xC0 == 0x80 }
	switch c := src[i]; {
	case c < utf8.RuneSelf:
		if plain[c] {
			return 1
		}
	case c >= 0xC3 && c <= 0xDF && c != 0xD8 && next(i+1):
		return 2
	case (c >= 0xE4 && c <= 0xE9 || c == 0xE3 && i+1 < len(src) && src[i+1] > 0x80) && next(i+1) && next(i+2):
		return 3
	}
	return 0
}

// plainRun appends the code points from i that fold to themselves, single
// spaces between them included, and returns where they end.
func (v *view) plainRun(src []byte, i int) int {
	from := i
	for i < len(src) {
		at := i
		if src[i] == ' ' && i+1 < len(src) {
			at++
		}
		n := plainLen(src, at)
		if n == 0 {
			break
		}
		v.ascii = v.ascii && n == 1
		i = at + n
	}
	v.text = append(v.text, src[from:i]...)
	return i
}

// foldOne folds the code point or run at i and returns where it ends.
func (v *view) foldOne(src []byte, i int) int {
	r, n := utf8.DecodeRune(src[i:])
	at, end := len(v.text), i+n
	switch {
	default:
		if to := foldRune(r); to != "" {
			v.text = append(v.text, to...)
			break
		}
		v.ascii = v.ascii && r < utf8.RuneSelf
		v.text = append(v.text, src[i:end]...)
	case isSpace(r):
		end = runEnd(src, end, func(r rune) bool { return isSpace(r) || isDropped(r) })
		v.text = append(v.text, ' ')
	case isDash(r):
		end = runEnd(src, end, isDash)
		v.text = append(v.text, '-')
	case isDropped(r):
	}
	if len(v.text)-at != end-i {
		v.jumps = append(v.jumps, jump{at, len(v.text), i, end})
	}
	return end
}

// runEnd returns where the code points from i that are in a set end.
func runEnd(src []byte, i int, in func(rune) bool) int {
	for i < len(src) {
		r, n := utf8.DecodeRune(src[i:])
		if !in(r) {
			break
		}
		i += n
	}
	return i
}

// start returns the source offset of folded offset x as the start of a run: after anything dropped
// there. It is false inside the letters of a ligature.
func (v *view) start(x int) (int, bool) {
	i := sort.Search(len(v.jumps), func(i int) bool { return v.jumps[i].fold > x })
	if i == 0 {
		return x, true
	}
	switch j := v.jumps[i-1]; {
	default:
		return j.srcEnd + x - j.foldEnd, true
	case x == j.fold && x < j.foldEnd:
		return j.src, true
	case x < j.foldEnd:
		return 0, false
	}
}

// end returns the source offset of folded offset x as the end of a run: before
// anything dropped there.
func (v *view) end(x int) (int, bool) {
	i := sort.Search(len(v.jumps), func(i int) bool { return v.jumps[i].fold >= x })
	if i == 0 {
		return x, true
	}
	switch j := v.jumps[i-1]; {
	default:
		return j.srcEnd + x - j.foldEnd, true
	case x < j.foldEnd:
		return 0, false
	}
}

// isSpace reports whether r is white space.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// isDash reports whether r is a hyphen, a dash, the horizontal bar or the minus
// sign.
func isDash(r rune) bool { return r == '-' || r >= 0x2010 && r <= 0x2015 || r == 0x2212 }

// isDropped reports whether r is the soft hyphen, zero width space, word joiner,
// BOM, or a mark that shows nothing but a direction: left-to-right,
// right-to-left, Arabic.
func isDropped(r rune) bool {
	switch r {
	case 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF:
		return true
	}
	return false
}

// foldRune returns the folded form of a quotation mark or ligature, else "".
func foldRune(r rune) string {
	switch r {
	case '‘', '’', '‚', '‛', '′', '‹', '›', '`', '´':
		return "'"
	case '“', '”', '„', '‟', '″', '«', '»':
		return `"`
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	case 'ﬅ', 'ﬆ':
		return "st"
	}
	return ""
}

// splitsWord reports whether the place at divides a word or number of text. A
// quote may neither begin nor end at such a place. Words are letters, digits
// and marks, with an apostrophe or middle dot between letters (so that "can"
// is not found in "can't"); numbers keep . , : / and the apostrophe between
// digits, and a sign before them (so that "5" is not found in "1,500" or
// "-5"). Scripts written without spaces have a boundary at every code point,
// and an emoji of several code points none inside.
func splitsWord(text []byte, at int) bool {
	prev, before := prevRune(text, at)
	next, after := nextRune(text, at)
	switch {
	default:
		return false
	case prev < 0 || next < 0:
		return false
	case next >= utf8.RuneSelf && unicode.Is(unicode.M, next):
		return true
	case inWord(prev) && inWord(next):
		return true
	case next >= utf8.RuneSelf && inEmoji(text, before, after, prev, next):
		return true
	case inWord(prev) && isMid(next):
		beyond, _ := nextRune(text, after)
		return joins(prev, next, beyond)
	case isMid(prev) && inWord(next):
		beyond, _ := prevRune(text, before)
		if (prev == '-' || prev == 0x2212) && unicode.IsDigit(next) {
			return beyond < 0 || isSpace(beyond) || beyond == '('
		}
		return joins(beyond, prev, next)
	}
}

// inEmoji reports whether prev, which begins at before, and next, which ends at
// after, are parts of one picture: two joined by U+200D, one and its skin tone,
// or the two letters of a flag. Flags are counted from their first letter, so
// that "🇩🇪🇫🇷" has one boundary.
func inEmoji(text []byte, before, after int, prev, next rune) bool {
	switch {
	case next >= 0x1F3FB && next <= 0x1F3FF:
		return !isSpace(prev) && !unicode.IsPunct(prev)
	case isFlag(prev) && isFlag(next):
		letters := 0
		for r := prev; isFlag(r) && letters < 2*maxInvisible; letters++ {
			r, before = prevRune(text, before)
		}
		return letters%2 == 1
	}
	_, m := utf8.DecodeRune(text[before:])
	_, n := utf8.DecodeLastRune(text[:after])
	return before+m < after-n && bytes.ContainsRune(text[before+m:after-n], 0x200D) && !isSpace(prev) && !unicode.IsPunct(prev) && !isSpace(next) && !unicode.IsPunct(next)
}

// isFlag reports whether r is a regional indicator; two of them name a country.
func isFlag(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// isMid reports whether r can be inside a word or number, or be the sign of a number.
func isMid(r rune) bool {
	switch r {
	case '\'', '’', '·', '.', ',', ':', '/', '-', 0x2212:
		return true
	}
	return false
}

// joins reports whether the sign mid between a and b belongs to their word or
// number.
func joins(a, mid, b rune) bool {
	switch mid {
	case '\'', '’':
		return inWord(a) && inWord(b)
	case '·':
		return unicode.IsLetter(a) && unicode.IsLetter(b)
	case '.', ',', ':', '/':
		return unicode.IsDigit(a) && unicode.IsDigit(b)
	}
	return false
}

// inWord reports whether r continues a word next to another such code point.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r)) && !isUnspaced(r)
}

// isUnspaced reports whether r is of a script that puts no space between words.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// maxInvisible bounds the code points that do not show between two that do, so
// that a text of nothing else is not read again for each of its places. No
// match begins or ends beside more of them.
const maxInvisible = 64

// prevRune returns the last visible code point before at, -1 at the start, and its offset; after
// maxInvisible invisible ones a letter is assumed.
func prevRune(text []byte, at int) (rune, int) {
	for range maxInvisible {
		if at == 0 {
			return -1, 0
		}
		r, n := rune(text[at-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRune(text[:at])
		}
		at -= n
		if !isDropped(r) && r != 0x200C && r != 0x200D {
			return r, at
		}
	}
	return 'a', at
}

// nextRune returns the code point from at that shows, -1 at the end, and where
// it ends; a letter before maxInvisible others.
func nextRune(text []byte, at int) (rune, int) {
	for range maxInvisible {
		if at == len(text) {
			return -1, at
		}
		r, n := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[at:])
		}
		at += n
		if !isDropped(r) && r != 0x200C && r != 0x200D {
			return r, at
		}
	}
	return 'a', at
}
