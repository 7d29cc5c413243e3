// Package dbresult makes dbresult@1, the text of what a database answered to a
// query: the query, the columns with their types, and the rows, one a line.
//
//	data, err := dbresult.New("SELECT name, born FROM people", columns, rows, false)
//	r := read.NewRegistry(dbresult.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "people", MediaType: dbresult.MediaType, Data: data})
//
// A result has no file format of its own, so that there are two: the original,
// canonical JSON that New writes, and the text that is identified and cited.
//
// # The original
//
// RFC 8785 JSON with exactly these members; a cell is a string or null:
//
//	{"columns":[{"name":"name","type":"text"},{"name":"born","type":"integer"}],
//	 "ordered":false,"query":"SELECT name, born FROM people",
//	 "rows":[["Pepys","1633"],["Evelyn",null]],"type":"muniment/dbresult/v1"}
//
// (on one line, without the blanks between members that are shown here). It is
// recognized by its media type alone. Anything but these bytes is refused.
//
// # The text
//
//		2 rows, 2 columns, unordered
//
//		> SELECT name, born FROM people
//
//		name	born
//		text	integer
//
//		Evelyn	\N
//		Pepys	1633
//
//	  - The query's lines follow "> ", an empty one ">".
//	  - Names, types and cells are joined by tabs. Within them a backslash is
//	    written \\, a tab \011 and a line break \012, as in csv@1; a line that
//	    would be empty or end in a blank gets one backslash at its end. NULL is
//	    \N, and an empty text is nothing between two tabs.
//	  - The rows of a query that promises no order are sorted by the bytes of
//	    their lines, so that two runs of it are one artifact. None is dropped:
//	    equal rows stand as often as they came.
//
// A cell is the text of its type, given as a token and never computed with:
// 1.50 and 1.5 are two decimals. The result ends in the text step of package
// canon, and the tests read the result back from it.
//
// Facts: "rows", "columns", "ordered" (yes, no) and "nulls" (how many cells
// are NULL, if any).
package dbresult

import (
	"fmt"
	"strconv"

	"muniment/canon"
	"muniment/canon/read"
)

// Name is the form's name and version, MediaType that of the original.
const (
	Name      = "dbresult@1"
	MediaType = "application/vnd.muniment.dbresult+json"
)

// Limits. New refuses what is beyond one of them, and Reader leaves it to
// bytes@1.
const (
	// MaxInput is the longest original in bytes: a row of one empty cell takes
	// five bytes of it and twenty times that in memory.
	MaxInput = 16 << 20
	// MaxColumns is the number of columns; databases stop at a few thousand.
	MaxColumns = 10_000
	// MaxQuery is the longest query in bytes. A query is read by people.
	MaxQuery = 1 << 20
)

// A Column is a name, which may be empty or repeated, and one of the Types.
type Column struct {
	Name string
	Type string
}

// A Cell is the text of a value, or NULL.
type Cell struct {
	Text string
	Null bool
}

// A Result is what a database answered. Rows have as many cells as Columns.
type Result struct {
	Query   string
	Columns []Column
	Rows    [][]Cell
	Ordered bool // the query promises the order of its rows
}

// Reader returns the reader of dbresult@1.
func Reader() read.Reader {
	return read.Reader{Name: Name, MediaTypes: []string{MediaType}, Read: readResult}
}

// readResult returns the dbresult@1 form of an original.
func readResult(in read.Input) (read.Form, error) {
	r, err := decode(in.Data)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	return read.Form{
		Payload:       r.text(),
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Charset:       "utf-8 valid",
		Facts:         r.facts(),
	}, nil
}

// facts returns the facts that the package comment lists.
func (r *Result) facts() map[string]string {
	facts := map[string]string{
		"rows":    strconv.Itoa(len(r.Rows)),
		"columns": strconv.Itoa(len(r.Columns)),
		"ordered": "no",
	}
	if r.Ordered {
		facts["ordered"] = "yes"
	}
	nulls := 0
	for _, row := range r.Rows {
		for _, cell := range row {
			if cell.Null {
				nulls++
			}
		}
	}
	if nulls > 0 {
		facts["nulls"] = strconv.Itoa(nulls)
	}
	return facts
}

// check returns the error in a result.
func (r *Result) check() error {
	switch n := len(r.Columns); {
	case canon.Text([]byte(r.Query)) == nil:
		return fmt.Errorf("the query is empty")
	case len(r.Query) > MaxQuery:
		return fmt.Errorf("the query has %d bytes, at most %d are read", len(r.Query), MaxQuery)
	case n == 0:
		return fmt.Errorf("the result has no columns")
	case n > MaxColumns:
		return fmt.Errorf("the result has %d columns, at most %d are read", n, MaxColumns)
	}
	if err := checkText(r.Query); err != nil {
		return fmt.Errorf("the query: %w", err)
	}
	tests := make([]func(string) bool, len(r.Columns))
	for i, c := range r.Columns {
		if err := checkText(c.Name); err != nil {
			return fmt.Errorf("the name of column %d: %w", i+1, err)
		}
		test, ok := types[c.Type]
		if !ok {
			return fmt.Errorf("column %d has the type %.40q, want one of %v", i+1, c.Type, Types())
		}
		tests[i] = test
	}
	for i, row := range r.Rows {
		if len(row) != len(r.Columns) {
			return fmt.Errorf("row %d has %d cells, want %d", i+1, len(row), len(r.Columns))
		}
		for j, cell := range row {
			if cell.Null {
				continue
			}
			if err := checkText(cell.Text); err != nil {
				return fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
			if !tests[j](cell.Text) {
				return fmt.Errorf("row %d, column %d: %.40q is no %s", i+1, j+1, cell.Text, r.Columns[j].Type)
			}
		}
	}
	return nil
}
