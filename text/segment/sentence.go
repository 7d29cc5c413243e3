package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWord    = 32  // bytes looked at before or after a stop; the longest abbreviation has 10
	maxMarker  = 48  // bytes of a citation marker after a stop
	maxTitle   = 90  // bytes looked at on either side of a stop for 《 and 》: a title of thirty characters
	maxBracket = 400 // a bracket that stays open for more bytes than this is taken for a stray one
)

// stops[b] is true for bytes at which a sentence may end or a bracket opens or closes, and for line feed. Of characters
// of several bytes it has the first one. listStops adds the space, before which an item of a list may end.
var (
	stops     = [256]bool{'.': true, '!': true, '?': true, ';': true, ':': true, '\n': true, '(': true, ')': true, 0xE2: true, 0xE3: true, 0xEF: true, 0xD8: true, 0xDB: true, 0xCD: true, 0xD6: true, 0xE0: true}
	listStops = func() [256]bool { t := stops; t[' '] = true; return t }()
)

// Sentences returns the sentences of a text. lang is a BCP 47 tag, "" when it is not known. Any bytes are accepted.
func Sentences(text, lang string) []Range {
	s := scanner{text: text, language: languageOf(lang)}
	first := s.space(0)
	s.rows = s.rowsAt(first)
	s.begin(first)
	i := s.past(first)
	for i < len(text) {
		b := text[i]
		if !s.table[b] {
			i++
			continue
		}
		i = s.step(i, b)
	}
	s.emit(len(text))
	return s.out
}

type scanner struct {
	text     string
	language *language
	table    *[256]bool // stops or listStops
	start    int        // of the sentence being read
	open     int        // brackets open
	openAt   int        // where the first of them opened
	item     item       // the list item being read
	rows     bool       // in a block of lines without stops
	cells    bool       // in a table
	out      []Range
}

// past returns the position after the list marker of a sentence that begins at i.
func (s *scanner) past(i int) int { return max(i, s.item.end) }

// step handles the byte at i and returns where to go on; always beyond i.
func (s *scanner) step(i int, b byte) int {
	if s.cells && b != '\n' {
		return i + 1
	}
	switch b {
	default: // the first byte of a multi-byte character
		if n := stopLen(s.text[i:]); n > 0 {
			return s.stop(i)
		}
		return i + 1
	case '.':
		if end := s.ellipsis(i); end > 0 {
			return s.past(end)
		}
		return s.stop(i)
	case '!', '?':
		return s.stop(i)
	case ';', ':':
		if s.language.stop == string(b) {
			return s.stop(i)
		}
	case '\n':
		return s.past(s.lineBreak(i))
	case ' ':
		return s.nextItem(i)
	case '(':
		if s.open == 0 {
			s.openAt = i
		}
		s.open++
	case ')':
		if s.open > 0 {
			s.open--
		}
	}
	return i + 1
}

// emit ends the sentence at end, without the white space before it.
func (s *scanner) emit(end int) {
	for end > s.start {
		n := spaceBefore(s.text[s.start:end])
		if n == 0 {
			break
		}
		end -= n
	}
	if end > s.start {
		s.out = append(s.out, Range{s.start, end})
	}
	s.start = end
}

// stop handles a run of stops that begins at i.
func (s *scanner) stop(i int) int {
	end, last := i, i
	for end < len(s.text) {
		n := stopLen(s.text[end:])
		if n == 0 && s.language.stop == s.text[end:end+1] {
			n = 1
		}
		if n == 0 {
			break
		}
		last = end
		end += n
	}
	wide := isWide(s.text[last:end])
	after, closed := s.closers(end, wide)
	after += s.noteFigure(i, after)
	next := s.space(after)
	if next == len(s.text) {
		return next
	}
	if s.inBracket(after, closed) {
		return end
	}
	switch {
	case wide && s.reported(end, after, next):
		return after
	case wide && (s.inTitle(i, end) || s.wideDecimal(i, end)):
		return end
	case !wide && next == after && !s.runsOn(i, s.text[i:end], after), !wide && next > after && !s.ends(i, s.text[i:end], after, next):
		return end
	}
	s.emit(after)
	s.begin(next)
	return s.past(next)
}

// inBracket reports whether a bracket is open at a byte offset, when closed more are about to close.
func (s *scanner) inBracket(at, closed int) bool {
	if s.open > 0 && at-s.openAt > maxBracket {
		s.open = 0
	}
	return s.open > closed
}

// closers passes over closing quotes and brackets, over a French closing quote after a space, and
// over citation markers, also after a space. It returns the offset behind them and how many round
// brackets closed. Behind a wide stop, “ and ‘ open a quotation.
func (s *scanner) closers(i int, wide bool) (end, closed int) {
	for i < len(s.text) {
		if n := closerLen(s.text[i:]); n > 0 && !(wide && (strings.HasPrefix(s.text[i:], "“") || strings.HasPrefix(s.text[i:], "‘"))) {
			if s.text[i] == ')' {
				closed++
			}
			i += n
			continue
		}
		j := i
		for j < len(s.text) && j < i+6 {
			n := spaceLen(s.text[j:])
			if n == 0 || s.text[j] == '\n' {
				break
			}
			j += n
		}
		if j > i && strings.HasPrefix(s.text[j:], "»") && (j+2 == len(s.text) || spaceLen(s.text[j+2:]) > 0) {
			i = j + 2
			continue
		}
		_, n := mark(s.text[j:])
		if n == 0 || j > i+2 {
			break
		}
		i = j + n
	}
	return i, closed
}

// longestFigure is how many digits the figure of a note has at most.
const longestFigure = 3

// noteFigure returns the length of a note's figure after a stop at i and the closing quotes and brackets: raised, or in
// plain digits before a word that opens a sentence. A number after an abbreviation is none.
func (s *scanner) noteFigure(i, at int) int {
	rest := s.text[at:]
	if n := len(rest) - len(strings.TrimLeft(rest, "⁰¹²³⁴⁵⁶⁷⁸⁹")); n > 0 {
		return n
	}
	n := leadingDigits(rest)
	before := s.wordBefore(i)
	if n == 0 || n > longestFigure || utf8.RuneCountInString(before) < 2 || strings.ContainsAny(before, "./0123456789") || s.language.abbreviations[strings.ToLower(before)] != ordinary {
		return 0
	}
	if next := s.space(at + n); next < len(s.text) && (next == at+n || !s.starts(next)) {
		return 0
	}
	return n
}

// reported reports whether words of reporting follow a stop of Chinese or Japanese that closes quoted speech.
func (s *scanner) reported(end, after, next int) bool {
	if after == end || next != after {
		return false
	}
	for _, w := range [...]string{"と", "って", "他说", "她说", "我说", "说道", "他問", "他问", "她问", "他說", "她說"} {
		if strings.HasPrefix(s.text[next:], w) {
			return true
		}
	}
	return false
}

// inTitle reports whether a wide stop belongs to a name between 《 and 》.
func (s *scanner) inTitle(i, end int) bool {
	before, behind := s.text[max(s.start, i-maxTitle):i], s.text[end:min(len(s.text), end+maxTitle)]
	if strings.LastIndex(before, "《") <= strings.LastIndex(before, "》") {
		return false
	}
	closing := strings.IndexAny(behind, "》《\n")
	return closing >= 0 && strings.HasPrefix(behind[closing:], "》")
}

// wideDecimal reports whether a wide full stop is between two digits.
func (s *scanner) wideDecimal(i, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s.text[s.start:i])
	behind, _ := utf8.DecodeRuneInString(s.text[end:])
	return s.text[i:end] == "．" && unicode.IsDigit(before) && unicode.IsDigit(behind)
}

// opensSentence reports whether what begins at i may open a sentence: it is not in lower case.
func (s *scanner) opensSentence(i int) bool {
	first, _ := utf8.DecodeRuneInString(s.text[skipOpeners(s.text, i):])
	return !unicode.IsLower(first)
}

// starts reports whether the word at i, in capitals, often begins a sentence; the pronoun I does not
// count, which is always a capital.
func (s *scanner) starts(i int) bool {
	w := s.word(i)
	return w != "I" && s.opensSentence(i) && s.language.starters[strings.ToLower(w)]
}

// wordBefore returns the word that ends at i, with inner stops, at most maxWord bytes.
func (s *scanner) wordBefore(i int) string {
	if i < 0 {
		return ""
	}
	j := i
	for j > s.start && i-j < maxWord && !wordBreak(s.text[j-1]) {
		j--
	}
	w := s.text[j:i]
	for len(w) > 0 { // opening quotes and spaces of several bytes
		r, n := utf8.DecodeRuneInString(w)
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '№' {
			break
		}
		w = w[n:]
	}
	if k := strings.LastIndexFunc(w, unicode.IsSpace); k >= 0 {
		_, n := utf8.DecodeRuneInString(w[k:])
		w = w[k+n:]
	}
	return w
}

// word returns the word that begins at i, after opening quotes and brackets.
func (s *scanner) word(i int) string {
	i = skipOpeners(s.text, i)
	j := i
	for j < len(s.text) && j-i < maxWord {
		r, n := utf8.DecodeRuneInString(s.text[j:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		j += n
	}
	return s.text[i:j]
}

// space returns the offset of the first character at or after i that is not white space.
func (s *scanner) space(i int) int {
	for i < len(s.text) {
		n := spaceLen(s.text[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}
