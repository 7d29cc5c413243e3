package examine

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/clause"
)

// A word is a word or number of a text in the form in which words are compared.
type word struct {
	text       string // in lower case, with ' for the apostrophe and without marks of emphasis
	start, end int    // bytes of the text
}

// wordsOf returns the words of a text. A word that the end of a line divides is one word; a currency sign belongs to
// its number, and each character of a script without spaces is a word.
func wordsOf(text string) []word {
	var out []word
	var b []byte
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '&' && !strings.HasPrefix(text[i:], "&c") {
			out = append(out, word{"and", i, i + 1})
			i++
			continue
		}
		if n := spacedAt(text, i); n > 0 {
			out = append(out, word{strings.ToLower(strings.ReplaceAll(text[i:i+n], " ", "")), i, i + n})
			i += n
			continue
		}
		if !isWordRune(r) && !unicode.Is(unicode.Sc, r) && r != '%' {
			i += n
			continue
		}
		start := i
		b = b[:0]
		end := i
		for i < len(text) {
			r, n = utf8.DecodeRuneInString(text[i:])
			switch {
			case isUnspaced(r):
				if len(b) == 0 {
					b, end = utf8.AppendRune(b, r), i+n
					i += n
				}
			case isWordRune(r), unicode.Is(unicode.Sc, r) && len(b) == 0:
				b, end = appendFolded(b, r), i+n
				i += n
				continue
			case r == '%' && len(b) == 0:
				b, end = append(b, "percent"...), i+n
				i += n
			case strings.ContainsRune(hiddenRunes, r):
				i += n
				continue
			default:
				if join := joint(text, i, r, n); join > 0 {
					if r == '\'' || r == '’' {
						b = append(b, '\'')
					} else if r == '.' && unicode.IsDigit(lastRune(text[:i])) {
						b = append(b, '.')
					}
					i += join
					continue
				}
			}
			break
		}
		if len(b) > 0 {
			out = append(out, word{string(b), start, end})
		}
	}
	return out
}

// leastSpaced is how many letters a word has at least that a printer sets with spaces between them: n i c h t. Fewer are initials or an article.
const leastSpaced = 4

// spacedAt returns the length of a word with a space after each letter that begins at i, 0 for none.
func spacedAt(text string, i int) int {
	if before := lastRune(text[:i]); isWordRune(before) && i > 0 {
		return 0
	}
	letters, at := 0, i
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		next, _ := utf8.DecodeRuneInString(text[at+n:])
		if !unicode.IsLetter(r) || isUnspaced(r) || letters > 0 && unicode.IsUpper(r) || at+n < len(text) && isWordRune(next) {
			break
		}
		letters, at = letters+1, at+n
		if next != ' ' {
			break
		}
		at++
	}
	if letters < leastSpaced {
		return 0
	}
	if text[at-1] == ' ' {
		at--
	}
	return at - i
}

// joinNumbers makes one word of a number of several: two hundred and fifty is =250. The sign tells it from digits, which are another spelling.
func joinNumbers(text string, words []word) []word {
	const most = 9 // words of a number: nine hundred and ninety nine thousand nine hundred and ninety
	out := words[:0]
	var run []string
	for i := 0; i < len(words); {
		run = append(run[:0], words[i].text)
		for k := i + 1; k < len(words) && k < i+most && strings.Trim(text[words[k-1].end:words[k].start], " \n-‐") == ""; k++ {
			run = append(run, words[k].text)
		}
		value, n := clause.LeadingNumber(run)
		if n < 2 {
			value, n = groupedNumber(run)
		}
		if n < 2 {
			out = append(out, words[i])
			i++
			continue
		}
		out = append(out, word{"=" + strconv.Itoa(value), words[i].start, words[i+n-1].end})
		i += n
	}
	return out
}

// groupedNumber returns the value of a number whose thousands spaces divide, and how many words it is: 26 000 gives 26000 and 2.
func groupedNumber(words []string) (value, n int) {
	digits := func(w string, least, most int) bool {
		return len(w) >= least && len(w) <= most && strings.Trim(w, "0123456789") == ""
	}
	if !digits(words[0], 1, 3) || words[0][0] == '0' {
		return 0, 0
	}
	for n = 1; n < len(words) && digits(words[n], 3, 3); n++ {
	}
	value, err := strconv.Atoi(strings.Join(words[:n], ""))
	if err != nil {
		return 0, 0
	}
	return value, n
}

// joint returns how many bytes a sign inside a word takes, 0 for a sign that ends it: an apostrophe between letters, a
// comma or stop between digits, a hyphen at the end of a line before a small letter, emphasis inside a word.
func joint(text string, at int, r rune, n int) int {
	before := lastRune(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+n:])
	switch r {
	case '\'', '’':
		if unicode.IsLetter(before) && unicode.IsLetter(after) {
			return n
		}
	case '.', ',':
		if unicode.IsDigit(before) && unicode.IsDigit(after) {
			return n
		}
	case '-', '‐':
		rest := strings.TrimLeft(text[at+n:], " \t\r")
		if unicode.IsLetter(before) && strings.HasPrefix(rest, "\n") {
			rest = strings.TrimLeft(rest[1:], " \t>")
			if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(r) {
				return len(text) - at - len(rest)
			}
		}
	}
	return 0
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r)
}

const hiddenRunes = "\u00ad\u200b\u2060\ufeff" // soft hyphen, zero width space and joiners

// isUnspaced reports whether r is of a script that puts no space between words.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// appendFolded appends a rune in the form in which words are compared.
func appendFolded(b []byte, r rune) []byte {
	switch r {
	case 'ſ':
		return append(b, 's')
	case 'æ', 'Æ':
		return append(b, "ae"...)
	case 'œ', 'Œ':
		return append(b, "oe"...)
	case 'ﬀ':
		return append(b, "ff"...)
	case 'ﬁ':
		return append(b, "fi"...)
	case 'ﬂ':
		return append(b, "fl"...)
	case 'ﬃ':
		return append(b, "ffi"...)
	case 'ﬄ':
		return append(b, "ffl"...)
	case 'ﬅ', 'ﬆ':
		return append(b, "st"...)
	}
	return utf8.AppendRune(b, unicode.ToLower(r))
}

// A quoteWord is a word of a quotation with what its writer says was changed.
type quoteWord struct {
	word
	bracket bool   // in square brackets: put in by the writer
	prefix  string // the letters of a word with changed letters, [T]he, before and after the brackets
	suffix  string
	partly  bool
	gap     bool // the writer left words out before it
}

// A quote is a quotation taken apart.
type quote struct {
	words   []quoteWord
	changed []string // signs of the writer: […], [sic], [she]
}

// parseQuote takes a quotation apart into words, brackets and gaps.
func parseQuote(text string) quote {
	var q quote
	gap := false
	add := func(w quoteWord) {
		w.gap = gap && len(q.words) > 0
		gap = false
		q.words = append(q.words, w)
	}
	from := 0
	plain := func(to int) {
		words := wordsOf(text[from:to])
		for i := range words {
			words[i].start, words[i].end = words[i].start+from, words[i].end+from
		}
		if n := len(q.words) - 1; n >= 0 && q.words[n].partly && q.words[n].end == from { // [t]en thousand
			words = joinNumbers(text, append([]word{q.words[n].word}, words...))
			q.words[n].word, words = words[0], words[1:]
		} else {
			words = joinNumbers(text, words)
		}
		for _, w := range words {
			add(quoteWord{word: w})
		}
	}
	for i := 0; i < len(text); {
		if n := ellipsisAt(text, i); n > 0 {
			plain(i)
			gap = true
			q.changed = append(q.changed, "…")
			i += n
			from = i
			continue
		}
		n, inner := bracketAt(text, i)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		switch {
		case isEllipsis(inner):
			plain(i)
			gap = true
			q.changed = append(q.changed, text[i:i+n])
		case isEditorial(inner):
			plain(i)
			q.changed = append(q.changed, text[i:i+n])
		case text[i] == '(':
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		default:
			q.changed = append(q.changed, text[i:i+n])
			end := i + n
			start, stop := wordBounds(text, i, end)
			if start < i || stop > end { // letters of a word: [T]he, lehnt[e]
				plain(start)
				w := quoteWord{word: word{fold(text[start:i] + inner + text[end:stop]), start, stop}, partly: true, prefix: fold(text[start:i]), suffix: fold(text[end:stop])}
				add(w)
				i, from = stop, stop
				continue
			}
			plain(i)
			if len(wordsOf(inner)) == 0 {
				gap = true // a sign in place of a word
			}
			for _, w := range wordsOf(inner) {
				add(quoteWord{word: word{w.text, w.start + i + 1, w.end + i + 1}, bracket: true})
			}
		}
		i += n
		from = i
	}
	plain(len(text))
	return q
}

// fold returns the words of a text in one, as they are compared.
func fold(text string) string {
	var b strings.Builder
	for _, w := range wordsOf(text) {
		b.WriteString(w.text)
	}
	return b.String()
}

// wordBounds returns where the word reaches that brackets from start to end are in.
func wordBounds(text string, start, end int) (int, int) {
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.IsLetter(r) || isUnspaced(r) {
			break
		}
		start -= n
	}
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) || isUnspaced(r) {
			break
		}
		end += n
	}
	return start, end
}

// ellipsisAt returns the length of an ellipsis at i, 0 for none.
func ellipsisAt(text string, i int) int {
	switch {
	case strings.HasPrefix(text[i:], "…"):
		return len("…")
	case text[i] == '*', text[i] == '-', strings.HasPrefix(text[i:], "–"), strings.HasPrefix(text[i:], "—"):
		return dashesAt(text, i)
	case text[i] != '.':
		return 0
	}
	n, dots := 0, 0
	for j := i; j < len(text); {
		switch {
		case text[j] == '.':
			dots++
			j++
			n = j - i
		case (text[j] == ' ' || text[j] == '\n') && j+1 < len(text) && text[j+1] == '.':
			j++
		case strings.HasPrefix(text[j:], "\u00a0.") || strings.HasPrefix(text[j:], "\u202f."):
			j += strings.IndexByte(text[j:], '.')
		default:
			j = len(text)
		}
	}
	if dots == 2 && n == 2 && spaceAround(text, i, i+n) {
		return n
	}
	if dots < 3 {
		return 0
	}
	return n
}

// dashesAt returns the length of an ellipsis of three or more asterisks or dashes at i with spaces around it, 0 for none.
func dashesAt(text string, i int) int {
	sign, size := utf8.DecodeRuneInString(text[i:])
	n, signs := 0, 0
	for j := i; j < len(text); {
		r, _ := utf8.DecodeRuneInString(text[j:])
		if r == ' ' {
			j++
			continue
		}
		if r != sign {
			break
		}
		j += size
		signs, n = signs+1, j-i
	}
	if signs < 3 || !spaceAround(text, i, i+n) {
		return 0
	}
	return n
}

// spaceAround reports whether a run of a text has spaces, or an end of the text, on both sides.
func spaceAround(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return (start == 0 || unicode.IsSpace(before)) && (end == len(text) || unicode.IsSpace(after))
}

// maxInBrackets is how many bytes an insertion in square brackets has at most.
const maxInBrackets = 120

// bracketAt returns the length of the brackets that open at i, and the text in them; 0 where none opens there. Round
// and angled brackets count only where the caller finds an ellipsis or a remark in them.
func bracketAt(text string, i int) (n int, inner string) {
	if text[i] != '[' && text[i] != '(' {
		return 0, ""
	}
	end := strings.IndexByte(text[i:min(len(text), i+maxInBrackets)], map[byte]byte{'[': ']', '(': ')'}[text[i]])
	if end < 0 {
		return 0, ""
	}
	return end + 1, text[i+1 : i+end]
}

func isEllipsis(inner string) bool {
	t := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, inner)
	return t != "" && strings.Trim(t, ".…") == ""
}

// editorial are the words with which a remark of the writer in brackets begins.
var editorial = []string{"sic", "emphasis", "italics", "my emphasis", "hervorhebung", "herv", "so!", "footnote", "footnotes", "citation", "citations", "internal", "quotation marks", "cleaned up"}

func isEditorial(inner string) bool {
	t := strings.ToLower(strings.TrimSpace(inner))
	for _, w := range editorial {
		if t == w || strings.HasPrefix(t, w+" ") || strings.HasPrefix(t, w+".") || strings.HasPrefix(t, w+"!") || strings.HasPrefix(t, w+",") {
			return true
		}
	}
	return false
}
