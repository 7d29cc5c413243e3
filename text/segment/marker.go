package segment

import (
	"strconv"
	"strings"
)

// maxRange is how many citations a range such as [1-3] may name; a longer one is text.
const maxRange = 20

// mark reads a citation mark at the beginning of t and returns the citations it names, without
// offsets, and its length, 0 for none.
func mark(t string) ([]Marker, int) {
	if t == "" || t[0] != '[' {
		return nil, 0
	}
	end := strings.IndexByte(t[:min(len(t), maxMarker)], ']')
	if end < 2 {
		return nil, 0
	}
	body := t[1:end]
	if foot, ok := strings.CutPrefix(body, "^"); ok {
		if !handle(foot) {
			return nil, 0
		}
		return []Marker{{ID: body}}, end + 1
	}
	ids, named := strings.CutPrefix(body, "cite:")
	var out []Marker
	for part := range strings.SplitSeq(ids, ",") {
		part = strings.TrimSpace(part)
		switch {
		case named && handle(strings.TrimPrefix(part, "cite:")):
			out = append(out, Marker{ID: strings.TrimPrefix(part, "cite:")})
		case named:
			return nil, 0
		default:
			numbers := numbered(part)
			if numbers == nil {
				return nil, 0
			}
			out = append(out, numbers...)
		}
	}
	return out, end + 1
}

// numbered reads 7 or a range 1-3 or 1–3.
func numbered(s string) []Marker {
	from, to, ranged := strings.Cut(strings.Replace(s, "–", "-", 1), "-")
	if !ranged {
		to = from
	}
	if !isDigits(from) || !isDigits(to) || len(from) > 4 || len(to) > 4 {
		return nil
	}
	first, _ := strconv.Atoi(from)
	last, _ := strconv.Atoi(to)
	if last < first || last-first >= maxRange || ranged && last == first {
		return nil
	}
	if !ranged {
		return []Marker{{ID: from, Numbered: true}}
	}
	var out []Marker
	for n := first; n <= last; n++ {
		out = append(out, Marker{ID: strconv.Itoa(n), Numbered: true})
	}
	return out
}

// handle reports whether s can be the name of a citation.
func handle(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x80 || !(c|0x20 >= 'a' && c|0x20 <= 'z' || c-'0' < 10 || c == '_' || c == '-') {
			return false
		}
	}
	return true
}
