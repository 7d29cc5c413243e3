package epub

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// The entries that every book has, or may have.
const (
	containerName  = "META-INF/container.xml"
	encryptionName = "META-INF/encryption.xml"
	packageType    = "application/oebps-package+xml"
	dublinCore     = "http://purl.org/dc/elements/1.1/"
)

// obfuscation are the two algorithms that obfuscate fonts. Fonts are not secret,
// and hold no text.
var obfuscation = map[string]bool{
	"http://www.idpf.org/2008/embedding": true,
	"http://ns.adobe.com/pdf/enc#RC":     true,
}

// A packageDocument is what a book says of itself: its items and their order.
type packageDocument struct {
	items      map[string]item // by id
	spine      []reference
	statements []statement
	uniqueID   string // of the identifier that counts
	language   string // of the package document itself
}

type item struct {
	href, mediaType, fallback, properties string
	name                                  string // of the entry, "" if there is none
	remote                                bool   // it lies on another host
}

type reference struct {
	id     string
	linear bool
}

type statement struct{ name, id, event, value string }

// isNavigation reports whether an item is the navigation document.
func (it item) isNavigation() bool {
	for property := range strings.FieldsSeq(it.properties) {
		if property == "nav" {
			return true
		}
	}
	return it.mediaType == "application/x-dtbncx+xml"
}

// isMedia reports whether an item is a picture, sound or film.
func (it item) isMedia() bool {
	kind, _, _ := strings.Cut(it.mediaType, "/")
	return kind == "image" || kind == "audio" || kind == "video"
}

// isText reports whether html@2 reads an item. The third is that of the
// predecessor of EPUB.
func (it item) isText() bool {
	return it.mediaType == "application/xhtml+xml" || it.mediaType == "text/html" || it.mediaType == "text/x-oeb1-document"
}

// page returns the item that is read for an item of the spine: itself or a fallback, in the last
// resort a picture.
func (p *packageDocument) page(it item) (item, error) {
	at := it
	for range maxFallbacks {
		if at.isText() {
			return at, nil
		}
		next, ok := p.items[at.fallback]
		if !ok || at.fallback == "" {
			break
		}
		at = next
	}
	if it.isMedia() {
		return it, nil
	}
	return item{}, fmt.Errorf("the spine has %q of the type %q, which is not read, and no fallback", it.href, it.mediaType)
}

// encryptedEntries returns the entries that are encrypted, as the book states.
func encryptedEntries(c *docpack.Pack) (map[string]bool, error) {
	if !c.Has(encryptionName) {
		return nil, nil
	}
	d, err := c.XML(encryptionName)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	err = eachChild(d, func(root xml.StartElement) error {
		return eachChild(d, func(data xml.StartElement) error {
			algorithm := ""
			return eachDescendant(d, func(e xml.StartElement) {
				switch e.Name.Local {
				case "EncryptionMethod":
					algorithm = docpack.Attr(e, "Algorithm")
				case "CipherReference":
					if name, ok := c.Resolve("", docpack.Attr(e, "URI")); ok && !obfuscation[algorithm] {
						names[name] = true
					}
				}
			})
		})
	})
	return names, err
}

// packageName returns the entry of the package document.
func packageName(c *docpack.Pack) (string, error) {
	d, err := c.XML(containerName)
	if err != nil {
		return "", err
	}
	path := ""
	err = eachChild(d, func(root xml.StartElement) error {
		return eachDescendant(d, func(e xml.StartElement) {
			if e.Name.Local == "rootfile" && path == "" && docpack.Attr(e, "media-type") == packageType {
				path = docpack.Attr(e, "full-path")
			}
		})
	})
	if err != nil {
		return "", err
	}
	if path == "" {
		return "", errors.New(containerName + " names no package document")
	}
	name, ok := c.Resolve("", path)
	if !ok {
		return "", fmt.Errorf("%s names the package document %q, which is no path in the container", containerName, path)
	}
	return name, nil
}

// readPackage reads a package document.
func readPackage(c *docpack.Pack, name string) (*packageDocument, error) {
	d, err := c.XML(name)
	if err != nil {
		return nil, err
	}
	p := &packageDocument{items: map[string]item{}}
	err = eachChild(d, func(root xml.StartElement) error {
		p.uniqueID, p.language = docpack.Attr(root, "unique-identifier"), docpack.Attr(root, "lang")
		return eachChild(d, func(section xml.StartElement) error {
			switch section.Name.Local {
			case "metadata":
				return p.metadata(d)
			case "manifest":
				return eachDescendant(d, func(e xml.StartElement) { p.addItem(c, name, e) })
			case "spine":
				return eachDescendant(d, func(e xml.StartElement) {
					if e.Name.Local == "itemref" && len(p.spine) <= MaxChapters {
						p.spine = append(p.spine, reference{docpack.Attr(e, "idref"), docpack.Attr(e, "linear") != "no"})
					}
				})
			}
			return d.Skip()
		})
	})
	switch {
	case err != nil:
		return nil, err
	case len(p.spine) == 0:
		return nil, fmt.Errorf("%s has no spine", name)
	case len(p.spine) > MaxChapters:
		return nil, fmt.Errorf("%s has more than %d chapters", name, MaxChapters)
	case len(p.items) > MaxItems:
		return nil, fmt.Errorf("%s has more than %d items", name, MaxItems)
	}
	return p, nil
}

// addItem notes an item of the manifest; of two with one id the first.
func (p *packageDocument) addItem(c *docpack.Pack, base string, e xml.StartElement) {
	id := docpack.Attr(e, "id")
	if _, double := p.items[id]; double || e.Name.Local != "item" || len(p.items) > MaxItems {
		return
	}
	it := item{
		href:       docpack.Attr(e, "href"),
		mediaType:  docpack.MediaType(docpack.Attr(e, "media-type")),
		fallback:   docpack.Attr(e, "fallback"),
		properties: docpack.Attr(e, "properties"),
	}
	it.name, _ = c.Resolve(base, it.href)
	if !c.Has(it.name) {
		it.name = ""
	}
	it.remote = read.Address(it.href) != ""
	p.items[id] = it
}

// metadata reads the statements of Dublin Core; in the predecessor of EPUB they are one level
// deeper.
func (p *packageDocument) metadata(d *docpack.Decoder) error {
	return eachChild(d, func(e xml.StartElement) error {
		if e.Name.Space != dublinCore {
			if strings.HasSuffix(e.Name.Local, "dc-metadata") {
				return p.metadata(d)
			}
			return d.Skip()
		}
		v, err := d.Text(docpack.MaxStatement)
		if err != nil {
			return err
		}
		const most = 1000
		if v = read.Line(v); v != "" && len(p.statements) < most {
			p.statements = append(p.statements, statement{
				name: strings.ToLower(e.Name.Local), id: docpack.Attr(e, "id"), event: docpack.Attr(e, "event"), value: v,
			})
		}
		return nil
	})
}

// first returns the first statement of a kind that suits.
func (p *packageDocument) first(name string, suits func(statement) bool) string {
	for _, s := range p.statements {
		if s.name == name && suits(s) {
			return s.value
		}
	}
	return ""
}

// anyStatement suits every statement.
func anyStatement(statement) bool { return true }

// identifier returns the identifier that the book calls its own, else its first.
func (p *packageDocument) identifier() string {
	if v := p.first("identifier", func(s statement) bool { return p.uniqueID != "" && s.id == p.uniqueID }); v != "" {
		return v
	}
	return p.first("identifier", anyStatement)
}

// source returns the statements that a record has fields for.
func (p *packageDocument) source() read.Meta {
	m := read.Meta{
		Title:     p.first("title", anyStatement),
		Publisher: p.first("publisher", anyStatement),
		Language:  p.first("language", anyStatement),
		URL:       p.first("identifier", func(s statement) bool { return read.Address(s.value) != "" }),
	}
	if m.Language == "" {
		m.Language = read.Line(p.language)
	}
	for _, s := range p.statements {
		if s.name == "creator" {
			m.Creators = read.AddCreator(m.Creators, s.value)
		}
	}
	// EPUB 2 tells its dates apart by events, EPUB 3 has the one of publication.
	for _, event := range []string{"publication", "original-publication", "", "creation"} {
		v := p.first("date", func(s statement) bool { return s.event == event && read.Date(s.value) != "" })
		if m.PublishedAt == "" {
			m.PublishedAt = read.Date(v)
		}
	}
	return m
}

// eachChild calls fn for the elements within the current one.
func eachChild(d *docpack.Decoder, fn func(e xml.StartElement) error) error {
	return d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return fn(e)
	})
}

// eachDescendant calls fn for every element below the current one, at any depth.
func eachDescendant(d *docpack.Decoder, fn func(e xml.StartElement)) error {
	return eachChild(d, func(e xml.StartElement) error {
		fn(e)
		return eachDescendant(d, fn)
	})
}
