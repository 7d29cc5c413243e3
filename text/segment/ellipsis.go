package segment

import "strings"

// maxDots is how many spaced dots are read as one ellipsis; a row of more is a leader line.
const maxDots = 8

// A dots is a run of full stops, written together or with single spaces between them.
type dots struct {
	end      int  // offset behind the last one
	count    int  // at least 1
	spaced   bool // with spaces: ". . ."
	attached bool // the first one stands directly behind a word or a quote
}

// dotsAt reads the run of full stops at i.
func (s *scanner) dotsAt(i int) dots {
	d := dots{end: i + 1, count: 1, attached: i > s.start && !isSpace(s.text[i-1])}
	for d.end < len(s.text) && d.count < maxDots {
		switch {
		case s.text[d.end] == '.' && !d.spaced:
			d.end++
		case strings.HasPrefix(s.text[d.end:], " .") && !strings.HasPrefix(s.text[d.end:], " .."):
			if d.count > 1 && !d.spaced {
				return d
			}
			d.spaced = true
			d.end += 2
		default:
			return d
		}
		d.count++
	}
	return d
}

// ellipsis handles a run of spaced dots at i, or any run in square brackets, and returns where to go
// on; 0 when the run is none of these.
//
// Three dots after a space stand for words left out, and end nothing by themselves. Of four behind a word, the first is
// the stop of the sentence and the others open the next one. Four after a space end the sentence.
func (s *scanner) ellipsis(i int) int {
	d := s.dotsAt(i)
	if i > 0 && s.text[i-1] == '[' && d.count > 1 && d.end < len(s.text) && s.text[d.end] == ']' {
		return d.end + 1
	}
	if !d.spaced || d.count < 3 {
		return 0
	}
	after, _ := s.closers(d.end, false)
	next := s.space(after)
	switch {
	case next == len(s.text):
		return next
	case i == s.start || next == after:
		return d.end
	case d.attached && d.count > 3 && s.opensSentence(next):
		s.emit(i + 1)
		s.start = s.space(i + 1)
		return d.end
	case d.count > 3 && s.opensSentence(next), s.starts(next):
		s.emit(after)
		s.begin(next)
		return next
	}
	return d.end
}
