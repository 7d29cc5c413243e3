package holdings

import (
	"slices"
	"strings"

	"muniment/archive/keyfile"
	"muniment/cid"
	"muniment/snapshot/record"
)

// The facts of a record whose text was made from another paper, such as a scan.
const (
	FactDerivedFrom = "derived_from" // ids of the artifacts, or citations, that it was made from, apart by blanks
	FactTextMade    = "text_made"    // one of the ways below
)

// FactPartOf is the fact of the record of what lay inside something else, such as the
// attachment of a mail: the id of the artifact of the whole, whose record lists it.
const FactPartOf = "part_of"

// The ways in which the text of a scan or a recording is made.
const (
	MadeByOCR     = "OCR"                  // with the place of each line
	MadeByAnybody = "OCR or transcription" // a plain text, which does not say
	MadeSubtitles = "subtitles"            // with times
	MadeSpeech    = "a transcript"         // of a recording, without times
)

// A Derivation says what a text was made from, and how.
type Derivation struct {
	From []string `json:"from"`         // ids of artifacts
	How  string   `json:"how"`          // OCR, OCR or transcription, subtitles, a transcript
	By   string   `json:"by,omitempty"` // the program, with its version
}

// DerivationOf returns from what and how the text of a record was made; nil for one that
// is no text of a scan or a recording.
func DerivationOf(r *record.Record) *Derivation {
	if r == nil || r.Facts[FactTextMade] == "" {
		return nil
	}
	how := r.Facts[FactTextMade]
	d := &Derivation{From: strings.Fields(r.Facts[FactDerivedFrom]), How: how, By: r.Facts["recognised_by"]}
	if r.Extractor != "" && strings.HasPrefix(how, MadeByOCR) {
		d.By = r.Extractor
	}
	return d
}

// Mark returns the words with which quotes from the text are marked.
func (d *Derivation) Mark() string { return "from " + d.How }

// MarkTitle returns a title followed by the Mark where letters were recognised: answers show the title with each quote.
func (d *Derivation) MarkTitle(title string) string {
	if d == nil {
		return title
	}
	mark := "(" + d.Mark() + ")"
	if title == "" || !strings.HasPrefix(d.How, MadeByOCR) || strings.HasSuffix(title, mark) {
		return title
	}
	return title + " " + mark
}

// DerivedFrom returns the places of the current records whose texts were made from an artifact.
func (c *Catalog) DerivedFrom(id cid.ID) ([]Place, error) {
	var out []Place
	d := id.Digest()
	_, err := c.list(keyfile.Key(keyDerived, d[:digestPart], nil), func(art *Artifact) bool {
		for _, h := range art.CurrentRecords() {
			if slices.Contains(strings.Fields(h.Record.Facts[FactDerivedFrom]), id.String()) {
				out = append(out, Place{art, h})
			}
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	return c.withoutSuperseded(out)
}
