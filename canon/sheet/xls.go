package sheet

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"

	"muniment/canon/office/compound"
	"muniment/canon/read"
)

// XlsName is the name and version of the form of workbooks of Excel 5 to 2003.
const XlsName = "xls@1"

// Records (MS-XLS 2.4) that are read.
const (
	recFormula    = 0x0006
	recEnd        = 0x000A
	recDateMode   = 0x0022
	recEncrypted  = 0x002F
	recContinue   = 0x003C
	recCodePage   = 0x0042
	recSheet      = 0x0085
	recNumbers    = 0x00BD
	recRichText   = 0x00D6
	recCellFormat = 0x00E0
	recTexts      = 0x00FC
	recTextNumber = 0x00FD
	recNumber     = 0x0203
	recText       = 0x0204
	recTruth      = 0x0205
	recResult     = 0x0207
	recShort      = 0x027E
	recFormat     = 0x041E
	recBegin      = 0x0809

	excel97 = 0x0600
	excel5  = 0x0500
)

// maxXlsColumns is the number of columns of a sheet before 2007.
const maxXlsColumns = 256

var errXls = errors.New("the workbook is damaged: a record does not fit it")

// Xls returns the reader of xls@1: workbooks of Excel 5 to 2003.
func Xls() read.Reader {
	return read.Reader{
		Name:       XlsName,
		MediaTypes: []string{"application/vnd.ms-excel"},
		Extensions: []string{".xls", ".xlt"},
		Begins:     compound.Begins,
		Read: func(in read.Input) (read.Form, error) {
			b := &book{counts: map[string]int{}}
			if err := readXls(in.Data, b); err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", XlsName, err)
			}
			return b.form(XlsName), nil
		},
	}
}

// An xls is what the cells of a workbook refer to.
type xls struct {
	*book
	data    []byte
	read    int  // bytes of sheets
	wide    bool // since Excel 97: texts say in how many bytes each character is
	page    int  // the code page of the others
	in1904  bool
	texts   []string
	codes   map[uint16]string // of formats
	formats []uint16          // of cells
	sheets  []xlsSheet
}

// An xlsSheet is a sheet as the workbook lists it.
type xlsSheet struct {
	name string
	at   int // in the stream
}

// A record is one of the stream, without those that continue it.
type record struct {
	kind int
	data []byte
	next int // where the one behind it begins
}

// record returns the record at a place.
func (x *xls) record(at int) (record, error) {
	if at < 0 || at+4 > len(x.data) {
		return record{}, errXls
	}
	kind, length := int(binary.LittleEndian.Uint16(x.data[at:])), int(binary.LittleEndian.Uint16(x.data[at+2:]))
	end := at + 4 + length
	if end > len(x.data) {
		return record{}, errXls
	}
	return record{kind, x.data[at+4 : end], end}, nil
}

// readXls writes the sheets of a workbook in their order.
func readXls(data []byte, b *book) error {
	f, err := compound.Open(data)
	if err != nil {
		return err
	}
	name := "Workbook"
	if !f.Has(name) {
		name = "Book"
	}
	x := &xls{book: b, codes: map[uint16]string{}, page: 1252}
	if x.data, err = f.Read(name); err != nil {
		return err
	}
	if err := x.readGlobals(); err != nil {
		return err
	}
	b.source = f.Summary()
	b.charset = read.CodePageName(x.page) + " declared"
	if x.wide {
		b.charset = "utf-16le declared"
	}
	for _, s := range x.sheets {
		b.sheet(s.name)
		if err := x.readXlsSheet(s.at); err != nil {
			return err
		}
	}
	return nil
}

// readGlobals reads the records before the sheets.
func (x *xls) readGlobals() error {
	r, err := x.record(0)
	switch {
	case err != nil:
		return err
	case r.kind != recBegin || len(r.data) < 4:
		return errors.New("the workbook does not begin as one of Excel 5 to 2003")
	}
	switch v := binary.LittleEndian.Uint16(r.data); v {
	case excel97:
		x.wide = true
	case excel5:
	default:
		return fmt.Errorf("the workbook is in version %x of the format, which is not read", v)
	}
	for r.kind != recEnd {
		if r, err = x.record(r.next); err != nil {
			return err
		}
		d := r.data
		switch {
		case r.kind == recEncrypted:
			return errors.New("the workbook is encrypted with a password")
		case r.kind == recCodePage && len(d) >= 2:
			x.page = int(binary.LittleEndian.Uint16(d))
		case r.kind == recDateMode && len(d) >= 2:
			x.in1904 = d[0] == 1
		case r.kind == recCellFormat && len(d) >= 4:
			x.formats = append(x.formats, binary.LittleEndian.Uint16(d[2:]))
		case r.kind == recFormat && len(d) >= 2:
			x.codes[binary.LittleEndian.Uint16(d)], err = x.text(d[2:], x.wide)
		case r.kind == recSheet && len(d) >= 6:
			err = x.listSheet(d)
		case r.kind == recTexts:
			err = x.readTexts(&r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listSheet notes a sheet of cells; charts and macros are none.
func (x *xls) listSheet(d []byte) error {
	if d[5] != 0 {
		return nil
	}
	name, err := x.text(d[6:], false)
	if d[4]&3 != 0 {
		x.counts["hidden_sheets"]++
	}
	x.sheets = append(x.sheets, xlsSheet{name, int(binary.LittleEndian.Uint32(d))})
	return err
}

// text returns a text that begins with its length, in two bytes if long.
func (x *xls) text(d []byte, long bool) (string, error) {
	length := 0
	switch {
	case long && len(d) >= 2:
		length, d = int(binary.LittleEndian.Uint16(d)), d[2:]
	case !long && len(d) >= 1:
		length, d = int(d[0]), d[1:]
	default:
		return "", errXls
	}
	if !x.wide {
		if length > len(d) {
			return "", errXls
		}
		return read.DecodePage(d[:length], x.page), nil
	}
	c := &continued{parts: [][]byte{d}}
	return c.text(length)
}

// readTexts reads the shared texts, which run on over the records that continue them.
func (x *xls) readTexts(r *record) error {
	c := &continued{parts: [][]byte{r.data}}
	for {
		next, err := x.record(r.next)
		if err != nil || next.kind != recContinue {
			break
		}
		c.parts = append(c.parts, next.data)
		r.next = next.next
	}
	if _, err := c.bytes(4); err != nil {
		return err
	}
	n, err := c.bytes(4)
	if err != nil {
		return err
	}
	for range binary.LittleEndian.Uint32(n) {
		head, err := c.bytes(2)
		if err != nil {
			return err
		}
		text, err := c.text(int(binary.LittleEndian.Uint16(head)))
		if err != nil {
			return err
		}
		x.texts = append(x.texts, text)
	}
	return nil
}

// A continued reads what runs over several records.
type continued struct {
	parts [][]byte
	at    int // in the first of them
}

// bytes returns the next n bytes.
func (c *continued) bytes(n int) ([]byte, error) {
	var out []byte
	for len(out) < n {
		if len(c.parts) == 0 {
			return nil, errXls
		}
		rest := c.parts[0][c.at:]
		take := min(n-len(out), len(rest))
		if out = append(out, rest[:take]...); take == len(rest) {
			c.parts, c.at = c.parts[1:], 0
		} else {
			c.at += take
		}
	}
	return out, nil
}

// text returns a text of length characters after its flags, which are repeated where it continues
// in another record. Formatting and phonetic data are skipped.
func (c *continued) text(length int) (string, error) {
	const wide, phonetic, rich = 1, 4, 8
	head, err := c.bytes(1)
	if err != nil {
		return "", err
	}
	flags, behind := head[0], 0
	if flags&rich != 0 {
		n, err := c.bytes(2)
		if err != nil {
			return "", err
		}
		behind = 4 * int(binary.LittleEndian.Uint16(n))
	}
	if flags&phonetic != 0 {
		n, err := c.bytes(4)
		if err != nil {
			return "", err
		}
		behind += int(binary.LittleEndian.Uint32(n))
	}
	var units []uint16
	for parts := len(c.parts); len(units) < length; parts = len(c.parts) {
		width := 1 + int(flags&wide)
		if parts == 0 {
			return "", errXls
		}
		n := min(length-len(units), (len(c.parts[0])-c.at)/width)
		data, err := c.bytes(n * width)
		if err != nil {
			return "", err
		}
		for i := range n {
			u := uint16(data[i*width])
			if width == 2 {
				u |= uint16(data[2*i+1]) << 8
			}
			units = append(units, u)
		}
		if len(units) == length {
			break
		}
		if len(c.parts) == parts { // a character cut in two
			return "", errXls
		}
		if head, err = c.bytes(1); err != nil {
			return "", err
		}
		flags = flags&^wide | head[0]&wide
	}
	if behind > len(c.parts)*maxCell {
		return "", errXls
	}
	_, err = c.bytes(behind)
	return string(utf16.Decode(units)), err
}

// An xlsSheetReader gathers the cells of one sheet.
type xlsSheetReader struct {
	*xls
	rows   map[int]map[int]string
	result [2]int // row and column of the formula whose text follows
}

// readXlsSheet writes the rows of a sheet.
func (x *xls) readXlsSheet(at int) error {
	s := xlsSheetReader{xls: x, rows: map[int]map[int]string{}}
	depth := 0 // charts lie within a sheet, each between a beginning and an end
	for first := true; first || depth > 0; first = false {
		r, err := x.record(at)
		if err != nil {
			return err
		}
		at = r.next
		switch x.read += 4 + len(r.data); { // sheets that overlap are damaged
		case x.read > len(x.data):
			return errXls
		case r.kind == recBegin:
			depth++
		case first:
			return errXls
		case r.kind == recEnd:
			depth--
		case depth == 1:
			err = s.cell(r.kind, r.data)
		}
		if err != nil {
			return err
		}
	}
	for _, row := range slices.Sorted(maps.Keys(s.rows)) {
		columns := s.rows[row]
		cells := make([]string, slices.Max(slices.Collect(maps.Keys(columns)))+1)
		for c, text := range columns {
			cells[c] = text
		}
		if err := x.row(row+1, cells); err != nil {
			return err
		}
	}
	return nil
}

// put keeps the text of a cell.
func (s *xlsSheetReader) put(row, column int, text string) {
	if s.rows[row] == nil {
		s.rows[row] = map[int]string{}
	}
	s.rows[row][column] = text
}

// cell reads the cells of a record.
func (s *xlsSheetReader) cell(kind int, d []byte) (err error) {
	if kind == recResult {
		text, err := s.text(d, true)
		s.put(s.result[0], s.result[1], text)
		return err
	}
	if len(d) < 8 {
		return nil
	}
	row, column, format := int(binary.LittleEndian.Uint16(d)), int(binary.LittleEndian.Uint16(d[2:])), binary.LittleEndian.Uint16(d[4:])
	if column >= maxXlsColumns {
		return nil
	}
	text := ""
	switch {
	case kind == recNumber && len(d) >= 14:
		text = s.number(math.Float64frombits(binary.LittleEndian.Uint64(d[6:])), format)
	case kind == recShort && len(d) >= 10:
		text = s.number(shortNumber(binary.LittleEndian.Uint32(d[6:])), format)
	case kind == recNumbers:
		for d = d[4:]; len(d) >= 8 && column < maxXlsColumns; d, column = d[6:], column+1 {
			s.put(row, column, s.number(shortNumber(binary.LittleEndian.Uint32(d[2:])), binary.LittleEndian.Uint16(d)))
		}
		return nil
	case kind == recTextNumber && len(d) >= 10:
		n := binary.LittleEndian.Uint32(d[6:])
		if uint64(n) >= uint64(len(s.texts)) {
			return errors.New("a cell refers to a text that is not there")
		}
		text = s.texts[n]
	case kind == recText || kind == recRichText:
		text, err = s.text(d[6:], true)
	case kind == recTruth:
		text = truth(d[6], d[7] != 0)
	case kind == recFormula && len(d) >= 14:
		s.counts["formulas"]++
		text = s.formula(d[6:14], row, column, format)
	default:
		return nil
	}
	s.put(row, column, text)
	return err
}

// formula returns the value that was computed last. A text stands in a record behind it.
func (s *xlsSheetReader) formula(v []byte, row, column int, format uint16) string {
	if binary.LittleEndian.Uint16(v[6:]) != 0xFFFF {
		return s.number(math.Float64frombits(binary.LittleEndian.Uint64(v)), format)
	}
	switch v[0] {
	case 0:
		s.result = [2]int{row, column}
	case 1, 2:
		return truth(v[2], v[0] == 2)
	}
	return ""
}

// truth returns true, false or the name of an error.
func truth(v byte, isError bool) string {
	if isError {
		name := map[byte]string{0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}[v]
		name = cmp.Or(name, "#ERROR")
		return name
	}
	if v == 1 {
		return "TRUE"
	}
	return "FALSE"
}

// number returns a number, or the date that its format shows, as in xlsx@1.
func (x *xls) number(v float64, format uint16) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if len(text) > 21 {
		text = strconv.FormatFloat(v, 'E', -1, 64)
	}
	if int(format) < len(x.formats) {
		if id := x.formats[format]; isDateFormat(strconv.Itoa(int(id)), x.codes[id]) {
			return formatSerial(text, x.in1904)
		}
	}
	return text
}

// shortNumber returns a number kept in four bytes: a whole one or the upper half of
// another, and perhaps its hundredth.
func shortNumber(v uint32) float64 {
	n := float64(int32(v) >> 2)
	if v&2 == 0 {
		n = math.Float64frombits(uint64(v&^3) << 32)
	}
	if v&1 != 0 {
		n /= 100
	}
	return n
}
