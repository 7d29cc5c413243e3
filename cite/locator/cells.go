package locator

import (
	"bytes"
	"fmt"
	"strings"

	"muniment/canon"
	"muniment/cite"
)

// Cells are rows, columns or a rectangle of cells of a table, counting from 1,
// both ends included; a header is a row. Rows have no columns set, columns no
// rows.
type Cells struct{ FromRow, FromCol, ToRow, ToCol int }

// Rows returns the rows from and to and those between.
func Rows(from, to int) Cells { return Cells{FromRow: from, ToRow: to} }

// Columns returns the columns from and to and those between.
func Columns(from, to int) Cells { return Cells{FromCol: from, ToCol: to} }

// String returns row:5, row:5-7, col:2-4, cell:2,3 or cell:2,3-4,5.
func (c Cells) String() string {
	kind, from, to := "cell", fmt.Sprintf("%d,%d", c.FromRow, c.FromCol), fmt.Sprintf("%d,%d", c.ToRow, c.ToCol)
	switch {
	case c.FromCol == 0 && c.ToCol == 0:
		kind, from, to = "row", fmt.Sprint(c.FromRow), fmt.Sprint(c.ToRow)
	case c.FromRow == 0 && c.ToRow == 0:
		kind, from, to = "col", fmt.Sprint(c.FromCol), fmt.Sprint(c.ToCol)
	}
	if from == to {
		return kind + ":" + from
	}
	return kind + ":" + from + "-" + to
}

// Check wants numbers from 1, in order.
func (c Cells) Check() error {
	rows := c.FromRow > 0 && c.ToRow >= c.FromRow && c.ToRow <= cite.MaxNumber
	cols := c.FromCol > 0 && c.ToCol >= c.FromCol && c.ToCol <= cite.MaxNumber
	noRows, noCols := c.FromRow == 0 && c.ToRow == 0, c.FromCol == 0 && c.ToCol == 0
	if rows && (cols || noCols) || cols && noRows {
		return nil
	}
	return fmt.Errorf("rows %d to %d and columns %d to %d, want numbers from 1, in order", c.FromRow, c.ToRow, c.FromCol, c.ToCol)
}

func parseCells(kind, s string) (Cells, error) {
	left, right, ok := strings.Cut(s, "-")
	if !ok {
		right = left
	}
	var c Cells
	var err error
	pairs := [2]string{left, right}
	for i, to := range [2][2]*int{{&c.FromRow, &c.FromCol}, {&c.ToRow, &c.ToCol}} {
		row, col := pairs[i], pairs[i]
		if kind == "cell" {
			var comma bool
			if row, col, comma = strings.Cut(pairs[i], ","); !comma {
				return Cells{}, fmt.Errorf("%q: no comma between row and column", clip(pairs[i]))
			}
		}
		if kind != "col" {
			if *to[0], err = number(row, 1); err != nil {
				return Cells{}, fmt.Errorf("row: %w", err)
			}
		}
		if kind != "row" {
			if *to[1], err = number(col, 1); err != nil {
				return Cells{}, fmt.Errorf("column: %w", err)
			}
		}
	}
	return c, nil
}

// CellsOf returns the cells that s touches in a table of one line per row with
// tabs between its cells: whole rows if s lies in several, else the cells of
// its row.
func CellsOf(d *canon.Document, s cite.Span) (Cells, error) {
	start, end, err := cite.Resolve(d, s)
	if err != nil {
		return Cells{}, err
	}
	run, err := cite.SpanIn(d, cite.Lines, start, end)
	if err != nil {
		return Cells{}, err
	}
	if run.From.Unit != run.To.Unit {
		return Rows(run.From.Unit, run.To.Unit), nil
	}
	line := d.Units(cite.Lines)[run.From.Unit-1]
	col := func(at int) int { return 1 + bytes.Count(d.Payload()[line.Start:at], []byte{'\t'}) }
	return Cells{run.From.Unit, col(start), run.To.Unit, col(end)}, nil
}

// Span returns, in lines, the run of whole rows or of neighbouring cells of one
// row. Columns and rectangles are no run of a text and are refused, as is a
// run that holds nothing.
func (c Cells) Span(d *canon.Document) (cite.Span, error) {
	if err := c.Check(); err != nil {
		return cite.Span{}, err
	}
	lines := d.Units(cite.Lines)
	switch {
	case c.FromRow == 0 || c.FromCol != 0 && c.FromRow != c.ToRow:
		return cite.Span{}, fmt.Errorf("%v is no single run of the text, want rows or cells of one row", c)
	case c.ToRow > len(lines):
		return cite.Span{}, fmt.Errorf("%v: the table has %d rows", c, len(lines))
	}
	start, end := lines[c.FromRow-1].Start, lines[c.ToRow-1].End
	if c.FromCol != 0 {
		row := bytes.Split(d.Payload()[start:end], []byte{'\t'})
		if c.ToCol > len(row) {
			return cite.Span{}, fmt.Errorf("%v: row %d has %d cells", c, c.FromRow, len(row))
		}
		start += len(bytes.Join(row[:c.FromCol-1], []byte{'\t'})) + min(c.FromCol-1, 1)
		end = start + len(bytes.Join(row[c.FromCol-1:c.ToCol], []byte{'\t'}))
	}
	return cite.SpanIn(d, cite.Lines, start, end)
}
