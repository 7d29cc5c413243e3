package display

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unsafe are the code points that change how a line is shown without being
// seen: controls, direction, invisible format characters, line separators and
// tags. LF is not among them; whoever prints single lines replaces it. Nor are
// the soft hyphen, the joiners U+200C and U+200D and the variation selectors,
// without which texts of many scripts would be shown wrong. The table is fixed
// here, and once more in page.js, so that a bundle renders alike under every
// Unicode version.
var unsafe = [...][2]rune{
	{0x00, 0x09}, {0x0B, 0x1F}, {0x7F, 0x9F},
	{0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},
	{0x2060, 0x206F}, {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
	{0xFFF9, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF},
	{0xE01F0, 0xE0FFF},
}

// Safe returns s as it may be shown to a person: code points that could disguise the text, and
// bytes that are not UTF-8, are written \u{202E} and \x{FF}. A tab becomes a space. Everything in a
// View has gone through it.
func Safe(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || isUnsafe(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		default:
			b.WriteString(s[:n])
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "\\x{%02X}", s[0])
		case r == '\t':
			b.WriteByte(' ')
		case isUnsafe(r):
			fmt.Fprintf(&b, "\\u{%04X}", r)
		}
		s = s[n:]
	}
	return b.String()
}

// SafeJSON writes the code points of a JSON document that Safe replaces as JSON
// escapes: the same document, which a terminal may show.
func SafeJSON(doc []byte) []byte {
	return EscapeJSON(doc, func(r rune) bool { return r != '\t' && isUnsafe(r) })
}

// EscapeJSON writes the code points that escape reports as JSON escapes. They
// must not stand outside the strings of the document.
func EscapeJSON(doc []byte, escape func(rune) bool) []byte {
	if !bytes.ContainsFunc(doc, escape) {
		return doc
	}
	out := make([]byte, 0, len(doc)+len(doc)/8)
	for _, r := range string(doc) {
		switch high, low := utf16.EncodeRune(r); {
		case !escape(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// SafeLine is Safe on one line.
func SafeLine(s string) string { return strings.ReplaceAll(Safe(s), "\n", " ") }

// isUnsafe reports whether r is in the table of unsafe code points.
func isUnsafe(r rune) bool {
	for _, u := range unsafe {
		if r >= u[0] && r <= u[1] {
			return true
		}
	}
	return false
}

// SafeLines returns texts of a bundle as lines that can be shown.
func SafeLines(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = SafeLine(t)
	}
	return out
}
