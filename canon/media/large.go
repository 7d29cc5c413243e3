package media

import (
	"bytes"
	"errors"
	"io"

	"muniment/canon"
	"muniment/canon/read"
)

// Limits of what is read from a recording that is not in memory. Its facts are
// in its head and tail, or in boxes that say how long they are.
const (
	maxHead  = 1 << 20   // what comes before the sound
	maxTail  = 128 << 10 // of an Ogg file: more than its last page, which has 64 KiB
	maxMovie = 16 << 20  // the header of an MP4 file: some ten hours
	maxChunk = 1 << 20   // a chunk of a WAV file other than the sound
	maxWalk  = 10_000    // boxes or chunks of a file
)

// describe reads the facts of a recording of size bytes, of which only a few
// are looked at. Sound is not counted: the duration of an MP3 is what its first
// frame states.
func describe(r io.ReaderAt, size int64) (read.Form, error) {
	l := large{r, size}
	head := l.readAt(0, maxHead)
	for _, format := range recordings {
		if !format.begins(head) {
			continue
		}
		f := &facts{of: map[string]string{"format": format.name}}
		switch format.name {
		case "wav":
			l.wav(f)
		case "mp4":
			l.mp4(f)
		case "ogg":
			readOgg(append(wholePages(head), l.lastPage()...), f)
		case "mp3":
			l.mp3(head, f)
		default:
			format.read(head, f)
		}
		return read.Form{MediaType: format.mediaType, Canonicalizer: canon.BytesForm, Reason: "a recording is kept by its bytes",
			Facts: f.of, Source: f.source()}, nil
	}
	return read.Form{}, errors.New("the bytes are not those of a recording in a known format")
}

// large is a file that is read in places.
type large struct {
	r    io.ReaderAt
	size int64
}

// readAt returns n bytes, or as many as there are.
func (l large) readAt(at, n int64) []byte {
	if at < 0 || at >= l.size {
		return nil
	}
	b := make([]byte, min(n, l.size-at))
	got, _ := l.r.ReadAt(b, at) // what cannot be read is not there, and shows as a defect
	return b[:got]
}

// wav walks the chunks and reads all but the sound.
func (l large) wav(f *facts) {
	const head = 8
	var kept []byte // a file of the small chunks alone
	var sound, bytesPerSecond uint64
	whole := true
	for at, n := int64(12), 0; at < l.size && n < maxWalk; n++ {
		h := l.readAt(at, head)
		if len(h) < head {
			whole = false
			break
		}
		kind, size := string(h[:4]), int64(le.Uint32(h[4:]))
		at += head
		if size > l.size-at {
			size, whole = l.size-at, false
		}
		switch {
		case kind == "data":
			sound += uint64(size)
		case size <= maxChunk:
			body := l.readAt(at, size)
			if kind == "fmt " && len(body) >= 16 {
				bytesPerSecond = uint64(le.Uint32(body[8:]))
			}
			kept = append(append(kept, h...), body...)
			kept = append(kept, make([]byte, size&1)...)
		}
		at += size + size&1
	}
	f.duration(sound, bytesPerSecond)
	readWAV(append([]byte("RIFF\x00\x00\x00\x00WAVE"), kept...), f)
	if !whole {
		f.defect("the WAV breaks off, or is damaged")
	}
}

// mp4 walks the boxes to the movie header and reads that.
func (l large) mp4(f *facts) {
	var movie []byte
	at := int64(0)
	for n := 0; at < l.size && n < maxWalk; n++ {
		h := l.readAt(at, 16)
		if len(h) < 8 {
			break
		}
		size := uint64(be.Uint32(h))
		switch {
		case size == 0:
			size = uint64(l.size - at)
		case size == 1 && len(h) == 16:
			size = be.Uint64(h[8:])
		}
		if size < 8 || size > uint64(l.size-at) {
			break
		}
		if string(h[4:8]) == "moov" && movie == nil && size <= maxMovie {
			movie = l.readAt(at, int64(size))
		}
		at += int64(size)
	}
	readMP4(movie, f)
	if at != l.size {
		f.defect("the MP4 breaks off, or is damaged")
	}
}

// mp3 reads the tags and the first frame.
func (l large) mp3(head []byte, f *facts) {
	readID3(head, f)
	readID3v1(l.readAt(l.size-128, 128), f)
	at, ok := firstFrame(head)
	if !ok {
		f.defect("no sound follows within %d bytes", len(head))
		return
	}
	first, _ := frameAt(head, at)
	f.number("sample_rate", uint64(first.rate))
	f.number("channels", uint64(first.channels))
	if n := statedFrames(head[at:min(at+first.size, len(head))]); n > 0 {
		f.duration(n*uint64(first.samples), uint64(first.rate))
	}
}

// statedFrames returns the number of frames that the first one states, or 0.
func statedFrames(frame []byte) uint64 {
	for _, name := range []string{"Xing", "Info"} {
		at := bytes.Index(frame, []byte(name))
		if at >= 0 && at+12 <= len(frame) && frame[at+7]&1 != 0 {
			return uint64(be.Uint32(frame[at+8:]))
		}
	}
	return 0
}

// wholePages returns the pages of an Ogg file that data hold to their ends.
func wholePages(data []byte) []byte {
	end := 0
	for {
		n := pageLen(data[end:])
		if n == 0 || n > len(data)-end {
			return bytes.Clone(data[:end])
		}
		end += n
	}
}

// pageLen returns the length of the Ogg page that data begin with, 0 if none.
func pageLen(data []byte) int {
	const head = 27
	if len(data) < head || !beginsAt(0, "OggS")(data) || len(data) < head+int(data[26]) {
		return 0
	}
	n := head + int(data[26])
	for _, s := range data[head:n] {
		n += int(s)
	}
	return n
}

// lastPage returns the last page of an Ogg file, if it ends where the file does.
func (l large) lastPage() []byte {
	tail := l.readAt(l.size-min(l.size, maxTail), maxTail)
	for at := len(tail); at > 0; {
		if at = bytes.LastIndex(tail[:at], []byte("OggS")); at < 0 {
			return nil
		}
		if pageLen(tail[at:]) == len(tail)-at {
			return tail[at:]
		}
	}
	return nil
}
