package office

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"muniment/canon"
	"muniment/canon/html"
	"muniment/canon/read"
	"muniment/canon/rtf"
)

// Limits of the parts that a document imports with w:altChunk, in all documents that
// are imported together.
const (
	// maxImports is their number: each makes a parser of its own.
	maxImports = 1000
	// maxImported bytes of them are read, as many as of one XML entry.
	maxImported = 64 << 20
	// maxImportDepth is how deep documents are imported into imported documents. Word
	// writes none into another.
	maxImportDepth = 3
)

// imports is the rest of the limits.
type imports struct {
	parts, depth int
	bytes        int64
	mailBody     func(data []byte) ([]byte, error) // see Docx
}

// importPart writes the text of the part of a relation in its place. A part that is of
// no type with a text is counted; one that the container does not give whole is an
// error, as for every part of the text.
func (x *docx) importPart(id string) error {
	if x.isSilent() {
		return nil
	}
	x.endRun()
	text, ok, err := x.readImport(id)
	switch {
	case err != nil:
		return err
	case !ok:
		x.count("embedded")
		return nil
	}
	x.count("imported")
	x.charge(len(text))
	x.block(text)
	return x.err
}

// readImport returns the text of the part of a relation.
func (x *docx) readImport(id string) (text string, ok bool, err error) {
	name := ""
	for _, r := range x.related {
		if r.ID == id && r.Kind == "aFChunk" {
			name = r.Target
		}
	}
	switch {
	case name == "":
		return "", false, nil
	case x.imports.parts == 0:
		return "", false, fmt.Errorf("more than %d parts are imported", maxImports)
	}
	x.imports.parts--
	data, err := x.pack.Read(name, x.imports.bytes)
	if err != nil {
		return "", false, err
	}
	x.imports.bytes -= int64(len(data))
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		text, ok = x.readImportedDocx(data)
		return text, ok, nil
	}
	mediaType, _, _ := strings.Cut(x.types.of(name), ";")
	switch mediaType = strings.ToLower(strings.TrimSpace(mediaType)); mediaType {
	case "message/rfc822", "multipart/related":
	case "text/html", "application/xhtml+xml", "text/rtf", "application/rtf", "text/plain":
	default:
		if mediaType = importTypes[strings.ToLower(path.Ext(name))]; mediaType == "" {
			return "", false, nil
		}
	}
	if mediaType == "message/rfc822" || mediaType == "multipart/related" {
		if x.imports.mailBody == nil {
			return "", false, nil
		}
		body, err := x.imports.mailBody(data)
		return strings.Trim(string(body), "\n"), err == nil && len(body) > 0, nil
	}
	var form read.Form
	if mediaType == "text/rtf" || mediaType == "application/rtf" {
		form, err = rtf.Body(data)
	} else {
		form, err = read.NewRegistry(html.Reader()).Canonicalize(read.Input{MediaType: mediaType, Data: data})
	}
	if err != nil || form.Payload == nil || form.Canonicalizer == canon.BytesForm {
		return "", false, nil
	}
	return strings.Trim(string(form.Payload), "\n"), true, nil
}

// importTypes are the media types of parts for which the document states none that is
// read, by their extension.
var importTypes = map[string]string{
	".htm": "text/html", ".html": "text/html", ".xhtml": "application/xhtml+xml", ".rtf": "application/rtf", ".txt": "text/plain",
	".mht": "message/rfc822", ".mhtml": "message/rfc822", ".eml": "message/rfc822",
}

// readImportedDocx returns the text of a document that is a part.
func (x *docx) readImportedDocx(data []byte) (text string, ok bool) {
	if x.imports.depth == maxImportDepth {
		return "", false
	}
	c, err := x.pack.Within(data)
	if err != nil {
		return "", false
	}
	x.imports.depth++
	doc, err := readDocxWithin(c, x.imports)
	x.imports.depth--
	if err != nil {
		return "", false
	}
	for what, reason := range doc.w.reasons {
		x.unread(what, errors.New(reason))
	}
	return strings.Trim(string(doc.form(nil).Payload), "\n"), true
}
