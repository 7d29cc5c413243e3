package media

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-media"

// A vector is one file, what it is said to be, and whether it is one.
type vector struct{ what, data, expect string }

var vectors = map[string]vector{
	"jpeg":                {"picture", samples["jpeg"], "facts"},
	"jpeg-plain":          {"picture", jpegFile(""), "facts"},
	"jpeg-cut":            {"picture", samples["jpeg"][:100], "facts"},
	"jpeg-exif-loop":      {"picture", jpegFile("II*\x00\x08\x00\x00\x00\x01\x00\x69\x87\x04\x00\x01\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00"), "facts"},
	"jpeg-exif-far":       {"picture", jpegFile("MM\x00*\xFF\xFF\xFF\xFF"), "facts"},
	"jpeg-unset-clock":    {"picture", jpegFile(tiff(le, entry{tagChanged, "0000:00:00 00:00:00"})), "facts"},
	"jpeg-control-marks":  {"picture", jpegFile(tiff(le, entry{tagMake, "\x1b[31mA\u202E\r\nB"})), "facts"},
	"png":                 {"picture", samples["png"], "facts"},
	"gif":                 {"picture", samples["gif"], "facts"},
	"webp":                {"picture", samples["webp"], "facts"},
	"tiff":                {"picture", samples["tiff"], "facts"},
	"mp3":                 {"recording", id3(3, frame3("TIT2", utf16Text("Z\u00fcrich")), frame3("TRCK", "\x003/12")) + silence(3), "facts"},
	"mp3-noise":           {"recording", silence(3) + "noise" + silence(2), "facts"},
	"mp3-tag-alone":       {"recording", id3(4), "facts"},
	"flac":                {"recording", samples["flac"], "facts"},
	"flac-comments-cut":   {"recording", strings.Replace(samples["flac"], l32(len(vorbisFields[0])), l32(1<<30), 1), "facts"},
	"wav":                 {"recording", riffFile("WAVE", "fmt ", l16(1)+l16(1)+l32(8000)+l32(8000)+l16(1)+l16(8), "data", strings.Repeat("\x00", 80)), "facts"},
	"ogg-vorbis":          {"recording", samples["ogg"], "facts"},
	"ogg-opus":            {"recording", samples["opus"], "facts"},
	"m4a":                 {"recording", samples["m4a"], "facts"},
	"picture-prose":       {"picture", "Dear Zo\u00eb,\n", "refused"},
	"picture-recording":   {"picture", samples["flac"], "refused"},
	"recording-prose":     {"recording", "Dear Zo\u00eb,\n", "refused"},
	"recording-heic":      {"recording", box("ftyp", "heic", u32(0)), "refused"},
	"recording-picture":   {"recording", samples["webp"], "refused"},
	"recording-cut-magic": {"recording", "RIFF", "refused"},
}

// encode writes the vector's file: what goes in, what follows from it, a blank
// line, and the bytes. The payload is the bytes.
func (v vector) encode(t *testing.T) string {
	var w strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	reader := Pictures()
	if v.what == "recording" {
		reader = Recordings()
	}
	put("read_as", v.what)
	form, err := reader.Read(canon.Input{Data: []byte(v.data)})
	if err != nil {
		put("expect", "refused")
		put("reason", err.Error())
		return w.String() + "\n" + v.data
	}
	if string(form.Payload) != v.data || form.Canonicalizer != canon.BytesForm {
		t.Errorf("%.20q is not kept by its bytes", v.data)
	}
	put("expect", "facts")
	put("media_type", form.MediaType)
	put("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		put("fact_"+key, form.Facts[key])
	}
	put("title", form.Source.Title)
	put("creators", strings.Join(form.Source.Creators, "; "))
	put("published_at", form.Source.PublishedAt)
	put("artifact", cid.Of(form.Payload).String())
	return w.String() + "\n" + v.data
}

// Every vector gives exactly what its file says.
func TestVectors(t *testing.T) {
	if *update {
		for name, v := range vectors {
			if err := os.WriteFile(filepath.Join(vectorDir, name), []byte(v.encode(t)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(vectors) || len(files) == 0 {
		t.Errorf("%d files in %s, want %d", len(files), vectorDir, len(vectors))
	}
	for _, f := range files {
		file, err := os.ReadFile(filepath.Join(vectorDir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		v, ok := vectors[f.Name()]
		if !ok {
			t.Errorf("%s is not in the table", f.Name())
			continue
		}
		// The bytes come from the file: encoders of the standard library may
		// write a picture otherwise one day.
		_, data, ok := strings.Cut(string(file), "\n\n")
		if !ok {
			t.Errorf("%s has no blank line behind its head", f.Name())
			continue
		}
		made := vector{v.what, data, v.expect}.encode(t)
		if diff := cmp.Diff(string(file), made); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name(), diff)
		}
		if !strings.Contains(made, "\nexpect: "+v.expect+"\n") {
			t.Errorf("%s does not give %s", f.Name(), v.expect)
		}
	}
}
