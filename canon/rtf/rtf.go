// Package rtf makes rtf@2, the text of a document in the Rich Text Format.
//
//	r := read.NewRegistry(rtf.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "letter.rtf", Data: data})
//
// Paragraphs are separated by a blank line; a line break ends a line. The cells of a
// row of a table are joined by a tab, and rows are lines. Characters come from \u, or
// from bytes in the charset of their font, else of the document. Footnotes and
// endnotes follow the text, each a block; headers and footers follow these, each text
// once, behind a line ⟦header⟧ or ⟦footer⟧. Left out: text that is hidden or marked as
// deleted, comments, pictures, instructions of fields, and every destination that is
// marked as one to ignore.
//
// Title and author go into Form.Source. Facts, each only if not zero: "notes",
// "hidden", "deleted" (runs left out), "images", "headers", "footers".
//
// Body is the text of a document that is a part of another: a mail, an imported part. It
// has no headers and footers.
package rtf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/read"
)

// Name is the form's name and version.
const Name = "rtf@2"

// Limits of what is read.
const (
	// maxDepth is how deep groups may lie in each other; Word stops far below.
	maxDepth = 1000
	// maxNumber is the most digits of a parameter: those of 2^31.
	maxNumber = 10
	// maxMargins is the number of headers and footers: four of each for every section of
	// a long book.
	maxMargins = 8000
)

// Reader returns the reader of rtf@2.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"text/rtf", "application/rtf"},
		Extensions: []string{".rtf"},
		Read: func(in read.Input) (read.Form, error) {
			form, err := parse(in.Data, true)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", Name, err)
			}
			return form, nil
		},
	}
}

// Body returns the form of a document without its headers and footers. Its payload is nil
// where no text is visible.
func Body(data []byte) (read.Form, error) { return parse(data, false) }

// A state is what a group may change and its end takes back.
type state struct {
	destination string // "", a name of captured, or "skip"
	codepage    string
	unicodeSkip int // characters behind \u that stand in for it
	hidden      bool
	deleted     bool
	inTable     bool
	look        look
}

// A look is how characters are shown, so far as it changes what they say.
type look struct {
	struck bool
	rise   int // above 0 for raised, below 0 for lowered
}

// A parser reads one document.
type parser struct {
	data    []byte
	at      int
	state   state
	stack   []state
	base    string         // charset of the document
	fonts   map[int]string // charsets by the number of the font
	font    int            // being defined
	first   int            // the default font
	skip    int            // characters to pass over behind \u
	pending []byte         // bytes in one charset
	units   []uint16       // halves of characters
	texts   map[string]*bytes.Buffer
	notes   []string
	margins []margin
	titles  bool // a section has a first page of its own
	facing  bool // left and right pages have their own margins
	counts  map[string]int
	bad     int // bytes that their charset does not have

	run       look   // of the characters written last
	runText   string // the destination of these
	runFrom   int    // where they begin in it
	behindRow bool   // the text ends with a row of a table
}

// captured are the destinations whose text is kept.
var captured = map[string]bool{"": true, "footnote": true, "title": true, "author": true, "fonttbl": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true}

// A margin is the text of a header or a footer, and its destination.
type margin struct{ destination, text string }

// skipped are the destinations without the mark of one to ignore whose text is not
// that of the document.
var skipped = map[string]bool{"colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true,
	"annotation": true, "atnid": true, "atnauthor": true, "fldinst": true, "listtable": true, "revtbl": true,
	"xe": true, "tc": true, "txe": true, "rxe": true, "nonshppict": true, "themedata": true, "datastore": true, "filetbl": true, "pntext": true, "bkmkstart": true, "bkmkend": true,
	"subject": true, "keywords": true, "doccomm": true, "operator": true, "creatim": true, "revtim": true, "printim": true, "generator": true, "manager": true, "company": true, "category": true, "hlinkbase": true}

// parse returns the form of a document, with its headers and footers or without.
func parse(data []byte, margins bool) (read.Form, error) {
	if !bytes.HasPrefix(data, []byte(`{\rtf`)) {
		return read.Form{}, errors.New(`it does not begin with {\rtf`)
	}
	p := &parser{data: data, base: "windows-1252", fonts: map[int]string{}, texts: map[string]*bytes.Buffer{}, counts: map[string]int{}}
	for name := range captured {
		p.texts[name] = &bytes.Buffer{}
	}
	p.state = state{codepage: "", unicodeSkip: 1}
	if err := p.read(); err != nil {
		return read.Form{}, err
	}
	p.endRun()
	text := p.texts[""].String()
	for _, n := range p.notes {
		text += "\n\n" + strings.Trim(n, "\n ")
	}
	p.counts["notes"] = len(p.notes)
	if margins {
		text += p.writeMargins()
	}
	charset := p.base + " declared"
	if p.bad > 0 {
		charset += fmt.Sprintf(", %d undecodable", p.bad)
	}
	facts := read.Counts(p.counts)
	if len(facts) == 0 {
		facts = nil
	}
	form := read.Form{Payload: canon.Text([]byte(text)), Canonicalizer: Name, Unicode: canon.UnicodeVersion, Charset: charset, Facts: facts}
	form.Source.Title = oneLine(p.texts["title"].String())
	if author := oneLine(p.texts["author"].String()); author != "" {
		form.Source.Creators = []string{author}
	}
	return form, nil
}

// oneLine returns a text on one line, at most 1,024 code points of it.
func oneLine(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	return string(r[:min(len(r), 1024)])
}

// read reads the document to the end of its outermost group.
func (p *parser) read() error {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; c {
		case '{':
			p.flush()
			if len(p.stack) == maxDepth {
				return fmt.Errorf("groups nested deeper than %d", maxDepth)
			}
			p.stack = append(p.stack, p.state)
			p.skip = 0
			p.at++
		case '}':
			p.flush()
			p.at++
			switch p.end(); {
			case len(p.margins) > maxMargins:
				return fmt.Errorf("the document has more than %d headers and footers", maxMargins)
			case len(p.stack) == 0:
				return nil
			}
		case '\\':
			if err := p.control(); err != nil {
				return err
			}
		case '\r', '\n', 0:
			p.at++
		default:
			p.at++
			p.char(c)
		}
	}
	return errors.New("it ends within a group")
}

// end ends a group.
func (p *parser) end() {
	p.skip = 0
	outer := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	if kind := p.state.destination; kind != outer.destination && (kind == "footnote" || isMargin(kind)) {
		p.endRun()
		b := p.texts[kind]
		switch text := b.String(); {
		case strings.TrimSpace(text) == "":
		case kind == "footnote":
			p.notes = append(p.notes, text)
		default:
			p.margins = append(p.margins, margin{kind, strings.Trim(text, "\n ")})
		}
		b.Reset()
	}
	p.state = outer
}

// isMargin reports whether a destination is a header or a footer.
func isMargin(destination string) bool {
	return strings.HasPrefix(destination, "header") || strings.HasPrefix(destination, "footer")
}

// writeMargins returns the headers and footers that pages have, each text once: those of
// first pages where a section has one of its own, those of left and right pages where
// pages face each other.
func (p *parser) writeMargins() string {
	var b strings.Builder
	written := map[margin]bool{}
	for _, kind := range []string{"header", "footer"} {
		for _, m := range p.margins {
			side, ok := strings.CutPrefix(m.destination, kind)
			one := margin{kind, m.text}
			if !ok || side == "f" && !p.titles || (side == "l" || side == "r") && !p.facing || written[one] {
				continue
			}
			written[one] = true
			p.counts[kind+"s"]++
			b.WriteString("\n\n⟦" + kind + "⟧\n" + m.text)
		}
	}
	return b.String()
}

// control reads a control word or symbol.
func (p *parser) control() error {
	p.at++
	if p.at == len(p.data) {
		return errors.New("it ends within a control word")
	}
	c := p.data[p.at]
	if !isLetter(c) {
		p.at++
		return p.symbol(c)
	}
	start := p.at
	for p.at < len(p.data) && isLetter(p.data[p.at]) {
		p.at++
	}
	word := string(p.data[start:p.at])
	start = p.at
	if p.at < len(p.data) && p.data[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' && p.at-start <= maxNumber {
		p.at++
	}
	number, err := strconv.Atoi(string(p.data[start:p.at]))
	has := err == nil
	if p.at < len(p.data) && p.data[p.at] == ' ' {
		p.at++
	}
	if word == "bin" && has && number > 0 {
		if number > len(p.data)-p.at {
			return errors.New("it ends within binary data")
		}
		p.at += number
		return nil
	}
	if word == "u" && has {
		if p.takesText() && p.skip == 0 {
			p.decode()
			p.units = append(p.units, uint16(number))
		}
		p.skip = p.state.unicodeSkip
		return nil
	}
	if p.skip > 0 { // a control word stands in for a character, too
		p.skip--
		return nil
	}
	p.flush()
	p.word(word, number, has)
	return nil
}

// symbol reads a control symbol.
func (p *parser) symbol(c byte) error {
	if c == '\'' {
		if p.at+2 > len(p.data) {
			return errors.New("it ends within a character")
		}
		n, err := strconv.ParseUint(string(p.data[p.at:p.at+2]), 16, 8)
		if err != nil {
			return fmt.Errorf("%q is no character", p.data[p.at:p.at+2])
		}
		p.at += 2
		p.char(byte(n))
		return nil
	}
	if p.skip > 0 {
		p.skip--
		return nil
	}
	switch c {
	case '\\', '{', '}':
		p.char(c)
		return nil
	}
	p.flush()
	switch c {
	case '*':
		p.state.destination = "skip"
	case '~':
		p.write("\u00A0")
	case '-':
		p.write("\u00AD")
	case '_':
		p.write("\u2011")
	case '\r', '\n':
		p.write("\n\n")
	}
	return nil
}

// char takes one byte of text.
func (p *parser) char(c byte) {
	if p.skip > 0 {
		p.skip--
		return
	}
	if p.takesText() {
		p.surrogates()
		p.pending = append(p.pending, c)
	}
}

// takesText reports whether characters here are kept.
func (p *parser) takesText() bool {
	switch p.state.destination {
	case "skip":
		return false
	case "title", "author", "fonttbl":
		return true
	}
	return !p.state.hidden && !p.state.deleted
}

// write writes text into the destination. A run ends at the end of a line and at a tab;
// a paragraph behind a table is no row of it.
func (p *parser) write(s string) {
	if !p.takesText() {
		return
	}
	shown := p.state.look
	if s[0] == '\n' || s[0] == '\t' {
		shown = look{}
	}
	b := p.texts[p.state.destination]
	if shown != p.run || p.state.destination != p.runText {
		p.endRun()
		p.run, p.runText, p.runFrom = shown, p.state.destination, b.Len()
	}
	if p.behindRow && p.state.destination == "" {
		if p.behindRow = false; !p.state.inTable && s[0] != '\n' {
			b.WriteByte('\n')
			p.runFrom = b.Len()
		}
	}
	b.WriteString(s)
}

// endRun writes the run that ends here as it is shown: struck words in a mark, raised and
// lowered figures in their own characters.
func (p *parser) endRun() {
	if p.run == (look{}) {
		return
	}
	b := p.texts[p.runText]
	words := string(b.Bytes()[p.runFrom:])
	switch {
	case p.run.rise > 0:
		words = read.Superscript(words)
	case p.run.rise < 0:
		words = read.Subscript(words)
	}
	if p.run.struck {
		words = read.Marked(read.Struck, words)
	}
	b.Truncate(p.runFrom)
	b.WriteString(words)
	p.run = look{}
}

// flush writes the characters that wait.
func (p *parser) flush() {
	p.decode()
	p.surrogates()
}

// surrogates writes the UTF-16 units of \u.
func (p *parser) surrogates() {
	if len(p.units) > 0 {
		p.write(string(utf16.Decode(p.units)))
		p.units = p.units[:0]
	}
}

// decode writes the bytes that wait, in the charset of their font.
func (p *parser) decode() {
	if len(p.pending) == 0 {
		return
	}
	p.surrogates()
	charset := p.state.codepage
	charset = cmp.Or(charset, p.base)
	text := read.DecodeBytes(p.pending, charset)
	p.bad += strings.Count(text, string(utf8.RuneError))
	p.write(text)
	p.pending = p.pending[:0]
}

// isLetter reports whether c may be in a control word.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
