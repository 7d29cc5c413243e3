package sheet

import (
	"encoding/xml"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"muniment/canon/office/docpack"
)

// An xlsx is what the cells of a workbook refer to.
type xlsx struct {
	*book
	texts   []string // shared strings
	isDate  []bool   // by the number of the cell's format
	in1904  bool     // dates count from 1904
	decoder *docpack.Decoder
}

// readXlsx writes the sheets of a workbook in their order.
func readXlsx(c *docpack.Pack, b *book) error {
	top, err := c.Relations("")
	if err != nil {
		return err
	}
	main := docpack.Target(top, "officeDocument")
	if main == "" {
		return errors.New("the container names no workbook: it is not Office Open XML")
	}
	related, err := c.Relations(main)
	if err != nil {
		return err
	}
	x := &xlsx{book: b}
	if err := x.readTexts(c, docpack.Target(related, "sharedStrings")); err != nil {
		return err
	}
	if err := x.readStyles(c, docpack.Target(related, "styles")); err != nil {
		return err
	}
	type sheet struct{ name, part string }
	var sheets []sheet
	d, err := c.XML(main)
	if err != nil {
		return err
	}
	b.charset = d.Charset
	err = walk(d, func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "workbookPr":
			v := docpack.Attr(e, "date1904")
			x.in1904 = v == "1" || v == "true"
		case "sheet":
			if state := docpack.Attr(e, "state"); state == "hidden" || state == "veryHidden" {
				b.counts["hidden_sheets"]++
			}
			for _, r := range related {
				if r.ID == relationID(e) && r.Kind == "worksheet" {
					sheets = append(sheets, sheet{docpack.Attr(e, "name"), r.Target})
				}
			}
		}
		return false, nil
	})
	for _, s := range sheets {
		if err == nil {
			b.sheet(s.name)
			err = x.readSheet(c, s.part)
		}
	}
	return err
}

// relationID returns the relation that an element names in the name space of
// relationships.
func relationID(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && strings.HasSuffix(a.Name.Space, "/relationships") {
			return a.Value
		}
	}
	return ""
}

// walk calls fn with every element of an entry. fn reports whether it consumed the
// element.
func walk(d *docpack.Decoder, fn func(e xml.StartElement) (bool, error)) error {
	return d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		done, err := fn(e)
		if err != nil || done {
			return err
		}
		return walk(d, fn)
	})
}

// readTexts reads the shared strings.
func (x *xlsx) readTexts(c *docpack.Pack, part string) error {
	if part == "" {
		return nil
	}
	d, err := c.XML(part)
	if err != nil {
		return err
	}
	return d.Each(func(_ xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			switch {
			case chars != nil:
				return nil
			case e.Name.Local != "si":
				return d.Skip()
			}
			text, err := readRichText(d)
			x.texts = append(x.texts, text)
			return err
		})
	})
}

// readRichText returns the text of the runs of a string. How it is pronounced is left out.
func readRichText(d *docpack.Decoder) (string, error) {
	var b strings.Builder
	var read func(e xml.StartElement, chars []byte) error
	read = func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case e.Name.Local == "t":
			text, err := d.Text(maxCell)
			b.WriteString(text)
			return err
		case e.Name.Local == "r":
			return d.Each(read)
		}
		return d.Skip()
	}
	err := d.Each(read)
	return b.String(), err
}

// readStyles reads which of the cells' formats are those of dates.
func (x *xlsx) readStyles(c *docpack.Pack, part string) error {
	if part == "" {
		return nil
	}
	d, err := c.XML(part)
	if err != nil {
		return err
	}
	codes := map[string]string{}
	within := ""
	return walk(d, func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "cellXfs", "cellStyleXfs", "dxfs":
			within = e.Name.Local
		case "numFmt":
			codes[docpack.Attr(e, "numFmtId")] = docpack.Attr(e, "formatCode")
		case "xf":
			if within == "cellXfs" {
				id := docpack.Attr(e, "numFmtId")
				x.isDate = append(x.isDate, isDateFormat(id, codes[id]))
			}
		}
		return false, nil
	})
}

// isDateFormat reports whether a number format shows a date or a time: one of those
// that ECMA-376 part 1, 18.8.30, numbers so, or a code with a letter of one.
func isDateFormat(id, code string) bool {
	if n, err := strconv.Atoi(id); err == nil && (n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58) {
		return true
	}
	quoted, bracket := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			quoted = !quoted
		case quoted:
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			bracket = true
			if i+1 < len(code) && strings.IndexByte("hms", code[i+1]|0x20) >= 0 {
				return true // [h]:mm, a duration
			}
		case code[i] == ']':
			bracket = false
		case bracket:
		case c == 'y' || c == 'd' || c == 'h' || c == 's' || c == 'm':
			return true
		case strings.HasPrefix(code[i:], "General"):
			i += len("General") - 1
		}
	}
	return false
}

// readSheet writes the rows of one sheet.
func (x *xlsx) readSheet(c *docpack.Pack, part string) error {
	d, err := c.XML(part)
	if err != nil {
		return err
	}
	x.decoder = d
	last := 0
	return d.Each(func(_ xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			switch {
			case chars != nil:
				return nil
			case e.Name.Local != "sheetData":
				return d.Skip()
			}
			return d.Each(func(e xml.StartElement, chars []byte) error {
				if chars != nil {
					return nil
				}
				number := last + 1
				if n, err := strconv.Atoi(docpack.Attr(e, "r")); err == nil {
					number = n
				}
				if number <= last || number > maxRows {
					return errors.New("its rows are not in order")
				}
				last = number
				return x.readRow(number)
			})
		})
	})
}

// readRow writes one row.
func (x *xlsx) readRow(number int) error {
	var cells []string
	err := x.decoder.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case e.Name.Local != "c":
			return x.decoder.Skip()
		}
		at := len(cells)
		if ref := docpack.Attr(e, "r"); ref != "" {
			column, row, ok := column(ref)
			if !ok || row != number || column < at {
				return errors.New("a cell is not where its row is, or not in order")
			}
			at = column
		}
		if at >= maxColumns {
			return errors.New("a row has too many cells")
		}
		text, err := x.readCell(e)
		if err != nil {
			return err
		}
		for len(cells) < at {
			cells = append(cells, "")
		}
		cells = append(cells, text)
		return nil
	})
	if err != nil {
		return err
	}
	return x.row(number, cells)
}

// readCell returns the text of one cell.
func (x *xlsx) readCell(cell xml.StartElement) (string, error) {
	value, inline := "", ""
	err := x.decoder.Each(func(e xml.StartElement, chars []byte) (err error) {
		switch {
		case chars != nil:
			return nil
		case e.Name.Local == "v":
			value, err = x.decoder.Text(maxCell)
			return err
		case e.Name.Local == "is":
			inline, err = readRichText(x.decoder)
			return err
		case e.Name.Local == "f":
			x.counts["formulas"]++
		}
		return x.decoder.Skip()
	})
	if err != nil {
		return "", err
	}
	switch docpack.Attr(cell, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(x.texts) {
			return "", errors.New("a cell refers to a text that is not there")
		}
		return x.texts[n], nil
	case "inlineStr":
		return inline, nil
	case "b":
		if strings.TrimSpace(value) == "1" {
			return "TRUE", nil
		}
		return "FALSE", nil
	case "", "n":
		style, err := strconv.Atoi(docpack.Attr(cell, "s"))
		if err == nil && style >= 0 && style < len(x.isDate) && x.isDate[style] {
			return formatSerial(strings.TrimSpace(value), x.in1904), nil
		}
	}
	return value, nil
}

// maxSerial is the last day of the year 9999, as Excel counts.
const maxSerial = 2958466

// formatSerial returns a day, a time or both in ISO 8601, of a number of days since
// 30 December 1899, or 1 January 1904. What is none stays as it is. Excel's day 60,
// 29 February 1900, never was; numbers before it are a day later than they count.
func formatSerial(value string, in1904 bool) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n < 0 || n >= maxSerial {
		return value
	}
	seconds := math.Round(n * 86400)
	days, rest := int(seconds)/86400, time.Duration(int(seconds)%86400)*time.Second
	clock := time.Time{}.Add(rest).Format(time.TimeOnly)
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case in1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days == 0:
		return clock
	case days == 60:
		return value
	case days < 60:
		days++
	}
	day := start.AddDate(0, 0, days).Format(time.DateOnly)
	if rest == 0 {
		return day
	}
	return day + "T" + clock
}
