package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"maps"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// The entries of an OpenDocument package.
const (
	odtContent  = "content.xml"
	odtStyles   = "styles.xml"
	odtMeta     = "meta.xml"
	odtManifest = "META-INF/manifest.xml"
	// odtWhole is where a document of version 1.3 is that is encrypted as a whole.
	odtWhole = "encrypted-package"
)

// readOdt reads a document: its body, then its notes, then headers and footers.
func readOdt(c *docpack.Pack) (*document, error) {
	types, err := manifest(c)
	if err != nil {
		return nil, err
	}
	x := &odt{writer: newWriter(), pack: c, styles: styles{byID: map[styleKey]style{}}, parts: map[string]string{}, blank: true}
	if c.Has(odtStyles) {
		if x.Decoder, err = c.XML(odtStyles); err != nil {
			return nil, err
		}
		if err := x.document(nil); err != nil {
			return nil, err
		}
	}
	if x.Decoder, err = c.XML(odtContent); err != nil {
		return nil, err
	}
	x.pages.styles = styles{byID: maps.Clone(x.styles.byID)}
	charset := x.Charset
	if err := x.body(odtContent); err != nil {
		return nil, err
	}
	if c.Has(odtStyles) {
		if x.Decoder, err = c.XML(odtStyles); err != nil {
			return nil, err
		}
		x.styles = x.pages.styles // content.xml has styles of its own under the same names
		if err := x.writeMargins(); err != nil {
			return nil, err
		}
	}
	doc := &document{w: x.writer, charset: charset, parts: x.parts}
	for name := range doc.parts {
		doc.parts[name] = types[name]
	}
	if c.Has(odtMeta) {
		doc.packageSource(c)
	}
	return doc, x.err
}

// packageSource reads the metadata of a package.
func (doc *document) packageSource(c *docpack.Pack) {
	d, err := c.XML(odtMeta)
	if err != nil {
		doc.sourceErr = err
		return
	}
	doc.source, doc.identifier, doc.sourceErr = odtSource(d, false)
}

// body writes the text of a document and then the notes.
func (x *odt) body(name string) error {
	found := false
	err := x.document(func() error {
		found = true
		return x.children()
	})
	switch {
	case err != nil:
		return err
	case x.err != nil:
		return x.err
	case !found:
		return errors.New(name + " is not a text document")
	}
	x.flush()
	for kind, fact := range []string{"footnotes", "endnotes"} {
		for _, text := range x.notes[kind] {
			x.count(fact)
			x.block(text)
		}
	}
	return x.err
}

// manifest returns the media types of the entries, and an error if the text is
// encrypted.
func manifest(c *docpack.Pack) (map[string]string, error) {
	if c.Has(odtWhole) {
		return nil, errors.New("the document is encrypted with a password")
	}
	types := map[string]string{}
	if !c.Has(odtManifest) {
		return types, nil
	}
	d, err := c.XML(odtManifest)
	if err != nil {
		return nil, err
	}
	err = d.Each(func(root xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			name := docpack.Attr(e, "full-path")
			types[name] = docpack.Attr(e, "media-type")
			return d.Each(func(e xml.StartElement, chars []byte) error {
				switch {
				case chars != nil:
					return nil
				case e.Name.Local == "encryption-data" && name == odtContent:
					return errors.New("the document is encrypted with a password")
				case e.Name.Local == "encryption-data":
					types[name] = ""
				}
				return d.Skip()
			})
		})
	})
	return types, err
}

// document reads the styles of an entry, and calls body for the text.
func (x *odt) document(body func() error) error {
	return x.each(func(root xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			switch {
			case odfSpace(e) != odfOffice:
			case e.Name.Local == "styles" || e.Name.Local == "automatic-styles":
				return x.readStyles()
			case e.Name.Local == "master-styles":
				return x.listPages()
			case e.Name.Local == "body" && body != nil:
				return x.each(func(e xml.StartElement) error {
					if odfSpace(e) != odfOffice || e.Name.Local != "text" {
						return x.Skip()
					}
					return body()
				})
			}
			return x.Skip()
		})
	})
}

// each calls fn for the elements within the current one.
func (x *odt) each(fn func(e xml.StartElement) error) error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return fn(e)
	})
}

// readStyles reads the properties of styles for hidden, struck and raised text. A style of
// content.xml has the last word over one of the same name in styles.xml, as for every style that a
// program generates.
func (x *odt) readStyles() error {
	return x.each(func(e xml.StartElement) error {
		if odfSpace(e) != odfStyle || e.Name.Local != "style" {
			return x.Skip()
		}
		if len(x.styles.byID) == maxStyles {
			return fmt.Errorf("more than %d styles", maxStyles)
		}
		key := styleKey{odfAttr(e, "family"), odfAttr(e, "name")}
		st := style{base: odfAttr(e, "parent-style-name"), page: odfAttr(e, "master-page-name")}
		err := x.each(func(e xml.StartElement) error {
			if odfSpace(e) == odfStyle && e.Name.Local == "text-properties" {
				switch odfAttr(e, "display") {
				case "none":
					st.hidden = yes
				case "true":
					st.hidden = no
				}
				st.struck = lineThrough(odfAttr(e, "text-line-through-style"), odfAttr(e, "text-line-through-type"))
				st.rise = textPosition(odfAttr(e, "text-position"))
			}
			return x.Skip()
		})
		x.styles.byID[key] = st
		return err
	})
}

// lineThrough returns whether text is struck through: a line has a style or a type
// other than none.
func lineThrough(style, kind string) statement {
	switch {
	case style == "none" || style == "" && kind == "none":
		return no
	case style == "" && kind == "":
		return unstated
	}
	return yes
}

// odtSource reads the metadata of the document. In a flat document that is one of several parts.
func odtSource(d *docpack.Decoder, flat bool) (m read.Meta, identifier string, err error) {
	x := odt{Decoder: d}
	editor := ""
	err = x.each(func(root xml.StartElement) error {
		return x.each(func(meta xml.StartElement) error {
			if flat && (odfSpace(meta) != odfOffice || meta.Name.Local != "meta") {
				return x.Skip()
			}
			return x.each(func(e xml.StartElement) error {
				v, err := d.Text(docpack.MaxStatement)
				if err != nil {
					return err
				}
				switch e.Name.Local {
				case "title":
					m.Title = read.Line(v)
				case "initial-creator":
					m.Creators = read.AddCreator(m.Creators, v)
				case "creator":
					editor = v
				case "publisher":
					m.Publisher = read.Line(v)
				case "language":
					m.Language = read.Line(v)
				case "creation-date":
					m.PublishedAt = read.Date(v)
				case "identifier":
					identifier = read.Line(v)
				}
				return nil
			})
		})
	})
	if err != nil {
		return read.Meta{}, "", err
	}
	if m.Creators == nil {
		m.Creators = read.AddCreator(nil, editor)
	}
	m.URL = read.Address(identifier)
	return m, identifier, nil
}
