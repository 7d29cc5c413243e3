package sheet

import (
	"encoding/xml"
	"errors"
	"strconv"
	"strings"

	"muniment/canon/office/docpack"
)

// An ods reads the content of a workbook of OpenDocument.
type ods struct {
	*book
	d      *docpack.Decoder
	number int // of the last row
}

// readOds writes the tables of a workbook in their order.
func readOds(c *docpack.Pack, b *book) error {
	d, err := c.XML("content.xml")
	if err != nil {
		return err
	}
	b.charset = d.Charset
	o := &ods{book: b, d: d}
	return walk(d, func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "table" || !strings.HasSuffix(e.Name.Space, ":table:1.0") {
			return false, nil
		}
		b.sheet(docpack.Attr(e, "name"))
		o.number = 0
		return true, d.Each(o.part)
	})
}

// part reads a part of a table: a row, a group of rows, or something else.
func (o *ods) part(e xml.StartElement, chars []byte) error {
	switch {
	case chars != nil:
		return nil
	case e.Name.Local == "table-row":
		return o.readRow(e)
	case e.Name.Local == "table-rows", e.Name.Local == "table-header-rows", e.Name.Local == "table-row-group":
		return o.d.Each(o.part)
	}
	return o.d.Skip()
}

// readRow writes a row as often as it is repeated.
func (o *ods) readRow(row xml.StartElement) error {
	var cells []string
	blank := 0 // empty cells that stand before the next one with a text
	err := o.d.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case e.Name.Local != "table-cell" && e.Name.Local != "covered-table-cell":
			return o.d.Skip()
		}
		text, err := o.readCell(e)
		if err != nil {
			return err
		}
		n := repeatCount(e, "number-columns-repeated")
		if text == "" {
			blank += n
			return nil
		}
		if len(cells)+blank+n > maxColumns {
			return errors.New("a row has too many cells")
		}
		cells = append(cells, make([]string, blank)...)
		for range n {
			cells = append(cells, text)
		}
		blank = 0
		return nil
	})
	if err != nil {
		return err
	}
	n := repeatCount(row, "number-rows-repeated")
	if len(cells) > 0 {
		if n > maxRows-o.number {
			return errors.New("a sheet has too many rows")
		}
		if length := len(strings.Join(cells, "\t")); n > 1 && length > (MaxOutput-o.out.Len())/n {
			return errOutput
		}
		for i := range n {
			if err := o.row(o.number+i+1, cells); err != nil {
				return err
			}
		}
	}
	o.number = min(o.number+n, maxRows)
	return nil
}

// repeatCount returns the number of equal elements that an element represents, from 1.
func repeatCount(e xml.StartElement, attribute string) int {
	n, err := strconv.Atoi(docpack.Attr(e, attribute))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxRows)
}

// readCell returns the value of a cell that states its type, else its paragraphs.
func (o *ods) readCell(cell xml.StartElement) (string, error) {
	var paragraphs []string
	err := o.d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil || e.Name.Local != "p" {
			if chars != nil {
				return nil
			}
			return o.d.Skip()
		}
		text, err := o.paragraph()
		paragraphs = append(paragraphs, text)
		return err
	})
	if err != nil {
		return "", err
	}
	if docpack.Attr(cell, "formula") != "" {
		o.counts["formulas"]++
	}
	switch text := strings.Join(paragraphs, "\n"); docpack.Attr(cell, "value-type") {
	case "float", "percentage", "currency":
		return docpack.Attr(cell, "value"), nil
	case "date":
		return docpack.Attr(cell, "date-value"), nil
	case "time":
		return docpack.Attr(cell, "time-value"), nil
	case "boolean":
		return strings.ToUpper(docpack.Attr(cell, "boolean-value")), nil
	default:
		return text, nil
	}
}

// paragraph returns the text of a paragraph; white space is as OpenDocument has it.
func (o *ods) paragraph() (string, error) {
	var b strings.Builder
	var read func(e xml.StartElement, chars []byte) error
	read = func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			for _, r := range string(chars) {
				if r == '\t' || r == '\n' || r == '\r' {
					r = ' '
				}
				if r != ' ' || b.Len() > 0 && !strings.HasSuffix(b.String()[b.Len()-1:], " ") {
					b.WriteRune(r)
				}
			}
			return nil
		case e.Name.Local == "s":
			b.WriteString(strings.Repeat(" ", min(repeatCount(e, "c"), 1000)))
		case e.Name.Local == "tab":
			b.WriteByte('\t')
		case e.Name.Local == "line-break":
			b.WriteByte('\n')
		case e.Name.Local == "annotation":
		default:
			return o.d.Each(read)
		}
		return o.d.Skip()
	}
	err := o.d.Each(read)
	return b.String(), err
}
