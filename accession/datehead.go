package accession

import (
	"strings"

	"muniment/search/catalogue"
	"muniment/snapshot/record"
)

// letterForms are the canonical forms of texts that may be letters. Others have dates
// of their own, or none.
var letterForms = []string{"text@", "html@", "docx@", "odt@", "pdf@", "rtf@", "doc@"}

// maxHead is how many bytes of a text are read for its head; the signature is not needed.
const maxHead = 1 << 10

// findDate notes in a record without a date the one at the head of its text. take
// makes it the date of the source.
func findDate(rec *record.Record, payload []byte, take bool) {
	letter := false
	for _, form := range letterForms {
		letter = letter || strings.HasPrefix(rec.Canonicalizer, form)
	}
	if !letter || rec.Date() != "" {
		return
	}
	name := ""
	if len(rec.Names) > 0 {
		name = rec.Names[0]
	}
	head := catalogue.ReadHead(string(payload[:min(len(payload), maxHead)]), name)
	date, words := head.Date, head.DateText
	if date == "" {
		return
	}
	if rec.Facts == nil {
		rec.Facts = map[string]string{}
	}
	rec.Facts[record.FactDateFound], rec.Facts[record.FactDateText] = date, words
	if take {
		src := record.Source{}
		if rec.Source != nil {
			src = *rec.Source
		}
		src.PublishedAt = date
		rec.Source, rec.Facts["origin_published_at"] = &src, "document"
	}
}
