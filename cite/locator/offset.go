package locator

import (
	"fmt"
	"strings"

	"muniment/canon"
	"muniment/cite"
)

// Points returns the words that a span names and their run of code points of the
// whole text, counting from 0, half-open.
func Points(d *canon.Document, s cite.Span) (words string, start, end int, err error) {
	from, to, err := cite.Resolve(d, s)
	if err != nil {
		return "", 0, 0, err
	}
	if start, err = d.CodePoint(from); err != nil {
		return "", 0, 0, err
	}
	if end, err = d.CodePoint(to); err != nil {
		return "", 0, 0, err
	}
	return string(d.Payload()[from:to]), start, end, nil
}

// SpanOfPoints returns the span, in paragraphs where possible, of a run of code
// points of the whole text that holds the given words. White space at the ends
// of the words is not part of the span.
func SpanOfPoints(d *canon.Document, start, end int, words string) (cite.Span, error) {
	from, err := d.ByteOffset(start)
	if err != nil {
		return cite.Span{}, fmt.Errorf("start: %w", err)
	}
	to, err := d.ByteOffset(end)
	if err != nil {
		return cite.Span{}, fmt.Errorf("end: %w", err)
	}
	if from >= to || string(d.Payload()[from:to]) != words {
		return cite.Span{}, fmt.Errorf("code points %d to %d hold other words", start, end)
	}
	from += len(words) - len(strings.TrimLeft(words, " \t\n"))
	return cite.SpanAt(d, from, from+len(strings.TrimSpace(words)))
}
