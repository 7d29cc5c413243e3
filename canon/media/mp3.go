package media

import "slices"

// kbits are the bit rates in kbit/s by version (MPEG 1, or 2 and 2.5), layer
// and index (ISO/IEC 11172-3 and 13818-3). 0 is not allowed or not known
// beforehand.
var kbits = [2][3][16]int{
	{
		{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0},
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0},
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
	},
	{
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
	},
}

// A frame is what the four bytes before some milliseconds of sound say.
type frame struct {
	version  int // 0 for MPEG 1, 1 for 2, 2 for 2.5
	layer    int // from 1
	rate     int
	channels int
	size     int // in bytes, with its head
	samples  int
}

// frameAt reads the head of a frame.
func frameAt(data []byte, at int) (frame, bool) {
	if at+4 > len(data) || data[at] != 0xFF || data[at+1]&0xE0 != 0xE0 {
		return frame{}, false
	}
	const reserved = -1
	version := [4]int{2, reserved, 1, 0}[data[at+1]>>3&3]
	f := frame{version: version, layer: 4 - int(data[at+1]>>1&3), channels: 2}
	rate := data[at+2] >> 2 & 3
	if version == reserved || f.layer == 4 || rate == 3 {
		return frame{}, false
	}
	f.rate = [3]int{44100, 48000, 32000}[rate] >> version
	bits := 1000 * kbits[min(version, 1)][f.layer-1][data[at+2]>>4]
	padding := int(data[at+2] >> 1 & 1)
	if data[at+3]>>6 == 3 {
		f.channels = 1
	}
	switch {
	case f.layer == 1:
		f.samples = 384
		f.size = (12*bits/f.rate + padding) * 4
	case f.layer == 3 && version > 0:
		f.samples = 576
		f.size = 72*bits/f.rate + padding
	default:
		f.samples = 1152
		f.size = 144*bits/f.rate + padding
	}
	return f, bits > 0
}

// confirmedFrame reports whether a frame begins here that is followed by another of its
// kind, or by the end. Four bytes alone often look like one.
func confirmedFrame(data []byte, at int) (frame, bool) {
	f, ok := frameAt(data, at)
	if !ok {
		return frame{}, false
	}
	if at+f.size == len(data) {
		return f, true
	}
	next, ok := frameAt(data, at+f.size)
	return f, ok && next.version == f.version && next.layer == f.layer && next.rate == f.rate
}

// maxSearch is the largest distance of the first frame from the tag. Some tags are longer than they
// say.
const maxSearch = 64 << 10

// firstFrame returns where the sound begins.
func firstFrame(data []byte) (int, bool) {
	from := id3Len(data)
	for at := from; at < min(len(data), from+maxSearch); at++ {
		if _, ok := confirmedFrame(data, at); ok {
			return at, true
		}
	}
	return 0, false
}

// isMP3 takes a tag for a recording whatever follows it.
func isMP3(data []byte) bool {
	_, ok := firstFrame(data)
	return ok || id3Len(data) > 0
}

// readMP3 counts frames. A count that the file states may be wrong after a cut;
// looking at four bytes of each costs next to nothing.
func readMP3(data []byte, f *facts) {
	readID3(data, f)
	readID3v1(data, f)
	at, ok := firstFrame(data)
	if !ok {
		f.defect("there is no sound behind the tag")
		return
	}
	first, _ := frameAt(data, at)
	f.number("sample_rate", uint64(first.rate))
	f.number("channels", uint64(first.channels))
	if statesCount(data[at:min(at+first.size, len(data))]) {
		at += first.size
	}
	samples := uint64(0)
	for at < len(data) {
		current, ok := frameAt(data, at)
		if ok && current.rate == first.rate && at+current.size <= len(data) {
			samples += uint64(current.samples)
			at += current.size
			continue
		}
		if isTail(data[at:]) {
			break
		}
		f.defect("the MP3 breaks off, or is damaged, at byte %d", at)
		for at++; at < len(data); at++ {
			if next, ok := confirmedFrame(data, at); ok && next.rate == first.rate {
				break
			}
		}
	}
	f.duration(samples, uint64(first.rate))
}

// statesCount reports whether a frame holds no sound but the file's length,
// as variable bit rates need.
func statesCount(frame []byte) bool {
	for _, at := range []int{13, 21, 36} { // behind the side information of 9, 17 or 32 bytes
		if beginsAt(at, "Xing")(frame) || beginsAt(at, "Info")(frame) {
			return true
		}
	}
	return beginsAt(36, "VBRI")(frame)
}

// isTail reports whether no sound follows: a tag, or nothing but zeros.
func isTail(rest []byte) bool {
	for _, head := range []string{"TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI"} {
		if beginsAt(0, head)(rest) {
			return true
		}
	}
	return !slices.ContainsFunc(rest, func(c byte) bool { return c != 0 })
}
