package accession

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"sync"
	"time"

	"muniment/canon/read"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/objects/chunk"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// Inputs by size: up to maxWhole several are read at a time; above it one after
// the other, in memory up to maxRead and as a stream of chunks beyond.
const (
	// maxWhole is what the store keeps as one file.
	maxWhole = layout.MaxBlob

	// maxRead is the largest input of which a reader makes text: it is held in
	// memory several times over while that happens.
	maxRead = 32 << 20

	// incomingAge is how long the finished chunks of an interrupted add wait
	// for the next one.
	incomingAge = 7 * 24 * time.Hour
)

// A stream is an input that is never in memory as a whole.
type stream struct {
	io.ReadCloser
	size int64
	at   io.ReaderAt // nil where the bytes come only once

	// checkUnchanged returns an error unless the n bytes that were read are what
	// was there before and after.
	checkUnchanged func(n int64) error
}

// A chunkedFile describes a payload or original that was split into chunks.
type chunkedFile struct {
	id    cid.ID
	size  int64
	root  merkle.Hash
	blobs []objects.Hash // none where nothing was put
	ends  []int64        // where each chunk ends, in bytes
	head  []byte         // the first bytes
}

// headLen is how many bytes of a stream its kind is recognised by.
const headLen = 4096

// splitChunks reads r to its end and calls put, which may be nil, on each chunk.
// The result describes the whole; after an error, what was put.
func splitChunks(ctx context.Context, r io.Reader, put func([]byte) (objects.Hash, error)) (*chunkedFile, error) {
	var c chunkedFile
	var leaves []merkle.Hash
	whole := sha256.New()
	s := chunk.NewSplitter(r)
	for {
		data, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			c.id, c.root = cid.FromDigest(cid.Raw, [32]byte(whole.Sum(nil))), merkle.Root(leaves)
			return &c, nil
		case err == nil:
			err = ctx.Err()
		}
		if err != nil {
			return &c, err
		}
		var both sync.WaitGroup
		both.Go(func() { whole.Write(data) })
		digest := sha256.Sum256(data)
		leaves = append(leaves, merkle.LeafHash(digest[:]))
		if put != nil {
			var h objects.Hash
			if h, err = put(data); err == nil {
				c.blobs = append(c.blobs, h)
			}
		}
		both.Wait()
		if err != nil {
			return &c, storeError{err}
		}
		if c.size == 0 {
			c.head = bytes.Clone(data[:min(len(data), headLen)])
		}
		c.size += int64(len(data))
		c.ends = append(c.ends, c.size)
	}
}

// describe sets the size and the chunk facts of the payload's record.
func (c *chunkedFile) describe(rec *record.Record) {
	rec.Size, rec.ChunkCount, rec.ChunkRoot = c.size, int64(len(c.ends)), hex.EncodeToString(c.root[:])
}

// edits returns the edits that put the chunks at the path of a payload or
// original.
func (c *chunkedFile) edits(path string) []objects.Edit {
	out := make([]objects.Edit, len(c.blobs))
	for i, h := range c.blobs {
		out[i] = objects.Edit{Path: layout.ChunkPath(path, i), Blob: h}
	}
	return out
}

// put puts a file of the addition, which is in memory, into the batch, in chunks where it
// is large.
func (add *addition) put(ctx context.Context, b *objects.Batch, path string, data []byte) {
	if add.err != nil {
		return
	}
	if len(data) > layout.MaxBlob {
		c, err := splitChunks(ctx, bytes.NewReader(data), b.PutChunk)
		if add.err = err; err == nil {
			add.edits = append(add.edits, c.edits(path)...)
		}
		return
	}
	h, err := b.Put(objects.Blob, data)
	if err != nil {
		add.err = storeError{err}
	}
	add.edits = append(add.edits, objects.Edit{Path: path, Blob: h})
}

// addStream returns the addition of an input too large to be read: its bytes are
// kept in chunks, with what their kind says about them.
func (in *intake) addStream(ctx context.Context, input Input, got Body, o AddOptions, depth int) (add addition) {
	add = addition{name: input.Name, encoded: input.Encoded}
	keep := in.batch.PutChunk
	elsewhere, pointer := in.goesElsewhere(max(got.stream.size, maxRead+1)), record.Pointer{}
	switch {
	case o.DryRun:
		keep = nil
	case elsewhere:
		keep = in.sendChunk(ctx, &pointer)
	}
	defer got.stream.Close()
	src := bufio.NewReaderSize(got.stream, headLen)
	head, _ := src.Peek(headLen)                                 // an error comes again where the bytes are read
	if err := checkSecret(head); err != nil && !o.AllowSecrets { // before anything leaves this machine
		add.err = err
		return add
	}
	if !input.scrubbed && (mayHold(input.Name, head) || beginsMail(head)) {
		at := got.stream.at
		if at == nil {
			name, copied, err := spool(ctx, src)
			if add.err = err; err != nil {
				return add
			}
			defer copied.Close()
			f, err := os.Open(name)
			if add.err = err; err != nil {
				return add
			}
			defer f.Close()
			at = f
			src.Reset(f)
		}
		if newExposureSearch(ctx).holds(input.Name, at, got.stream.size, 1) {
			return in.addExposed(ctx, input, io.NewSectionReader(at, 0, got.stream.size), o, depth)
		}
	}
	c, err := splitChunks(ctx, src, keep)
	defer func() { // only then is it known what they belong to
		if !elsewhere && ctx.Err() == nil && (add.err != nil || !add.corrects.IsZero() || add.existing.needsNothing(o)) {
			in.batch.DropChunks(c.blobs)
		}
	}()
	if err == nil {
		err = got.stream.checkUnchanged(c.size)
	}
	if err != nil {
		add.err = err
		return add
	}
	view := got.stream.at
	if view == nil && !o.DryRun && !elsewhere {
		view = &chunkView{c: c, get: in.batch.Get}
	}
	form := readers.Describe(in.withMediaType(got.MediaType, read.Input{Name: input.Name, Data: c.head}), view, c.size,
		fmt.Sprintf("%d bytes: no text is read from more than %d", c.size, maxRead))
	add.artifact = c.id
	rec := in.newRecord(input, form, c.id, c.id)
	c.describe(rec)
	if add.stated, add.err = o.describeSource(rec, input, form.Source); add.err != nil {
		return add
	}
	encoded := add.encodeRecord(rec, in.lookup)
	if add.err != nil || o.DryRun || add.needsNothing(o) {
		return add
	}
	add.put(ctx, in.batch, layout.RecordPath(add.artifact, cid.OfJSON(encoded)), encoded)
	if !add.corrects.IsZero() {
		return add // the archive has the rest
	}
	path := layout.ArtifactPath(c.id)
	if elsewhere {
		pointer.Payload, pointer.Size, pointer.MediaType = c.id.String(), c.size, rec.MediaType
		in.putPointer(ctx, &add, path, pointer)
		return add
	}
	add.edits, add.large = append(add.edits, c.edits(path)...), append(add.large, path)
	return add
}

// A chunkView reads chunks that were put, anywhere. It holds one of them.
type chunkView struct {
	c    *chunkedFile
	get  func(objects.Hash) (objects.Kind, []byte, error)
	at   int // of data
	data []byte
}

// ReadAt implements io.ReaderAt for one goroutine.
func (v *chunkView) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		i := sort.Search(len(v.c.ends), func(i int) bool { return v.c.ends[i] > off })
		if i == len(v.c.ends) {
			return n, io.EOF
		}
		if v.data == nil || v.at != i {
			if _, v.data, err = v.get(v.c.blobs[i]); err != nil {
				return n, err
			}
			v.at = i
		}
		done := copy(p[n:], v.data[off-(v.c.ends[i]-int64(len(v.data))):])
		n, off = n+done, off+int64(done)
	}
	return n, nil
}
