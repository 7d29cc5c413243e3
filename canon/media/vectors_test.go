package media

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/testvectors"
)

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

// made returns the vector as its file is: the header describes what the reader
// makes of the bytes, and the payload is the bytes.
func (v vector) made(t *testing.T, name string) testvectors.Vector {
	t.Helper()
	out := testvectors.New(name, []byte(v.data), "read_as", v.what)
	reader := Pictures()
	if v.what == "recording" {
		reader = Recordings()
	}
	form, err := reader.Read(read.Input{Data: []byte(v.data)})
	if err != nil {
		out.Add("expect", "refused")
		out.AddIf("reason", err.Error())
		return out
	}
	if string(form.Payload) != v.data || form.Canonicalizer != canon.BytesForm {
		t.Errorf("%.20q is not kept by its bytes", v.data)
	}
	out.Add("expect", "facts")
	out.AddIf("media_type", form.MediaType)
	out.AddIf("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		out.AddIf("fact_"+key, form.Facts[key])
	}
	out.AddIf("title", form.Source.Title)
	out.AddIf("creators", strings.Join(form.Source.Creators, "; "))
	out.AddIf("published_at", form.Source.PublishedAt)
	out.Add("artifact", cid.Of(form.Payload).String())
	return out
}

// Every vector gives exactly what its file says. The bytes come from the file:
// encoders of the standard library may write a picture otherwise one day.
func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	for name, v := range vectors {
		path := filepath.Join(vectorDir, name)
		if _, err := os.Stat(path); err == nil && !testvectors.Update() {
			v.data = string(testvectors.ReadFile(t, path).Body)
		}
		made = append(made, v.made(t, name))
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 26, func(t *testing.T, v testvectors.Vector) {
		if want := vectors[v.Name].expect; v.Get("expect") != want {
			t.Errorf("expect is %s, want %s", v.Get("expect"), want)
		}
	})
}
