package csvtable

import "strings"

// The ways in which cells may be quoted.
const (
	rfc4180 = "rfc4180" // a quoted cell ends at its closing quotation mark
	lenient = "lenient" // a stray quotation mark stands for itself
	literal = "none"    // every quotation mark stands for itself
)

var delimiterNames = map[byte]string{',': "comma", ';': "semicolon", '\t': "tab"}

// sampleLen is how much of a table its delimiter is detected from: enough for
// hundreds of rows, and a table does not change its mind later.
const sampleLen = 64 << 10

// A table is what one dialect makes of a text.
type table struct {
	delimiter byte
	quoting   string
	rows      [][]string
	columns   int // the number of cells that most rows have, the larger of two equals
	regular   int // how many rows have it
}

// detect reads a table in the dialect that fits it best. The delimiter is the
// one by which the largest share of the first rows has the same number of
// cells, of at least two; of equals the one with more columns, then tab before
// semicolon before comma. Where none gives two columns the table has one.
func detect(text string, preferTab bool) table {
	sample := text
	if len(sample) > sampleLen {
		sample = sample[:strings.LastIndexByte(sample[:sampleLen], '\n')+1]
		if sample == "" {
			sample = text[:sampleLen]
		}
	}
	best := table{delimiter: ','}
	for _, d := range []byte{'\t', ';', ','} {
		t := parseRows(sample, d)
		if t.columns < 2 {
			continue
		}
		if preferTab && d == '\t' {
			return parseRows(text, d)
		}
		if fitsBetter(t, best) {
			best = t
		}
	}
	return parseRows(text, best.delimiter)
}

// fitsBetter reports whether a fits better than b, shares compared without division.
func fitsBetter(a, b table) bool {
	x, y := a.regular*len(b.rows), b.regular*len(a.rows)
	if b.columns < 2 || x != y {
		return b.columns < 2 || x > y
	}
	return a.columns > b.columns
}

// parseRows reads a text with one delimiter: by RFC 4180 if it can be read so, else
// by the one of the two other ways that gives the more regular table.
func parseRows(text string, delimiter byte) table {
	strict, ok := rowsOf(text, delimiter, rfc4180)
	if ok {
		return measure(delimiter, rfc4180, strict)
	}
	loose, closed := rowsOf(text, delimiter, lenient)
	plain, _ := rowsOf(text, delimiter, literal)
	a, b := measure(delimiter, lenient, loose), measure(delimiter, literal, plain)
	if closed && a.regular*len(b.rows) >= b.regular*len(a.rows) {
		return a
	}
	return b
}

// measure returns the table of some rows, with its usual number of columns.
func measure(delimiter byte, quoting string, rows [][]string) table {
	t := table{delimiter: delimiter, quoting: quoting, rows: rows}
	count := map[int]int{}
	for _, row := range rows {
		count[len(row)]++
	}
	for columns, n := range count {
		if n > t.regular || n == t.regular && columns > t.columns {
			t.columns, t.regular = columns, n
		}
	}
	return t
}

// rowsOf splits a text into rows of cells; lines without anything are no rows.
// ok is false where a quotation mark stands where the way of quoting has no
// place for it, or a quoted cell is never closed.
func rowsOf(text string, delimiter byte, quoting string) (rows [][]string, ok bool) {
	ok = true
	var row []string
	for text != "" {
		if row == nil && text[0] == '\n' {
			text = text[1:]
			continue
		}
		var cell string
		var end byte
		var fine bool
		if text[0] == '"' && quoting != literal {
			cell, text, end, fine = cutQuoted(text[1:], delimiter, quoting)
		} else {
			cell, text, end = cutBare(text, delimiter)
			fine = quoting != rfc4180 || !strings.Contains(cell, `"`)
		}
		ok = ok && fine
		row = append(row, cell)
		if end == delimiter && (text == "" || text[0] == '\n') {
			row = append(row, "") // the empty cell between a delimiter and the end
			text, end = strings.TrimPrefix(text, "\n"), '\n'
		}
		if end != delimiter {
			rows, row = append(rows, row), nil
		}
	}
	return rows, ok
}

// cutBare reads an unquoted cell; end is what ended it, or 0 for the text's end.
func cutBare(text string, delimiter byte) (cell, rest string, end byte) {
	for i := 0; i < len(text); i++ {
		if text[i] == delimiter || text[i] == '\n' {
			return text[:i], text[i+1:], text[i]
		}
	}
	return text, "", 0
}

// cutQuoted reads a cell after its opening quotation mark. In it "" is one mark. A mark followed by
// anything but a mark, the delimiter or a line's end is stray.
func cutQuoted(text string, delimiter byte, quoting string) (cell, rest string, end byte, ok bool) {
	var b strings.Builder
	ok = true
	for {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			b.WriteString(text)
			return b.String(), "", 0, false
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		switch {
		default:
			ok = ok && quoting == lenient
			b.WriteByte('"')
		case text == "":
			return b.String(), "", 0, ok
		case text[0] == '"':
			b.WriteByte('"')
			text = text[1:]
		case text[0] == delimiter, text[0] == '\n':
			return b.String(), text[1:], text[0], ok
		}
	}
}
