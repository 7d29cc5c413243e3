package media

import (
	"bytes"
	"encoding/binary"
)

var (
	be = binary.BigEndian
	le = binary.LittleEndian
)

var pictures = []format{
	{"jpeg", "image/jpeg", beginsAt(0, "\xFF\xD8\xFF"), readJPEG},
	{"png", "image/png", beginsAt(0, "\x89PNG\r\n\x1A\n"), readPNG},
	{"gif", "image/gif", func(d []byte) bool { return beginsAt(0, "GIF87a")(d) || beginsAt(0, "GIF89a")(d) }, readGIF},
	{"webp", "image/webp", func(d []byte) bool { return beginsAt(0, "RIFF")(d) && beginsAt(8, "WEBP")(d) }, readWebP},
	{"tiff", "image/tiff", func(d []byte) bool { return beginsAt(0, "II*\x00")(d) || beginsAt(0, "MM\x00*")(d) }, readTIFF},
}

// size keeps the width and height of a picture, in pixels.
func (f *facts) size(width, height uint64) {
	f.number("width", width)
	f.number("height", height)
}

// readJPEG walks the segments up to the picture's data (ITU-T T.81, annex B).
func readJPEG(data []byte, f *facts) {
	const (
		eoi, sos, app1 = 0xD9, 0xDA, 0xE1
		exifHead       = "Exif\x00\x00"
		sofLen         = 5 // precision, height, width
	)
	for at := 2; ; {
		for at < len(data) && data[at] == 0xFF {
			at++
		}
		if at+3 > len(data) || data[at-1] != 0xFF {
			f.defect("the JPEG breaks off, or is damaged, in its header")
			return
		}
		marker, size := data[at], int(be.Uint16(data[at+1:]))
		if marker == eoi || marker == sos {
			break
		}
		if size < 2 || at+1+size > len(data) {
			f.defect("the JPEG breaks off, or is damaged, in its header")
			return
		}
		segment := data[at+3 : at+1+size]
		at += 1 + size
		switch {
		case marker == app1 && bytes.HasPrefix(segment, []byte(exifHead)):
			readExif(segment[len(exifHead):], f, false)
		case isSOF(marker) && len(segment) >= sofLen:
			f.size(uint64(be.Uint16(segment[3:])), uint64(be.Uint16(segment[1:])))
		}
	}
	if f.of["height"] == "" {
		f.defect("the JPEG does not give its size")
	}
}

// isSOF reports whether a marker begins a frame: DHT, JPG and DAC lie among
// those that do.
func isSOF(marker byte) bool {
	return 0xC0 <= marker && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
}

// readPNG walks the chunks (PNG Specification, third edition).
func readPNG(data []byte, f *facts) {
	const head, crc = 8, 4
	for at := 8; ; {
		if at+head > len(data) {
			f.defect("the PNG breaks off before its end")
			return
		}
		size, kind := int64(be.Uint32(data[at:])), string(data[at+4:at+head])
		if size > int64(len(data)-at-head-crc) {
			f.defect("the PNG breaks off, or is damaged, at byte %d", at)
			return
		}
		chunk := data[at+head : at+head+int(size)]
		at += head + int(size) + crc
		switch {
		case kind == "IHDR" && len(chunk) >= 8:
			f.size(uint64(be.Uint32(chunk)), uint64(be.Uint32(chunk[4:])))
		case kind == "eXIf":
			readExif(chunk, f, false)
		case kind == "IEND":
			return
		}
	}
}

// readGIF reads the size from the header and looks for the trailer.
func readGIF(data []byte, f *facts) {
	const head = 10
	if len(data) < head {
		f.defect("the GIF breaks off in its header")
		return
	}
	f.size(uint64(le.Uint16(data[6:])), uint64(le.Uint16(data[8:])))
	if data[len(data)-1] != ';' {
		f.defect("the GIF breaks off before its end")
	}
}

// readWebP walks the chunks (RFC 9649).
func readWebP(data []byte, f *facts) {
	whole := eachChunk(data[12:], func(kind string, chunk []byte) {
		switch {
		case kind == "VP8X" && len(chunk) >= 10:
			f.size(1+uint64(le.Uint32(chunk[4:])&0xFFFFFF), 1+uint64(le.Uint32(chunk[6:])>>8))
		case kind == "VP8 " && len(chunk) >= 10 && bytes.Equal(chunk[3:6], []byte{0x9D, 0x01, 0x2A}):
			f.size(uint64(le.Uint16(chunk[6:])&0x3FFF), uint64(le.Uint16(chunk[8:])&0x3FFF))
		case kind == "VP8L" && len(chunk) >= 5 && chunk[0] == 0x2F:
			bits := le.Uint32(chunk[1:])
			f.size(1+uint64(bits&0x3FFF), 1+uint64(bits>>14&0x3FFF))
		case kind == "EXIF":
			readExif(bytes.TrimPrefix(chunk, []byte("Exif\x00\x00")), f, false)
		}
	})
	if !whole {
		f.defect("the WebP breaks off, or is damaged")
	}
}

// eachChunk calls each for the chunks of a RIFF file or list, given without its
// head, and reports whether all of them are whole. The last is given as far as
// it goes.
func eachChunk(data []byte, each func(kind string, chunk []byte)) (whole bool) {
	const head = 8
	for at := 0; at < len(data); {
		if at+head > len(data) {
			return false
		}
		kind, size := string(data[at:at+4]), int64(le.Uint32(data[at+4:]))
		at += head
		if size > int64(len(data)-at) {
			each(kind, data[at:])
			return false
		}
		each(kind, data[at:at+int(size)])
		at += int(size + size&1) // chunks begin at even places
	}
	return true
}

// readTIFF reads the first directory of the picture and those below it.
func readTIFF(data []byte, f *facts) { readExif(data, f, true) }
