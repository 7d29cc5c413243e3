package transcript_test

import (
	"flag"
	"testing"

	"muniment/canon"
	"muniment/canon/transcript"
	"muniment/canon/vector"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-transcript"

var registry = canon.NewRegistry(transcript.SRT(), transcript.VTT())

var vectors = func() map[string]vector.Vector {
	const at, later = "00:00:01,000 --> 00:00:02,500\n", "00:01:00,000 --> 01:00:00,001\n"
	const vtt = "WEBVTT\n\n"
	const from = "00:01.000 --> 00:02.500\n"
	return map[string]vector.Vector{
		"srt-two-cues":      vector.New("a.srt", "", "1\r\n"+at+"Zoë said\r\nno.\r\n\r\n2\r\n"+later+"Yes.\r\n", "text"),
		"srt-style":         vector.New("a.srt", "", "1\n"+at+"<i>So</i> <FONT color=\"#fff\">it</font> is{\\an8} <3 <laughs> {x} &amp;\n", "text"),
		"srt-blank-line":    vector.New("a.srt", "", "1\n"+at+"a\n\nb\n\n2\n"+later+"c\n", "text"),
		"srt-number-said":   vector.New("a.srt", "", "1\n"+at+"1984\n\n2\n"+later+"b\n", "text"),
		"srt-no-text":       vector.New("a.srt", "", "1\n"+at+"\n2\n"+later+"b\n", "text"),
		"srt-bad-times":     vector.New("a.srt", "", "1\n"+at+"a\n\n2\n00:00:xx,000 --> 00:00:09,000\nb\n", "text"),
		"srt-disorder":      vector.New("a.srt", "", "1\n00:02:05,000 --> 00:02:04,000\na\n\n2\n"+at+"b\n", "text"),
		"srt-stray":         vector.New("a.srt", "", "Subtitles by\nA. Meier\n\n1\n"+at+"a\n", "text"),
		"srt-prose":         vector.New("a.srt", "", "Dear Zoë,\n", "bytes"),
		"srt-nothing-said":  vector.New("a.srt", "", "1\n"+at+"<i> </i>\n", "bytes"),
		"vtt-two-cues":      vector.New("a.vtt", "", "WEBVTT - The flood\nKind: captions\nLanguage: en\n\nintro\n"+from+"Zoë said\nno.\n\n01:00:00.000 --> 01:00:01.000 align:start\nYes.\n", "text"),
		"vtt-voices":        vector.New("a.vtt", "", vtt+from+"<v Ann Lee>Where?\n\n"+from+"<v.loud Bob>Home.</v> <v Eve &amp; Al>Yes</v>\n", "text"),
		"vtt-tags":          vector.New("a.vtt", "", vtt+from+"<c.yellow>a</c><00:01.500>b <lang en-GB>d</lang> <ruby>漢<rt>かん</rt></ruby> <e\n", "text"),
		"vtt-references":    vector.New("a.vtt", "", vtt+from+"a &lt;v Ann&gt; &amp;amp; b&nbsp;c &#10; d &#8232; &eacute;\n", "text"),
		"vtt-left-out":      vector.New("a.vtt", "", vtt+"STYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE said\nlater\n\n"+from+"a\n", "text"),
		"vtt-stray":         vector.New("a.vtt", "", vtt+"lost\nwords\n\n"+from+"a\n\nb\n", "text"),
		"vtt-bad-times":     vector.New("a.vtt", "", vtt+"00:01 --> 00:02\na\n\n"+from+"b\n", "text"),
		"vtt-no-blank-line": vector.New("a.vtt", "", vtt+from+"a\n"+from+"b\n", "text"),
		"vtt-sniffed":       vector.New("interview", "", vtt+from+"a\n", "text"),
		"vtt-without-head":  vector.New("a.vtt", "", from+"a\n", "bytes"),
		"vtt-head-alone":    vector.New("a.vtt", "", "WEBVTT\n", "bytes"),
	}
}()

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := vector.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	if *update {
		if err := set.Write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range set.Check() {
		t.Error(err)
	}
}
