package read

import "unicode/utf8"

// Repair returns data with U+FFFD instead of bytes that are not UTF-8, one for each maximal subpart
// of an ill-formed sequence (The Unicode Standard, 3.9, and the decoder of the Encoding Standard):
// the longest beginning of a character that the bytes are, or else one byte. Valid data is returned
// as it is.
func Repair(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/32)
	for len(data) > 0 {
		n := asciiLen(data)
		if n == 0 {
			var r rune
			if r, n = utf8.DecodeRune(data); r == utf8.RuneError && n == 1 {
				out = append(out, "\uFFFD"...)
				data = data[subpart(data):]
				continue
			}
		}
		out, data = append(out, data[:n]...), data[n:]
	}
	return out
}

// subpart returns the length of the maximal subpart that data begins with, data
// beginning with no character of UTF-8 (table 3-7 of the standard).
func subpart(data []byte) int {
	more, low, high := 0, byte(0x80), byte(0xBF) // bytes that follow, bounds of the next
	switch c := data[0]; {
	case c >= 0xC2 && c <= 0xDF:
		more = 1
	case c >= 0xE0 && c <= 0xEF:
		more = 2
		switch c {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		more = 3
		switch c {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	}
	n := 1
	for ; n <= more && n < len(data) && data[n] >= low && data[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return n
}

// asciiLen returns the length of the longest ASCII prefix of data.
func asciiLen(data []byte) int {
	for i, c := range data {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(data)
}
