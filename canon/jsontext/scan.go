package jsontext

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A scanner reads values and writes their form as it goes.
type scanner struct {
	text    []byte // UTF-8
	at, end int    // text[at:end] is still to be read
	out     []byte
	compact bool // no line breaks and spaces
	depth   int
	values  int      // strings, numbers and literals
	open    []member // those of all objects not yet closed, outer ones first
	moved   int      // bytes, by sorting
	scratch []byte
}

// A member is where one lies in the form, without what separates it.
type member struct {
	name       string // in normal form, no escapes
	start, end int
}

// document reads one value and requires that nothing follows it.
func (s *scanner) document() error {
	if err := s.value(); err != nil {
		return err
	}
	if s.skipSpace(); s.at < s.end {
		return s.fail("%s follows the value", s.describeNext())
	}
	s.out = append(s.out, '\n')
	return nil
}

// skipSpace passes over white space.
func (s *scanner) skipSpace() {
	for s.at < s.end {
		switch s.text[s.at] {
		default:
			return
		case ' ', '\t', '\n', '\r':
			s.at++
		}
	}
}

// peek returns the next byte, or 0 at the end: no text holds U+0000.
func (s *scanner) peek() byte {
	if s.at < s.end {
		return s.text[s.at]
	}
	return 0
}

// kind names the value that begins here.
func (s *scanner) kind() string {
	switch c := s.peek(); {
	default:
		return "literal"
	case c == '{':
		return "object"
	case c == '[':
		return "array"
	case c == '"':
		return "string"
	case c == '-' || isDigit(c):
		return "number"
	}
}

// value reads one value and writes its form.
func (s *scanner) value() error {
	if len(s.out) > MaxOutput {
		return fmt.Errorf("the form is longer than %d bytes", MaxOutput)
	}
	s.skipSpace()
	switch c := s.peek(); {
	default:
		return s.literal()
	case c == '{':
		return s.enter(s.object)
	case c == '[':
		return s.enter(s.array)
	case c == '"':
		s.values++
		value, err := s.str()
		if err == nil {
			s.out = quote(s.out, value)
		}
		return err
	case c == '-' || isDigit(c):
		s.values++
		return s.number()
	}
}

// enter reads an array or object one level deeper.
func (s *scanner) enter(read func() error) error {
	if s.depth++; s.depth > MaxDepth {
		return s.fail("arrays and objects lie more than %d levels deep", MaxDepth)
	}
	s.out = append(s.out, s.text[s.at])
	s.at++
	err := read()
	s.depth--
	return err
}

// array reads an array after its opening bracket.
func (s *scanner) array() error {
	if s.skipSpace(); s.peek() == ']' {
		return s.close(']')
	}
	for {
		s.newLine(s.depth)
		if err := s.value(); err != nil {
			return err
		}
		more, err := s.more(']')
		if err != nil {
			return err
		}
		if !more {
			s.newLine(s.depth - 1)
			return s.close(']')
		}
	}
}

// object reads an object after its opening brace and sorts its members.
func (s *scanner) object() error {
	if s.skipSpace(); s.peek() == '}' {
		return s.close('}')
	}
	first := len(s.open)
	for {
		start := len(s.out)
		s.newLine(s.depth)
		name, err := s.name()
		if err != nil {
			return err
		}
		if err := s.value(); err != nil {
			return err
		}
		if s.open = append(s.open, member{name, start, len(s.out)}); len(s.open) > MaxOpen {
			return s.fail("more than %d members lie in open objects", MaxOpen)
		}
		more, err := s.more('}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if err := s.order(s.open[first:]); err != nil {
		return err
	}
	clear(s.open[first:])
	s.open = s.open[:first]
	s.newLine(s.depth - 1)
	return s.close('}')
}

// name reads a member's name and its colon.
func (s *scanner) name() (string, error) {
	if s.skipSpace(); s.peek() != '"' {
		return "", s.fail("saw %s, want a member's name in quotation marks", s.describeNext())
	}
	value, err := s.str()
	if err != nil {
		return "", err
	}
	s.out = quote(s.out, value)
	if s.skipSpace(); s.peek() != ':' {
		return "", s.fail("saw %s, want a colon behind the name %.64q", s.describeNext(), value)
	}
	s.at++
	s.out = append(s.out, ':')
	if !s.compact {
		s.out = append(s.out, ' ')
	}
	return string(value), nil
}

// more reads the separator after an element: a comma or, not consumed, the end.
func (s *scanner) more(end byte) (bool, error) {
	switch s.skipSpace(); s.peek() {
	default:
		return false, s.fail("saw %s, want a comma or %q", s.describeNext(), end)
	case end:
		return false, nil
	case ',':
		s.at++
		s.out = append(s.out, ',')
		return true, nil
	}
}

// close reads and writes the closing bracket or brace.
func (s *scanner) close(end byte) error {
	s.out = append(s.out, end)
	s.at++
	return nil
}

const indentation = "  "

// newLine begins an indented line of the form.
func (s *scanner) newLine(depth int) {
	if s.compact {
		return
	}
	s.out = append(s.out, '\n')
	for range depth {
		s.out = append(s.out, indentation...)
	}
}

// order sorts the members of an object that has just been written, and refuses
// two of one name. The commas between them have one byte each in any order.
func (s *scanner) order(members []member) error {
	ascending := true
	for i := 1; i < len(members) && ascending; i++ {
		ascending = members[i-1].name < members[i].name
	}
	if ascending {
		return nil
	}
	start := members[0].start
	if s.moved += len(s.out) - start; s.moved > MaxMoved {
		return s.fail("sorting the members moves more than %d bytes", MaxMoved)
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	s.scratch = s.scratch[:0]
	for i, m := range members {
		if i > 0 {
			if m.name == members[i-1].name {
				return s.fail("two members of one object have the name %.64q", m.name)
			}
			s.scratch = append(s.scratch, ',')
		}
		s.scratch = append(s.scratch, s.out[m.start:m.end]...)
	}
	copy(s.out[start:], s.scratch)
	return nil
}

// literal reads true, false or null.
func (s *scanner) literal() error {
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.text[s.at:s.end], []byte(word)) {
			s.values++
			s.at += len(word)
			s.out = append(s.out, word...)
			return nil
		}
	}
	return s.fail("saw %s, want a value", s.describeNext())
}

// number reads a number by the grammar of RFC 8259 and writes it as it is.
func (s *scanner) number() error {
	start := s.at
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	s.out = append(s.out, s.text[start:s.at]...)
	return nil
}

// digits reads one or more decimal digits.
func (s *scanner) digits() error {
	if !isDigit(s.peek()) {
		return s.fail("saw %s, want a digit", s.describeNext())
	}
	for isDigit(s.peek()) {
		s.at++
	}
	return nil
}

// isDigit reports whether a byte is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// describeNext names the next byte, or the end, for an error.
func (s *scanner) describeNext() string {
	if s.at >= s.end {
		if s.compact {
			return "the end of the line"
		}
		return "the end"
	}
	rest := []rune(string(s.text[s.at:min(s.at+8, s.end)]))
	return fmt.Sprintf("%q", rest[0])
}

// fail returns an error with the line it concerns.
func (s *scanner) fail(format string, args ...any) error {
	line := 1 + bytes.Count(s.text[:min(s.at, len(s.text))], []byte{'\n'})
	return errors.New(fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...))
}
