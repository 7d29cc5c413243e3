// Package sheet makes xlsx@1, ods@1 and xls@1, the cells of a workbook: one line per row,
// so that a line span cites a row.
//
//	r := read.NewRegistry(sheet.Xlsx(), sheet.Ods(), sheet.Xls())
//	form, err := r.Canonicalize(read.Input{Name: "accounts.xlsx", Data: data})
//
// Each sheet is a paragraph with its name, and a paragraph of rows. A row is its
// number in the sheet, then its cells from column A on, each behind a tab; empty
// cells at the end and empty rows are left out. A cell stands as it is kept: a
// number as the file has it, a date as ISO 8601, true and false as TRUE and FALSE, an
// error as its name, a formula as the value that was computed last. Within a cell a
// backslash is \\, a tab \011 and a line break \012, as in csv@1.
//
// Facts: "sheets"; "sheet_starts", for each sheet the line of its name; each only if
// not zero "rows", "formulas", "hidden_sheets", which are written like the others.
// Left out: comments, pictures, charts, headers and footers of the print.
package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// The names and versions of the forms.
const (
	XlsxName = "xlsx@1"
	OdsName  = "ods@1"
)

// Limits, in addition to those of package docpack.
const (
	// maxColumns is the number of columns that Excel has; OpenDocument has no more.
	maxColumns = 16384
	// maxRows is the number of rows that Excel has.
	maxRows = 1 << 20
	// MaxOutput is the longest text in bytes: cells may refer to one long text many
	// times.
	MaxOutput = docpack.MaxXML
	// maxCell is the longest text of a cell in bytes; Excel has 32,767 characters.
	maxCell = 1 << 20
)

// Xlsx returns the reader of xlsx@1: workbooks of Office Open XML.
func Xlsx() read.Reader {
	return read.Reader{
		Name: XlsxName,
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			"application/vnd.ms-excel.sheet.macroenabled.12",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.template",
		},
		Extensions: []string{".xlsx", ".xlsm", ".xltx"},
		Read:       func(in read.Input) (read.Form, error) { return readBook(in, XlsxName, readXlsx) },
	}
}

// Ods returns the reader of ods@1: workbooks of OpenDocument.
func Ods() read.Reader {
	return read.Reader{
		Name:       OdsName,
		MediaTypes: []string{"application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-template"},
		Extensions: []string{".ods", ".ots"},
		Read:       func(in read.Input) (read.Form, error) { return readBook(in, OdsName, readOds) },
	}
}

// A book is the workbook being written.
type book struct {
	out     bytes.Buffer
	charset string
	starts  []int // lines of the sheets' names
	lines   int
	counts  map[string]int
	source  read.Meta
	begun   bool // the sheet has a row
}

// readBook returns the form of a workbook.
func readBook(in read.Input, name string, parse func(*docpack.Pack, *book) error) (read.Form, error) {
	c, err := docpack.Open(in.Data)
	b := &book{counts: map[string]int{}}
	if err == nil {
		err = parse(c, b)
	}
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	return b.form(name), nil
}

// form returns the form of what was written.
func (b *book) form(name string) read.Form {
	payload := canon.Text(b.out.Bytes())
	if b.counts["rows"] == 0 {
		payload = nil
	}
	facts := read.Counts(b.counts)
	facts["sheets"] = strconv.Itoa(len(b.starts))
	var starts []string
	for _, line := range b.starts {
		starts = append(starts, strconv.Itoa(line))
	}
	facts["sheet_starts"] = strings.Join(starts, " ")
	return read.Form{Payload: payload, Canonicalizer: name, Unicode: canon.UnicodeVersion, Charset: b.charset, Facts: facts, Source: b.source}
}

// sheet begins a sheet.
func (b *book) sheet(name string) {
	if b.lines > 0 {
		b.out.WriteByte('\n')
		b.lines++
	}
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		name = "-"
	}
	b.starts = append(b.starts, b.lines+1)
	b.out.WriteString(name + "\n")
	b.lines++
	b.begun = false
}

var (
	errOutput = errors.New("the text of all cells is too long to be read")
	escape    = strings.NewReplacer(`\`, `\\`, "\t", `\011`, "\r\n", `\012`, "\n", `\012`, "\r", `\012`, "\u0085", `\012`, "\u2028", `\012`, "\u2029", `\012`)
)

// row writes a row, whose number counts from 1.
func (b *book) row(number int, cells []string) error {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return nil
	}
	if !b.begun {
		b.out.WriteByte('\n')
		b.lines++
		b.begun = true
	}
	b.out.WriteString(strconv.Itoa(number))
	for _, cell := range cells {
		b.out.WriteByte('\t')
		b.out.WriteString(escape.Replace(cell))
	}
	if last := b.out.Bytes()[b.out.Len()-1]; last == ' ' { // the text step would remove it
		b.out.WriteByte('\\')
	}
	b.out.WriteByte('\n')
	b.lines++
	b.counts["rows"]++
	if b.out.Len() > MaxOutput {
		return errOutput
	}
	return nil
}

// column returns the number of the column, from 0, and that of the row, from 1, of a
// reference such as "B12".
func column(reference string) (column, row int, ok bool) {
	i := 0
	for ; i < len(reference) && reference[i] >= 'A' && reference[i] <= 'Z'; i++ {
		if column = column*26 + int(reference[i]-'A') + 1; column > maxColumns {
			return 0, 0, false
		}
	}
	row, err := strconv.Atoi(reference[i:])
	return column - 1, row, err == nil && i > 0 && row > 0 && row <= maxRows
}
