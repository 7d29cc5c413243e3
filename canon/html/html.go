// Package html makes html@2, the text of a web page as a reader sees it.
//
//	r := read.NewRegistry(html.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "page.html", Data: data})
//
// The page is parsed as browsers do (golang.org/x/net/html, named with its
// version in Form.Extractor), XHTML included. Then the body is written out:
//
//   - Blocks (paragraphs, divisions, headings, lists, tables, …) are separated
//     by a blank line. List items, table rows and options are lines, and br
//     ends a line; two br make a blank line. A list inside a list item goes on
//     in lines.
//   - A table row whose cells hold neither blocks nor br is one line, its cells
//     joined by a tab. Any other row is layout: each of its cells is a block.
//     Cells that span are not repeated.
//   - pre, listing, xmp and textarea keep their lines and spaces; elsewhere runs
//     of ASCII white space are one space.
//   - The alt text of a picture stands in the picture's place, the value of a
//     field in the field's.
//   - Raised and lowered runs are written as read.Superscript and Subscript do,
//     in formulas (MathML) too.
//   - The number of a list's item stands before its text, as a browser counts;
//     not in navigation and contents.
//   - What is not shown is left out: script, style, template, noscript, frames,
//     what stands in for audio, video and canvas, descriptions inside drawings,
//     closed dialogs, and every element with the hidden attribute, display:none
//     or visibility:hidden. aria-hidden changes nothing: it hides from a screen
//     reader what everybody else sees.
//   - Words that are shown struck (del, s, strike, line-through) or reversed (bdo,
//     bidi-override) stand in a mark of package read in each line: ⟦struck: not⟧.
//   - Of styles, those of the element are evaluated, and the rules of the page's own
//     style sheets whose selector is an element, a class, an id, or an element with
//     one of these; no other rules.
//   - The number of a note (a link with role doc-noteref or epub:type noteref)
//     is left out as well: raised above the line it is apparatus, set within it
//     it would change the words and numbers it follows.
//
// Bullets, quotation marks around q and other things that a style sheet
// generates are not part of the text. The title belongs to the window and goes
// into Form.Source with what meta and link elements say: authors, publisher,
// date, canonical address. The result ends in the text step of package canon.
//
// Facts: "headings" lists the headings and their paragraphs, as read.Headings
// writes them; "hidden" counts elements left out for their hidden attribute, style or
// closed dialog, "images" the pictures, "noterefs" the note numbers left out;
// each is there only if not zero.
package html

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"muniment/canon"
	"muniment/canon/read"
)

// Name is the form's name and version; Extractor names the parser.
const (
	Name      = "html@2"
	Extractor = "golang.org/x/net v0.62.0"
)

// Limits. A page beyond one of them stays bytes@1.
const (
	// MaxInput is the longest page in bytes. The tree takes some ten times it,
	// and a page that is one tag of a million attributes takes seconds.
	MaxInput = 16 << 20
	// MaxTags is the number of "<" in a page: each makes at most four nodes of
	// some 150 bytes, so that no page takes more than 300 MB.
	MaxTags = 500_000
	// MaxDepth is how deep the tree may be. The parser allows 512 open elements
	// and may hang subtrees a little deeper.
	MaxDepth = 1024
	// MaxOutput is the longest text in bytes. Text is never longer than the page
	// but for character references, the shortest of which makes two bytes of four.
	MaxOutput = MaxInput
)

// Reader returns the reader of html@2.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"text/html", "application/xhtml+xml"},
		Extensions: []string{".html", ".xhtml", ".htm", ".xht"},
		Read:       readPage,
	}
}

// charsetDecl finds the charset that a page declares about itself. Pages
// declare it in their first kilobyte.
var charsetDecl = regexp.MustCompile(`(?i)(?:<meta[^>]{0,200}charset\s*=\s*["']?|<\?xml[^>]{0,200}encoding\s*=\s*["'])([0-9a-z_:-]{1,40})`)

// comment is a comment, up to the end where it has none. What it declares counts
// for nothing.
var comment = regexp.MustCompile(`(?s)<!--(?:>|->|.*?--!?>|.*)`)

// readPage returns the html@2 form of an input.
func readPage(in read.Input) (read.Form, error) {
	if len(in.Data) > MaxInput {
		return read.Form{}, fmt.Errorf("%s: the page has %d bytes, at most %d are read", Name, len(in.Data), MaxInput)
	}
	text, charset, err := read.Decode(in.Data, charsetHint(in))
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	root, restore, err := parse(text)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	w := writer{restore: restore}
	if w.sheet, err = readSheet(root); err == nil {
		err = w.node(root, 0)
	}
	w.closeMark()
	if err == nil {
		err = w.checkLength()
	}
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	payload := canon.Text(w.out)
	return read.Form{
		Payload:       payload,
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Extractor:     Extractor,
		Charset:       charset,
		Facts:         w.facts(read.Headings(payload, w.headings)),
		Source:        source(root, restore),
	}, nil
}

// charsetHint returns the charset that the sender names, else the first known one that
// the page declares outside comments. A page whose declaration can be read in
// ASCII is not UTF-16 or UTF-32, whatever it declares.
func charsetHint(in read.Input) string {
	if _, charset := read.ParseMediaType(in.MediaType); charset != "" {
		return in.MediaType
	}
	const declared = 1024
	head := comment.ReplaceAll(in.Data[:min(len(in.Data), declared)], nil)
	for _, m := range charsetDecl.FindAllSubmatch(head, -1) {
		if name := strings.ToLower(string(m[1])); strings.HasPrefix(name, "utf-") {
			return ""
		} else if read.KnownCharset(name) {
			return name
		}
	}
	return ""
}

// parse returns the tree of a page. restore undoes in a text or attribute what
// was done to the page beforehand.
func parse(text []byte) (root *html.Node, restore func(string) string, err error) {
	if n := bytes.Count(text, []byte{'<'}); n > MaxTags {
		return nil, nil, fmt.Errorf("the page has %d tags, at most %d are read", n, MaxTags)
	}
	if isXHTML(text) {
		text = openEmpty(text)
	}
	text, restore = renameFormatting(text)
	root, err = html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	return root, restore, nil
}

// facts returns the counts that are not zero.
func (w *writer) facts(headings string) map[string]string {
	facts := read.Counts(map[string]int{"hidden": w.hidden, "images": w.images, "noterefs": w.noterefs})
	if headings != "" {
		facts["headings"] = headings
	}
	if len(facts) == 0 {
		return nil
	}
	return facts
}
