package office

import (
	"encoding/xml"
	"strconv"
)

// tableElement writes an element of tables.
func (x *odt) tableElement(e xml.StartElement) error {
	switch e.Name.Local {
	case "table":
		x.turnPage("table", odfAttr(e, "style-name"))
		x.separate(blankLine)
		err := x.children()
		x.separate(blankLine)
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

// tableRow writes a row of a table, as often as it is repeated.
func (x *odt) tableRow(e xml.StartElement) error {
	outer := x.row
	x.row = &tableRow{}
	err := x.children()
	row := x.row
	x.row = outer
	if err != nil {
		return err
	}
	times, err := x.repeatCount(e, "number-rows-repeated", maxRepeat)
	length := len(row.cells)
	for _, c := range row.cells {
		length += len(c)
	}
	for i := 0; i < times && x.err == nil; i++ {
		x.charge(length)
		x.writer.row(row.cells)
	}
	return err
}

// cell adds the text of a cell to the current row, as often as it is repeated.
func (x *odt) cell(e xml.StartElement) error {
	if x.row == nil {
		return x.children() // outside a row it is no cell
	}
	row := x.row
	text, err := x.readApart(x.children)
	if err != nil {
		return err
	}
	times, err := x.repeatCount(e, "number-columns-repeated", maxCells-len(row.cells))
	for range times {
		row.cells = append(row.cells, text)
	}
	return err
}

// repeatCount returns the number of cells or rows that an element represents.
func (x *odt) repeatCount(e xml.StartElement, attribute string, limit int) (int, error) {
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
