package holdings

import (
	"cmp"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// An Artifact is a payload with its records.
type Artifact struct {
	ID         cid.ID
	Records    []StoredRecord // in path order
	Withdrawn  bool
	HasConsent bool
}

// A StoredRecord is a record that a tree holds, and its id.
type StoredRecord struct {
	ID     cid.ID
	Record *record.Record
}

// Label returns a name of the record for people: the first name of its file, the address of its source, or its id.
func (h StoredRecord) Label() string {
	switch {
	case h.Record == nil:
	case len(h.Record.Names) > 0:
		return h.Record.Names[0]
	case h.Record.Source != nil && h.Record.Source.URL != "":
		return h.Record.Source.URL
	}
	return h.ID.String()
}

// HasName reports whether one of the artifact's names is ref or ends in /ref.
func (art *Artifact) HasName(ref string) bool {
	for _, h := range art.Records {
		for _, n := range h.Record.Names {
			if n == ref || strings.HasSuffix(n, "/"+ref) {
				return true
			}
		}
	}
	return false
}

// CurrentRecords returns the records that no other one supersedes.
func (art *Artifact) CurrentRecords() []StoredRecord { return currentOf(art.Records) }

// FactSourceType is the fact of a record whose content a program handed in: database or custom.
const FactSourceType = "source_type"

// IsUnaccepted reports whether programs alone handed the artifact in and no archivist accepted it: whoever makes a claim
// is no source for it.
func (art *Artifact) IsUnaccepted() bool {
	return len(art.Records) > 0 && !slices.ContainsFunc(art.CurrentRecords(), func(h StoredRecord) bool { return !IsUnaccepted(h.Record) })
}

// IsUnaccepted reports whether a record is of what a program handed in and has no tier of an archivist, who accepts a source by
// rating it. A tier that the content itself states is the program's word.
func IsUnaccepted(r *record.Record) bool {
	return r.Facts[FactSourceType] != "" && (r.Source == nil || r.Source.Tier == 0 || strings.HasPrefix(r.Facts["origin_tier"], "document"))
}

// currentOf returns the records of a list which no other one of it supersedes.
func currentOf(all []StoredRecord) []StoredRecord {
	old := map[string]bool{}
	for _, h := range all {
		old[h.Record.Supersedes] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(h StoredRecord) bool { return old[h.ID.String()] })
}

// FirstRecord returns the record that describes the artifact in lists: of its current ones that of the earliest
// accession, the youngest where several correct one. It reports false for an artifact without records.
func (art *Artifact) FirstRecord() (StoredRecord, bool) {
	records := art.CurrentRecords()
	switch len(records) {
	case 0:
		return StoredRecord{}, false
	case 1: // as for most
		return records[0], true
	}
	accession := make(map[cid.ID]string, len(records)) // when it was taken in
	for _, h := range records {
		accession[h.ID] = h.Record.Time
		if older := art.Older(h); len(older) > 0 {
			accession[h.ID] = older[len(older)-1].Record.Time
		}
	}
	return slices.MinFunc(records, func(a, b StoredRecord) int {
		return cmp.Or(strings.Compare(accession[a.ID], accession[b.ID]), strings.Compare(b.Record.Time, a.Record.Time), strings.Compare(a.ID.String(), b.ID.String()))
	}), true
}

// OriginalRecord returns the record whose original ref means: the record with the name ref, or any where all originals
// are the same bytes. It reports false for an artifact without records; ref is ambiguous where the originals differ.
func (art *Artifact) OriginalRecord(ref string) (StoredRecord, bool, error) {
	records := art.CurrentRecords()
	var named []StoredRecord
	for _, h := range records {
		one := Artifact{Records: []StoredRecord{h}}
		if one.HasName(ref) {
			named = append(named, h)
		}
	}
	if len(named) == 0 {
		named = records
	}
	if len(named) == 0 {
		return StoredRecord{}, false, nil
	}
	for _, h := range named[1:] {
		if h.Record.Original != named[0].Record.Original {
			return StoredRecord{}, false, problem.New(problem.Ambiguous, problem.Next(problem.DoShow, art.ID.String()).With("name the file"), "%s has several originals", legible.Printable(ref))
		}
	}
	return named[0], true, nil
}

// Name returns a name of the artifact for people: the first name of its first record, or its id.
func (art *Artifact) Name() string {
	if h, ok := art.FirstRecord(); ok && len(h.Record.Names) > 0 {
		return h.Record.Names[0]
	}
	return art.ID.String()
}

// dates returns when the artifact is of and when it was taken in, for a message that tells artifacts of one name apart.
func (art *Artifact) dates() string {
	h, ok := art.FirstRecord()
	if !ok {
		return ""
	}
	out := ""
	if date := h.Record.Date(); date != "" {
		out = ", of " + date
	}
	return out + ", taken in " + h.Record.Time[:len("2006-01-02")]
}

// checkPresent returns an error for an artifact that is withdrawn.
func (art *Artifact) checkPresent() error {
	if !art.Withdrawn || len(art.Records) > 0 {
		return nil
	}
	return problem.New(problem.SourceNotFound, problem.Next(problem.DoShow, art.ID.String()).With("it says why; an older snapshot may hold it"),
		"the artifact %s is withdrawn", art.ID)
}

// An ArtifactInfo describes an artifact in lists. Size is in bytes of the payload, Original is a CID, Date is in EDTF.
type ArtifactInfo struct {
	ID            string   `json:"id"`
	Names         []string `json:"names"`
	Title         string   `json:"title,omitempty"`
	Date          string   `json:"date,omitempty"`
	DateFound     string   `json:"date_found,omitempty"` // at the head of the text, where nothing says when it is of
	MediaType     string   `json:"media_type"`
	Canonicalizer string   `json:"canonicalizer"`
	Size          int64    `json:"size"`
	Paragraphs    int      `json:"paragraphs"`
	Lines         int      `json:"lines"`
	Original      string   `json:"original"`
	Records       []string `json:"records"`
}

// Info returns the description of the artifact for lists.
func (art *Artifact) Info() ArtifactInfo {
	out := ArtifactInfo{ID: art.ID.String(), Names: []string{}, Records: []string{}}
	for _, h := range art.Records {
		out.Records = append(out.Records, h.ID.String())
		for _, name := range h.Record.Names {
			if !slices.Contains(out.Names, name) { // a correction repeats it
				out.Names = append(out.Names, name)
			}
		}
	}
	h, ok := art.FirstRecord()
	if !ok {
		return out
	}
	out.MediaType, out.Canonicalizer, out.Size = h.Record.MediaType, h.Record.Canonicalizer, h.Record.Size
	out.Paragraphs, out.Lines, out.Original = int(h.Record.PCount), int(h.Record.LCount), h.Record.Original
	out.Date, out.DateFound = h.Record.Date(), h.Record.Facts[record.FactDateFound]
	if h.Record.Source != nil {
		out.Title = h.Record.Source.Title
	}
	return out
}
