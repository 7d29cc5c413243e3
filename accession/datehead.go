package accession

import (
	"strings"
	"unicode/utf8"

	"muniment/archive/holdings"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
)

// The head of a letter is searched for a date: place and date are alone on short lines above the
// salutation.
const (
	headLines    = 6   // that are not blank
	maxHeadLine  = 80  // bytes; longer ones are sentences
	maxHeadBytes = 600 // of the text that are looked at
	maxHeadWords = 5   // beside the date: a place, a street
)

// letterForms are the canonical forms of texts that may be letters. Others have dates
// of their own, or none.
var letterForms = []string{"text@", "html@", "docx@", "odt@", "pdf@", "rtf@", "doc@"}

// headDate returns the date at the head of a text in EDTF, and its words; "" where
// there is none, or more than one.
func headDate(payload []byte) (date, words string) {
	head := payload[:min(len(payload), maxHeadBytes)]
	seen := 0
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if seen++; seen > headLines {
			break
		}
		if len(line) > maxHeadLine || !utf8.ValidString(line) || !hasYear(line) {
			continue
		}
		found := retrieve.Dates(line)
		if len(found) != 1 || found[0].From[:7] != found[0].To[:7] { // a year alone may be any number
			continue
		}
		r := found[0]
		beside := line[:r.Start] + " " + line[r.End:]
		if len(strings.Fields(beside)) > maxHeadWords || strings.Trim(line[r.End:], " .,;])") != "" {
			continue
		}
		if r.From == r.To {
			return r.From, line[r.Start:r.End]
		}
		return r.From[:7], line[r.Start:r.End]
	}
	return "", ""
}

// hasYear reports whether a line has four digits in a row, which is seen faster than
// a date.
func hasYear(line string) bool {
	run := 0
	for i := range len(line) {
		if run++; line[i] < '0' || line[i] > '9' {
			run = 0
		}
		if run == 4 {
			return true
		}
	}
	return false
}

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
	date, words := headDate(payload)
	if date == "" {
		return
	}
	if rec.Facts == nil {
		rec.Facts = map[string]string{}
	}
	rec.Facts[holdings.FactDateFound], rec.Facts["date_found_text"] = date, words
	if take {
		src := record.Source{}
		if rec.Source != nil {
			src = *rec.Source
		}
		src.PublishedAt = date
		rec.Source, rec.Facts["origin_published_at"] = &src, "document"
	}
}
