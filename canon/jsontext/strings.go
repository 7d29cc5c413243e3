package jsontext

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"muniment/canon"
)

// str reads a string and returns its value in normal form, which holds until
// the next string is read.
func (s *scanner) str() ([]byte, error) {
	s.at++
	start := s.at
	for s.at < s.end && isPlain(s.text[s.at]) {
		s.at++
	}
	if s.peek() == '"' {
		s.at++
		return s.text[start : s.at-1], nil
	}
	value := append(s.scratch[:0], s.text[start:s.at]...)
	for {
		switch c := s.peek(); {
		default:
			value = append(value, c)
			s.at++
		case c == '"':
			s.at++
			s.scratch = value
			return canon.NFC(value), nil
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return nil, err
			}
			value = utf8.AppendRune(value, r)
		case s.at >= s.end:
			return nil, s.fail("saw %s within a string", s.describeNext())
		case c < ' ':
			return nil, s.fail("the control %q stands in a string without an escape", c)
		}
	}
}

// isPlain reports whether a byte is the same in the document and in its form.
func isPlain(c byte) bool { return ' ' <= c && c <= 0x7F && c != '"' && c != '\\' }

// escapes are the escapes of one letter, by letter and by value.
const (
	escapeLetters = `"\/bfnrt`
	escapeValues  = "\"\\/\b\f\n\r\t"
)

// escape reads one escape, or the two of a pair of surrogates.
func (s *scanner) escape() (rune, error) {
	s.at++
	c := s.peek()
	if i := bytes.IndexByte([]byte(escapeLetters), c); i >= 0 {
		s.at++
		return rune(escapeValues[i]), nil
	}
	if c != 'u' {
		return 0, s.fail("saw %s behind a backslash", s.describeNext())
	}
	high, err := s.hex()
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	if bytes.HasPrefix(s.text[s.at:s.end], []byte(`\u`)) {
		s.at++
		low, err := s.hex()
		if err != nil {
			return 0, err
		}
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, s.fail("the escape \\u%04x is half of a pair of surrogates", high)
}

// hex reads u and four hexadecimal digits.
func (s *scanner) hex() (rune, error) {
	const n = 4
	s.at++
	if s.end-s.at >= n {
		if v, err := strconv.ParseUint(string(s.text[s.at:s.at+n]), 16, 16); err == nil {
			s.at += n
			return rune(v), nil
		}
	}
	return 0, s.fail("want four hexadecimal digits behind \\u")
}

// quote appends a string's form.
func quote(out, value []byte) []byte {
	out = append(out, '"')
	escaped := false // the last thing written is an escape
	for i := 0; i < len(value); {
		if c := value[i]; isPlain(c) {
			out, escaped = append(out, c), false
			i++
			continue
		}
		r, size := utf8.DecodeRune(value[i:])
		letter := bytes.IndexByte([]byte(escapeValues), value[i])
		escaped = r < utf8.RuneSelf || r == 0x85 || r == 0x2028 || r == 0x2029 || escaped && joinsBefore(r)
		switch {
		default:
			out = append(out, value[i:i+size]...)
		case letter >= 0:
			out = append(out, '\\', escapeLetters[letter])
		case escaped:
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		i += size
	}
	return append(out, '"')
}

// joinsBefore reports whether r, a code point in normal form, may join or change places with the
// characters before it: whether its combining class is not 0. U+0345 has the highest class of all,
// so that every other mark moves before it.
func joinsBefore(r rune) bool {
	const last = "\u0345"
	pair := last + string(r)
	return r == 0x0345 || string(canon.NFC([]byte(pair))) != pair
}
