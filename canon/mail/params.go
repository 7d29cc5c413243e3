package mail

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"muniment/canon/read"
)

// A value is a structured field such as Content-Type: its main word in lower
// case and its parameters by lower-case name. A parameter that RFC 2231 encodes
// is decoded; any other stands as written and may hold encoded words.
type value struct {
	word    string
	params  map[string]string
	decoded map[string]bool // by RFC 2231
}

// parseStructured reads a field's value. It takes what it can: a parameter without
// "=" is left out, an unquoted one may hold spaces, of two the first counts.
func (m *message) parseStructured(raw []byte) value {
	s := stripComments(m.decodeRaw(raw))
	word, rest, _ := strings.Cut(s, ";")
	v := value{strings.ToLower(strings.Trim(word, " \t")), map[string]string{}, map[string]bool{}}
	pieces := map[string]map[int]piece{}
	for n := 0; rest != "" && n < maxParams; n++ {
		var name, val string
		name, val, rest = cutParam(rest)
		if name == "" {
			continue
		}
		base, number, coded, ok := splitName(name)
		if !ok {
			if _, twice := v.params[name]; !twice {
				v.params[name] = val
			}
			continue
		}
		if pieces[base] == nil {
			pieces[base] = map[int]piece{}
		}
		if _, twice := pieces[base][number]; !twice {
			pieces[base][number] = piece{val, coded}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pieces)) {
		if s, ok := m.joinPieces(pieces[name]); ok {
			v.params[name], v.decoded[name] = s, true
		}
	}
	return v
}

// cutParam reads one parameter; its name is empty where there is none.
func cutParam(s string) (name, val, rest string) {
	s = strings.TrimLeft(s, " \t;")
	end := strings.IndexAny(s, "=;")
	if end < 0 || s[end] == ';' {
		if end < 0 {
			end = len(s)
		}
		return "", "", s[end:]
	}
	name = strings.ToLower(strings.Trim(s[:end], " \t"))
	s = strings.TrimLeft(s[end+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		val, rest, _ = strings.Cut(s, ";")
		return name, strings.TrimRight(val, " \t"), rest
	}
	val, rest, _ = cutQuotedString(s)
	_, rest, _ = strings.Cut(rest, ";")
	return name, val, rest
}

// cutQuotedString reads a quoted string at the beginning of s; ok is false if it
// is never closed, and it then goes to the end.
func cutQuotedString(s string) (val, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), "", false
}

// A piece is one of the parameters name*0, name*1* …
type piece struct {
	val   string
	coded bool
}

// splitName splits name*, name*0 and name*0*; ok is false for a plain name.
func splitName(name string) (base string, number int, coded, ok bool) {
	base, tail, ok := strings.Cut(name, "*")
	if !ok {
		return name, 0, false, false
	}
	if tail == "" {
		return base, 0, true, true
	}
	tail, coded = strings.CutSuffix(tail, "*")
	number, err := strconv.Atoi(tail)
	return base, number, coded, err == nil && number >= 0
}

// joinPieces puts the pieces of a parameter together, up to the first that lacks.
func (m *message) joinPieces(pieces map[int]piece) (string, bool) {
	first, ok := pieces[0]
	if !ok {
		m.defects[defectParameter]++
		return "", false
	}
	charset := ""
	if parts := strings.SplitN(first.val, "'", 3); first.coded && len(parts) == 3 {
		charset, first.val = parts[0], parts[2]
		pieces[0] = first
	}
	var data []byte
	for i := 0; ; i++ {
		p, ok := pieces[i]
		if !ok {
			break
		}
		if p.coded {
			data = append(data, decodePercent(p.val)...)
		} else {
			data = append(data, p.val...)
		}
	}
	s, ok := m.decode(data, charset)
	if !ok {
		m.defects[defectParameter]++
		return string(read.Repair(data)), true
	}
	return s, true
}

// decodePercent decodes %XX; other percent signs are kept.
func decodePercent(s string) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if high, low := hexValue(s[i+1]), hexValue(s[i+2]); high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

// stripComments replaces comments outside quoted strings by a space; one that is never closed is
// kept.
func stripComments(s string) string {
	if !strings.Contains(s, "(") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		switch s[i] {
		case '"':
			_, rest, _ := cutQuotedString(s[i:])
			end := len(s) - len(rest)
			out.WriteString(s[i:end])
			i = end
		case '(':
			_, rest, ok := cutComment(s[i:])
			if !ok {
				out.WriteString(s[i:])
				return out.String()
			}
			out.WriteByte(' ')
			i = len(s) - len(rest)
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}

// cutComment reads a comment at the beginning of s, inner ones included.
func cutComment(s string) (inside, rest string, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}
