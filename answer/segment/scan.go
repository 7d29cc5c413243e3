package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isSpace(b byte) bool { return b == ' ' || b-'\t' < 5 }

// wordBreak tells the ASCII bytes that no word, abbreviation or number contains.
func wordBreak(b byte) bool {
	return isSpace(b) || strings.IndexByte("()[]{}<>\"'/,;:!?*_-=", b) >= 0
}

// stopLen returns the length of the stop at the beginning of t: . ! ? … 。 ！ ？
func stopLen(t string) int {
	if t == "" {
		return 0
	}
	switch t[0] {
	default:
		return 0
	case '.', '!', '?':
		return 1
	case 0xE2:
		if strings.HasPrefix(t, "…") {
			return 3
		}
	case 0xE3:
		if strings.HasPrefix(t, "。") {
			return 3
		}
	}
	return 0
}

// closerLen returns the length of the closing quote, bracket or emphasis mark at the beginning of t.
func closerLen(t string) int {
	switch t[0] {
	case ')', ']', '}', '"', '\'', '*', '_', '`':
		return 1
	}
	for _, c := range [...]string{"”", "’", "»", "“", "›", "‘", "«"} {
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
		if !strings.ContainsRune("([{\"'*_`“‘„‚«»‹", r) {
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

// initial tells a single capital letter, also as the last of a row: "J", "J.R".
func initial(w string) bool {
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

// initialContext tells whether what stands before a single letter is the beginning, another initial
// or a title, so that the letter is an initial and not the pronoun I.
func initialContext(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-maxWord):], " \t\n")
	if before == "" {
		return true
	}
	return strings.HasSuffix(before, ".")
}

// acronym tells words with inner stops between single letters: U.S, z.B.
func acronym(w string) bool {
	parts := strings.Split(w, ".")
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if utf8.RuneCountInString(p) != 1 {
			return false
		}
	}
	return true
}

// marker reads a citation marker at the beginning of t: [1] or [cite:g3], with its length, 0 for none.
func marker(t string) (Marker, int) {
	if t == "" || t[0] != '[' {
		return Marker{}, 0
	}
	end := strings.IndexByte(t[:min(len(t), maxMarker)], ']')
	if end < 2 {
		return Marker{}, 0
	}
	body := t[1:end]
	if isDigits(body) && len(body) <= 4 {
		return Marker{ID: body, Numbered: true}, end + 1
	}
	id, ok := strings.CutPrefix(body, "cite:")
	if !ok || id == "" {
		return Marker{}, 0
	}
	for i := 0; i < len(id); i++ {
		if c := id[i]; c >= 0x80 || !(c|0x20 >= 'a' && c|0x20 <= 'z' || c-'0' < 10 || c == '_' || c == '-') {
			return Marker{}, 0
		}
	}
	return Marker{ID: id}, end + 1
}
