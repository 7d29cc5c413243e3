// Package office makes docx@3, odt@3 and doc@1, the text of a word processor's
// document as a reader sees it.
//
//	r := read.NewRegistry(office.Docx(mail.Body), office.Odt(), office.Doc())
//	form, err := r.Canonicalize(read.Input{Name: "letter.docx", Data: data})
//
// Package canon/office/docpack opens the zip container; nothing of it but the
// contents of the entries named here counts, so that zipping a document anew
// keeps its payload. Then the body is written out, by rules that both forms
// share:
//
//   - Paragraphs and headings are separated by a blank line. Paragraphs of lists
//     are lines.
//   - A line break ends a line, two or more end a paragraph; at the edges of a
//     paragraph they do nothing. A tab is a tab. Breaks of pages and columns in
//     DOCX are line breaks; the places where a page happened to end are nothing.
//   - A table stands apart by a blank line. A row whose cells hold one line each,
//     without a tab in it, is one line, its cells joined by a tab. Any other row
//     is layout: each of its cells is a block. Cells that a merge covers are
//     left out, spaces and tabs at the edges of a cell too.
//   - Non-breaking hyphens are U+2011, soft hyphens U+00AD. A character of a
//     symbol font is the code point that the document gives for it.
//   - A field is what it shows: its result, as the document stores it.
//   - The number of a note is left out where it stands, as in html@2. The notes
//     follow the body: footnotes in the order in which the text refers to them,
//     then endnotes, each a block without its number. Notes that the text does
//     not refer to are left out.
//   - The text of a text box stands as blocks behind the paragraph, or within
//     the cell, in which the box is anchored.
//   - Tracked changes are taken as accepted: insertions stay, deletions and the
//     old places of what was moved are dropped. A paragraph whose end was
//     deleted runs on into the next.
//   - Raised and lowered characters are written as read.Superscript and
//     Subscript do; neighbours that are raised alike are one run.
//   - The reading of ruby text follows its base. A formula is its characters in
//     order, with raised and lowered parts, fractions and roots.
//   - The number of a paragraph of DOCX stands before its text, as Word counts.
//   - Check boxes of DOCX are ☐ and ☒, a drop-down list is the entry that was
//     chosen. The hint of a control without a value is left out.
//   - A part that DOCX imports in a place (w:altChunk) is its text: a page, rich or
//     plain text, or another DOCX.
//   - Headers and footers follow the notes, each text once, behind a line ⟦header⟧ or
//     ⟦footer⟧: a letterhead has the sender and the date, and words of every page must
//     not be taken for the last words of the text.
//   - Left out: comments, hidden text, bullets, numbers of lists and values of form
//     controls of OpenDocument, instructions of fields, descriptions of pictures, text
//     within charts and diagrams, and objects that are embedded.
//
// The result ends in the text step of package canon. Pictures and embedded
// objects that the body and the notes refer to are Parts, named by their path in
// the container; those that cannot be read are counted. What the document says
// about itself goes into Form.Source: title, creators, publisher, language, and
// the day it was made as the date.
//
// Facts: "headings" lists the headings of the body and their paragraphs, as
// read.Headings writes them. Each only if not zero: "insertions", "deletions", "moves" (of tracked
// changes, as the document marks them), "comments", "hidden" (runs, paragraphs
// and sections left out), "footnotes", "endnotes", "text_boxes", "images",
// "formulas", "symbols" (characters of symbol fonts), "embedded" (objects, and
// imported parts without a text), "imported" (parts with one), "headers", "footers",
// "hints" (left out), "parts_unread"; "identifier" as the document states it, and
// "source_unread", "header_unread", "footer_unread", "comments_unread": the reason why its
// statements, a header, a footer or its comments could not be read.
//
// What is encrypted, damaged or beyond a limit gives an error that says so: a
// text is complete, but for headers and footers, or there is none.
package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"

	"muniment/canon"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// The names and versions of the forms.
const (
	DocxName = "docx@3"
	OdtName  = "odt@3"
)

// Limits, in addition to those of package docpack. A document beyond one of them stays bytes@1.
const (
	// MaxOutput is the longest text in bytes, text in cells, notes and text boxes
	// counted again for each of them around it, since it is copied there. Text is
	// never longer than its XML but for spaces and cells that OpenDocument states
	// by their number.
	MaxOutput = docpack.MaxXML
	// maxStories is how deep cells, notes and text boxes are nested.
	maxStories = 24
	// maxCells is the number of cells of a table row, and maxRepeat that of rows
	// that one element of OpenDocument may stand for.
	maxCells  = 16384
	maxRepeat = 16384
	// maxStyles is the number of styles, each of which is kept in memory.
	maxStyles = 100_000
	// maxInherit is the number of styles from which a style takes what it does
	// not state; styles that inherit in a circle end there.
	maxInherit = 32
	// maxSmall is the longest list of relations or media types in bytes.
	maxSmall = 16 << 20
)

// Docx returns the reader of docx@3: Office Open XML text documents, transitional
// and strict, with macros or not, and their templates. mailBody returns the text of a page
// that is packed as a mail; without it such a part of a document is left out.
func Docx(mailBody func(data []byte) ([]byte, error)) read.Reader {
	return read.Reader{
		Name: DocxName,
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
			"application/vnd.ms-word.document.macroenabled.12",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.template",
			"application/vnd.ms-word.template.macroenabled.12",
		},
		Extensions: []string{".docx", ".docm", ".dotx", ".dotm"},
		Read: func(in read.Input) (read.Form, error) {
			return readInput(in, DocxName, func(c *docpack.Pack) (*document, error) { return readDocx(c, mailBody) })
		},
	}
}

// Odt returns the reader of odt@3: OpenDocument text documents and templates,
// as packages or as one XML file (flat).
func Odt() read.Reader {
	return read.Reader{
		Name: OdtName,
		MediaTypes: []string{
			"application/vnd.oasis.opendocument.text",
			"application/vnd.oasis.opendocument.text-template",
			"application/vnd.oasis.opendocument.text-flat-xml",
		},
		Extensions: []string{".odt", ".ott", ".fodt"},
		Read: func(in read.Input) (read.Form, error) {
			if isFlat(in.Data) {
				return readFlat(in.Data)
			}
			return readInput(in, OdtName, readOdt)
		},
	}
}

// A document is what the readers of both forms give.
type document struct {
	w          *writer
	charset    string
	source     read.Meta
	identifier string
	parts      map[string]string // media types by name
	sourceErr  error
}

// readInput returns the form of an input that a parser of one format makes.
func readInput(in read.Input, name string, parse func(*docpack.Pack) (*document, error)) (read.Form, error) {
	form, err := readContainer(in.Data, parse)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	form.Canonicalizer = name
	return form, nil
}

// readContainer returns the form of a document in a zip container, without its
// name.
func readContainer(data []byte, parse func(*docpack.Pack) (*document, error)) (read.Form, error) {
	if err := checkCompound(data); err != nil {
		return read.Form{}, err
	}
	c, err := docpack.Open(data)
	if err != nil {
		return read.Form{}, err
	}
	doc, err := parse(c)
	if err != nil {
		return read.Form{}, err
	}
	parts, unread := c.Parts(doc.parts)
	doc.w.counts["parts_unread"] = unread
	return doc.form(parts), nil
}

// form ends in the text step.
func (doc *document) form(parts []read.Part) read.Form {
	doc.w.endRun()
	payload := canon.Text(doc.w.out)
	facts := read.Counts(doc.w.counts)
	if headings := read.Headings(payload, doc.w.headings); headings != "" {
		facts["headings"] = headings
	}
	if doc.identifier != "" {
		facts["identifier"] = doc.identifier
	}
	if doc.sourceErr != nil {
		facts["source_unread"] = doc.sourceErr.Error()
	}
	for what, reason := range doc.w.reasons {
		facts[what+"_unread"] = reason
	}
	if len(facts) == 0 {
		facts = nil
	}
	return read.Form{
		Payload: payload,
		Unicode: canon.UnicodeVersion,
		Charset: doc.charset,
		Facts:   facts,
		Source:  doc.source,
		Parts:   parts,
	}
}

// checkCompound identifies files with a document's name that are no zip container: Word keeps a
// document with a password in the container that it used before 2007.
func checkCompound(data []byte) error {
	if !bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) {
		return nil
	}
	var stream []byte
	for _, unit := range utf16.Encode([]rune("EncryptedPackage")) {
		stream = binary.LittleEndian.AppendUint16(stream, unit)
	}
	if bytes.Contains(data, stream) {
		return errors.New("the document is encrypted with a password")
	}
	return errors.New("the document is in the format of Word before 2007: name it .doc")
}
