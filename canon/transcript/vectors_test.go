package transcript_test

import (
	"muniment/canon/read"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/transcript"
)

const vectorDir = "../../testvectors/canon-transcript"

var registry = read.NewRegistry(transcript.SRT(), transcript.VTT())

var vectors = func() map[string]formstest.Case {
	const at, later = "00:00:01,000 --> 00:00:02,500\n", "00:01:00,000 --> 01:00:00,001\n"
	const vtt = "WEBVTT\n\n"
	const from = "00:01.000 --> 00:02.500\n"
	return map[string]formstest.Case{
		"srt-two-cues":      formstest.NewCase("a.srt", "", "1\r\n"+at+"Zoë said\r\nno.\r\n\r\n2\r\n"+later+"Yes.\r\n", "text"),
		"srt-style":         formstest.NewCase("a.srt", "", "1\n"+at+"<i>So</i> <FONT color=\"#fff\">it</font> is{\\an8} <3 <laughs> {x} &amp;\n", "text"),
		"srt-blank-line":    formstest.NewCase("a.srt", "", "1\n"+at+"a\n\nb\n\n2\n"+later+"c\n", "text"),
		"srt-number-said":   formstest.NewCase("a.srt", "", "1\n"+at+"1984\n\n2\n"+later+"b\n", "text"),
		"srt-no-text":       formstest.NewCase("a.srt", "", "1\n"+at+"\n2\n"+later+"b\n", "text"),
		"srt-bad-times":     formstest.NewCase("a.srt", "", "1\n"+at+"a\n\n2\n00:00:xx,000 --> 00:00:09,000\nb\n", "text"),
		"srt-disorder":      formstest.NewCase("a.srt", "", "1\n00:02:05,000 --> 00:02:04,000\na\n\n2\n"+at+"b\n", "text"),
		"srt-stray":         formstest.NewCase("a.srt", "", "Subtitles by\nA. Meier\n\n1\n"+at+"a\n", "text"),
		"srt-prose":         formstest.NewCase("a.srt", "", "Dear Zoë,\n", "bytes"),
		"srt-nothing-said":  formstest.NewCase("a.srt", "", "1\n"+at+"<i> </i>\n", "bytes"),
		"vtt-two-cues":      formstest.NewCase("a.vtt", "", "WEBVTT - The flood\nKind: captions\nLanguage: en\n\nintro\n"+from+"Zoë said\nno.\n\n01:00:00.000 --> 01:00:01.000 align:start\nYes.\n", "text"),
		"vtt-voices":        formstest.NewCase("a.vtt", "", vtt+from+"<v Ann Lee>Where?\n\n"+from+"<v.loud Bob>Home.</v> <v Eve &amp; Al>Yes</v>\n", "text"),
		"vtt-tags":          formstest.NewCase("a.vtt", "", vtt+from+"<c.yellow>a</c><00:01.500>b <lang en-GB>d</lang> <ruby>漢<rt>かん</rt></ruby> <e\n", "text"),
		"vtt-references":    formstest.NewCase("a.vtt", "", vtt+from+"a &lt;v Ann&gt; &amp;amp; b&nbsp;c &#10; d &#8232; &eacute;\n", "text"),
		"vtt-left-out":      formstest.NewCase("a.vtt", "", vtt+"STYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE said\nlater\n\n"+from+"a\n", "text"),
		"vtt-stray":         formstest.NewCase("a.vtt", "", vtt+"lost\nwords\n\n"+from+"a\n\nb\n", "text"),
		"vtt-bad-times":     formstest.NewCase("a.vtt", "", vtt+"00:01 --> 00:02\na\n\n"+from+"b\n", "text"),
		"vtt-no-blank-line": formstest.NewCase("a.vtt", "", vtt+from+"a\n"+from+"b\n", "text"),
		"vtt-sniffed":       formstest.NewCase("interview", "", vtt+from+"a\n", "text"),
		"vtt-without-head":  formstest.NewCase("a.vtt", "", from+"a\n", "bytes"),
		"vtt-head-alone":    formstest.NewCase("a.vtt", "", "WEBVTT\n", "bytes"),
	}
}()

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	set.Run(t, 21)
}
