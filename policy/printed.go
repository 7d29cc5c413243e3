package policy

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A searchForm is a text as names are looked for in it: letters are plain, without marks and in the form of their alphabet,
// there are no characters of no width, and lineBreak is a hyphen at the end of a line.
type searchForm struct {
	text   string
	at     []uint32 // of each byte of text, and of its end, the place in the source; nil where text is the source
	joined bool     // letters that were set apart are words
}

const (
	lineBreak = '\u00ad' // a soft hyphen, which divides a word
	maxPlain  = 24       // bytes of a longer form are of a sign that is a sentence
)

var (
	unusual = regexp.MustCompile(`[^\x00-\x7f]|-\s*\n`)
	hyphens = regexp.MustCompile(`^[-‐‑¬][^\S\n]*\n[^\S\n]*`)
	spelled = regexp.MustCompile(`(?:^|[^\pL\pM\d'’])(\pL(?:[\s\pZ.·*_/\p{Pd}]{1,4}\pL){2,})`)
	plainOf = map[rune]string{'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "Ae", 'œ': "oe", 'Œ': "Oe", 'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D"}
)

// searchForms yields a text as it is, and then with the letters joined that are set apart in it, where there are such. The second form takes
// the memory of the first.
func searchForms(text string) iter.Seq[*searchForm] {
	return func(yield func(*searchForm) bool) {
		plain := &searchForm{text: text}
		if unusual.MatchString(text) {
			plain = plainForm(text)
		}
		if yield(plain) && spelled.MatchString(plain.text) {
			yield(plain.join())
		}
	}
}

// source returns the place in the source of a byte of the form.
func (r *searchForm) source(at int) int {
	if r.at == nil {
		return at
	}
	return int(r.at[at])
}

// plainForm returns the form of a text with unusual characters.
func plainForm(text string) *searchForm {
	out := &searchForm{at: make([]uint32, 0, len(text)+1)}
	var b strings.Builder
	b.Grow(len(text))
	var room [maxPlain]byte
	for at := 0; at < len(text); {
		plain, next := appendPlain(room[:0], text, at)
		b.Write(plain)
		for range plain {
			out.at = append(out.at, uint32(at))
		}
		at = next
	}
	out.text, out.at = b.String(), append(out.at, uint32(len(text)))
	return out
}

// appendPlain appends the plain form of the character at a place of a text, and returns the place after it.
func appendPlain(to []byte, text string, at int) ([]byte, int) {
	c, size := utf8.DecodeRuneInString(text[at:])
	next := at + size
	if c == '-' || c == '‐' || c == '‑' || c == '¬' {
		if end := at + len(hyphens.FindString(text[at:])); end > at {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, size := utf8.DecodeRuneInString(text[end:])
			second, _ := utf8.DecodeRuneInString(text[end+size:])
			if unicode.IsLetter(before) && (unicode.IsLower(after) || unicode.IsUpper(before) && unicode.IsUpper(after) && unicode.IsUpper(second)) {
				return utf8.AppendRune(to, lineBreak), end
			}
		}
	}
	switch {
	case c < utf8.RuneSelf:
		return append(to, byte(c)), next
	case unicode.In(c, unicode.Cf, unicode.Mn):
		return to, next
	case plainOf[c] != "":
		return append(to, plainOf[c]...), next
	}
	of := norm.NFKD.PropertiesString(text[at:]).Decomposition()
	if of == nil || len(of) > maxPlain {
		return append(to, text[at:next]...), next
	}
	for len(of) > 0 {
		c, size := utf8.DecodeRune(of)
		if !unicode.Is(unicode.Mn, c) {
			to = utf8.AppendRune(to, c)
		}
		of = of[size:]
	}
	return to, next
}

// join returns the form with each run of single letters in one piece: "I n e s" and "I.n.e.s" are Ines. A gap that is wider
// than others of its run divides words. It reuses the offsets slice of r, which must not be used afterwards.
func (r *searchForm) join() *searchForm {
	out, from := &searchForm{joined: true, at: r.at[:0]}, 0
	if r.at == nil {
		out.at = make([]uint32, 0, len(r.text)+1)
	}
	var b strings.Builder
	b.Grow(len(r.text))
	write := func(to int) {
		b.WriteString(r.text[from:to])
		for ; from < to; from++ {
			out.at = append(out.at, uint32(r.source(from)))
		}
	}
	var letters [][2]int
	for at := 0; ; {
		run := spelled.FindStringSubmatchIndex(r.text[at:])
		if run == nil {
			break
		}
		letters = letters[:0]
		for i, c := range r.text[at+run[2] : at+run[3]] {
			if unicode.IsLetter(c) {
				letters = append(letters, [2]int{at + run[2] + i, at + run[2] + i + utf8.RuneLen(c)})
			}
		}
		at += run[3]
		if after := wordLength(r.text[at:]); after > 0 {
			letters, at = letters[:len(letters)-1], at+after // "A m y came"
		}
		narrow := len(r.text)
		for i := 1; i < len(letters); i++ {
			narrow = min(narrow, letters[i][0]-letters[i-1][1])
		}
		for i := 1; i < len(letters) && len(letters) > 2; i++ {
			write(letters[i-1][1])
			if letters[i][0]-letters[i-1][1] > narrow {
				b.WriteByte(' ')
				out.at = append(out.at, uint32(r.source(from)))
			}
			from = letters[i][0]
		}
	}
	write(len(r.text))
	out.text, out.at = b.String(), append(out.at, uint32(r.source(len(r.text))))
	return out
}

// wordLength returns how many bytes of a text are of the word that it begins with.
func wordLength(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, wordRune))
}
