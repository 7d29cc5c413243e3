package canon

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

const bom = "\uFEFF"

// Text returns the text@1 form of a decoded text, or nil when nothing visible
// is left of it. The input must be valid UTF-8, as Decode returns it; bytes
// that are not pass through unchanged. The result may share memory with the
// input.
func Text(utf8Text []byte) []byte {
	s := utf8Text
	if asciiLen(s) < len(s) {
		s = NFC(breakLines(s, true)) // steps 1 and 2
	} else {
		s = breakLines(s, false) // step 1
	}
	s = trimEdges(trimLines(s)) // steps 3 and 4
	if !hasVisible(s) {         // step 5
		return nil
	}
	if s[len(s)-1] == '\n' {
		return s
	}
	// s may be a slice of the caller's text: append must not write behind it.
	return append(s[:len(s):len(s)], '\n')
}

// asciiLen returns the length of the longest ASCII prefix of b.
func asciiLen(b []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; len(b)-i >= 32; i += 32 {
		w := b[i : i+32]
		if (binary.LittleEndian.Uint64(w)|binary.LittleEndian.Uint64(w[8:])|
			binary.LittleEndian.Uint64(w[16:])|binary.LittleEndian.Uint64(w[24:]))&high != 0 {
			break
		}
	}
	for ; len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:])&high == 0; i += 8 {
	}
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
	}
	return i
}

// breakLines makes every line break an LF. With wide, the breaks outside ASCII
// (NEL, LS, PS) are looked for too.
func breakLines(s []byte, wide bool) []byte {
	at := nextBreak(s, wide)
	if at == len(s) {
		return s
	}
	out := make([]byte, 0, len(s)+1)
	for {
		out = append(out, s[:at]...)
		if s = s[at:]; len(s) == 0 {
			return out
		}
		out = append(out, '\n')
		switch {
		default: // LS, PS
			s = s[3:]
		case s[0] == '\r' && len(s) > 1 && s[1] == '\n':
			s = s[2:]
		case s[0] == '\r':
			s = s[1:]
		case s[0] == 0xC2: // NEL
			s = s[2:]
		}
		at = nextBreak(s, wide)
	}
}

// nextBreak returns where the next line break other than LF begins, or len(s).
func nextBreak(s []byte, wide bool) int {
	if !wide {
		if i := bytes.IndexByte(s, '\r'); i >= 0 {
			return i
		}
		return len(s)
	}
	for i, c := range s {
		switch c {
		case '\r':
			return i
		case 0xC2: // NEL is C2 85
			if i+1 < len(s) && s[i+1] == 0x85 {
				return i
			}
		case 0xE2: // LS and PS are E2 80 A8 and E2 80 A9
			if i+2 < len(s) && s[i+1] == 0x80 && s[i+2]|1 == 0xA9 {
				return i
			}
		}
	}
	return len(s)
}

// trimLines removes spaces and tabs before every LF and at the end.
func trimLines(s []byte) []byte {
	var out []byte // nil until something is removed
	from := 0      // what is not yet copied begins here
	for at := 0; at < len(s); at++ {
		lf := bytes.IndexByte(s[at:], '\n')
		if lf < 0 {
			lf = len(s) - at
		}
		end := at + lf
		keep := end
		for keep > at && isBlank(s[keep-1]) {
			keep--
		}
		if keep < end {
			if out == nil {
				out = make([]byte, 0, len(s))
			}
			out = append(out, s[from:keep]...)
			from = end
		}
		at = end
	}
	if out == nil {
		return s
	}
	return append(out, s[from:]...)
}

// isBlank reports whether a byte is a space or a tab.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// trimEdges removes byte order marks and empty lines from the beginning, and
// empty lines from the end. The final LF stays where there is one. Lines are
// trimmed before, so that an empty line is nothing but its LF.
func trimEdges(s []byte) []byte {
	for {
		switch {
		case bytes.HasPrefix(s, []byte(bom)):
			s = s[len(bom):]
			continue
		case len(s) > 0 && s[0] == '\n':
			s = s[1:]
			continue
		}
		break
	}
	for len(s) > 1 && s[len(s)-1] == '\n' && s[len(s)-2] == '\n' {
		s = s[:len(s)-1]
	}
	return s
}

// hasVisible reports whether s holds anything a reader could see.
func hasVisible(s []byte) bool {
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		if !isInvisible(r) {
			return true
		}
		s = s[size:]
	}
	return false
}

// isInvisible reports whether r is white space, a control or a format character without a meaning
// of its own. The list is part of text@1: it is written out because a library's would grow with the
// library.
func isInvisible(r rune) bool {
	switch {
	default:
		return false
	case r <= ' ', 0x7F <= r && r <= 0xA0, r == 0xAD, r == 0x034F, r == 0x061C, r == 0x1680, r == 0x180E:
		return true
	case 0x2000 <= r && r <= 0x200F, 0x2028 <= r && r <= 0x202F, 0x205F <= r && r <= 0x206F:
		return true
	case r == 0x3000, r == 0xFEFF, 0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
}
