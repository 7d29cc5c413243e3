package media

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

const id3Head = 10

// id3Keys are the frames of ID3v2.2 (three letters) and later that are kept.
var id3Keys = map[string]string{
	"TT2": "title", "TP1": "artist", "TAL": "album", "TYE": "date", "TRK": "track",
	"TIT2": "title", "TPE1": "artist", "TALB": "album", "TDRC": "date", "TYER": "date", "TRCK": "track",
}

// id3Len returns how long the ID3v2 tag is that data begin with, at most all
// of them.
func id3Len(data []byte) int {
	if len(data) < id3Head || !beginsAt(0, "ID3")(data) {
		return 0
	}
	n := id3Head + syncsafe(data[6:])
	if data[5]&0x10 != 0 {
		n += id3Head // a footer
	}
	return min(n, len(data))
}

// syncsafe reads four bytes of seven bits.
func syncsafe(b []byte) int {
	return int(b[0]&0x7F)<<21 | int(b[1]&0x7F)<<14 | int(b[2]&0x7F)<<7 | int(b[3]&0x7F)
}

// readID3 reads the ID3v2 tag that data begin with, of version 2, 3 or 4.
func readID3(data []byte, f *facts) {
	n := id3Len(data)
	if n == 0 {
		return
	}
	version, flags := data[3], data[5]
	if version < 2 || version > 4 {
		f.defect("the ID3 tag has the unknown version 2.%d", version)
		return
	}
	if n < id3Head+syncsafe(data[6:]) {
		f.defect("the ID3 tag breaks off")
	}
	body := data[id3Head:n]
	if flags&0x80 != 0 && version < 4 {
		body = resync(body)
	}
	if flags&0x40 != 0 && version > 2 {
		body = skipExtension(body, version)
	}
	for len(body) > 0 && body[0] != 0 { // zeros pad the tag
		var name string
		var value []byte
		var ok bool
		if name, value, body, ok = id3Frame(body, version); !ok {
			f.defect("the ID3 tag breaks off, or is damaged")
			return
		}
		if key := id3Keys[name]; key != "" {
			f.text(key, id3Text(value))
		}
	}
}

// skipExtension returns the body of a tag after its extended header.
func skipExtension(body []byte, version byte) []byte {
	if len(body) < 4 {
		return nil
	}
	n := int64(be.Uint32(body)) + 4
	if version == 4 {
		n = int64(syncsafe(body))
	}
	return body[min(n, int64(len(body))):]
}

// id3Frame splits the first frame off. The value of one that is compressed or
// encrypted is nil.
func id3Frame(body []byte, version byte) (name string, value, rest []byte, ok bool) {
	head, letters := 10, 4
	if version == 2 {
		head, letters = 6, 3
	}
	if len(body) < head {
		return "", nil, nil, false
	}
	var size int64
	var flags byte
	switch version {
	case 2:
		size = int64(body[3])<<16 | int64(body[4])<<8 | int64(body[5])
	case 3:
		size, flags = int64(be.Uint32(body[4:])), body[9]
	case 4:
		size, flags = int64(syncsafe(body[4:])), body[9]
	}
	if size > int64(len(body)-head) {
		return "", nil, nil, false
	}
	name, value, rest = string(body[:letters]), body[head:head+int(size)], body[head+int(size):]
	packed, grouped, resynced, measured := byte(0xC0), byte(0x20), byte(0), byte(0)
	if version == 4 {
		packed, grouped, resynced, measured = 0x0C, 0x40, 0x02, 0x01
	}
	skip := 0
	if flags&grouped != 0 {
		skip++
	}
	if flags&measured != 0 {
		skip += 4
	}
	if flags&packed != 0 || skip > len(value) {
		return name, nil, rest, true
	}
	if value = value[skip:]; flags&resynced != 0 {
		value = resync(value[:min(len(value), maxRaw)])
	}
	return name, value, rest, true
}

// resync undoes the zeros that keep a tag from looking like sound.
func resync(b []byte) []byte {
	return bytes.ReplaceAll(b, []byte{0xFF, 0x00}, []byte{0xFF})
}

// id3Text decodes a text frame. Several values have a zero between them.
func id3Text(value []byte) []byte {
	if len(value) == 0 {
		return nil
	}
	encoding, text := value[0], value[1:min(len(value), maxRaw)]
	var s string
	switch encoding {
	default:
		return nil
	case 0: // ISO 8859-1
		points := make([]rune, len(text))
		for i, c := range text {
			points[i] = rune(c)
		}
		s = string(points)
	case 1, 2: // UTF-16 with a mark, UTF-16BE
		little := encoding == 1 && beginsAt(0, "\xFF\xFE")(text)
		units := make([]uint16, len(text)/2)
		for i := range units {
			units[i] = be.Uint16(text[2*i:])
			if little {
				units[i] = le.Uint16(text[2*i:])
			}
		}
		s = string(utf16.Decode(units))
	case 3:
		s = string(text)
	}
	return []byte(strings.ReplaceAll(strings.TrimRight(s, "\x00"), "\x00", "; "))
}

// readID3v1 reads the 128 bytes at the end of a file, which say less than a
// tag at its beginning.
func readID3v1(data []byte, f *facts) {
	const size = 128
	if len(data) < size || !beginsAt(len(data)-size, "TAG")(data) {
		return
	}
	tag := data[len(data)-size:]
	for _, field := range []struct {
		key      string
		from, to int
	}{{"title", 3, 33}, {"artist", 33, 63}, {"album", 63, 93}, {"date", 93, 97}} {
		value, _, _ := bytes.Cut(tag[field.from:field.to], []byte{0})
		f.text(field.key, id3Text(append([]byte{0}, value...)))
	}
	if tag[125] == 0 {
		f.number("track", uint64(tag[126]))
	}
}
