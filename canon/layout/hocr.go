package layout

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// maxDepth is how deep the elements of hOCR may lie in each other: a page has six levels.
const maxDepth = 256

// lineClasses are the classes of hOCR that are lines.
var lineClasses = []string{"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat"}

// parseHOCR reads hOCR.
func parseHOCR(in read.Input) (*scan, error) {
	text, charset, err := read.Decode(in.Data, in.MediaType)
	if err != nil {
		return nil, err
	}
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	s := &scan{charset: charset}
	s.hocr(root, nil, 0)
	return s, nil
}

// hocr adds the content of an element; block is the innermost paragraph or area around it.
func (s *scan) hocr(n, block *html.Node, depth int) {
	if depth > maxDepth {
		return
	}
	classes := strings.Fields(attribute(n, "class"))
	title := properties(attribute(n, "title"))
	switch {
	case n.Type == html.ElementNode && n.Data == "meta" && attribute(n, "name") == "ocr-system":
		s.by = append(s.by, attribute(n, "content"))
	case has(classes, "ocr_page"):
		s.pages = append(s.pages, page{nil})
		if s.image == "" {
			s.image = strings.Trim(title["image"], `"'`)
		}
		block = n
	case has(classes, "ocr_par", "ocr_carea", "ocrx_block"):
		block = n
	}
	if len(s.pages) > 0 && block != nil && has(classes, lineClasses...) {
		last := &s.pages[len(s.pages)-1]
		if s.block != block {
			s.block = block
			*last = append(*last, nil)
		}
		(*last)[len(*last)-1] = append((*last)[len(*last)-1], line{s.hocrText(n, 0), hocrBox(title)})
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.hocr(c, block, depth+1)
	}
}

// hocrText returns the characters of an element, and notes how sure its words are.
func (s *scan) hocrText(n *html.Node, depth int) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	if depth > maxDepth || n.Type != html.ElementNode {
		return ""
	}
	s.see(properties(attribute(n, "title"))["x_wconf"], 100)
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(s.hocrText(c, depth+1))
	}
	return b.String()
}

// has reports whether one of the classes is among those wanted.
func has(classes []string, wanted ...string) bool {
	for _, c := range classes {
		for _, w := range wanted {
			if c == w {
				return true
			}
		}
	}
	return false
}

// attribute returns the value of an attribute, or "".
func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// properties reads the title of an element of hOCR: names with values, apart by
// semicolons.
func properties(title string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(title, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
		if _, known := out[name]; !known && name != "" {
			out[name] = strings.TrimSpace(value)
		}
	}
	return out
}

// hocrBox returns the box that a title gives by its corners.
func hocrBox(title map[string]string) Box {
	c := strings.Fields(title["bbox"])
	if len(c) != 4 {
		return Box{}
	}
	x, y := number(c[0]), number(c[1])
	return Box{x, y, number(c[2]) - x, number(c[3]) - y}
}
