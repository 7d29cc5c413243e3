package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// fixityBatch is how many items are read between two looks at the budget. A
// check that was cut short ends between two batches.
const fixityBatch = 64

// A fixityTally counts what was read. Its methods may be called from any
// goroutine.
type tally struct {
	mu       sync.Mutex
	result   *FixityResult
	done     int
	total    int
	progress func(done, total int) // or nil
}

// readItems reads items until the budget ends and returns how many it read.
// Without a budget a check that is interrupted has read none: what it read is
// not the beginning of the ring.
func readItems(ctx context.Context, a *archive.Archive, items []fixityItem, start time.Time, o FixityOptions, r *FixityResult) int {
	t := &tally{result: r, total: len(items), progress: o.Progress}
	if o.Budget == 0 {
		if !readAll(ctx, a, items, t) {
			return 0
		}
		return len(items)
	}
	done := 0
	for batch := range slices.Chunk(items, fixityBatch) {
		if ctx.Err() != nil || a.World().Now().Sub(start) >= o.Budget || !readAll(context.WithoutCancel(ctx), a, batch, t) {
			break
		}
		done += len(batch)
	}
	return done
}

// readAll reads items on all processors, those of one file in the order in
// which they lie in their packs, and reports whether it was not interrupted.
func readAll(ctx context.Context, a *archive.Archive, items []fixityItem, t *tally) bool {
	blobs, of := make([]objects.Hash, 0, len(items)), make([]int, 0, len(items))
	for i, it := range items {
		if len(it.blobs) == 1 {
			blobs, of = append(blobs, it.blobs[0]), append(of, i)
		}
	}
	err := a.Store().Blobs(blobs, func(i int, data []byte, err error) bool {
		it := items[of[i]]
		if err == nil {
			err = it.check(data)
		}
		t.count(it, err)
		return ctx.Err() == nil
	})
	if err != nil {
		return false
	}
	var wg sync.WaitGroup
	large := make(chan fixityItem)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for it := range large {
				t.count(it, readChunks(a, it))
			}
		})
	}
	for _, it := range items {
		if len(it.blobs) > 1 && ctx.Err() == nil {
			large <- it
		}
	}
	close(large)
	wg.Wait()
	return ctx.Err() == nil
}

// check hashes the bytes of an item that is one file. What has no id in its
// path is held to its git name alone, which the store has done.
func (it fixityItem) check(data []byte) error {
	got := it.id
	switch it.kind {
	case record.KindPayload, record.KindPayloadChunk, record.KindOriginal, record.KindOriginalChunk:
		if len(data) > record.MaxBlob || it.kind == record.KindPayloadChunk || it.kind == record.KindOriginalChunk {
			return fmt.Errorf("it has %d bytes in one file: a file up to %d bytes, chunks above", len(data), record.MaxBlob)
		}
		got = cid.Of(data)
	case record.KindRecord, record.KindLoneRecord, record.KindCitation:
		got = cid.OfJSON(data)
	}
	if got != it.id {
		return fmt.Errorf("its bytes have the id %s, want %s", got, it.id)
	}
	return nil
}

// readChunks hashes an item in chunks.
func readChunks(a *archive.Archive, it fixityItem) error {
	_, err := io.Copy(io.Discard, archive.NewContent(a.Store(), it.id, "payload or original", it.blobs))
	return err
}

func (t *tally) count(it fixityItem, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.result
	state := objects.Failed
	switch {
	case err == nil:
		r.OK++
	case errors.Is(err, objects.ErrNotFound):
		state = objects.Absent
		r.Absent++
	default:
		r.Failed++
	}
	if err != nil && len(r.Problems) < maxFixityProblems {
		r.Problems = append(r.Problems, archive.CheckProblem{Path: it.path, State: string(state), Reason: err.Error()})
	}
	if t.done++; t.progress != nil && (t.done%fixityBatch == 0 || t.done == t.total) {
		t.progress(t.done, t.total)
	}
}

// notSince leaves out the items that a check at or after a time has read: they
// lie on its arcs, and its snapshot held the same blobs. Of an item in chunks
// no chunk is read for that.
func notSince(a *archive.Archive, tree objects.Hash, items []fixityItem, log []archive.FixityEvent, since time.Time) ([]fixityItem, error) {
	_, tip, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	trees := map[string]objects.Hash{}
	for _, s := range history {
		trees[s.ID.String()] = s.Tree
	}
	read, places := make([]bool, len(items)), make([]string, len(items))
	for i, it := range items {
		places[i] = it.place()
	}
	changed := map[objects.Hash]map[string]bool{tree: nil} // paths, since each tree
	for _, e := range log {
		at, _ := time.Parse(time.RFC3339, e.DateTime) // the reader has checked it
		old, known := trees[e.Snapshot]
		if at.Before(since) || !known || e.Outcome != archive.FixityPass { // what failed is looked at again
			continue
		}
		paths, have := changed[old]
		if !have {
			if paths, err = changedPaths(a, old, tree); isDamage(err) {
				continue // what it has read since then is not known
			} else if err != nil {
				return nil, err
			}
			changed[old] = paths
		}
		for i, it := range items {
			read[i] = read[i] || e.Covers(places[i]) && !paths[it.path]
		}
	}
	var rest []fixityItem
	for i, it := range items {
		if !read[i] {
			rest = append(rest, it)
		}
	}
	return rest, nil
}

// changedPaths returns the paths in which two trees differ; of a payload or
// original in chunks that is its directory.
func changedPaths(a *archive.Archive, from, to objects.Hash) (map[string]bool, error) {
	changes, err := snapshot.Diff(a.Store(), from, to)
	if err != nil {
		return nil, archive.Environment(err, "fixity")
	}
	out := make(map[string]bool, len(changes))
	for _, c := range changes {
		out[c.Path] = true
	}
	return out, nil
}
