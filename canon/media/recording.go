package media

import (
	"bytes"
	"strings"
)

var recordings = []format{
	{"flac", "audio/flac", func(d []byte) bool { return beginsAt(0, "fLaC")(d[id3Len(d):]) }, readFLAC},
	{"wav", "audio/wav", func(d []byte) bool { return beginsAt(0, "RIFF")(d) && beginsAt(8, "WAVE")(d) }, readWAV},
	{"ogg", "audio/ogg", beginsAt(0, "OggS"), readOgg},
	{"mp4", "audio/mp4", isAudioMP4, readMP4},
	{"mp3", "audio/mpeg", isMP3, readMP3},
}

// readFLAC walks the metadata blocks (RFC 9639).
func readFLAC(data []byte, f *facts) {
	const streamInfo, comment = 0, 4
	readID3(data, f)
	for at, last := id3Len(data)+4, false; !last; {
		if at+4 > len(data) {
			f.defect("the FLAC breaks off in its header")
			return
		}
		kind, size := data[at]&0x7F, int(be.Uint32(data[at:])&0xFFFFFF)
		last = data[at]&0x80 != 0
		at += 4
		if size > len(data)-at {
			f.defect("the FLAC breaks off in its header")
			return
		}
		block := data[at : at+size]
		at += size
		switch {
		case kind == streamInfo && len(block) >= 18:
			bits := be.Uint64(block[10:]) // 20 of rate, 3 of channels, 5 of depth, 36 of samples
			f.number("sample_rate", bits>>44)
			f.number("channels", bits>>41&7+1)
			f.duration(bits&(1<<36-1), bits>>44)
		case kind == comment:
			readComments(block, f)
		}
	}
}

// commentKeys are the fields of Vorbis comments that are kept.
var commentKeys = map[string]string{"TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "DATE": "date", "TRACKNUMBER": "track"}

// readComments reads Vorbis comments: the vendor, their number, and each with
// its length before it.
func readComments(data []byte, f *facts) {
	next := func() ([]byte, bool) {
		if len(data) < 4 {
			return nil, false
		}
		n := int64(le.Uint32(data))
		if n > int64(len(data)-4) {
			return nil, false
		}
		value := data[4 : 4+n]
		data = data[4+n:]
		return value, true
	}
	if _, ok := next(); !ok || len(data) < 4 {
		f.defect("the comments break off")
		return
	}
	n := le.Uint32(data)
	data = data[4:]
	for range n {
		comment, ok := next()
		if !ok {
			f.defect("the comments break off")
			return
		}
		name, value, _ := bytes.Cut(comment, []byte{'='})
		if len(name) > len("TRACKNUMBER") {
			continue // a picture, perhaps
		}
		if key := commentKeys[strings.ToUpper(string(name))]; key != "" {
			f.text(key, value)
		}
	}
}

// infoKeys are the texts of a RIFF INFO list that are kept.
var infoKeys = map[string]string{"INAM": "title", "IART": "artist", "IPRD": "album", "ICRD": "date", "ITRK": "track"}

// readWAV walks the chunks of a RIFF file.
func readWAV(data []byte, f *facts) {
	var bytesPerSecond, sound uint64
	whole := eachChunk(data[12:], func(kind string, chunk []byte) {
		switch {
		case kind == "fmt " && len(chunk) >= 16:
			f.number("channels", uint64(le.Uint16(chunk[2:])))
			f.number("sample_rate", uint64(le.Uint32(chunk[4:])))
			bytesPerSecond = uint64(le.Uint32(chunk[8:]))
		case kind == "data":
			sound += uint64(len(chunk))
		case kind == "LIST" && beginsAt(0, "INFO")(chunk):
			eachChunk(chunk[4:], func(kind string, value []byte) {
				if key := infoKeys[kind]; key != "" {
					f.text(key, value)
				}
			})
		case kind == "id3 " || kind == "ID3 ":
			readID3(chunk, f)
		}
	})
	f.duration(sound, bytesPerSecond)
	if !whole {
		f.defect("the WAV breaks off, or is damaged")
	}
}
