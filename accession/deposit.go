package accession

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A Deposit is a part of another archive: artifacts with their records, consent
// and holds as they are there. Each object is the canonical JSON of package record.
type Deposit struct {
	Records  [][]byte
	Consents [][]byte
	Holds    [][]byte

	// Open returns the bytes with an ID, of a payload or an original. The error is
	// fs.ErrNotExist where they were not handed over.
	Open func(cid.ID) (io.ReadCloser, error)
}

// AddDeposit stages a deposit for the next snapshot. Records keep their bytes and
// therefore their IDs. Nothing of them is believed: bytes must have their ID, and a
// text the counts and roots that its record states. A record that fails is skipped
// with the reason, and the error is of kind PartlyDone. Consent that this archive
// has already given stays as it is.
func AddDeposit(ctx context.Context, a *archive.Archive, d Deposit, o AddOptions) (*AddResult, error) {
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "import")
	}
	defer b.Abort()
	before, _, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	in := &depositor{ctx: ctx, archive: a, batch: b, deposit: d, options: o, tree: before, lookup: holdings.NewLookup(a.Store(), before),
		result: &AddResult{Skipped: []Skip{}, Artifacts: []AddedArtifact{}, DryRun: o.DryRun}, stored: map[string]content{}, artifacts: map[cid.ID]bool{}}
	for i, data := range d.Records {
		if ctx.Err() != nil {
			return nil, problem.InterruptedError()
		}
		if err := in.add(i, data); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(d.Records))
		}
	}
	if err := in.addRules(); err != nil {
		return nil, err
	}
	if err := in.stage(); err != nil {
		return nil, err
	}
	return in.result, skipError(in.result)
}

// AddFurther adds inputs as AddInputs does, to a result of AddDeposit. It returns
// the result of both.
func AddFurther(ctx context.Context, a *archive.Archive, first *AddResult, inputs []Input, o AddOptions) (*AddResult, error) {
	if len(inputs) == 0 {
		return first, skipError(first)
	}
	r, err := AddInputs(ctx, a, inputs, nil, o)
	if r == nil {
		return first, err
	}
	r = Together(first, r)
	return r, skipError(r)
}

// Together returns one result of two.
func Together(first, second *AddResult) *AddResult {
	r := *second
	r.Added += first.Added
	r.Unchanged += first.Unchanged
	r.Skipped = slices.Concat(first.Skipped, second.Skipped)
	r.Artifacts = slices.Concat(first.Artifacts, second.Artifacts)
	r.Notes = slices.Concat(first.Notes, second.Notes)
	return &r
}

// A content is a payload or original that was read: the edits that put it at its
// path, or why it is not taken.
type content struct {
	edits []objects.Edit
	err   error
}

// A depositor takes in one deposit.
type depositor struct {
	ctx       context.Context
	archive   *archive.Archive
	batch     *objects.Batch
	deposit   Deposit
	options   AddOptions
	tree      objects.Hash // that was staged when the deposit was read
	lookup    *holdings.Lookup
	edits     []objects.Edit
	large     []string           // payloads and originals among them
	stored    map[string]content // payloads and originals that were read, by path
	artifacts map[cid.ID]bool    // of the records that were taken or known
	result    *AddResult
}

// add takes one record with the bytes that it describes. An error is one of the
// archive; what is wrong with the record is a skip.
func (in *depositor) add(i int, data []byte) error {
	skip := func(name string, err error) {
		in.result.Skipped = append(in.result.Skipped, skipOf(legible.Printable(name), err))
	}
	rec, err := record.ParseRecord(data)
	if err != nil {
		skip(fmt.Sprintf("record %d", i+1), err)
		return nil
	}
	stored := holdings.StoredRecord{ID: cid.OfJSON(data), Record: rec}
	name := stored.Label()
	if rec.Artifact == "" {
		return in.addRecord(layout.LoneRecordPath(stored.ID), stored, data)
	}
	id, err := cid.ParseAs(cid.Raw, rec.Artifact)
	if err != nil {
		skip(name, err)
		return nil
	}
	art, err := in.lookup.Artifact(id)
	if err != nil {
		return err
	}
	withdrawn := art != nil && art.Withdrawn
	if withdrawn && !in.options.Reinstate {
		in.result.Skipped = append(in.result.Skipped, Skip{Path: name, Reason: "withdrawn from this archive", Next: problem.Next(problem.DoGive, "reinstate", "").With("to take it in again")})
		return nil
	}
	var edits []objects.Edit
	for _, path := range []string{layout.ArtifactPath(id), ""} {
		c := in.putContent(path, rec)
		edits = append(edits, c.edits...)
		var fault storeError
		switch {
		case in.ctx.Err() != nil:
			return problem.InterruptedError()
		case errors.As(c.err, &fault):
			return problem.Wrap(fault.err, "import "+name)
		case c.err != nil:
			skip(name, c.err)
			return nil
		}
	}
	in.large = append(in.large, layout.ArtifactPath(id))
	if original, err := cid.ParseAs(cid.Raw, rec.Original); err == nil && original != id {
		in.large = append(in.large, layout.OriginalPath(original))
	}
	in.edits = append(in.edits, edits...) // only now: no payload without a record
	if withdrawn {
		in.edits = append(in.edits, objects.Edit{Path: layout.WithdrawnPath(id)})
	}
	in.artifacts[id] = true
	return in.addRecord(layout.RecordPath(id, stored.ID), stored, data)
}

// addRecord puts a record at its path, and a line for it into the result.
func (in *depositor) addRecord(path string, h holdings.StoredRecord, data []byte) error {
	line := AddedArtifact{ID: h.Record.Artifact, Original: h.Record.Original, Path: h.Label(), MediaType: h.Record.MediaType,
		Canonicalizer: h.Record.Canonicalizer, Paragraphs: int(h.Record.PCount), Status: "unchanged"}
	_, there, err := in.archive.Store().Lookup(in.tree, path)
	if err != nil {
		return problem.Wrap(err, path)
	}
	if there {
		in.result.Unchanged++
	} else {
		line.Status = "added"
		in.result.Added++
		if err := in.putFile(path, data); err != nil {
			return err
		}
	}
	in.result.Artifacts = append(in.result.Artifacts, line)
	return nil
}

// putFile puts a file of the tree.
func (in *depositor) putFile(path string, data []byte) error {
	if in.options.DryRun {
		return nil
	}
	h, err := in.batch.Put(objects.Blob, data)
	if err != nil {
		return problem.Wrap(err, "import")
	}
	in.edits = append(in.edits, objects.Edit{Path: path, Blob: h})
	return nil
}

// putContent puts the payload of a record, whose path is given, or for an empty
// path its original where that is another one. Each is read once.
func (in *depositor) putContent(path string, rec *record.Record) content {
	isPayload, ref := path != "", rec.Artifact
	if !isPayload {
		if ref = rec.Original; ref == rec.Artifact {
			return content{}
		}
	}
	id, err := cid.ParseAs(cid.Raw, ref)
	if err != nil {
		return content{err: err}
	}
	key := path
	if isPayload { // two records may state different things of one payload
		key += " " + rec.PRoot + " " + rec.LRoot + " " + rec.ChunkRoot
	} else {
		path = layout.OriginalPath(id)
		key = path
	}
	c, done := in.stored[key]
	if !done {
		c.edits, c.err = in.readContent(path, id, rec, isPayload)
		in.stored[key] = c
	}
	return c
}

// readContent reads the bytes of a payload or original, checks them and puts them
// into the batch. It returns the edits that put them at path.
func (in *depositor) readContent(path string, id cid.ID, rec *record.Record, isPayload bool) ([]objects.Edit, error) {
	what := "original"
	if isPayload {
		what = "payload"
	}
	r, err := in.deposit.Open(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its %s %s was not handed over", what, id)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var text canon.TextCheck
	var meter canon.Meter
	var src io.Reader = r
	if isPayload && rec.Textual() {
		src = io.TeeReader(src, io.MultiWriter(&text, &meter))
	}
	keep := in.batch.PutChunk
	if in.options.DryRun {
		keep = nil
	}
	head, err := io.ReadAll(io.LimitReader(src, layout.MaxBlob+1))
	if err != nil {
		return nil, err
	}
	var c *chunkedFile
	if len(head) > layout.MaxBlob {
		if c, err = splitChunks(in.ctx, io.MultiReader(bytes.NewReader(head), src), keep); err != nil {
			return nil, err
		}
	} else {
		c = &chunkedFile{id: cid.Of(head), size: int64(len(head))}
	}
	if c.id != id {
		return nil, fmt.Errorf("its %s has the ID %s, its record says %s", what, c.id, id)
	}
	if isPayload {
		if err := checkStated(rec, c, &text, &meter); err != nil {
			return nil, err
		}
	}
	switch {
	case in.options.DryRun:
		return nil, nil
	case len(head) > layout.MaxBlob:
		return c.edits(path), nil
	}
	h, err := in.batch.Put(objects.Blob, head)
	if err != nil {
		return nil, storeError{err}
	}
	return []objects.Edit{{Path: path, Blob: h}}, nil
}

// checkStated compares what a record states of its payload with the payload.
func checkStated(rec *record.Record, c *chunkedFile, text *canon.TextCheck, meter *canon.Meter) error {
	var want record.Record
	want.Size = c.size
	if c.size > layout.MaxBlob {
		c.describe(&want)
	}
	if rec.Textual() {
		if err := text.Err(); err != nil {
			return fmt.Errorf("its text is in no canonical form: %w", err)
		}
		m := meter.Measure()
		want.PCount, want.PRoot = m.Paragraphs, hex.EncodeToString(m.PRoot[:])
		want.LCount, want.LRoot = m.Lines, hex.EncodeToString(m.LRoot[:])
	}
	if rec.Size != want.Size || rec.ChunkCount != want.ChunkCount || rec.ChunkRoot != want.ChunkRoot ||
		rec.PCount != want.PCount || rec.PRoot != want.PRoot || rec.LCount != want.LCount || rec.LRoot != want.LRoot {
		return errors.New("its record states another size, count or root than its payload has")
	}
	return nil
}

// addRules puts the consent and the holds of the artifacts that were taken.
func (in *depositor) addRules() error {
	for _, data := range in.deposit.Consents {
		c, err := access.ParseConsent(data)
		if err != nil {
			in.result.Skipped = append(in.result.Skipped, Skip{Path: "a consent", Reason: legible.Reason(err)})
			continue
		}
		if err := in.addRule(c.Artifact, layout.ConsentPath, data, "the consent of this archive stays; another one was handed over"); err != nil {
			return err
		}
	}
	for _, data := range in.deposit.Holds {
		h, err := record.ParseHold(data)
		if err != nil {
			in.result.Skipped = append(in.result.Skipped, Skip{Path: "a hold", Reason: legible.Reason(err)})
			continue
		}
		if err := in.addRule(h.Artifact, layout.HoldPath, data, "the hold of this archive stays; another one was handed over"); err != nil {
			return err
		}
	}
	return nil
}

// addRule puts one consent or hold, unless the artifact has one already; note says
// so where the two differ.
func (in *depositor) addRule(artifact string, path func(cid.ID) string, data []byte, note string) error {
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil || !in.artifacts[id] {
		return nil // its artifact was not taken, which is said already
	}
	h, there, err := in.archive.Store().Lookup(in.tree, path(id))
	if err != nil {
		return problem.Wrap(err, "import")
	}
	if !there {
		return in.putFile(path(id), data)
	}
	_, have, err := in.archive.Store().Get(h)
	if err != nil {
		return problem.Wrap(err, "import")
	}
	if !bytes.Equal(have, data) {
		in.result.Notes = append(in.result.Notes, artifact+": "+note)
	}
	return nil
}

// stage moves the staged ref to a tree with the deposit.
func (in *depositor) stage() error {
	if in.options.DryRun || len(in.edits) == 0 {
		return nil
	}
	return archive.Stage(in.archive, in.batch, func(base objects.Hash) ([]objects.Edit, error) {
		if base != in.tree {
			return nil, problem.New(problem.Busy, problem.Advise("run the same command again"), "another process staged something while the deposit was read")
		}
		return settlePointers(in.archive.Store(), base, in.edits, in.large)
	})
}
