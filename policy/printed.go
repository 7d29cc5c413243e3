package policy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A searchForm is a text as names are looked for in it: each letter and its marks are one character, there are
// no characters of no width, and lineBreak is a hyphen at the end of a line.
type searchForm struct {
	text   string
	at     []int // of each byte of text, and of its end, the place in the source; nil where text is the source
	joined bool  // letters that were set apart are words
}

// lineBreak is a soft hyphen, which divides a word.
const lineBreak = '\u00ad'

var (
	unusual = regexp.MustCompile(`[\x{ad}\x{200b}-\x{200d}\x{2060}\x{feff}\x{300}-\x{36f}]|[-‐‑¬]\s*\n`)
	pieces  = regexp.MustCompile(`[-‐‑¬][^\S\n]*\n[^\S\n]*|\P{M}?\pM*`)
	letter  = regexp.MustCompile(`\pL`)
	spelled = regexp.MustCompile(`(?:^|[^\pL\pM\d'’])(\pL(?:[\s\pZ.·*_/\p{Pd}]{1,4}\pL){2,})`)
)

// searchForms returns a text as it is, and with the letters joined that are set apart in it, where there are such.
func searchForms(text string) []searchForm {
	plain := searchForm{text: text}
	if unusual.MatchString(text) {
		plain = plainForm(text)
	}
	if runs := spelled.FindAllStringSubmatchIndex(plain.text, -1); runs != nil {
		return []searchForm{plain, plain.join(runs)}
	}
	return []searchForm{plain}
}

// source returns the place in the source of a byte of the form.
func (r *searchForm) source(at int) int {
	if r.at == nil {
		return at
	}
	return r.at[at]
}

// plainForm returns the form of a text with unusual characters.
func plainForm(text string) (out searchForm) {
	var b strings.Builder
	for _, at := range pieces.FindAllStringIndex(text, -1) {
		piece := norm.NFC.String(text[at[0]:at[1]])
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, size := utf8.DecodeRuneInString(text[at[1]:])
		second, _ := utf8.DecodeRuneInString(text[at[1]+size:])
		switch first, _ := utf8.DecodeRuneInString(piece); {
		case strings.ContainsRune(piece, '\n') && len(piece) > 1 && unicode.IsLetter(before) && (unicode.IsLower(after) || unicode.IsUpper(before) && unicode.IsUpper(after) && unicode.IsUpper(second)):
			piece = string(lineBreak)
		case unicode.Is(unicode.Cf, first):
			continue
		}
		b.WriteString(piece)
		for range len(piece) {
			out.at = append(out.at, at[0])
		}
	}
	out.text, out.at = b.String(), append(out.at, len(text))
	return out
}

// join returns the form with each run of single letters in one piece: "I n e s" and "I.n.e.s" are Ines. A gap that is wider
// than others of its run divides words.
func (r *searchForm) join(runs [][]int) searchForm {
	out, from := searchForm{joined: true}, 0
	var b strings.Builder
	write := func(to int) {
		b.WriteString(r.text[from:to])
		for ; from < to; from++ {
			out.at = append(out.at, r.source(from))
		}
	}
	for _, run := range runs {
		letters := letter.FindAllStringIndex(r.text[run[2]:run[3]], -1)
		if after, _ := utf8.DecodeRuneInString(r.text[run[3]:]); wordRune(after) {
			letters = letters[:len(letters)-1] // "A m y came"
		}
		narrow := len(r.text)
		for i := 1; i < len(letters); i++ {
			narrow = min(narrow, letters[i][0]-letters[i-1][1])
		}
		for i := 1; i < len(letters) && len(letters) > 2; i++ {
			write(run[2] + letters[i-1][1])
			if letters[i][0]-letters[i-1][1] > narrow {
				b.WriteByte(' ')
				out.at = append(out.at, r.source(from))
			}
			from = run[2] + letters[i][0]
		}
	}
	write(len(r.text))
	out.text, out.at = b.String(), append(out.at, r.source(len(r.text)))
	return out
}
