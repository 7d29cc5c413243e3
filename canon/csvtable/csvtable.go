// Package csvtable makes csv@1, the text of a table in comma-separated values
// or one of its dialects: one line per row, so that a line span cites a row.
//
//	r := read.NewRegistry(csvtable.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "accounts.csv", Data: data})
//
// The dialect is detected: comma, semicolon or tab between cells, and cells
// quoted as in RFC 4180, leniently so, or not at all. Then each row is written
// as a line:
//
//   - Cells are joined by one tab and stand as they are, without quotation
//     marks. No cell is read as a number or a date.
//   - Within a cell a backslash is written \\, a tab \011 and a line break \012.
//     The digits are octal; letters would not do, since a combining mark at the
//     beginning of a line would join them in the normal form.
//   - A row that would be empty or end in a space or tab gets a single
//     backslash at its end, since the text step removes what is blank there.
//
// Lines without any cell are no rows. The result ends in the text step of
// package canon, and the tests read the rows back from it.
//
// Facts: "delimiter" (comma, semicolon, tab), "quoting" (rfc4180, lenient,
// none), "rows", "columns" (the number that most rows have) and "ragged" (how
// many rows have another, if any).
package csvtable

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
)

// Name is the form's name and version.
const Name = "csv@1"

// MaxInput is the longest table in bytes: cells are copied, and the copies of
// a table of tiny cells take some twenty times its size.
const MaxInput = 64 << 20

const tabType = "text/tab-separated-values"

// Reader returns the reader of csv@1.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"text/csv", tabType},
		Extensions: []string{".csv", ".tsv"},
		Read:       readTable,
	}
}

// breaks are the line breaks of the text step. They become LF before rows are
// told apart, inside quoted cells as well.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// readTable returns the csv@1 form of an input.
func readTable(in read.Input) (read.Form, error) {
	if len(in.Data) > MaxInput {
		return read.Form{}, fmt.Errorf("%s: the table has %d bytes, at most %d are read", Name, len(in.Data), MaxInput)
	}
	text, charset, err := read.Decode(in.Data, in.MediaType)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	clean := strings.TrimLeft(breaks.Replace(string(text)), "\uFEFF")
	t := detect(clean, prefersTab(in))
	payload := canon.Text(encode(t.rows))
	if !holdsText(t.rows) {
		payload = nil
	}
	return read.Form{
		Payload:       payload,
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Charset:       charset,
		Facts:         t.facts(),
	}, nil
}

// prefersTab reports whether the sender or the name says that tabs separate.
func prefersTab(in read.Input) bool {
	return strings.HasPrefix(strings.ToLower(in.MediaType), tabType) ||
		strings.HasSuffix(strings.ToLower(in.Name), ".tsv")
}

// holdsText reports whether any cell has something to see.
func holdsText(rows [][]string) bool {
	for _, row := range rows {
		for _, cell := range row {
			if canon.Text([]byte(cell)) != nil {
				return true
			}
		}
	}
	return false
}

var escape = strings.NewReplacer(`\`, `\\`, "\t", `\011`, "\n", `\012`)

// encode writes rows as lines.
func encode(rows [][]string) []byte {
	var out bytes.Buffer
	for i, row := range rows {
		start := out.Len()
		for j, cell := range row {
			if j > 0 {
				out.WriteByte('\t')
			}
			if i == 0 && j == 0 {
				// The text step removes byte order marks there.
				cell = strings.TrimLeft(cell, "\uFEFF")
			}
			escape.WriteString(&out, cell)
		}
		if line := out.Bytes()[start:]; len(line) == 0 || line[len(line)-1] == ' ' || line[len(line)-1] == '\t' {
			out.WriteByte('\\')
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// facts returns the facts about a table.
func (t table) facts() map[string]string {
	facts := map[string]string{
		"delimiter": delimiterNames[t.delimiter],
		"quoting":   t.quoting,
		"rows":      strconv.Itoa(len(t.rows)),
		"columns":   strconv.Itoa(t.columns),
	}
	if ragged := len(t.rows) - t.regular; ragged > 0 {
		facts["ragged"] = strconv.Itoa(ragged)
	}
	return facts
}
