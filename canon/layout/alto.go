package layout

import (
	"cmp"
	"encoding/xml"
	"strings"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// A node is an element of an XML document, or a run of characters where name is "".
type node struct {
	name     string // without its prefix
	attrs    map[string]string
	text     string
	children []*node
}

// each calls fn for the elements below a node in the order of the document, and goes into
// those for which fn returns true.
func (n *node) each(fn func(*node) bool) {
	for _, c := range n.children {
		if c.name != "" && fn(c) {
			c.each(fn)
		}
	}
}

// first returns the first child element of a name, or nil.
func (n *node) first(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// all returns the characters of an element and of those within it.
func (n *node) all() string {
	var b strings.Builder
	b.WriteString(n.text)
	for _, c := range n.children {
		b.WriteString(c.all())
	}
	return b.String()
}

// tree returns the root element of an XML document and how it was decoded.
func tree(in read.Input) (*node, string, error) {
	d, err := docpack.NewDecoder("the file", in.Data)
	if err != nil {
		return nil, "", err
	}
	top := &node{}
	if err := fill(d, top); err != nil {
		return nil, "", err
	}
	for _, c := range top.children {
		if c.name != "" {
			return c, d.Charset, nil
		}
	}
	return top, d.Charset, nil
}

// fill reads the content of an element into its node.
func fill(d *docpack.Decoder, n *node) error {
	return d.Each(func(e xml.StartElement, chars []byte) error {
		if e.Name.Local == "" {
			n.children = append(n.children, &node{text: string(chars)})
			return nil
		}
		c := &node{name: e.Name.Local, attrs: make(map[string]string, len(e.Attr))}
		for _, a := range e.Attr {
			c.attrs[a.Name.Local] = a.Value
		}
		n.children = append(n.children, c)
		return fill(d, c)
	})
}

// parseALTO reads ALTO of the versions 1 to 4.
func parseALTO(in read.Input) (*scan, error) {
	root, charset, err := tree(in)
	if err != nil {
		return nil, err
	}
	s := &scan{charset: charset}
	root.each(func(n *node) bool {
		switch n.name {
		case "MeasurementUnit":
			if unit := strings.TrimSpace(n.all()); unit != "pixel" {
				s.unit = unit
			}
		case "fileName":
			if s.image == "" {
				s.image = strings.TrimSpace(n.all())
			}
		case "softwareName":
			s.by = append(s.by, strings.TrimSpace(n.all()))
		case "softwareVersion":
			if len(s.by) > 0 {
				s.by[len(s.by)-1] += " " + strings.TrimSpace(n.all())
			}
		case "Page":
			s.pages = append(s.pages, s.altoPage(n))
			return false
		}
		return true
	})
	return s, nil
}

// altoPage returns the blocks of a page of ALTO, with those in its margins.
func (s *scan) altoPage(n *node) page {
	var p page
	n.each(func(n *node) bool {
		if n.name != "TextBlock" {
			return true
		}
		var block []line
		n.each(func(n *node) bool {
			if n.name == "TextLine" {
				block = append(block, s.altoLine(n))
			}
			return n.name != "TextLine"
		})
		p = append(p, block)
		return false
	})
	return p
}

// altoLine returns a line of ALTO.
func (s *scan) altoLine(n *node) line {
	var b strings.Builder
	var words Box
	for _, c := range n.children {
		switch c.name {
		case "String":
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(c.attrs["CONTENT"])
			words = words.join(altoBox(c))
			s.see(c.attrs["WC"], 1)
		case "HYP":
			hyphen := c.attrs["CONTENT"]
			hyphen = cmp.Or(hyphen, "-")
			if !strings.HasSuffix(b.String(), hyphen) {
				b.WriteString(hyphen)
			}
		}
	}
	box := altoBox(n)
	if box.IsZero() {
		box = words
	}
	return line{b.String(), box}
}

// altoBox returns the box of an element of ALTO.
func altoBox(n *node) Box {
	return Box{number(n.attrs["HPOS"]), number(n.attrs["VPOS"]), number(n.attrs["WIDTH"]), number(n.attrs["HEIGHT"])}
}
