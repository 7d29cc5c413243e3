package media

import (
	"bytes"
	"maps"
	"strings"
	"testing"
)

// What is said of a recording that is not in memory is what is said of one that
// is. Only the frames of an MP3 are not counted.
func TestDescribe(t *testing.T) {
	loud := strings.Repeat("\x01\x02\x03\x04", 1<<20) // more than is read at once
	samples := map[string]string{
		"flac": flacFile(), "wav": wavFile(), "vorbis": vorbisFile(), "opus": opusFile(), "m4a": m4aFile(), "mp3": mp3File(),
		"long wav": "RIFF" + l32(0) + "WAVE" + "fmt " + l32(16) + l16(1) + l16(2) + l32(44100) + l32(176400) + l16(4) + l16(16) +
			"data" + l32(len(loud)) + loud + "LIST" + l32(4+8+6) + "INFOINAM" + l32(6) + "Tape 7",
		"long mp4": m4aFile() + box("mdat", loud),
	}
	for name, data := range samples {
		want, err := form(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := describe(strings.NewReader(data), int64(len(data)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		facts := maps.Clone(want.Facts)
		if name == "mp3" {
			delete(facts, "duration")
		}
		if !maps.Equal(got.Facts, facts) || got.MediaType != want.MediaType || got.Payload != nil {
			t.Errorf("%s: %s %v, want %s %v", name, got.MediaType, got.Facts, want.MediaType, facts)
		}
	}
	if _, err := describe(strings.NewReader("a letter"), 8); err == nil {
		t.Error("a letter is described as a recording")
	}
}

// A variable bit rate states its frames.
func TestDescribeStatedFrames(t *testing.T) {
	first := []byte(silence(1))
	copy(first[36:], "Xing"+u32(1)+u32(1000))
	data := append(first, silence(40)...)
	got, err := describe(bytes.NewReader(data), int64(len(data)))
	if err != nil || got.Facts["duration"] == "" {
		t.Errorf("%v, %v: want a duration", got.Facts, err)
	}
}

func FuzzDescribe(f *testing.F) {
	for _, s := range []string{flacFile(), wavFile(), vorbisFile(), m4aFile(), mp3File()} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := describe(bytes.NewReader(data), int64(len(data)))
		if err != nil && form.Facts != nil {
			t.Fatal("facts beside an error")
		}
		for k, v := range form.Facts {
			if len([]rune(v)) > MaxField {
				t.Fatalf("%s has %d bytes", k, len(v))
			}
		}
	})
}
