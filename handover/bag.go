package handover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"muniment/accession"
	"muniment/accession/container"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/handover/bagit"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A BagImportResult is the report on a bag's validation and, where the bag is
// valid, what was added.
type BagImportResult struct {
	Bag    string               `json:"bag"`
	Valid  bool                 `json:"valid"`
	Report *bagit.Report        `json:"report"`
	Added  *accession.AddResult `json:"added,omitempty"`
	Empty  []string             `json:"empty,omitempty"` // payload files without bytes: their names are kept

	// Citations are those that came with the bag, for package engine; nil for none.
	Citations []byte `json:"-"`
}

// ImportBag validates a bag (BagIt 1.0 or 0.97), a folder or packed as a zip or
// tar. A bag that an archive wrote brings its artifacts with their records, names,
// consent and holds. Of any other the payload is added under the bag's name, and
// the files outside data/ under the bag's name and "!/". A bag that is not valid adds
// nothing: then the error is of kind VerificationFailed and carries the report.
func ImportBag(ctx context.Context, a *archive.Archive, file string, o accession.AddOptions) (*BagImportResult, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, problem.New(problem.NotFound, problem.Advise("give the folder of a bag, or its zip or tar"), "%s: %s", legible.Printable(file), legible.Reason(err))
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, problem.New(problem.Usage, problem.Advise("give the folder of a bag, or its zip or tar"), "%s is not a regular file", legible.Printable(file))
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
		return nil, problem.InterruptedError()
	case errors.Is(err, container.ErrFormat):
		return nil, problem.New(problem.Usage, problem.Advise("give the folder of a bag, or its zip or tar"), "%s is no bag: %w", legible.Printable(file), err)
	case err != nil:
		return nil, problem.Wrap(err, "import "+legible.Printable(file))
	}
	r := &BagImportResult{Bag: filepath.Base(file), Valid: report.Valid, Report: report}
	if !report.Valid {
		e := problem.New(problem.Verification, problem.Advise("ask the sender for a whole bag; nothing was added"), "%s is not a valid bag: %s", legible.Printable(file), describeProblems(report))
		e.Partial = r
		return r, e
	}
	files, closer, err := bagFiles(ctx, file, info.IsDir())
	if err != nil {
		return nil, problem.Wrap(err, "import "+legible.Printable(file))
	}
	if closer != nil {
		defer closer.Close()
	}
	return r, r.addFiles(ctx, a, files, o)
}

// addFiles takes in the files of a valid bag.
func (r *BagImportResult) addFiles(ctx context.Context, a *archive.Archive, files []packedFile, o accession.AddOptions) (err error) {
	if !isHandover(files) {
		r.Added, err = accession.AddInputs(ctx, a, r.inputs(files), nil, o)
		return err
	}
	t, err := takeHandover(ctx, a, files, isBagPayload, o)
	if t == nil {
		return err
	}
	r.Added, r.Citations = t.added, t.citations
	if len(t.rest) == 0 {
		return err
	}
	var rest error
	if r.Added, rest = accession.AddFurther(ctx, a, t.added, r.inputs(t.rest), o); err == nil {
		err = rest
	}
	return err
}

// isBagPayload reports whether a file of a bag is part of its payload.
func isBagPayload(path string) bool { return strings.HasPrefix(path, "data/") }

// describeProblems returns the first problem of a bag and the number of the others.
func describeProblems(r *bagit.Report) string {
	first, n := "", 0
	for _, p := range r.Problems {
		if p.State == bagit.OK {
			continue
		}
		if n++; n == 1 {
			if first = p.Reason; p.Path != "" {
				first = legible.Printable(p.Path) + ": " + p.Reason
			}
		}
	}
	return first + legible.AndMore(n-1)
}

// bagFiles returns the files of a valid bag, and what to close after them, or nil.
func bagFiles(ctx context.Context, file string, isDir bool) ([]packedFile, io.Closer, error) {
	if isDir {
		files, err := folderFiles(file)
		return files, nil, err
	}
	r, err := container.Open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	top, _ := bagit.Top(r) // there is one: the bag is valid
	var files []packedFile
	for _, e := range r.Entries() {
		files = append(files, packedFile{strings.TrimPrefix(e.Path, top+"/"), e.Size, e.Open})
	}
	return files, r, nil
}

// folderFiles returns the regular files below a folder.
func folderFiles(dir string) (files []packedFile, err error) {
	err = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		files = append(files, packedFile{filepath.ToSlash(rel), info.Size(), func() (io.ReadCloser, error) { return os.Open(at) }})
		return err
	})
	return files, err
}

// provenanceLabels are the fields of bag-info.txt that RFC 8493 gives to where a bag
// comes from. They become facts of everything that lay in it.
var provenanceLabels = []string{"Source-Organization", "External-Identifier", "External-Description",
	"Internal-Sender-Identifier", "Internal-Sender-Description", "Bag-Group-Identifier", "Bagging-Date"}

// The facts of a file that came in a bag: the bag's name; and, of bagit.txt, the
// names of payload files without bytes, percent-encoded and divided by spaces.
const (
	factBag        = "bag"
	factEmptyFiles = "bag_empty_files"
)

// maxEmptyNames is the most bytes of the names of empty files in a fact: a record
// has a megabyte. More of them stand in the manifests, which are kept too.
const maxEmptyNames = 256 << 10

// maxProvenance is the most bytes of a field of bag-info.txt in a fact.
const maxProvenance = 4096

// inputs returns files of the bag as inputs of an accession, and notes the empty ones.
func (r *BagImportResult) inputs(files []packedFile) []accession.Input {
	facts := map[string]string{factBag: r.Bag}
	for _, label := range provenanceLabels {
		var values []string
		for _, f := range r.Report.Info {
			if value := strings.Join(strings.Fields(f.Value), " "); strings.EqualFold(f.Label, label) && value != "" {
				values = append(values, value)
			}
		}
		if all := strings.Join(values, "; "); all != "" && len(all) <= maxProvenance && utf8.ValidString(all) {
			facts["bag_"+strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(label, "-", "_")), "bag_")] = all
		}
	}
	var inputs []accession.Input
	declaration, empty := -1, []string{}
	for _, f := range files {
		name := path.Join(r.Bag, strings.TrimPrefix(f.path, "data/"))
		if !isBagPayload(f.path) {
			name = r.Bag + "!/" + f.path
		}
		if f.size == 0 {
			if isBagPayload(f.path) {
				r.Empty, empty = append(r.Empty, name), append(empty, url.PathEscape(strings.TrimPrefix(f.path, "data/")))
			}
			continue
		}
		if f.path == "bagit.txt" {
			declaration = len(inputs)
		}
		in := accession.Input{Facts: maps.Clone(facts), Fetch: accession.ContentFetcher(f.size, f.open)}
		in.Name, in.Encoded = record.EncodeName(name)
		inputs = append(inputs, in)
	}
	if names := strings.Join(empty, " "); declaration >= 0 && names != "" && len(names) <= maxEmptyNames {
		inputs[declaration].Facts[factEmptyFiles] = names
	}
	return inputs
}

// emptyFilesOf returns the names of the empty files of a bag of which a record
// describes the declaration.
func emptyFilesOf(rec *record.Record) (names []string) {
	list := rec.Facts[factEmptyFiles]
	if list == "" || len(rec.Names) == 0 {
		return nil
	}
	base, _, _ := strings.Cut(rec.Names[0], "!/")
	for _, escaped := range strings.Fields(list) {
		if name, err := url.PathUnescape(escaped); err == nil {
			names = append(names, base+"/"+name)
		}
	}
	return names
}

// A BagExportResult describes a bag that was written. Octets counts the payload.
type BagExportResult struct {
	Dir      string   `json:"dir"`
	Files    int      `json:"files"`
	Octets   int64    `json:"octets"`
	Snapshot string   `json:"snapshot"`
	Warnings []string `json:"warnings"`
}

// ExportBag writes the originals of the newest snapshot, or of the artifacts that
// the options name, into a new bag at dir, byte for byte, under their names. The tag
// files below muniment/ have what the archive says of them, so that ImportBag makes
// the same artifacts and records of the bag.
func ExportBag(ctx context.Context, a *archive.Archive, dir string, o Options) (*BagExportResult, error) {
	h, err := gatherHandover(a, o)
	if err != nil {
		return nil, err
	}
	id := h.head.ID.String()
	write := bagit.Options{Now: a.World().Now(), Info: []bagit.Field{
		{Label: "Source-Organization", Value: a.Info().Name}, {Label: "External-Identifier", Value: id},
		{Label: "External-Description", Value: "originals of snapshot " + id + " of archive " + a.ID().String() + "; what the archive says of them is below " + handoverFolder + "; made for " + o.View.For()}}}
	for _, f := range h.extra {
		write.Tags = append(write.Tags, bagit.Payload{Name: f.name, Open: f.open})
	}
	w, err := bagit.Write(ctx, dir, func(yield func(bagit.Payload, error) bool) {
		for _, f := range h.payload(a) {
			if !yield(bagit.Payload{Name: f.name, Open: f.open}, nil) {
				return
			}
		}
	}, write)
	if err != nil {
		return nil, exportProblem(ctx, dir, err)
	}
	return &BagExportResult{Dir: dir, Files: w.Streams, Octets: w.Octets, Snapshot: id, Warnings: append(h.warnings, w.Warnings...)}, nil
}

// payload returns the originals as files, then the empty files.
func (h *handover) payload(a *archive.Archive) []handoverFile {
	var out []handoverFile
	taken := map[string]bool{}
	for _, b := range h.originals {
		taken[container.Fold(b.name)] = true
		out = append(out, handoverFile{b.name, func() (io.ReadCloser, error) { return a.OriginalContent(h.head.Tree, b.artifact, b.record) }})
	}
	for _, name := range h.empty {
		clean, reason := container.CheckName(name)
		if reason != "" || clean != name || taken[container.Fold(name)] {
			h.warnings = append(h.warnings, fmt.Sprintf("the empty file %q is left out: its name cannot be in a bag beside the others", name))
			continue
		}
		taken[container.Fold(name)] = true
		out = append(out, handoverFile{name, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }})
	}
	return out
}

// exportProblem returns the error of an export into a folder.
func exportProblem(ctx context.Context, dir string, err error) error {
	switch {
	case ctx.Err() != nil:
		return problem.InterruptedError()
	case errors.Is(err, fs.ErrExist):
		return problem.New(problem.Usage, problem.Advise("choose a folder that does not exist yet"), "%s is there already", legible.Printable(dir))
	}
	return problem.Wrap(err, "export")
}
