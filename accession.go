package muniment

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"sync"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/record"
)

// An accession is one input in its canonical form, ready to be written.
type accession struct {
	in       input
	artifact cid.ID
	rec      *record.Record
	blobs    map[string]objects.Hash // of its payload and original, by path
	parts    []accession             // what lay inside: pictures, attachments
	err      error
}

// canonicalize reads every input and brings it into canonical form, putting
// payloads and originals into the batch as it goes.
func (a *Archive) canonicalize(ctx context.Context, b *objects.Batch, inputs []input, now string, o AddOptions) ([]accession, error) {
	out := make([]accession, len(inputs))
	next := make(chan job)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range addWorkers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range next {
				out[j.at] = a.take(b, inputs[j.at], j, now, o.DryRun)
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
		j := job{at: i}
		if inputs[i].fetch != nil { // in order: a packed folder is read in one pass
			j.got, j.err = inputs[i].fetch(ctx)
		}
		select {
		case <-ctx.Done():
			stopped = interrupted()
		case next <- j:
			continue
		}
		break
	}
	close(next)
	wg.Wait()
	if stopped != nil {
		return nil, stopped
	}
	for _, acc := range flatten(out) {
		var told storeError
		if errors.As(acc.err, &told) {
			return nil, environment(told.err, "add "+acc.in.name)
		}
	}
	return out, nil
}

// A job is an input for a worker, with its bytes where they were fetched.
type job struct {
	at  int
	got fetched
	err error
}

// A storeError is a failure of the archive rather than of an input.
type storeError struct{ err error }

func (e storeError) Error() string { return e.err.Error() }

// maxDepth is how deep containers may lie in each other: a mail in a mail in a
// mailbox is three, and deeper ones are hostile or lost.
const maxDepth = 4

// take reads one input, puts its payload and original, and describes it, with
// whatever lies inside. What stays in memory are the records.
func (a *Archive) take(b *objects.Batch, in input, j job, now string, dry bool) accession {
	got, err := j.got, j.err
	if in.fetch == nil {
		got.data, err = readStill(in.path)
	}
	if err != nil {
		return accession{in: in, err: err}
	}
	in.facts, in.source = got.facts, got.source
	return a.canonical(b, in, canon.Input{Name: in.name, MediaType: got.mediaType, Data: got.data}, now, dry, 1)
}

// canonical makes the accession of bytes at hand.
func (a *Archive) canonical(b *objects.Batch, in input, what canon.Input, now string, dry bool, depth int) accession {
	acc := accession{in: in, blobs: map[string]objects.Hash{}}
	form, err := a.readers.Canonicalize(what)
	if err != nil {
		acc.err = err
		return acc
	}
	acc.artifact = cid.Of(form.Payload)
	original := cid.Of(what.Data)
	acc.rec = describe(in, form, acc.artifact, original)
	acc.rec.Time, acc.rec.Agent = now, a.world.Author
	for _, part := range form.Parts {
		if depth == maxDepth || len(part.Data) == 0 || len(part.Data) > maxWhole {
			acc.parts = append(acc.parts, accession{in: input{name: partName(in.name, part.Name)}, err: errPart})
			continue
		}
		name, encoded := record.EncodeName(partName(in.name, part.Name))
		inner := a.canonical(b, input{name: name, encoded: encoded}, canon.Input(part), now, dry, depth+1)
		if inner.rec != nil {
			acc.rec.Parts = append(acc.rec.Parts, record.Part{Artifact: inner.rec.Artifact, Name: part.Name, MediaType: inner.rec.MediaType})
		}
		acc.parts = append(acc.parts, inner)
	}
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
		put(record.OriginalPath(original), what.Data)
	}
	return acc
}

// errPart is the reason of a part that is not taken.
var errPart = fmt.Errorf("a part that is empty, above %d bytes, or inside more than %d containers", maxWhole, maxDepth)

// partName is the name of something inside a container.
func partName(container, part string) string { return container + "/" + part }

// flatten lists accessions with their parts after them.
func flatten(taken []accession) []accession {
	var out []accession
	for _, acc := range taken {
		out = append(out, acc)
		out = append(out, flatten(acc.parts)...)
	}
	return out
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
	for k, v := range in.facts {
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[k] = v
	}
	src := record.Source{Title: f.Source.Title, Creators: f.Source.Creators, Publisher: f.Source.Publisher,
		URL: f.Source.URL, PublishedAt: f.Source.PublishedAt, Language: f.Source.Language}
	if in.source.URL != "" { // what was fetched is known better than what a page says of itself
		src.URL, src.FetchedAt = in.source.URL, in.source.FetchedAt
	}
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
