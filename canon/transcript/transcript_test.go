package transcript

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/canon/read"
)

// Two times, and how they are written in the form.
const (
	srtTime = "00:00:01,000 --> 00:00:02,500\n"
	vttTime = "00:01.000 --> 00:02.500\n"
	stamped = "00:00:01.000 --> 00:00:02.500"
)

func TestSRT(t *testing.T) {
	cases := []struct{ name, data, want, facts string }{
		{"two cues", "1\n" + srtTime + "Hello\n\n2\n00:01:00,000 --> 01:00:00,001\nYes.\n", stamped + "\tHello\n00:01:00.000 --> 01:00:00.001\tYes.\n", "cues 2, duration 01:00:00.001"},
		{"lines joined", "1\n" + srtTime + " two \n  lines\n", stamped + "\ttwo lines\n", "cues 1, duration 00:00:02.500"},
		{"tags", "1\n" + srtTime + "<i>So</i> <b>it</b> <FONT color=\"#fff\">is</font>{\\an8} <3 <laughs> {x} &amp;\n", stamped + "\tSo it is <3 <laughs> {x} &amp;\n", "cues 1, duration 00:00:02.500"},
		{"blank line within", "1\n" + srtTime + "a\n\nb\n\n2\n" + srtTime + "c\n", stamped + "\ta b\n" + stamped + "\tc\n", "cues 2, duration 00:00:02.500"},
		{"no numbers", srtTime + "a\n\n" + srtTime + "b", stamped + "\ta\n" + stamped + "\tb\n", "cues 2, duration 00:00:02.500"},
		{"a number is said", "1\n" + srtTime + "1984\n\n2\n" + srtTime + "b", stamped + "\t1984\n" + stamped + "\tb\n", "cues 2, duration 00:00:02.500"},
		{"no text", "1\n" + srtTime + "\n2\n" + srtTime + "b", stamped + "\n" + stamped + "\tb\n", "cues 2, duration 00:00:02.500"},
		{"places", "1\n00:00:01.000-->00:00:02.500 X1:40 X2:600\na", stamped + "\ta\n", "cues 1, duration 00:00:02.500"},
		{"stray", "Subtitles by\nA. Meier\n\n1\n" + srtTime + "a", stamped + "\ta\n", "cues 1, duration 00:00:02.500, stray_lines 2"},
		{"bad times", "1\n" + srtTime + "a\n\n2\n00:00:xx,000 --> 00:00:09,000\nb\n", stamped + "\ta 2 00:00:xx,000 --> 00:00:09,000 b\n", "bad_times 1, cues 1, duration 00:00:02.500"},
		{"order and direction", "1\n00:00:05,000 --> 00:00:04,000\na\n\n2\n" + srtTime + "b", "00:00:05.000 --> 00:00:04.000\ta\n" + stamped + "\tb\n", "cues 2, duration 00:00:05.000, reversed 1, unordered 1"},
		{"line ends and mark", "\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\nMüller\r\nsagte\r\n", stamped + "\tMüller sagte\n", "cues 1, duration 00:00:02.500"},
		{"decomposed", srtTime + "\u0301e\u0301", stamped + "\t\u0301é\n", "cues 1, duration 00:00:02.500"},
	}
	for _, c := range cases {
		run(t, SRT(), c.name, c.data, c.want, c.facts)
	}
}

func TestVTT(t *testing.T) {
	const head = "WEBVTT\n\n"
	cases := []struct{ name, data, want, facts string }{
		{"two cues", head + "intro\n" + vttTime + "Hello\nthere\n\n01:00:00.000 --> 01:00:01.000 align:start\nYes.\n", stamped + "\tHello there\n01:00:00.000 --> 01:00:01.000\tYes.\n", "cues 2, duration 01:00:01.000"},
		{"voices", head + vttTime + "<v Ann Lee>Where?\n\n" + vttTime + "<v.loud Bob>Home.</v> <v Eve &amp; Al>Yes</v>", stamped + "\tAnn Lee: Where?\n" + stamped + "\tBob: Home. Eve & Al: Yes\n", "cues 2, duration 00:00:02.500, voices 2"},
		{"tags", head + vttTime + "<c.yellow>a</c><00:01.500>b <i>c</i> <lang en-GB>d</lang> <ruby>漢<rt>かん</rt></ruby> <e", stamped + "\tab c d 漢(かん)\n", "cues 1, duration 00:00:02.500"},
		{"references", head + vttTime + "a &lt;v Ann&gt; &amp;amp; b&nbsp;c &#10; d &eacute;", stamped + "\ta <v Ann> &amp; b\u00A0c d é\n", "cues 1, duration 00:00:02.500"},
		{"left out", "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE said\nlater\n\nNOTE\tx\n\n" + vttTime + "a", stamped + "\ta\n", "cues 1, duration 00:00:02.500, notes 2, styles 2"},
		{"stray", head + "lost\nwords\n\n" + vttTime + "a\n\nb\n", stamped + "\ta\n", "cues 1, duration 00:00:02.500, stray_lines 3"},
		{"bad times", head + "00:01 --> 00:02\na\n\n" + vttTime + "b", stamped + "\tb\n", "bad_times 1, cues 1, duration 00:00:02.500, stray_lines 2"},
		{"no blank line", head + vttTime + "a\n" + vttTime + "b", stamped + "\ta\n" + stamped + "\tb\n", "cues 2, duration 00:00:02.500"},
		{"cue in the head", "WEBVTT\n" + vttTime + "a", stamped + "\ta\n", "cues 1, duration 00:00:02.500"},
		{"no text", head + vttTime + "\n" + vttTime + "b", stamped + "\n" + stamped + "\tb\n", "cues 2, duration 00:00:02.500"},
	}
	for _, c := range cases {
		run(t, VTT(), c.name, c.data, c.want, c.facts)
	}
}

func run(t *testing.T, r read.Reader, name, data, want, facts string) {
	t.Helper()
	f, err := r.Read(read.Input{Data: []byte(data)})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if string(f.Payload) != want {
		t.Errorf("%s: got %q, want %q", name, f.Payload, want)
	}
	var got []string
	for _, key := range []string{"bad_times", "cues", "duration", "notes", "reversed", "stray_lines", "styles", "unordered", "voices"} {
		if v := f.Facts[key]; v != "" {
			got = append(got, key+" "+v)
		}
	}
	if diff := cmp.Diff(facts, strings.Join(got, ", ")); diff != "" {
		t.Errorf("%s: facts (-want +got):\n%s", name, diff)
	}
	if cues, err := readBack(f.Payload); err != nil {
		t.Errorf("%s: %v of %v", name, err, cues)
	}
}

func TestHead(t *testing.T) {
	f, err := VTT().Read(read.Input{Data: []byte("WEBVTT - The  flood\nKind: captions\nLanguage: de-CH\n\n" + vttTime + "a")})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read.Meta{Title: "The flood", Language: "de-CH"}, f.Source); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	const none = "there is no cue: no line has two times and an arrow between them"
	cases := []struct {
		reader           read.Reader
		name, data, want string
	}{
		{SRT(), "prose", "a\nb\n", "srt@1: " + none},
		{SRT(), "zero", "abc\x00d", "srt@1: byte 3 is zero, which no text holds"},
		{VTT(), "prose", "a\nb\n", "vtt@1: the file does not begin with WEBVTT"},
		{VTT(), "other word", "WEBVTTX\n\n" + vttTime, "vtt@1: the file does not begin with WEBVTT"},
		{VTT(), "head alone", "WEBVTT", "vtt@1: " + none},
		{VTT(), "size", strings.Repeat("a", MaxInput+1), "vtt@1: the file has 33554433 bytes, at most 33554432 are read"},
	}
	for _, c := range cases {
		f, err := c.reader.Read(read.Input{Data: []byte(c.data)})
		if err == nil || err.Error() != c.want || f.Payload != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if f, err := SRT().Read(read.Input{Data: []byte(srtTime + "<i> </i>\n")}); err != nil || f.Payload != nil {
		t.Errorf("a transcript of nothing: %q, %v", f.Payload, err)
	}
}

func TestTimes(t *testing.T) {
	const payload = stamped + "\ta\n01:00:00.000 --> 9999:00:00.001\n"
	start, end, err := Times([]byte(payload), 1)
	if err != nil || start != time.Second || end != 2500*time.Millisecond {
		t.Errorf("line 1: %v to %v, %v", start, end, err)
	}
	start, end, err = Times([]byte(payload), 2)
	if err != nil || start != time.Hour || end != 9999*time.Hour+time.Millisecond {
		t.Errorf("line 2: %v to %v, %v", start, end, err)
	}
	for _, line := range []int{-1, 0, 3} {
		if _, _, err := Times([]byte(payload), line); err == nil {
			t.Errorf("line %d has times", line)
		}
	}
}

func TestCuesRefuses(t *testing.T) {
	for _, payload := range []string{"", "a\n", stamped, stamped + "\t\n", stamped + "\ta \n", "0:00:01.000 --> 00:00:02.500\ta\n", stamped + " align:start\ta\n", stamped + "\ta\n\n", stamped + "\te\u0301\n"} {
		if cues, err := readBack([]byte(payload)); err == nil || cues != nil {
			t.Errorf("%q was read as %v", payload, cues)
		}
	}
}

// The same cues in both formats are one artifact.
func TestOneTranscript(t *testing.T) {
	srt, err := SRT().Read(read.Input{Data: []byte("1\n" + srtTime + "<i>Zo\u00eb</i> said\nno.\n")})
	if err != nil {
		t.Fatal(err)
	}
	vtt, err := VTT().Read(read.Input{Data: []byte("WEBVTT\n\n" + vttTime + "<i>Zoe\u0308</i> said\nno.\n")})
	if err != nil || !bytes.Equal(srt.Payload, vtt.Payload) {
		t.Errorf("%q and %q, %v", srt.Payload, vtt.Payload, err)
	}
}

func TestRoundTrip(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab<>é天.1:")))
	rapid.Check(t, func(t *rapid.T) {
		cues := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Cue {
			ms := rapid.Int64Range(0, 10_000*3_600_000-1)
			return Cue{time.Duration(ms.Draw(t, "start")) * time.Millisecond, time.Duration(ms.Draw(t, "end")) * time.Millisecond, text.Draw(t, "text")}
		}), 1, 5).Draw(t, "cues")
		got, err := readBack(canon.Text(encode(cues)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cues, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func check(t *testing.T, r read.Reader, data []byte) {
	t.Helper()
	f, err := r.Read(read.Input{Data: data})
	if err != nil {
		if f.Payload != nil || f.Facts != nil {
			t.Fatalf("an error with a form: %q", f.Payload)
		}
		return
	}
	if f.Payload == nil {
		return
	}
	if _, err := readBack(f.Payload); err != nil {
		t.Fatalf("%q is not read back: %v", f.Payload, err)
	}
}

const (
	wholeSRT = "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Caf\u00e9</i>\r\nnoir\r\n\r\n2\r\n00:00:05,000 --> 00:00:06,000 X1:1\r\n{\\an8}Yes\r\n"
	wholeVTT = "WEBVTT - Title\nLanguage: en\n\nNOTE x\n\nSTYLE\n::cue{}\n\nid\n00:01.000 --> 00:02.500 align:start\n<v Ann>a &amp; <ruby>b<rt>c</rt></ruby>\n\n01:00:00.000 --> 01:00:01.000\nd\n"
)

// Truncated and damaged files give a form or an error.
func TestDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for reader, whole := range map[*read.Reader]string{new(SRT()): wholeSRT, new(VTT()): wholeVTT} {
		for i := range 1000 {
			data := []byte(whole)
			for range 1 + rng.IntN(4) {
				data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			}
			if i%2 == 0 {
				data = data[:rng.IntN(len(data))]
			}
			check(t, *reader, data)
		}
	}
}

func TestRegistry(t *testing.T) {
	r := read.NewRegistry(SRT(), VTT())
	cases := []struct{ name, mediaType, data, canonicalizer, typ string }{
		{"a.srt", "", wholeSRT, SRTName, "application/x-subrip"},
		{"a.VTT", "", wholeVTT, VTTName, "text/vtt"},
		{"a", "text/vtt; charset=utf-8", wholeVTT, VTTName, "text/vtt"},
		{"a", "", wholeVTT, VTTName, "text/vtt"},
		{"a.srt", "", "prose\n", canon.BytesForm, "text/plain"},
		{"a.txt", "", wholeSRT, canon.TextForm, "text/plain"},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
}

func FuzzTranscript(f *testing.F) {
	for _, s := range []string{wholeSRT, wholeVTT, "WEBVTT\n00:01.000-->00:02.000\n<v", srtTime + srtTime + "&#8232;<rt>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, SRT(), data)
		check(t, VTT(), data)
	})
}

func FuzzCues(f *testing.F) {
	f.Add([]byte(stamped + "\ta\n" + stamped + "\n"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		cues, err := readBack(payload)
		if err != nil {
			if cues != nil {
				t.Fatalf("an error with cues: %v", cues)
			}
			return
		}
		if !bytes.Equal(canon.Text(encode(cues)), payload) {
			t.Fatalf("%q is not written again as it was", payload)
		}
	})
}

func BenchmarkSRT(b *testing.B) {
	data := []byte(strings.Repeat("1842\r\n00:20:41,150 --> 00:20:45,109\r\n<i>So I made myself ready presently,</i>\r\nand walked to the Tower.\r\n\r\n", 20_000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := SRT().Read(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVTT(b *testing.B) {
	data := []byte("WEBVTT\n\n" + strings.Repeat("00:20:41.150 --> 00:20:45.109 align:start\n<v Ann>So I made myself ready presently,\nand walked to the Tower.\n\n", 20_000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := VTT().Read(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
