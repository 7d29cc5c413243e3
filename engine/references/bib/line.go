package bib

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A line is a reference being written: runs of text, some in italics.
type line struct {
	runs []run
}

// A run is text in one style of letters.
type run struct {
	text   string
	italic bool
}

// add appends text.
func (l *line) add(text string, italic bool) {
	switch n := len(l.runs); {
	case text == "":
	case n > 0 && l.runs[n-1].italic == italic:
		l.runs[n-1].text += text
	default:
		l.runs = append(l.runs, run{text, italic})
	}
}

// clone returns a copy that further text does not change.
func (l *line) clone() line { return line{slices.Clone(l.runs)} }

// size returns the length of the text in bytes.
func (l *line) size() int {
	n := 0
	for _, r := range l.runs {
		n += len(r.text)
	}
	return n
}

// text returns the line without markup.
func (l *line) text() string {
	var b strings.Builder
	for _, r := range l.runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// stop ends a sentence: a full stop, unless the text ends in one or in ? or !,
// inside a closing quotation mark or not. A comma inside the mark becomes the
// full stop.
func (l *line) stop() {
	switch last, inside := l.last(), l.inside(); {
	case last == 0 || strings.ContainsRune(".?!", last) || inside != 0 && strings.ContainsRune(".?!", inside):
	case inside == ',':
		l.setInside('.')
	default:
		l.add(".", false)
	}
}

// comma adds a comma and a space, only the space after a quotation that ends in a sign, and nothing
// after an opening bracket. A full stop inside the mark becomes the comma.
func (l *line) comma() {
	switch inside := l.inside(); {
	case l.last() == '(':
	case inside != 0 && strings.ContainsRune(",.?!", inside):
		if inside == '.' {
			l.setInside(',')
		}
		l.add(" ", false)
	default:
		l.add(", ", false)
	}
}

// inside returns the last character inside a closing quotation mark at the end,
// 0 where there is no such mark.
func (l *line) inside() rune {
	if last := l.last(); last != '”' && last != '’' {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(l.runs[len(l.runs)-1].text, "”’"))
	return r
}

// setInside replaces the character that inside returns, one of a byte.
func (l *line) setInside(c byte) {
	text := &l.runs[len(l.runs)-1].text
	at := len(strings.TrimRight(*text, "”’")) - 1
	*text = (*text)[:at] + string(c) + (*text)[at+1:]
}

// last returns the last character, 0 of an empty line.
func (l *line) last() rune {
	if len(l.runs) == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(l.runs[len(l.runs)-1].text)
	return r
}

// render returns the line in a markup.
func (l *line) render(m Markup) string {
	var b strings.Builder
	for _, r := range l.runs {
		switch m {
		default:
			b.WriteString(r.text)
		case Markdown:
			t := markdownEscapes.Replace(r.text)
			if r.italic {
				t = "*" + t + "*"
			}
			b.WriteString(t)
		case HTML:
			t := htmlEscapes.Replace(r.text)
			if r.italic {
				t = "<i>" + t + "</i>"
			}
			b.WriteString(t)
		}
	}
	return b.String()
}

var (
	htmlEscapes     = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
	markdownEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "](", `]\(`, "<", `\<`)
)
