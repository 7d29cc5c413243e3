package accession

import (
	"context"
	"slices"
	"time"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
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

	AllowSecrets bool // take files that hold a private key, which are skipped otherwise

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
func Add(ctx context.Context, a *archive.Archive, paths []string, o AddOptions) (*AddResult, error) {
	if len(paths) == 0 {
		return nil, archive.Problem(archive.TypeUsage, archive.Next(DoNamePaths), "nothing to add: no path given")
	}
	g, err := gatherInputs(ctx, a, paths, o)
	if err != nil {
		return nil, err
	}
	defer g.close()
	r, err := AddInputs(ctx, a, g.inputs, g.skips, o)
	if r != nil {
		r.Sources = g.sources
	}
	return r, err
}

// AddInputs takes in what was gathered.
func AddInputs(ctx context.Context, a *archive.Archive, inputs []Input, skips []Skip, o AddOptions) (done *AddResult, err error) {
	result := &AddResult{Skipped: skips, Artifacts: []AddedArtifact{}, DryRun: o.DryRun}
	if result.Skipped == nil {
		result.Skipped = []Skip{}
	}
	if o.Sidecar != nil {
		names := make([]string, len(inputs))
		for i := range inputs {
			names[i] = inputs[i].Name
		}
		o.Sidecar.Expect(names...)
		for _, e := range o.Sidecar.Unused() {
			result.Skipped = append(result.Skipped, Skip{Path: archive.Printable(e.File), Reason: e.Error()})
		}
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, archive.Environment(err, "add")
	}
	defer func() { // what was finished of large payloads serves the next add
		if done == nil {
			b.Interrupt()
		} else {
			b.Abort()
		}
	}()
	if !o.DryRun {
		if _, err := a.Store().SweepIncoming(a.World().Now().Add(-incomingAge)); err != nil {
			return nil, archive.Environment(err, "sweep")
		}
	}
	// What is there already is looked up while reading, without the lock, and
	// again below if another process has staged something meanwhile.
	before, _, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	now := a.World().Now().UTC().Format(time.RFC3339)
	notes := make(chan []string, 1)
	go func() { notes <- findLookalikes(inputs) }()
	taken, err := canonicalize(ctx, a, b, newArtifactLookup(a, before), inputs, now, o)
	if err != nil {
		return nil, err
	}
	result.Notes = <-notes
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	base, staged, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	main, err := a.Store().Ref(archive.RefMain)
	if err != nil {
		return nil, archive.Environment(err, archive.RefMain)
	}
	if base != before {
		now := newArtifactLookup(a, base)
		for acc := range flatten(taken) {
			if acc.err == nil {
				was := acc.existing
				if acc.existing, err = now.holding(acc); err != nil {
					return nil, err
				}
				if was.nothingToWrite(o) && !acc.existing.nothingToWrite(o) { // its bytes are not at hand any more
					return nil, archive.Problem(archive.TypeBusy, archive.Advise("run the same command again"), "another process withdrew %s while this one was reading", acc.name)
				}
			}
		}
	}
	edits, err := addAccession(a, taken, o, result)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, archive.InterruptedError()
	}
	if !o.DryRun && len(edits) > 0 {
		if err := archive.StageEdits(b, lock, a.World(), base, staged, main, edits); err != nil {
			return nil, err
		}
	}
	if n := b.ChunkCounts(); n != (objects.ChunkCounts{}) {
		result.Chunks = &Chunks{Written: n.Written, Resumed: n.Resumed, Known: n.Known}
	}
	if n := len(result.Skipped); n > 0 {
		first := result.Skipped[0]
		e := archive.Problem(archive.TypePartlyDone, archive.Advise("the others are in; mend or leave these out, then add again"),
			"%d of %d inputs not added: %s: %s%s", n, n+len(result.Artifacts), first.Path, first.Reason, archive.AndMore(n-1))
		if len(result.Artifacts) == 0 {
			e.Next = archive.Advise("nothing was added; mend what the reason names, then add again")
		}
		if !first.Next.IsZero() {
			e.Next = first.Next
		}
		e.Partial = result
		return result, e
	}
	return result, nil
}

// addAccession decides what is new and returns the edits.
func addAccession(a *archive.Archive, taken []addition, o AddOptions, result *AddResult) ([]objects.Edit, error) {
	type key struct {
		artifact       cid.ID
		original, name string
	}
	added := make(map[key]bool, len(taken)) // in this call
	edits := make([]objects.Edit, 0, 2*len(taken))
	result.Artifacts = slices.Grow(result.Artifacts, len(taken))
	for acc := range flatten(taken) {
		if acc.err != nil {
			result.Skipped = append(result.Skipped, skipOf(acc.name, acc.err))
			continue
		}
		if acc.existing.withdrawn && !o.Reinstate {
			result.Skipped = append(result.Skipped, Skip{Path: acc.name, Reason: "withdrawn from this archive", Next: archive.Next(DoReinstate)})
			continue
		}
		one := key{acc.artifact, acc.result.Original, acc.name}
		if acc.existing.recorded && !acc.existing.withdrawn || added[one] {
			acc.result.Status = "unchanged"
			result.Unchanged++
			result.Artifacts = append(result.Artifacts, acc.result)
			continue
		}
		added[one] = true
		result.Added++
		result.Artifacts = append(result.Artifacts, acc.result)
		if acc.existing.withdrawn {
			acc.edits = append(acc.edits, objects.Edit{Path: record.WithdrawnPath(acc.artifact)})
		}
		edits = append(edits, acc.edits...) // two inputs of one text repeat that of its payload
	}
	return edits, nil
}
