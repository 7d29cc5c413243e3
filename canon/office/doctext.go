package office

import (
	"strings"
	"unicode/utf16"
)

// Characters with a meaning of their own (MS-DOC 2.4.1).
const (
	charPicture   = 0x01
	charComment   = 0x05
	charCell      = 0x07
	charTab       = 0x09
	charBreak     = 0x0B
	charPage      = 0x0C
	charParagraph = 0x0D
	charColumn    = 0x0E
	charField     = 0x13
	charResult    = 0x14
	charFieldEnd  = 0x15
	charHyphen    = 0x1E // one that does not break
	charSoft      = 0x1F
	charSymbol    = 0x28
)

// story writes the paragraphs of some characters, in which fields end that begin.
func (x *binaryDoc) story(from, to int) error {
	fields, runOn, row, cell := x.fields, x.runOn, x.row, x.cell
	x.fields, x.runOn, x.row, x.cell = nil, false, nil, false
	for from < to && x.err == nil {
		end := from
		for end < to-1 && !x.endsParagraph(end) {
			end++
		}
		x.paragraph(from, end)
		from = end + 1
	}
	x.endTable()
	open := len(x.fields) > 0
	x.fields, x.runOn, x.row, x.cell = fields, runOn, row, cell
	if open {
		return errField
	}
	return nil
}

// endsParagraph reports whether a character ends a paragraph, a cell or a section.
func (x *binaryDoc) endsParagraph(i int) bool {
	switch x.units[i] {
	case charParagraph, charCell:
		return true
	case charPage:
		return x.sections[i]
	}
	return false
}

// paragraph writes the characters up to end, which is the mark of the paragraph.
func (x *binaryDoc) paragraph(from, end int) {
	p, mark := x.paragraphAt(end), x.runAt(end)
	switch {
	case !p.inTable:
		x.endTable()
	case p.endsRow && x.row != nil:
		x.endCell()
		x.writer.row(*x.row)
		x.row = nil
		return
	default:
		x.beginCell()
	}
	apart := blankLine
	if p.list && p.level == 0 {
		apart = lineBreak
	}
	if !x.runOn {
		x.separate(apart)
	}
	before, last := len(x.out), end
	if !x.endsParagraph(end) { // the story ends without a mark
		last++
	}
	x.write(from, last)
	x.concealed, x.struck, x.level = false, false, onLine
	if x.runOn = mark.deleted && x.units[end] == charParagraph; !x.runOn {
		x.heading(p.level, before)
		x.separate(apart)
	}
	if p.inTable && x.units[end] == charCell {
		x.endCell()
	}
}

// beginCell begins a row and a cell where none is open.
func (x *binaryDoc) beginCell() {
	if x.row == nil {
		if x.runOn {
			x.runOn = false
		}
		if len(x.out) > 0 && !x.inTable {
			x.separate(blankLine)
		}
		x.row, x.inTable = &[]string{}, true
	}
	if !x.cell {
		x.cell = true
		x.push()
	}
}

// endCell ends a cell that is open.
func (x *binaryDoc) endCell() {
	if !x.cell {
		return
	}
	x.cell, x.runOn = false, false
	text := x.pop()
	if len(*x.row) == maxCells {
		x.fail("a table row has more than %d cells", maxCells)
		return
	}
	*x.row = append(*x.row, text)
}

// endTable ends a table, and a row of it that has no end.
func (x *binaryDoc) endTable() {
	if x.row != nil {
		x.endCell()
		x.writer.row(*x.row)
		x.row = nil
	}
	if x.inTable {
		x.separate(blankLine)
		x.inTable = false
	}
}

// isLeftOut reports whether a character of the body is hidden or deleted.
func (x *binaryDoc) isLeftOut(i int) bool {
	if i < 0 || i >= x.begins[1] {
		return true
	}
	r := x.runAt(i)
	return r.hidden || r.deleted
}

// write writes characters, run by run.
func (x *binaryDoc) write(from, to int) {
	var text []uint16
	flush := func() {
		x.text(strings.ReplaceAll(string(utf16.Decode(text)), "\x00", ""))
		text = text[:0]
	}
	var open *docRun
	for i := from; i < to; i++ {
		r := x.runAt(i)
		if r != open {
			flush()
			x.begin(r)
			open = r
		}
		switch u := x.units[i]; u {
		case charField, charResult, charFieldEnd:
			flush()
			x.field(map[uint16]string{charField: "begin", charResult: "separate", charFieldEnd: "end"}[u])
		case charBreak, charPage, charColumn:
			flush()
			x.newline()
		case charHyphen:
			text = append(text, 0x2011)
		case charSoft:
			text = append(text, 0x00AD)
		case charTab:
			text = append(text, '\t')
		case charPicture:
			x.countOf(r.special, "images")
		case charComment:
			x.countOf(r.special, "comments")
		default:
			switch {
			case u == charSymbol && r.special && r.symbol != 0:
				x.countOf(true, "symbols")
				text = append(text, r.symbol)
			case u >= ' ':
				text = append(text, u)
			}
		}
	}
	flush()
}

// countOf counts a thing that the text shows.
func (x *binaryDoc) countOf(is bool, fact string) {
	if is && !x.isSilent() {
		x.count(fact)
	}
}

// begin adopts the formatting of a run.
func (x *binaryDoc) begin(r *docRun) {
	x.concealed, x.struck, x.level = false, r.struck, r.rise
	switch {
	case r.deleted:
		x.countOf(true, "deletions")
	case r.hidden:
		x.countOf(x.mute == 0, "hidden")
	case r.inserted:
		x.countOf(true, "insertions")
	}
	x.concealed = r.deleted || r.hidden
}
