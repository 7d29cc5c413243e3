package office

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A docRun is what the characters or paragraphs between two places share.
type docRun struct {
	start, end uint32

	hidden, deleted, inserted, struck, special bool
	rise                                       rise
	symbol                                     uint16

	inTable, endsRow, list bool
	level                  int // of a heading, 0 for none
}

// Modifiers of properties (MS-DOC 2.6) that are read.
const (
	modDeleted  = 0x0800
	modInserted = 0x0801
	modStrike   = 0x0837
	modHidden   = 0x083C
	modSpecial  = 0x0855
	modDouble   = 0x2A53 // struck through twice
	modRise     = 0x2A48
	modPosition = 0x4845
	modSymbol   = 0x6A09

	modInTable = 0x2416
	modEndsRow = 0x2417
	modList    = 0x460B
	modOutline = 0x2640

	modTable = 0xD608 // the one whose length has two bytes
)

// page is the length of the pages on which properties lie.
const page = 512

// readProperties reads the properties of all characters and paragraphs.
func (x *binaryDoc) readProperties() (err error) {
	if x.characters, err = x.readPages(tableCharacters, 1, characterRun); err != nil {
		return err
	}
	x.paragraphs, err = x.readPages(tableParagraphs, 13, paragraphRun)
	return err
}

// readPages reads the runs of a table of pages. An entry of a page has width bytes, the
// first of which says where on the page its properties are.
func (x *binaryDoc) readPages(table, width int, parse func(entry []byte, r *docRun)) ([]docRun, error) {
	list, err := x.table(table)
	if err != nil {
		return nil, err
	}
	n := (len(list) - 4) / 8
	if n > len(x.main)/page {
		return nil, errDoc // more pages than there is room for
	}
	var runs []docRun
	for i := range max(n, 0) {
		at := uint64(binary.LittleEndian.Uint32(list[4*(n+1)+4*i:])&0x3FFFFF) * page
		if at+page > uint64(len(x.main)) {
			return nil, errDoc
		}
		p := x.main[at : at+page]
		count := int(p[page-1])
		if 4*(count+1)+width*count > page-1 {
			return nil, errDoc
		}
		for j := range count {
			r := docRun{start: binary.LittleEndian.Uint32(p[4*j:]), end: binary.LittleEndian.Uint32(p[4*j+4:])}
			if where := 2 * int(p[4*(count+1)+width*j]); where > 0 {
				parse(p[where:], &r)
			}
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b docRun) int { return cmp.Compare(a.start, b.start) })
	return runs, nil
}

// characterRun reads the properties of characters.
func characterRun(entry []byte, r *docRun) {
	eachModifier(entry[1:min(1+int(entry[0]), len(entry))], func(mod uint16, arg []byte) {
		switch mod {
		case modDeleted:
			r.deleted = arg[0] != 0
		case modInserted:
			r.inserted = arg[0] != 0
		case modHidden:
			r.hidden = arg[0]&0x7F == 1 // 80 is what the style says, 81 its reverse
		case modStrike, modDouble:
			r.struck = r.struck || arg[0]&0x7F == 1
		case modSpecial:
			r.special = arg[0] != 0
		case modRise:
			r.rise = []rise{onLine, above, below}[arg[0]%3]
		case modPosition:
			if n := int16(binary.LittleEndian.Uint16(arg)); r.rise == onLine && n != 0 {
				r.rise = below
				if n > 0 {
					r.rise = above
				}
			}
		case modSymbol:
			if u := binary.LittleEndian.Uint16(arg[2:]); u >= ' ' && (u < 0xD800 || u > 0xDFFF) && u < 0xFFFE {
				r.symbol = u
			}
		}
	})
}

// paragraphRun reads the properties of paragraphs. The styles 1 to 9 are those of
// headings in every document.
func paragraphRun(entry []byte, r *docRun) {
	length := 2*int(entry[0]) - 1
	if entry = entry[1:]; length < 0 && len(entry) > 0 {
		length, entry = 2*int(entry[0]), entry[1:]
	}
	if length < 2 || length > len(entry) {
		return
	}
	if style := binary.LittleEndian.Uint16(entry); style >= 1 && style <= 9 {
		r.level = int(style)
	}
	eachModifier(entry[2:length], func(mod uint16, arg []byte) {
		switch mod {
		case modInTable:
			r.inTable = arg[0] != 0
		case modEndsRow:
			r.endsRow = arg[0] != 0
		case modList:
			r.list = binary.LittleEndian.Uint16(arg) != 0
		case modOutline:
			if r.level = int(arg[0]) + 1; r.level > 9 {
				r.level = 0
			}
		}
	})
}

// eachModifier calls fn with every modifier of a list, and its operand of at least one
// byte.
func eachModifier(b []byte, fn func(mod uint16, arg []byte)) {
	for len(b) > 2 {
		mod := binary.LittleEndian.Uint16(b)
		b = b[2:]
		n := []int{1, 1, 2, 4, 2, 2, 1 + int(b[0]), 3}[mod>>13]
		if mod == modTable && len(b) > 1 {
			n = 1 + int(binary.LittleEndian.Uint16(b))
		}
		if n < 1 || n > len(b) {
			return
		}
		fn(mod, b[:n])
		b = b[n:]
	}
}

// plain is the formatting of characters and paragraphs without properties.
var plain docRun

// runAt returns the properties of a character.
func (x *binaryDoc) runAt(i int) *docRun {
	place := x.places[i]
	if x.run < len(x.characters) {
		if r := &x.characters[x.run]; r.start <= place && place < r.end {
			return r
		}
	}
	r, at := find(x.characters, place)
	x.run = at
	return r
}

// paragraphAt returns the properties of the paragraph that a character ends.
func (x *binaryDoc) paragraphAt(i int) *docRun {
	r, _ := find(x.paragraphs, x.places[i])
	return r
}

// find returns the run that a place is in, and its number.
func find(runs []docRun, place uint32) (*docRun, int) {
	i, exact := slices.BinarySearchFunc(runs, place, func(r docRun, place uint32) int { return cmp.Compare(r.start, place) })
	if !exact {
		i--
	}
	if i < 0 || place >= runs[i].end {
		return &plain, len(runs)
	}
	return &runs[i], i
}
