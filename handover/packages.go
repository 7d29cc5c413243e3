package handover

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/handover/ocfl"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// ExportOCFL writes the chosen originals into a new storage root of OCFL 1.1 at dir, with one
// object of one version, the newest snapshot.
func ExportOCFL(ctx context.Context, a *archive.Archive, dir string, o Options) (*BagExportResult, error) {
	h, err := gatherHandover(a, o)
	if err != nil {
		return nil, err
	}
	r := &BagExportResult{Dir: dir, Snapshot: h.head.ID.String(), Warnings: h.warnings}
	inventory := ocfl.NewInventory("urn:cid:"+a.ID().String(), ocfl.Version{Created: a.World().Now().UTC().Format(time.RFC3339),
		Message: "snapshot " + r.Snapshot + ", made for " + o.View.For(), User: &ocfl.User{Name: cmp.Or(a.World().Author, "Muniment")}})
	object := a.ID().String()
	err = writeFolder(ctx, dir, func(w *folderWriter) error {
		err := h.write(a, r, func(f handoverFile, isPayload bool) error {
			logical := f.name
			if isPayload {
				logical = "data/" + f.name
			}
			written, err := w.write(object+"/"+ocfl.ContentPath(logical), f.open)
			if err == nil {
				inventory.Add(logical, written.sha512, written.sha256)
				r.count(written, isPayload)
			}
			return err
		})
		if err != nil {
			return err
		}
		data, sidecar, err := inventory.Encode()
		if err != nil {
			return err
		}
		for _, folder := range []string{object, object + "/v1"} {
			if err := errors.Join(w.put(folder+"/"+ocfl.InventoryFile, data), w.put(folder+"/"+ocfl.SidecarFile, sidecar)); err != nil {
				return err
			}
		}
		return errors.Join(w.put(ocfl.RootDeclaration, []byte("ocfl_1.1\n")), w.put(object+"/"+ocfl.ObjectDeclaration, []byte("ocfl_object_1.1\n")))
	})
	if err != nil {
		return nil, exportProblem(ctx, dir, err)
	}
	return r, nil
}

// count adds a file of the payload to the result.
func (r *BagExportResult) count(f writtenFile, isPayload bool) {
	if isPayload {
		r.Files++
		r.Octets += f.size
	}
}

// write calls put with every file of the handover, the originals first.
func (h *handover) write(a *archive.Archive, r *BagExportResult, put func(f handoverFile, isPayload bool) error) error {
	for _, f := range h.payload(a) {
		if err := put(f, true); err != nil {
			return err
		}
	}
	r.Warnings = h.warnings
	for _, f := range h.extra {
		if err := put(f, false); err != nil {
			return err
		}
	}
	return nil
}

// A PackageImportResult says what was taken from a package that is no bag.
type PackageImportResult struct {
	Package string               `json:"package"`
	Objects []string             `json:"objects"` // IDs of OCFL objects, or the name of a crate
	Files   int                  `json:"files"`
	Added   *accession.AddResult `json:"added,omitempty"`

	// Citations are those that came along, for package engine; nil for none.
	Citations []byte `json:"-"`
}

// ImportOCFL validates the storage root or the object in dir and takes in the head
// version of each object. What is not valid adds nothing.
func ImportOCFL(ctx context.Context, a *archive.Archive, dir string, o accession.AddOptions) (*PackageImportResult, error) {
	next := problem.Advise("give the folder of a storage root, or of one object")
	objects, err := ocfl.Open(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return nil, problem.InterruptedError()
	case errors.Is(err, ocfl.ErrFormat):
		return nil, problem.New(problem.Usage, next, "%s is %w", legible.Printable(dir), err)
	case errors.Is(err, fs.ErrNotExist) && len(objects) == 0 && !isFolder(dir):
		return nil, problem.New(problem.NotFound, next, "%s: %s", legible.Printable(dir), legible.Reason(err))
	case err != nil:
		return nil, problem.New(problem.Verification, problem.Advise("ask the sender for a whole copy; nothing was added"), "%s is not valid: %w", legible.Printable(dir), err)
	}
	r := &PackageImportResult{Package: filepath.Base(dir), Objects: []string{}, Added: &accession.AddResult{Skipped: []accession.Skip{}, Artifacts: []accession.AddedArtifact{}, DryRun: o.DryRun}}
	var last error
	for _, object := range objects {
		r.Objects = append(r.Objects, object.ID)
		r.Files += len(object.Files)
		var files []packedFile
		for _, f := range object.Files {
			files = append(files, packedFile{f.Path, f.Size, f.Open})
		}
		facts := map[string]string{"ocfl_object": object.ID, "ocfl_version": object.Head}
		if err := r.take(ctx, a, files, path.Join(r.Package, path.Base(object.ID)), facts, o); err != nil {
			if last = err; r.Added == nil {
				return nil, err
			}
		}
		if isHandover(files) {
			continue
		}
		var beside []packedFile
		for _, f := range object.Beside {
			beside = append(beside, packedFile{f.Path, f.Size, f.Open})
		}
		if err := r.take(ctx, a, beside, path.Join(r.Package, path.Base(object.ID))+"!", facts, o); err != nil {
			last = err
		}
	}
	return r, last
}

// isFolder reports whether a path is that of a folder.
func isFolder(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// take takes in the files of one object: as an archive handed them on, or under a
// name with facts.
func (r *PackageImportResult) take(ctx context.Context, a *archive.Archive, files []packedFile, base string, facts map[string]string, o accession.AddOptions) error {
	rest := files
	var first error
	if isHandover(files) {
		t, err := takeHandover(ctx, a, files, isBagPayload, o)
		if t == nil {
			return err
		}
		r.Citations = append(r.Citations, t.citations...)
		r.Added = accession.Together(r.Added, t.added)
		rest, first = t.rest, err
	}
	var inputs []accession.Input
	for _, f := range rest {
		if f.size == 0 {
			r.Added.Notes = append(r.Added.Notes, legible.Printable(f.path)+" has no bytes: there is nothing to keep")
			continue
		}
		in := accession.Input{Facts: facts, Fetch: accession.ContentFetcher(f.size, f.open)}
		in.Name, in.Encoded = record.EncodeName(path.Join(base, f.path))
		inputs = append(inputs, in)
	}
	if len(inputs) == 0 {
		return first
	}
	added, err := accession.AddFurther(ctx, a, r.Added, inputs, o)
	if added != nil {
		r.Added = added
	}
	return cmp.Or(err, first)
}

// crateFile is the name of the metadata of a crate.
const crateFile = "ro-crate-metadata.json"

// An entity is a node of the graph of a crate.
type entity map[string]any

// ExportCrate writes the chosen originals into a new RO-Crate 1.1 at dir.
func ExportCrate(ctx context.Context, a *archive.Archive, dir string, o Options) (*BagExportResult, error) {
	h, err := gatherHandover(a, o)
	if err != nil {
		return nil, err
	}
	r := &BagExportResult{Dir: dir, Snapshot: h.head.ID.String(), Warnings: h.warnings}
	now := a.World().Now().UTC().Format(time.RFC3339)
	root := entity{"@id": "./", "@type": "Dataset", "name": cmp.Or(a.Info().Name, "archive "+a.ID().String()), "identifier": r.Snapshot, "datePublished": now,
		"description": "Originals of snapshot " + r.Snapshot + " of archive " + a.ID().String() + ", with what the archive says of them below " + handoverFolder + "; made for " + o.View.For(),
		"license":     "The records of each file say what may be done with it."}
	graph := []entity{{"@id": crateFile, "@type": "CreativeWork", "about": entity{"@id": "./"}, "conformsTo": entity{"@id": "https://w3id.org/ro/crate/1.1"}}, root}
	people := map[string]bool{}
	described := map[string]*record.Record{}
	for _, b := range h.originals {
		described[b.name] = b.record.Record
	}
	var parts []entity
	err = writeFolder(ctx, dir, func(w *folderWriter) error {
		err := h.write(a, r, func(f handoverFile, isPayload bool) error {
			name := f.name
			if isPayload {
				name = "data/" + f.name
			}
			written, err := w.write(name, f.open)
			if err != nil {
				return err
			}
			r.count(written, isPayload)
			id := (&url.URL{Path: name}).EscapedPath()
			parts = append(parts, entity{"@id": id})
			file := entity{"@id": id, "@type": "File", "name": path.Base(name), "contentSize": fmt.Sprint(written.size), "sha256": written.sha256}
			if rec := described[f.name]; isPayload && rec != nil {
				graph = append(graph, describeEntity(file, rec, people)...)
			}
			graph = append(graph, file)
			return nil
		})
		if err != nil {
			return err
		}
		root["hasPart"] = parts
		data, err := json.MarshalIndent(entity{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, "", "  ")
		if err != nil {
			return err
		}
		return w.put(crateFile, append(data, '\n'))
	})
	if err != nil {
		return nil, exportProblem(ctx, dir, err)
	}
	return r, nil
}

// describeEntity adds a record's description to the entity of its file, and returns the entities of
// creators that are new.
func describeEntity(file entity, rec *record.Record, people map[string]bool) (fresh []entity) {
	file["encodingFormat"], file["identifier"] = rec.MediaType, rec.Artifact
	s := rec.Source
	if s == nil {
		return nil
	}
	for property, value := range map[string]string{"name": s.Title, "datePublished": s.PublishedAt, "inLanguage": s.Language, "url": s.URL, "publisher": s.Publisher,
		"description": s.Description, "conditionsOfAccess": s.Rights, "contentLocation": s.Place, "materialExtent": s.Extent} {
		if value != "" {
			file[property] = value
		}
	}
	if s.Identifier != "" {
		file["identifier"] = []string{s.Identifier, rec.Artifact}
	}
	if words := slices.Concat(s.Subjects, s.Tags); len(words) > 0 {
		file["keywords"] = strings.Join(words, ", ")
	}
	var authors []entity
	for _, name := range s.Creators {
		id := "#" + url.PathEscape(name)
		authors = append(authors, entity{"@id": id})
		if !people[id] {
			people[id] = true
			fresh = append(fresh, entity{"@id": id, "@type": "Person", "name": name})
		}
	}
	if len(authors) > 0 {
		file["author"] = authors
	}
	return fresh
}

// ImportCrate validates the RO-Crate in dir and takes in its files. A crate whose
// metadata is malformed, or names a file that is not there, adds nothing.
func ImportCrate(ctx context.Context, a *archive.Archive, dir string, o accession.AddOptions) (*PackageImportResult, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, problem.New(problem.NotFound, problem.Advise("give the folder of a crate"), "%s: %s", legible.Printable(dir), legible.Reason(err))
	}
	files, err := folderFiles(dir)
	if err != nil {
		return nil, problem.Wrap(err, "import "+legible.Printable(dir))
	}
	name, graph, err := checkCrate(files)
	if err != nil {
		return nil, problem.New(problem.Verification, problem.Advise("ask the sender for a whole copy; nothing was added"), "%s is no valid RO-Crate: %w", legible.Printable(dir), err)
	}
	r := &PackageImportResult{Package: filepath.Base(dir), Objects: []string{name}, Files: len(files),
		Added: &accession.AddResult{Skipped: []accession.Skip{}, Artifacts: []accession.AddedArtifact{}, DryRun: o.DryRun}}
	if o.Sidecar == nil && !isHandover(files) {
		if o.Sidecar, err = describeCrate(r.Package, files, graph); err != nil {
			return nil, problem.New(problem.Verification, problem.Advise("mend "+crateFile+"; nothing was added"), "%s: %w", legible.Printable(dir), err)
		}
	}
	return r, r.take(ctx, a, files, r.Package, map[string]string{"crate": r.Package}, o)
}

// describeCrate returns the descriptions of files in the graph of a crate, by the names that they
// are added under.
func describeCrate(base string, files []packedFile, graph []map[string]any) (*sourcemeta.Sidecar, error) {
	there := map[string]bool{}
	for _, f := range files {
		there[f.path] = f.size > 0
	}
	return sourcemeta.ReadCrate(crateFile, graph, func(e map[string]any) string {
		id, _ := e["@id"].(string)
		local, err := url.PathUnescape(strings.TrimPrefix(id, "./"))
		if err != nil || !hasType(e, "File") || local == crateFile || !there[local] {
			return ""
		}
		name, _ := record.EncodeName(path.Join(base, local))
		return name
	})
}

// checkCrate requires the metadata descriptor, the root dataset and every file that
// the graph names, by sections 3 and 4 of RO-Crate 1.1. It returns the crate's name
// and graph.
func checkCrate(files []packedFile) (name string, graph []map[string]any, err error) {
	at := slices.IndexFunc(files, func(f packedFile) bool { return f.path == crateFile })
	if at < 0 {
		return "", nil, errors.New(crateFile + " is not there")
	}
	data, err := readPacked(files[at])
	if err != nil {
		return "", nil, err
	}
	var crate struct {
		Context any              `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(data, &crate); err != nil {
		return "", nil, err
	}
	there := map[string]bool{}
	for _, f := range files {
		there[f.path] = true
	}
	byID := map[string]map[string]any{}
	for _, e := range crate.Graph {
		id, _ := e["@id"].(string)
		if id == "" || byID[id] != nil {
			return "", nil, fmt.Errorf("the entity %q stands in the graph twice or has no @id", id)
		}
		byID[id] = e
		local, err := url.PathUnescape(strings.TrimPrefix(id, "./"))
		if isFile := hasType(e, "File"); err == nil && isFile && !strings.Contains(id, "://") && !strings.HasPrefix(id, "#") && !there[local] {
			return "", nil, fmt.Errorf("the file %q is not there", local)
		}
	}
	about, _ := byID[crateFile]["about"].(map[string]any)
	rootID, _ := about["@id"].(string)
	root := byID[rootID]
	switch {
	case crate.Context == nil:
		return "", nil, errors.New("@context is missing")
	case byID[crateFile] == nil || rootID == "":
		return "", nil, errors.New("the metadata descriptor names no root")
	case root == nil || !hasType(root, "Dataset"):
		return "", nil, fmt.Errorf("the root %q is no Dataset of the graph", rootID)
	}
	name, _ = root["name"].(string)
	return name, crate.Graph, nil
}

// hasType reports whether an entity has a type, alone or among others.
func hasType(e map[string]any, want string) bool {
	list, many := e["@type"].([]any)
	return e["@type"] == want || many && slices.Contains(list, any(want))
}
