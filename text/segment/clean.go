package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean turns a run of a paragraph into the text of a claim. at holds the offset in the draft of
// each byte of s. Markers are read and removed, emphasis signs and link targets dropped, white
// space folded to single spaces. Start, End and Kind are left to the caller.
func clean(s string, at []int) Claim {
	var c Claim
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if ms, n := mark(s[i:]); n > 0 && (i+n == len(s) || s[i+n] != '(') {
			for _, m := range ms {
				m.Start, m.End = at[i], at[i+n-1]+1
				c.Markers = append(c.Markers, m)
			}
			i += n
			continue
		}
		if n := linkTail(s[i:]); n > 0 {
			i += n
			continue
		}
		switch ch := s[i]; {
		case isSpace(ch):
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		case ch == '`', ch == '*' && isEmphasis(s, i), ch == '_' && isEmphasis(s, i) && !inWord(s, i):
		case ch == '[' && linkHead(s[i:]), ch == '!' && i+1 < len(s) && s[i+1] == '[' && linkHead(s[i+1:]):
		case ch == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!|>", s[i+1]) >= 0:
			i++
			b = append(b, s[i])
		default:
			if strings.IndexByte(".,;:!?", ch) >= 0 && len(b) > 0 && b[len(b)-1] == ' ' && len(c.Markers) > 0 {
				b = b[:len(b)-1] // the space that stood before a marker
			}
			b = append(b, ch)
		}
		i++
	}
	c.Text = strings.TrimSpace(string(b))
	c.Quotes = quotations(c.Text)
	return c
}

func isEmphasis(s string, i int) bool {
	before := i == 0 || isSpace(s[i-1])
	after := i+1 == len(s) || isSpace(s[i+1])
	digits := i > 0 && i+1 < len(s) && s[i-1]-'0' < 10 && s[i+1]-'0' < 10
	return !(before && after) && !digits
}

func inWord(s string, i int) bool {
	alnum := func(b byte) bool { return b >= 0x80 || b-'0' < 10 || b|0x20 >= 'a' && b|0x20 <= 'z' }
	return i > 0 && i+1 < len(s) && alnum(s[i-1]) && alnum(s[i+1])
}

// maxLink is how many bytes the text or the target of a link may have.
const maxLink = 2048

// linkHead reports whether t begins with the [text] of a link [text](target).
func linkHead(t string) bool {
	t = t[:min(len(t), maxLink)]
	end := strings.Index(t, "](")
	return end > 0 && !strings.ContainsAny(t[1:end], "[]")
}

// linkTail returns the length of "](target)" at the beginning of t.
func linkTail(t string) int {
	if !strings.HasPrefix(t, "](") {
		return 0
	}
	end := strings.IndexByte(t[:min(len(t), maxLink)], ')')
	if end < 0 {
		return 0
	}
	return end + 1
}

var quoteMarks = []struct{ open, close string }{{"“", "”"}, {"„", "“"}, {"«", "»"}, {"»", "«"}, {"‘", "’"}, {"\"", "\""}}

// quotations finds the runs in quotation marks, outermost only.
func quotations(t string) []Quoted {
	var out []Quoted
	shut := map[string]int{} // closing mark → where it was last found, to look for each only once
	for i := 0; i < len(t); i++ {
		if t[i] < 0x80 && t[i] != '"' || !quoteOpens(t, i) {
			continue
		}
		for _, m := range quoteMarks {
			if !strings.HasPrefix(t[i:], m.open) {
				continue
			}
			start := i + len(m.open)
			end := closingMark(t, start, m.close, shut)
			if end > start {
				out = append(out, Quoted{t[start:end], start, end})
				i = end + len(m.close) - 1
			}
			break
		}
	}
	return out
}

// closingMark returns the offset of the next closing mark at or after start, -1 for none. An
// apostrophe inside a word is not one.
func closingMark(t string, start int, mark string, seen map[string]int) int {
	if at, ok := seen[mark]; ok && (at < 0 || at >= start) {
		return at
	}
	at := start
	for {
		n := strings.Index(t[at:], mark)
		if n < 0 {
			at = -1
			break
		}
		at += n
		next, _ := utf8.DecodeRuneInString(t[at+len(mark):])
		if mark != "’" || !unicode.IsLetter(next) {
			break
		}
		at += len(mark)
	}
	seen[mark] = at
	return at
}

// quoteOpens reports whether a quotation may open at i: at the beginning, or after white space or a bracket.
func quoteOpens(t string, i int) bool {
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(t[:i])
	return unicode.IsSpace(r) || strings.ContainsRune("([{—–-:", r)
}
