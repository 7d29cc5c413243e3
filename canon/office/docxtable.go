package office

import (
	"encoding/xml"

	"muniment/canon/office/docpack"
)

// A tableRow gathers the cells of a row.
type tableRow struct {
	cells   []string
	dropped bool // this row, by a tracked change
	covered bool // the cell that is being read, by a merge or a tracked change
}

// eachWord calls fn for every element of WordprocessingML within the current
// one, and passes over the rest.
func (x *docx) eachWord(fn func(e xml.StartElement) error) error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case space(e.Name.Space) != spaceWord:
			return x.Skip()
		}
		return fn(e)
	})
}

// properties reads the properties of a paragraph.
func (x *docx) properties() error {
	style, number, level, numLevel := "", "", "", -1
	deleted, hidden := false, false
	err := x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "sectPr":
			return x.section()
		case "pStyle":
			style = docpack.Attr(e, "val")
		case "outlineLvl":
			level = docpack.Attr(e, "val")
		case "numPr":
			return x.eachWord(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "numId":
					number = docpack.Attr(e, "val")
				case "ilvl":
					numLevel = levelOf(docpack.Attr(e, "val"))
				}
				return x.Skip()
			})
		case "rPr":
			return x.eachWord(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "ins":
					x.countShown("insertions")
				case "del":
					x.countShown("deletions")
					deleted = true
				case "moveFrom":
					deleted = true
				case "vanish":
					hidden = readToggle(e) == yes
				}
				return x.Skip()
			})
		}
		return x.Skip()
	})
	x.para = x.styles.paragraph(style)
	if number != "" {
		x.para.list, x.para.number = number != "0", number
	}
	x.para.numLevel, x.para.markHidden = numLevel, hidden
	if level != "" {
		x.para.heading, x.para.level = isHeading(level), outline(level)
	}
	x.para.markDeleted = deleted
	x.begin()
	return err
}

// table writes a table.
func (x *docx) table() error {
	x.runOn = false
	x.separate(blankLine)
	x.flush()
	err := x.children()
	x.runOn = false
	x.separate(blankLine)
	return err
}

// tableRow writes a row of a table.
func (x *docx) tableRow() error {
	outer := x.row
	x.row = &tableRow{}
	err := x.children()
	row := x.row
	x.row = outer
	if row.dropped {
		x.mute--
		return err
	}
	x.writer.row(row.cells)
	return err
}

// rowProperties reads whether a tracked change made or deleted the row.
func (x *docx) rowProperties() error {
	return x.eachWord(func(e xml.StartElement) error {
		switch {
		case e.Name.Local == "ins":
			x.countShown("insertions")
		case e.Name.Local == "del" && x.row != nil && !x.row.dropped:
			x.countShown("deletions")
			x.row.dropped = true
			x.mute++
		}
		return x.Skip()
	})
}

// cell adds the text of a cell to the current row.
func (x *docx) cell() error {
	row := x.row
	if row == nil {
		return x.children() // outside a row it is no cell
	}
	covered := row.covered
	row.covered = false
	x.push()
	err := x.children()
	text := x.pop()
	if row.covered {
		x.mute--
	} else if len(row.cells) == maxCells {
		x.fail("a table row has more than %d cells", maxCells)
	} else {
		row.cells = append(row.cells, text)
	}
	row.covered = covered
	return err
}

// cellProperties reads whether the cell is part of the one above it, or deleted
// by a tracked change.
func (x *docx) cellProperties() error {
	return x.eachWord(func(e xml.StartElement) error {
		cover := false
		switch e.Name.Local {
		case "vMerge":
			cover = docpack.Attr(e, "val") != "restart"
		case "cellDel":
			x.countShown("deletions")
			cover = true
		case "cellIns":
			x.countShown("insertions")
		}
		if cover && x.row != nil && !x.row.covered {
			x.row.covered = true
			x.mute++
		}
		return x.Skip()
	})
}
