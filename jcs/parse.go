package jcs

import (
	"fmt"
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

// node is a parsed value. Of an object, keys and vals run in parallel.
type node struct {
	kind kind
	str  string
	num  int64
	yes  bool
	keys []string
	vals []*node
}

// parser reads the part of JSON that has a canonical form here. It refuses
// everything that is wrong whatever the target; spellings that are valid JSON
// and not canonical (escapes) are caught by encoding again.
type parser struct {
	data []byte
	pos  int
}

// parse reads one object and nothing else.
func parse(data []byte, limit int) (*node, error) {
	if len(data) > limit {
		return nil, fmt.Errorf("the object has %d bytes, more than %d", len(data), limit)
	}
	p := &parser{data: data}
	if p.peek() != '{' {
		return nil, p.want("an object")
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.pos != len(data) {
		return nil, fmt.Errorf("%d bytes follow the object at byte %d", len(data)-p.pos, p.pos)
	}
	return root, nil
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// want says what was expected at the current byte.
func (p *parser) want(what string) error {
	if p.pos >= len(p.data) {
		return fmt.Errorf("ends at byte %d, want %s", p.pos, what)
	}
	return fmt.Errorf("saw %q at byte %d, want %s", p.data[p.pos:p.pos+1], p.pos, what)
}

// accept consumes c if it is next.
func (p *parser) accept(c byte) bool {
	if p.peek() != c || p.pos >= len(p.data) {
		return false
	}
	p.pos++
	return true
}

// word consumes s if it is next.
func (p *parser) word(s string) bool {
	if !strings.HasPrefix(string(p.data[p.pos:min(len(p.data), p.pos+len(s))]), s) {
		return false
	}
	p.pos += len(s)
	return true
}

// value reads a value that lies inside depth objects and arrays.
func (p *parser) value(depth int) (*node, error) {
	switch c := p.peek(); {
	default:
		return nil, p.want("a value")
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return nil, fmt.Errorf("more than %d objects and arrays inside each other at byte %d", MaxDepth, p.pos)
		}
		if c == '[' {
			return p.array(depth + 1)
		}
		return p.object(depth + 1)
	case c == '"':
		s, err := p.text()
		return &node{kind: kindString, str: s}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.integer()
	case p.word("true"):
		return &node{kind: kindBool, yes: true}, nil
	case p.word("false"):
		return &node{kind: kindBool}, nil
	case p.word("null"):
		return nil, fmt.Errorf("%w: byte %d", errNull, p.pos-len("null"))
	}
}

func (p *parser) object(depth int) (*node, error) {
	n := &node{kind: kindObject}
	p.pos++
	if p.accept('}') {
		return n, nil
	}
	for {
		at := p.pos
		if p.peek() != '"' {
			return nil, p.want("a member name")
		}
		key, err := p.text()
		if err != nil {
			return nil, err
		}
		if !isKey(key) {
			return nil, fmt.Errorf("member name %q at byte %d, want [a-z][a-z0-9_]*", clip(key), at)
		}
		if len(n.keys) > 0 {
			switch last := n.keys[len(n.keys)-1]; {
			case key == last:
				return nil, fmt.Errorf("member %q twice at byte %d", key, at)
			case key < last:
				return nil, fmt.Errorf("member %q after %q at byte %d, want them sorted", key, last, at)
			}
		}
		if !p.accept(':') {
			return nil, p.want("a colon")
		}
		val, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		n.keys, n.vals = append(n.keys, key), append(n.vals, val)
		if p.accept('}') {
			return n, nil
		}
		if !p.accept(',') {
			return nil, p.want("a comma or the object's end")
		}
	}
}

func (p *parser) array(depth int) (*node, error) {
	n := &node{kind: kindArray}
	p.pos++
	if p.accept(']') {
		return n, nil
	}
	for {
		val, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		n.vals = append(n.vals, val)
		if p.accept(']') {
			return n, nil
		}
		if !p.accept(',') {
			return nil, p.want("a comma or the array's end")
		}
	}
}

func (p *parser) integer() (*node, error) {
	start := p.pos
	p.accept('-')
	digits := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	s := string(p.data[start:p.pos])
	switch c := p.peek(); {
	case p.pos == digits:
		return nil, p.want("a digit")
	case c == '.' || c == 'e' || c == 'E':
		return nil, fmt.Errorf("number %s%c… at byte %d, want an integer", clip(s), c, start)
	case s == "-0", p.pos > digits+1 && p.data[digits] == '0':
		return nil, fmt.Errorf("number %s at byte %d, want no leading zero and no minus zero", clip(s), start)
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil || i > MaxInt || i < -MaxInt {
		return nil, fmt.Errorf("number %s at byte %d is beyond ±(2^53−1)", clip(s), start)
	}
	return &node{kind: kindInt, num: i}, nil
}

// text reads a string, resolving escapes.
func (p *parser) text() (string, error) {
	start := p.pos
	p.pos++
	var out []byte
	for {
		if p.pos >= len(p.data) {
			return "", fmt.Errorf("the string at byte %d does not end", start)
		}
		switch c := p.data[p.pos]; {
		case c == '"':
			p.pos++
			return string(out), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c < 0x20:
			return "", fmt.Errorf("control character 0x%02x at byte %d inside a string, want it escaped", c, p.pos)
		case c < utf8.RuneSelf:
			out = append(out, c)
			p.pos++
		default:
			r, n := utf8.DecodeRune(p.data[p.pos:])
			if r == utf8.RuneError && n == 1 {
				return "", fmt.Errorf("byte 0x%02x at byte %d is not UTF-8", c, p.pos)
			}
			out = append(out, p.data[p.pos:p.pos+n]...)
			p.pos += n
		}
	}
}

// escape reads one escape, or the two that make a surrogate pair.
func (p *parser) escape() (rune, error) {
	at := p.pos
	p.pos++
	c := p.peek()
	p.pos++
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
	r, err := p.hex4(at)
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if p.word(`\u`) {
		low, err := p.hex4(at)
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
func (p *parser) hex4(at int) (rune, error) {
	if p.pos+4 <= len(p.data) {
		// ParseUint takes no sign and, in base 16, no underscore.
		u, err := strconv.ParseUint(string(p.data[p.pos:p.pos+4]), 16, 16)
		if err == nil {
			p.pos += 4
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
