package muniment

import (
	"context"
	"encoding/hex"
	"errors"
	"path"
	"regexp"
	"strconv"
	"sync"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/record"
)

// addWorkers read, canonicalize and deflate at once; two keep both cores of a
// small machine busy and bound the memory to a few whole inputs.
const addWorkers = 2

// AddOptions change what Add does. The zero value adds.
type AddOptions struct {
	DryRun    bool // report what would happen, write nothing
	Reinstate bool // take in artifacts that were withdrawn
	// Progress, if set, is told how many of the inputs are done.
	Progress func(done, total int)
}

// An accession is one input in its canonical form, ready to be written.
type accession struct {
	in       input
	artifact cid.ID
	rec      *record.Record
	blobs    map[string]objects.Hash // of its payload and original, by path
	err      error
}

// Add takes files and folders into the archive and stages them for the next
// snapshot. Inputs that cannot be taken are skipped with a reason; then the
// error is of type PartlyDone and carries the result. An Add that is
// interrupted, through ctx or otherwise, leaves every ref as it was.
func (a *Archive) Add(ctx context.Context, paths []string, o AddOptions) (*AddResult, error) {
	if len(paths) == 0 {
		return nil, problem(TypeUsage, ExitUsage, "muniment add PATH…", "nothing to add: no path given")
	}
	inputs, skips := gather(a.dir, paths)
	result := &AddResult{Skipped: skips, Artifacts: []AddedArtifact{}, DryRun: o.DryRun}
	if result.Skipped == nil {
		result.Skipped = []Skip{}
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
	edits, err := a.accede(b, base, taken, o, result)
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

// canonicalize reads every input and brings it into canonical form, putting
// payloads and originals into the batch as it goes.
func (a *Archive) canonicalize(ctx context.Context, b *objects.Batch, inputs []input, now string, o AddOptions) ([]accession, error) {
	out := make([]accession, len(inputs))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range addWorkers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				out[i] = a.take(b, inputs[i], now, o.DryRun)
				mu.Lock()
				done++
				if o.Progress != nil {
					o.Progress(done, len(inputs))
				}
				mu.Unlock()
			}
		}()
	}
	var stopped error
	for i := range inputs {
		select {
		case <-ctx.Done():
			stopped = interrupted()
		case next <- i:
			continue
		}
		break
	}
	close(next)
	wg.Wait()
	if stopped != nil {
		return nil, stopped
	}
	for i := range out {
		var told storeError
		if errors.As(out[i].err, &told) {
			return nil, environment(told.err, "add "+out[i].in.name)
		}
	}
	return out, nil
}

// A storeError is a failure of the archive rather than of an input.
type storeError struct{ err error }

func (e storeError) Error() string { return e.err.Error() }

// take reads one input, puts its payload and original, and describes it. What
// stays in memory is the record.
func (a *Archive) take(b *objects.Batch, in input, now string, dry bool) accession {
	acc := accession{in: in, blobs: map[string]objects.Hash{}}
	data, err := readStill(in.path)
	if err != nil {
		acc.err = err
		return acc
	}
	form, err := a.readers.Canonicalize(canon.Input{Name: in.name, Data: data})
	if err != nil {
		acc.err = err
		return acc
	}
	acc.artifact = cid.Of(form.Payload)
	original := cid.Of(data)
	acc.rec = describe(in, form, acc.artifact, original)
	acc.rec.Time, acc.rec.Agent = now, a.world.Author
	if _, acc.err = acc.rec.Encode(); acc.err != nil || dry {
		return acc
	}
	put := func(path string, data []byte) {
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			acc.err = storeError{err}
		}
		acc.blobs[path] = h
	}
	put(record.ArtifactPath(acc.artifact), form.Payload)
	if original != acc.artifact {
		put(record.OriginalPath(original), data)
	}
	return acc
}

// accede decides what is new against the tree base and returns the edits.
func (a *Archive) accede(b *objects.Batch, base objects.Hash, taken []accession, o AddOptions, result *AddResult) ([]objects.Edit, error) {
	c, err := a.load(base)
	if err != nil {
		return nil, err
	}
	added := map[cid.ID][]*record.Record{} // in this call
	var edits []objects.Edit
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
		edits = append(edits, objects.Edit{Path: record.RecordPath(acc.artifact, cid.OfJSON(encoded)), Blob: h})
		if known != nil && known.withdrawn {
			edits = append(edits, objects.Edit{Path: record.WithdrawnPath(acc.artifact)})
		}
		for path, blob := range acc.blobs {
			edits = append(edits, objects.Edit{Path: path, Blob: blob})
		}
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

// describe builds the record of an accession, without its time and agent.
func describe(in input, f canon.Form, artifact, original cid.ID) *record.Record {
	rec := &record.Record{
		Artifact: artifact.String(), Original: original.String(), Names: []string{in.name}, NamesEncoded: in.encoded,
		MediaType: f.MediaType, Canonicalizer: f.Canonicalizer, Unicode: f.Unicode, Extractor: f.Extractor,
		Charset: f.Charset, Reason: f.Reason, Size: int64(len(f.Payload)), Facts: f.Facts,
	}
	if rec.Textual() {
		doc := canon.NewDocument(f.Payload)
		p, l := doc.Root('p'), doc.Root('l')
		rec.PCount, rec.PRoot = int64(len(doc.Units('p'))), hex.EncodeToString(p[:])
		rec.LCount, rec.LRoot = int64(len(doc.Units('l'))), hex.EncodeToString(l[:])
	}
	src := record.Source{Title: f.Source.Title, Creators: f.Source.Creators, Publisher: f.Source.Publisher,
		URL: f.Source.URL, PublishedAt: f.Source.PublishedAt, Language: f.Source.Language}
	if src.PublishedAt == "" {
		src.PublishedAt = dateInName(in.name)
	}
	if !src.IsZero() {
		rec.Source = &src
	}
	return rec
}

// isoDate finds a date at a word boundary of a file name.
var isoDate = regexp.MustCompile(`(?:^|[^0-9])([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))(?:[^0-9]|$)`)

// dateInName returns the ISO date in the last element of a name, or "".
func dateInName(name string) string {
	m := isoDate.FindStringSubmatch(path.Base(name))
	if m == nil {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, m[1]); err != nil {
		return ""
	}
	return m[1]
}
