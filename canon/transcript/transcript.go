// Package transcript makes srt@1 and vtt@1, the texts of subtitles in SubRip
// and WebVTT: one line per cue, so that a line span cites what was said when.
//
//	r := read.NewRegistry(transcript.SRT(), transcript.VTT())
//	form, err := r.Canonicalize(read.Input{Name: "interview.vtt", Data: data})
//	start, end, err := transcript.Times(form.Payload, 12) // of line 12
//
// The lines of both forms are alike, in the order of the file:
//
//		00:00:01.000 --> 00:00:04.200	Ann: Where were you that night?
//		00:01:02.500 --> 00:01:04.000	At home.
//
//	  - Times have at least two digits of hours. A tab stands between them and
//	    the text; a cue without text is its times.
//	  - The lines of a cue are joined by a space, since they are broken for the
//	    screen. Runs of ASCII white space are one space, none at the edges.
//	  - Left out: numbers and names of cues, their places on the screen, WebVTT's
//	    notes, style sheets and regions, and marks of style. These are in SubRip
//	    the tags b, i, u, s and font and overrides in braces ({\an8}); everything
//	    else in angle brackets stays, as it was written to be read. In WebVTT they
//	    are all tags.
//	  - In WebVTT <v Ann> says who speaks and becomes "Ann: ", <rt> (the reading
//	    beside a word) stands in parentheses, and character references are
//	    resolved.
//
// What is not as the format says stays readable and is counted:
//
//   - SubRip: whatever stands between two lines of times is the first one's
//     text, but for the number right before the second. So blank lines within
//     a cue, and a broken line of times, lose no words.
//   - WebVTT: a blank line ends a cue, and blocks without times are left out, as
//     the standard has it.
//
// The result ends in the text step of package canon. Times reads one line of it.
//
// Facts: "cues"; "duration" (the latest end, 00:01:04.000); and, each only if
// not zero, "voices" (cues with a <v>), "notes", "styles" (style sheets and
// regions), "stray_lines" (before the first cue, or in blocks without times),
// "bad_times" (lines with an arrow that give no two times), "unordered" (cues
// that begin before the one above), "reversed" (cues that end before they
// begin).
package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/canon"
	"muniment/canon/read"
)

// The names and versions of the two forms.
const (
	SRTName = "srt@1"
	VTTName = "vtt@1"
)

// MaxInput is the longest file in bytes: subtitles of a film have some 100 kB,
// and cues are in memory in several copies.
const MaxInput = 32 << 20

// SRT returns the reader of srt@1.
func SRT() read.Reader {
	return read.Reader{
		Name:       SRTName,
		MediaTypes: []string{"application/x-subrip", "text/srt"},
		Extensions: []string{".srt"},
		Read:       func(in read.Input) (read.Form, error) { return readTrack(in, SRTName, readSRT) },
	}
}

// VTT returns the reader of vtt@1.
func VTT() read.Reader {
	return read.Reader{
		Name:       VTTName,
		MediaTypes: []string{"text/vtt"},
		Extensions: []string{".vtt"},
		Read:       func(in read.Input) (read.Form, error) { return readTrack(in, VTTName, readVTT) },
	}
}

// A Cue is what is said from one time to another, on one line.
type Cue struct {
	Start, End time.Duration // whole milliseconds
	Text       string
}

// A track is what a file was found to hold.
type track struct {
	cues   []Cue
	counts map[string]int
	source read.Meta
}

// breaks are the line breaks of the text step.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// readTrack returns the form of subtitles, read by one of the two parsers.
func readTrack(in read.Input, name string, parse func(lines []string) (track, error)) (read.Form, error) {
	if len(in.Data) > MaxInput {
		return read.Form{}, fmt.Errorf("%s: the file has %d bytes, at most %d are read", name, len(in.Data), MaxInput)
	}
	text, charset, err := read.Decode(in.Data, in.MediaType)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	clean := strings.TrimLeft(breaks.Replace(string(text)), "\uFEFF")
	t, err := parse(strings.Split(clean, "\n"))
	if err == nil && len(t.cues) == 0 {
		err = errors.New("there is no cue: no line has two times and an arrow between them")
	}
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	form := read.Form{
		Canonicalizer: name,
		Unicode:       canon.UnicodeVersion,
		Charset:       charset,
		Facts:         t.facts(),
		Source:        t.source,
	}
	if t.holdsText() {
		form.Payload = canon.Text(encode(t.cues))
	}
	return form, nil
}

// holdsText reports whether any cue has a visible text.
func (t track) holdsText() bool {
	return slices.ContainsFunc(t.cues, func(c Cue) bool { return canon.Text([]byte(c.Text)) != nil })
}

// facts returns the facts that the package comment lists.
func (t track) facts() map[string]string {
	var last time.Duration
	for i, c := range t.cues {
		last = max(last, c.Start, c.End)
		if c.End < c.Start {
			t.counts["reversed"]++
		}
		if i > 0 && c.Start < t.cues[i-1].Start {
			t.counts["unordered"]++
		}
	}
	facts := read.Counts(t.counts)
	facts["cues"], facts["duration"] = strconv.Itoa(len(t.cues)), stamp(last)
	return facts
}

// encode writes cues as lines.
func encode(cues []Cue) []byte {
	var out bytes.Buffer
	for _, c := range cues {
		out.WriteString(stamp(c.Start) + arrow + stamp(c.End))
		if c.Text != "" {
			out.WriteString("\t" + c.Text)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// cueOf reads one line of a transcript.
func cueOf(line string) (Cue, error) {
	times, text, _ := strings.Cut(line, "\t")
	start, end, ok := timesOf(times)
	if !ok || times != stamp(start)+arrow+stamp(end) {
		return Cue{}, fmt.Errorf("%.40q are no times of a cue", times)
	}
	return Cue{Start: start, End: end, Text: text}, nil
}

// Times returns when the cue on a line of a transcript begins and ends. Lines
// count from 1, as in l spans.
func Times(payload []byte, line int) (start, end time.Duration, err error) {
	n := 0
	for text := range bytes.Lines(payload) {
		if n++; n == line {
			c, err := cueOf(string(bytes.TrimSuffix(text, []byte{'\n'})))
			if err != nil {
				return 0, 0, fmt.Errorf("line %d: %w", line, err)
			}
			return c.Start, c.End, nil
		}
	}
	return 0, 0, fmt.Errorf("there is no line %d, the transcript has %d", line, n)
}
