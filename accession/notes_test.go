package accession

import (
	"strings"
	"testing"

	"muniment/snapshot/record"
)

// Whoever adds a file is told what its reader could not make out.
func TestRemark(t *testing.T) {
	for _, c := range []struct {
		rec  record.Record
		want string
	}{
		{record.Record{Canonicalizer: "text@1", Charset: "utf-8 valid"}, ""},
		{record.Record{Canonicalizer: "bytes@1", Reason: "no text on 3 pages"}, "no text on 3 pages"},
		{record.Record{Canonicalizer: "srt@1", Charset: "utf-8 valid", Facts: map[string]string{"cues": "9", "bad_times": "1", "unordered": "2"}},
			"1 line with an arrow gives no two times; 2 cues begin before the one above"},
		{record.Record{Canonicalizer: "text@1", Charset: "windows-1252 guess 73 by x v1"},
			"its charset was guessed, windows-1252"},
		{record.Record{Canonicalizer: "text@1", Charset: "utf-8 damaged, 3 undecodable"}, "3 undecodable, shown as \uFFFD"},
		{record.Record{Canonicalizer: "mail@2", Facts: map[string]string{"defects": "date 1"}}, "no date that can be read"},
		{record.Record{Canonicalizer: "mail@2", Facts: map[string]string{"defects": "base64 1, date 1"}}, "damaged: base64 1, date 1"},
		{record.Record{Canonicalizer: "pdf@1", Extractor: "pdftotext 22", Facts: map[string]string{"defects": "4", "empty_pages": "1"}},
			"1 page without text; pdftotext 22 complains: 4"},
	} {
		if got, next := recordNote(&c.rec); got != c.want || next.IsZero() == strings.Contains(got, "guessed") {
			t.Errorf("%v: %q, want %q", c.rec.Facts, got, c.want)
		}
	}
}
