package media

import "fmt"

// audioBrands are the brands of ISO base media files that may hold nothing but
// sound. A file named for sound with another brand is not one.
var audioBrands = map[string]bool{"M4A ": true, "M4B ": true, "M4P ": true, "mp41": true, "mp42": true, "isom": true, "iso2": true, "iso5": true, "iso6": true, "dash": true}

// isAudioMP4 reports whether data begins with a file type box of a brand for
// sound.
func isAudioMP4(data []byte) bool {
	return len(data) >= 12 && beginsAt(4, "ftyp")(data) && audioBrands[string(data[8:12])]
}

// eachBox calls each for the boxes of a file or box (ISO/IEC 14496-12), and
// reports whether all of them are whole.
func eachBox(data []byte, each func(kind string, body []byte)) (whole bool) {
	for len(data) > 0 {
		head := uint64(8)
		if uint64(len(data)) < head {
			return false
		}
		size, kind := uint64(be.Uint32(data)), string(data[4:8])
		switch size {
		case 0: // to the end
			size = uint64(len(data))
		case 1:
			if head = 16; uint64(len(data)) < head {
				return false
			}
			size = be.Uint64(data[8:])
		}
		if size < head || size > uint64(len(data)) {
			return false
		}
		each(kind, data[head:size])
		data = data[size:]
	}
	return true
}

// findBoxes calls each for every box at the end of a path of kinds.
func findBoxes(data []byte, each func(body []byte), path ...string) {
	eachBox(data, func(kind string, body []byte) {
		switch {
		case kind != path[0]:
		case len(path) == 1:
			each(body)
		default:
			if kind == "meta" && len(body) >= 4 {
				body = body[4:] // version and flags
			}
			findBoxes(body, each, path[1:]...)
		}
	})
}

// readMP4 reads the movie header, the first track of sound and the tags.
func readMP4(data []byte, f *facts) {
	movie := false
	whole := eachBox(data, func(kind string, body []byte) { movie = movie || kind == "moov" })
	findBoxes(data, func(body []byte) { f.duration(movieDuration(body)) }, "moov", "mvhd")
	findBoxes(data, func(media []byte) {
		sound := false
		findBoxes(media, func(body []byte) { sound = sound || beginsAt(8, "soun")(body) }, "hdlr")
		if sound {
			findBoxes(media, func(body []byte) { readSamples(body, f) }, "minf", "stbl", "stsd")
		}
	}, "moov", "trak", "mdia")
	findBoxes(data, func(list []byte) {
		eachBox(list, func(kind string, body []byte) {
			findBoxes(body, func(value []byte) { readAtom(kind, value, f) }, "data")
		})
	}, "moov", "udta", "meta", "ilst")
	switch {
	case !whole:
		f.defect("the MP4 breaks off, or is damaged")
	case !movie:
		f.defect("the MP4 has no movie header")
	}
}

// movieDuration reads the duration of a movie header, and its unit.
func movieDuration(body []byte) (n, rate uint64) {
	switch {
	case len(body) >= 20 && body[0] == 0:
		return uint64(be.Uint32(body[16:])), uint64(be.Uint32(body[12:]))
	case len(body) >= 32 && body[0] == 1:
		return be.Uint64(body[24:]), uint64(be.Uint32(body[20:]))
	}
	return 0, 0
}

// readSamples reads the first entry of a table of sample descriptions: after a count, a box that
// begins with 8 bytes of its own and 8 more.
func readSamples(body []byte, f *facts) {
	const count = 8
	if len(body) < count {
		return
	}
	first := true
	eachBox(body[count:], func(_ string, entry []byte) {
		if first && len(entry) >= 28 {
			f.number("channels", uint64(be.Uint16(entry[16:])))
			f.number("sample_rate", uint64(be.Uint32(entry[24:])>>16))
		}
		first = false
	})
}

// atomKeys are the tags of iTunes that are kept.
var atomKeys = map[string]string{"\xA9nam": "title", "\xA9ART": "artist", "\xA9alb": "album", "\xA9day": "date"}

// readAtom reads one tag: its kind, a place, and its value.
func readAtom(kind string, value []byte, f *facts) {
	const head = 8
	if len(value) < head {
		return
	}
	value = value[head:]
	if key := atomKeys[kind]; key != "" {
		f.text(key, value)
	}
	if kind == "trkn" && len(value) >= 6 {
		switch track, of := be.Uint16(value[2:]), be.Uint16(value[4:]); {
		case track > 0 && of > 0:
			f.put("track", fmt.Sprintf("%d/%d", track, of))
		default:
			f.number("track", uint64(track))
		}
	}
}
