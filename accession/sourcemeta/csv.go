package sourcemeta

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// ReadCSV reads a sidecar of the form that the package comment shows. file is
// its name in errors. A row with a defect is left out, and Refused returns it. The
// error is of type Errors and about the file as a whole; then there is no Sidecar.
func ReadCSV(file string, data []byte) (*Sidecar, error) {
	d := &defects{file: file}
	s := &Sidecar{file: file}
	data = s.decode(data)
	data, ok := checkFile(d, data, MaxSidecar)
	if !ok {
		return nil, d.err()
	}
	line := 0
	for l := range bytes.Lines(data) {
		if line++; len(l) > maxLine {
			d.add(line, "", "the line has %d bytes, more than %d", len(l), maxLine)
			return nil, d.err()
		}
	}
	if first, _, _ := bytes.Cut(data, []byte("\n")); len(first) > maxHead {
		d.add(1, "", "the first row has %d bytes, more than %d", len(first), maxHead)
		return nil, d.err()
	}
	comma, data := delimiter(data)
	if comma == 0 {
		d.add(1, "path", "path is not among the columns of the first row, which are separated by commas, semicolons or tabs")
		return nil, d.err()
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord = comma, -1
	columns, err := r.Read()
	if err != nil {
		csvError(d.add, err)
		return nil, d.err()
	}
	at := s.header(d, columns)
	for !d.full && !s.over {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, csv.ErrBareQuote) {
			csvError(d.addRow, err)
			continue
		}
		if err != nil {
			csvError(d.add, err)
			break
		}
		line, _ := r.FieldPos(0)
		if cells = trimCells(cells, len(columns)); len(cells) > 0 {
			s.readRow(d, line, columns, cells, at)
		}
	}
	s.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// trimCells returns the cells of a row without blank ones beyond the columns, and
// none of a row that is blank: spreadsheets write both.
func trimCells(cells []string, columns int) []string {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	for len(cells) > columns && blank(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1]
	}
	if !slices.ContainsFunc(cells, func(c string) bool { return !blank(c) }) {
		return nil
	}
	return cells
}

// decode returns the bytes of a table as UTF-8: what is UTF-16 says so in its first
// bytes, and what is neither is Windows-1252, in which spreadsheets of Western
// Europe write CSV.
func (s *Sidecar) decode(data []byte) []byte {
	decoder, name := charmap.Windows1252.NewDecoder(), "Windows-1252"
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		decoder, name = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder(), "UTF-16"
	case utf8.Valid(data), len(data) > MaxSidecar:
		return data
	}
	out, err := decoder.Bytes(data)
	if err != nil {
		return data
	}
	s.notes = append(s.notes, "the file is not UTF-8 and was read as "+name)
	return out
}

// checkFile checks size and encoding of a file and returns it without a byte order
// mark.
func checkFile(d *defects, data []byte, limit int) ([]byte, bool) {
	if len(data) > limit {
		d.add(0, "", "the file has %d bytes, more than %d", len(data), limit)
		return nil, false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		line := 1
		for l := range bytes.Lines(data) {
			if !utf8.Valid(l) {
				break
			}
			line++
		}
		d.add(line, "", "the line is not UTF-8")
		return nil, false
	}
	return data, true
}

// delimiter returns the character that separates the columns of the first row, one
// of which is path, or 0. A line sep=; before it, as spreadsheets write it, names the
// character and is blanked in the data that is returned.
func delimiter(data []byte) (rune, []byte) {
	if first, rest, ok := bytes.Cut(data, []byte("\n")); ok && bytes.HasPrefix(first, []byte("sep=")) && len(bytes.TrimSpace(first)) <= len("sep=;") {
		data = append([]byte("\n"), rest...)
	}
	for _, comma := range ",;\t" {
		r := csv.NewReader(bytes.NewReader(data))
		r.Comma = comma
		columns, err := r.Read()
		if err == nil && slices.ContainsFunc(columns, func(c string) bool { return plainName(c) == "path" }) {
			return comma, data
		}
	}
	return 0, data
}

// header checks the first row and returns the index of the column path. Columns that
// are no fields are noted.
func (s *Sidecar) header(d *defects, columns []string) (at int) {
	seen := map[string]bool{}
	for i, c := range columns {
		name := plainName(c)
		if _, ok := fieldOf(c); !ok && name != "path" {
			name = factName(c, i+1)
			if strings.TrimSpace(c) != "" {
				s.notes = append(s.notes, fmt.Sprintf("column %s is no field; its values are kept as the fact other_%s", quote(c), name))
			}
			name = "other_" + name
		}
		if seen[name] {
			d.add(1, name, "%s is a column twice", name)
		}
		seen[name], columns[i] = true, name
		if name == "path" {
			at = i
		}
	}
	return at
}

// readRow adds the row in cells, or a defect of it.
func (s *Sidecar) readRow(d *defects, line int, columns, cells []string, at int) {
	if len(cells) != len(columns) {
		d.addRow(line, "", "the row has %d cells, the first row %d", len(cells), len(columns))
		return
	}
	var v Values
	for i, cell := range cells {
		var err error
		if name, other := strings.CutPrefix(columns[i], "other_"); other {
			err = v.setOther(name, cell)
		} else if i != at {
			err = v.Set(columns[i], cell)
		}
		if err != nil && columns[i] == dateField && strings.ToUpper(cell) != strings.ToLower(cell) && v.setOther(dateWritten, cell) == nil {
			s.notes = append(s.notes, fmt.Sprintf("line %d: the date %s was not read; it is kept as the fact other_%s", line, quote(strings.TrimSpace(cell)), dateWritten))
			err = nil
		}
		if err != nil {
			d.addRow(line, columns[i], "%s", err)
			return
		}
	}
	if err := s.add(line, strings.TrimSpace(cells[at]), v); err != nil {
		d.refuse(line, "path", "%s", err)
	}
}

// csvError passes an error of encoding/csv to add as a defect.
func csvError(add func(line int, field, format string, args ...any), err error) {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		add(0, "", "%s", err)
		return
	}
	reason := e.Err.Error()
	switch {
	case errors.Is(e, csv.ErrQuote):
		reason = "a quoted cell does not end where it should, or at all; a quote inside one is doubled"
	case errors.Is(e, csv.ErrBareQuote):
		reason = "a quote in a cell that is not quoted; quote the cell and double the quote"
	}
	add(e.StartLine, "", "%s", reason)
}
