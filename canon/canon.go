// Package canon turns what was received into what is identified: the canonical
// payload of an artifact, and the units a citation may point at.
//
// The two calls most people need are Canonicalize and NewDocument:
//
//	r := canon.NewRegistry(html.Reader(), csvtable.Reader())
//	form, err := r.Canonicalize(canon.Input{Name: "letter.txt", Data: data})
//	d := canon.NewDocument(form.Payload)
//	second := d.Units('p')[1] // byte offsets of the second paragraph
//
// # The text step, text@1
//
// Every textual form ends in the same step. Its input is UTF-8; Decode makes
// that from bytes in any charset, and says how it decided. Then, in order:
//
//  1. CRLF, CR, NEL (U+0085), LS (U+2028) and PS (U+2029) become LF.
//  2. Normalization Form C with tables frozen at Unicode 15.0.0.
//  3. Spaces (U+0020) and tabs (U+0009) at the end of a line are removed.
//  4. Empty lines, and byte order marks (U+FEFF), at the very beginning, and
//     empty lines at the end are removed; exactly one LF ends the text.
//  5. A text in which nothing visible is left has no canonical form.
//
// Nothing else changes. The step is idempotent: Text(Text(x)) equals Text(x).
// Where there is no textual form the payload is the original itself, under the
// name bytes@1 and with the reason, so that a payload is never empty.
//
// # Units
//
// Paragraphs (kind 'p') are the maximal runs between separators of two or more
// LF, lines (kind 'l') are the lines, empty ones included. Separators and the
// final LF belong to no unit. Nothing but the payload's bytes decides a unit.
// The root of a kind is the RFC 6962 tree over its units' bytes.
//
// # What is frozen
//
// The normal form follows the Unicode Standard Annex 15 with data of our own,
// so that an identity does not change with the toolchain, and inserts no
// U+034F into long runs of combining marks. A form that needs a correction
// becomes a new version beside the old one.
//
// The normative text is docs/spec/canonical-forms.md; the vectors are in
// testvectors/canon.
package canon

import "io"

// The names of the two forms that every registry has.
const (
	TextForm  = "text@1"
	BytesForm = "bytes@1"
)

// UnicodeVersion is the version of the Unicode Character Database behind every
// textual form of this package.
const UnicodeVersion = unicodeVersion

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

// Meta is what a document states about itself in plain fields. Every member
// may be empty; nothing in it is guessed from prose.
type Meta struct {
	Title       string
	Creators    []string
	Publisher   string
	URL         string
	PublishedAt string // RFC 3339, or YYYY-MM-DD where the document gives no time
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
	Name       string   // name and version: "html@1"
	MediaTypes []string // lower case, without parameters
	Extensions []string // lower case, with the dot; the n-th goes with the n-th media type, more with the first
	Read       func(Input) (Form, error)

	// Describe, if set, says what a Form of bytes@1 says of an input of size
	// bytes that is not held in memory. The input's Data is its beginning, and
	// the result has no Payload.
	Describe func(in Input, at io.ReaderAt, size int64) (Form, error)
}
