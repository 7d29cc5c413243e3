package examine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is a run of bytes of a text.
type span struct{ start, end int }

// A quoteRange is a run in quotation marks: outer with its marks, inner without. open says that no mark closes it
// before the end of its paragraph.
type quoteRange struct {
	outer, inner span
	mark         rune
	open         bool
}

// closers are the marks that may close what a mark opens, of the languages that are read.
var closers = map[rune]string{
	'“': "”\"", '„': "“”\"", '«': "»", '»': "«", '‹': "›", '›': "‹", '‘': "’'", '‚': "‘’'", ',': "‘'", '"': "\"”", '\'': "'’", '「': "」", '『': "』", '”': "”", '‟': "”", '`': "'",
}

// opens reports whether the mark r at i opens a quotation where none is open.
func opens(text string, i int, r rune, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	start := i == 0 || unicode.IsSpace(before) || strings.ContainsRune("([{—–-/_*>“„«\"‘‚'‹»:;,=†]", before)
	word := i+n < len(text) && !unicode.IsSpace(after)
	switch r {
	case '“', '„', '‚', '‟', '「', '『':
		return true
	case '«', '‹':
		return start || !unicode.IsLetter(before) && i+n < len(text)
	case '»', '›':
		return start && word
	case ',': // as the mark ‚ where a keyboard has none
		return start && word && i > 0 && (unicode.IsUpper(after) || unicode.IsLower(after)) && !strings.ContainsRune("\"”“’‘»«:;,=", before)
	case '‘', '\'', '`':
		return start && word && (unicode.IsLetter(after) || after == '[' || unicode.IsDigit(after) && r != '\'' || strings.ContainsRune("“\"…", after))
	case '”', '"':
		return start && word && !strings.ContainsRune(".,;:!?)", after)
	}
	return false
}

// closes reports whether the mark r at i closes a quotation that open opened.
func closes(text string, i int, r rune, n int, open rune) bool {
	if !strings.ContainsRune(closers[open], r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	switch r {
	case '’', '\'':
		if open != '‘' && open != '\'' && open != '‚' && open != '`' && open != ',' {
			return false
		}
		if unicode.IsLetter(after) || unicode.IsSpace(before) {
			return false // an apostrophe
		}
		// The Smiths’ house: a later mark closes.
		return !(before == 's' && after == ' ' && apostropheLater(text[i+n:], open))
	case '"', '”':
		return !unicode.IsSpace(before) || open == '“' || i+n == len(text) || !unicode.IsLetter(after)
	}
	return true
}

// apostropheLater reports whether another mark that closes follows before a quotation opens.
func apostropheLater(rest string, open rune) bool {
	for i, r := range rest {
		if r == open || r == '\n' && strings.HasPrefix(rest[i+1:], "\n") {
			return false
		}
		if r == '’' || r == '\'' {
			after, _ := utf8.DecodeRuneInString(rest[i+utf8.RuneLen(r):])
			before, _ := utf8.DecodeLastRuneInString(rest[:i])
			if !unicode.IsLetter(after) && !unicode.IsSpace(before) {
				return true
			}
		}
	}
	return false
}

// How many characters are looked at for the ends of the quotations of a paragraph, some of them many times: far more
// than a text needs, and few enough that one which is nothing but marks takes a time in proportion to its length.
const (
	leastLooks   = 100_000
	looksPerByte = 50
)

// quotedIn returns the outermost quotations of a paragraph, in order. What is quoted inside of one belongs to its words.
func quotedIn(text string) []quoteRange {
	var out []quoteRange
	looks := leastLooks + looksPerByte*len(text)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if strings.HasPrefix(text[i:], "``") {
			if end := strings.Index(text[i:], "''"); end > 2 {
				out = append(out, quoteRange{span{i, i + end + 2}, span{i + 2, i + end}, '“', false})
				i += end + 2
				continue
			}
		}
		if r == '`' || closers[r] == "" || !opens(text, i, r, n) {
			i += n
			continue
		}
		end, size := closerAt(text, i+n, r, &looks)
		switch {
		case end > 0:
			out = append(out, quoteRange{span{i, end + size}, span{i + n, end}, r, false})
			i = end + size
		case r == '\'' || r == ',' || r == '‘' || r == '›' || r == '»' || r == '`':
			i += n // an apostrophe, or no quotation at all
		default:
			out = append(out, quoteRange{span{i, len(text)}, span{i + n, len(text)}, r, true})
			i = len(text)
		}
	}
	return out
}

// closerAt returns where the quotation that r opened closes, and the length of its mark; 0 where it does not. A quotation inside it may use
// other marks. Each character that is looked at takes one of looks, and none closes it when they are used up.
func closerAt(text string, from int, r rune, looks *int) (at, size int) {
	var inner []rune // marks that are open inside
	for i := from; i < len(text) && *looks > 0; *looks-- {
		c, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case len(inner) > 0 && closes(text, i, c, n, inner[len(inner)-1]):
			inner = inner[:len(inner)-1]
		case closes(text, i, c, n, r) && len(inner) == 0, r == '"' && c == '"' && closes(text, i, c, n, r), r == '“' && c == '”' && !inside(inner, '“'):
			return i, n
		case c != r && closers[c] != "" && c != '\'' && c != '’' && c != '”' && opens(text, i, c, n) && len(inner) < 4 && hasCloser(text[i+n:], c, r, looks):
			inner = append(inner, c)
		}
		i += n
	}
	return 0, 0
}

func inside(marks []rune, r rune) bool { return strings.ContainsRune(string(marks), r) }

// hasCloser reports whether an inner quotation closes before the outer one must.
func hasCloser(rest string, inner, outer rune, looks *int) bool {
	limit := min(len(rest), 2000)
	for i, r := range rest[:limit] {
		*looks--
		n := utf8.RuneLen(r)
		if r != utf8.RuneError && closes(rest, i, r, n, inner) {
			return true
		}
		if strings.ContainsRune(closers[outer], r) && closes(rest, i, r, n, outer) && outer != '‘' && outer != '\'' {
			return false
		}
	}
	return false
}
