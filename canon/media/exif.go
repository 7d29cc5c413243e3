package media

import (
	"encoding/binary"
	"regexp"
	"time"
)

// Tags of TIFF 6.0 and EXIF 2.32.
const (
	tagWidth, tagHeight     = 0x0100, 0x0101
	tagMake, tagModel       = 0x010F, 0x0110
	tagOrientation          = 0x0112
	tagChanged              = 0x0132
	tagArtist               = 0x013B
	tagExif, tagGPS         = 0x8769, 0x8825
	tagTaken, tagTakenZone  = 0x9003, 0x9011
	tagChangedZone          = 0x9010
	tagLatitude             = 0x0002
	entrySize, inlineLength = 12, 4
)

// A directory is the entries of an IFD by tag.
type directory struct {
	data    []byte // of the whole TIFF structure
	order   binary.ByteOrder
	entries map[uint16][]byte // each the twelve bytes of an entry
}

// readExif reads a TIFF structure: its first directory, and the EXIF and GPS
// directories that this points to. No other is followed, so that no chain of
// them can be long. With whole the structure is the picture itself. Only the
// first structure of a picture counts.
func readExif(data []byte, f *facts, whole bool) {
	if f.exif {
		return
	}
	f.exif = true
	const head = 8
	order, ok := byteOrder(data)
	if !ok || len(data) < head {
		f.defect("the EXIF data have no header")
		return
	}
	main, ok := readDirectory(data, order, order.Uint32(data[4:]))
	if !ok {
		f.defect("the EXIF data break off, or are damaged")
	}
	if whole {
		f.size(main.number(tagWidth), main.number(tagHeight))
	}
	f.text("camera_make", main.text(tagMake))
	f.text("camera_model", main.text(tagModel))
	if n := main.number(tagOrientation); n <= 8 {
		f.number("orientation", n)
	}
	f.artist = cleanText(main.text(tagArtist))
	exif, ok := main.follow(tagExif)
	if !ok {
		f.defect("the EXIF data break off, or are damaged")
	}
	f.put("exif_time", exifTime(exif.text(tagTaken), exif.text(tagTakenZone)))
	f.put("exif_time", exifTime(main.text(tagChanged), exif.text(tagChangedZone)))
	if gps, _ := main.follow(tagGPS); gps.entries[tagLatitude] != nil {
		f.put("gps", "present")
	}
}

// byteOrder returns the byte order that a TIFF header states.
func byteOrder(data []byte) (binary.ByteOrder, bool) {
	switch {
	case beginsAt(0, "II*\x00")(data):
		return le, true
	case beginsAt(0, "MM\x00*")(data):
		return be, true
	}
	return nil, false
}

// readDirectory reads the directory at an offset as far as it is there.
func readDirectory(data []byte, order binary.ByteOrder, offset uint32) (directory, bool) {
	d := directory{data, order, map[uint16][]byte{}}
	if int64(offset)+2 > int64(len(data)) {
		return d, false
	}
	rest := data[offset:]
	n := int(order.Uint16(rest))
	rest = rest[2:]
	for range n {
		if len(rest) < entrySize {
			return d, false
		}
		if tag := order.Uint16(rest); d.entries[tag] == nil {
			d.entries[tag] = rest[:entrySize]
		}
		rest = rest[entrySize:]
	}
	return d, true
}

// follow reads the directory that an entry points to; one that is not there is
// empty.
func (d directory) follow(tag uint16) (directory, bool) {
	if d.entries[tag] == nil {
		return directory{}, true
	}
	return readDirectory(d.data, d.order, uint32(d.number(tag)))
}

// number returns the first value of an entry of SHORT or LONG, or 0.
func (d directory) number(tag uint16) uint64 {
	const short, long = 3, 4
	e := d.entries[tag]
	if e == nil {
		return 0
	}
	switch d.order.Uint16(e[2:]) {
	case short:
		return uint64(d.order.Uint16(e[8:]))
	case long:
		return uint64(d.order.Uint32(e[8:]))
	}
	return 0
}

// text returns the value of an entry of ASCII, or nil.
func (d directory) text(tag uint16) []byte {
	const ascii = 2
	e := d.entries[tag]
	if e == nil || d.order.Uint16(e[2:]) != ascii {
		return nil
	}
	n := int64(d.order.Uint32(e[4:]))
	if n <= inlineLength {
		return e[8 : 8+n]
	}
	at := int64(d.order.Uint32(e[8:]))
	if n > maxRaw || at+n > int64(len(d.data)) {
		return nil
	}
	return d.data[at : at+n]
}

var zonePattern = regexp.MustCompile(`^[+-][01][0-9]:[0-5][0-9]$`)

// exifTime returns a time of EXIF in the form of RFC 3339, without a zone where
// none is given, or "". Cameras whose clock was not set write zeros.
func exifTime(value, offset []byte) string {
	at, err := time.Parse("2006:01:02 15:04:05", cleanText(value))
	if err != nil || at.Year() == 0 {
		return ""
	}
	s := at.Format("2006-01-02T15:04:05")
	if z := cleanText(offset); zonePattern.MatchString(z) {
		s += z
	}
	return s
}
