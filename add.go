package muniment

import (
	"context"
	"strconv"
	"time"

	"muniment/cid"
	"muniment/objects"
	"muniment/record"
	"muniment/sourcemeta"
)

// addWorkers read, canonicalize and deflate at once; two keep both cores of a
// small machine busy and bound the memory to a few whole inputs.
const addWorkers = 2

// AddOptions change what Add does. The zero value adds.
type AddOptions struct {
	DryRun    bool // report what would happen, write nothing
	Reinstate bool // take in artifacts that were withdrawn

	// MediaType says what every input is, where its name and its bytes do not:
	// application/vnd.muniment.dbresult+json, or a charset as in
	// "text/plain; charset=windows-1250".
	MediaType string

	Source   sourcemeta.Layer     // what the caller says of the source of every input
	Sidecar  *sourcemeta.Sidecar  // what a file beside the inputs says, by name
	Registry *sourcemeta.Registry // known sources, by id and address

	AllowPrivate bool   // take pages from loopback and private networks
	IgnoreRobots string // why robots.txt is not asked; "" asks it

	// Progress, if set, is told how many of the inputs are done.
	Progress func(done, total int)
}

// Add takes files and folders into the archive and stages them for the next
// snapshot. Inputs that cannot be taken are skipped with a reason; then the
// error is of type PartlyDone and carries the result. An Add that is
// interrupted, through ctx or otherwise, leaves every ref as it was.
func (a *Archive) Add(ctx context.Context, paths []string, o AddOptions) (*AddResult, error) {
	if len(paths) == 0 {
		return nil, problem(TypeUsage, ExitUsage, "muniment add PATH…", "nothing to add: no path given")
	}
	g, err := a.inputs(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	defer g.close()
	r, err := a.addInputs(ctx, g.inputs, g.skips, o)
	if r != nil {
		r.Sources = g.sources
	}
	return r, err
}

// addInputs takes in what was gathered.
func (a *Archive) addInputs(ctx context.Context, inputs []input, skips []Skip, o AddOptions) (*AddResult, error) {
	result := &AddResult{Skipped: skips, Artifacts: []AddedArtifact{}, DryRun: o.DryRun}
	if result.Skipped == nil {
		result.Skipped = []Skip{}
	}
	if o.Sidecar != nil {
		names := make([]string, len(inputs))
		for i := range inputs {
			names[i] = inputs[i].name
		}
		o.Sidecar.Expect(names...)
		for _, e := range o.Sidecar.Unused() {
			result.Skipped = append(result.Skipped, Skip{Path: printable(e.File), Reason: e.Error()})
		}
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return nil, environment(err, "add")
	}
	defer b.Abort()

	now := a.world.Now().UTC().Format(time.RFC3339)
	taken, err := a.canonicalize(ctx, b, inputs, now, o)
	if err != nil {
		return nil, err
	}
	lock, err := a.writeLock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	base, staged, err := a.stagedTree()
	if err != nil {
		return nil, err
	}
	main, err := a.store.Ref(refMain)
	if err != nil {
		return nil, environment(err, refMain)
	}
	edits, err := a.accede(b, base, flatten(taken), o, result)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, interrupted()
	}
	if !o.DryRun && len(edits) > 0 {
		if err := stageEdits(b, lock, a.world, base, staged, main, edits); err != nil {
			return nil, err
		}
	}
	if n := len(result.Skipped); n > 0 {
		first := result.Skipped[0]
		e := problem(TypePartlyDone, ExitPartly, "the others are in; mend or leave these out, then add again",
			"%d of %d inputs not added: %s: %s%s", n, n+len(result.Artifacts), first.Path, first.Reason, more(n-1))
		if len(result.Artifacts) == 0 {
			e.Suggestion = "nothing was added; check the path and the file's permissions"
		}
		e.Partial = result
		return result, e
	}
	return result, nil
}

func more(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", and 1 more"
	}
	return ", and " + strconv.Itoa(n) + " more"
}

func interrupted() error {
	return &Error{Type: TypeInterrupted, Code: ExitInterrupted, Message: "interrupted; nothing was staged",
		Suggestion: "run the same command again; what is already in is recognised"}
}

// accede decides what is new against the tree base and returns the edits.
func (a *Archive) accede(b *objects.Batch, base objects.Hash, taken []accession, o AddOptions, result *AddResult) ([]objects.Edit, error) {
	c, err := a.load(base)
	if err != nil {
		return nil, err
	}
	added := map[cid.ID][]*record.Record{} // in this call
	blobs := map[string]objects.Hash{}     // by path; a zero hash removes
	for i := range taken {
		acc := &taken[i]
		if acc.err != nil {
			result.Skipped = append(result.Skipped, Skip{Path: acc.in.name, Reason: reason(acc.err)})
			continue
		}
		rec := acc.rec
		one := AddedArtifact{ID: rec.Artifact, Original: rec.Original, Path: acc.in.name, MediaType: rec.MediaType,
			Canonicalizer: rec.Canonicalizer, Paragraphs: int(rec.PCount), Status: "added", Note: rec.Reason}
		if acc.in.encoded {
			one.Note = "the name is percent-encoded: it holds bytes that are not printable UTF-8"
		}
		known := c.byID[acc.artifact]
		if known != nil && known.withdrawn && !o.Reinstate {
			result.Skipped = append(result.Skipped, Skip{Path: acc.in.name, Reason: "withdrawn from this archive; --reinstate takes it in again"})
			continue
		}
		if accessioned(known, added[acc.artifact], rec) {
			one.Status = "unchanged"
			result.Unchanged++
			result.Artifacts = append(result.Artifacts, one)
			continue
		}
		added[acc.artifact] = append(added[acc.artifact], rec)
		result.Added++
		result.Artifacts = append(result.Artifacts, one)
		if o.DryRun {
			continue
		}
		encoded, err := rec.Encode()
		if err != nil {
			return nil, environment(err, "record of "+acc.in.name)
		}
		h, err := b.Put(objects.Blob, encoded)
		if err != nil {
			return nil, environment(err, "record of "+acc.in.name)
		}
		blobs[record.RecordPath(acc.artifact, cid.OfJSON(encoded))] = h
		if known != nil && known.withdrawn {
			blobs[record.WithdrawnPath(acc.artifact)] = objects.Hash{}
		}
		for path, blob := range acc.blobs { // two inputs of one text share its payload
			blobs[path] = blob
		}
	}
	edits := make([]objects.Edit, 0, len(blobs))
	for path, blob := range blobs {
		edits = append(edits, objects.Edit{Path: path, Blob: blob})
	}
	return edits, nil
}

// accessioned reports whether the artifact already has a record of the same
// original under the same name.
func accessioned(known *artifact, added []*record.Record, rec *record.Record) bool {
	same := func(old *record.Record) bool {
		if old.Original != rec.Original {
			return false
		}
		for _, n := range old.Names {
			if n == rec.Names[0] {
				return true
			}
		}
		return false
	}
	for _, old := range added {
		if same(old) {
			return true
		}
	}
	if known == nil {
		return false
	}
	for _, h := range known.records {
		if same(h.rec) {
			return true
		}
	}
	return false
}
