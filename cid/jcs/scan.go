package jcs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// kind is the kind of a parsed value.
type kind byte

const (
	kindObject kind = iota + 1
	kindArray
	kindString
	kindInt
	kindBool
)

// String names the kind in an error.
func (k kind) String() string {
	switch k {
	default:
		return "nothing"
	case kindObject:
		return "an object"
	case kindArray:
		return "an array"
	case kindString:
		return "a string"
	case kindInt:
		return "an integer"
	case kindBool:
		return "a boolean"
	}
}

// scanner reads the part of JSON that has a canonical form here, from front to
// back and once: values go into their Go variables as they are met. Without a
// variable to fill (the zero reflect.Value) a value is only checked for its
// form, and escapes need not be canonical.
type scanner struct {
	data []byte
	text string // the same bytes: strings that hold no escape are parts of it
	pos  int
	name string // the text member of the outermost object to look out for
	full bool   // escapes must be canonical without a variable too
	saw  kind   // what it was, zero when it was not there
	str  string // its text
}

// scan reads one object and nothing else into v, looking out for the member of
// that name.
func scan(data []byte, limit int, v reflect.Value, name string) (*scanner, error) {
	if len(data) > limit {
		return nil, fmt.Errorf("the object has %d bytes, more than %d", len(data), limit)
	}
	s := &scanner{data: data, text: string(data), name: name}
	if err := s.whole(v); err != nil {
		return nil, err
	}
	return s, nil
}

// whole reads one object and nothing else into v.
func (s *scanner) whole(v reflect.Value) error {
	if s.peek() != '{' {
		return s.want("an object")
	}
	if err := s.value(v, 0); err != nil {
		return err
	}
	if s.pos != len(s.data) {
		return fmt.Errorf("%d bytes follow the object at byte %d", len(s.data)-s.pos, s.pos)
	}
	return nil
}

// member returns the text that scan looked out for.
func (s *scanner) member() (string, error) {
	switch s.saw {
	case 0:
		return "", fmt.Errorf("the member %q is missing", s.name)
	case kindString:
		return s.str, nil
	default:
		return "", fmt.Errorf("member %q is %s, want a string", s.name, s.saw)
	}
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// want returns the error that names the expected syntax at the current byte.
func (s *scanner) want(what string) error {
	if s.pos >= len(s.data) {
		return fmt.Errorf("ends at byte %d, want %s", s.pos, what)
	}
	return fmt.Errorf("saw %q at byte %d, want %s", s.data[s.pos:s.pos+1], s.pos, what)
}

// accept consumes c if it is next.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c || s.pos >= len(s.data) {
		return false
	}
	s.pos++
	return true
}

// word consumes s if it is next.
func (s *scanner) word(w string) bool {
	if !strings.HasPrefix(s.text[s.pos:], w) {
		return false
	}
	s.pos += len(w)
	return true
}

// key reads a member name, the one that follows last; lax as for quoted.
func (s *scanner) key(last string, lax bool) (string, error) {
	at := s.pos
	if s.peek() != '"' {
		return "", s.want("a member name")
	}
	key, err := s.readString(lax)
	switch {
	case err != nil:
		return "", err
	case !isKey(key):
		return "", fmt.Errorf("member name %q at byte %d, want [a-z][a-z0-9_]*", clip(key), at)
	case key == last:
		return "", fmt.Errorf("member %q twice at byte %d", key, at)
	case key < last:
		return "", fmt.Errorf("member %q after %q at byte %d, want them sorted", key, last, at)
	case !s.accept(':'):
		return "", s.want("a colon")
	}
	return key, nil
}

// next steps over what follows a member or an element, and reports whether it
// was the end of the object or array.
func (s *scanner) next(end byte, what string) (bool, error) {
	if s.accept(end) {
		return true, nil
	}
	if !s.accept(',') {
		return false, s.want("a comma or the " + what + "'s end")
	}
	return false, nil
}

func (s *scanner) integer() (int64, error) {
	start := s.pos
	s.accept('-')
	digits := s.pos
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.pos++
	}
	text := s.text[start:s.pos]
	switch c := s.peek(); {
	case s.pos == digits:
		return 0, s.want("a digit")
	case c == '.' || c == 'e' || c == 'E':
		return 0, fmt.Errorf("number %s%c… at byte %d, want an integer", clip(text), c, start)
	case text == "-0", s.pos > digits+1 && s.data[digits] == '0':
		return 0, fmt.Errorf("number %s at byte %d, want no leading zero and no minus zero", clip(text), start)
	}
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil || i > MaxInt || i < -MaxInt {
		return 0, fmt.Errorf("number %s at byte %d is beyond ±(2^53−1)", clip(text), start)
	}
	return i, nil
}

// readString reads a string. A lax one may hold escapes in another spelling than
// the canonical one.
func (s *scanner) readString(lax bool) (string, error) {
	start := s.pos
	s.pos++
	var out []byte // what was read, once there was an escape
	from := s.pos  // where what is not yet in out begins
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			text := s.text[from:s.pos]
			s.pos++
			if out != nil {
				text = string(append(out, text...))
			}
			return text, nil
		case c == '\\':
			out = append(out, s.text[from:s.pos]...)
			at := s.pos
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			if (!lax || s.full) && s.text[at:s.pos] != escape(r) {
				return "", fmt.Errorf("not in canonical form at byte %d: saw %q, want %q", at, s.text[at:s.pos], escape(r))
			}
			out = utf8.AppendRune(out, r)
			from = s.pos
		case c < 0x20:
			return "", fmt.Errorf("control character 0x%02x at byte %d inside a string, want it escaped", c, s.pos)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, n := utf8.DecodeRuneInString(s.text[s.pos:])
			if r == utf8.RuneError && n == 1 {
				return "", fmt.Errorf("byte 0x%02x at byte %d is not UTF-8", c, s.pos)
			}
			s.pos += n
		}
	}
	return "", fmt.Errorf("the string at byte %d does not end", start)
}

// escape reads one escape, or the two that make a surrogate pair.
func (s *scanner) escape() (rune, error) {
	at := s.pos
	s.pos++
	c := s.peek()
	s.pos++
	switch c {
	default:
		return 0, fmt.Errorf("escape \\%c at byte %d is not one of JSON", c, at)
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
	}
	r, err := s.hex4(at)
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if s.word(`\u`) {
		low, err := s.hex4(at)
		if err != nil {
			return 0, err
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, fmt.Errorf("lone surrogate at byte %d", at)
}

// hex4 reads the four digits of the escape that began at byte at.
func (s *scanner) hex4(at int) (rune, error) {
	if s.pos+4 <= len(s.data) {
		// ParseUint takes no sign and, in base 16, no underscore.
		u, err := strconv.ParseUint(s.text[s.pos:s.pos+4], 16, 16)
		if err == nil {
			s.pos += 4
			return rune(u), nil
		}
	}
	return 0, fmt.Errorf("escape \\u at byte %d, want four hexadecimal digits", at)
}

// isKey reports whether s may be a member name.
func isKey(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		default:
			return false
		case c >= 'a' && c <= 'z':
		case i > 0 && (c == '_' || c >= '0' && c <= '9'):
		}
	}
	return s != ""
}
