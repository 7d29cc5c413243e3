package slide

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"muniment/canon/office/compound"
	"muniment/canon/read"
)

// PptName is the name and version of the form of presentations of PowerPoint 97 to 2003.
const PptName = "ppt@1"

// Records (MS-PPT 2.13.24, MS-ODRAW) that are read.
const (
	recDocument  = 0x03E8
	recSlide     = 0x03EE
	recNotes     = 0x03F0
	recNotesAtom = 0x03F1
	recPlace     = 0x03F3 // where a slide of the list is
	recShow      = 0x03F9
	recTextRef   = 0x0F9E
	recTextKind  = 0x0F9F
	recWideText  = 0x0FA0
	recByteText  = 0x0FA8
	recSlideNo   = 0x0FD8
	recTime      = 0x0FD7
	recDate      = 0x0FF8
	recHeader    = 0x0FF9
	recFooter    = 0x0FFA
	recRichTime  = 0x1015
	recList      = 0x0FF0
	recEdit      = 0x0FF5
	recPersist   = 0x1772
	recTextbox   = 0xF00D

	listSlides = 0
	listNotes  = 2
)

// Limits of what is read.
const (
	// maxPptDepth is how deep containers lie in each other; groups of shapes nest.
	maxPptDepth = 64
	// maxEdits is how many times a presentation was saved without being written anew.
	maxEdits = 10_000
)

var errPpt = errors.New("the presentation is damaged: a record does not fit it")

// Ppt returns the reader of ppt@1: presentations of PowerPoint 97 to 2003.
func Ppt() read.Reader {
	return read.Reader{
		Name:       PptName,
		MediaTypes: []string{"application/vnd.ms-powerpoint"},
		Extensions: []string{".ppt", ".pps", ".pot"},
		Begins:     compound.Begins,
		Read: func(in read.Input) (read.Form, error) {
			f, err := compound.Open(in.Data)
			t := &talk{charset: "utf-16le declared"}
			if err == nil {
				err = readPpt(f, t)
			}
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", PptName, err)
			}
			form, err := t.form(PptName)
			form.Source = f.Summary()
			return form, err
		},
	}
}

// A pptRecord is a record, which holds data or other records.
type pptRecord struct {
	kind, instance int
	data           []byte
}

// pptRecordAt returns the record at the beginning of data.
func pptRecordAt(data []byte) (pptRecord, error) {
	if len(data) < 8 {
		return pptRecord{}, errPpt
	}
	length := uint64(binary.LittleEndian.Uint32(data[4:]))
	if length > uint64(len(data)-8) {
		return pptRecord{}, errPpt
	}
	return pptRecord{int(binary.LittleEndian.Uint16(data[2:])), int(binary.LittleEndian.Uint16(data) >> 4), data[8 : 8+length]}, nil
}

// eachRecord calls fn with every record of data.
func eachRecord(data []byte, fn func(r pptRecord) error) error {
	for len(data) > 0 {
		r, err := pptRecordAt(data)
		if err == nil {
			err = fn(r)
		}
		if err != nil {
			return err
		}
		data = data[8+len(r.data):]
	}
	return nil
}

// A ppt is the stream of a presentation and where its parts are in it.
type ppt struct {
	data   []byte
	places map[uint32]uint32
	read   int // bytes of slides and notes
}

// A pptSlide is an entry of the list of slides or of notes.
type pptSlide struct {
	part  uint32 // of the presentation
	id    uint32
	texts []string // of its outline
}

// readPpt reads the slides in the order of the presentation, each with its notes.
func readPpt(f *compound.File, t *talk) error {
	p := &ppt{places: map[uint32]uint32{}}
	user, err := f.Read("Current User")
	if err != nil {
		return err
	}
	if p.data, err = f.Read("PowerPoint Document"); err != nil {
		return err
	}
	document, err := p.readEdits(user)
	if err != nil {
		return err
	}
	slides, notes, err := p.readLists(document)
	if err != nil {
		return err
	}
	said := map[uint32][]string{} // notes by the slide
	for _, n := range notes {
		id, lines, err := p.readNotes(n)
		if err != nil {
			return err
		}
		said[id] = append(said[id], lines...)
	}
	for _, s := range slides {
		if err := p.readSlide(s, t); err != nil {
			return err
		}
		for _, text := range said[s.id] {
			t.block([]string{text})
		}
		t.end()
		if len(t.slides) > maxSlides {
			break // the form refuses as many
		}
	}
	return nil
}

// readEdits notes where the parts of the presentation are, of which later edits replace
// earlier ones, and returns the number of the main one.
func (p *ppt) readEdits(user []byte) (document uint32, err error) {
	if len(user) < 20 {
		return 0, errPpt
	}
	if binary.LittleEndian.Uint32(user[12:]) == 0xF3D1C4DF {
		return 0, errors.New("the presentation is encrypted with a password")
	}
	at := binary.LittleEndian.Uint32(user[16:])
	for n := 0; at != 0; n++ {
		edit, err := p.recordAt(at, recEdit)
		if err != nil || len(edit) < 20 || n == maxEdits {
			return 0, errPpt
		}
		if n == 0 {
			document = binary.LittleEndian.Uint32(edit[16:])
		}
		list, err := p.recordAt(binary.LittleEndian.Uint32(edit[12:]), recPersist)
		if err != nil {
			return 0, err
		}
		for len(list) >= 4 {
			head := binary.LittleEndian.Uint32(list)
			list = list[4:]
			for i := range head >> 20 {
				if len(list) < 4 {
					return 0, errPpt
				}
				if part := head&0xFFFFF + i; p.places[part] == 0 {
					p.places[part] = binary.LittleEndian.Uint32(list)
				}
				list = list[4:]
			}
		}
		if next := binary.LittleEndian.Uint32(edit[8:]); next >= at {
			at = 0
		} else {
			at = next
		}
	}
	return document, nil
}

// recordAt returns the data of a record of some kind.
func (p *ppt) recordAt(at uint32, kind int) ([]byte, error) {
	if uint64(at) > uint64(len(p.data)) {
		return nil, errPpt
	}
	r, err := pptRecordAt(p.data[at:])
	if p.read += len(r.data); err == nil && (r.kind != kind || p.read > 2*len(p.data)) { // parts that overlap are damaged
		err = errPpt
	}
	return r.data, err
}

// readLists returns the lists of slides and of notes.
func (p *ppt) readLists(document uint32) (slides, notes []pptSlide, err error) {
	data, err := p.recordAt(p.places[document], recDocument)
	if err != nil {
		return nil, nil, err
	}
	err = eachRecord(data, func(r pptRecord) error {
		if r.kind != recList || r.instance != listSlides && r.instance != listNotes {
			return nil
		}
		list, err := readList(r.data)
		if r.instance == listSlides {
			slides = append(slides, list...)
		} else {
			notes = append(notes, list...)
		}
		return err
	})
	return slides, notes, err
}

// readList returns the entries of one list, each with the texts of its outline.
func readList(data []byte) (list []pptSlide, err error) {
	texts := &textReader{}
	end := func() {
		if len(list) > 0 {
			list[len(list)-1].texts = texts.end()
		}
		texts.list = nil
	}
	err = eachRecord(data, func(r pptRecord) error {
		if r.kind != recPlace {
			texts.record(r)
			return nil
		}
		if len(r.data) < 16 {
			return errPpt
		}
		end()
		list = append(list, pptSlide{part: binary.LittleEndian.Uint32(r.data), id: binary.LittleEndian.Uint32(r.data[12:])})
		return nil
	})
	end()
	return list, err
}

// A textReader gathers texts from records that follow each other.
type textReader struct {
	list  []string
	units []uint16
	open  bool
}

// record takes one record. Numbers of slides, dates, headers and footers stand as one
// character each, which goes.
func (t *textReader) record(r pptRecord) {
	switch r.kind {
	case recTextKind:
		t.end()
	case recWideText:
		for i := range len(r.data) / 2 {
			t.units = append(t.units, binary.LittleEndian.Uint16(r.data[2*i:]))
		}
		t.open = true
	case recByteText:
		for _, b := range r.data {
			t.units = append(t.units, uint16(b))
		}
		t.open = true
	case recSlideNo, recTime, recDate, recHeader, recFooter, recRichTime:
		if len(r.data) >= 4 {
			if at := binary.LittleEndian.Uint32(r.data); uint64(at) < uint64(len(t.units)) {
				t.units[at] = 0
			}
		}
	}
}

// pptBreaks are the ends of paragraphs and lines.
var pptBreaks = strings.NewReplacer("\r", "\n", "\v", "\n", "\x00", "")

// end ends the text that is open and returns all.
func (t *textReader) end() []string {
	if t.open {
		data := make([]byte, 0, 2*len(t.units))
		for _, u := range t.units {
			data = binary.LittleEndian.AppendUint16(data, u)
		}
		t.list = append(t.list, strings.Trim(pptBreaks.Replace(compound.Wide(data)), "\n"))
	}
	t.units, t.open = nil, false
	return t.list
}

// readSlide writes the shapes of a slide in the order of the file. The text of an
// outline stands in the list of slides, and its shape refers to it.
func (p *ppt) readSlide(s pptSlide, t *talk) error {
	data, err := p.recordAt(p.places[s.part], recSlide)
	if err != nil {
		return err
	}
	return p.eachText(data, 0, func(r pptRecord) {
		if r.kind == recShow && len(r.data) >= 12 && r.data[10]&4 != 0 {
			t.hidden++
		}
	}, func(texts []string, refs []uint32) {
		for _, n := range refs {
			if uint64(n) < uint64(len(s.texts)) {
				texts = append(texts, s.texts[n])
			}
		}
		for _, text := range texts {
			t.block([]string{text})
		}
	})
}

// readNotes returns the speaker's notes and the slide that they belong to.
func (p *ppt) readNotes(n pptSlide) (slide uint32, lines []string, err error) {
	data, err := p.recordAt(p.places[n.part], recNotes)
	if err != nil {
		return 0, nil, err
	}
	err = p.eachText(data, 0, func(r pptRecord) {
		if r.kind == recNotesAtom && len(r.data) >= 4 {
			slide = binary.LittleEndian.Uint32(r.data)
		}
	}, func(texts []string, refs []uint32) {
		for _, ref := range refs {
			if uint64(ref) < uint64(len(n.texts)) {
				texts = append(texts, n.texts[ref])
			}
		}
		lines = append(lines, texts...)
	})
	return slide, lines, err
}

// eachText calls text with what each shape of a slide shows, and other with the records
// that are no shapes.
func (p *ppt) eachText(data []byte, depth int, other func(r pptRecord), text func(texts []string, refs []uint32)) error {
	if depth > maxPptDepth {
		return errPpt
	}
	for len(data) > 0 {
		r, err := pptRecordAt(data)
		if err != nil {
			return err
		}
		container := data[0]&0xF == 0xF
		data = data[8+len(r.data):]
		switch {
		case r.kind == recTextbox:
			texts, refs := &textReader{}, []uint32(nil)
			err = eachRecord(r.data, func(r pptRecord) error {
				if r.kind == recTextRef && len(r.data) >= 4 {
					refs = append(refs, binary.LittleEndian.Uint32(r.data))
				}
				texts.record(r)
				return nil
			})
			text(texts.end(), refs)
		case container:
			err = p.eachText(r.data, depth+1, other, text)
		default:
			other(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
