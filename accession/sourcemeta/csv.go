package sourcemeta

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadCSV reads a sidecar of the form that the package comment shows. file is
// its name in errors. The error is of type Errors, and then there is no Sidecar.
func ReadCSV(file string, data []byte) (*Sidecar, error) {
	d := &defects{file: file}
	data, ok := checkFile(d, data, MaxSidecar)
	if !ok {
		return nil, d.err()
	}
	comma := delimiter(data)
	if comma == 0 {
		d.add(1, "path", "path is not among the columns of the first row, which are separated by commas, semicolons or tabs")
		return nil, d.err()
	}
	s := &Sidecar{file: file}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = comma
	columns, err := r.Read()
	if err != nil {
		csvError(d, err)
		return nil, d.err()
	}
	at := header(d, columns)
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			csvError(d, err)
			if !errors.Is(err, csv.ErrFieldCount) {
				break
			}
			continue
		}
		line, _ := r.FieldPos(0)
		s.readRow(d, line, columns, cells, at)
	}
	s.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return s, nil
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
// of which is path, or 0.
func delimiter(data []byte) rune {
	for _, comma := range ",;\t" {
		r := csv.NewReader(bytes.NewReader(data))
		r.Comma = comma
		columns, err := r.Read()
		if err == nil && slices.ContainsFunc(columns, func(c string) bool { return column(c) == "path" }) {
			return comma
		}
	}
	return 0
}

// column returns the name of a column in the form that is compared.
func column(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// header checks the first row and returns the index of the column path.
func header(d *defects, columns []string) (at int) {
	seen := map[string]bool{}
	for i, c := range columns {
		c = column(c)
		columns[i] = c
		if f, ok := fieldOf(c); ok {
			c = f.name
		} else if c != "path" {
			d.add(1, c, "%s is no column, want path, %s", quoted(c), strings.Join(FieldNames(), ", "))
		}
		if seen[c] {
			d.add(1, c, "%s is a column twice", c)
		}
		seen[c] = true
		if c == "path" {
			at = i
		}
	}
	return at
}

// readRow adds the row in cells.
func (s *Sidecar) readRow(d *defects, line int, columns, cells []string, at int) {
	var v Values
	for i, cell := range cells {
		if _, ok := fieldOf(columns[i]); !ok {
			continue // the path, or a defect of the first row
		}
		if err := v.Set(columns[i], cell); err != nil {
			d.add(line, columns[i], "%s", err)
		}
	}
	if err := s.add(line, strings.TrimSpace(cells[at]), v); err != nil {
		d.add(line, "path", "%s", err)
	}
}

// csvError adds an error of encoding/csv as a defect.
func csvError(d *defects, err error) {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		d.add(0, "", "%s", err)
		return
	}
	reason := e.Err.Error()
	switch {
	case errors.Is(e, csv.ErrFieldCount):
		reason = "the row has another number of cells than the first row"
	case errors.Is(e, csv.ErrQuote):
		reason = "a quoted cell does not end where it should, or at all; a quote inside one is doubled"
	case errors.Is(e, csv.ErrBareQuote):
		reason = "a quote in a cell that is not quoted; quote the cell and double the quote"
	}
	d.add(e.StartLine, "", "%s", reason)
}
