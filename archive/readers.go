package archive

import (
	"muniment/canon"
	"muniment/canon/csvtable"
	"muniment/canon/dbresult"
	"muniment/canon/epub"
	"muniment/canon/html"
	"muniment/canon/jsontext"
	"muniment/canon/mail"
	"muniment/canon/media"
	"muniment/canon/office"
	"muniment/canon/pdf"
	"muniment/canon/transcript"
)

// readers are the canonicalizers beside text@1 and bytes@1, one per form. The
// order says nothing: no two claim the same type.
func readers() *canon.Registry {
	return canon.NewRegistry(
		html.Reader(),
		csvtable.Reader(),
		jsontext.Reader(), jsontext.LinesReader(),
		dbresult.Reader(),
		mail.Reader(), mail.Mailbox(),
		office.Docx(), office.Odt(),
		epub.Reader(),
		pdf.Reader(),
		transcript.SRT(), transcript.VTT(),
		media.Pictures(), media.Recordings(),
	)
}

// RowForms are the canonicalizers whose lines are rows or cues, cited by line.
var RowForms = map[string]bool{
	csvtable.Name: true, dbresult.Name: true, transcript.SRTName: true, transcript.VTTName: true, jsontext.Name: true, jsontext.LinesName: true,
}
