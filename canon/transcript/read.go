package transcript

import (
	"errors"
	"html"
	"regexp"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
)

// readSRT reads SubRip.
func readSRT(lines []string) (track, error) {
	t := track{counts: map[string]int{}}
	var text []string
	finish := func() {
		if len(t.cues) > 0 {
			t.cues[len(t.cues)-1].Text = oneLine(stripSRT(strings.Join(text, "\n")))
		} else {
			t.counts["stray_lines"] += countVisible(text)
		}
		text = nil
	}
	for _, line := range lines {
		start, end, ok := timesOf(line)
		switch {
		default:
			text = append(text, line)
		case ok:
			if n := len(text); n > 0 && isNumber(text[n-1]) {
				text = text[:n-1]
			}
			finish()
			t.cues = append(t.cues, Cue{Start: start, End: end})
		case strings.Contains(line, "-->"):
			t.counts["bad_times"]++
			text = append(text, line)
		}
	}
	finish()
	return t, nil
}

// styleSRT are the marks of style that players of SubRip agree on.
var styleSRT = regexp.MustCompile(`(?i)</?(?:b|i|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}`)

// stripSRT returns the text of a cue of SubRip on one line, without marks of
// style.
func stripSRT(text string) string {
	if !strings.ContainsAny(text, "<{") {
		return text
	}
	return styleSRT.ReplaceAllString(text, "")
}

// isNumber reports whether a line is the number of a cue.
func isNumber(line string) bool {
	line = strings.Trim(line, whiteSpace)
	return line != "" && strings.Trim(line, "0123456789") == ""
}

const whiteSpace = " \t\n\f\r\v"

// countVisible counts the lines with something on them.
func countVisible(lines []string) int {
	n := 0
	for _, line := range lines {
		if strings.Trim(line, whiteSpace) != "" {
			n++
		}
	}
	return n
}

// oneLine joins the lines of a cue. What a character reference stood for may
// be a line break of the text step.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(breaks.Replace(text), func(r rune) bool {
		return strings.ContainsRune(whiteSpace, r)
	}), " ")
}

// readVTT reads WebVTT, https://www.w3.org/TR/webvtt1/ section 6.
func readVTT(lines []string) (track, error) {
	rest, ok := strings.CutPrefix(lines[0], "WEBVTT")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return track{}, errors.New("the file does not begin with WEBVTT")
	}
	t := track{counts: map[string]int{}}
	blocks := blocksOf(lines)
	t.header(rest, blocks[0][1:])
	for _, block := range blocks[1:] {
		t.block(block)
	}
	return t, nil
}

// blocksOf splits a file at its blank lines. A line with an arrow that is not
// the first or second of its block begins another, as the standard has it.
func blocksOf(lines []string) [][]string {
	var blocks [][]string
	var block []string
	flush := func() {
		if len(block) > 0 {
			blocks = append(blocks, block)
		}
		block = nil
	}
	for _, line := range lines {
		if line == "" {
			flush()
			continue
		}
		timed := len(block) > 0 && strings.Contains(block[0], "-->") || len(block) > 1
		if strings.Contains(line, "-->") && (timed || len(blocks) == 0) {
			flush()
		}
		block = append(block, line)
	}
	flush()
	return blocks
}

// header reads the header after WEBVTT: a title, and lines like "Language: en".
func (t *track) header(title string, lines []string) {
	t.source.Title = cleanField(strings.TrimLeft(title, " \t-"))
	for _, line := range lines {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(key, "language") && t.source.Language == "" {
			t.source.Language = cleanField(value)
		}
	}
}

// cleanField returns a statement of a file's head on one line, of bounded length.
func cleanField(v string) string {
	return strings.TrimSpace(read.Cut(string(canon.NFC([]byte(oneLine(v)))), read.MaxField))
}

// block reads one block of WebVTT: a cue, a note, a style sheet or a region.
func (t *track) block(block []string) {
	at := 0
	start, end, ok := timesOf(block[0])
	if !ok && len(block) > 1 {
		at = 1 // the first line is the cue's name
		start, end, ok = timesOf(block[1])
	}
	word, _, _ := strings.Cut(blanks.Replace(block[0]), " ")
	switch {
	default:
		t.counts["stray_lines"] += countVisible(block)
		for _, line := range block[:min(len(block), 2)] {
			if strings.Contains(line, "-->") {
				t.counts["bad_times"]++
			}
		}
	case ok:
		text, voiced := stripVTT(strings.Join(block[at+1:], "\n"))
		if voiced {
			t.counts["voices"]++
		}
		t.cues = append(t.cues, Cue{Start: start, End: end, Text: text})
	case word == "NOTE":
		t.counts["notes"]++
	case word == "STYLE", word == "REGION":
		t.counts["styles"]++
	}
}

// blanks may all follow the name of a tag or block.
var blanks = strings.NewReplacer("\n", " ", "\t", " ", "\f", " ")

// stripVTT resolves tags and references of a cue. A tag runs to the next ">",
// or to the end of the cue.
func stripVTT(text string) (plain string, voiced bool) {
	var out strings.Builder
	for text != "" {
		words, rest, tagged := strings.Cut(text, "<")
		out.WriteString(html.UnescapeString(words))
		if !tagged {
			break
		}
		tag, rest, _ := strings.Cut(rest, ">")
		text = rest
		name, annotation, _ := strings.Cut(blanks.Replace(tag), " ")
		name, _, _ = strings.Cut(name, ".")
		switch name {
		case "v":
			if who := oneLine(html.UnescapeString(annotation)); who != "" {
				out.WriteString(" " + who + ": ")
				voiced = true
			}
		case "rt":
			out.WriteByte('(')
		case "/rt":
			out.WriteByte(')')
		}
	}
	return oneLine(out.String()), voiced
}
