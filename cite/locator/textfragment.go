package locator

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"

	"muniment/canon"
	"muniment/cite"
)

// ToEnd stands for an end that is left open.
const ToEnd = -1

// A TextFragment is a fragment identifier of RFC 5147: a position between two
// characters or lines of a text, or the run between two positions.
type TextFragment struct {
	Lines      bool // counts lines, else characters, which are code points
	Start, End int  // positions from 0; End may be ToEnd, and is Start for a position
	Position   bool // a position, not a run
	Checks     []TextCheck
}

// A TextCheck is an integrity check of a TextFragment: a length or a sum.
type TextCheck struct {
	Length  int    // of the text in characters, if MD5 is ""
	MD5     string // of the text's bytes in Charset, 32 lower case hexadecimal digits, or ""
	Charset string // may be ""
}

func (c TextCheck) String() string {
	s := "length=" + fmt.Sprint(c.Length)
	if c.MD5 != "" {
		s = "md5=" + c.MD5
	}
	if c.Charset != "" {
		s += "," + c.Charset
	}
	return s
}

// String writes f with both ends of a run given, an open end left out.
func (f TextFragment) String() string {
	var b strings.Builder
	b.WriteString(map[bool]string{true: "line=", false: "char="}[f.Lines])
	switch {
	default:
		fmt.Fprintf(&b, "%d,%d", f.Start, f.End)
	case f.Position:
		fmt.Fprintf(&b, "%d", f.Start)
	case f.End == ToEnd:
		fmt.Fprintf(&b, "%d,", f.Start)
	}
	for _, c := range f.Checks {
		b.WriteString(";" + c.String())
	}
	return b.String()
}

// ParseTextFragment reads a fragment identifier by the grammar of RFC 5147,
// section 3, in which names have any case, and refuses a run that ends before it
// starts.
func ParseTextFragment(s string) (TextFragment, error) {
	if len(s) > MaxText {
		return TextFragment{}, fmt.Errorf("text fragment of %d bytes, want at most %d", len(s), MaxText)
	}
	parts := strings.Split(s, ";")
	f, err := parseTextScheme(parts[0])
	for _, part := range parts[1:] {
		if err != nil {
			break
		}
		var c TextCheck
		c, err = parseTextCheck(part)
		f.Checks = append(f.Checks, c)
	}
	if err != nil {
		return TextFragment{}, fmt.Errorf("text fragment %q: %w", clip(s), err)
	}
	return f, nil
}

func parseTextScheme(s string) (f TextFragment, err error) {
	scheme, rest, _ := strings.Cut(s, "=")
	if f.Lines = strings.EqualFold(scheme, "line"); !f.Lines && !strings.EqualFold(scheme, "char") {
		return f, fmt.Errorf("scheme %q, want char or line", clip(scheme))
	}
	left, right, isRange := strings.Cut(rest, ",")
	if f.Position = !isRange; f.Position {
		f.Start, err = place(left)
		f.End = f.Start
		return f, err
	}
	if left == "" && right == "" {
		return f, fmt.Errorf("a range without a position")
	}
	if left != "" {
		if f.Start, err = place(left); err != nil {
			return f, err
		}
	}
	if f.End = ToEnd; right == "" {
		return f, nil
	}
	if f.End, err = place(right); err == nil && f.End < f.Start {
		err = fmt.Errorf("ends at %d before its start %d", f.End, f.Start)
	}
	return f, err
}

// place reads a position. One above all lengths is beyond every end, too.
func place(s string) (int, error) {
	n, err := digits(s)
	if err != nil && s != "" && strings.Trim(s, "0123456789") == "" {
		return cite.MaxNumber, nil
	}
	return n, err
}

func parseTextCheck(s string) (c TextCheck, err error) {
	const charsetSigns = "!#$%&'+-^_`{}~"
	value, charset, given := strings.Cut(s, ",")
	if given && (charset == "" || strings.ContainsFunc(charset, func(r rune) bool {
		return !isAlnum(r) && !strings.ContainsRune(charsetSigns, r)
	})) {
		return c, fmt.Errorf("charset %q is not a name", clip(charset))
	}
	c.Charset = charset
	scheme, value, _ := strings.Cut(value, "=")
	switch strings.ToLower(scheme) {
	default:
		return c, fmt.Errorf("check %q, want length or md5", clip(scheme))
	case "length":
		c.Length, err = digits(value)
	case "md5":
		sum, errHex := hex.DecodeString(value)
		if errHex != nil || len(sum) != md5.Size {
			return c, fmt.Errorf("md5 %q, want 32 hexadecimal digits", clip(value))
		}
		c.MD5 = strings.ToLower(value)
	}
	return c, err
}

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// TextFragmentOf returns the characters of s, with the length of the text as a
// check.
func TextFragmentOf(d *canon.Document, s cite.Span) (TextFragment, error) {
	start, end, err := Points(d, s)
	if err != nil {
		return TextFragment{}, err
	}
	length, err := d.CodePoint(len(d.Payload()))
	if err != nil {
		return TextFragment{}, err
	}
	return TextFragment{Start: start, End: end, Checks: []TextCheck{{Length: length}}}, nil
}

// Span returns the run of d that f names. As the standard says, a position
// beyond the end of the text is its end, and a fragment whose check fails is
// not used. A run whose ends lie between units is cited without the line feeds
// there, as is every run of lines. A position names no words and is refused.
func (f TextFragment) Span(d *canon.Document, kind byte) (cite.Span, error) {
	for _, c := range f.Checks {
		if err := c.verify(d); err != nil {
			return cite.Span{}, err
		}
	}
	points, err := d.CodePoint(len(d.Payload()))
	if err != nil {
		return cite.Span{}, err
	}
	if f.Position {
		return cite.Span{}, fmt.Errorf("%v is a place between characters, want a run", f)
	}
	if !f.Lines {
		start, end := min(f.Start, points), min(f.End, points)
		if f.End == ToEnd {
			end = points
		}
		if span, err := SpanOfPoints(d, kind, start, end); err == nil || start >= end {
			return span, err
		}
		from, err := d.ByteOffset(start)
		if err != nil {
			return cite.Span{}, err
		}
		to, err := d.ByteOffset(end)
		if err != nil {
			return cite.Span{}, err
		}
		return trimmed(d, kind, from, to)
	}
	lines := d.Units(cite.Lines)
	at := func(position int) int {
		if position == ToEnd || position >= len(lines) {
			return len(d.Payload())
		}
		return lines[position].Start
	}
	return trimmed(d, kind, at(f.Start), at(f.End))
}

// verify checks the text, which is in UTF-8 with LF at the end of lines.
func (c TextCheck) verify(d *canon.Document) error {
	if c.MD5 == "" {
		points, err := d.CodePoint(len(d.Payload()))
		if err != nil {
			return err
		}
		if points != c.Length {
			return fmt.Errorf("the text has %d characters, the fragment says %d", points, c.Length)
		}
		return nil
	}
	if c.Charset != "" && !strings.EqualFold(c.Charset, "utf-8") && !strings.EqualFold(c.Charset, "us-ascii") {
		return fmt.Errorf("the md5 is of the text in %s, which cannot be checked in UTF-8", clip(c.Charset))
	}
	want, _ := hex.DecodeString(c.MD5)
	if sum := md5.Sum(d.Payload()); !bytes.Equal(sum[:], want) {
		return fmt.Errorf("the text has md5 %x, the fragment says %s", sum, c.MD5)
	}
	return nil
}
