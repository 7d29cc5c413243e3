// Package canon is the form that texts are identified by: the text step that
// every textual payload ends in, and the units that a citation may point at. It
// is all that a verifier needs of a text. Package canon/read makes payloads of
// what was received; package canon/forms lists the readers of formats.
//
// The two calls most people need are Text and NewDocument:
//
//	payload := canon.Text([]byte("Dear Zoe\r\n\r\nCome soon.  \r\n"))
//	d := canon.NewDocument(payload)
//	second := d.Units(canon.Paragraphs)[1] // byte offsets of "Come soon."
//
// # The text step, text@1
//
// The input is valid UTF-8. Then, in order:
//
//  1. CRLF, CR, NEL (U+0085), LS (U+2028) and PS (U+2029) become LF.
//  2. Normalization Form C with tables frozen at Unicode 15.0.0.
//  3. Spaces (U+0020) and tabs (U+0009) at the end of a line are removed.
//  4. Empty lines, and byte order marks (U+FEFF), at the very beginning, and
//     empty lines at the end are removed; exactly one LF ends the text.
//  5. A text in which nothing visible is left has no canonical form.
//
// Nothing else changes. The step is idempotent: Text(Text(x)) equals Text(x).
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

// The names of the two forms that need no reader of a format: a text after the
// text step, and the original bytes as they are.
const (
	TextForm  = "text@1"
	BytesForm = "bytes@1"
)

// UnicodeVersion is the version of the Unicode Character Database that every textual form of this
// package uses.
const UnicodeVersion = unicodeVersion
