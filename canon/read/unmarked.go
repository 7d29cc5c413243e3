package read

import (
	"bytes"
	"muniment/canon"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// candidateByZeros recognizes UTF-16 and UTF-32 without a mark in data that has a zero
// byte. Three zero bytes out of four are no accident, so for UTF-32 it is enough
// that all of it is text; UTF-16 must read as one script too, since many a
// binary is a row of assigned code points.
func candidateByZeros(data []byte) (candidate, bool) {
	const head = 4096 // most binaries show themselves in their first page
	for _, c := range []struct {
		candidate
		reads func([]byte) bool
	}{
		{candidate{name: "utf-32le", enc: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)}, isAllText},
		{candidate{name: "utf-32be", enc: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)}, isAllText},
		{candidate{name: "utf-16le", enc: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, isOneScript},
		{candidate{name: "utf-16be", enc: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, isOneScript},
	} {
		if len(data) > head {
			// A pair of surrogates may be cut in two at the end of the page.
			begin, err := c.enc.NewDecoder().Bytes(data[:head])
			if err != nil || !isAllText(bytes.TrimSuffix(begin, []byte("\uFFFD"))) {
				continue
			}
		}
		text, err := c.enc.NewDecoder().Bytes(data)
		if err == nil && isAllText(text) && c.reads(text) {
			c.how = "zeros"
			return c.candidate, true
		}
	}
	return candidate{}, false
}

// isAllText reports whether a text decoded on trial has nothing undecodable,
// unassigned or binary in it.
func isAllText(text []byte) bool {
	return checkText(text) == nil && !bytes.Contains(text, []byte("\uFFFD")) && canon.CountUnassigned(text) == 0
}

// A scriptRange is a range of code points and the group of scripts, written
// together in one text, that it belongs to.
type scriptRange struct {
	from, to rune
	group    int
}

// groupEast is the group of the scripts of East Asia, Korean letters included:
// Korean texts have Chinese characters in them.
const groupEast = 1

// scriptRanges are the scripts that a text in UTF-16 without a mark is known by,
// in ascending order. The list is part of the decision, so it changes with a
// version of the forms only.
var scriptRanges = []scriptRange{
	{0x0370, 0x03FF, 2},  // Greek
	{0x0400, 0x052F, 3},  // Cyrillic
	{0x0530, 0x058F, 4},  // Armenian
	{0x0590, 0x05FF, 5},  // Hebrew
	{0x0600, 0x077F, 6},  // Arabic
	{0x0900, 0x097F, 7},  // Devanagari
	{0x0980, 0x09FF, 8},  // Bengali
	{0x0A80, 0x0AFF, 9},  // Gujarati
	{0x0B80, 0x0BFF, 10}, // Tamil
	{0x0C00, 0x0C7F, 11}, // Telugu
	{0x0E00, 0x0E7F, 12}, // Thai
	{0x10A0, 0x10FF, 13}, // Georgian
	{0x1100, 0x11FF, groupEast},
	{0x1F00, 0x1FFF, 2},
	{0x3000, 0x30FF, groupEast},
	{0x4E00, 0x9FFF, groupEast},
	{0xAC00, 0xD7AF, groupEast},
	{0xFF00, 0xFFEF, groupEast},
}

// isOneScript reports whether a text reads as written: at least half of its code
// points lie below U+0250; or it has a space or the end of a line, at least nine
// in ten of those from U+0370 on, general punctuation aside, are of one group of
// scripts, and it is not pairs of ASCII taken for Chinese.
func isOneScript(text []byte) bool {
	below, all, blanks, foreign, pairs, chinese := 0, 0, 0, 0, 0, 0
	var groups [14]int
	for _, r := range string(text) {
		all++
		switch {
		case r == ' ' || r == '\n' || r == '\r' || r == 0x85:
			below++
			blanks++
		case r == 0x3000 || r == 0x2028 || r == 0x2029:
			blanks++
		case r < 0x250:
			below++
		case r < 0x370 || r >= 0x2000 && r < 0x2070: // marks and phonetic letters; punctuation
		default:
			foreign++
			if 0x4E00 <= r && r <= 0x9FFF {
				if chinese++; isPrintableASCII(r>>8) && isPrintableASCII(r&0xFF) {
					pairs++
				}
			}
			for _, s := range scriptRanges {
				if s.from <= r && r <= s.to {
					groups[s.group]++
					break
				}
			}
		}
	}
	if 2*below >= all {
		return true
	}
	if blanks == 0 || 2*pairs > chinese {
		return false
	}
	for _, n := range groups {
		if n > 0 && 10*n >= 9*foreign {
			return true
		}
	}
	return false
}

// isPrintableASCII reports whether one byte of a UTF-16 unit is a sign of ASCII.
func isPrintableASCII(b rune) bool { return ' ' <= b && b <= '~' }
