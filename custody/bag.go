package custody

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"muniment/accession"
	"muniment/accession/container"
	"muniment/archive"
	"muniment/custody/bagit"
	"muniment/snapshot/record"
)

// A BagImportResult is the report on a bag's validation and, where the bag is
// valid, what was added.
type BagImportResult struct {
	Bag    string               `json:"bag"`
	Valid  bool                 `json:"valid"`
	Report *bagit.Report        `json:"report"`
	Added  *accession.AddResult `json:"added,omitempty"`
}

// ImportBag validates a bag (BagIt 1.0 or 0.97), a folder or packed as a zip or
// tar, and adds its payload under the bag's name. A bag that is not valid adds
// nothing: then the error is of kind VerificationFailed and carries the report.
func ImportBag(ctx context.Context, a *archive.Archive, file string, o accession.AddOptions) (*BagImportResult, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, archive.Problem(archive.TypeNotFound, archive.Advise("give the folder of a bag, or its zip or tar"), "%s: %s", archive.Printable(file), archive.Reason(err))
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give the folder of a bag, or its zip or tar"), "%s is not a regular file", archive.Printable(file))
	}
	progress := func(int64, int64) {}
	var report *bagit.Report
	if info.IsDir() {
		report, err = bagit.ValidateDir(ctx, file, progress)
	} else {
		report, err = bagit.ValidateSerialized(ctx, file, progress)
	}
	switch {
	case ctx.Err() != nil:
		return nil, archive.InterruptedError()
	case errors.Is(err, container.ErrFormat):
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give the folder of a bag, or its zip or tar"), "%s is no bag: %w", archive.Printable(file), err)
	case err != nil:
		return nil, archive.Environment(err, "import "+archive.Printable(file))
	}
	r := &BagImportResult{Bag: filepath.Base(file), Valid: report.Valid, Report: report}
	if !report.Valid {
		e := archive.Problem(archive.TypeVerification, archive.Advise("ask the sender for a whole bag; nothing was added"), "%s is not a valid bag: %s", archive.Printable(file), describeProblems(report))
		e.Partial = r
		return r, e
	}
	inputs, closer, err := bagInputs(ctx, file, info.IsDir(), report)
	if err != nil {
		return nil, archive.Environment(err, "import "+archive.Printable(file))
	}
	if closer != nil {
		defer closer.Close()
	}
	r.Added, err = accession.AddInputs(ctx, a, inputs, nil, o)
	return r, err
}

// describeProblems returns the first problem of a bag and the number of the others.
func describeProblems(r *bagit.Report) string {
	first, n := "", 0
	for _, p := range r.Problems {
		if p.State == bagit.OK {
			continue
		}
		if n++; n == 1 {
			if first = p.Reason; p.Path != "" {
				first = archive.Printable(p.Path) + ": " + p.Reason
			}
		}
	}
	return first + archive.AndMore(n-1)
}

// bagInputs returns the payload files of a valid bag as inputs of an accession, and
// what to close after them, or nil.
func bagInputs(ctx context.Context, file string, isDir bool, report *bagit.Report) ([]accession.Input, io.Closer, error) {
	base := filepath.Base(file)
	named := func(p string) accession.Input {
		name, encoded := record.EncodeName(path.Join(base, strings.TrimPrefix(p, "data/")))
		return accession.Input{Name: name, Encoded: encoded, Facts: map[string]string{"bag": base}}
	}
	var inputs []accession.Input
	if isDir {
		for _, f := range report.Payload {
			in := named(f.Path)
			in.Path = filepath.Join(file, filepath.FromSlash(f.Path))
			inputs = append(inputs, in)
		}
		return inputs, nil, nil
	}
	r, err := container.Open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	top, _ := bagit.Top(r) // there is one: the bag is valid
	for _, e := range r.Entries() {
		if inside := strings.TrimPrefix(e.Path, top+"/"); strings.HasPrefix(inside, "data/") {
			in := named(inside)
			in.Fetch = accession.EntryFetcher(e)
			inputs = append(inputs, in)
		}
	}
	return inputs, r, nil
}

// A BagExportResult describes a bag that was written. Octets counts the payload.
type BagExportResult struct {
	Dir      string   `json:"dir"`
	Files    int      `json:"files"`
	Octets   int64    `json:"octets"`
	Snapshot string   `json:"snapshot"`
	Warnings []string `json:"warnings"`
}

// ExportBag writes the originals of the newest snapshot, or of the artifacts
// that refs name, into a new bag at dir, byte for byte, under their names.
func ExportBag(ctx context.Context, a *archive.Archive, dir string, refs []string) (*BagExportResult, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(head.Tree)
	var list []*archive.Artifact
	if len(refs) == 0 {
		all, err := c.ReadAll()
		if err != nil {
			return nil, err
		}
		list = all.Artifacts
	} else {
		for _, ref := range refs {
			art, err := c.Resolve(ref)
			if err != nil {
				return nil, err
			}
			list = append(list, art)
		}
	}
	o := bagit.Options{Now: a.World().Now(), Info: []bagit.Field{
		{Label: "Source-Organization", Value: a.Info().Name}, {Label: "External-Identifier", Value: head.ID.String()},
		{Label: "External-Description", Value: "originals of snapshot " + head.ID.String() + " of archive " + a.ID().String()}}}
	var originals []bagOriginal
	for _, art := range list {
		for _, h := range art.CurrentRecords() {
			originals = append(originals, bagOriginal{h.Label(), art, h})
		}
	}
	warnings := nameOriginals(originals)
	w, err := bagit.Write(ctx, dir, func(yield func(bagit.Payload, error) bool) {
		for _, b := range originals {
			if !yield(bagit.Payload{Name: b.name, Open: func() (io.ReadCloser, error) { return a.OriginalContent(head.Tree, b.artifact, b.record) }}, nil) {
				return
			}
		}
	}, o)
	switch {
	case ctx.Err() != nil:
		return nil, archive.InterruptedError()
	case errors.Is(err, fs.ErrExist):
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("choose a folder that does not exist yet"), "%s is there already", archive.Printable(dir))
	case err != nil:
		return nil, archive.Environment(err, "export")
	}
	return &BagExportResult{Dir: dir, Files: w.Streams, Octets: w.Octets, Snapshot: head.ID.String(), Warnings: append(warnings, w.Warnings...)}, nil
}
