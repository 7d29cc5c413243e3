package mail

import (
	"bytes"
	"encoding/base64"
)

// decodeTransfer undoes a Content-Transfer-Encoding. No encoding makes more bytes
// than it reads, so that a message cannot expand. Where nothing is encoded the
// result is a part of the message itself.
func (m *message) decodeTransfer(body []byte, encoding string) []byte {
	var out []byte
	var bad int
	kind := defectBase64
	switch encoding {
	default:
		m.defects[defectEncoding]++
		return body
	case "", "7bit", "8bit", "binary":
		return body
	case "base64":
		out, bad = decodeBase64(body)
	case "quoted-printable":
		kind = defectQuoted
		out, bad = decodeQuoted(body)
	}
	if bad > 0 {
		m.defects[kind]++
	}
	return out
}

// decodeBase64 decodes what is in the alphabet and passes over the rest. A
// padding sign ends a group, and another may follow. bad counts foreign
// characters, white space apart, and characters left over.
func decodeBase64(src []byte) (out []byte, bad int) {
	out = make([]byte, base64.StdEncoding.DecodedLen(len(src)))
	if n, err := base64.StdEncoding.Decode(out, src); err == nil {
		return out[:n], 0
	}
	out = out[:0]
	group, have := uint32(0), 0
	flush := func() {
		switch have {
		case 1:
			bad++
		case 2:
			out = append(out, byte(group>>4))
		case 3:
			out = append(out, byte(group>>10), byte(group>>2))
		}
		group, have = 0, 0
	}
	for _, c := range src {
		v := base64Value(c)
		switch {
		case v >= 0:
			group = group<<6 | uint32(v)
			if have++; have == 4 {
				out = append(out, byte(group>>16), byte(group>>8), byte(group))
				group, have = 0, 0
			}
		case c == '=':
			flush()
		case c != '\r' && c != '\n' && !isBlank(c):
			bad++
		}
	}
	if have > 0 {
		bad++ // cut off
	}
	flush()
	return out, bad
}

// behindPadding decodes a base64 body up to its first padding and appends the rest unchanged:
// mailing lists add their footers so, in plain text. ok is false without a rest.
func behindPadding(body []byte) (data []byte, ok bool) {
	i := bytes.IndexByte(body, '=')
	if i < 0 {
		return nil, false
	}
	rest := bytes.TrimLeft(body[i:], "=")
	added := bytes.TrimLeft(rest, " \t\r\n")
	if len(added) == 0 || bytes.IndexByte(rest[:len(rest)-len(added)], '\n') < 0 {
		return nil, false
	}
	data, _ = decodeBase64(body[:len(body)-len(rest)])
	return append(append(data, '\n'), added...), true
}

// base64Value returns the six bits of a character of base64, or -1.
func base64Value(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// decodeQuoted decodes quoted-printable: =XX in either case, and "=" at the end
// of a line joins it with the next. Blanks at the end of a line were added on
// the way and go. Any other "=" stands for itself and counts as bad.
func decodeQuoted(src []byte) (out []byte, bad int) {
	out = make([]byte, 0, len(src))
	for len(src) > 0 {
		line, rest, found := bytes.Cut(src, []byte{'\n'})
		src = rest
		line, cr := bytes.CutSuffix(line, []byte{'\r'})
		line = bytes.TrimRight(line, " \t")
		line, soft := bytes.CutSuffix(line, []byte{'='})
		for len(line) > 0 {
			i := bytes.IndexByte(line, '=')
			if i < 0 {
				break
			}
			out = append(out, line[:i]...)
			line = line[i:]
			if len(line) >= 3 {
				if high, low := hexValue(line[1]), hexValue(line[2]); high >= 0 && low >= 0 {
					out = append(out, byte(high<<4|low))
					line = line[3:]
					continue
				}
			}
			bad++
			out = append(out, '=')
			line = line[1:]
		}
		out = append(out, line...)
		if soft {
			continue
		}
		if cr {
			out = append(out, '\r')
		}
		if found {
			out = append(out, '\n')
		}
	}
	return out, bad
}

// hexValue returns the value of a hexadecimal digit, or -1.
func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
