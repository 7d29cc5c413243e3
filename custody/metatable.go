package custody

import (
	"bytes"
	"encoding/csv"
	"strings"

	"muniment/archive"
)

// tableColumns are the columns of metadata/metadata.csv: where the file lies, then
// elements of Dublin Core (ISO 15836), which programs of other archives read.
var tableColumns = []string{"filename", "dc.title", "dc.creator", "dc.date", "dc.publisher", "dc.language", "dc.type", "dc.format", "dc.subject", "dc.source", "dc.identifier"}

// table returns the metadata of the originals as CSV. Several values of an element
// stand in one cell, divided by "; ".
func (h *handover) table() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(tableColumns); err != nil {
		return nil, archive.Environment(err, "metadata")
	}
	for _, o := range h.originals {
		rec := o.record.Record
		row := []string{"data/" + o.name, "", "", "", "", "", "", rec.MediaType, "", "", rec.Artifact}
		if s := rec.Source; s != nil {
			row[1], row[2], row[3], row[4], row[5] = s.Title, strings.Join(s.Creators, "; "), s.PublishedAt, s.Publisher, s.Language
			row[6], row[8], row[9] = s.CSLType, strings.Join(s.Tags, "; "), s.URL
		}
		if err := w.Write(row); err != nil {
			return nil, archive.Environment(err, "metadata")
		}
	}
	w.Flush()
	return b.Bytes(), archive.Environment(w.Error(), "metadata")
}
