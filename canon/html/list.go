package html

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// A numbering is how a list counts its items.
type numbering struct {
	next, step int
	style      byte // 1, a, A, i, I; 0 where no number is shown
}

// unnumbered is the style of items without a number.
const unnumbered = 0

// numberings are the list-style-types that show numbers or none. Another one
// shows decimal numbers here.
var numberings = map[string]byte{
	"decimal": '1', "lower-alpha": 'a', "lower-latin": 'a', "upper-alpha": 'A', "upper-latin": 'A',
	"lower-roman": 'i', "upper-roman": 'I',
	"none": unnumbered, "disc": unnumbered, "circle": unnumbered, "square": unnumbered,
	"disclosure-open": unnumbered, "disclosure-closed": unnumbered,
}

// enterList begins the numbering of a list.
func (w *writer) enterList(n *html.Node, name string) {
	l := &numbering{next: 1, step: 1}
	if name == "ol" {
		l.style = '1'
		if _, ok := attribute(n, "reversed"); ok {
			l.step, l.next = -1, w.countItems(n)
		}
		if start, ok := integerAttr(n, "start"); ok {
			l.next = start
		}
	}
	l.style = markerStyle(n, l.style)
	w.list = l
}

// nextMarker returns the marker before the text of an item, "" for none. The item counts even where
// its number is not shown.
func (w *writer) nextMarker(li *html.Node) string {
	l := w.list
	if display := styleProperty(li, "display"); l == nil || display != "" && display != "list-item" {
		return ""
	}
	if value, ok := integerAttr(li, "value"); ok {
		l.next = value
	}
	n := l.next
	l.next += l.step
	style := markerStyle(li, l.style)
	if style == unnumbered || w.nav > 0 {
		return ""
	}
	return ordinal(n, style) + ". "
}

// markerStyle returns the style that a list or item states, else that one. A
// style attribute has the last word over a type.
func markerStyle(n *html.Node, style byte) byte {
	switch t := strings.Trim(attr(n, "type"), whiteSpace); t {
	case "1", "a", "A", "i", "I":
		if n.Data != "ul" {
			style = t[0]
		}
	default:
		if known, ok := numberings[strings.ToLower(t)]; ok && known == unnumbered {
			style = unnumbered
		}
	}
	for property, value := range declarations(attr(n, "style")) {
		switch property {
		case "list-style-type":
			style = listStyle(value, style)
		case "list-style":
			style = listStyleShorthand(value)
		}
	}
	return style
}

// listStyle returns the style that a list-style-type names.
func listStyle(value string, style byte) byte {
	switch value {
	case "", "inherit", "initial", "revert", "revert-layer", "unset":
		return style
	}
	if known, ok := numberings[value]; ok {
		return known
	}
	return '1'
}

// listStyleShorthand returns the style that a list-style names: bullets where it names
// none.
func listStyleShorthand(value string) byte {
	style := byte(unnumbered)
	for word := range strings.FieldsSeq(value) {
		if word != "inside" && word != "outside" && !strings.HasPrefix(word, "url(") {
			style = listStyle(word, style)
		}
	}
	return style
}

// countItems counts the items of a list that are shown.
func (w *writer) countItems(n *html.Node) (count int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || dropped[c.Data] || w.isHidden(c, c.Data) {
			continue
		}
		switch c.Data {
		case "ol", "ul", "menu", "dir":
			continue
		case "li":
			count++
		}
		count += w.countItems(c)
	}
	return count
}

// integerAttr returns an attribute as HTML reads whole numbers: white space, a sign, digits, and
// any rest.
func integerAttr(n *html.Node, key string) (int, bool) {
	s := strings.TrimLeft(attr(n, key), whiteSpace)
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[0] == '-' || s[0] == '+')) {
		end++
	}
	i, err := strconv.ParseInt(s[:end], 10, 32)
	return int(i), err == nil
}

// ordinal writes a number in a style; what has no letters or Roman numerals is
// decimal.
func ordinal(n int, style byte) string {
	var s string
	switch {
	case (style == 'a' || style == 'A') && n > 0:
		s = alphabetic(n)
	case style == 'i' || style == 'I':
		s = read.Roman(n)
	default:
		return strconv.Itoa(n)
	}
	if style == 'A' || style == 'I' {
		s = strings.ToUpper(s)
	}
	return s
}

// alphabetic counts a, b, … z, aa, ab.
func alphabetic(n int) string {
	const alphabet = 26
	var b []byte
	for ; n > 0; n = (n - 1) / alphabet {
		b = append([]byte{'a' + byte((n-1)%alphabet)}, b...)
	}
	return string(b)
}

// isContents reports whether an element is for finding one's way: its lists are
// links, and pages take their numbers away by a style sheet.
func isContents(n *html.Node, name string) bool {
	switch name {
	case "nav":
		return true
	case "div", "ol", "section":
		return hasWord(attr(n, "role"), "doc-toc") || hasWord(attr(n, "epub:type"), "toc")
	}
	return false
}
