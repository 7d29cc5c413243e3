package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"path"
	"strings"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// A nameSpace is one of those of Office Open XML, in its transitional or strict
// form.
type nameSpace uint8

const (
	spaceOther nameSpace = iota
	spaceWord
	spaceMath
	spaceDrawing
	spaceCompatibility
	spaceVML
)

// space returns the name space that a URL names, or spaceOther.
func space(url string) nameSpace {
	switch url {
	case "http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main":
		return spaceWord
	case "http://schemas.openxmlformats.org/officeDocument/2006/math", "http://purl.oclc.org/ooxml/officeDocument/math":
		return spaceMath
	case "http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main":
		return spaceDrawing
	case "http://schemas.openxmlformats.org/markup-compatibility/2006":
		return spaceCompatibility
	case "urn:schemas-microsoft-com:vml":
		return spaceVML
	}
	return spaceOther
}

// A relation is a reference from one part of a package to another.
type relation struct{ kind, target string }

// relations reads the relations of a part, of the package for "". Those that
// lead out of the package are left out.
func relations(c *docpack.Pack, part string) ([]relation, error) {
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	if !c.Has(name) {
		return nil, nil
	}
	var list []relation
	err := eachBelow(c, name, func(e xml.StartElement) error {
		target, ok := c.Resolve(part, docpack.Attr(e, "Target"))
		if e.Name.Local == "Relationship" && docpack.Attr(e, "TargetMode") != "External" && ok {
			list = append(list, relation{path.Base(docpack.Attr(e, "Type")), target})
		}
		return nil
	})
	return list, err
}

// eachBelow calls fn for every element directly below the root of a small part.
func eachBelow(c *docpack.Pack, name string, fn func(e xml.StartElement) error) error {
	data, err := c.Read(name, maxSmall)
	if err != nil {
		return err
	}
	d, err := docpack.NewDecoder(name, data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.Each(func(root xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			if err := fn(e); err != nil {
				return err
			}
			return d.Skip()
		})
	})
}

// target returns the first relation of a kind, or "".
func target(list []relation, kind string) string {
	for _, r := range list {
		if r.kind == kind {
			return r.target
		}
	}
	return ""
}

// readDocx reads a document: its body, then its notes.
func readDocx(c *docpack.Pack) (*document, error) {
	top, err := relations(c, "")
	if err != nil {
		return nil, err
	}
	main := target(top, "officeDocument")
	if main == "" {
		return nil, errors.New("the container names no document: it is not Office Open XML")
	}
	related, err := relations(c, main)
	if err != nil {
		return nil, err
	}
	x := &docx{writer: newWriter()}
	if x.styles, err = readStyles(c, target(related, "styles")); err != nil {
		return nil, err
	}
	if x.numbers, err = readNumbering(c, target(related, "numbering")); err != nil {
		return nil, err
	}
	if x.Decoder, err = c.XML(main); err != nil {
		return nil, err
	}
	doc := &document{w: x.writer, charset: x.Charset}
	if err := x.body(main); err != nil {
		return nil, err
	}
	sources := []string{main}
	for kind, name := range []string{"footnotes", "endnotes"} {
		part := target(related, name)
		if err := x.writeNotes(c, part, kind); err != nil {
			return nil, err
		}
		if part != "" {
			sources = append(sources, part)
		}
	}
	if doc.parts, err = docxParts(c, sources); err != nil {
		return nil, err
	}
	if core := target(top, "core-properties"); core != "" {
		doc.source, doc.identifier, doc.sourceErr = docxSource(c, core)
	}
	return doc, nil
}

// body writes the body of the document.
func (x *docx) body(name string) error {
	found := false
	err := x.eachWord(func(root xml.StartElement) error {
		if root.Name.Local != "document" {
			return x.Skip()
		}
		return x.eachWord(func(e xml.StartElement) error {
			if e.Name.Local != "body" {
				return x.Skip()
			}
			found = true
			return x.readStory()
		})
	})
	switch {
	case err != nil:
		return err
	case x.err != nil:
		return x.err
	case !found:
		return fmt.Errorf("%s is not a text document", name)
	}
	x.flush()
	x.separate(blankLine)
	return nil
}

// docxParts returns the pictures and objects that the parts refer to.
func docxParts(c *docpack.Pack, sources []string) (map[string]string, error) {
	parts := map[string]string{}
	for _, source := range sources {
		list, err := relations(c, source)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			switch r.kind {
			case "image", "oleObject", "package", "aFChunk", "audio", "video", "media":
				parts[r.target] = ""
			}
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	byExtension, byName := map[string]string{}, map[string]string{}
	err := eachBelow(c, "[Content_Types].xml", func(e xml.StartElement) error {
		t := docpack.Attr(e, "ContentType")
		switch e.Name.Local {
		case "Default":
			byExtension[strings.ToLower(docpack.Attr(e, "Extension"))] = t
		case "Override":
			byName[strings.ToLower(strings.TrimPrefix(docpack.Attr(e, "PartName"), "/"))] = t
		}
		return nil
	})
	for name := range parts {
		lower := strings.ToLower(name)
		parts[name] = byName[lower]
		if parts[name] == "" {
			parts[name] = byExtension[strings.TrimPrefix(path.Ext(lower), ".")]
		}
	}
	return parts, err
}

// docxSource reads what the document says about itself.
func docxSource(c *docpack.Pack, name string) (m read.Meta, identifier string, err error) {
	d, err := c.XML(name)
	if err != nil {
		return m, "", err
	}
	err = d.Each(func(root xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			v, err := d.Text(docpack.MaxStatement)
			if err != nil {
				return err
			}
			switch e.Name.Local {
			case "title":
				m.Title = read.Line(v)
			case "creator":
				for creator := range strings.SplitSeq(v, ";") { // as Word writes several
					m.Creators = read.AddCreator(m.Creators, creator)
				}
			case "publisher":
				m.Publisher = read.Line(v)
			case "language":
				m.Language = read.Line(v)
			case "created":
				m.PublishedAt = read.Date(v)
			case "identifier":
				identifier = read.Line(v)
			}
			return nil
		})
	})
	if err != nil {
		return read.Meta{}, "", err
	}
	m.URL = read.Address(identifier)
	return m, identifier, nil
}

// wordSet returns the set of names that stand in a list with spaces.
func wordSet(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}
