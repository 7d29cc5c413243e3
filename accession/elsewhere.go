package accession

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/objects/chunk"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// maxElsewhere is the largest input in bytes that goes to a payload store: cut into the
// smallest chunks it still fits into one pointer.
const maxElsewhere = record.MaxPointerChunks * chunk.Min

// goesElsewhere reports whether bytes of that size go to the payload store.
func (in *intake) goesElsewhere(size int64) bool {
	return in.payloadStore != nil && !in.options.DryRun && size > in.payloadStore.Config().Above && size <= maxElsewhere
}

// put puts the payload or original id into the batch, or into the payload store with a
// pointer in its place. Its objects are in the store before the pointer is in the batch.
func (in *intake) put(ctx context.Context, add *addition, path string, id cid.ID, data []byte, rec *record.Record) {
	isText := rec.Textual() && id.String() == rec.Artifact
	if add.err != nil {
		return
	}
	if !in.goesElsewhere(int64(len(data))) || isText {
		add.put(ctx, in.batch, path, data)
		if len(data) > payloads.MinAbove {
			add.large = append(add.large, path)
		}
		return
	}
	p := record.Pointer{Payload: id.String(), Size: int64(len(data)), MediaType: rec.MediaType}
	if len(data) > layout.MaxBlob {
		_, add.err = splitChunks(ctx, bytes.NewReader(data), in.sendChunk(ctx, &p))
	} else if _, err := in.payloadStore.Put(ctx, data); err != nil {
		add.err = storeError{archive.PayloadStoreError(err)}
	}
	in.putPointer(ctx, add, path, p)
}

// sendChunk returns a function that puts a chunk into the payload store and adds it to
// the pointer.
func (in *intake) sendChunk(ctx context.Context, p *record.Pointer) func([]byte) (objects.Hash, error) {
	return func(data []byte) (objects.Hash, error) {
		_, err := in.payloadStore.Put(ctx, data)
		p.Chunks = append(p.Chunks, cid.Of(data).Hex())
		return objects.Hash{}, archive.PayloadStoreError(err)
	}
}

// putPointer puts a pointer into the batch instead of the payload or original at path.
func (in *intake) putPointer(ctx context.Context, add *addition, path string, p record.Pointer) {
	if add.err != nil {
		return
	}
	p.KeyRule = record.KeyRule
	encoded, err := p.Encode()
	if add.err = err; err == nil {
		add.put(ctx, in.batch, layout.PointerPath(path), encoded)
		add.result.Elsewhere += p.Size
	}
}

// settlePointers returns the edits that may be made in the tree base. An edit is left
// out where it would put a pointer beside the bytes that it stands for, or change a
// pointer: the older entry stays. The slice large holds the paths of payloads and
// originals, among the edits, that the tree may already have a pointer for.
func settlePointers(store *objects.Store, base objects.Hash, edits []objects.Edit, large []string) ([]objects.Edit, error) {
	drop, seen := map[string]bool{}, map[string]bool{}
	has := func(path string) (bool, error) {
		if base.IsZero() {
			return false, nil
		}
		_, ok, err := store.Lookup(base, path)
		return ok, problem.Wrap(err, path)
	}
	for _, path := range large {
		there, err := has(layout.PointerPath(path))
		if err != nil {
			return nil, err
		}
		if there {
			drop[path] = true
		}
	}
	for i, e := range edits {
		kind, _ := layout.ClassifyPath(e.Path)
		if kind != layout.KindPointer && kind != layout.KindOriginalPointer || e.Blob.IsZero() {
			continue
		}
		bytesThere, err := has(strings.TrimSuffix(e.Path, layout.PointerPath("")))
		if err != nil {
			return nil, err
		}
		pointerThere, err := has(e.Path)
		if err != nil {
			return nil, err
		}
		if bytesThere || pointerThere || seen[e.Path] {
			edits[i] = objects.Edit{}
		}
		seen[e.Path] = true
	}
	for i, e := range edits {
		dir := strings.TrimSuffix(e.Path, e.Path[max(0, len(e.Path)-len("/000/000")):])
		if drop[e.Path] || drop[dir] {
			edits[i] = objects.Edit{}
		}
	}
	return slices.DeleteFunc(edits, func(e objects.Edit) bool { return e == objects.Edit{} }), nil
}
