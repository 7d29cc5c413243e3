package search

import (
	"time"

	"muniment/archive/holdings"
	"muniment/canon"
	"muniment/canon/csvtable"
	"muniment/canon/dbresult"
	"muniment/canon/layout"
	"muniment/canon/mail"
	"muniment/canon/pdf"
	"muniment/canon/transcript"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/policy"
	"muniment/snapshot/record"
)

// Locators returns the place of a span in the words of the original: the page of
// a PDF, the row of a table, the time of a cue, the depth of a quoted reply, the
// chapter of a book, the region of a scan, and the headings above a place; and how the
// text of a scan or a recording was made. It is a view computed from
// the payload and its record; the span is the address. Of the headings there is what the
// caller may read.
func Locators(caller *policy.View, artifact cid.ID, rec *record.Record, doc *canon.Document, s cite.Span) map[string]string {
	o := locator.Original{Facts: rec.Facts, Markdown: rec.MediaType == "text/markdown", Mail: mail.IsForm(rec.Canonicalizer)}
	switch rec.Canonicalizer {
	case pdf.Name:
		o.Page = func(line int) (int, error) { return pdf.Page(rec.Facts["page_starts"], line) }
	case transcript.SRTName, transcript.VTTName:
		o.Times = func(line int) (start, end time.Duration, err error) { return transcript.Times(doc.Payload(), line) }
	case layout.ALTOName, layout.HOCRName, layout.PAGEName:
		o.Page = func(line int) (int, error) { return pdf.Page(rec.Facts["page_starts"], line) }
		o.Region = func(first, last int) (string, bool) {
			box, ok := layout.Region(rec.Facts, first, last)
			return box.String(), ok
		}
	case csvtable.Name:
		o.LineName = "row"
	case dbresult.Name:
		o.LineName = "line"
	}
	found := locator.Of(o, doc, s)
	if shown, err := caller.Show(artifact, found["section"]); err != nil || shown.Text == "" {
		delete(found, "section")
	} else {
		found["section"] = shown.Text
	}
	if d := holdings.DerivationOf(rec); d != nil {
		if found == nil {
			found = map[string]string{}
		}
		found["made"] = d.Mark()
	}
	return found
}

// Paragraphs returns the span of the paragraphs in which a span lies, and their words.
func Paragraphs(doc *canon.Document, s cite.Span) (whole cite.Span, words string, err error) {
	start, end, err := cite.Resolve(doc, s)
	if err != nil {
		return whole, "", err
	}
	from, to := start, end
	for _, u := range doc.Units(cite.Paragraphs) {
		if u.Start < end && start < u.End {
			from, to = min(from, u.Start), max(to, u.End)
		}
	}
	whole, err = cite.SpanAt(doc, from, to)
	return whole, string(doc.Payload()[from:to]), err
}
