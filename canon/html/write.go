package html

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// What an element does to the text around it.
var (
	// blocks stand apart from their neighbours by a blank line.
	blocks = set(`address article aside blockquote body caption center details dialog dir div dl
		fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend
		listing main menu nav ol optgroup p plaintext pre search section select summary table
		textarea ul xmp`)
	// lineElements begin and end a line.
	lineElements = set("dd dt li option tbody tfoot thead tr")
	// lists are blocks, but lines within an item of another list.
	lists = set("dir dl menu ol ul")
	// preserved keep their white space.
	preserved = set("listing plaintext pre textarea xmp")
	// dropped are not shown, or are another document.
	dropped = set(`audio canvas datalist head iframe noembed noframes noscript script style
		template title video annotation annotation-xml`)
	// undrawn are the parts of a drawing that are not drawn.
	undrawn = set("defs desc metadata symbol title")
)

// The separation of two things.
const (
	lineBreak  = 1
	blankLine  = 2
	cellBreak  = "\t"
	whiteSpace = " \t\n\f\r"
)

// A writer writes a tree as text.
type writer struct {
	out       []byte
	restore   func(string) string
	apart     int        // line feeds owed before the next text
	tabs      int        // tabs owed before the next text
	space     bool       // a space owed before the next text
	pre       int        // depth within preserved elements
	item      int        // depth within list items
	nav       int        // depth within contents and navigation
	raised    int        // depth within raised and lowered runs
	from      int        // where the run begins that is written, or awaited
	sheet     sheet      // the rules of the page's own style sheets
	mark      string     // the kind of mark that the next text stands in
	open      string     // that of the mark that is written
	invisible bool       // within what visibility hides
	marker    string     // what is owed before the next text of an item
	list      *numbering // the list around; nil outside one
	images    int
	hidden    int
	noterefs  int
	headings  []read.Heading
}

// node writes n and what is below it.
func (w *writer) node(n *html.Node, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("the page is nested deeper than %d", MaxDepth)
	}
	if err := w.checkLength(); err != nil {
		return err
	}
	switch n.Type {
	default:
		return nil
	case html.TextNode:
		w.text(w.restore(n.Data))
		return nil
	case html.DocumentNode:
		return w.children(n, depth)
	case html.ElementNode:
		return w.element(n, depth)
	}
}

// checkLength refuses a text beyond its limit.
func (w *writer) checkLength() error {
	if len(w.out) > MaxOutput {
		return fmt.Errorf("the text is longer than %d bytes", MaxOutput)
	}
	return nil
}

// children writes the children of a node.
func (w *writer) children(n *html.Node, depth int) error {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := w.node(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// element writes an element as it is shown.
func (w *writer) element(n *html.Node, depth int) error {
	name := plainName(n)
	switch {
	case dropped[name], n.Namespace == "svg" && undrawn[name]:
		return nil
	case w.isHidden(n, name):
		w.hidden++
		return nil
	}
	mark, invisible := w.mark, w.invisible
	w.look(n, name)
	err := w.shown(n, name, depth)
	w.mark, w.invisible = mark, invisible
	return err
}

// shown writes an element by its name.
func (w *writer) shown(n *html.Node, name string, depth int) error {
	switch {
	case isNoteref(n, name):
		w.noterefs++
		return nil
	case name == "br":
		w.apart, w.space = min(w.apart+1, blankLine), false
		return nil
	case name == "img":
		w.images++
		w.text(w.restore(attr(n, "alt")))
		return nil
	case name == "input":
		w.input(n)
		return nil
	case name == "tr" && isLine(n):
		return w.row(n, depth)
	}
	if n.Namespace == "math" {
		if done, err := w.formula(n, depth); done {
			return err
		}
	}
	apart := w.separation(name)
	if apart == 0 {
		if where := riseOf(n, name); where != onLine {
			return w.writeRun(where, func() error { return w.children(n, depth) })
		}
		return w.children(n, depth)
	}
	return w.block(n, name, apart, depth)
}

// block writes an element that is set off.
func (w *writer) block(n *html.Node, name string, apart, depth int) error {
	if isContents(n, name) {
		w.nav++
		defer func() { w.nav-- }()
	}
	marker := ""
	switch name {
	case "ol", "ul", "menu", "dir":
		outer := w.list
		w.enterList(n, name)
		defer func() { w.list = outer }()
	case "li":
		marker = w.nextMarker(n)
	case "option":
		if _, ok := attribute(n, "selected"); ok {
			marker = "◉ "
		}
	}
	if preserved[name] {
		w.pre++
		defer func() { w.pre-- }()
	}
	if name == "li" || name == "dd" {
		w.item++
		defer func() { w.item-- }()
	}
	w.separate(apart)
	w.marker += marker
	start := len(w.out)
	err := w.children(n, depth)
	if marker != "" && w.marker != "" { // nothing else is in it
		w.writeOwed()
	}
	w.separate(apart)
	if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
		start = min(start, len(w.out)) // blanks before it may have gone
		w.headings = append(w.headings, read.Heading{Level: int(name[1] - '0'), Text: string(w.out[start:])})
	}
	return err
}

// separation returns the separation of an element from its neighbours.
func (w *writer) separation(name string) int {
	switch {
	default:
		return 0
	case lists[name] && w.item > 0, lineElements[name]:
		return lineBreak
	case blocks[name], name == "td", name == "th": // a cell met here is layout
		return blankLine
	}
}

// row writes a table row as one line.
func (w *writer) row(tr *html.Node, depth int) error {
	w.separate(lineBreak)
	first := true
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if !first {
			w.tabs, w.space = w.tabs+1, false
		}
		first = false
		if w.isHidden(c, c.Data) {
			w.hidden++
			continue
		}
		mark, invisible := w.mark, w.invisible
		w.look(c, c.Data)
		err := w.children(c, depth+1)
		w.mark, w.invisible = mark, invisible
		if err != nil {
			return err
		}
	}
	w.separate(lineBreak)
	return nil
}

// isLine reports whether no cell of a row holds a block or a line break.
func isLine(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || dropped[c.Data] {
			continue
		}
		if c.Data == "br" || blocks[c.Data] || lineElements[c.Data] || !isLine(c) {
			return false
		}
	}
	return true
}

// separate owes at least this many line feeds before the next text; 0 is none.
func (w *writer) separate(apart int) {
	if apart > 0 {
		w.closeMark()
		w.apart, w.tabs, w.space = max(w.apart, apart), 0, false
	}
}

// text writes characters, white space collapsed where it is not preserved.
func (w *writer) text(s string) {
	if w.invisible {
		return
	}
	if w.pre > 0 {
		w.preservedText(s)
		return
	}
	for s != "" {
		word := strings.TrimLeft(s, whiteSpace)
		if len(word) < len(s) {
			w.space = true
		}
		if word == "" {
			return
		}
		end := strings.IndexAny(word, whiteSpace)
		if end < 0 {
			end = len(word)
		}
		w.writeOwed()
		w.out = append(w.out, word[:end]...)
		s = word[end:]
	}
}

// writeOwed writes the pending separation before a text.
func (w *writer) writeOwed() {
	if w.open != w.mark || w.apart > 0 || w.tabs > 0 {
		w.closeMark()
	}
	switch {
	case len(w.out) == 0:
	case w.apart > 0:
		w.out = bytes.TrimRight(w.out, " \t")
		have := len(w.out) - len(bytes.TrimRight(w.out, "\n"))
		for ; have < w.apart; have++ {
			w.out = append(w.out, '\n')
		}
	case w.tabs == 0 && w.space && !strings.ContainsRune(whiteSpace, rune(w.out[len(w.out)-1])):
		w.out = append(w.out, ' ')
	}
	if w.marker != "" {
		w.out = append(w.out, w.marker...)
		w.marker = ""
	}
	for ; w.tabs > 0; w.tabs-- {
		w.out = append(w.out, cellBreak...)
	}
	w.apart, w.space = 0, false
	w.openMark()
	if w.from == awaited {
		w.from = len(w.out)
	}
}

// isHidden reports whether an element is not shown at all.
func (w *writer) isHidden(n *html.Node, name string) bool {
	if _, ok := attribute(n, "hidden"); ok {
		return true
	}
	if _, open := attribute(n, "open"); name == "dialog" && !open {
		return true
	}
	return w.sheet.property(n, name, "display") == "none"
}

// isNoteref reports whether an element is the number of a note.
func isNoteref(n *html.Node, name string) bool {
	return name == "a" && (hasWord(attr(n, "role"), "doc-noteref") || hasWord(attr(n, "epub:type"), "noteref"))
}

// hasWord reports whether a list with white space holds a word, in any case.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// attr returns the value of an attribute, or "".
func attr(n *html.Node, key string) string {
	value, _ := attribute(n, key)
	return value
}

// attribute returns the value of an attribute, and whether it is there.
func attribute(n *html.Node, key string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}
