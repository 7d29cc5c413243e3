package cite

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"muniment/canon"
)

// Kinds of unit a span counts in.
const (
	Paragraphs byte = 'p' // maximal runs between two or more LF
	Lines      byte = 'l'
)

// MaxNumber is the largest ordinal or offset a span may hold: it fits an int
// on every machine, and no text of ours comes near it.
const MaxNumber = 1<<31 - 1

// A Point is a place between code points of a unit.
type Point struct {
	Unit   int // ordinal of the unit, from 1
	Offset int // code points from the start of the unit, from 0
}

// A Span is a half-open run of a canonical text. Its first and its last code
// point lie inside units; separators between units belong to a span only when
// it continues beyond them. The zero Span names nothing.
type Span struct {
	Kind     byte // Paragraphs or Lines
	From, To Point
}

// An InvalidSpanError says which span is wrong and why.
type InvalidSpanError struct {
	Span   string
	Reason string
}

func (e *InvalidSpanError) Error() string {
	return fmt.Sprintf("span %q: %s", clip(e.Span), e.Reason)
}

// invalid returns an *InvalidSpanError.
func invalid(span, format string, args ...any) error {
	return &InvalidSpanError{span, fmt.Sprintf(format, args...)}
}

// ParseSpan reads the one spelling of a span: p4:0-41 inside one unit,
// p4:10-p6:3 across several. What parses is what String writes.
func ParseSpan(s string) (Span, error) {
	const shape = "want the form p4:0-41 or p4:10-p6:3"
	left, right, ok := strings.Cut(s, "-")
	if !ok {
		return Span{}, invalid(s, "no hyphen between start and end; %s", shape)
	}
	kind, from, err := parsePoint(left)
	if err != nil {
		return Span{}, invalid(s, "start: %v; %s", err, shape)
	}
	span := Span{Kind: kind, From: from}
	if strings.Contains(right, ":") {
		kind, span.To, err = parsePoint(right)
	} else {
		span.To.Unit = from.Unit
		span.To.Offset, err = parseNumber(right, 0)
	}
	switch {
	case err != nil:
		return Span{}, invalid(s, "end: %v; %s", err, shape)
	case kind != span.Kind:
		return Span{}, invalid(s, "starts in a unit of kind %c and ends in one of kind %c, want one kind", span.Kind, kind)
	}
	if err := span.validate(); err != nil {
		return Span{}, invalid(s, "%v", err)
	}
	if span.String() != s {
		return Span{}, invalid(s, "not in its one spelling, want %q", span)
	}
	return span, nil
}

// validate checks a span as far as possible without the text.
func (s Span) validate() error {
	switch {
	default:
		return nil
	case s.Kind != Paragraphs && s.Kind != Lines:
		return fmt.Errorf("kind %q, want p or l", s.Kind)
	case s.From.Unit < 1 || s.To.Unit < 1:
		return fmt.Errorf("unit 0, want ordinals from 1")
	case s.From.Offset < 0 || s.To.Offset < 0:
		return fmt.Errorf("negative offset")
	case s.To.Unit < s.From.Unit:
		return fmt.Errorf("ends in unit %d before its start in unit %d", s.To.Unit, s.From.Unit)
	case s.To.Unit == s.From.Unit && s.To.Offset <= s.From.Offset:
		return fmt.Errorf("empty: ends at %d, want more than its start %d", s.To.Offset, s.From.Offset)
	case s.To.Offset == 0:
		return fmt.Errorf("ends before the first code point of unit %d, want the end of an earlier unit", s.To.Unit)
	}
}

// parsePoint reads the unit and offset of one end of a span.
func parsePoint(s string) (kind byte, p Point, err error) {
	if s == "" || (s[0] != Paragraphs && s[0] != Lines) {
		return 0, Point{}, fmt.Errorf("%q does not begin with p or l", clip(s))
	}
	unit, offset, ok := strings.Cut(s[1:], ":")
	if !ok {
		return 0, Point{}, fmt.Errorf("%q has no colon between unit and offset", clip(s))
	}
	if p.Unit, err = parseNumber(unit, 1); err != nil {
		return 0, Point{}, fmt.Errorf("unit %v", err)
	}
	if p.Offset, err = parseNumber(offset, 0); err != nil {
		return 0, Point{}, fmt.Errorf("offset %v", err)
	}
	return s[0], p, nil
}

// parseNumber reads decimal digits without sign or leading zero.
func parseNumber(s string, least int) (int, error) {
	if s == "" {
		return 0, fmt.Errorf("is missing")
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("%q is not a decimal number", clip(s))
		}
	}
	if len(s) > 1 && s[0] == '0' {
		return 0, fmt.Errorf("%q has a leading zero", clip(s))
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > MaxNumber {
		return 0, fmt.Errorf("%s is above %d", clip(s), MaxNumber)
	}
	if int(n) < least {
		return 0, fmt.Errorf("is %d, want at least %d", n, least)
	}
	return int(n), nil
}

// String returns the span's one spelling, "" for the zero Span.
func (s Span) String() string {
	if s.IsZero() {
		return ""
	}
	if s.From.Unit == s.To.Unit {
		return fmt.Sprintf("%c%d:%d-%d", s.Kind, s.From.Unit, s.From.Offset, s.To.Offset)
	}
	return fmt.Sprintf("%c%d:%d-%c%d:%d", s.Kind, s.From.Unit, s.From.Offset, s.Kind, s.To.Unit, s.To.Offset)
}

// IsZero reports whether s names nothing.
func (s Span) IsZero() bool { return s == Span{} }

// MarshalText returns the span's one spelling; the zero Span gives no text.
func (s Span) MarshalText() ([]byte, error) {
	if s.IsZero() {
		return nil, nil
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads the output of MarshalText.
func (s *Span) UnmarshalText(text []byte) error {
	*s = Span{}
	if len(text) == 0 {
		return nil
	}
	span, err := ParseSpan(string(text))
	if err != nil {
		return err
	}
	*s = span
	return nil
}

// Resolve returns the bytes of d's payload that s names, half-open. The error
// is an *InvalidSpanError that gives the numbers the text has.
func Resolve(d *canon.Document, s Span) (start, end int, err error) {
	if err := s.validate(); err != nil {
		return 0, 0, invalid(s.String(), "%v", err)
	}
	units := d.Units(s.Kind)
	if start, err = resolvePoint(d, units, s, s.From, false); err != nil {
		return 0, 0, err
	}
	if end, err = resolvePoint(d, units, s, s.To, true); err != nil {
		return 0, 0, err
	}
	return start, end, nil
}

// resolvePoint returns the byte of one end of a span.
func resolvePoint(d *canon.Document, units []canon.Unit, s Span, p Point, isEnd bool) (int, error) {
	if p.Unit > len(units) {
		return 0, invalid(s.String(), "unit %c%d does not exist, the text has %d", s.Kind, p.Unit, len(units))
	}
	u := units[p.Unit-1]
	first, last, err := codePoints(d, u.Start, u.End)
	if err != nil {
		return 0, invalid(s.String(), "%v", err)
	}
	length := last - first
	switch {
	case p.Offset > length:
		return 0, invalid(s.String(), "offset %d lies outside unit %c%d of %d code points", p.Offset, s.Kind, p.Unit, length)
	case !isEnd && p.Offset == length:
		return 0, invalid(s.String(), "starts after the last code point of unit %c%d, want the start of a later unit", s.Kind, p.Unit)
	}
	return d.ByteOffset(first + p.Offset)
}

// codePoints returns the run of code points of a run of bytes.
func codePoints(d *canon.Document, start, end int) (first, last int, err error) {
	if first, err = d.CodePoint(start); err != nil {
		return 0, 0, err
	}
	if last, err = d.CodePoint(end); err != nil {
		return 0, 0, err
	}
	return first, last, nil
}

// SpanAt returns the span in paragraphs of the bytes start to end of d's
// payload, half-open. It is the inverse of Resolve.
func SpanAt(d *canon.Document, start, end int) (Span, error) {
	return SpanIn(d, Paragraphs, start, end)
}

// SpanIn is SpanAt in units of the given kind: the lines of row-like texts.
func SpanIn(d *canon.Document, kind byte, start, end int) (Span, error) {
	where := fmt.Sprintf("bytes %d-%d", start, end)
	if kind != Paragraphs && kind != Lines {
		return Span{}, invalid(where, "kind %q, want p or l", kind)
	}
	if start < 0 || end > len(d.Payload()) || start >= end {
		return Span{}, invalid(where, "not a run of the %d bytes of the text", len(d.Payload()))
	}
	units := d.Units(kind)
	from, err := pointAt(d, units, start, start)
	if err != nil {
		return Span{}, invalid(where, "start: %v", err)
	}
	to, err := pointAt(d, units, end-1, end)
	if err != nil {
		return Span{}, invalid(where, "end: %v", err)
	}
	return Span{kind, from, to}, nil
}

// pointAt returns the point at byte offset at, in the unit that holds the byte
// at inside.
func pointAt(d *canon.Document, units []canon.Unit, inside, at int) (Point, error) {
	i := sort.Search(len(units), func(i int) bool { return units[i].End > inside })
	if i == len(units) || units[i].Start > inside {
		return Point{}, fmt.Errorf("byte %d lies between units", inside)
	}
	first, cp, err := codePoints(d, units[i].Start, at)
	if err != nil {
		return Point{}, err
	}
	return Point{i + 1, cp - first}, nil
}

// Quote returns the text that s names.
func Quote(d *canon.Document, s Span) (string, error) {
	start, end, err := Resolve(d, s)
	if err != nil {
		return "", err
	}
	return string(d.Payload()[start:end]), nil
}

// clip shortens a text for an error line.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
