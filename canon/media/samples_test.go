package media

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"unicode/utf16"
)

// The smallest files that have everything that is read. Pictures are 3 by 2.

func u16(n int) string { return string(be.AppendUint16(nil, uint16(n))) }
func u32(n int) string { return string(be.AppendUint32(nil, uint32(n))) }
func l16(n int) string { return string(le.AppendUint16(nil, uint16(n))) }
func l32(n int) string { return string(le.AppendUint32(nil, uint32(n))) }
func l64(n int) string { return string(le.AppendUint64(nil, uint64(n))) }

// An entry of a directory. Its value is a string, a number or the entries of
// another directory.
type entry struct {
	tag   int
	value any
}

// tiff writes directories one behind the other. An entry whose value is a
// []entry points to another directory.
func tiff(order binary.AppendByteOrder, entries ...entry) string {
	head := "II*\x00"
	if order == binary.AppendByteOrder(be) {
		head = "MM\x00*"
	}
	out := order.AppendUint32([]byte(head), 8)
	return string(directoryOf(out, order, entries))
}

func directoryOf(out []byte, order binary.AppendByteOrder, entries []entry) []byte {
	table := order.AppendUint16(nil, uint16(len(entries)))
	behind := len(out) + 2 + entrySize*len(entries) + 4
	var values []byte
	for _, e := range entries {
		table = order.AppendUint16(table, uint16(e.tag))
		switch v := e.value.(type) {
		case string:
			table = order.AppendUint32(order.AppendUint16(table, 2), uint32(len(v)+1))
			if v += "\x00"; len(v) <= inlineLength {
				table = append(table, (v + "\x00\x00\x00\x00")[:inlineLength]...)
			} else {
				table = order.AppendUint32(table, uint32(behind+len(values)))
				values = append(values, v...)
			}
		case int:
			table = order.AppendUint32(order.AppendUint16(table, 3), 1)
			table = append(order.AppendUint16(table, uint16(v)), 0, 0)
		case []entry:
			table = order.AppendUint32(order.AppendUint16(table, 4), 1)
			table = order.AppendUint32(table, uint32(behind+len(values)))
			at := make([]byte, behind+len(values))
			values = append(values, directoryOf(at, order, v)[len(at):]...)
		}
	}
	return append(append(append(out, table...), 0, 0, 0, 0), values...)
}

func exifEntries() []entry {
	return []entry{
		{tagWidth, 3}, {tagHeight, 2},
		{tagMake, "Pepys & Co "}, {tagModel, "M1"}, {tagOrientation, 6}, {tagChanged, "2011:03:09 00:00:00"}, {tagArtist, "S. Pepys"},
		{tagExif, []entry{{tagTaken, "2011:03:02 10:11:12"}, {tagTakenZone, "+01:00"}}},
		{tagGPS, []entry{{1, "N"}, {tagLatitude, 51}}},
	}
}

func picture() image.Image {
	m := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.White, color.Black})
	m.SetColorIndex(1, 1, 1)
	return m
}

func jpegFile(exif string) string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture(), nil); err != nil {
		panic(err)
	}
	app1 := ""
	if exif != "" {
		app1 = "\xFF\xE1" + u16(len(exif)+8) + "Exif\x00\x00" + exif
	}
	return b.String()[:2] + app1 + b.String()[2:]
}

func pngFile(exif string) string {
	var b bytes.Buffer
	if err := png.Encode(&b, picture()); err != nil {
		panic(err)
	}
	const head = 8 + 8 + 13 + 4 // signature and IHDR
	chunk := "eXIf" + exif
	return b.String()[:head] + u32(len(exif)) + chunk + u32(int(crc32.ChecksumIEEE([]byte(chunk)))) + b.String()[head:]
}

func gifFile() string {
	var b bytes.Buffer
	if err := gif.Encode(&b, picture(), nil); err != nil {
		panic(err)
	}
	return b.String()
}

// riffFile writes chunks of kind and value in turn.
func riffFile(kind string, chunks ...string) string {
	body := kind + riffList(chunks...)
	return "RIFF" + l32(len(body)) + body
}

func riffList(chunks ...string) string {
	var out strings.Builder
	for i := 0; i < len(chunks); i += 2 {
		out.WriteString(chunks[i] + l32(len(chunks[i+1])) + chunks[i+1])
		if len(chunks[i+1])%2 == 1 {
			out.WriteByte(0)
		}
	}
	return out.String()
}

func webpFile() string {
	return riffFile("WEBP", "VP8X", "\x08\x00\x00\x00\x02\x00\x00\x01\x00\x00", "VP8 ", "\x00\x00\x00\x9D\x01\x2A\x03\x00\x02\x00", "EXIF", tiff(le, exifEntries()...))
}

// silence is a number of MPEG 1 layer III frames of 128 kbit/s at 44100 Hz in
// stereo, 1152 samples in 417 bytes each.
func silence(frames int) string {
	return strings.Repeat("\xFF\xFB\x90\x00"+strings.Repeat("\x00", 413), frames)
}

func id3(version byte, frames ...string) string {
	body := strings.Join(frames, "") + strings.Repeat("\x00", 20)
	n := len(body)
	return "ID3" + string([]byte{version, 0, 0, byte(n >> 21), byte(n >> 14 & 0x7F), byte(n >> 7 & 0x7F), byte(n & 0x7F)}) + body
}

func frame3(name, value string) string { return name + u32(len(value)) + "\x00\x00" + value }

func utf16Text(s string) string {
	out := []byte{1, 0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		out = le.AppendUint16(out, u)
	}
	return string(out)
}

func mp3File() string {
	return id3(3, frame3("TIT2", utf16Text("Zürich")), frame3("TPE1", "\x00Andr\xE9"), frame3("TALB", "\x03Walks"),
		frame3("TYER", "\x001911"), frame3("TRCK", "\x003/12"), frame3("APIC", "\x00picture")) + silence(100)
}

func comments(fields ...string) string {
	out := l32(4) + "test" + l32(len(fields))
	for _, field := range fields {
		out += l32(len(field)) + field
	}
	return out
}

var vorbisFields = []string{"title=Zürich", "ARTIST=André", "Album=Walks", "DATE=1911-03-03", "TRACKNUMBER=3", "METADATA_BLOCK_PICTURE=xxxx"}

func flacFile() string {
	// 20 bits of rate, 3 of channels less one, 5 of depth less one, 36 of samples.
	info := "\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00" + string(be.AppendUint64(nil, 44100<<44|1<<41|15<<36|441000)) + strings.Repeat("\x00", 16)
	list := comments(vorbisFields...)
	return "fLaC\x00" + u32(len(info))[1:] + info + "\x84" + u32(len(list))[1:] + list + "\xFF\xF8"
}

func wavFile() string {
	format := l16(1) + l16(2) + l32(8000) + l32(32000) + l16(4) + l16(16)
	info := "INFO" + riffList("INAM", "Zurich\x00", "IART", "Andre\x00", "IPRD", "Walks", "ICRD", "1911", "ITRK", "3")
	return riffFile("WAVE", "fmt ", format, "LIST", info, "data", strings.Repeat("\x00", 48000))
}

func oggPage(serial, sequence, position int, packets ...string) string {
	var table, body strings.Builder
	for _, p := range packets {
		for n := len(p); ; n -= 255 {
			if n < 255 {
				table.WriteByte(byte(n))
				break
			}
			table.WriteByte(255)
		}
		body.WriteString(p)
	}
	return "OggS\x00\x00" + l64(position) + l32(serial) + l32(sequence) + l32(0) + string([]byte{byte(table.Len())}) + table.String() + body.String()
}

func vorbisFile() string {
	id := "\x01vorbis" + l32(0) + "\x02" + l32(44100) + strings.Repeat("\x00", 13) + "\x01"
	return oggPage(7, 0, 0, id) + oggPage(7, 1, 0, "\x03vorbis"+comments(vorbisFields...)+"\x01", "\x05vorbis"+strings.Repeat("x", 600)) +
		oggPage(8, 0, 99_999_999, "other") + oggPage(7, 2, 441_000, "sound")
}

func opusFile() string {
	id := "OpusHead\x01\x02" + l16(312) + l32(44100) + "\x00\x00\x00"
	return oggPage(7, 0, 0, id) + oggPage(7, 1, 0, "OpusTags"+comments(vorbisFields...)) + oggPage(7, 2, 48312, "sound")
}

func box(kind string, bodies ...string) string {
	body := strings.Join(bodies, "")
	return u32(len(body)+8) + kind + body
}

func m4aFile() string {
	data := func(value string) string { return box("data", "\x00\x00\x00\x01\x00\x00\x00\x00", value) }
	mvhd := box("mvhd", u32(0), u32(0), u32(0), u32(600), u32(6150), strings.Repeat("\x00", 80))
	sample := box("mp4a", strings.Repeat("\x00", 16), u16(2), u16(16), u32(0), u32(44100<<16))
	trak := box("trak", box("mdia", box("hdlr", u32(0), u32(0), "soun", strings.Repeat("\x00", 13)), box("minf", box("stbl", box("stsd", u32(0), u32(1), sample)))))
	ilst := box("ilst", box("\xA9nam", data("Zürich")), box("\xA9ART", data("André")), box("\xA9alb", data("Walks")),
		box("\xA9day", data("1911-03-03T07:00:00Z")), box("trkn", data("\x00\x00\x00\x03\x00\x0C\x00\x00")))
	return box("ftyp", "M4A ", u32(0), "M4A mp42") + box("moov", mvhd, trak, box("udta", box("meta", u32(0), ilst))) + box("mdat", "sound")
}

// duration are the files by name.
var samples = map[string]string{
	"jpeg": jpegFile(tiff(be, exifEntries()...)), "png": pngFile(tiff(le, exifEntries()...)), "gif": gifFile(), "webp": webpFile(),
	"tiff": tiff(le, exifEntries()...), "mp3": mp3File(), "flac": flacFile(), "wav": wavFile(), "ogg": vorbisFile(), "opus": opusFile(), "m4a": m4aFile(),
}
