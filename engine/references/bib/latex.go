package bib

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/canon"
)

// texMarks are the accents of TeX as combining marks.
var texMarks = map[byte]rune{'`': 0x300, '\'': 0x301, '^': 0x302, '~': 0x303, '=': 0x304, 'u': 0x306, '.': 0x307, '"': 0x308, 'r': 0x30A, 'H': 0x30B, 'v': 0x30C, 'd': 0x323, 'c': 0x327, 'k': 0x328, 'b': 0x331}

// texLetters maps control words to the letters or signs that they denote.
var texLetters = map[string]string{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
	"textbackslash": `\`, "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~", "textasciicircum": "^", "ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "textquoteright": "’", "textquoteleft": "‘"}

// texRuns are runs of signs with their text; a longer run goes before its beginning.
var texRuns = [][2]string{{"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"}, {"{", ""}, {"}", ""}, {"$", ""}, {"~", " "}}

// texPlain turns the text of a field into plain text: accents become letters,
// braces and commands of style go, ~ is a space, -- and --- are dashes.
func texPlain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		text, n := s[i:i+1], 1
		if s[i] == '\\' {
			text, n = texCommand(s[i:])
		} else if at := slices.IndexFunc(texRuns, func(r [2]string) bool { return strings.HasPrefix(s[i:], r[0]) }); at >= 0 {
			text, n = texRuns[at][1], len(texRuns[at][0])
		}
		b.WriteString(text)
		i += n
	}
	return string(canon.NFC([]byte(strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "\uFFFD")), " "))))
}

// texCommand reads the command at the beginning of s and returns its text and
// length. An unknown command of letters is style and gives nothing.
func texCommand(s string) (string, int) {
	if len(s) < 2 {
		return "", len(s)
	}
	c := s[1]
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	if mark, ok := texMarks[c]; ok && (!letter || len(s) > 2 && (s[2] == '{' || s[2] == ' ')) {
		if base, n := texBase(s[2:]); n > 0 {
			return base + string(mark), 2 + n
		}
	}
	if !letter {
		if c >= utf8.RuneSelf {
			return "", 1
		}
		return string(rune(c)), 2 // \& \% \_ \{ \\
	}
	n := 1
	for n < len(s) && s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' {
		n++
	}
	text := texLetters[s[1:n]]
	if n < len(s) && s[n] == ' ' {
		n++
	} else if strings.HasPrefix(s[n:], "{}") {
		n += 2
	}
	return text, n
}

// texBase reads the letter under an accent: e, {e}, {\i}, \i.
func texBase(s string) (string, int) {
	t := strings.TrimLeft(s, " ")
	skip := len(s) - len(t)
	braced := strings.HasPrefix(t, "{")
	if braced {
		t = t[1:]
	}
	var base string
	n := 0
	switch {
	case strings.HasPrefix(t, `\i`):
		base, n = "i", 2
	case strings.HasPrefix(t, `\j`):
		base, n = "j", 2
	default:
		r, size := utf8.DecodeRuneInString(t)
		if size == 0 || r == '}' || r == utf8.RuneError {
			return "", 0
		}
		base, n = string(r), size
	}
	if braced {
		if !strings.HasPrefix(t[n:], "}") {
			return "", 0
		}
		n += 2
	}
	return base, skip + n
}
