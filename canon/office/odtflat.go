package office

import (
	"bytes"
	"fmt"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// flatDocument names the one XML file of a flat document in errors.
const flatDocument = "the document"

// isFlat reports whether data is XML, hence no package.
func isFlat(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\uFEFF")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("<")) || bytes.HasPrefix(data, []byte("\xFE\xFF\x00<")) || bytes.HasPrefix(data, []byte("\xFF\xFE<\x00"))
}

// readFlat reads a document that is one XML file. Its pictures lie in it as
// base64 and are no parts.
func readFlat(data []byte) (read.Form, error) {
	doc, err := parseFlat(data)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", OdtName, err)
	}
	form := doc.form(nil)
	form.Canonicalizer = OdtName
	return form, nil
}

// parseFlat reads a document in one XML file.
func parseFlat(data []byte) (*document, error) {
	if len(data) > docpack.MaxXML {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", flatDocument, len(data), docpack.MaxXML)
	}
	d, err := docpack.NewDecoder(flatDocument, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flatDocument, err)
	}
	x := &odt{writer: newWriter(), Decoder: d, styles: styles{byID: map[styleKey]style{}}, parts: map[string]string{}, blank: true}
	if err := x.body(flatDocument); err != nil {
		return nil, err
	}
	doc := &document{w: x.writer, charset: d.Charset}
	if x.Decoder, err = docpack.NewDecoder(flatDocument, data); err != nil {
		return nil, err
	}
	if err := x.writeMargins(); err != nil {
		return nil, err
	}
	if d, err = docpack.NewDecoder(flatDocument, data); err != nil {
		return nil, err
	}
	doc.source, doc.identifier, doc.sourceErr = odtSource(d, true)
	return doc, nil
}
