// Package read turns what was received into an artifact's canonical payload:
// it decides the media type, decodes the charset, and hands the bytes to the
// reader of that format.
//
// The two calls most people need are NewRegistry and Registry.Canonicalize:
//
//	r := read.NewRegistry(html.Reader(), csvtable.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "letter.txt", Data: data})
//	id := cid.Of(form.Payload)
//
// Every reader is a package below canon (canon/html, canon/mail, …) and returns
// a Reader; package canon/forms has the registry with all of them. A textual
// form ends in canon.Text; its input is UTF-8, which Decode makes from bytes in
// any charset and says how it decided.
//
// Where there is no textual form the payload is the original itself, under the
// name bytes@1 and with the reason, so that a payload is never empty. Nothing
// here depends on the clock, the locale or the file system: equal inputs have
// equal forms. An input longer than MaxText is never read as text.
//
// The normative text is docs/spec/canonical-forms.md.
package read

import "io"

// MaxText is the longest original, in bytes, that is read as text. A text is
// held in memory several times over while it is canonicalized; what is longer
// is kept as bytes@1.
const MaxText = 256 << 20

// An Input is one thing received, before anything is known about it.
type Input struct {
	Name      string // file name or relative path; only its extension is used here
	MediaType string // what the sender said it is, may be ""; a charset parameter is a hint
	Data      []byte // the bytes as received
}

// A Form is the canonical form of an Input and how it was reached. Payload and
// the Input's Data may share memory: both are read only from then on.
type Form struct {
	Payload       []byte            // what the artifact ID is the hash of, never empty
	MediaType     string            // of the original, lower case, without parameters
	Canonicalizer string            // the form's name and version: "text@1"
	Unicode       string            // UnicodeVersion, or "" for bytes@1
	Extractor     string            // third-party reader and its version, or ""
	Charset       string            // the decision of Decode, or "" for bytes@1
	Reason        string            // why the payload is bytes@1, or ""
	Facts         map[string]string // by each form's page in the specification, may be nil
	Source        Meta              // what the document says about itself
	Parts         []Part            // what lies inside and is an artifact of its own
}

// Meta is the metadata that a document states in plain fields. Every member may be empty; nothing
// in it is guessed from prose.
type Meta struct {
	Title       string
	Creators    []string
	Publisher   string
	URL         string
	PublishedAt string // RFC 3339, or EDTF (YYYY-MM-DD, YYYY, YYYY/YYYY) where the document gives no time
	Language    string // BCP 47 tag as written
}

// A Part is a thing inside a container: a picture, an attachment.
type Part struct {
	Name      string
	MediaType string
	Data      []byte
}

// A Reader makes one textual form. Read returns a Form whose Payload is the
// result of Text and whose Canonicalizer is the Reader's Name; an error, or a
// Form with an empty Payload, leaves the Input to bytes@1 with that reason.
type Reader struct {
	Name       string   // name and version: "html@2"
	MediaTypes []string // lower case, without parameters
	Extensions []string // lower case, with the dot; the n-th goes with the n-th media type, more with the first
	Root       string   // of a kind of XML: the name of its root element, "" for none
	Read       func(Input) (Form, error)

	// Begins, if set, reports whether data begins as the format does. An extension
	// counts only where it holds: many a .doc is a text or a web page.
	Begins func(data []byte) bool

	// Describe, if set, says what a Form of bytes@1 says of an input of size
	// bytes that is not held in memory. The input's Data is its beginning, and
	// the result has no Payload.
	Describe func(in Input, at io.ReaderAt, size int64) (Form, error)
}
