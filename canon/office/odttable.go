package office

import (
	"encoding/xml"
	"strconv"
)

// tabular writes an element of tables.
func (x *odt) tabular(e xml.StartElement) error {
	switch e.Name.Local {
	case "table":
		x.part(blankLine)
		err := x.children()
		x.part(blankLine)
		return err
	case "table-row":
		return x.tableRow(e)
	case "table-cell":
		return x.cell(e)
	case "covered-table-cell":
		return x.Skip()
	}
	return x.children()
}

func (x *odt) tableRow(e xml.StartElement) error {
	outer := x.row
	x.row = &tableRow{}
	err := x.children()
	row := x.row
	x.row = outer
	if err != nil {
		return err
	}
	times, err := x.repeated(e, "number-rows-repeated", maxRepeat)
	length := len(row.cells)
	for _, c := range row.cells {
		length += len(c)
	}
	for i := 0; i < times && x.err == nil; i++ {
		x.spend(length)
		x.writer.row(row.cells)
	}
	return err
}

func (x *odt) cell(e xml.StartElement) error {
	if x.row == nil {
		return x.children() // outside a row it is no cell
	}
	row := x.row
	text, err := x.apart(x.children)
	if err != nil {
		return err
	}
	times, err := x.repeated(e, "number-columns-repeated", maxCells-len(row.cells))
	for range times {
		row.cells = append(row.cells, text)
	}
	return err
}

// repeated returns for how many an element stands.
func (x *odt) repeated(e xml.StartElement, attribute string, limit int) (int, error) {
	n := 1
	if v := odfAttr(e, attribute); v != "" {
		if stated, err := strconv.ParseUint(v, 10, 63); err == nil {
			n = int(stated)
		}
	}
	if n > limit {
		x.fail("a table states %d cells or rows in one place, at most %d are read", n, limit)
		return 0, x.err
	}
	return n, nil
}
