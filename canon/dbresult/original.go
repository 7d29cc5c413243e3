package dbresult

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// typeMember is the type that an original states.
const typeMember = "muniment/dbresult/v1"

// New returns the original for a result: what Canonicalize takes as data. Cells
// are strings, nil for NULL, or what CellOf takes. Ordered says that the query
// promises the order of its rows, as by ORDER BY over a key.
func New(query string, columns []Column, rows [][]any, ordered bool) ([]byte, error) {
	r := &Result{Query: query, Columns: columns, Ordered: ordered, Rows: make([][]Cell, len(rows))}
	for i, row := range rows {
		if len(row) != len(columns) {
			return nil, fmt.Errorf("row %d has %d cells, want %d", i+1, len(row), len(columns))
		}
		r.Rows[i] = make([]Cell, len(row))
		for j, v := range row {
			cell, err := CellOf(v, columns[j].Type)
			if err != nil {
				return nil, fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
			r.Rows[i][j] = cell
		}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	data := r.encode()
	if len(data) > MaxInput {
		return nil, fmt.Errorf("the result has %d bytes, at most %d are read", len(data), MaxInput)
	}
	return data, nil
}

// encode writes the original in canonical JSON.
func (r *Result) encode() []byte {
	out := []byte(`{"columns":[`)
	for i, c := range r.Columns {
		out = append(comma(out, i), `{"name":`...)
		out = append(quote(out, c.Name), `,"type":`...)
		out = append(quote(out, c.Type), '}')
	}
	out = fmt.Appendf(out, `],"ordered":%t,"query":`, r.Ordered)
	out = append(quote(out, r.Query), `,"rows":[`...)
	for i, row := range r.Rows {
		out = append(comma(out, i), '[')
		for j, cell := range row {
			out = comma(out, j)
			if cell.Null {
				out = append(out, "null"...)
			} else {
				out = quote(out, cell.Text)
			}
		}
		out = append(out, ']')
	}
	return append(out, `],"type":"`+typeMember+`"}`...)
}

// comma appends a comma before every element but the first.
func comma(out []byte, i int) []byte {
	if i > 0 {
		return append(out, ',')
	}
	return out
}

// quote writes a string as RFC 8785 does. encoding/json escapes more.
func quote(out []byte, s string) []byte {
	const letters, values = `"\bfnrt`, "\"\\\b\f\n\r\t"
	out = append(out, '"')
	for i := range len(s) {
		c := s[i]
		switch at := strings.IndexByte(values, c); {
		default:
			out = append(out, c)
		case at >= 0:
			out = append(out, '\\', letters[at])
		case c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(out, '"')
}

// decode reads an original, strictly: what it accepts is written again as the
// same bytes, so that the order of members and the place of every comma are
// known beforehand.
func decode(data []byte) (*Result, error) {
	if len(data) > MaxInput {
		return nil, fmt.Errorf("the result has %d bytes, at most %d are read", len(data), MaxInput)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("the result is not valid UTF-8")
	}
	s := scanner{text: string(data)}
	r, ok := s.result()
	if !ok || s.at != len(data) {
		return nil, fmt.Errorf("the result is not canonical JSON of the kind %s: it goes wrong at byte %d", typeMember, s.at)
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if !bytes.Equal(r.encode(), data) {
		return nil, errors.New("the result is not canonical JSON: a string has needless escapes")
	}
	return r, nil
}
