package media

import (
	"bytes"
	"image"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/read"
)

var registry = read.NewRegistry(Pictures(), Recordings())

// form reads with whichever reader takes the bytes.
func form(data string) (read.Form, error) {
	in := read.Input{Data: []byte(data)}
	if f, err := Pictures().Read(in); err == nil {
		return f, nil
	}
	return Recordings().Read(in)
}

func TestSamples(t *testing.T) {
	exif := map[string]string{"camera_make": "Pepys & Co", "camera_model": "M1", "exif_time": "2011-03-02T10:11:12+01:00", "gps": "present", "orientation": "6", "width": "3", "height": "2"}
	tags := map[string]string{"title": "Zürich", "artist": "André", "album": "Walks", "date": "1911-03-03", "track": "3", "sample_rate": "44100", "channels": "2", "duration": "00:00:10.000"}
	cases := []struct {
		name, format, mediaType string
		of                      map[string]string
		changed                 map[string]string
	}{
		{"jpeg", "jpeg", "image/jpeg", exif, nil},
		{"png", "png", "image/png", exif, nil},
		{"webp", "webp", "image/webp", exif, nil},
		{"tiff", "tiff", "image/tiff", exif, nil},
		{"gif", "gif", "image/gif", map[string]string{"width": "3", "height": "2"}, nil},
		{"mp3", "mp3", "audio/mpeg", tags, map[string]string{"date": "1911", "track": "3/12", "duration": "00:00:02.612"}},
		{"flac", "flac", "audio/flac", tags, nil},
		{"wav", "wav", "audio/wav", tags, map[string]string{"title": "Zurich", "artist": "Andre", "date": "1911", "sample_rate": "8000", "duration": "00:00:01.500"}},
		{"ogg", "ogg", "audio/ogg", tags, nil},
		{"opus", "ogg", "audio/ogg", tags, map[string]string{"duration": "00:00:01.000"}},
		{"m4a", "mp4", "audio/mp4", tags, map[string]string{"date": "1911-03-03T07:00:00Z", "track": "3/12", "duration": "00:00:10.250"}},
	}
	if len(cases) != len(samples) {
		t.Errorf("%d cases of %d samples", len(cases), len(samples))
	}
	for _, c := range cases {
		want := map[string]string{"format": c.format}
		for _, m := range []map[string]string{c.of, c.changed} {
			for key, value := range m {
				want[key] = value
			}
		}
		f, err := form(samples[c.name])
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(want, f.Facts); diff != "" {
			t.Errorf("%s: facts (-want +got):\n%s", c.name, diff)
		}
		if string(f.Payload) != samples[c.name] || f.Canonicalizer != canon.BytesForm || f.MediaType != c.mediaType || !strings.HasSuffix(f.Reason, " is kept by its bytes") {
			t.Errorf("%s: %s of %s, %s", c.name, f.Canonicalizer, f.MediaType, f.Reason)
		}
	}
}

func TestSource(t *testing.T) {
	cases := []struct {
		name string
		want read.Meta
	}{
		{"jpeg", read.Meta{Creators: []string{"S. Pepys"}}},
		{"flac", read.Meta{Title: "Zürich", Creators: []string{"André"}, PublishedAt: "1911-03-03"}},
		{"m4a", read.Meta{Title: "Zürich", Creators: []string{"André"}, PublishedAt: "1911-03-03"}},
		{"mp3", read.Meta{Title: "Zürich", Creators: []string{"André"}}},
	}
	for _, c := range cases {
		f, err := form(samples[c.name])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, f.Source); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The standard library reads the same sizes.
func TestSizes(t *testing.T) {
	count := 0
	for _, name := range []string{"jpeg", "png", "gif"} {
		config, format, err := image.DecodeConfig(strings.NewReader(samples[name]))
		if err != nil || config.Width != 3 || config.Height != 2 || format != name {
			t.Errorf("%s: %v, %s, %v", name, config, format, err)
		}
		count++
	}
	if count != 3 {
		t.Errorf("%d pictures, want 3", count)
	}
}

func TestDefects(t *testing.T) {
	cut := func(name string, n int) string { return samples[name][:len(samples[name])-n] }
	cases := []struct{ name, data, defect string }{
		{"jpeg in its header", samples["jpeg"][:60], "the JPEG breaks off, or is damaged, in its header"},
		{"jpeg without size", "\xFF\xD8\xFF\xDA\x00\x02", "the JPEG does not give its size"},
		{"exif without header", jpegFile("x"), "the EXIF data have no header"},
		{"exif far away", jpegFile("II*\x00\xFF\xFF\xFF\xFF"), "the EXIF data break off, or are damaged"},
		{"png", cut("png", 14), "the PNG breaks off, or is damaged, at byte"},
		{"png without end", cut("png", 12), "the PNG breaks off before its end"},
		{"gif", cut("gif", 1), "the GIF breaks off before its end"},
		{"webp", cut("webp", 1), "the WebP breaks off, or is damaged"},
		{"mp3", cut("mp3", 1), "the MP3 breaks off, or is damaged, at byte"},
		{"mp3 with noise", id3(3) + silence(5) + "noise" + silence(5), "the MP3 breaks off, or is damaged, at byte"},
		{"tag alone", id3(3), "there is no sound behind the tag"},
		{"unknown tag", id3(9) + silence(2), "the ID3 tag has the unknown version 2.9"},
		{"broken tag", id3(3, "TIT2\xFF\xFF\xFF\xFF\x00\x00") + silence(2), "the ID3 tag breaks off, or is damaged"},
		{"flac", samples["flac"][:30], "the FLAC breaks off in its header"},
		{"wav", cut("wav", 1), "the WAV breaks off, or is damaged"},
		{"ogg", cut("ogg", 1), "the Ogg breaks off, or is damaged, at byte"},
		{"ogg of something else", oggPage(1, 0, 0, "\x80theora"), "the Ogg holds neither Vorbis nor Opus"},
		{"comments", strings.Replace(samples["flac"], l32(len(vorbisFields[0])), l32(1<<30), 1), "the comments break off"},
		{"m4a", cut("m4a", 1), "the MP4 breaks off, or is damaged"},
		{"m4a of a year", strings.Replace(samples["m4a"], u32(600)+u32(6150), u32(1)+u32(1<<30), 1), "the duration is given as 1073741824 seconds"},
	}
	for _, c := range cases {
		f, err := form(c.data)
		if err != nil || !strings.HasPrefix(f.Facts["defect"], c.defect) {
			t.Errorf("%s: %v, %v, want %s", c.name, f.Facts, err, c.defect)
		}
	}
}

func TestExifTime(t *testing.T) {
	cases := []struct{ value, zone, want string }{
		{"2011:03:02 10:11:12\x00", "", "2011-03-02T10:11:12"}, {"2011:03:02 10:11:12", "-05:00", "2011-03-02T10:11:12-05:00"},
		{"2011:03:02 10:11:12", "later", "2011-03-02T10:11:12"}, {"0000:00:00 00:00:00", "", ""}, {"2011:02:30 10:11:12", "", ""}, {"", "+01:00", ""},
	}
	for _, c := range cases {
		if got := exifTime([]byte(c.value), []byte(c.zone)); got != c.want {
			t.Errorf("%q %q: %q, want %q", c.value, c.zone, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	cases := []struct{ value, want string }{
		{" a\r\nb\tc\x00\x1b[31m ", "a b c [31m"}, {"e\u0301\u202Egpj.exe\u2066", "égpj.exe"}, {"\xff", "\uFFFD"},
		{strings.Repeat("é", 3000), strings.Repeat("é", MaxField)}, {"\u200B \x00", ""}, {"a\u2028b\u0085c", "a b c"},
	}
	for _, c := range cases {
		if got := cleanText([]byte(c.value)); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.value, got, c.want)
		}
	}
}

func TestID3(t *testing.T) {
	text := func(tag string) map[string]string {
		t.Helper()
		f := &facts{of: map[string]string{}}
		readID3([]byte(tag), f)
		return f.of
	}
	frame2 := func(name, value string) string { return name + u32(len(value))[1:] + value }
	frame4 := func(name string, flags byte, value string) string {
		return name + string([]byte{0, 0, byte(len(value) >> 7), byte(len(value) & 0x7F), 0, flags}) + value
	}
	cases := []struct {
		name, tag string
		want      map[string]string
	}{
		{"2.2", id3(2, frame2("TT2", "\x00a"), frame2("TYE", "\x001911")), map[string]string{"title": "a", "date": "1911"}},
		{"2.4", id3(4, frame4("TIT2", 0, "\x03é\x00"), frame4("TPE1", 0, "\x03a\x00b"), frame4("TDRC", 0, "\x031911-03-03")), map[string]string{"title": "é", "artist": "a; b", "date": "1911-03-03"}},
		{"long in 2.4", id3(4, frame4("TXXX", 0, strings.Repeat("x", 300)), frame4("TIT2", 0, "\x03a")), map[string]string{"title": "a"}},
		{"measured and grouped", id3(4, frame4("TIT2", 0x41, "\x01\x00\x00\x00\x02\x03a")), map[string]string{"title": "a"}},
		{"packed", id3(4, frame4("TIT2", 0x08, "\x03a"), frame4("TALB", 0x04, "\x03b")), map[string]string{}},
		{"big-endian", id3(3, frame3("TIT2", "\x01\xFE\xFF\x00a"), frame3("TALB", "\x02\x00b")), map[string]string{"title": "a", "album": "b"}},
		{"extended header", "ID3\x03\x00\x40\x00\x00\x00\x16" + u32(6) + "\x00\x00\x00\x00\x00\x00" + frame3("TIT2", "\x00a"), map[string]string{"title": "a"}},
		{"resynchronized", "ID3\x03\x00\x80\x00\x00\x00\x10" + frame3("TIT2", "\x01\xFF\xFEa\x00")[:10] + "\x01\xFF\x00\xFEa\x00", map[string]string{"title": "a"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, text(c.tag)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// MPEG 2 and 1, layers I to III, the frame that states a count, and the tag at
// the end.
func TestMP3(t *testing.T) {
	frames := func(head string, size, n int) string {
		return strings.Repeat(head+strings.Repeat("\x00", size-len(head)), n)
	}
	tail := "TAG" + "title" + strings.Repeat("\x00", 25+30+30) + "1911" + strings.Repeat("\x00", 29) + "\x07\x00"
	cases := []struct {
		name, data string
		want       map[string]string
	}{
		{"mpeg 2 layer 3 mono", frames("\xFF\xF3\x80\xC0", 208, 50), map[string]string{"sample_rate": "22050", "channels": "1", "duration": "00:00:01.306"}},
		{"layer 1", frames("\xFF\xFF\x80\x00", 276, 50), map[string]string{"sample_rate": "44100", "channels": "2", "duration": "00:00:00.435"}},
		{"layer 2", frames("\xFF\xFD\x84\x00", 384, 50), map[string]string{"sample_rate": "48000", "channels": "2", "duration": "00:00:01.200"}},
		{"stated count", "\xFF\xFB\x90\x00" + strings.Repeat("\x00", 32) + "Xing" + strings.Repeat("\x00", 377) + silence(10), map[string]string{"sample_rate": "44100", "channels": "2", "duration": "00:00:00.261"}},
		{"tag at the end", silence(10) + tail, map[string]string{"sample_rate": "44100", "channels": "2", "duration": "00:00:00.261", "title": "title", "date": "1911", "track": "7"}},
		{"longer tag than it says", id3(3) + "xxxxx" + silence(10), map[string]string{"sample_rate": "44100", "channels": "2", "duration": "00:00:00.261"}},
	}
	for _, c := range cases {
		c.want["format"] = "mp3"
		f, err := form(c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, f.Facts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestRegistry(t *testing.T) {
	cases := []struct{ name, mediaType, data, typ, reason string }{
		{"a.jpg", "", samples["jpeg"], "image/jpeg", "a picture is kept by its bytes"},
		{"a.tif", "", samples["tiff"], "image/tiff", "a picture is kept by its bytes"},
		{"a", "", samples["webp"], "image/webp", "a picture is kept by its bytes"},
		{"a.mp3", "", samples["mp3"], "audio/mpeg", "a recording is kept by its bytes"},
		{"a", "audio/x-m4a", samples["m4a"], "audio/mp4", "a recording is kept by its bytes"},
		{"a.png", "", "prose\n", "text/plain", "the bytes are not those of a picture in a known format"},
	}
	for _, c := range cases {
		f, err := registry.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.MediaType != c.typ || f.Reason != c.reason || f.Canonicalizer != canon.BytesForm {
			t.Errorf("%s: %s of %s, %s, %v", c.name, f.Canonicalizer, f.MediaType, f.Reason, err)
		}
	}
}

func check(t *testing.T, data []byte) {
	t.Helper()
	f, err := form(string(data))
	if err != nil {
		if f.Payload != nil || f.Facts != nil {
			t.Fatalf("an error with a form: %v", f.Facts)
		}
		return
	}
	if !bytes.Equal(f.Payload, data) {
		t.Fatal("the payload is not the original")
	}
	for key, value := range f.Facts {
		if value == "" || utf8.RuneCountInString(value) > MaxField || !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
			t.Fatalf("fact %s: %q", key, value)
		}
	}
}

// Truncated and damaged files keep what can be read, in no time and memory.
func TestDamaged(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	count := 0
	for name, whole := range samples {
		rng := rand.New(rand.NewPCG(1, uint64(len(name))))
		for i := range 1000 {
			data := []byte(whole)
			for range 1 + rng.IntN(6) {
				data[rng.IntN(min(len(data), 700))] ^= 1 << rng.IntN(8)
			}
			if i%2 == 0 {
				data = data[:rng.IntN(len(data))]
			}
			check(t, data)
			count++
		}
	}
	runtime.ReadMemStats(&after)
	if count != 11_000 {
		t.Errorf("%d variants, want 11000", count)
	}
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 3000 {
		t.Errorf("%d variants took %d MB in all", count, mb)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("%d variants took %v", count, d)
	}
}

func FuzzMedia(f *testing.F) {
	for _, data := range samples {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

func BenchmarkMP3(b *testing.B) {
	data := []byte(id3(3, frame3("TIT2", "\x00a")) + silence(20_000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Recordings().Read(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJPEG(b *testing.B) {
	for b.Loop() {
		if _, err := Pictures().Read(read.Input{Data: []byte(samples["jpeg"])}); err != nil {
			b.Fatal(err)
		}
	}
}
