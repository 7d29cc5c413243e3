package search

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/canon/csvtable"
	"muniment/canon/dbresult"
	"muniment/canon/mail"
	"muniment/canon/pdf"
	"muniment/canon/transcript"
	"muniment/cite"
	"muniment/snapshot/record"
)

// Locators says in the words of the original where a span is: the page of a
// PDF, the row of a table, the time of a cue, the depth of a quoted reply, the
// chapter of a book, and the headings above a place in markdown, HTML, books
// and documents. It is a view computed from the payload and its record; the
// span is the address.
func Locators(rec *record.Record, doc *canon.Document, s cite.Span) map[string]string {
	start, end, err := cite.Resolve(doc, s)
	if err != nil {
		return nil
	}
	payload := doc.Payload()
	first := 1 + bytes.Count(payload[:start], []byte{'\n'})
	last := first + bytes.Count(payload[start:end], []byte{'\n'})
	out := map[string]string{}
	switch rec.Canonicalizer {
	case pdf.Name:
		from, errFrom := pdf.Page(rec.Facts["page_starts"], first)
		to, errTo := pdf.Page(rec.Facts["page_starts"], last)
		if errFrom == nil && errTo == nil {
			out["page"] = numbers(from, to)
		}
	case transcript.SRTName, transcript.VTTName:
		from, _, errFrom := transcript.Times(payload, first)
		_, to, errTo := transcript.Times(payload, last)
		if errFrom == nil && errTo == nil {
			out["time"] = fmt.Sprintf("%.3f-%.3f", from.Seconds(), to.Seconds())
		}
	case csvtable.Name:
		out["row"] = numbers(first, last)
	case dbresult.Name:
		out["line"] = numbers(first, last)
	case mail.Name:
		if depth := quoteDepth(payload, start); depth > 0 {
			out["quoted"] = strconv.Itoa(depth)
		}
	}
	if s.Kind == cite.Paragraphs && rec.Facts["chapter_starts"] != "" {
		if n := chapterOf(rec.Facts["chapter_starts"], s.From.Unit); n > 0 {
			out["chapter"] = strconv.Itoa(n)
		}
	}
	if fact := rec.Facts["headings"]; fact != "" && s.Kind == cite.Paragraphs {
		if path := headingPath(doc, fact, s.From.Unit); path != "" {
			out["section"] = path
		}
	}
	if rec.MediaType == "text/markdown" {
		if path := sectionPath(payload, start); path != "" {
			out["section"] = path
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// sectionPath joins the headings above an offset of a markdown text, from the
// outermost on.
func sectionPath(payload []byte, at int) string {
	var path [7]string
	for line := range strings.Lines(string(payload[:at])) {
		depth := len(line) - len(strings.TrimLeft(line, "#"))
		if title := strings.TrimSpace(line[depth:]); depth >= 1 && depth <= 6 && line[depth] == ' ' && title != "" {
			path[depth] = title
			clear(path[depth+1:])
		}
	}
	return joinPath(path[:])
}

// headingPath joins the headings that a record lists above a paragraph.
func headingPath(doc *canon.Document, fact string, paragraph int) string {
	var path [7]string
	headings, at := read.HeadingsOf(doc, fact)
	for i, h := range headings {
		if at[i] > paragraph {
			break
		}
		path[h.Level] = strings.ReplaceAll(h.Text, "\n", " ")
		clear(path[h.Level+1:])
	}
	return joinPath(path[:])
}

// chapterOf returns which chapter of a book a paragraph is in, from 1; the fact
// lists the first paragraph of each.
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

// joinPath joins the titles that are there, from the outermost on.
func joinPath(path []string) string {
	var out []string
	for _, title := range path {
		if title != "" {
			out = append(out, title)
		}
	}
	return strings.Join(out, " / ")
}

// numbers writes one number or a range.
func numbers(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// quoteDepth counts the quotation marks before the line at an offset of a mail:
// 1 is a reply's quotation, 2 a quotation in it.
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
