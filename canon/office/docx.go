package office

import (
	"encoding/xml"
	"errors"
	"strconv"
	"strings"

	"muniment/canon/office/docpack"
)

// A docx reads the stories of a document.
type docx struct {
	*writer
	*docpack.Decoder
	styles  styles
	numbers numbering
	notes   [2]noteList // footnotes, endnotes
	pack    *docpack.Pack
	types   partTypes
	related []docpack.Relation // of the part that is being read
	imports *imports
	margins margins
	forms   []formField // of the open fields
	check   string      // the box that stands for the next text of a control, "" for none
	checked bool        // that box was written

	runOn  bool // the paragraph before ended in a deleted mark
	para   paragraph
	run    *run // nil outside one
	row    *tableRow
	ruby   string
	styled bool // hidden by the paragraph's style
}

// A noteList is the notes that the text refers to, in the order of that.
type noteList struct {
	order []string
	known map[string]bool
}

// A paragraph is what its properties say.
type paragraph struct {
	list, heading, markDeleted bool
	level                      int // of a heading, 1 the outermost; 0 for none
	style                      string
	number                     string // of its list
	numLevel, styleLevel       int    // in its list, its own and its style's; -1 for none
	markHidden                 bool
}

// A run is the state within a run of characters.
type run struct {
	within  bool // hidden text around it
	ownMark bool // what follows the reference to a note is the note's mark
}

// docxSkipped are the elements that are passed over: old properties of tracked changes,
// instructions, properties of controls.
var docxSkipped = wordSet(`delText instrText delInstrText pPrChange rPrChange tblPrChange tblPrExChange
	tblGridChange trPrChange tcPrChange sectPrChange numberingChange sdtPr sdtEndPr tblPr tblPrEx
	tblGrid pPr ffData`)

// element writes an element and what is in it.
func (x *docx) element(e xml.StartElement) error {
	switch space(e.Name.Space) {
	case spaceWord:
		return x.word(e)
	case spaceMath:
		switch e.Name.Local {
		case "oMath":
			if !x.isSilent() {
				x.count("formulas")
			}
		case "t":
			return x.characters(e)
		case "r":
			return x.runOf()
		case "sup":
			return x.writeRaised(above, x.children)
		case "sub":
			return x.writeRaised(below, x.children)
		case "rad":
			return x.root()
		case "num":
			return x.enclose("(", ")", x.children)
		case "den":
			return x.enclose("/(", ")", x.children)
		}
	case spaceCompatibility:
		if e.Name.Local == "AlternateContent" {
			return x.alternatives()
		}
	case spaceDrawing, spaceVML:
		if (e.Name.Local == "blip" || e.Name.Local == "imagedata") && !x.isSilent() {
			x.count("images")
		}
	}
	return x.children()
}

// children writes the content of the current element.
func (x *docx) children() error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		if x.err != nil {
			return x.err
		}
		if chars != nil {
			return nil // characters count only in the elements for them
		}
		return x.element(e)
	})
}

// word writes an element of WordprocessingML.
func (x *docx) word(e xml.StartElement) error {
	name := e.Name.Local
	switch name {
	case "p":
		return x.paragraph()
	case "r":
		return x.runOf()
	case "rPr":
		return x.runProperties()
	case "t":
		return x.characters(e)
	case "fldChar":
		return x.formField(docpack.Attr(e, "fldCharType"))
	case "sdt":
		return x.control()
	case "sectPr":
		return x.section()
	case "del", "moveFrom":
		return x.dropDeleted(name)
	case "ins":
		x.countShown("insertions")
	case "moveTo":
		x.countShown("moves")
	case "tbl":
		return x.table()
	case "tr":
		return x.tableRow()
	case "trPr":
		return x.rowProperties()
	case "tc":
		return x.cell()
	case "tcPr":
		return x.cellProperties()
	case "txbxContent":
		return x.textBox()
	case "rt":
		return x.rubyReading()
	case "ruby":
		return x.rubyText()
	case "footnoteReference":
		x.refer(0, e)
	case "endnoteReference":
		x.refer(1, e)
	case "commentReference":
		x.countShown("comments")
	case "altChunk":
		if err := x.importPart(docpack.Attr(e, "id")); err != nil {
			return err
		}
		return x.Skip()
	case "object":
		x.countShown("embedded")
	default:
		if docxSkipped[name] {
			return x.Skip()
		}
		x.character(e)
	}
	return x.children()
}

// countShown counts a fact about shown text.
func (x *docx) countShown(fact string) {
	if !x.isSilent() {
		x.count(fact)
	}
}

// character writes the elements that denote one character.
func (x *docx) character(e xml.StartElement) {
	if x.run == nil || x.run.ownMark {
		return // the same names are used for tab stops
	}
	switch e.Name.Local {
	case "tab", "ptab":
		x.text("\t")
	case "br", "cr":
		x.newline()
	case "noBreakHyphen":
		x.text("\u2011")
	case "softHyphen":
		x.text("\u00AD")
	case "sym":
		code, err := strconv.ParseUint(docpack.Attr(e, "char"), 16, 16)
		if r := rune(code); err == nil && r >= ' ' && (r < 0xD800 || r > 0xDFFF) && r < 0xFFFE {
			if x.check == "" {
				x.countShown("symbols")
			}
			x.text(x.boxFor(string(r)))
		}
	}
}

// characters writes the text within e. Its line ends and tabs are spaces to
// Word, and so are they here.
func (x *docx) characters(e xml.StartElement) error {
	s, err := x.Text(MaxOutput)
	if err != nil {
		return err
	}
	if x.run == nil || x.run.ownMark {
		return nil
	}
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
	if docpack.Attr(e, "space") != "preserve" {
		s = strings.Trim(s, " ")
	}
	x.text(x.boxFor(s))
	return nil
}

// paragraph writes a paragraph. Its properties come first, or it has none.
func (x *docx) paragraph() error {
	para, run, concealed, styled := x.para, x.run, x.concealed, x.styled
	x.para, x.run = x.styles.paragraph(""), nil
	x.endRun()
	first, before := true, len(x.out)
	err := x.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		if first {
			first = false
			if space(e.Name.Space) == spaceWord && e.Name.Local == "pPr" {
				return x.properties()
			}
			x.begin()
		}
		return x.element(e)
	})
	ended := x.para
	x.para, x.run, x.concealed, x.styled = para, run, concealed, styled
	x.runOn = ended.markDeleted
	if !ended.markDeleted {
		x.endMarker()
		x.heading(ended.level, before)
		x.separate(ended.separation())
		x.flush()
	}
	return err
}

// begin prepares for the text of a paragraph whose properties are known.
func (x *docx) begin() {
	x.styled = x.styles.hiddenText(x.para.style, "paragraph") == yes
	if !x.runOn {
		x.separate(x.para.separation())
		if !x.isSilent() && !x.styled && !x.para.markHidden {
			x.marker += x.number(x.para)
		}
	}
}

// separation returns the separation of a paragraph from its neighbours.
func (p paragraph) separation() int {
	if p.list && !p.heading {
		return lineBreak
	}
	return blankLine
}

// runOf writes a run of characters. A run is hidden by itself, else by its
// style, else by the paragraph's style.
func (x *docx) runOf() error {
	outer, concealed, where, struck := x.run, x.concealed, x.level, x.struck
	x.run = &run{within: concealed}
	x.concealed = concealed || x.styled
	x.level = x.styles.rise(x.para.style, "paragraph")
	x.struck = x.styles.struck(x.para.style, "paragraph") == yes
	err := x.children()
	if x.concealed && !concealed && x.mute == 0 {
		x.count("hidden")
	}
	x.run, x.concealed, x.level, x.struck = outer, concealed, where, struck
	return err
}

// runProperties reads the properties of a run, outside of one nothing.
func (x *docx) runProperties() error {
	if x.run == nil {
		return x.Skip()
	}
	own, struck, style, where := unstated, unstated, "", onLine
	err := x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "vanish":
			own = readToggle(e)
		case "strike", "dstrike":
			struck = max(struck, readToggle(e))
		case "rStyle":
			style = docpack.Attr(e, "val")
		case "vertAlign", "position":
			where = riseOf(where, e)
		}
		return x.Skip()
	})
	if where == onLine && style != "" {
		where = x.styles.rise(style, "character")
	}
	if where != onLine {
		x.level = where
	}
	if own == unstated && style != "" {
		own = x.styles.hiddenText(style, "character")
	}
	if struck == unstated && style != "" {
		struck = x.styles.struck(style, "character")
	}
	if struck != unstated {
		x.struck = struck == yes
	}
	x.concealed = x.run.within || own == yes || own == unstated && x.styled
	return err
}

// errField is for a field without an end: all after its beginning would be an instruction.
var errField = errors.New("a field begins and never ends")

// readStory writes the blocks within an element, in which fields end that begin.
func (x *docx) readStory() error {
	fields, runOn, forms := x.fields, x.runOn, x.forms
	x.fields, x.runOn, x.forms = nil, false, nil
	err := x.children()
	if err == nil && len(x.fields) > 0 {
		err = errField
	}
	x.fields, x.runOn, x.forms = fields, runOn, forms
	return err
}

// dropDeleted drops what a tracked change deleted. Fields are followed within it:
// they may end outside.
func (x *docx) dropDeleted(name string) error {
	if name == "del" {
		x.countShown("deletions")
	}
	x.mute++
	err := x.children()
	x.mute--
	return err
}

// textBox writes a text box after the paragraph in which it is anchored.
func (x *docx) textBox() error {
	x.countShown("text_boxes")
	run, concealed := x.run, x.concealed
	x.run = nil
	x.push()
	err := x.readStory()
	text := x.pop()
	x.run, x.concealed = run, concealed
	if text != "" && !x.isSilent() {
		x.boxes = append(x.boxes, text)
	}
	return err
}

// rubyText writes the base of ruby text and then its reading, which the
// document has before it.
func (x *docx) rubyText() error {
	outer := x.ruby
	x.ruby = ""
	err := x.children()
	x.inline(x.ruby)
	x.ruby = outer
	return err
}

// rubyReading reads the reading of ruby text and keeps it for the base.
func (x *docx) rubyReading() error {
	x.push()
	err := x.children()
	x.ruby = x.pop()
	return err
}

// refer notes that the text refers to a note.
func (x *docx) refer(kind int, e xml.StartElement) {
	if x.run != nil && toggleValue(docpack.Attr(e, "customMarkFollows")) == yes {
		x.run.ownMark = true
	}
	id := docpack.Attr(e, "id")
	if list := &x.notes[kind]; !x.isSilent() && !list.known[id] {
		if list.known == nil {
			list.known = map[string]bool{}
		}
		list.known[id] = true
		list.order = append(list.order, id)
	}
}

// alternatives reads the first of several forms of one thing, which are written
// for newer and older programs.
func (x *docx) alternatives() error {
	done := false
	return x.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case done || space(e.Name.Space) != spaceCompatibility:
			return x.Skip()
		}
		done = true
		return x.children()
	})
}
