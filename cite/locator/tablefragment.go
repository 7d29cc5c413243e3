package locator

import (
	"fmt"
	"strings"
)

// Last stands for the last row or column of a table, written as an asterisk.
const Last = -1

// A TableFragment is a fragment identifier of RFC 7111: rows, columns or cells
// of a table. Any number may be Last.
type TableFragment struct {
	Kind   string // row, col or cell
	Ranges []Cells
}

// String writes f; a range of one is written as a single row, column or cell.
func (f TableFragment) String() string {
	all := make([]string, len(f.Ranges))
	for i, c := range f.Ranges {
		from, to := f.place(c.FromRow, c.FromCol), f.place(c.ToRow, c.ToCol)
		if all[i] = from; from != to {
			all[i] = from + "-" + to
		}
	}
	return f.Kind + "=" + strings.Join(all, ";")
}

func (f TableFragment) place(row, col int) string {
	star := func(n int) string {
		if n == Last {
			return "*"
		}
		return fmt.Sprint(n)
	}
	switch f.Kind {
	case "row":
		return star(row)
	case "col":
		return star(col)
	}
	return star(row) + "," + star(col)
}

// ParseTableFragment reads a fragment identifier by the grammar of RFC 7111,
// section 3. Numbers may be any; what they mean in a table says Resolve.
func ParseTableFragment(s string) (TableFragment, error) {
	if len(s) > MaxText {
		return TableFragment{}, fmt.Errorf("table fragment of %d bytes, want at most %d", len(s), MaxText)
	}
	kind, rest, _ := strings.Cut(s, "=")
	kind = strings.ToLower(kind) // the names of a grammar have any case: RFC 5234, 2.3
	if kind != "row" && kind != "col" && kind != "cell" {
		return TableFragment{}, fmt.Errorf("table fragment %q: %q, want row, col or cell", clip(s), clip(kind))
	}
	f := TableFragment{Kind: kind}
	for part := range strings.SplitSeq(rest, ";") {
		left, right, ok := strings.Cut(part, "-")
		if !ok {
			right = left
		}
		var c Cells
		err := f.parsePlace(left, &c.FromRow, &c.FromCol)
		if err == nil {
			err = f.parsePlace(right, &c.ToRow, &c.ToCol)
		}
		if err != nil {
			return TableFragment{}, fmt.Errorf("table fragment %q: %w", clip(s), err)
		}
		f.Ranges = append(f.Ranges, c)
	}
	return f, nil
}

func (f TableFragment) parsePlace(s string, row, col *int) (err error) {
	switch f.Kind {
	case "row":
		*row, err = position(s)
		return err
	case "col":
		*col, err = position(s)
		return err
	}
	left, right, ok := strings.Cut(s, ",")
	if !ok {
		return fmt.Errorf("%q: no comma between row and column", clip(s))
	}
	if *row, err = position(left); err == nil {
		*col, err = position(right)
	}
	return err
}

func position(s string) (int, error) {
	if s == "*" {
		return Last, nil
	}
	return digits(s)
}

// TableFragmentOf returns the fragment identifier of cells.
func TableFragmentOf(c Cells) (TableFragment, error) {
	if err := c.Check(); err != nil {
		return TableFragment{}, err
	}
	kind := "cell"
	switch {
	case c.FromCol == 0:
		kind = "row"
	case c.FromRow == 0:
		kind = "col"
	}
	return TableFragment{Kind: kind, Ranges: []Cells{c}}, nil
}

// Resolve returns the cells that f names in a table of so many rows, a header
// included, and columns. As the standard says, a part that begins outside the
// table or ends before its start is ignored, and one that only ends outside is
// cut. The result may be empty.
func (f TableFragment) Resolve(rows, cols int) []Cells {
	var all []Cells
	fits := func(from, to *int, size int) bool {
		if *from == Last {
			*from = size
		}
		if *to == Last || *to > size {
			*to = size
		}
		return *from >= 1 && *from <= *to
	}
	for _, c := range f.Ranges {
		if (f.Kind == "col" || fits(&c.FromRow, &c.ToRow, rows)) && (f.Kind == "row" || fits(&c.FromCol, &c.ToCol, cols)) {
			all = append(all, c)
		}
	}
	return all
}
