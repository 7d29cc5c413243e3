package html

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// look takes over what an element says of how its text is shown: not at all, struck,
// or reversed. What is within a mark has no other.
func (w *writer) look(n *html.Node, name string) {
	switch w.sheet.property(n, name, "visibility") {
	case "hidden", "collapse":
		if !w.invisible {
			w.hidden++
		}
		w.invisible = true
	case "visible":
		w.invisible = false
	}
	switch {
	case w.mark != "":
	case w.isStruck(n, name):
		w.mark = read.Struck
	case w.isReversed(n, name):
		w.mark = read.Reversed
	}
}

// isStruck reports whether the text of an element is shown struck through.
func (w *writer) isStruck(n *html.Node, name string) bool {
	stated := w.sheet.property(n, name, "text-decoration-line")
	if stated == "" {
		stated = w.sheet.property(n, name, "text-decoration")
	}
	if stated != "" {
		return hasWord(stated, "line-through")
	}
	return name == "del" || name == "s" || name == "strike"
}

// isReversed reports whether the text of an element is shown in a direction that is
// not that of its script.
func (w *writer) isReversed(n *html.Node, name string) bool {
	direction := ""
	if name == "bdo" {
		direction = strings.ToLower(attr(n, "dir"))
	}
	if bidi := w.sheet.property(n, name, "unicode-bidi"); bidi == "bidi-override" || bidi == "isolate-override" {
		direction = w.sheet.property(n, name, "direction")
		if direction == "" {
			direction = strings.ToLower(attr(n, "dir"))
		}
	}
	return direction == "rtl" && !isRightToLeft(n) || direction == "ltr" && isRightToLeft(n)
}

// maxNodes is how many nodes below an element are looked through for its first letter.
// Elements in one another look through the same nodes each.
const maxNodes = 256

// isRightToLeft reports whether the first letter below a node is of a script that is
// written from right to left.
func isRightToLeft(n *html.Node) bool {
	seen := 0
	for c := range n.Descendants() {
		if seen++; seen > maxNodes {
			return false
		}
		if c.Type != html.TextNode {
			continue
		}
		for _, r := range c.Data[:min(len(c.Data), maxNodes)] {
			if unicode.IsLetter(r) {
				return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
			}
		}
	}
	return false
}

// openMark begins the mark of the next text.
func (w *writer) openMark() {
	if w.mark != "" && w.open == "" {
		w.out = append(w.out, read.MarkStart(w.mark)...)
		w.open = w.mark
	}
}

// closeMark ends the mark that is written.
func (w *writer) closeMark() {
	if w.open != "" {
		w.out = append(w.out, read.MarkEnd...)
		w.open = ""
	}
}

// preservedText writes text whose white space stays, each line with a mark of its own.
func (w *writer) preservedText(s string) {
	if w.mark == "" && w.open == "" {
		if s != "" {
			w.writeOwed()
			w.out = append(w.out, s...)
		}
		return
	}
	mark := w.mark
	for line := range strings.Lines(s) {
		words := strings.Trim(line, whiteSpace)
		indent := line[:strings.Index(line, words)]
		w.closeMark()
		w.mark = ""
		w.writeOwed()
		w.out = append(w.out, indent...)
		if w.mark = mark; words != "" {
			w.openMark()
			w.out = append(w.out, words...)
			w.closeMark()
		}
		w.out = append(w.out, line[len(indent)+len(words):]...)
	}
}
