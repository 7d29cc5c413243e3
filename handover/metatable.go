package handover

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/snapshot/record"
)

// tableColumns are the columns of metadata/metadata.csv: where the file lies, then
// elements of Dublin Core (ISO 15836), which programs of other archives read, then the
// fields that Dublin Core has no element for. Facts follow, each under its own name.
var tableColumns = []string{"filename", "dc.title", "dc.creator", "dc.date", "dc.publisher", "dc.language", "dc.type", "dc.format", "dc.subject", "dc.source", "dc.identifier",
	"dc.description", "dc.rights", "dc.coverage", "dc.relation", "dcterms.extent", "level", "box", "folder"}

// otherFact is how the names of facts begin that somebody stated of a paper and that no
// field has.
const otherFact = "other_"

// otherFacts returns the names of such facts of the originals, in their order.
func (h *handover) otherFacts() (names []string) {
	for _, o := range h.originals {
		for name := range o.record.Record.Facts {
			if strings.HasPrefix(name, otherFact) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// table returns the metadata of the originals as CSV. Several values of an element
// stand in one cell, divided by "; ".
func (h *handover) table() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	others := h.otherFacts()
	if err := w.Write(slices.Concat(tableColumns, others)); err != nil {
		return nil, problem.Wrap(err, "metadata")
	}
	join := func(values ...string) string {
		return strings.Join(slices.DeleteFunc(values, func(v string) bool { return v == "" }), "; ")
	}
	for _, o := range h.originals {
		rec := o.record.Record
		s := rec.Source
		if s == nil {
			s = &record.Source{}
		}
		row := []string{"data/" + o.name, s.Title, join(slices.Clone(s.Creators)...), s.PublishedAt, s.Publisher, s.Language, s.CSLType, rec.MediaType,
			join(slices.Concat(s.Subjects, s.Tags)...), s.URL, join(s.Identifier, rec.Artifact),
			s.Description, s.Rights, s.Place, join(slices.Clone(s.Related)...), s.Extent, s.Level, s.Box, s.Folder}
		for _, name := range others {
			row = append(row, rec.Facts[name])
		}
		if err := w.Write(row); err != nil {
			return nil, problem.Wrap(err, "metadata")
		}
	}
	w.Flush()
	return b.Bytes(), problem.Wrap(w.Error(), "metadata")
}
