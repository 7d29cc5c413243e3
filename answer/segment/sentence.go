package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWord    = 32  // bytes looked at before or after a stop; the longest abbreviation has 8
	maxMarker  = 48  // bytes of a citation marker after a stop
	maxBracket = 400 // a bracket that stays open for more bytes than this is taken for a stray one
)

// stops[b] is true for bytes at which a sentence may end or a bracket opens or closes, and for line feed.
var stops = [256]bool{'.': true, '!': true, '?': true, '\n': true, '(': true, ')': true, 0xE2: true, 0xE3: true}

// Sentences returns the sentences of a text. lang is a BCP 47 tag; "en…" and "de…" select the rules
// of one language where the two disagree, anything else both. Any bytes are accepted.
func Sentences(text, lang string) []Range {
	s := scanner{text: text, german: !strings.HasPrefix(lang, "en")}
	s.start = s.space(0)
	for i := s.start; i < len(text); {
		b := text[i]
		if !stops[b] {
			i++
			continue
		}
		i = s.step(i, b)
	}
	s.emit(len(text))
	return s.out
}

type scanner struct {
	text   string
	german bool
	start  int // of the sentence being read
	open   int // brackets open
	openAt int // where the first of them opened
	out    []Range
}

// step handles the byte at i and returns where to go on; always beyond i.
func (s *scanner) step(i int, b byte) int {
	switch b {
	default: // the first byte of a multi-byte character
		if n := stopLen(s.text[i:]); n > 0 {
			return s.stop(i)
		}
		return i + 1
	case '.', '!', '?':
		return s.stop(i)
	case '\n':
		j, blank := i+1, false
		for j < len(s.text) && isSpace(s.text[j]) {
			blank = blank || s.text[j] == '\n'
			j++
		}
		if blank {
			s.emit(i)
			s.start, s.open = j, 0
		}
		return j
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
	for end > s.start && isSpace(s.text[end-1]) {
		end--
	}
	if end > s.start {
		s.out = append(s.out, Range{s.start, end})
	}
	s.start = end
}

// stop handles a run of stops that begins at i.
func (s *scanner) stop(i int) int {
	end := i
	for end < len(s.text) {
		n := stopLen(s.text[end:])
		if n == 0 {
			break
		}
		end += n
	}
	run := s.text[i:end]
	after, closed := s.closers(end)
	next := s.space(after)
	wide := strings.HasPrefix(run, "。")
	switch {
	case next == len(s.text):
		return next
	case next == after && !wide, s.inBracket(after, closed), !wide && !s.ends(i, run, after, next):
		return end
	}
	s.open = 0
	s.emit(after)
	s.start = next
	return next
}

// inBracket tells whether a bracket is open at a byte offset, when closed more are about to close.
func (s *scanner) inBracket(at, closed int) bool {
	if s.open > 0 && at-s.openAt > maxBracket {
		s.open = 0
	}
	return s.open > closed
}

// closers passes over closing quotes and brackets, and over citation markers, also after a space.
// It returns the offset behind them and how many round brackets closed.
func (s *scanner) closers(i int) (end, closed int) {
	for i < len(s.text) {
		if n := closerLen(s.text[i:]); n > 0 {
			if s.text[i] == ')' {
				closed++
			}
			i += n
			continue
		}
		j := i
		for j < len(s.text) && j < i+2 && s.text[j] == ' ' {
			j++
		}
		_, n := marker(s.text[j:])
		if n == 0 {
			break
		}
		i = j + n
	}
	return i, closed
}

// ends decides whether the stop run at i ends a sentence, given that white space and then text at
// next follow.
func (s *scanner) ends(i int, run string, after, next int) bool {
	blank := strings.Count(s.text[after:next], "\n") > 1
	if blank {
		return true
	}
	follow := s.word(next)
	first, _ := utf8.DecodeRuneInString(s.text[skipOpeners(s.text, next):])
	if unicode.IsLower(first) {
		return false
	}
	if run != "." {
		return true
	}
	before := s.wordBefore(i)
	if before == "" {
		return true
	}
	starts := starters[strings.ToLower(follow)]
	lower := strings.ToLower(before)
	if isDigits(before) {
		return s.afterNumber(i, before, follow, next)
	}
	if initial(before) {
		// "I." is the pronoun unless it stands before a name in a row of initials.
		return starts || before == "I" && !initialContext(s.text[:i-1])
	}
	if n := len(follow); len(before) == 1 && n == 1 && strings.HasPrefix(s.text[skipOpeners(s.text, next)+n:], ".") {
		return false // "z. B."
	}
	switch c := abbreviations[lower]; c {
	default:
		return !acronym(before) || starts
	case title, inner:
		return false
	case counted:
		return !unicode.IsDigit(first)
	case closing:
		return starts
	case calendar:
		capital, _ := utf8.DecodeRuneInString(before)
		return !unicode.IsUpper(capital) || starts
	}
}

// afterNumber decides about a stop after digits: list numbers, ordinals and dates go on.
func (s *scanner) afterNumber(i int, number, follow string, next int) bool {
	at := i - len(number)
	if at == s.start && len(number) <= 3 {
		return false // "1. Buy bread."
	}
	if len(number) > 2 {
		return true
	}
	if months[strings.ToLower(strings.TrimSuffix(follow, "."))] {
		return false // "12. Januar"
	}
	if digits := leadingDigits(s.text[next:]); digits > 0 {
		rest := s.text[next+digits:]
		dated := digits <= 2 && strings.HasPrefix(rest, ".") || digits == 4 && at > 1 && s.text[at-1] == ' ' && s.text[at-2] == '.' ||
			digits == 4 && at > 0 && s.text[at-1] == '.'
		return !dated // "12. 3. 1931"
	}
	return !(s.german && ordinalLeaders[strings.ToLower(s.wordBefore(at-1))])
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
	for len(w) > 0 { // opening quotes of several bytes
		r, n := utf8.DecodeRuneInString(w)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			break
		}
		w = w[n:]
	}
	return w
}

// word returns the word that begins at i, after opening quotes and brackets.
func (s *scanner) word(i int) string {
	i = skipOpeners(s.text, i)
	j := i
	for j < len(s.text) && j-i < maxWord {
		r, n := utf8.DecodeRuneInString(s.text[j:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		j += n
	}
	return s.text[i:j]
}

func (s *scanner) space(i int) int {
	for i < len(s.text) && isSpace(s.text[i]) {
		i++
	}
	return i
}
