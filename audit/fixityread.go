package audit

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"muniment/archive"
	"muniment/archive/payloads"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// fixityBatch is the number of items that are read between two looks at the budget.
// A check whose budget ends stops between two batches.
const fixityBatch = 64

// A fixityTally counts the items that were read, for any number of goroutines.
type fixityTally struct {
	mu       sync.Mutex
	result   *FixityResult
	done     int
	total    int
	progress func(done, total int) // or nil
	remote   bool                  // payloads elsewhere are read
}

// count adds an item that was read, or that failed with err.
func (t *fixityTally) count(it fixityItem, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.result
	state := objects.Failed
	switch {
	case err == nil:
		r.OK++
	case errors.Is(err, objects.ErrNotFound), errors.Is(err, payloads.ErrAbsent):
		state = objects.Absent
		r.Absent++
	case objects.IsUnreadable(err), t.remote && elsewhereState(err) == objects.NotChecked:
		state = objects.NotChecked
		r.Unreadable++
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

// readItems reads items until the budget ends and returns how many it read. Without a
// budget an interrupted check counts as zero, because the items it read are not the
// first ones of the ring.
func readItems(ctx context.Context, a *archive.Archive, items []fixityItem, start time.Time, o FixityOptions, r *FixityResult) int {
	t := &fixityTally{result: r, total: len(items), progress: o.Progress, remote: o.RemotePayloads}
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

// readAll reads items on all processors, items of one file in the order of their
// packs, and reports whether it read all of them without an interruption.
func readAll(ctx context.Context, a *archive.Archive, items []fixityItem, t *fixityTally) bool {
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
		if err == nil && t.remote && (it.kind == layout.KindPointer || it.kind == layout.KindOriginalPointer) {
			err = checkPointed(a, data)
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

// readChunks returns an error where the chunks of an item do not have its id.
func readChunks(a *archive.Archive, it fixityItem) error {
	_, err := io.Copy(io.Discard, archive.NewContent(a.Store(), it.id, "payload or original", it.blobs))
	return err
}
