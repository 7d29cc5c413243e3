package office

import (
	"bytes"
	"fmt"
	"strings"

	"muniment/canon/read"
)

// The separation of two things.
const (
	lineBreak = 1
	blankLine = 2
)

// A story is a run of blocks that is written for itself: the body, a table
// cell, a note, a text box.
type story struct {
	out    []byte
	apart  int      // line feeds owed before the next text
	boxes  []string // text boxes anchored in the paragraph that is being written
	item   int      // depth within list items, of OpenDocument
	marker string   // the number that is owed before the next text
	level  rise     // of what is written next
	rising rise     // of the run that is being written
	from   int      // where that begins in out
	struck bool     // what is written next is struck through
	strike bool     // so is the run that is being written
}

// A writer writes the text of a document. The first error stays, and nothing is
// written after it.
type writer struct {
	*story
	outer     []*story // the stories around the current one
	mute      int      // within things that are not part of the text
	concealed bool     // within hidden text
	fields    []bool   // the open fields; true until the result of one begins
	written   int      // bytes, in all stories
	counts    map[string]int
	headings  []read.Heading
	reasons   map[string]string // why what stands beside the text is left out: "header"
	err       error
}

// newWriter returns a writer of an empty text.
func newWriter() *writer {
	return &writer{story: &story{}, counts: map[string]int{}}
}

// isSilent reports whether what is read now is not part of the text.
func (w *writer) isSilent() bool { return w.mute > 0 || w.concealed }

// heading keeps the text written since before, if it is a heading of the body.
func (w *writer) heading(level, before int) {
	w.endRun()
	if level == 0 || len(w.outer) > 0 || w.isSilent() || before > len(w.out) || len(w.headings) == read.MaxHeadings {
		return
	}
	w.headings = append(w.headings, read.Heading{Level: level, Text: string(w.out[before:])})
}

// fail keeps the first error.
func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// unread keeps the first reason why a header, a footer or the comments could not be read.
func (w *writer) unread(what string, err error) {
	if w.reasons == nil {
		w.reasons = map[string]string{}
	}
	if w.reasons[what] == "" {
		w.reasons[what] = err.Error()
	}
}

// count counts a thing for the facts.
func (w *writer) count(fact string) { w.counts[fact]++ }

// separate owes at least this many line feeds before the next text.
func (w *writer) separate(apart int) {
	w.endRun()
	w.apart = max(w.apart, apart)
}

// newline ends a line within a paragraph; two or more leave a blank line.
func (w *writer) newline() {
	if !w.isSilent() {
		w.apart = min(w.apart+1, blankLine)
	}
}

// text writes characters. The line breaks that the text step knows become line
// breaks here, so that a table's row sees them.
func (w *writer) text(s string) {
	for s != "" && !w.isSilent() && w.err == nil {
		at, length := nextBreak(s)
		w.raw(s[:at])
		if length > 0 {
			w.newline()
		}
		s = s[at+length:]
	}
}

// raw writes characters as they are.
func (w *writer) raw(s string) {
	if s == "" {
		return
	}
	if w.charge(len(s)); w.err == nil {
		w.writeOwed()
		if w.level != w.story.rising || w.struck != w.story.strike {
			w.endRun()
			w.story.rising, w.story.strike, w.from = w.level, w.struck, len(w.out)
		}
		w.out = append(w.out, s...)
	}
}

// charge counts bytes against the limit.
func (w *writer) charge(n int) {
	if w.written += n; w.written > MaxOutput {
		w.fail("the text is longer than %d bytes", MaxOutput)
	}
}

// field follows the parts of a field. What stands before its result is its
// instruction, and not shown.
func (w *writer) field(kind string) {
	last := len(w.fields) - 1
	switch {
	case kind == "begin":
		w.fields = append(w.fields, true)
		w.mute++
	case last < 0:
	case kind == "separate" && w.fields[last]:
		w.fields[last] = false
		w.mute--
	case kind == "end":
		if w.fields[last] {
			w.mute--
		}
		w.fields = w.fields[:last]
	}
}

// spaces writes n of them.
func (w *writer) spaces(n int) {
	if w.isSilent() || n <= 0 {
		return
	}
	w.raw(strings.Repeat(" ", min(n, MaxOutput-w.written+1)))
}

// writeOwed writes the line feeds that are owed before a text.
func (w *writer) writeOwed() {
	if w.apart > 0 && len(w.out) > 0 {
		w.endRun()
		w.out = bytes.TrimRight(w.out, " \t")
		have := len(w.out) - len(bytes.TrimRight(w.out, "\n"))
		for ; have < w.apart && len(w.out) > 0; have++ {
			w.out = append(w.out, '\n')
		}
	}
	w.apart = 0
	if w.marker != "" {
		w.endRun()
		w.charge(len(w.marker))
		w.out = append(w.out, w.marker...)
		w.marker = ""
	}
}

// endMarker writes the number of a paragraph without text.
func (w *writer) endMarker() {
	if w.marker != "" {
		w.writeOwed()
	}
}

// nextBreak returns where the next line break begins and how long it is, or
// len(s) and 0.
func nextBreak(s string) (at, length int) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n', '\r':
			return i, 1
		case 0xC2: // NEL is C2 85
			if strings.HasPrefix(s[i:], "\u0085") {
				return i, len("\u0085")
			}
		case 0xE2: // LS and PS are E2 80 A8 and E2 80 A9
			if strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029") {
				return i, len("\u2028")
			}
		}
	}
	return len(s), 0
}

// push begins a story within the current one.
func (w *writer) push() {
	if len(w.outer) == maxStories {
		w.fail("tables, notes and text boxes are nested deeper than %d", maxStories)
	}
	w.outer = append(w.outer, w.story)
	w.story = &story{}
}

// pop ends the current story and returns its text without spaces, tabs and line
// ends at its edges. It counts against the limit once more, since it is copied.
func (w *writer) pop() string {
	w.endRun()
	w.flush()
	w.charge(len(w.out))
	text := string(bytes.Trim(w.out, " \t\n"))
	last := len(w.outer) - 1
	w.story, w.outer = w.outer[last], w.outer[:last]
	return text
}

// block writes a finished story as a block of the current one.
func (w *writer) block(text string) {
	w.separate(blankLine)
	w.inline(text)
	w.separate(blankLine)
}

// inline writes a finished story into the current line.
func (w *writer) inline(text string) {
	if text == "" || w.isSilent() || w.err != nil {
		return
	}
	w.writeOwed()
	w.endRun()
	w.out = append(w.out, text...)
}

// flush writes the text boxes of the paragraph that has ended.
func (w *writer) flush() {
	boxes := w.boxes
	w.boxes = nil
	for _, box := range boxes {
		w.block(box)
	}
}

// row writes the cells of a table row: one line if each of them is one line
// without a tab, a block for each otherwise.
func (w *writer) row(cells []string) {
	line, empty := true, true
	for _, c := range cells {
		line = line && !strings.ContainsAny(c, "\t\n")
		empty = empty && c == ""
	}
	switch {
	case empty:
	case line:
		w.separate(lineBreak)
		w.inline(strings.Join(cells, "\t"))
		w.separate(lineBreak)
	default:
		for _, c := range cells {
			w.block(c)
		}
	}
}
