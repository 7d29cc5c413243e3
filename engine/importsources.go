package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/engine/references/bib"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// MaxSourcesFile is how many bytes a file of a reference manager may have.
const MaxSourcesFile = bib.MaxFile

// factIssued is the date of a source's publication where it is not a whole day,
// as 1931 or 1931-05: a record's published_at holds days only.
const factIssued = "issued"

// SourcesImport is a file of a reference manager.
type SourcesImport struct {
	Name   string // of the file; facts of the records name it with the line of the reference
	Data   []byte // BibTeX, RIS or CSL-JSON
	DryRun bool   // stage nothing
}

// SourcesImportResult has one row for each reference of a file, in its order.
type SourcesImportResult struct {
	Format     string           `json:"format"` // bibtex, ris or csl-json
	Registered int              `json:"registered"`
	Duplicate  int              `json:"duplicate"`
	Refused    int              `json:"refused"`
	Sources    []ImportedSource `json:"sources"`
}

// An ImportedSource is the verdict on one reference.
type ImportedSource struct {
	Line    int      `json:"line"`  // where the reference begins, from 1
	Entry   string   `json:"entry"` // its key in the file, else its number
	Verdict string   `json:"verdict"`
	Record  string   `json:"record,omitempty"` // of the source; of a duplicate, the record that is there
	Title   string   `json:"title,omitempty"`  // of the source, else its address
	Reason  string   `json:"reason,omitempty"` // of a refusal
	Notes   []string `json:"notes,omitempty"`  // values that a record cannot hold, and that were left out
}

// The verdicts on a reference.
const (
	verdictRegistered = "registered"
	verdictDuplicate  = "duplicate"
	verdictRefused    = "refused"
)

// ImportSources stages one record without a body for each reference of a file, as
// accession.AddSource does, all at once. A reference to a source that the archive
// or the file has already adds nothing. A reference that cannot be read is
// refused; the error is then of kind PartlyDone and carries the result.
func ImportSources(a *archive.Archive, o SourcesImport) (*SourcesImportResult, error) {
	const hint = "give a file in BibTeX, RIS or CSL-JSON, as reference managers export it"
	format, ok := bib.Detect(o.Data)
	if !ok {
		return nil, problem.New(problem.Usage, problem.Advise(hint), "%s: neither BibTeX nor RIS nor CSL-JSON", legible.Printable(o.Name))
	}
	rows, err := bib.Read(format, o.Data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise(hint), "%s: %w", legible.Printable(o.Name), err)
	}
	list, err := accession.Sources(a)
	if err != nil {
		return nil, err
	}
	records := map[string]string{} // by source
	for _, s := range list {
		records[identifySource(s.Source)] = s.Record
	}
	r := &SourcesImportResult{Format: string(format), Sources: []ImportedSource{}}
	files := map[string][]byte{}
	for _, row := range rows {
		one := ImportedSource{Line: row.Line, Entry: legible.Printable(row.Key)}
		rec, data, notes, err := buildRecord(a, o.Name, row)
		if err != nil {
			one.Verdict, one.Reason = verdictRefused, legible.Printable(err.Error())
			r.Refused++
			r.Sources = append(r.Sources, one)
			continue
		}
		source := identifySource(rec.Source)
		one.Title, one.Record, one.Notes = cmp.Or(rec.Source.Title, rec.Source.URL), records[source], notes
		if one.Record != "" {
			one.Verdict = verdictDuplicate
			r.Duplicate++
		} else {
			id := cid.OfJSON(data)
			files[layout.LoneRecordPath(id)] = data
			one.Verdict, one.Record, records[source] = verdictRegistered, id.String(), id.String()
			r.Registered++
		}
		r.Sources = append(r.Sources, one)
	}
	if len(files) > 0 && !o.DryRun {
		if err := a.Edit(files); err != nil {
			return nil, err
		}
	}
	return r, r.partialError()
}

// partialError returns the error of a file of which some references were refused.
func (r *SourcesImportResult) partialError() error {
	i := slices.IndexFunc(r.Sources, func(s ImportedSource) bool { return s.Verdict == verdictRefused })
	if i < 0 {
		return nil
	}
	first := r.Sources[i]
	e := problem.New(problem.PartlyDone, problem.Advise("the others are in; mend these references, then import the file again: what is there is not registered twice"),
		"%d of %d references refused: line %d, %s: %s%s", r.Refused, len(r.Sources), first.Line, first.Entry, first.Reason, legible.AndMore(r.Refused-1))
	e.Partial = r
	return e
}

// buildRecord returns a record without a body of a reference, and its bytes. Values
// that a record cannot hold are left out, and the notes name them.
func buildRecord(a *archive.Archive, file string, row bib.Row) (rec *record.Record, data []byte, notes []string, err error) {
	if row.Err != nil {
		return nil, nil, nil, row.Err
	}
	it := row.Item
	v := sourcemeta.Values{Title: it.Title, Publisher: it.Publisher, URL: it.Link(), PublishedAt: it.Issued.WholeDay(), Language: it.Language, CSLType: it.Type, PaywallPolicy: record.PaywallMetadataOnly}
	v.Publisher = cmp.Or(v.Publisher, it.ContainerTitle)
	for _, n := range it.Author {
		v.Creators = append(v.Creators, n.String())
	}
	src, facts := sourcemeta.Merge(sourcemeta.Layer{From: sourcemeta.FromSidecar, Where: fmt.Sprintf("%s:%d", filepath.Base(file), row.Line), Values: v})
	for _, name := range sourcemeta.FieldNames() {
		if why := facts["dropped_"+name]; why != "" {
			_, why, _ = strings.Cut(why, ": ")
			notes = append(notes, "left out: "+legible.Printable(why))
		}
	}
	if src.Title == "" && src.URL == "" {
		return nil, nil, nil, fmt.Errorf("no title and no address that a record can hold%s", strings.Join(append([]string{""}, notes...), "; "))
	}
	if issued := it.Issued.String(); src.PublishedAt == "" && issued != "" {
		facts[factIssued] = issued
	}
	rec = &record.Record{Time: a.World().Now().UTC().Format(time.RFC3339), Agent: a.World().Author, Source: &src, Facts: facts}
	data, err = rec.Encode()
	return rec, data, notes, err
}

// identifySource returns a key that is equal for two descriptions of one source:
// title and address or, without an address, title, creators and publisher.
func identifySource(s *record.Source) string {
	if s.URL != "" {
		return s.Title + "\x00" + s.URL
	}
	return strings.Join(append([]string{s.Title, "", s.Publisher}, s.Creators...), "\x00")
}
