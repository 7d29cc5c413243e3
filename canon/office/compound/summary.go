package compound

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf16"

	"muniment/canon/read"
)

// Properties of a document (MS-OLEPS, MS-OSHARED) that are read, and their types.
const (
	propertyPage   = 1
	propertyTitle  = 2
	propertyAuthor = 4
	propertyMade   = 12

	typeInt16 = 2
	typeBytes = 30 // a text in the code page of the set
	typeWide  = 31 // a text in UTF-16
	typeTime  = 64
)

// maxProperties is how many properties of a set are looked at; Office writes some
// twenty.
const maxProperties = 1000

// Summary returns the metadata of the document; a statement that cannot be read is left out.
func (f *File) Summary() read.Meta {
	var m read.Meta
	data, err := f.Read("SummaryInformation")
	if err != nil || len(data) < 48 {
		return m
	}
	at := binary.LittleEndian.Uint32(data[44:])
	if uint64(at)+8 > uint64(len(data)) {
		return m
	}
	set := data[at:]
	count := min(binary.LittleEndian.Uint32(set[4:]), maxProperties)
	values := map[uint32][]byte{}
	for i := range int(count) {
		entry := 8 + 8*i
		if entry+8 > len(set) {
			break
		}
		offset := binary.LittleEndian.Uint32(set[entry+4:])
		if uint64(offset)+8 <= uint64(len(set)) {
			values[binary.LittleEndian.Uint32(set[entry:])] = set[offset:]
		}
	}
	page := 1252
	if v := values[propertyPage]; v != nil && v[0] == typeInt16 {
		page = int(binary.LittleEndian.Uint16(v[4:]))
	}
	m.Title = read.Line(textOf(values[propertyTitle], page))
	for creator := range strings.SplitSeq(textOf(values[propertyAuthor], page), ";") {
		m.Creators = read.AddCreator(m.Creators, creator)
	}
	if v := values[propertyMade]; len(v) >= 12 && v[0] == typeTime {
		if at := FileTime(binary.LittleEndian.Uint64(v[4:])); !at.IsZero() {
			m.PublishedAt = at.Format(time.RFC3339)
		}
	}
	return m
}

// textOf returns the text of a property up to its first zero.
func textOf(v []byte, page int) string {
	if len(v) < 8 {
		return ""
	}
	length, data := uint64(binary.LittleEndian.Uint32(v[4:])), v[8:]
	switch v[0] {
	case typeBytes:
		text, _, _ := strings.Cut(string(data[:min(length, uint64(len(data)))]), "\x00")
		return read.DecodePage([]byte(text), page)
	case typeWide:
		text, _, _ := strings.Cut(Wide(data[:min(2*length, uint64(len(data)))]), "\x00")
		return text
	}
	return ""
}

// Wide returns the text of UTF-16, little end first.
func Wide(data []byte) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// FileTime returns the time of a count of 100 nanoseconds since 1601, to the second, or the zero
// time before 1900 or after 9999: nobody made a document then.
func FileTime(ticks uint64) time.Time {
	const perSecond, to1970 = 10_000_000, 11_644_473_600
	at := time.Unix(int64(ticks/perSecond)-to1970, 0).UTC()
	if at.Year() < 1900 || at.Year() > 9999 {
		return time.Time{}
	}
	return at
}
