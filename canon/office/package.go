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

// readDocx reads a document: its body, its notes, its headers and footers.
func readDocx(c *docpack.Pack, mailBody func(data []byte) ([]byte, error)) (*document, error) {
	return readDocxWithin(c, &imports{parts: maxImports, bytes: maxImported, mailBody: mailBody})
}

// readDocxWithin reads a document that may itself be a part of another one, whose
// imports count together.
func readDocxWithin(c *docpack.Pack, in *imports) (*document, error) {
	top, err := c.Relations("")
	if err != nil {
		return nil, err
	}
	main := docpack.Target(top, "officeDocument")
	if main == "" {
		return nil, errors.New("the container names no document: it is not Office Open XML")
	}
	related, err := c.Relations(main)
	if err != nil {
		return nil, err
	}
	x := &docx{writer: newWriter(), pack: c, imports: in}
	if x.types, err = readTypes(c); err != nil {
		return nil, err
	}
	if x.styles, err = readStyles(c, docpack.Target(related, "styles")); err != nil {
		return nil, err
	}
	if x.numbers, err = readNumbering(c, docpack.Target(related, "numbering")); err != nil {
		return nil, err
	}
	if x.Decoder, err = c.XML(main); err != nil {
		return nil, err
	}
	doc := &document{w: x.writer, charset: x.Charset}
	x.related = related
	if err := x.body(main); err != nil {
		return nil, err
	}
	sources := []string{main}
	for kind, name := range []string{"footnotes", "endnotes"} {
		part := docpack.Target(related, name)
		if part != "" {
			sources = append(sources, part)
			if x.related, err = c.Relations(part); err != nil {
				return nil, err
			}
		}
		if err := x.writeNotes(c, part, kind); err != nil {
			return nil, err
		}
	}
	margins, err := x.writeMargins(related, docpack.Target(related, "settings"))
	if err != nil {
		return nil, err
	}
	x.checkComments(docpack.Target(related, "comments"))
	if doc.parts, err = x.docxParts(append(sources, margins...)); err != nil {
		return nil, err
	}
	if core := docpack.Target(top, "core-properties"); core != "" {
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
func (x *docx) docxParts(sources []string) (map[string]string, error) {
	parts := map[string]string{}
	for _, source := range sources {
		list, err := x.pack.Relations(source)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			switch r.Kind {
			case "image", "oleObject", "package", "aFChunk", "audio", "video", "media":
				parts[r.Target] = x.types.of(r.Target)
			}
		}
	}
	return parts, nil
}

// partTypes are the media types of a container's parts, by name and by extension.
type partTypes struct{ byName, byExtension map[string]string }

// readTypes reads the list of the parts' media types. A container without one has none.
func readTypes(c *docpack.Pack) (partTypes, error) {
	t := partTypes{map[string]string{}, map[string]string{}}
	if !c.Has("[Content_Types].xml") {
		return t, nil
	}
	return t, eachBelow(c, "[Content_Types].xml", func(e xml.StartElement) error {
		mediaType := docpack.Attr(e, "ContentType")
		switch e.Name.Local {
		case "Default":
			t.byExtension[strings.ToLower(docpack.Attr(e, "Extension"))] = mediaType
		case "Override":
			t.byName[strings.ToLower(strings.TrimPrefix(docpack.Attr(e, "PartName"), "/"))] = mediaType
		}
		return nil
	})
}

// of returns the media type of a part, "" where none is stated.
func (t partTypes) of(name string) string {
	lower := strings.ToLower(name)
	if own := t.byName[lower]; own != "" {
		return own
	}
	return t.byExtension[strings.TrimPrefix(path.Ext(lower), ".")]
}

// docxSource reads the metadata of the document.
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

// wordSet returns the set of names in a list with spaces.
func wordSet(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}
