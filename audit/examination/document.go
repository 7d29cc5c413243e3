package examination

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/archive/problem"
	"muniment/canon/forms"
	"muniment/canon/read"
	"muniment/draft/examine"
)

// An Input is a document to examine.
type Input struct {
	Name      string // of the file; its extension helps to tell the form
	MediaType string // "" to have it told from name and bytes
	Data      []byte
}

// A document is an input with its text.
type document struct {
	name, mediaType string
	data            []byte
	text            string
	pageStarts      []int // the first line of each page; none where there are no pages
	lines           []int // bytes at which lines begin
	last            mark
}

// A mark is a place of a text in bytes and in code points.
type mark struct{ bytes, points int }

// readInput reads a document in any form that an archive reads.
func readInput(in Input) (*document, error) {
	d := &document{name: in.Name, data: in.Data}
	marked := withMarks(in)
	form, err := forms.Registry().Canonicalize(read.Input{Name: in.Name, MediaType: in.MediaType, Data: marked})
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a text, a page, a document or a PDF"), "%s: %w", in.Name, err)
	}
	d.mediaType = form.MediaType
	switch {
	case form.Canonicalizer == "bytes@1":
		return nil, problem.New(problem.Usage, problem.Advise("give a text, a page, a document or a PDF with text"), "%s has no text: %s", in.Name, form.Reason)
	case strings.HasPrefix(form.Canonicalizer, "text@"):
		text, _, err := read.Decode(in.Data, in.MediaType)
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("give a text in UTF-8"), "%s: %w", in.Name, err)
		}
		d.text = strings.ReplaceAll(string(text), "\r\n", "\n")
	default:
		d.text = string(form.Payload)
	}
	if len(d.text) > MaxDocument {
		return nil, problem.New(problem.Usage, problem.Advise("divide it and examine the parts"), "%s has more than %d bytes of text", in.Name, MaxDocument)
	}
	for _, at := range strings.Fields(form.Facts["page_starts"]) {
		if n, err := strconv.Atoi(at); err == nil {
			d.pageStarts = append(d.pageStarts, n)
		}
	}
	d.lines = []int{0}
	for i := range len(d.text) {
		if d.text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d, nil
}

func (d *document) pages() int { return len(d.pageStarts) }

// at returns the place of some bytes of the text. It counts on from the place before, so that items in order take time in proportion to the text.
func (d *document) at(start, end int) At {
	line := sort.SearchInts(d.lines, start+1)
	a := At{Line: line}
	if start < d.last.bytes {
		d.last = mark{}
	}
	d.last = mark{start, d.last.points + utf8.RuneCountInString(d.text[d.last.bytes:start])}
	a.Start = d.last.points
	a.End = a.Start + utf8.RuneCountInString(d.text[start:end])
	a.Page = sort.SearchInts(d.pageStarts, line+1)
	return a
}

// append appends an item to the report.
func (x *examiner) append(doc *document, q *examine.Quotation, kind string, item Item) {
	item.Item, item.Kind, item.Text, item.At = len(x.report.Items)+1, kind, q.Text, doc.at(q.Start, q.End)
	item.Sentence = strings.Join(strings.Fields(q.Sentence), " ")
	if item.Also == nil {
		item.Also = []Verdict{}
	}
	if item.Difference == nil {
		item.Difference = []examine.Change{}
	}
	x.report.Items = append(x.report.Items, item)
}
