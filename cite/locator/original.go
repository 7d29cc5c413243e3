package locator

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cite"
)

// An Original is what the form and the record of a text say about places in the
// original. Zero fields are places that the original does not have.
type Original struct {
	Page     func(line int) (int, error)                          // page, from 1, of a line of the text
	Region   func(first, last int) (string, bool)                 // X,Y,W,H on the page around lines of the text
	Times    func(line int) (start, end time.Duration, err error) // when the cue on a line is heard
	LineName string                                               // "row" or "line" where each line of the text is one of the original
	Mail     bool                                                 // lines may begin with quotation marks
	Markdown bool                                                 // headings stand in the text
	Facts    map[string]string                                    // the record's facts; chapter_starts and headings are read
}

// Of returns the locator of a span, member by member, in the words of the
// original; nil where the original has no places or the span does not resolve.
func Of(o Original, doc *canon.Document, s cite.Span) map[string]string {
	start, end, err := cite.Resolve(doc, s)
	if err != nil {
		return nil
	}
	payload := doc.Payload()
	first := 1 + bytes.Count(payload[:start], []byte{'\n'})
	last := first + bytes.Count(payload[start:end], []byte{'\n'})
	out := map[string]string{}
	if o.Page != nil {
		from, errFrom := o.Page(first)
		to, errTo := o.Page(last)
		if errFrom == nil && errTo == nil {
			out["page"] = numbers(from, to)
		}
	}
	if o.Region != nil && (out["page"] == "" || !strings.Contains(out["page"], "-")) {
		if region, ok := o.Region(first, last); ok {
			out["region"] = region
		}
	}
	if o.Times != nil {
		from, _, errFrom := o.Times(first)
		_, to, errTo := o.Times(last)
		if errFrom == nil && errTo == nil {
			out["time"] = fmt.Sprintf("%.3f-%.3f", from.Seconds(), to.Seconds())
		}
	}
	if o.LineName != "" {
		out[o.LineName] = numbers(first, last)
	}
	if o.Mail {
		if depth := quoteDepth(payload, start); depth > 0 {
			out["quoted"] = strconv.Itoa(depth)
		}
	}
	if s.Kind == cite.Paragraphs {
		if n := chapterOf(o.Facts["chapter_starts"], s.From.Unit); n > 0 {
			out["chapter"] = strconv.Itoa(n)
		}
		if path := headingPath(doc, o.Facts["headings"], s.From.Unit); path != "" {
			out["section"] = path
		}
	}
	if o.Markdown {
		if path := markdownPath(payload, start); path != "" {
			out["section"] = path
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// A sectionPath is the title of the open section at each level of heading, from
// 1 to 6.
type sectionPath [7]string

// enter opens a section and closes those at its level and below.
func (p *sectionPath) enter(level int, title string) {
	p[level] = title
	clear(p[level+1:])
}

// String joins the titles, the outermost first.
func (p sectionPath) String() string {
	var out []string
	for _, title := range p {
		if title != "" {
			out = append(out, title)
		}
	}
	return strings.Join(out, " / ")
}

// markdownPath returns the headings above an offset of a markdown text.
func markdownPath(payload []byte, at int) string {
	var path sectionPath
	for line := range strings.Lines(string(payload[:at])) {
		level := len(line) - len(strings.TrimLeft(line, "#"))
		if title := strings.TrimSpace(line[level:]); level >= 1 && level <= 6 && line[level] == ' ' && title != "" {
			path.enter(level, title)
		}
	}
	return path.String()
}

// headingPath returns the headings above a paragraph; fact lists the headings of
// the text.
func headingPath(doc *canon.Document, fact string, paragraph int) string {
	var path sectionPath
	headings, at := read.HeadingsOf(doc, fact)
	for i, h := range headings {
		if at[i] > paragraph {
			break
		}
		path.enter(h.Level, strings.ReplaceAll(h.Text, "\n", " "))
	}
	return path.String()
}

// chapterOf returns the number, from 1, of the chapter that a paragraph is in;
// starts lists the first paragraph of each chapter. 0 is none.
func chapterOf(starts string, paragraph int) int {
	n := 0
	for f := range strings.FieldsSeq(starts) {
		first, err := strconv.Atoi(f)
		if err != nil {
			return 0
		}
		if first > paragraph {
			break
		}
		n++
	}
	return n
}

// quoteDepth counts the quotation marks at the beginning of the line of a mail
// that holds an offset: 1 is a reply's quotation, 2 a quotation inside it.
func quoteDepth(payload []byte, at int) int {
	line := payload[bytes.LastIndexByte(payload[:at], '\n')+1:]
	depth := 0
	for _, c := range strings.TrimLeft(string(line[:min(len(line), 80)]), " ") {
		if c == '>' {
			depth++
		} else if c != ' ' {
			break
		}
	}
	return depth
}

// numbers writes one number or a range: 24, 24-25.
func numbers(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}
