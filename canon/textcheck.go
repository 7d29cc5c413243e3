package canon

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxCheckedLine is the longest line in bytes of a text that a TextCheck reads in
// pieces: twice the largest input of which a reader makes text, and what the
// check may hold in memory.
const MaxCheckedLine = 64 << 20

// A TextCheck decides whether the bytes written to it are a text in canonical
// form: the text step, applied to them, would change nothing. It holds one line
// in memory. The zero TextCheck has seen nothing.
type TextCheck struct {
	rest    []byte // what follows the last LF seen, with that LF
	last    byte   // the byte before rest
	begun   bool
	visible bool
	err     error
}

// CheckText returns nil when a payload is a text in canonical form, and else what
// the text step would change.
func CheckText(payload []byte) error {
	var c TextCheck
	c.Write(payload)
	return c.Err()
}

// Write takes in the next bytes of the text. It never fails: Err has the verdict.
func (c *TextCheck) Write(p []byte) (int, error) {
	n := len(p)
	if c.err != nil || n == 0 {
		return n, nil
	}
	cut := bytes.LastIndexByte(p, '\n')
	if cut < 0 {
		if c.rest = append(c.rest, p...); len(c.rest) > MaxCheckedLine {
			c.err = fmt.Errorf("a line has more than %d bytes", MaxCheckedLine)
		}
		return n, nil
	}
	piece := p[:cut]
	if len(c.rest) > 0 {
		piece = append(c.rest, piece...)
	}
	c.add(piece)
	c.rest = append([]byte(nil), p[cut:]...)
	return n, nil
}

// add checks a piece of the text that ends before an LF and begins with one unless
// it is the first: no combining sequence and no line reaches over its ends.
func (c *TextCheck) add(piece []byte) {
	if !c.begun {
		c.begun = true
		switch {
		case len(piece) == 0 || piece[0] == '\n':
			c.err = errors.New("its first line is empty")
			return
		case bytes.HasPrefix(piece, []byte(bom)):
			c.err = errors.New("it begins with a byte order mark")
			return
		}
	}
	if len(piece) == 0 {
		return
	}
	c.last = piece[len(piece)-1]
	switch {
	case !utf8.Valid(piece):
		c.err = errors.New("it is not UTF-8")
	case nextBreak(piece, true) < len(piece):
		c.err = errors.New("it has a line break other than LF")
	case !bytes.Equal(NFC(piece), piece):
		c.err = fmt.Errorf("it is not in Normalization Form C of Unicode %s", UnicodeVersion)
	case len(trimLines(piece)) < len(piece):
		c.err = errors.New("a line ends in a space or a tab")
	}
	c.visible = c.visible || hasVisible(piece)
}

// Err returns nil when the bytes written are a text in canonical form, and else
// what the text step would change, of the first place that it would.
func (c *TextCheck) Err() error {
	switch {
	case c.err != nil:
		return c.err
	case !bytes.Equal(c.rest, lf):
		return errors.New("it does not end in a line feed")
	case c.last == '\n':
		return errors.New("it ends in an empty line")
	case !c.visible:
		return errors.New("nothing visible is in it")
	}
	return nil
}
