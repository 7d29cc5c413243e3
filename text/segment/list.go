package segment

import (
	"strings"
	"unicode/utf8"
)

// A list marker opens an item: a number or a letter with . or ) or .) behind it, or a bullet, which
// may stand before a number.
type item struct {
	bullet rune   // 0 for none
	tail   string // ".", ")", ".)", "" after a bullet alone
	letter bool   // a, b, c
	value  int    // of the number or letter
	end    int    // offset behind the marker
}

// bullets are the signs that open items in running text. The hyphen is one only where a line begins.
const bullets = "•‣⁃◦▪●○"

// itemAt reads a list marker at i. line reports whether a line begins there.
func (s *scanner) itemAt(i int, line bool) (item, bool) {
	var m item
	r, n := utf8.DecodeRuneInString(s.text[i:])
	if strings.ContainsRune(bullets, r) || line && (r == '-' || r == '*' || r == '–') && i+1 < len(s.text) && isSpace(s.text[i+n]) {
		m.bullet, i = r, i+n
		m.end = i
		for i < len(s.text) && s.text[i] == ' ' {
			i++
		}
	}
	digits := leadingDigits(s.text[i:])
	switch {
	case digits > 0 && digits <= 3:
		for _, c := range s.text[i : i+digits] {
			m.value = 10*m.value + int(c-'0')
		}
	case i < len(s.text) && s.text[i] >= 'a' && s.text[i] <= 'z':
		m.letter, m.value, digits = true, int(s.text[i]-'a')+1, 1
	default:
		return m, m.bullet != 0
	}
	i += digits
	for _, tail := range [...]string{".)", ")", "."} {
		if strings.HasPrefix(s.text[i:], tail) {
			m.tail = tail
			break
		}
	}
	i += len(m.tail)
	if m.tail == "" || i >= len(s.text) || !isSpace(s.text[i]) {
		m.letter, m.value, m.tail = false, 0, ""
		return m, m.bullet != 0
	}
	if m.letter && m.tail == "." && s.initialRow(i) {
		return item{}, false // "a. b. c": abbreviations
	}
	m.end = i
	return m, true
}

// initialRow reports whether a single letter with a stop follows: "z. B."
func (s *scanner) initialRow(i int) bool {
	j := s.space(i)
	_, n := utf8.DecodeRuneInString(s.text[j:])
	return j+n < len(s.text) && s.text[j+n] == '.'
}

// follows reports whether m is the item after s.item, in the same form.
func (s *scanner) follows(m item) bool {
	return s.item != (item{}) && m.bullet == s.item.bullet && m.tail == s.item.tail && m.letter == s.item.letter &&
		(m.value == s.item.value+1 || m.value == 0 && m.bullet != 0)
}

// begin starts a sentence at i, which is not white space, and reads its list marker.
func (s *scanner) begin(i int) {
	s.start, s.open, s.item = i, 0, item{}
	s.table = &stops
	if i < len(s.text) {
		s.list(i, i == 0 || s.lineStart(i))
	}
}

// list makes the marker at i, if there is one, the open item.
func (s *scanner) list(i int, line bool) {
	m, ok := s.itemAt(i, line)
	if !ok || m.letter && m.value != 1 && !s.follows(m) {
		return
	}
	s.item, s.table = m, &listStops
}

func (s *scanner) lineStart(i int) bool {
	for i > 0 && s.text[i-1] != '\n' {
		n := spaceBefore(s.text[:i])
		if n == 0 {
			return false
		}
		i -= n
	}
	return true
}

// nextItem ends the current item if the next one of the same list follows the white space at i, and
// returns the next position.
func (s *scanner) nextItem(i int) int {
	j := s.space(i)
	if j == len(s.text) {
		return j
	}
	m, ok := s.itemAt(j, false)
	if !ok || !s.follows(m) || s.text[i-1] == ',' {
		return i + 1
	}
	s.emit(i)
	s.start, s.open, s.item = j, 0, m
	return m.end
}

// lineBreak handles the line feed at i. A blank line ends the sentence; so does a line feed before a list item, and
// every one in a block of short lines without a single stop: those are rows or headings, not wrapped prose.
func (s *scanner) lineBreak(i int) int {
	j, blank := i+1, false
	for j < len(s.text) {
		n := spaceLen(s.text[j:])
		if n == 0 {
			break
		}
		blank = blank || s.text[j] == '\n'
		j += n
	}
	switch {
	case blank:
		s.emit(i)
		s.rows = s.rowsAt(j)
		s.begin(j)
	case j == len(s.text):
	case s.rows:
		s.emit(i)
		s.begin(j)
	default:
		m, ok := s.itemAt(j, true)
		if ok && (s.follows(m) || s.item == (item{}) && (m.value == 1 || m.bullet != 0 && !strings.ContainsRune("-*–", m.bullet) ||
			m.bullet != 0 && s.text[i-1] == ':')) {
			s.emit(i)
			s.begin(j)
		}
	}
	return j
}

// maxRow is how many bytes a line of a block of rows may have; prose is wrapped later.
const maxRow = 60

// rowsAt reports whether the block at i is of short lines without any stop, or a table, in whose lines no stop ends a sentence.
func (s *scanner) rowsAt(i int) bool {
	if s.cells = strings.HasPrefix(s.text[i:], "|"); s.cells {
		return true
	}
	line, lines := i, 1
	for ; i < len(s.text); i++ {
		b := s.text[i]
		switch {
		case i-line > maxRow:
			return false
		case b == '\n':
			line = i + 1
			if line < len(s.text) && s.text[line] == '\n' || s.space(line) == len(s.text) {
				return lines > 1 || s.space(line) == len(s.text)
			}
			lines++
		case stopLen(s.text[i:]) > 0:
			return false
		}
	}
	return lines > 1
}
