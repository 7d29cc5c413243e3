package locator

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cite"
)

// Pages are the pages From to To of a document, counting from 1, both
// included. If Exact is set the run begins Start code points into the text of
// page From and ends End code points into that of page To.
type Pages struct {
	From, To   int
	Exact      bool
	Start, End int
}

// String returns page:24, page:24-25 or page:24:1205-25:342.
func (p Pages) String() string {
	switch {
	default:
		return fmt.Sprintf("page:%d-%d", p.From, p.To)
	case p.Exact:
		return fmt.Sprintf("page:%d:%d-%d:%d", p.From, p.Start, p.To, p.End)
	case p.From == p.To:
		return fmt.Sprintf("page:%d", p.From)
	}
}

// Check wants pages from 1 in order, and of exact ones a run that is not empty.
func (p Pages) Check() error {
	switch {
	default:
		return nil
	case p.From < 1 || p.To > cite.MaxNumber:
		return fmt.Errorf("page %d to %d, want 1 to %d", p.From, p.To, cite.MaxNumber)
	case p.To < p.From:
		return fmt.Errorf("ends on page %d before its start on page %d", p.To, p.From)
	case !p.Exact && (p.Start != 0 || p.End != 0):
		return fmt.Errorf("offsets %d and %d of pages that are not exact", p.Start, p.End)
	case p.Exact && (p.Start < 0 || p.End < 1 || p.Start > cite.MaxNumber || p.End > cite.MaxNumber):
		return fmt.Errorf("offsets %d and %d, want at least 0 and 1", p.Start, p.End)
	case p.Exact && p.From == p.To && p.End <= p.Start:
		return fmt.Errorf("empty: ends at %d, want more than its start %d", p.End, p.Start)
	}
}

func parsePages(s string) (Pages, error) {
	left, right, both := strings.Cut(s, "-")
	page, offset, exact := strings.Cut(left, ":")
	if !both {
		right = left
		if exact {
			return Pages{}, fmt.Errorf("want page:24, page:24-25 or page:24:1205-25:342")
		}
	}
	p := Pages{Exact: exact}
	to, end, endExact := strings.Cut(right, ":")
	if exact != endExact {
		return Pages{}, fmt.Errorf("one end has an offset and the other none")
	}
	var err error
	if p.From, err = number(page, 1); err != nil {
		return Pages{}, fmt.Errorf("page: %w", err)
	}
	if p.To, err = number(to, 1); err != nil {
		return Pages{}, fmt.Errorf("page: %w", err)
	}
	if !exact {
		return p, nil
	}
	if p.Start, err = number(offset, 0); err != nil {
		return Pages{}, fmt.Errorf("offset: %w", err)
	}
	if p.End, err = number(end, 1); err != nil {
		return Pages{}, fmt.Errorf("offset: %w", err)
	}
	return p, nil
}

// PagesOf returns the exact pages of s. firstLines holds for every page the
// line of the text that it begins on, counting from 1, and 0 for a page
// without text, as the record's list of pages says.
func PagesOf(d *canon.Document, firstLines []int, s cite.Span) (Pages, error) {
	start, end, err := Points(d, s)
	if err != nil {
		return Pages{}, err
	}
	starts, err := pageStarts(d, firstLines)
	if err != nil {
		return Pages{}, err
	}
	from, to := starts.of(start), starts.of(end-1)
	if from < 0 {
		return Pages{}, fmt.Errorf("the span begins before the first page")
	}
	return Pages{
		From: starts[from].page, To: starts[to].page, Exact: true,
		Start: start - starts[from].point, End: end - starts[to].point,
	}, nil
}

// Span returns the run that p names, the inverse of PagesOf; of pages that are
// not exact, from the first to the last code point that shows.
func (p Pages) Span(d *canon.Document, firstLines []int, kind byte) (cite.Span, error) {
	if err := p.Check(); err != nil {
		return cite.Span{}, err
	}
	starts, err := pageStarts(d, firstLines)
	if err != nil {
		return cite.Span{}, err
	}
	from, to := starts.page(p.From), starts.page(p.To)
	switch {
	case from < 0:
		return cite.Span{}, fmt.Errorf("page %d has no text or does not exist", p.From)
	case to < 0:
		return cite.Span{}, fmt.Errorf("page %d has no text or does not exist", p.To)
	case !p.Exact:
		return trimmed(d, kind, starts[from].at, starts.end(d, to))
	}
	for _, e := range [...]struct{ i, offset int }{{from, p.Start}, {to, p.End}} {
		length := utf8.RuneCount(d.Payload()[starts[e.i].at:starts.end(d, e.i)])
		if e.offset > length {
			return cite.Span{}, fmt.Errorf("offset %d lies outside page %d of %d code points", e.offset, starts[e.i].page, length)
		}
	}
	return SpanOfPoints(d, kind, starts[from].point+p.Start, starts[to].point+p.End)
}

// A pageStart is where the text of a page begins, in bytes and code points.
type pageStart struct{ page, at, point int }

type pageTable []pageStart

func pageStarts(d *canon.Document, firstLines []int) (pageTable, error) {
	lines := d.Units(cite.Lines)
	var all pageTable
	last := 0
	for i, line := range firstLines {
		if line == 0 {
			continue
		}
		if line <= last || line > len(lines) {
			return nil, fmt.Errorf("page %d begins on line %d, want above %d and at most %d", i+1, line, last, len(lines))
		}
		point, err := d.CodePoint(lines[line-1].Start)
		if err != nil {
			return nil, err
		}
		all, last = append(all, pageStart{i + 1, lines[line-1].Start, point}), line
	}
	return all, nil
}

// of returns the index of the page that holds a code point, -1 before the first.
func (t pageTable) of(point int) int {
	return sort.Search(len(t), func(i int) bool { return t[i].point > point }) - 1
}

func (t pageTable) page(n int) int {
	return slices.IndexFunc(t, func(s pageStart) bool { return s.page == n })
}

func (t pageTable) end(d *canon.Document, i int) int {
	if i+1 < len(t) {
		return t[i+1].at
	}
	return len(d.Payload())
}

// trimmed returns the span of a run of bytes without the line feeds at its ends.
func trimmed(d *canon.Document, kind byte, start, end int) (cite.Span, error) {
	run := d.Payload()[start:end]
	end -= len(run) - len(bytes.TrimRight(run, "\n"))
	start += len(run) - len(bytes.TrimLeft(run, "\n"))
	if start >= end {
		return cite.Span{}, fmt.Errorf("nothing but line feeds there")
	}
	return cite.SpanIn(d, kind, start, end)
}
