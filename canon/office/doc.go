package office

import (
	"encoding/binary"
	"errors"
	"fmt"

	"muniment/canon/office/compound"
	"muniment/canon/read"
)

// DocName is the name and version of the form of documents of Word 97 to 2003.
const DocName = "doc@1"

// Doc returns the reader of doc@1: documents and templates of Word 97 to 2003.
func Doc() read.Reader {
	return read.Reader{
		Name:       DocName,
		MediaTypes: []string{"application/msword"},
		Extensions: []string{".doc", ".dot"},
		Begins:     func(data []byte) bool { return compound.Begins(data) || isOldWord(data) },
		Read: func(in read.Input) (read.Form, error) {
			doc, err := readDoc(in.Data)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", DocName, err)
			}
			form := doc.form(nil)
			form.Canonicalizer = DocName
			return form, nil
		},
	}
}

// isOldWord reports whether data begins as a document of Word before version 6, which
// had no container.
func isOldWord(data []byte) bool {
	if len(data) < 2 {
		return false
	}
	switch binary.LittleEndian.Uint16(data) {
	case 0xA59B, 0xA5DB, 0xBE31, 0xBE32: // Word 1 and 2 for Windows, Word for DOS, Write
		return true
	}
	return false
}

// Positions in the head of a document (MS-DOC 2.5), in bytes, and flags.
const (
	fibVersion = 0x02
	fibFlags   = 0x0A
	fibCounts  = 0x4C // of characters in each story
	fibTables  = 0x9A // pairs of a place and a length
	fibLength  = fibTables + 8*(tableTextBoxes+1)

	flagEncrypted = 0x0100
	flagTable1    = 0x0200

	firstWord97 = 0xC1 // the version of Word 97
)

// Numbers of tables of the head.
const (
	tableNoteRefs    = 2
	tableNotes       = 3
	tableSections    = 6
	tableCharacters  = 12
	tableParagraphs  = 13
	tablePieces      = 33
	tableEndnoteRefs = 46
	tableEndnotes    = 47
	tableTextBoxes   = 56
)

// Numbers of stories, in the order of their characters.
const (
	storyBody = iota
	storyNotes
	storyHeaders
	storyMacros
	storyComments
	storyEndnotes
	storyTextBoxes
	stories
)

// errDoc is the error for a table that does not fit the document.
var errDoc = errors.New("the document is damaged: a table does not fit it")

// A binaryDoc reads the stories of a document of Word 97 to 2003.
type binaryDoc struct {
	*writer
	main, tables []byte
	units        []uint16 // the characters of all stories
	places       []uint32 // of each of them in main
	wide, narrow bool     // how characters are kept
	begins       [stories + 1]int
	characters   []docRun
	paragraphs   []docRun
	sections     map[int]bool // characters that end one
	run          int          // of characters, found last
	row          *[]string    // of the table being read
	cell         bool         // one is open
	inTable      bool         // a row was written
	runOn        bool         // the paragraph before ended in a deleted mark
}

// readDoc reads a document: its body, then its text boxes and notes.
func readDoc(data []byte) (*document, error) {
	if isOldWord(data) {
		return nil, errors.New("the document is in the format of Word before 6.0, which is not read")
	}
	f, err := compound.Open(data)
	if err != nil {
		return nil, err
	}
	x := &binaryDoc{writer: newWriter()}
	if err := x.open(f); err != nil {
		return nil, err
	}
	for _, read := range []func() error{x.readPieces, x.readSections, x.readProperties} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	err = x.story(x.begins[storyBody], x.begins[storyBody+1])
	x.separate(blankLine)
	for _, list := range []noteStory{
		{storyTextBoxes, tableTextBoxes, -1, 22, "text_boxes"},
		{storyNotes, tableNotes, tableNoteRefs, 0, "footnotes"},
		{storyEndnotes, tableEndnotes, tableEndnoteRefs, 0, "endnotes"},
	} {
		if err == nil {
			err = x.writeNotes(list)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case x.err != nil:
		return nil, x.err
	}
	doc := &document{w: x.writer, source: f.Summary()}
	switch {
	case x.wide && x.narrow:
		doc.charset = "utf-16le declared; windows-1252 declared"
	case x.wide:
		doc.charset = "utf-16le declared"
	default:
		doc.charset = "windows-1252 declared"
	}
	return doc, nil
}

// open reads the head of the document and the streams that it is kept in.
func (x *binaryDoc) open(f *compound.File) (err error) {
	if x.main, err = f.Read("WordDocument"); err != nil {
		return err
	}
	if len(x.main) < fibTables || binary.LittleEndian.Uint16(x.main) != 0xA5EC && binary.LittleEndian.Uint16(x.main) != 0xA5DC {
		return errors.New("the document does not begin as one of Word")
	}
	if v := binary.LittleEndian.Uint16(x.main[fibVersion:]); v < firstWord97 {
		return fmt.Errorf("the document is in the format of Word 6 or 95 (version %d), which is not read", v)
	}
	if len(x.main) < fibLength {
		return errDoc
	}
	flags := binary.LittleEndian.Uint16(x.main[fibFlags:])
	if flags&flagEncrypted != 0 {
		return errors.New("the document is encrypted with a password")
	}
	name := "0Table"
	if flags&flagTable1 != 0 {
		name = "1Table"
	}
	x.tables, err = f.Read(name)
	return err
}

// table returns a table of the document, which may be empty.
func (x *binaryDoc) table(number int) ([]byte, error) {
	at := fibTables + 8*number
	start, length := uint64(binary.LittleEndian.Uint32(x.main[at:])), uint64(binary.LittleEndian.Uint32(x.main[at+4:]))
	if start+length > uint64(len(x.tables)) {
		return nil, errDoc
	}
	return x.tables[start : start+length], nil
}

// readPieces reads the characters of all stories. They lie in pieces, in one byte or
// two each.
func (x *binaryDoc) readPieces() error {
	for i := range stories {
		n := binary.LittleEndian.Uint32(x.main[fibCounts+4*i:])
		if uint64(n) > uint64(len(x.main)) {
			return errDoc
		}
		x.begins[i+1] = x.begins[i] + int(n)
	}
	list, err := x.table(tablePieces)
	if err != nil {
		return err
	}
	for len(list) > 3 && list[0] == 1 { // properties that pieces share
		list = list[min(3+int(binary.LittleEndian.Uint16(list[1:])), len(list)):]
	}
	if len(list) < 5 || list[0] != 2 {
		return errDoc
	}
	list = list[5:]
	n := (len(list) - 4) / 12
	for i := range n {
		from, to := binary.LittleEndian.Uint32(list[4*i:]), binary.LittleEndian.Uint32(list[4*i+4:])
		if from != uint32(len(x.units)) || to < from || uint64(to) > uint64(len(x.main)) {
			return errDoc
		}
		if err := x.readPiece(binary.LittleEndian.Uint32(list[4*(n+1)+8*i+2:]), int(to-from)); err != nil {
			return err
		}
	}
	if len(x.units) < x.begins[stories] {
		return errDoc
	}
	return nil
}

// readPiece reads the characters of one piece.
func (x *binaryDoc) readPiece(place uint32, length int) error {
	const narrow = 1 << 30
	if place&narrow == 0 {
		if uint64(place)+2*uint64(length) > uint64(len(x.main)) {
			return errDoc
		}
		for i := range length {
			at := int(place) + 2*i
			x.units, x.places = append(x.units, binary.LittleEndian.Uint16(x.main[at:])), append(x.places, uint32(at))
		}
		x.wide = x.wide || length > 0
		return nil
	}
	start := int(place&^uint32(narrow)) / 2
	if start+length > len(x.main) {
		return errDoc
	}
	for i := range length {
		x.units, x.places = append(x.units, windows1252[x.main[start+i]]), append(x.places, uint32(start+i))
	}
	x.narrow = x.narrow || length > 0
	return nil
}

// windows1252 are the characters of the one-byte pieces.
var windows1252 = func() (table [256]uint16) {
	for i := range table {
		table[i] = uint16([]rune(read.DecodePage([]byte{byte(i)}, 1252))[0])
	}
	return table
}()

// readSections notes which characters end a section.
func (x *binaryDoc) readSections() error {
	list, err := x.table(tableSections)
	if err != nil {
		return err
	}
	x.sections = map[int]bool{}
	for i := 1; i <= (len(list)-4)/16; i++ {
		x.sections[int(binary.LittleEndian.Uint32(list[4*i:]))-1] = true
	}
	return nil
}

// A noteStory is a list of texts that follow the body.
type noteStory struct {
	story, table int
	refs         int // the table of where the body refers to them, -1 for none
	more         int // bytes that the table has for each text beyond its place
	fact         string
}

// writeNotes writes the notes that the body refers to, or the text boxes.
func (x *binaryDoc) writeNotes(list noteStory) error {
	start, end := x.begins[list.story], x.begins[list.story+1]
	if start == end {
		return nil
	}
	places, err := x.table(list.table)
	if err != nil {
		return err
	}
	var refs []byte
	if list.refs >= 0 {
		if refs, err = x.table(list.refs); err != nil {
			return err
		}
	}
	last := start
	for i := range (len(places)-4)/(4+list.more) - 1 { // the last one is not a text
		from, to := start+int(binary.LittleEndian.Uint32(places[4*i:])), start+int(binary.LittleEndian.Uint32(places[4*i+4:]))
		if from < last || from > to || to > end {
			return errDoc
		}
		last = to
		if 4*i+4 <= len(refs) && x.isLeftOut(int(binary.LittleEndian.Uint32(refs[4*i:]))) {
			continue
		}
		x.push()
		err := x.story(from, to)
		text := x.pop()
		if err != nil {
			return err
		}
		if text != "" {
			x.count(list.fact)
			x.block(text)
		}
	}
	return nil
}
