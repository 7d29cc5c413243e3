package mail

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/read"
)

// A field is one header field: its name in lower case and its value unfolded,
// still encoded.
type field struct {
	name  string
	value []byte
}

// A header is the fields of one block, in order.
type header []field

// get returns the first value of a field.
func (h header) get(name string) []byte {
	for _, f := range h {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// cutLine returns the first line of data without its end, and what follows.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimRight(line, "\r"), rest
}

// cutHeader splits an entity into its header and its body. The header ends at
// an empty line, or before a line that is neither a field nor folded to one,
// which is a defect.
func (m *message) cutHeader(entity []byte) (header, []byte, error) {
	var h header
	rest := entity
	for len(rest) > 0 {
		line, after := cutLine(rest)
		if len(entity)-len(after) > MaxHeader {
			return nil, nil, fmt.Errorf("a header is longer than %d bytes", MaxHeader)
		}
		switch name, value, ok := cutField(line); {
		case len(line) == 0:
			return h, after, nil
		case isBlank(line[0]) && len(h) > 0:
			last := &h[len(h)-1]
			last.value = append(append(last.value, ' '), bytes.Trim(line, " \t")...)
		case ok:
			h = append(h, field{name, bytes.Clone(value)})
			if len(h) > MaxFields {
				return nil, nil, fmt.Errorf("a header has more than %d fields", MaxFields)
			}
		default:
			m.defects[defectHeader]++
			return h, rest, nil
		}
		rest = after
	}
	return h, nil, nil
}

// cutField splits a line at its colon. A name is printable ASCII; spaces before
// the colon were once allowed.
func cutField(line []byte) (name string, value []byte, ok bool) {
	i := bytes.IndexByte(line, ':')
	if i < 1 {
		return "", nil, false
	}
	key := bytes.TrimRight(line[:i], " \t")
	for _, c := range key {
		if c <= ' ' || c >= 0x7F {
			return "", nil, false
		}
	}
	return strings.ToLower(string(key)), bytes.Trim(line[i+1:], " \t"), len(key) > 0
}

// isBlank reports whether a byte is a space or a tab.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// decodeRaw returns the UTF-8 text of header bytes that are not encoded: UTF-8, or
// in the charset that the message names first.
func (m *message) decodeRaw(value []byte) string {
	if utf8.Valid(value) && bytes.IndexByte(value, 0x1B) < 0 {
		return string(value)
	}
	if s, ok := m.decode(value, m.hint); ok {
		return s
	}
	m.defects[defectCharset]++
	return string(read.Repair(value))
}

// decodeField returns the decoded value of an unstructured field, on one line.
func (m *message) decodeField(value []byte) string { return oneLine(m.decodeWords(m.decodeRaw(value))) }

// decodeWords replaces the encoded words (RFC 2047) of a text. White space between
// two of them goes; neighbours in one charset are decoded together, since many
// senders cut a character in two.
func (m *message) decodeWords(s string) string {
	if !strings.Contains(s, "=?") {
		return s
	}
	var out strings.Builder
	for s != "" {
		i := strings.Index(s, "=?")
		if i < 0 {
			break
		}
		text, size := m.decodeWordRun(s[i:])
		if size == 0 {
			out.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		out.WriteString(s[:i])
		out.WriteString(text)
		s = s[i+size:]
		if next := strings.TrimLeft(s, " \t"); next != s {
			if _, _, size := cutWord(next); size > 0 {
				s = next
			}
		}
	}
	out.WriteString(s)
	return out.String()
}

// decodeWordRun decodes the run of encoded words in one charset that s begins with. A
// run that cannot be decoded stands as it is; size 0 is no encoded word.
func (m *message) decodeWordRun(s string) (text string, size int) {
	charset, data, n := cutWord(s)
	if n == 0 {
		return "", 0
	}
	for size = n; ; size += n {
		next := strings.TrimLeft(s[size:], " \t")
		gap := len(s) - size - len(next)
		other, more, n2 := cutWord(next)
		if n2 == 0 || !strings.EqualFold(other, charset) {
			break
		}
		data = append(data, more...)
		n = gap + n2
	}
	text, ok := m.decode(data, charset)
	if !ok {
		m.defects[defectWord]++
		return s[:size], size
	}
	return text, size
}

// cutWord reads one encoded word at the beginning of s: its charset, without a
// language, its bytes and its length, which is 0 where there is none.
func cutWord(s string) (charset string, data []byte, size int) {
	if !strings.HasPrefix(s, "=?") {
		return "", nil, 0
	}
	s = s[:min(len(s), maxWord)]
	charset, rest, ok := strings.Cut(s[2:], "?")
	if !ok || charset == "" || len(rest) < 2 || rest[1] != '?' || strings.ContainsAny(charset, " \t\"") {
		return "", nil, 0
	}
	coded, _, ok := strings.Cut(rest[2:], "?=")
	if !ok {
		return "", nil, 0
	}
	size = len("=?") + len(charset) + len("?q?") + len(coded) + len("?=")
	charset, _, _ = strings.Cut(charset, "*")
	switch rest[0] {
	default:
		return "", nil, 0
	case 'B', 'b':
		data, _ = decodeBase64([]byte(coded))
	case 'Q', 'q':
		data, _ = decodeQuoted([]byte(strings.ReplaceAll(coded, "_", "=20")))
	}
	return charset, data, size
}

// oneLine makes every run of white space and controls one space. A decoded
// value cannot break its line, so it cannot pose as another field.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r <= ' ' || 0x7F <= r && r < 0xA0 || r == 0x2028 || r == 0x2029
	}), " ")
}

// cutFact returns a text in normal form, cut to the length of a field that a
// record holds.
func cutFact(s string) string {
	return read.Cut(string(canon.NFC([]byte(s))), maxFact)
}
