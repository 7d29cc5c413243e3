// Package media reads what pictures and sound recordings say about themselves.
// They stay bytes@1, and what is read goes into the record.
//
//	r := read.NewRegistry(media.Pictures(), media.Recordings())
//	form, err := r.Canonicalize(read.Input{Name: "flood.jpg", Data: data})
//	form.Facts["exif_time"] // "1911-06-15T10:20:00"
//
// The first bytes decide the format, not the name. Nothing is decoded: only
// headers, tags and lengths are read, each within the bytes that are there, in
// one pass and without memory for more than the few fields below. A file that
// is cut or damaged keeps the facts read so far, and says what is wrong.
//
// Facts of both: "format"; "defect", the first thing found to be wrong.
//
// Facts of pictures, format jpeg, png, gif, webp or tiff: "width" and "height"
// in pixels, as stored; "orientation", the EXIF number 1 to 8 by which the
// picture is to be turned; "exif_time", the time it was taken, or else changed,
// as 2011-03-02T10:11:12 with a zone where there is one; "camera_make",
// "camera_model"; "gps", which is "present" where the place is in the file. The
// place itself is not copied: a record is read by more people than a picture.
// The EXIF artist goes into Form.Source.
//
// Facts of recordings, format mp3, flac, wav, ogg or mp4: "duration", as in
// transcripts 00:03:07.250, by counting frames where nothing better is stated;
// "sample_rate" in Hz, "channels"; "title", "artist", "album", "date", "track"
// from ID3 tags, Vorbis comments, RIFF INFO or iTunes atoms. Title, artist and
// a full date go into Form.Source as well. A recording that is not in memory is
// described from its head, its tail and its tables; the frames of an MP3 are
// then not counted.
//
// No library is behind this package: docs/decisions/0017-media-facts.md says why.
//
// A text is in normal form, on one line, without controls or marks that turn
// the direction of writing, and of at most MaxField code points.
package media

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/read"
)

// Limits of what is read from a file, so that a record stays small.
const (
	// MaxField is the number of code points of a text.
	MaxField = 256
	// maxRaw is how many bytes of a text are looked at: MaxField code points
	// take at most 1024.
	maxRaw = 4096
)

// Pictures returns the reader of pictures. What has another extension is found
// by its first bytes.
func Pictures() read.Reader {
	return read.Reader{
		Name:       canon.BytesForm,
		MediaTypes: []string{"image/jpeg", "image/png", "image/gif", "image/webp", "image/tiff"},
		Extensions: []string{".jpg", ".png", ".gif", ".webp", ".tiff", ".jpeg", ".jpe"},
		Read:       func(in read.Input) (read.Form, error) { return readFacts(in, "a picture", pictures) },
	}
}

// Recordings returns the reader of sound recordings.
func Recordings() read.Reader {
	return read.Reader{
		Name: canon.BytesForm,
		MediaTypes: []string{"audio/mpeg", "audio/flac", "audio/wav", "audio/ogg", "audio/mp4", "audio/opus",
			"application/ogg", "audio/mp3", "audio/wave", "audio/x-flac", "audio/x-m4a", "audio/x-wav"},
		Extensions: []string{".mp3", ".flac", ".wav", ".ogg", ".m4a", ".opus"},
		Read:       func(in read.Input) (read.Form, error) { return readFacts(in, "a recording", recordings) },
		Describe:   func(_ read.Input, at io.ReaderAt, size int64) (read.Form, error) { return describe(at, size) },
	}
}

// A format is how files begin, and who reads them.
type format struct {
	name, mediaType string
	begins          func(data []byte) bool
	read            func(data []byte, f *facts)
}

// readFacts returns the bytes@1 form of a medium in one of the formats, with
// its facts.
func readFacts(in read.Input, what string, formats []format) (read.Form, error) {
	for _, format := range formats {
		if !format.begins(in.Data) {
			continue
		}
		f := &facts{of: map[string]string{"format": format.name}}
		format.read(in.Data, f)
		return read.Form{
			Payload:       in.Data,
			MediaType:     format.mediaType,
			Canonicalizer: canon.BytesForm,
			Reason:        what + " is kept by its bytes",
			Facts:         f.of,
			Source:        f.source(),
		}, nil
	}
	return read.Form{}, errors.New("the bytes are not those of " + what + " in a known format")
}

// beginsAt returns a predicate that reports whether data has these bytes at an
// offset.
func beginsAt(at int, want string) func([]byte) bool {
	return func(data []byte) bool { return len(data) >= at && bytes.HasPrefix(data[at:], []byte(want)) }
}

// facts gathers what a file says. What is said first counts.
type facts struct {
	of     map[string]string
	artist string // of a picture
	exif   bool   // has been read; a picture has it once
}

// put keeps a fact unless the key has one or the value is empty.
func (f *facts) put(key, value string) {
	if _, ok := f.of[key]; !ok && value != "" {
		f.of[key] = value
	}
}

// number keeps a number that says something.
func (f *facts) number(key string, n uint64) {
	if n > 0 {
		f.put(key, strconv.FormatUint(n, 10))
	}
}

// text keeps a text, cleaned.
func (f *facts) text(key string, value []byte) { f.put(key, cleanText(value)) }

// defect keeps the first thing that is wrong.
func (f *facts) defect(format string, args ...any) { f.put("defect", fmt.Sprintf(format, args...)) }

// duration keeps the duration of n samples at a rate.
func (f *facts) duration(n, rate uint64) {
	if n == 0 || rate == 0 {
		return
	}
	const maxHours = 10_000 // a year: more is a mistake
	if n/rate > maxHours*3600 {
		f.defect("the duration is given as %d seconds", n/rate)
		return
	}
	ms := n/rate*1000 + n%rate*1000/rate
	f.put("duration", fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000))
}

// source returns the facts for which a record has fields.
func (f *facts) source() read.Meta {
	m := read.Meta{Title: f.of["title"]}
	for _, name := range []string{f.of["artist"], f.artist} {
		if name != "" {
			m.Creators = []string{name}
		}
	}
	if day := f.of["date"]; len(day) >= len(time.DateOnly) {
		day = day[:len(time.DateOnly)]
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			m.PublishedAt = day
		}
	}
	return m
}

// cleanText makes a text safe to show: valid, in normal form, on one line, bounded.
func cleanText(value []byte) string {
	if len(value) > maxRaw {
		value = value[:maxRaw]
		for len(value) > maxRaw-utf8.UTFMax && !utf8.RuneStart(value[len(value)-1]) {
			value = value[:len(value)-1]
		}
	}
	s := read.SafeLine(strings.TrimRight(string(value), "\x00"))
	if canon.Text([]byte(s)) == nil {
		return ""
	}
	return read.Cut(s, MaxField)
}
