package examine

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A blockKind says what a block of a text is.
type blockKind byte

const (
	bodyBlock    blockKind = iota
	headingBlock           // # Heading, or a short line without a stop
	quoteBlock             // > quoted, or indented
	noteBlock              // a footnote, or an entry of a list of references
	codeBlock
)

// A block is a paragraph, an item of a list, a heading or a note.
type block struct {
	span
	kind  blockKind
	label string // of a note: 3, *, smith1998
	text  string // as written, without the marks of a block quote at its lines; of the same length as the span otherwise
}

var (
	noteDefinition = regexp.MustCompile(`^\s*(?:\[\^([^\]\s]{1,40})\]:\s*|\[(\d{1,4}|[A-Za-z][\w+-]{0,30}\d{2,4}[a-z]?)\]:?\s+|\((\d{1,4})\)\s+|(\d{1,4})[.)]?\s+|([¹²³⁰⁴-⁹]{1,4})\s*|(\*{1,3}|†|‡)\s+)`)
	headingLine    = regexp.MustCompile(`^\s{0,3}#{1,6}\s`)
	itemStart      = regexp.MustCompile(`^\s{0,8}(?:[-*+•–]|\d{1,3}[.)]|[a-z]\))\s+`)
	notesHeading   = regexp.MustCompile(`(?i)^\W*(?:\d+\.?\s*)?(notes|endnotes|footnotes|references|bibliography|works cited|sources|literature|anmerkungen|fußnoten|endnoten|quellen|literatur|literaturverzeichnis|quellenverzeichnis|nachweise|belege|table of authorities)\W*$`)
)

// blocksOf cuts a text into blocks.
func blocksOf(text string) []block {
	c := blockCutter{text: text}
	for pos := 0; pos < len(text); {
		end := strings.IndexByte(text[pos:], '\n')
		next := pos + end + 1
		if end < 0 {
			end, next = len(text)-pos, len(text)
		}
		c.line(pos, pos+end)
		pos = next
	}
	c.flush()
	c.settle()
	return c.out
}

type blockCutter struct {
	text  string
	out   []block
	at    block // being read; start -1 where none is
	open  bool
	fence bool
	notes bool // below a heading of notes or references
	lines []string
}

func (c *blockCutter) line(start, end int) {
	line := c.text[start:end]
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
		c.flush()
		c.fence = !c.fence
		return
	}
	switch {
	case c.fence:
		return
	case trimmed == "":
		c.flush()
	case headingLine.MatchString(line):
		c.flush()
		c.begin(start, headingBlock, "")
		c.add(end, line)
		c.flush()
	case strings.HasPrefix(trimmed, ">"):
		if !c.open || c.at.kind != quoteBlock {
			c.flush()
			c.begin(start, quoteBlock, "")
		}
		if body := strings.TrimLeft(trimmed, "> "); body == "" {
			c.flush()
		} else {
			c.add(end, body)
		}
	default:
		c.plain(start, end, line)
	}
}

// plain takes a line that belongs to a paragraph, an item or a note.
func (c *blockCutter) plain(start, end int, line string) {
	if c.open && len(c.lines) == 1 && notesHeading.MatchString(c.lines[0]) {
		c.flush() // the notes begin on the next line
	}
	m := noteDefinition.FindStringSubmatch(line)
	label := ""
	for i := 1; i < len(m); i++ {
		label += m[i]
	}
	explicit := m != nil && (m[1] != "" || m[2] != "" && strings.Contains(m[0], "]"))
	switch {
	case explicit && (!c.open || c.at.kind == noteBlock || m[1] != "" || c.notes), label != "" && c.notes && !c.continues(m):
		c.flush()
		c.begin(start, noteBlock, plainFigures(label))
	case c.notes && c.open && c.at.kind == noteBlock, c.open && c.at.kind == noteBlock:
	case c.open && c.at.kind == quoteBlock && indent(line) >= 2:
	case itemStart.MatchString(line) && !c.midSentence(line):
		c.flush()
		c.begin(start, bodyBlock, "")
	case !c.open:
		kind := bodyBlock
		if indent(line) >= 4 {
			kind = quoteBlock
		}
		if c.notes {
			kind = noteBlock
		}
		c.begin(start, kind, "")
	}
	c.add(end, line)
}

// midSentence reports whether a line that begins like the item of a list goes on with a paragraph: “vom”, and then “1. Mai” on the next line.
func (c *blockCutter) midSentence(line string) bool {
	if !c.open || c.at.kind != bodyBlock || len(c.lines) == 0 || itemStart.MatchString(c.lines[0]) {
		return false
	}
	last := lastVisible(c.lines[len(c.lines)-1])
	return !strings.ContainsAny(last, ".:;!?”“‘’‹›\"»«)]") && (strings.ContainsAny(strings.TrimSpace(line)[:1], "0123456789") || indent(line) == 0)
}

// continues reports whether a number at the beginning of a line is not the next note: it is long, or it has no stop and is not one more than the last.
func (c *blockCutter) continues(m []string) bool {
	last := "0"
	if n := len(c.out); c.open && c.at.kind == noteBlock {
		last = c.at.label
	} else if n > 0 && c.out[n-1].kind == noteBlock {
		last = c.out[n-1].label
	}
	return len(m[2]+m[3]+m[4]) > 3 || m[4] != "" && !strings.ContainsAny(m[0], ".)") && previousNumber(m[4]) != last
}

func (c *blockCutter) begin(start int, kind blockKind, label string) {
	c.at, c.open, c.lines = block{span: span{start, start}, kind: kind, label: label}, true, nil
}

func (c *blockCutter) add(end int, line string) {
	if !c.open {
		return
	}
	c.at.end = end
	c.lines = append(c.lines, line)
}

func (c *blockCutter) flush() {
	if !c.open {
		return
	}
	c.open = false
	if c.at.kind == quoteBlock {
		c.at.text = strings.Join(c.lines, "\n")
	} else {
		c.at.text = c.text[c.at.start:c.at.end]
	}
	if c.at.kind == bodyBlock && notesHeading.MatchString(c.at.text) {
		c.at.kind = headingBlock
	}
	if c.at.kind == headingBlock {
		c.notes = notesHeading.MatchString(c.at.text)
	}
	c.out = append(c.out, c.at)
}

// settle decides what depends on other blocks: indented paragraphs are quotations only where most are not indented, and
// a run of numbered paragraphs at the end are notes.
func (c *blockCutter) settle() {
	indented, body := 0, 0
	for _, b := range c.out {
		switch {
		case b.kind == quoteBlock && !strings.HasPrefix(strings.TrimSpace(c.text[b.start:b.end]), ">"):
			indented++
		case b.kind == bodyBlock:
			body++
		}
	}
	for i := range c.out {
		b := &c.out[i]
		if b.kind == quoteBlock && indented > body && !strings.HasPrefix(strings.TrimSpace(c.text[b.start:b.end]), ">") {
			b.kind, b.text = bodyBlock, c.text[b.start:b.end]
		}
		if b.kind == bodyBlock && !strings.Contains(b.text, "\n") && len(b.text) <= 80 && !strings.ContainsAny(lastVisible(b.text), ".!?:;,…”’‘\"'»«›‹“)]") && !strings.ContainsAny(b.text, "“”„«»‚‹›\"") && !itemStart.MatchString(b.text) {
			b.kind = headingBlock
		}
	}
	c.trailingNotes()
}

// trailingNotes makes notes of a numbered run of paragraphs at the end of a text without a heading: 1, 2, 3 …
func (c *blockCutter) trailingNotes() {
	first, want := len(c.out), ""
	for i := len(c.out) - 1; i >= 0; i-- {
		m := noteDefinition.FindStringSubmatch(c.out[i].text)
		if m == nil || c.out[i].kind != bodyBlock {
			break
		}
		label := plainFigures(m[3] + m[4] + m[5])
		if label == "" || want != "" && label != want {
			break
		}
		first, want = i, previousNumber(label)
		if label == "1" {
			break
		}
	}
	if first >= len(c.out)-1 || want != "0" {
		return
	}
	for i := first; i < len(c.out); i++ {
		m := noteDefinition.FindStringSubmatch(c.out[i].text)
		c.out[i].kind, c.out[i].label = noteBlock, plainFigures(m[3]+m[4]+m[5])
	}
}

func previousNumber(label string) string {
	n := 0
	for _, r := range label {
		n = n*10 + int(r-'0')
	}
	return strconv.Itoa(n - 1)
}

// plainFigures writes raised figures as plain ones.
func plainFigures(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '¹':
			return '1'
		case '²':
			return '2'
		case '³':
			return '3'
		case '⁰':
			return '0'
		}
		if r >= '⁴' && r <= '⁹' {
			return '4' + r - '⁴'
		}
		return r
	}, s)
}

func indent(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// lastVisible returns the last character of a text that is no space or emphasis.
func lastVisible(text string) string {
	t := strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '*' || r == '_' })
	if t == "" {
		return ""
	}
	r := []rune(t[max(0, len(t)-4):])
	return string(r[len(r)-1])
}
