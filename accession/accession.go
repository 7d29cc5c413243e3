package accession

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// An accession is one input in its canonical form, of which what is new lies in
// the batch. It is what an add keeps of each input until all are read, so it
// has no bytes and no record.
type addition struct {
	name     string // as the record has it
	encoded  bool   // see input
	artifact cid.ID
	result   AddedArtifact  // what the result says of it
	existing holding        // to the tree that was staged when it was read
	edits    []objects.Edit // its record, payload and original, where they are in the batch
	parts    []addition     // what lay inside: pictures, attachments
	err      error
}

// canonicalize reads every input and brings it into canonical form, putting
// payloads and originals into the batch as it goes.
func canonicalize(ctx context.Context, a *archive.Archive, b *objects.Batch, base *artifactLookup, inputs []Input, now string, o AddOptions) ([]addition, error) {
	out := make([]addition, len(inputs))
	next := make(chan readJob)
	var large sync.Mutex // one input above maxWhole at a time: see there
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	told := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if o.Progress != nil {
			o.Progress(done, len(inputs))
		}
	}
	for range addWorkers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range next {
				out[j.at] = readOne(ctx, a, b, base, inputs[j.at], j, now, o, &large)
				told()
			}
		}()
	}
	var stopped error
	for i := range inputs {
		j := readJob{at: i}
		if inputs[i].Fetch != nil { // in order: a packed folder is read in one pass
			j.got, j.err = inputs[i].Fetch(ctx)
			if j.got.stream != nil || len(j.got.Data) > maxWhole { // and nothing is fetched behind it meanwhile
				out[i] = readOne(ctx, a, b, base, inputs[i], j, now, o, &large)
				told()
				continue
			}
		}
		select {
		case <-ctx.Done():
			stopped = archive.InterruptedError()
		case next <- j:
			continue
		}
		break
	}
	close(next)
	wg.Wait()
	if stopped == nil && ctx.Err() != nil {
		stopped = archive.InterruptedError()
	}
	if stopped != nil {
		return nil, stopped
	}
	for acc := range flatten(out) {
		var told storeError
		if errors.As(acc.err, &told) {
			return nil, archive.Environment(told.err, "add "+acc.name)
		}
	}
	return out, nil
}

// A readJob is an input for a worker, with its bytes where they were fetched.
type readJob struct {
	at  int
	got Body
	err error
}

// A storeError is a failure of the archive rather than of an input.
type storeError struct{ err error }

func (e storeError) Error() string { return e.err.Error() }

// maxDepth is how deep containers may lie in each other: a mail in a mail in a
// mailbox is three, and deeper ones are hostile or lost.
const maxDepth = 4

// maxListedParts is how many parts a record names: it has a megabyte, and a
// mailbox may hold a hundred thousand mails, which its payload lists.
const maxListedParts = 4000

// readOne reads one input, puts its payload and original, and describes it, with
// whatever lies inside.
func readOne(ctx context.Context, a *archive.Archive, b *objects.Batch, base *artifactLookup, in Input, j readJob, now string, o AddOptions, large *sync.Mutex) addition {
	got, err := j.got, j.err
	held := false
	wait := func(size int64) {
		if size > maxWhole && !held {
			large.Lock()
			held = true
		}
	}
	defer func() {
		if held {
			large.Unlock()
		}
	}()
	switch {
	case in.Fetch == nil:
		got, err = readStable(in.Path, wait)
	case got.stream != nil:
		wait(got.stream.size)
	default:
		wait(int64(len(got.Data)))
	}
	if err == nil && !o.AllowSecrets {
		err = checkSecret(got.Data)
	}
	if err != nil {
		return addition{name: in.Name, encoded: in.Encoded, err: err}
	}
	in.url, in.fetchedAt = got.source.URL, got.source.FetchedAt
	for k, v := range got.Facts {
		if in.Facts == nil {
			in.Facts = map[string]string{}
		}
		in.Facts[k] = v
	}
	if o.MediaType != "" {
		got.MediaType = o.MediaType
	}
	if got.stream != nil {
		return readStream(ctx, a, b, base, in, got, now, o)
	}
	return makeAddition(ctx, a, b, base, in, read.Input{Name: in.Name, MediaType: got.MediaType, Data: got.Data}, now, o, 1)
}

// makeAddition makes the accession of bytes at hand.
func makeAddition(ctx context.Context, a *archive.Archive, b *objects.Batch, base *artifactLookup, in Input, what read.Input, now string, o AddOptions, depth int) addition {
	acc := addition{name: in.Name, encoded: in.Encoded}
	form, err := canonicalizeWithin(a, what)
	if err != nil {
		acc.err = err
		return acc
	}
	acc.artifact = cid.Of(form.Payload)
	original := acc.artifact
	if !bytes.Equal(form.Payload, what.Data) {
		original = cid.Of(what.Data)
	}
	rec := describe(in, form, acc.artifact, original)
	rec.Time, rec.Agent = now, a.World().Author
	if len(form.Payload) > record.MaxBlob {
		c, err := splitChunks(ctx, bytes.NewReader(form.Payload), nil)
		if err != nil {
			acc.err = err
			return acc
		}
		c.describe(rec)
	}
	if acc.err = o.describeSource(rec, in, form.Source); acc.err != nil {
		return acc
	}
	for _, part := range form.Parts {
		if depth == maxDepth || len(part.Data) == 0 || len(part.Data) > maxRead {
			acc.parts = append(acc.parts, addition{name: partName(in.Name, part.Name), err: errPart})
			continue
		}
		name, encoded := record.EncodeName(partName(in.Name, part.Name))
		if err := checkSecret(part.Data); err != nil && !o.AllowSecrets {
			acc.parts = append(acc.parts, addition{name: name, encoded: encoded, err: err})
			continue
		}
		inner := makeAddition(ctx, a, b, base, Input{Name: name, Encoded: encoded}, read.Input(part), now, o.parts(), depth+1)
		if inner.result.ID != "" && len(rec.Parts) < maxListedParts {
			rec.Parts = append(rec.Parts, record.Part{Artifact: inner.result.ID, Name: part.Name, MediaType: inner.result.MediaType})
		}
		acc.parts = append(acc.parts, inner)
	}
	encoded := acc.encodeRecord(rec, base)
	if acc.err != nil || o.DryRun || acc.existing.nothingToWrite(o) {
		return acc
	}
	acc.put(ctx, b, record.RecordPath(acc.artifact, cid.OfJSON(encoded)), encoded)
	acc.put(ctx, b, record.ArtifactPath(acc.artifact), form.Payload)
	if original != acc.artifact {
		acc.put(ctx, b, record.OriginalPath(original), what.Data)
	}
	return acc
}

// encodeRecord writes the record, says what the result is to tell of it, and looks
// the accession up.
func (acc *addition) encodeRecord(rec *record.Record, base *artifactLookup) (encoded []byte) {
	encoded, acc.err = rec.Encode()
	if acc.err != nil {
		return nil
	}
	acc.result = AddedArtifact{ID: rec.Artifact, Original: rec.Original, Path: acc.name, MediaType: rec.MediaType,
		Canonicalizer: rec.Canonicalizer, Paragraphs: int(rec.PCount), Status: "added", Note: recordNote(rec)}
	if acc.encoded {
		acc.result.Note = strings.TrimPrefix(acc.result.Note+"; the name is percent-encoded: it holds bytes that are not printable UTF-8", "; ")
	}
	var err error
	if acc.existing, err = base.holding(acc); err != nil {
		acc.err = storeError{err}
	}
	return encoded
}

// holding is what a tree already has of an accession.
type holding struct {
	withdrawn bool // the artifact was withdrawn
	recorded  bool // the artifact has a record of the same original and name
}

// nothingToWrite reports whether an accession has nothing to write.
func (k holding) nothingToWrite(o AddOptions) bool {
	return k.recorded && !k.withdrawn || k.withdrawn && !o.Reinstate
}

// holding looks an accession up.
func (s *artifactLookup) holding(acc *addition) (holding, error) {
	art, err := s.artifact(acc.artifact)
	if art == nil || err != nil {
		return holding{}, err
	}
	k := holding{withdrawn: art.Withdrawn}
	for _, h := range art.Records {
		k.recorded = k.recorded || h.Record.Original == acc.result.Original && slices.Contains(h.Record.Names, acc.name)
	}
	return k, nil
}

// readDeadline is how long one input may take a reader: the slowest honest
// ones, large PDF files, take a minute.
const readDeadline = 2 * time.Minute

// errDeadline is the reason of an input that a reader did not finish.
var errDeadline = fmt.Errorf("not read within %s", readDeadline)

// canonicalizeWithin canonicalizes within the deadline. A reader cannot be stopped from
// outside; its own limits end it, and its result is then dropped.
func canonicalizeWithin(a *archive.Archive, what read.Input) (read.Form, error) {
	if a.Readers().Plain(what) { // takes no longer than hashing it
		return a.Readers().Canonicalize(what)
	}
	type result struct {
		form read.Form
		err  error
	}
	done := make(chan result, 1)
	go func() {
		form, err := a.Readers().Canonicalize(what)
		done <- result{form, err}
	}()
	timer := time.NewTimer(readDeadline)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.form, r.err
	case <-timer.C:
		return read.Form{}, errDeadline
	}
}

// errPart is the reason of a part that is not taken.
var errPart = fmt.Errorf("a part that is empty, above %d bytes, or inside more than %d containers", maxRead, maxDepth)

// partName is the name of something inside a container. The sign keeps it apart
// from a file in a folder of the container's name.
func partName(container, part string) string { return container + "!/" + part }

// flatten goes through accessions, each with its parts after it.
func flatten(taken []addition) iter.Seq[*addition] {
	return func(yield func(*addition) bool) { visitAdditions(taken, yield) }
}

func visitAdditions(taken []addition, yield func(*addition) bool) bool {
	for i := range taken {
		if !yield(&taken[i]) || !visitAdditions(taken[i].parts, yield) {
			return false
		}
	}
	return true
}

// describe builds the record of an accession, without its time and agent.
func describe(in Input, f read.Form, artifact, original cid.ID) *record.Record {
	rec := &record.Record{
		Artifact: artifact.String(), Original: original.String(), Names: []string{in.Name}, NamesEncoded: in.Encoded,
		MediaType: f.MediaType, Canonicalizer: f.Canonicalizer, Unicode: f.Unicode, Extractor: f.Extractor,
		Charset: f.Charset, Reason: f.Reason, Size: int64(len(f.Payload)), Facts: f.Facts,
	}
	if rec.Textual() {
		m := canon.MeasureText(f.Payload)
		rec.PCount, rec.PRoot = m.Paragraphs, hex.EncodeToString(m.PRoot[:])
		rec.LCount, rec.LRoot = m.Lines, hex.EncodeToString(m.LRoot[:])
	}
	for k, v := range in.Facts {
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[k] = v
	}
	return rec
}

// parts are the options for what lies inside an input: what was said of the
// whole on the command line is not said of its parts.
func (o AddOptions) parts() AddOptions {
	o.Source = sourcemeta.Layer{From: sourcemeta.CommandLine}
	o.MediaType = ""
	return o
}

// documentLayer is what a document says of itself.
func documentLayer(m read.Meta) sourcemeta.Layer {
	return sourcemeta.Layer{From: sourcemeta.Document, Values: sourcemeta.Values{Title: m.Title, Creators: m.Creators, Publisher: m.Publisher,
		URL: m.URL, PublishedAt: m.PublishedAt, Language: m.Language}}
}

// describeSource merges what is known of where an input comes from, with the
// origin of each value among the facts.
func (o *AddOptions) describeSource(rec *record.Record, in Input, m read.Meta) error {
	layers := []sourcemeta.Layer{o.Source, documentLayer(m), sourcemeta.FromName(in.Name)}
	if in.url != "" {
		layers = append(layers, sourcemeta.Layer{From: sourcemeta.Fetch, Values: sourcemeta.Values{URL: in.url, FetchedAt: in.fetchedAt}})
	}
	if o.Sidecar != nil {
		l, ok, err := o.Sidecar.For(in.Name)
		if err != nil {
			return err
		}
		if ok {
			layers = append(layers, l)
		}
	}
	if o.Registry != nil {
		l, ok, err := o.Registry.Layer(layers...)
		if err != nil {
			return err
		}
		if ok {
			layers = append(layers, l)
		}
	}
	src, facts := sourcemeta.Merge(layers...)
	if src.IsZero() {
		return nil
	}
	if src.PaywallPolicy == record.PaywallMetadataOnly {
		return errMetadataOnly
	}
	rec.Source = &src
	for k, v := range facts {
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[k] = v
	}
	return nil
}

// errMetadataOnly is the reason of an input whose source may not be kept.
var errMetadataOnly = &refusal{"its source is metadata_only: the body may not be kept", archive.Next(DoAddSource)}

// A refusal is the reason why an input is not taken, with what its adder can do
// instead.
type refusal struct {
	reason string
	next   archive.Step
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

// skipOf returns the skip of an input that ended in err.
func skipOf(name string, err error) Skip {
	s := Skip{Path: name, Reason: archive.Reason(err)}
	var r *refusal
	if errors.As(err, &r) {
		s.Next = r.next
	}
	return s
}
