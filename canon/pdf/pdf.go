// Package pdf makes pdf@1, the text of a PDF as poppler's pdftotext reads it.
//
//	r := read.NewRegistry(pdf.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "report.pdf", Data: data})
//	page, err := pdf.Page(form.Facts["page_starts"], 118) // of line 118
//
// A PDF says where each glyph stands, not what the text is, and readers of it
// differ. This form is what one program in one version found; both are named in
// Form.Extractor, and another version may give another artifact. What was once
// extracted stays, and is what citations point into.
//
//   - Text comes in reading order (pdftotext without -layout), its lines and
//     blank lines as the program gives them. Words broken at a line's end stay
//     broken.
//   - A page goes through the text step by itself; pages stand apart by a blank
//     line. So no paragraph runs over two pages. The fact "page_starts" lists,
//     for each page in order, the line on which its text begins, or "-" where it
//     has none: "1 41 - 90".
//   - U+0000 and what is not UTF-8 become U+FFFD.
//
// pdftotext must be installed; without it the PDF stays bytes@1, and the reason
// names the package to install. It runs as a process of its own with nothing
// but the PDF, which it gets on its standard input, and limits on time, memory
// and output: a damaged PDF can at worst not be read. An encrypted PDF, one of
// pictures alone, and one that is damaged beyond reading stay bytes@1 with that
// reason.
//
// Title and author go into Form.Source. Facts: "pages"; "page_starts";
// "empty_pages" (if any), "defects" (how many lines of complaint the program
// had, if any), "created" (when the file says it was made; no date of
// publication), "producer".
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"muniment/canon"
	"muniment/canon/read"
)

// Name is the form's name and version.
const Name = "pdf@1"

// Limits. A PDF beyond one of them stays bytes@1.
const (
	// MaxInput is the longest PDF in bytes: the program has it in memory.
	MaxInput = 128 << 20
	// MaxOutput is the longest text in bytes: some ten thousand full pages.
	MaxOutput = 32 << 20
	// MaxPages keeps the list of pages, and so the record, small.
	MaxPages = 10_000
	// MaxTime is how long a program may run. A thousand pages take seconds.
	MaxTime = 60 * time.Second
	// MaxMemory is how much memory a program may ask for, in bytes, where the
	// system's shell can limit it.
	MaxMemory = 768 << 20
)

// Reader returns the reader of pdf@1.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"application/pdf", "application/x-pdf"},
		Extensions: []string{".pdf"},
		Read: func(in read.Input) (read.Form, error) {
			tool, err := installedPoppler()
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", Name, err)
			}
			form, err := readPDF(in.Data, tool)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", Name, err)
			}
			return form, nil
		},
	}
}

// readPDF returns the pdf@1 form of a document that the given programs read.
func readPDF(data []byte, tool poppler) (read.Form, error) {
	if len(data) > MaxInput {
		return read.Form{}, fmt.Errorf("the PDF has %d bytes, at most %d are read", len(data), MaxInput)
	}
	out, err := tool.text(data)
	if err != nil {
		return read.Form{}, err
	}
	payload, starts, err := pages(out.stdout)
	if err != nil {
		return read.Form{}, err
	}
	form := read.Form{
		Payload:       payload,
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Extractor:     tool.version,
		Charset:       "utf-8 valid",
		Facts:         map[string]string{"pages": strconv.Itoa(len(starts)), "page_starts": strings.Join(starts, " ")},
	}
	if n := strings.Count(form.Facts["page_starts"], noText); n > 0 {
		form.Facts["empty_pages"] = strconv.Itoa(n)
	}
	if out.complaints > 0 {
		form.Facts["defects"] = strconv.Itoa(out.complaints)
	}
	tool.describe(data, &form)
	return form, nil
}

// noText is the entry, in the list of pages, of a page without text.
const noText = "-"

// pages makes the text of the output of pdftotext, a form feed after each page, and lists the lines
// on which pages begin.
func pages(out []byte) (payload []byte, starts []string, err error) {
	out = bytes.TrimSuffix(bytes.ReplaceAll(bytes.ToValidUTF8(out, []byte("\uFFFD")), []byte{0}, []byte("\uFFFD")), []byte{'\f'})
	if n := bytes.Count(out, []byte{'\f'}) + 1; n > MaxPages {
		return nil, nil, fmt.Errorf("the PDF has %d pages, at most %d are read", n, MaxPages)
	}
	line := 1
	for page := range bytes.SplitSeq(out, []byte{'\f'}) {
		text := canon.Text(page)
		if text == nil {
			starts = append(starts, noText)
			continue
		}
		if payload != nil {
			payload = append(payload, '\n')
			line++
		}
		starts = append(starts, strconv.Itoa(line))
		payload = append(payload, text...)
		line += bytes.Count(text, []byte{'\n'})
	}
	if payload == nil {
		return nil, nil, fmt.Errorf("there is no text on %d %s: the PDF holds pictures of text, or none", len(starts), plural(len(starts)))
	}
	if _, _, err := read.Decode(payload, ""); err != nil {
		return nil, nil, fmt.Errorf("the fonts of the PDF do not say what their glyphs mean: %w", err)
	}
	return canon.Text(payload), starts, nil
}

// plural returns the s of a plural, or "" for one.
func plural(n int) string {
	if n == 1 {
		return "page"
	}
	return "pages"
}

// Page returns the page, counting from 1, that a line of the text, counting
// from 1 as in l spans, is on. The blank line between two pages belongs to the
// first. Starts is the fact "page_starts".
func Page(starts string, line int) (int, error) {
	if line < 1 {
		return 0, fmt.Errorf("line %d, want 1 or more", line)
	}
	page, last := 0, 0
	for i, field := range strings.Split(starts, " ") {
		if field == noText {
			continue
		}
		start, err := strconv.Atoi(field)
		if err != nil || start <= last || strconv.Itoa(start) != field {
			return 0, fmt.Errorf("page %d begins on line %.20q, want a number above %d", i+1, field, last)
		}
		if last = start; start <= line {
			page = i + 1
		}
	}
	if page == 0 {
		return 0, errors.New("no page has text before this line")
	}
	return page, nil
}
