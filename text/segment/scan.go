package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func isSpace(b byte) bool { return b == ' ' || b-'\t' < 5 }

// wordBreak reports whether a byte is one of the ASCII bytes that no word, abbreviation or number contains.
func wordBreak(b byte) bool {
	return isSpace(b) || strings.IndexByte("()[]{}<>\"'/,;:!?*_-=", b) >= 0
}

// spaceLen returns the length of the white space character at the beginning of t, 0 for none.
func spaceLen(t string) int {
	switch {
	case t == "":
		return 0
	case t[0] < utf8.RuneSelf:
		if isSpace(t[0]) {
			return 1
		}
		return 0
	case t[0] != 0xC2 && t[0] != 0xE1 && t[0] != 0xE2 && t[0] != 0xE3:
		return 0
	}
	if r, n := utf8.DecodeRuneInString(t); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// spaceBefore returns the length of the white space character at the end of t, 0 for none.
func spaceBefore(t string) int {
	if t == "" || t[len(t)-1] < utf8.RuneSelf {
		if t != "" && isSpace(t[len(t)-1]) {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeLastRuneInString(t); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// stopLen returns the length of the stop at the beginning of t: . ! ? … and those of other scripts:
// 。 ！ ？ ．｡ of Chinese and Japanese, ؟ ۔ of Arabic and Urdu, ; (U+037E) of Greek, ։ of Armenian, । ॥ of Hindi.
func stopLen(t string) int {
	if t == "" {
		return 0
	}
	switch t[0] {
	default:
		return 0
	case '.', '!', '?':
		return 1
	case 0xCD, 0xD6, 0xD8, 0xDB, 0xE0, 0xE2, 0xE3, 0xEF:
	}
	for _, c := range [...]string{"…", "。", "！", "？", "．", "｡", "؟", "۔", "\u037e", "։", "।", "॥", "‼", "⁇", "⁈", "⁉"} {
		if strings.HasPrefix(t, c) {
			return len(c)
		}
	}
	return 0
}

// isWide reports whether a stop ends a sentence without white space after it.
func isWide(stop string) bool {
	return len(stop) == 3 && (stop[0] == 0xE3 || stop[0] == 0xEF) || stop == "।" || stop == "॥"
}

// closerLen returns the length of the closing quote, bracket or emphasis mark at the beginning of t.
func closerLen(t string) int {
	switch t[0] {
	case ')', ']', '}', '"', '\'', '*', '_', '`':
		return 1
	}
	for _, c := range [...]string{"”", "’", "»", "“", "›", "‘", "«", "」", "』", "）", "】", "》"} {
		if strings.HasPrefix(t, c) {
			return len(c)
		}
	}
	return 0
}

// skipOpeners passes over opening quotes and brackets, at most maxWord bytes of them.
func skipOpeners(t string, i int) int {
	for end := min(len(t), i+maxWord); i < end; {
		r, n := utf8.DecodeRuneInString(t[i:])
		if !strings.ContainsRune("([{\"'*_`“‘„‚«»‹¿¡「『（【《", r) {
			break
		}
		i += n
	}
	return i
}

func isDigits(w string) bool { return w != "" && leadingDigits(w) == len(w) }

func leadingDigits(t string) int {
	n := 0
	for n < len(t) && n < maxWord && t[n]-'0' < 10 {
		n++
	}
	return n
}

// isInitial reports whether a word is a single capital letter, also as the last of a row: "J", "J.R".
func isInitial(w string) bool {
	for len(w) > 0 {
		r, n := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) {
			return false
		}
		w = w[n:]
		if w == "" {
			return true
		}
		if w[0] != '.' {
			return false
		}
		w = w[1:]
	}
	return false
}

// isAcronym reports whether a word has inner stops between single letters: U.S, z.B.
func isAcronym(w string) bool {
	parts := strings.Split(w, ".")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return utf8.RuneCountInString(p) != 1 })
}
