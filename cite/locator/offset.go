package locator

import (
	"fmt"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cite"
)

// Points returns the run of code points of the whole text that s names,
// counting from 0, half-open.
func Points(d *canon.Document, s cite.Span) (start, end int, err error) {
	from, to, err := cite.Resolve(d, s)
	if err != nil {
		return 0, 0, err
	}
	if start, err = d.CodePoint(from); err != nil {
		return 0, 0, err
	}
	if end, err = d.CodePoint(to); err != nil {
		return 0, 0, err
	}
	return start, end, nil
}

// SpanOfPoints returns the span, in units of the given kind, of a run of code
// points of the whole text. It is the inverse of Points.
func SpanOfPoints(d *canon.Document, kind byte, start, end int) (cite.Span, error) {
	from, err := d.ByteOffset(start)
	if err != nil {
		return cite.Span{}, fmt.Errorf("start: %w", err)
	}
	to, err := d.ByteOffset(end)
	if err != nil {
		return cite.Span{}, fmt.Errorf("end: %w", err)
	}
	return cite.SpanIn(d, kind, from, to)
}

// UTF16 returns the run of UTF-16 code units of the whole text that s names,
// counting from 0, half-open. The text must be UTF-8 up to the end of s.
func UTF16(d *canon.Document, s cite.Span) (start, end int, err error) {
	from, to, err := cite.Resolve(d, s)
	if err != nil {
		return 0, 0, err
	}
	text := d.Payload()
	if !utf8.Valid(text[:to]) {
		return 0, 0, fmt.Errorf("the text is not UTF-8 up to byte %d", to)
	}
	start = units16(text[:from])
	return start, start + units16(text[from:to]), nil
}

// units16 counts the UTF-16 code units of UTF-8 text: one for each code point
// and one more for those of four bytes.
func units16(text []byte) int {
	n := 0
	for _, c := range text {
		if utf8.RuneStart(c) {
			n++
		}
		if c >= 0xF0 {
			n++
		}
	}
	return n
}

// SpanOfUTF16 returns the span, in units of the given kind, of a run of UTF-16
// code units of the whole text. It is the inverse of UTF16: a start or end
// between the two surrogates of a code point is refused.
func SpanOfUTF16(d *canon.Document, kind byte, start, end int) (cite.Span, error) {
	from, err := byteOf16(d.Payload(), start)
	if err != nil {
		return cite.Span{}, fmt.Errorf("start: %w", err)
	}
	to, err := byteOf16(d.Payload(), end)
	if err != nil {
		return cite.Span{}, fmt.Errorf("end: %w", err)
	}
	return cite.SpanIn(d, kind, from, to)
}

// byteOf16 returns the byte at which code unit want of the text begins.
func byteOf16(text []byte, want int) (int, error) {
	if want < 0 {
		return 0, fmt.Errorf("UTF-16 offset %d is negative", want)
	}
	at, n := 0, 0
	for n < want {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case at == len(text):
			return 0, fmt.Errorf("UTF-16 offset %d lies outside the text of %d code units", want, n)
		case r == utf8.RuneError && size < 2:
			return 0, fmt.Errorf("the text is not UTF-8 at byte %d", at)
		case r > 0xFFFF && n+1 == want:
			return 0, fmt.Errorf("UTF-16 offset %d is inside %U at byte %d", want, r, at)
		case r > 0xFFFF:
			n++
		}
		at, n = at+size, n+1
	}
	return at, nil
}
