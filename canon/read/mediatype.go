package read

import "strings"

// ParseMediaType reads a media type as browsers read a Content-Type (WHATWG MIME Sniffing, 4.4):
// the type in lower case, "" if it is none, and its first charset in printable ASCII, "" if it has
// none. Parameters without form are passed over, quotation marks need not close, and names have any
// case.
func ParseMediaType(s string) (bare, charset string) {
	bare, rest, _ := strings.Cut(s, ";")
	bare = strings.ToLower(strings.Trim(bare, httpSpace))
	if kind, sub, ok := strings.Cut(bare, "/"); !ok || !isToken(kind) || !isToken(sub) {
		bare = ""
	}
	for rest != "" && charset == "" {
		rest = strings.TrimLeft(rest, httpSpace)
		i := strings.IndexAny(rest, ";=")
		if i < 0 {
			break
		}
		name, semicolon := rest[:i], rest[i] == ';'
		if rest = rest[i+1:]; semicolon {
			continue
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			value, rest = cutQuoted(rest[1:])
			_, rest, _ = strings.Cut(rest, ";")
		} else {
			value, rest, _ = strings.Cut(rest, ";")
			value = strings.TrimRight(value, httpSpace)
		}
		if strings.EqualFold(strings.Trim(name, httpSpace), "charset") {
			if value = strings.Trim(value, httpSpace+"'"); isPrintable(value) { // some writers quote so
				charset = value
			}
		}
	}
	return bare, charset
}

const httpSpace = " \t\r\n"

// isToken reports whether s is a token of RFC 9110, 5.6.2.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7F || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	})
}

// isPrintable reports whether a text has printable ASCII alone.
func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7F })
}

// cutQuoted reads a quoted string after its first mark, up to the second one or the end.
func cutQuoted(s string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}
