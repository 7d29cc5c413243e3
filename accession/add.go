package accession

import (
	"context"
	"errors"
	"slices"
	"time"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// addWorkers read, canonicalize and deflate at once; two keep both cores of a
// small machine busy and bound the memory to a few whole inputs.
const addWorkers = 2

// AddOptions change what Add does. The zero value adds.
type AddOptions struct {
	DryRun    bool // report what would happen, write nothing
	Keep      bool // an add that is interrupted stages what it has finished
	TakeFound bool // take the date at the head of a text for its date, where it has no other
	Reinstate bool // take in artifacts that were withdrawn

	// MediaType says what every input is, where its name and its bytes do not:
	// application/vnd.muniment.dbresult+json, or a charset as in
	// "text/plain; charset=windows-1250".
	MediaType string

	// TextOf names a paper in the archive, a scan or a recording, of which the inputs are
	// the text. Without it a text belongs to a scan that is added with it and has the same
	// name but for the ending.
	TextOf string

	// OCR has the letters on scans without a text recognised, in languages as Tesseract
	// names them: deu, or deu+eng. "" recognises none.
	OCR string

	Piped *Piped // what the path - means; nil: a file of that name

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
		return nil, problem.New(problem.Usage, problem.Next(problem.DoAdd), "nothing to add: no path given")
	}
	if err := o.Source.CheckAddress(); err != nil {
		return nil, problem.New(problem.Usage, withoutSecret(err), "source: %w", err)
	}
	g, err := gatherInputs(ctx, a, paths, o)
	if err != nil {
		return nil, err
	}
	defer g.close()
	inputs := g.inputs
	g.inputs = nil // not held while the additions are staged
	r, err := AddInputs(ctx, a, inputs, g.skips, o)
	if r != nil {
		r.Sources = g.sources
		r.LeftOut = append(g.left, r.LeftOut...)
	}
	return r, err
}

// AddInputs canonicalizes inputs and stages what is new for the next snapshot,
// as Add does. skips are inputs that the caller could not read; the result lists
// them first.
func AddInputs(ctx context.Context, a *archive.Archive, inputs []Input, skips []Skip, o AddOptions) (done *AddResult, err error) {
	if err := checkMediaType(o.MediaType); err != nil {
		return nil, err
	}
	result := &AddResult{Skipped: append([]Skip{}, skips...), Artifacts: []AddedArtifact{}, DryRun: o.DryRun}
	result.Skipped = append(result.Skipped, unusedSidecarEntries(inputs, o.Sidecar)...)
	pairTexts(inputs)
	if o.TextOf != "" {
		if err := linkAll(a, inputs, o.TextOf); err != nil {
			return nil, err
		}
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "add")
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
			return nil, problem.Wrap(err, "sweep")
		}
	}
	// What is there already is looked up while reading, without the lock, and
	// again in stageAdditions if another process has staged something meanwhile.
	before, _, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	now := a.World().Now().UTC().Format(time.RFC3339)
	notes := make(chan []string, 1)
	go func() { notes <- findLookalikes(inputs) }()
	additions, err := readInputs(ctx, a, b, holdings.NewLookup(a.Store(), before), inputs, now, o)
	if err != nil {
		return nil, err
	}
	result.Notes = <-notes
	if o.Sidecar != nil {
		result.Notes = append(o.Sidecar.Notes(), result.Notes...)
	}
	if err := stageAdditions(ctx, a, b, before, additions, o, result); err != nil {
		return nil, err
	}
	if n := b.ChunkCounts(); n != (objects.ChunkCounts{}) {
		result.Chunks = &Chunks{Written: n.Written, Resumed: n.Resumed, Known: n.Known}
	}
	if ctx.Err() != nil {
		return result, keptError(result)
	}
	return result, skipError(result)
}

// keptError returns the error of an add that was interrupted and staged what it had
// finished. The error carries the result.
func keptError(result *AddResult) error {
	e := problem.New(problem.Interrupted, problem.Advise("run the same command again for the rest; what is in is recognised"),
		"interrupted; %d of %d inputs are staged", len(result.Artifacts), len(result.Artifacts)+len(result.Skipped))
	e.Partial = result
	return e
}

// unusedSidecarEntries returns a skip for each row of the sidecar that was refused or
// is about none of the inputs.
func unusedSidecarEntries(inputs []Input, sidecar *sourcemeta.Sidecar) []Skip {
	if sidecar == nil {
		return nil
	}
	names := make([]string, len(inputs))
	for i := range inputs {
		names[i] = inputs[i].Name
	}
	sidecar.Expect(names...)
	var skips []Skip
	for _, e := range append(sidecar.Refused(), sidecar.Unused()...) {
		skips = append(skips, Skip{Path: legible.Printable(e.File), Reason: e.Error()})
	}
	return skips
}

// stageAdditions moves the staged ref, under the writer's lock, to a tree with
// what is new among the additions, and writes into result what became of each.
// before is the staged tree in which the additions were looked up.
func stageAdditions(ctx context.Context, a *archive.Archive, b *objects.Batch, before objects.Hash, additions []addition, o AddOptions, result *AddResult) error {
	return archive.Stage(a, b, func(base objects.Hash) ([]objects.Edit, error) {
		if base != before {
			if err := lookUpAgain(holdings.NewLookup(a.Store(), base), additions, o); err != nil {
				return nil, err
			}
		}
		edits, large := listEdits(additions, o, result)
		edits, err := settlePointers(a.Store(), base, edits, large)
		if err == nil && ctx.Err() != nil && !o.Keep {
			err = problem.InterruptedError()
		}
		if o.DryRun {
			edits = nil
		}
		return edits, err
	})
}

// lookUpAgain replaces what the additions know of the staged tree by what the
// tree of lookup holds.
func lookUpAgain(lookup *holdings.Lookup, additions []addition, o AddOptions) error {
	for add := range flatten(additions) {
		if add.err != nil {
			continue
		}
		was := add.existing
		var err error
		if add.existing, err = findHolding(lookup, add); err != nil {
			return err
		}
		if !add.corrects.IsZero() {
			if add.existing.current.ID != add.corrects {
				return problem.New(problem.Busy, problem.Advise("run the same command again"), "another process described %s while this one was reading", add.name)
			}
			continue
		}
		if was.needsNothing(o) && !add.existing.needsNothing(o) { // its bytes are not at hand any more
			return problem.New(problem.Busy, problem.Advise("run the same command again"), "another process withdrew %s while this one was reading", add.name)
		}
	}
	return nil
}

// listEdits returns the edits of what is new among the additions, with the paths of
// large payloads and originals, and writes
// into result what became of each.
func listEdits(additions []addition, o AddOptions, result *AddResult) (edits []objects.Edit, large []string) {
	type key struct {
		artifact       cid.ID
		original, name string
	}
	added := make(map[key]bool, len(additions)) // in this call
	edits = make([]objects.Edit, 0, 2*len(additions))
	result.Artifacts = slices.Grow(result.Artifacts, len(additions))
	for add := range flatten(additions) {
		if errors.Is(add.err, errUnneeded) {
			continue
		}
		if add.err != nil {
			result.Skipped = append(result.Skipped, skipOf(add.name, add.err))
			if errors.Is(add.err, errEmpty) {
				result.LeftOut = append(result.LeftOut, LeftOut{Path: add.name, What: "an empty file"})
			}
			continue
		}
		if add.existing.withdrawn && !o.Reinstate {
			result.Skipped = append(result.Skipped, Skip{Path: add.name, Reason: "withdrawn from this archive", Next: problem.Next(problem.DoGive, "reinstate", "").With("to take it in again")})
			continue
		}
		one := key{add.artifact, add.result.Original, add.name}
		if !add.corrects.IsZero() && !added[one] {
			added[one] = true
			add.result.Status = "described"
			result.Described++
			result.Artifacts = append(result.Artifacts, add.result)
			edits = append(edits, add.edits...)
			continue
		}
		if add.existing.recorded && !add.existing.withdrawn || added[one] {
			add.result.Status = "unchanged"
			result.Unchanged++
			result.Artifacts = append(result.Artifacts, add.result)
			continue
		}
		added[one] = true
		result.Added++
		result.Artifacts = append(result.Artifacts, add.result)
		if add.existing.withdrawn {
			add.edits = append(add.edits, objects.Edit{Path: layout.WithdrawnPath(add.artifact)})
		}
		edits = append(edits, add.edits...) // two inputs of one text repeat the edit of its payload
		add.edits = nil
		large = append(large, add.large...)
	}
	return edits, large
}

// skipError returns the error of an add that skipped inputs, nil when it skipped
// none. The error carries the result.
func skipError(result *AddResult) error {
	n := len(result.Skipped)
	if n == 0 {
		return nil
	}
	first := result.Skipped[0]
	e := problem.New(problem.PartlyDone, problem.Advise("the others are in; mend or leave these out, then add again"),
		"%d of %d inputs not added: %s: %s%s", n, n+len(result.Artifacts), first.Path, first.Reason, legible.AndMore(n-1))
	if len(result.Artifacts) == 0 {
		e.Next = problem.Advise("nothing was added; mend what the reason names, then add again")
	}
	if !first.Next.IsZero() {
		e.Next = first.Next
	}
	e.Partial = result
	return e
}
