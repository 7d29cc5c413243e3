package office

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"muniment/canon/office/docpack"
)

// The name spaces of OpenDocument, without what they begin with.
const (
	odfPrefix = "urn:oasis:names:tc:opendocument:xmlns:"
	odfText   = "text:1.0"
	odfTable  = "table:1.0"
	odfDraw   = "drawing:1.0"
	odfOffice = "office:1.0"
	odfStyle  = "style:1.0"
)

// odfSpace returns the name space of an element that is OpenDocument's, or "".
func odfSpace(e xml.StartElement) string {
	if s, ok := strings.CutPrefix(e.Name.Space, odfPrefix); ok {
		return s
	}
	return ""
}

// An odt reads the body of a document.
type odt struct {
	*writer
	*docpack.Decoder
	pack   *docpack.Pack // nil for a flat document
	styles styles
	parts  map[string]string
	notes  [2][]string // footnotes, endnotes

	vanish  bool // a field hides the paragraph that is being read
	within  int  // paragraphs around what is read now, in the current story
	byStyle bool // hidden text is so by the style of a paragraph or span
	blank   bool // a space here adds nothing to the one before
	row     *tableRow
	pages   pages
}

// odtSkipped are the elements that are passed over: what tracked changes deleted, what fields
// and indexes are made from, marks of notes, generated numbers, descriptions,
// scripts and forms.
var odtSkipped = map[string]map[string]bool{
	odfText: wordSet(`tracked-changes note-citation number script table-of-content-source
		illustration-index-source table-index-source object-index-source user-index-source
		alphabetical-index-source bibliography-source section-source variable-decls sequence-decls
		user-field-decls dde-connection-decls alphabetical-index-auto-mark-file`),
	odfTable:             wordSet("title desc table-source tracked-changes shapes-source"),
	odfOffice:            wordSet(`annotation forms scripts binary-data dde-source event-listeners`),
	odfStyle:             wordSet("*"),
	"svg-compatible:1.0": wordSet("title desc"),
	"form:1.0":           wordSet("*"),
	odfDraw:              wordSet("glue-point contour-polygon contour-path image-map"),
}

// shapes are the drawing elements that hold text of their own.
var shapes = wordSet(`text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path
	connector caption measure`)

// children writes the content of the current element.
func (x *odt) children() error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		if x.err != nil {
			return x.err
		}
		if chars != nil {
			if x.within > 0 {
				x.characters(chars)
			}
			return nil
		}
		return x.element(e)
	})
}

// element writes an element and what is in it.
func (x *odt) element(e xml.StartElement) error {
	in, name := odfSpace(e), e.Name.Local
	if skipped := odtSkipped[in]; skipped[name] || skipped["*"] {
		switch {
		case in == odfText && name == "tracked-changes":
			return x.countChanges()
		case in == odfOffice && name == "annotation" && !x.isSilent():
			x.count("comments")
		}
		return x.Skip()
	}
	switch in {
	case odfText:
		return x.textElement(e)
	case odfTable:
		return x.tableElement(e)
	case odfDraw:
		return x.writeDrawing(e)
	}
	return x.children()
}

// textElement writes an element of text.
func (x *odt) textElement(e xml.StartElement) error {
	switch e.Name.Local {
	case "p", "h":
		return x.paragraph(e)
	case "span":
		return x.readStyled(e, "text", x.children)
	case "list":
		return x.list()
	case "list-item", "list-header":
		x.item++
		err := x.children()
		x.item--
		return err
	case "s":
		n, err := strconv.Atoi(odfAttr(e, "c"))
		if err != nil {
			n = 1
		}
		x.spaces(n)
		x.blank = false
	case "tab":
		x.text("\t")
		x.blank = false
	case "line-break":
		x.newline()
		x.blank = false
	case "note":
		return x.note(e)
	case "ruby":
		return x.children() // the base comes first
	case "hidden-paragraph":
		x.vanish = x.vanish || odfAttr(e, "is-hidden") == "true"
	case "hidden-text", "section", "variable-set", "variable-get", "variable-input",
		"user-field-get", "user-field-input", "expression", "table-formula", "database-display", "sequence":
		return x.conditional(e)
	}
	return x.children()
}

// characters writes text in which runs of white space are one space, also across elements, and none
// at the beginning of a paragraph.
func (x *odt) characters(chars []byte) {
	var out []byte
	for _, c := range chars {
		switch c {
		case ' ', '\t', '\n', '\r':
			if !x.blank {
				out = append(out, ' ')
			}
			x.blank = true
		default:
			out = append(out, c)
			x.blank = false
		}
	}
	x.text(string(out))
}

// paragraph writes a paragraph or heading. It is a line within a list item.
func (x *odt) paragraph(e xml.StartElement) error {
	apart := blankLine
	if x.item > 0 && e.Name.Local == "p" {
		apart = lineBreak
	}
	x.separate(apart)
	blank := x.blank
	x.blank = true
	vanish, before := x.vanish, x.mark()
	x.vanish = false
	x.turnPage("paragraph", odfAttr(e, "style-name"))
	x.within++
	err := x.readStyled(e, "paragraph", x.children)
	x.within--
	switch {
	case x.vanish && !x.isSilent():
		x.rollBack(before)
	case e.Name.Local == "h":
		x.heading(odtLevel(e), before.out)
	}
	x.blank, x.vanish = blank, vanish
	x.separate(apart)
	if x.within == 0 {
		x.flush()
	}
	return err
}

// odtLevel returns the level of a heading, 1 where it states none.
func odtLevel(e xml.StartElement) int {
	n, err := strconv.Atoi(odfAttr(e, "outline-level"))
	if err != nil {
		return 1
	}
	return max(n, 0)
}

// A mark is where a text has come to.
type mark struct{ out, boxes, footnotes, endnotes int }

// mark returns where the text is, before a paragraph.
func (x *odt) mark() mark {
	x.endRun()
	x.out = bytes.TrimRight(x.out, " \t") // as the next text would
	return mark{len(x.out), len(x.boxes), len(x.notes[0]), len(x.notes[1])}
}

// rollBack takes a paragraph back that turned out to be hidden.
func (x *odt) rollBack(m mark) {
	x.endRun()
	x.out, x.boxes = x.out[:m.out], x.boxes[:m.boxes]
	x.notes[0], x.notes[1] = x.notes[0][:m.footnotes], x.notes[1][:m.endnotes]
	x.count("hidden")
}

// readStyled reads an element with a style, which may hide it or show it again.
func (x *odt) readStyled(e xml.StartElement, family string, read func() error) error {
	concealed, byStyle, where, struck := x.concealed, x.byStyle, x.level, x.struck
	if r := x.styles.rise(odfAttr(e, "style-name"), family); r != onLine {
		x.level = r
	}
	if s := x.styles.struck(odfAttr(e, "style-name"), family); s != unstated {
		x.struck = s == yes
	}
	switch x.styles.hiddenText(odfAttr(e, "style-name"), family) {
	case yes:
		x.byStyle = x.byStyle || !x.concealed
		x.conceal()
	case no:
		if x.byStyle { // hidden by a style alone
			x.concealed, x.byStyle = false, false
		}
	}
	err := read()
	x.concealed, x.byStyle, x.level, x.struck = concealed, byStyle, where, struck
	return err
}

// list writes a list, the paragraphs of which are lines.
func (x *odt) list() error {
	apart := blankLine
	if x.item > 0 {
		apart = lineBreak
	}
	x.separate(apart)
	err := x.children()
	x.separate(apart)
	return err
}

// conditional reads an element that may say that it is not shown.
func (x *odt) conditional(e xml.StartElement) error {
	concealed, byStyle := x.concealed, x.byStyle
	if odfAttr(e, "is-hidden") == "true" || odfAttr(e, "display") == "none" {
		x.conceal()
		x.byStyle = false
	}
	err := x.children()
	x.concealed, x.byStyle = concealed, byStyle
	return err
}

// conceal hides what follows, and counts it unless it is hidden already.
func (x *odt) conceal() {
	if !x.isSilent() {
		x.count("hidden")
	}
	x.concealed = true
}

// note writes a note for the end of the text.
func (x *odt) note(e xml.StartElement) error {
	kind := 0
	if odfAttr(e, "note-class") == "endnote" {
		kind = 1
	}
	text, err := x.readApart(x.children)
	if !x.isSilent() {
		x.notes[kind] = append(x.notes[kind], text)
	}
	return err
}

// readApart reads an element as a story of its own and returns its text.
func (x *odt) readApart(read func() error) (text string, err error) {
	within, blank := x.within, x.blank
	x.within, x.blank = 0, true
	x.push()
	err = read()
	text = x.pop()
	x.within, x.blank = within, blank
	return text, err
}

// countChanges counts the tracked changes. What they deleted stands with them, apart
// from the text.
func (x *odt) countChanges() error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return x.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			switch e.Name.Local {
			case "insertion":
				x.count("insertions")
			case "deletion":
				x.count("deletions")
			}
			return x.Skip()
		})
	})
}

// writeDrawing writes drawn content: text boxes, pictures, objects.
func (x *odt) writeDrawing(e xml.StartElement) error {
	name := e.Name.Local
	switch {
	case name == "image":
		if !x.isSilent() {
			x.count("images")
		}
		x.refer(odfAttr(e, "href"), "")
	case name == "object", name == "object-ole", name == "plugin":
		if !x.isSilent() {
			x.count("embedded")
		}
		x.refer(odfAttr(e, "href"), "content.xml")
		return x.Skip() // a document of its own, where it stands here itself
	case shapes[name]:
		text, err := x.readApart(x.children)
		switch {
		case text == "" || x.isSilent():
		case x.within > 0:
			x.count("text_boxes")
			x.boxes = append(x.boxes, text)
		default:
			x.count("text_boxes")
			x.block(text)
		}
		return err
	}
	return x.children()
}

// refer notes an entry as a part; an object may be a folder with its main entry.
func (x *odt) refer(reference, main string) {
	if x.pack == nil { // a flat document has what it shows within itself
		return
	}
	name, ok := x.pack.Resolve("content.xml", reference)
	if !ok {
		return
	}
	if main != "" && !x.pack.Has(name) && x.pack.Has(name+"/"+main) {
		name += "/" + main
	}
	x.parts[name] = ""
}

// odfAttr returns the value of an attribute of OpenDocument or XLink, or "".
func odfAttr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local && (strings.HasPrefix(a.Name.Space, odfPrefix) || a.Name.Space == "http://www.w3.org/1999/xlink") {
			return a.Value
		}
	}
	return ""
}
