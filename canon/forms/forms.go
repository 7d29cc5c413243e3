// Package forms lists the formats that an archive reads. A new format is a
// package of its own below canon and a line in Registry.
//
//	form, err := forms.Registry().Canonicalize(read.Input{Name: "film.srt", Data: data})
//
// Four promises are tested here, since no reader can keep one of them alone:
//
//   - golden_test.go: what an input gives never changes. The inputs are made by
//     code, testvectors/golden/golden.txt says what each gives: name,
//     canonicalizer, artifact ID, p_count, p_root, l_count, l_root, separated by
//     tabs. A change to that file is a change of identities: it needs a new
//     version of the form. python_test.go asks docs/spec/canon.py, an
//     implementation of the page in Python, for seven of the forms.
//   - encodings_test.go: one text has one ID, whatever it is encoded in.
//   - differ_test.go: two texts that differ in a character, a number or an order
//     that a reader sees have two IDs.
//   - damage_test.go: a damaged file of any type gives a text or its bytes, in
//     time and within memory.
//
// bench_test.go has one benchmark for each form, from bytes to ID and units;
// internal/bench/canon.sh runs it.
package forms

import (
	"muniment/canon/csvtable"
	"muniment/canon/dbresult"
	"muniment/canon/epub"
	"muniment/canon/html"
	"muniment/canon/jsontext"
	"muniment/canon/layout"
	"muniment/canon/mail"
	"muniment/canon/media"
	"muniment/canon/office"
	"muniment/canon/pdf"
	"muniment/canon/read"
	"muniment/canon/rtf"
	"muniment/canon/sheet"
	"muniment/canon/slide"
	"muniment/canon/transcript"
	"muniment/canon/xmltext"
)

// Registry returns a registry with the reader of every format, text@1 and bytes@1 included. The
// order of the readers means nothing: no two claim the same media type or extension.
func Registry() *read.Registry {
	return read.NewRegistry(
		html.Reader(),
		csvtable.Reader(),
		jsontext.Reader(), jsontext.LinesReader(),
		dbresult.Reader(),
		mail.Reader(), mail.Mailbox(), mail.Outlook(),
		office.Docx(mail.Body), office.Odt(), office.Doc(), rtf.Reader(),
		sheet.Xlsx(), sheet.Ods(), sheet.Xls(), slide.Pptx(), slide.Odp(), slide.Ppt(),
		epub.Reader(),
		pdf.Reader(),
		xmltext.Reader(),
		layout.ALTO(), layout.HOCR(), layout.PAGE(),
		transcript.SRT(), transcript.VTT(),
		media.Pictures(), media.Recordings(),
	)
}

// Rows reports whether each line of the form is a row, a value or a cue, which
// is cited by its line and not by a paragraph.
func Rows(canonicalizer string) bool {
	switch canonicalizer {
	case csvtable.Name, dbresult.Name, transcript.SRTName, transcript.VTTName, jsontext.Name, jsontext.LinesName, sheet.XlsxName, sheet.OdsName, sheet.XlsName:
		return true
	}
	return false
}
