package transcript_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
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
	"muniment/canon/transcript"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-transcript"

var registry = canon.NewRegistry(transcript.SRT(), transcript.VTT())

// A vector is one input and the kind of form it has; the rest follows.
type vector struct{ name, mediaType, data, expect string }

var vectors = func() map[string]vector {
	const at, later = "00:00:01,000 --> 00:00:02,500\n", "00:01:00,000 --> 01:00:00,001\n"
	const vtt = "WEBVTT\n\n"
	const from = "00:01.000 --> 00:02.500\n"
	return map[string]vector{
		"srt-two-cues":      {"a.srt", "", "1\r\n" + at + "Zoë said\r\nno.\r\n\r\n2\r\n" + later + "Yes.\r\n", "text"},
		"srt-style":         {"a.srt", "", "1\n" + at + "<i>So</i> <FONT color=\"#fff\">it</font> is{\\an8} <3 <laughs> {x} &amp;\n", "text"},
		"srt-blank-line":    {"a.srt", "", "1\n" + at + "a\n\nb\n\n2\n" + later + "c\n", "text"},
		"srt-number-said":   {"a.srt", "", "1\n" + at + "1984\n\n2\n" + later + "b\n", "text"},
		"srt-no-text":       {"a.srt", "", "1\n" + at + "\n2\n" + later + "b\n", "text"},
		"srt-bad-times":     {"a.srt", "", "1\n" + at + "a\n\n2\n00:00:xx,000 --> 00:00:09,000\nb\n", "text"},
		"srt-disorder":      {"a.srt", "", "1\n00:02:05,000 --> 00:02:04,000\na\n\n2\n" + at + "b\n", "text"},
		"srt-stray":         {"a.srt", "", "Subtitles by\nA. Meier\n\n1\n" + at + "a\n", "text"},
		"srt-prose":         {"a.srt", "", "Dear Zoë,\n", "bytes"},
		"srt-nothing-said":  {"a.srt", "", "1\n" + at + "<i> </i>\n", "bytes"},
		"vtt-two-cues":      {"a.vtt", "", "WEBVTT - The flood\nKind: captions\nLanguage: en\n\nintro\n" + from + "Zoë said\nno.\n\n01:00:00.000 --> 01:00:01.000 align:start\nYes.\n", "text"},
		"vtt-voices":        {"a.vtt", "", vtt + from + "<v Ann Lee>Where?\n\n" + from + "<v.loud Bob>Home.</v> <v Eve &amp; Al>Yes</v>\n", "text"},
		"vtt-tags":          {"a.vtt", "", vtt + from + "<c.yellow>a</c><00:01.500>b <lang en-GB>d</lang> <ruby>漢<rt>かん</rt></ruby> <e\n", "text"},
		"vtt-references":    {"a.vtt", "", vtt + from + "a &lt;v Ann&gt; &amp;amp; b&nbsp;c &#10; d &#8232; &eacute;\n", "text"},
		"vtt-left-out":      {"a.vtt", "", vtt + "STYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE said\nlater\n\n" + from + "a\n", "text"},
		"vtt-stray":         {"a.vtt", "", vtt + "lost\nwords\n\n" + from + "a\n\nb\n", "text"},
		"vtt-bad-times":     {"a.vtt", "", vtt + "00:01 --> 00:02\na\n\n" + from + "b\n", "text"},
		"vtt-no-blank-line": {"a.vtt", "", vtt + from + "a\n" + from + "b\n", "text"},
		"vtt-sniffed":       {"interview", "", vtt + from + "a\n", "text"},
		"vtt-without-head":  {"a.vtt", "", from + "a\n", "bytes"},
		"vtt-head-alone":    {"a.vtt", "", "WEBVTT\n", "bytes"},
	}
}()

// encode writes the vector's file: what goes in, what follows from it, a blank
// line, and the bytes.
func (v vector) encode(t *testing.T) string {
	var w strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	form, err := registry.Canonicalize(canon.Input{Name: v.name, MediaType: v.mediaType, Data: []byte(v.data)})
	if err != nil {
		t.Fatal(err)
	}
	expect := "text"
	if form.Canonicalizer == canon.BytesForm {
		expect = "bytes"
	}
	put("name", v.name)
	put("media_type_hint", v.mediaType)
	put("expect", expect)
	put("canonicalizer", form.Canonicalizer)
	put("unicode", form.Unicode)
	put("media_type", form.MediaType)
	put("charset", form.Charset)
	put("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		put("fact_"+key, form.Facts[key])
	}
	put("title", form.Source.Title)
	put("language", form.Source.Language)
	put("artifact", cid.Of(form.Payload).String())
	if expect == "text" {
		d := canon.NewDocument(form.Payload)
		for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
			root := d.Root(kind)
			put(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
			put(string(kind)+"_root", hex.EncodeToString(root[:]))
		}
		var payload bytes.Buffer
		e := json.NewEncoder(&payload)
		e.SetEscapeHTML(false)
		if err := e.Encode(string(form.Payload)); err != nil {
			t.Fatal(err)
		}
		put("payload", strings.TrimSuffix(payload.String(), "\n"))
	}
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
		made := v.encode(t)
		if diff := cmp.Diff(string(file), made); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name(), diff)
		}
		if !strings.Contains(made, "\nexpect: "+v.expect+"\n") {
			t.Errorf("%s does not give %s", f.Name(), v.expect)
		}
	}
}
