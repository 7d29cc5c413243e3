package xmltext

import (
	_ "embed" // elements.txt
	"encoding/xml"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

//go:embed elements.txt
var elementList string

// kinds are the kinds of the elements that elements.txt lists.
var kinds = sync.OnceValue(func() map[string]string { return readList(elementList) })

// readList returns the kind of each name of a list.
func readList(list string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(list) {
		kind, names, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			out[name] = kind
		}
	}
	return out
}

// The namespaces that have a meaning here.
const (
	mathML = "http://www.w3.org/1998/Math/MathML"
	xmlNS  = "http://www.w3.org/XML/1998/namespace"
)

// A context is what an element inherits from those around it.
type context struct {
	runsOn   bool // within a text
	line     bool // within a line of a table
	cell     bool
	skip     bool // no text
	note     bool // written behind the text
	preserve bool
	choice   bool // directly within a choice
	math     bool
}

// A place is where an element with an identifier begins.
type place struct {
	name  string
	note  bool
	block int // of the text, or of the notes
}

// A writer writes the text of one document.
type writer struct {
	d      *docpack.Decoder
	mixed  []bool // by the order of the elements
	next   int    // the element that starts next
	path   []string
	header header

	blocks, notes []string
	line          []byte // the block being written
	space         bool   // a space is due before the next character
	ids           []place
	counts        map[string]int
}

// isSpace reports whether a character is white space between words.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// children writes the content of the element whose start was read last. mixed is whether it has
// text of its own.
func (w *writer) children(in context, mixed bool) error {
	return w.d.Each(func(e xml.StartElement, chars []byte) error {
		if chars == nil {
			return w.element(e, in, mixed)
		}
		switch {
		case in.skip:
			w.header.text(chars)
		case !in.math:
			w.text(chars, in)
		}
		return nil
	})
}

// element writes an element of a parent that has text of its own or not.
func (w *writer) element(e xml.StartElement, in context, parentMixed bool) error {
	mixed, name := w.mixed[w.next], e.Name.Local
	w.next++
	w.path = append(w.path, name)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	kind := w.kindOf(e, in)
	switch attribute(e, "space") {
	case "preserve":
		in.preserve = true
	case "default":
		in.preserve = false
	}
	if kind == "deleted" && !in.skip {
		w.counts["deleted"]++
	}
	if in.choice = name == "choice"; in.skip || kind == "skip" || kind == "deleted" {
		in.skip = true
		w.header.start(w.path, e)
		err := w.children(in, mixed)
		w.header.end(w.path)
		return err
	}
	if e.Name.Space == mathML || name == "math" {
		return w.math(e, in)
	}
	if kind == "note" && in.runsOn && !in.note {
		return w.note(e, in)
	}
	block := isBlock(kind, in, parentMixed)
	if block {
		w.breakBlock(in)
	}
	if kind == "line" || kind == "break" && attribute(e, "break") != "no" {
		w.breakLine(in)
	}
	w.place(e, in)
	outer := in
	in.runsOn = in.runsOn && kind != "block" || mixed || kind == "para" || kind == "phrase"
	in.line = in.line || kind == "line"
	in.preserve = in.preserve || kind == "preserve"
	from := len(w.line)
	err := w.inner(kind, in, mixed)
	w.raise(kind, from)
	if kind == "line" {
		w.breakLine(outer)
	}
	if block {
		w.breakBlock(outer)
	}
	return err
}

// isBlock reports whether an element of a kind is a block in its context.
func isBlock(kind string, in context, parentMixed bool) bool {
	switch kind {
	case "para", "block":
		return true
	case "line", "raised", "lowered", "break":
		return false
	}
	return !in.runsOn && !parentMixed
}

// kindOf returns the kind of an element in its context.
func (w *writer) kindOf(e xml.StartElement, in context) string {
	kind := kinds()[e.Name.Local]
	switch {
	case kind == "choice":
		if kind = ""; in.choice {
			kind = "skip"
		}
	case kind == "cell":
		kind = "" // outside of a line
	case e.Name.Local == "control" && len(w.path) == 2 && w.path[0] == "ead":
		kind = "skip"
	case e.Name.Local == "hi" || e.Name.Local == "emph":
		rend := strings.ToLower(docpack.Attr(e, "rend") + docpack.Attr(e, "render"))
		if strings.HasPrefix(rend, "sup") {
			kind = "raised"
		} else if strings.HasPrefix(rend, "sub") {
			kind = "lowered"
		}
	}
	return kind
}

// inner writes the content of an element. Elements that follow each other without characters
// between them, in an element that has no text of its own, are set off: by tabs in the row of a
// table, else by spaces.
func (w *writer) inner(kind string, in context, mixed bool) error {
	row := kind == "line" && isRow(w.path[len(w.path)-1])
	if !row && (mixed || kind != "line" && kind != "phrase" && kind != "para") {
		return w.children(in, mixed)
	}
	first, joins := true, true
	return w.d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			w.text(chars, in)
			return nil
		}
		one := in
		child := kinds()[e.Name.Local]
		if row && (child == "cell" || !mixed && isField(child)) {
			one.cell, first = !first, false
			return w.cell(e, one)
		}
		w.space = w.space || !mixed && child != "raised" && child != "lowered" && !(child == "joined" && joins)
		joins = child == "joined" || child == "raised" || child == "lowered"
		one.runsOn = true
		return w.element(e, one, mixed)
	})
}

// isRow reports whether an element, which is a line, is the row of a table.
func isRow(name string) bool { return name == "row" || name == "tr" }

// isField reports whether an element of a kind is a cell where a row has it directly.
func isField(kind string) bool { return kind == "" || kind == "phrase" || kind == "para" }

// cell writes one cell of a line. in.cell says whether one stands before it.
func (w *writer) cell(e xml.StartElement, in context) error {
	mixed := w.mixed[w.next]
	w.next++
	w.path = append(w.path, e.Name.Local)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	if in.cell {
		w.line, w.space = append(w.line, '\t'), false
	}
	in.cell, in.runsOn = true, true
	w.place(e, in)
	return w.children(in, mixed)
}

// note writes a note after the text.
func (w *writer) note(e xml.StartElement, in context) error {
	blocks, line, space := w.blocks, w.line, w.space
	w.blocks, w.line, w.space = w.notes, nil, false
	w.place(e, context{note: true})
	err := w.children(context{note: true, runsOn: true, preserve: in.preserve}, true)
	w.endBlock()
	w.notes = w.blocks
	w.blocks, w.line, w.space = blocks, line, space
	return err
}

// place records where an element with an identifier begins.
func (w *writer) place(e xml.StartElement, in context) {
	name := attribute(e, "id")
	if name == "" || strings.ContainsAny(name, ": \t\n") {
		return
	}
	w.ids = append(w.ids, place{name, in.note, len(w.blocks)})
}

// attribute returns the value of an attribute of XML's own namespace, or of none.
func attribute(e xml.StartElement, local string) string {
	plain := ""
	for _, a := range e.Attr {
		switch {
		case a.Name.Local != local:
		case a.Name.Space == xmlNS || a.Name.Space == "xml":
			return a.Value
		case a.Name.Space == "":
			plain = a.Value
		}
	}
	return plain
}

// raise sets the text written from a place on above or below the line.
func (w *writer) raise(kind string, from int) {
	switch {
	case from > len(w.line):
	case kind == "raised":
		w.line = append(w.line[:from:from], read.Superscript(string(w.line[from:]))...)
	case kind == "lowered":
		w.line = append(w.line[:from:from], read.Subscript(string(w.line[from:]))...)
	}
}

// text writes characters.
func (w *writer) text(chars []byte, in context) {
	for _, r := range string(chars) {
		switch {
		case isSpace(r) && in.preserve && !in.cell && r == '\n':
			w.breakLine(in)
		case isSpace(r) && in.preserve && (r == ' ' || r == '\t'):
			w.line, w.space = append(w.line, byte(r)), false
		case isSpace(r):
			w.space = true
		default:
			w.dueSpace()
			w.line = utf8.AppendRune(w.line, r)
		}
	}
}

// dueSpace writes the space that is due, but not at the beginning of a line or cell.
func (w *writer) dueSpace() {
	if n := len(w.line); w.space && n > 0 && !strings.ContainsRune("\n\t ", rune(w.line[n-1])) {
		w.line = append(w.line, ' ')
	}
	w.space = false
}

// breakLine ends a line; within a cell it is a space.
func (w *writer) breakLine(in context) {
	if in.cell {
		w.space = true
		return
	}
	w.space = false
	for len(w.line) > 0 && slices.Contains([]byte(" \t"), w.line[len(w.line)-1]) {
		w.line = w.line[:len(w.line)-1]
	}
	if n := len(w.line); n > 0 && w.line[n-1] != '\n' {
		w.line = append(w.line, '\n')
	}
}

// breakBlock ends a block; within a line of a table it is a space.
func (w *writer) breakBlock(in context) {
	if in.line {
		w.space = true
		return
	}
	w.endBlock()
}

// endBlock adds the block being written, unless nothing is visible in it.
func (w *writer) endBlock() {
	if text := canon.Text(w.line); len(text) > 0 {
		w.blocks = append(w.blocks, strings.TrimSuffix(string(text), "\n"))
	}
	w.line, w.space = nil, false
}

// scripts are the elements of MathML whose parts are above or below each other, and the text
// written between the parts.
var scripts = map[string][]string{"mfrac": {"/"}, "msup": {"^"}, "msub": {"_"}, "msubsup": {"_", "^"}, "munder": {"_"}, "mover": {"^"}, "munderover": {"_", "^"}, "mroot": {"√"}}

// math writes a formula of MathML: a space between all tokens, and between the parts of a
// fraction, a power or an index the sign of it; a part of several tokens is in
// parentheses.
func (w *writer) math(e xml.StartElement, in context) error {
	name, part := e.Name.Local, 0
	in.math, w.space = true, true
	signs := scripts[name]
	token := slices.Contains([]string{"mi", "mn", "mo", "ms", "mtext"}, name)
	w.place(e, in)
	err := w.d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			if token {
				w.text(chars, in)
			}
			return nil
		}
		if part > 0 && len(signs) > 0 {
			w.space = true
			w.text([]byte(signs[min(part, len(signs))-1]), in)
		}
		part++
		group := len(signs) > 0 && (e.Name.Local == "mrow" || scripts[e.Name.Local] != nil)
		if group {
			w.space = true
			w.text([]byte("("), in)
		}
		err := w.element(xml.StartElement{Name: xml.Name{Space: mathML, Local: e.Name.Local}, Attr: e.Attr}, in, true)
		if group {
			w.space = true
			w.text([]byte(")"), in)
		}
		return err
	})
	w.space = true
	return err
}
