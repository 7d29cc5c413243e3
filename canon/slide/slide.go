// Package slide makes pptx@1, odp@1 and ppt@1, the text of a presentation.
//
//	r := read.NewRegistry(slide.Pptx(), slide.Odp(), slide.Ppt())
//	form, err := r.Canonicalize(read.Input{Name: "talk.pptx", Data: data})
//
// Slides stand in the order of the presentation, apart by a blank line. Within a
// slide each shape is a block, in the order in which the file has them; its
// paragraphs are lines. A table is a line a row, its cells joined by a tab. The notes
// of the speaker follow the slide. Slides without text leave nothing.
//
// Facts, as those of pdf@1: "pages", the number of slides; "page_starts", for each
// slide the line on which it begins, or "-"; "empty_pages" and "hidden_slides", where
// there are any: hidden slides are written like the others. Left out: layouts and
// masters, comments, pictures, charts, diagrams, numbers and dates that the program
// fills in.
package slide

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// The names and versions of the forms.
const (
	PptxName = "pptx@1"
	OdpName  = "odp@1"
)

// maxSlides is the number of slides of a presentation: the list of where they begin is
// in the record.
const maxSlides = 10_000

// maxParagraph is the longest paragraph in bytes.
const maxParagraph = 1 << 20

// Pptx returns the reader of pptx@1: presentations of Office Open XML.
func Pptx() read.Reader {
	return read.Reader{
		Name: PptxName,
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.presentationml.presentation",
			"application/vnd.openxmlformats-officedocument.presentationml.slideshow",
			"application/vnd.ms-powerpoint.presentation.macroenabled.12",
		},
		Extensions: []string{".pptx", ".ppsx", ".pptm"},
		Read:       func(in read.Input) (read.Form, error) { return readTalk(in, PptxName, readPptx) },
	}
}

// Odp returns the reader of odp@1: presentations of OpenDocument.
func Odp() read.Reader {
	return read.Reader{
		Name:       OdpName,
		MediaTypes: []string{"application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation-template"},
		Extensions: []string{".odp", ".otp"},
		Read:       func(in read.Input) (read.Form, error) { return readTalk(in, OdpName, readOdp) },
	}
}

// A talk is the presentation being written.
type talk struct {
	slides  []string // the text of each
	blocks  []string // of the slide being read
	charset string
	hidden  int
}

// readTalk returns the form of a presentation.
func readTalk(in read.Input, name string, parse func(*docpack.Pack, *talk) error) (read.Form, error) {
	c, err := docpack.Open(in.Data)
	t := &talk{}
	if err == nil {
		err = parse(c, t)
	}
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	return t.form(name)
}

// form returns the form of what was written.
func (t *talk) form(name string) (read.Form, error) {
	if len(t.slides) > maxSlides {
		return read.Form{}, fmt.Errorf("%s: more than %d slides, and no more are read", name, maxSlides)
	}
	var out bytes.Buffer
	starts, line, empty := []string{}, 1, 0
	for _, s := range t.slides {
		text := canon.Text([]byte(s))
		if len(text) == 0 {
			starts, empty = append(starts, "-"), empty+1
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
			line++
		}
		starts = append(starts, strconv.Itoa(line))
		line += bytes.Count(text, []byte("\n"))
		out.Write(text)
	}
	facts := map[string]string{"pages": strconv.Itoa(len(t.slides)), "page_starts": strings.Join(starts, " ")}
	for fact, n := range map[string]int{"empty_pages": empty, "hidden_slides": t.hidden} {
		if n > 0 {
			facts[fact] = strconv.Itoa(n)
		}
	}
	return read.Form{Payload: canon.Text(out.Bytes()), Canonicalizer: name, Unicode: canon.UnicodeVersion, Charset: t.charset, Facts: facts}, nil
}

// end ends a slide.
func (t *talk) end() {
	t.slides = append(t.slides, strings.Join(t.blocks, "\n\n"))
	t.blocks = nil
}

// block adds the paragraphs of a shape to the slide.
func (t *talk) block(lines []string) {
	if text := strings.Join(lines, "\n"); strings.TrimSpace(text) != "" {
		t.blocks = append(t.blocks, text)
	}
}

// readPptx reads the slides that the presentation lists.
func readPptx(c *docpack.Pack, t *talk) error {
	top, err := c.Relations("")
	if err != nil {
		return err
	}
	main := docpack.Target(top, "officeDocument")
	if main == "" {
		return errors.New("the container names no presentation: it is not Office Open XML")
	}
	related, err := c.Relations(main)
	if err != nil {
		return err
	}
	d, err := c.XML(main)
	if err != nil {
		return err
	}
	t.charset = d.Charset
	var parts []string
	p := &slideReader{talk: t, d: d}
	err = p.each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "sldId" {
			return false, nil
		}
		for _, a := range e.Attr {
			i := slices.IndexFunc(related, func(r docpack.Relation) bool { return r.ID == a.Value && r.Kind == "slide" })
			if a.Name.Local == "id" && a.Name.Space != "" && i >= 0 {
				parts = append(parts, related[i].Target)
			}
		}
		return true, d.Skip()
	})
	for _, part := range parts {
		if err == nil {
			err = t.readSlide(c, part)
		}
	}
	return err
}

// readSlide reads one slide, then its notes.
func (t *talk) readSlide(c *docpack.Pack, part string) error {
	related, err := c.Relations(part)
	if err != nil {
		return err
	}
	for _, name := range []string{part, docpack.Target(related, "notesSlide")} {
		if name == "" {
			continue
		}
		d, err := c.XML(name)
		if err != nil {
			return err
		}
		p := &slideReader{talk: t, d: d}
		if err := p.each(p.shape); err != nil {
			return err
		}
	}
	t.end()
	return nil
}

// A slideReader reads the shapes of one part.
type slideReader struct {
	*talk
	d *docpack.Decoder
}

// each calls fn with every element of the part; fn reports whether it consumed the
// element.
func (p *slideReader) each(fn func(e xml.StartElement) (bool, error)) error {
	return p.d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		done, err := fn(e)
		if err != nil || done {
			return err
		}
		return p.each(fn)
	})
}

// shape reads the text of a shape or a table of Office Open XML.
func (p *slideReader) shape(e xml.StartElement) (bool, error) {
	switch e.Name.Local {
	case "sld":
		if v := docpack.Attr(e, "show"); v == "0" || v == "false" {
			p.hidden++
		}
	case "AlternateContent": // the choice is for newer programs, the fallback says the same
		return true, p.each(func(e xml.StartElement) (bool, error) {
			if e.Name.Local == "Fallback" {
				return true, p.d.Skip()
			}
			return p.shape(e)
		})
	case "txBody":
		var lines []string
		err := p.each(func(e xml.StartElement) (bool, error) {
			if e.Name.Local != "p" {
				return true, p.d.Skip()
			}
			text, err := p.readParagraph()
			lines = append(lines, text)
			return true, err
		})
		p.block(lines)
		return true, err
	case "tbl":
		return true, p.table("tr", "tc", func() (string, error) { return p.drawnCell() })
	}
	return false, nil
}

// table reads the rows of a table whose cells cell reads.
func (p *slideReader) table(row, column string, cell func() (string, error)) error {
	var lines []string
	err := p.each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != row {
			return false, nil
		}
		var cells []string
		err := p.each(func(e xml.StartElement) (bool, error) {
			if e.Name.Local != column {
				return false, nil
			}
			text, err := cell()
			cells = append(cells, text)
			return true, err
		})
		lines = append(lines, strings.Join(cells, "\t"))
		return true, err
	})
	p.block(lines)
	return err
}

// drawnCell returns the paragraphs of a cell on one line.
func (p *slideReader) drawnCell() (string, error) {
	var texts []string
	err := p.each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "p" {
			return false, nil
		}
		text, err := p.readParagraph()
		texts = append(texts, strings.Join(strings.Fields(text), " "))
		return true, err
	})
	return strings.TrimSpace(strings.Join(texts, " ")), err
}

// readParagraph returns the text of a paragraph of Office Open XML. Numbers of slides and
// dates, which are fields, are left out.
func (p *slideReader) readParagraph() (string, error) {
	var b strings.Builder
	err := p.each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "t":
			text, err := p.d.Text(maxParagraph)
			b.WriteString(text)
			return true, err
		case "br":
			b.WriteByte('\n')
		case "tab":
		case "fld":
			return true, p.d.Skip()
		}
		return false, nil
	})
	return b.String(), err
}

// readOdp reads the pages of a presentation of OpenDocument.
func readOdp(c *docpack.Pack, t *talk) error {
	d, err := c.XML("content.xml")
	if err != nil {
		return err
	}
	t.charset = d.Charset
	p := &slideReader{talk: t, d: d}
	return p.each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "page" || !strings.Contains(e.Name.Space, ":drawing:") {
			return false, nil
		}
		err := p.each(p.frame)
		t.end()
		return true, err
	})
}

// frame reads the text of a shape or a table of OpenDocument.
func (p *slideReader) frame(e xml.StartElement) (bool, error) {
	switch e.Name.Local {
	case "text-box", "custom-shape", "rect", "ellipse", "line", "connector", "polygon", "path":
		lines, err := p.paragraphs()
		p.block(lines)
		return true, err
	case "table":
		return true, p.table("table-row", "table-cell", func() (string, error) {
			lines, err := p.paragraphs()
			return strings.Join(strings.Fields(strings.Join(lines, " ")), " "), err
		})
	case "annotation", "forms":
		return true, p.d.Skip()
	}
	return false, nil
}

// paragraphs returns the paragraphs of the element being read, those of lists
// included.
func (p *slideReader) paragraphs() (lines []string, err error) {
	err = p.each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "p" && e.Name.Local != "h" {
			return false, nil
		}
		var b strings.Builder
		var run func(e xml.StartElement, chars []byte) error
		run = func(e xml.StartElement, chars []byte) error {
			switch {
			case chars != nil:
				b.WriteString(strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(string(chars)))
				return nil
			case e.Name.Local == "s":
				n, _ := strconv.Atoi(docpack.Attr(e, "c"))
				b.WriteString(strings.Repeat(" ", min(max(n, 1), 1000)))
			case e.Name.Local == "tab":
				b.WriteByte('\t')
			case e.Name.Local == "line-break":
				b.WriteByte('\n')
			case e.Name.Local == "annotation", e.Name.Local == "page-number", e.Name.Local == "date", e.Name.Local == "time":
			default:
				return p.d.Each(run)
			}
			return p.d.Skip()
		}
		err := p.d.Each(run)
		lines = append(lines, b.String())
		return true, err
	})
	return lines, err
}
