package rtf

import (
	"bytes"
	"muniment/canon/read"
)

// characters maps control words to the characters that they denote.
var characters = map[string]string{"par": "\n\n", "sect": "\n\n", "page": "\n\n", "column": "\n", "line": "\n", "lbr": "\n", "softline": "\n", "tab": "\t",
	"emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"zwj": "\u200D", "zwnj": "\u200C", "cell": "\t", "nestcell": "\t", "row": "\n", "nestrow": "\n"}

// fontCharsets are the charsets of fonts by the number that \fcharset gives.
var fontCharsets = map[int]string{77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258",
	177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250", 254: "ibm437", 255: "ibm850"}

// word obeys a control word.
func (p *parser) word(word string, number int, has bool) {
	if text, ok := characters[word]; ok {
		p.breakLine(word, text)
		return
	}
	on := !has || number != 0
	switch word {
	case "mac":
		p.base = "macintosh"
	case "pc":
		p.base = "ibm437"
	case "pca":
		p.base = "ibm850"
	case "ansicpg":
		if name := read.CodePageName(number); name != "" {
			p.base = name
		}
	case "deff":
		p.first = number
	case "f":
		if p.state.destination == "fonttbl" {
			p.font = number
		} else {
			p.state.codepage = p.fonts[number]
		}
	case "fcharset":
		if name := fontCharsets[number]; name != "" {
			p.fonts[p.font] = name
		}
	case "plain":
		p.state.codepage, p.state.hidden, p.state.deleted = p.fonts[p.first], false, false
		p.state.look = look{}
	case "uc":
		if has && number >= 0 && number <= 16 {
			p.state.unicodeSkip = number
		}
	case "v":
		if p.state.hidden = on; on {
			p.counts["hidden"]++
		}
	case "deleted":
		if p.state.deleted = on; on {
			p.counts["deleted"]++
		}
	case "strike", "striked":
		p.state.look.struck = on
	case "super", "sub", "nosupersub", "up", "dn":
		p.state.look.rise = riseOf(word, on)
	case "pard":
		p.state.inTable = false
	case "titlepg":
		p.titles = true
	case "facingp":
		p.facing = on
	case "intbl", "trowd":
		p.state.inTable = true
	default:
		p.destination(word)
	}
}

// riseOf returns the position of characters after a control word, which a number of 0 takes back.
func riseOf(word string, on bool) int {
	switch {
	case !on:
		return 0
	case word == "super" || word == "up":
		return 1
	case word == "sub" || word == "dn":
		return -1
	}
	return 0
}

// breakLine writes the end of a paragraph, a line or a cell. A paragraph within a cell ends with a
// space, so that a row stays a line.
func (p *parser) breakLine(word, text string) {
	if p.state.destination == "fonttbl" {
		return
	}
	if p.state.inTable && (word == "par" || word == "line") {
		text = " "
	}
	if word == "row" || word == "nestrow" { // the tab behind the last cell is none between two
		if b := p.texts[p.state.destination]; b != nil && bytes.HasSuffix(b.Bytes(), []byte("\t")) {
			b.Truncate(b.Len() - 1)
		}
	}
	p.write(text)
	if word == "row" && p.state.destination == "" {
		p.behindRow = true
	}
}

// destination begins a destination, where the word is one.
func (p *parser) destination(word string) {
	switch {
	case p.state.destination == "skip" && word != "title" && word != "author":
	case word == "footnote", word == "fonttbl":
		p.state.destination = word
	case isMargin(word) && captured[word]:
		p.state.destination, p.state.inTable = word, false
	case word == "title", word == "author":
		if len(p.stack) > 0 && p.state.destination == "skip" && len(p.stack) == 3 { // in the info group
			p.state.destination = word
		}
	case skipped[word]:
		if word == "pict" {
			p.counts["images"]++
		}
		p.state.destination = "skip"
	}
}
