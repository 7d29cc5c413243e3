package muniment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"muniment/cid"
	"muniment/objects"
	"muniment/record"
)

// FixityOptions say how much of the newest snapshot is read again. The zero
// value is all of it.
type FixityOptions struct {
	Sample   float64       // percent of the items, 0 for all; the sample begins where the last check ended
	Budget   time.Duration // no further item is begun after this long; 0: no limit
	Since    time.Time     // leave out what was checked at or after this time; zero: nothing
	Progress func(done, total int)
}

// FixityResult counts the items of the newest snapshot: payloads, originals,
// records and the other files, each once. Checked = OK + Failed, and Total =
// Checked + Absent + NotChecked.
type FixityResult struct {
	Snapshot   string         `json:"snapshot"`
	Total      int            `json:"total"`
	Checked    int            `json:"checked"`
	OK         int            `json:"ok"`
	Failed     int            `json:"failed"`
	Absent     int            `json:"absent"`
	NotChecked int            `json:"not_checked"`
	Unfinished int            `json:"unfinished"` // of those not checked: asked for, and the budget ended
	Problems   []CheckProblem `json:"problems"`   // at most 1000
	Event      string         `json:"event"`      // its identifier in the log
}

// maxFixityProblems bounds the list of a FixityResult; the counts go on.
const maxFixityProblems = 1000

// A fixityItem is one file, or the chunks of one payload or original.
type fixityItem struct {
	path  string
	place string // on the ring: 16 hexadecimal digits
	kind  record.Kind
	id    cid.ID
	blobs []objects.Hash
}

// Fixity reads payloads, originals, records and the other files of the newest
// snapshot and hashes them again, and notes in archive.local that it did.
//
// The items lie on a ring, ordered by a hash of their path under a salt that
// was drawn with the first check. A check takes the items that follow the end
// of the last one, so that samples of any size come round to everything.
func (a *Archive) Fixity(ctx context.Context, o FixityOptions) (*FixityResult, error) {
	head, _, err := a.mustHead()
	if err != nil {
		return nil, err
	}
	if o.Sample < 0 || o.Sample > 100 || o.Budget < 0 {
		return nil, problem(TypeUsage, ExitUsage, "a sample is above 0 % and at most 100 %; a budget is a time such as 10m", "a sample of %g %% within %s", o.Sample, o.Budget)
	}
	log, err := a.FixityEvents()
	if err != nil {
		return nil, err
	}
	ev := FixityEvent{Type: fixityType, Snapshot: head.ID.String()}
	if n := len(log); n > 0 {
		ev.Salt, ev.After = log[n-1].Salt, log[n-1].Upto
	} else if ev.Salt, err = a.randomHex(16); err != nil {
		return nil, err
	}
	items, err := a.fixityItems(head.Tree, ev.Salt)
	if err != nil {
		return nil, err
	}
	r := &FixityResult{Snapshot: ev.Snapshot, Total: len(items), Problems: []CheckProblem{}}
	// Round the ring, from the end of the last check.
	first, _ := slices.BinarySearchFunc(items, ev.After, func(it fixityItem, after string) int {
		if it.place <= after {
			return -1
		}
		return 1
	})
	items = slices.Concat(items[first:], items[:first])
	if o.Sample > 0 {
		items = items[:min(len(items), int(float64(len(items))*o.Sample/100+0.999999))]
	}
	ev.Upto = ev.After
	if len(items) > 0 {
		ev.Upto = items[len(items)-1].place
	}
	ring := items
	if !o.Since.IsZero() {
		if items, err = a.notSince(items, log, o.Since); err != nil {
			return nil, err
		}
	}
	start := a.world.Now()
	done := a.readItems(ctx, items, start, o, r)
	if done < len(items) {
		r.Unfinished = len(items) - done
		ev.Upto = ev.After
		if done > 0 {
			ev.Upto = items[done-1].place
		}
	}
	r.Checked = r.OK + r.Failed
	r.NotChecked = r.Total - r.Checked - r.Absent
	slices.SortFunc(r.Problems, func(x, y CheckProblem) int { return cmp.Compare(x.Path, y.Path) })
	for i := range r.Problems {
		r.Problems[i].Seq = head.Seq
	}
	ev.Whole = done > 0 && done == r.Total
	ev.Arcs = arcs(ev.After, ring, items[:done])
	if err := a.noteFixity(&ev, r, start); err != nil {
		return nil, err
	}
	r.Event = ev.Identifier
	return r, ctx.Err()
}

// arcs returns the parts of the ring on which the items that were read lie.
func arcs(after string, ring, read []fixityItem) []FixityArc {
	out := []FixityArc{}
	for _, it := range ring {
		if len(read) > 0 && it.path == read[0].path {
			if n := len(out); n > 0 && out[n-1].Upto == after {
				out[n-1].Upto = it.place
			} else {
				out = append(out, FixityArc{after, it.place})
			}
			read = read[1:]
		}
		after = it.place
	}
	return out
}

// fixityItems lists the items of a tree in the order of the ring.
func (a *Archive) fixityItems(tree objects.Hash, salt string) ([]fixityItem, error) {
	var items []fixityItem
	err := a.store.Walk(tree, "", func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		it := fixityItem{path: path, kind: kind, blobs: []objects.Hash{h}}
		switch kind {
		case record.KindPayload, record.KindOriginal, record.KindLoneRecord, record.KindCitation:
			it.id = ids[0]
		case record.KindRecord:
			it.id = ids[1]
		case record.KindPayloadChunk, record.KindOriginalChunk:
			it.id, it.path = ids[0], path[:len(path)-len("/000/000")]
			if n := len(items); n > 0 && items[n-1].path == it.path {
				items[n-1].blobs = append(items[n-1].blobs, h)
				return nil
			}
		}
		sum := sha256.Sum256([]byte(salt + "\n" + it.path))
		it.place = hex.EncodeToString(sum[:8])
		items = append(items, it)
		return nil
	})
	if err != nil {
		return nil, environment(err, "fixity")
	}
	slices.SortFunc(items, func(x, y fixityItem) int {
		return cmp.Or(cmp.Compare(x.place, y.place), cmp.Compare(x.path, y.path))
	})
	return items, nil
}

// fixityBatch is how many items the workers read between two looks at the
// budget. A check that was cut short ends between two batches.
const fixityBatch = 64

// readItems reads items until the budget ends and returns how many it read.
func (a *Archive) readItems(ctx context.Context, items []fixityItem, start time.Time, o FixityOptions, r *FixityResult) int {
	if o.Budget == 0 { // in path order, which is near to that of the packs
		items = slices.Clone(items)
		slices.SortFunc(items, func(x, y fixityItem) int { return cmp.Compare(x.path, y.path) })
	}
	done := 0
	for batch := range slices.Chunk(items, fixityBatch) {
		if ctx.Err() != nil || o.Budget > 0 && a.world.Now().Sub(start) >= o.Budget {
			if o.Budget == 0 {
				return 0 // not the beginning of the ring: nothing is noted
			}
			return done
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		each := (len(batch) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
		for part := range slices.Chunk(batch, each) {
			wg.Go(func() {
				for _, it := range part {
					err := a.readItem(it)
					mu.Lock()
					r.count(it, err)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		done += len(batch)
		if o.Progress != nil {
			o.Progress(done, len(items))
		}
	}
	return done
}

func (r *FixityResult) count(it fixityItem, err error) {
	state := objects.Failed
	switch {
	case err == nil:
		r.OK++
		return
	case errors.Is(err, objects.ErrNotFound):
		state = objects.Absent
		r.Absent++
	default:
		r.Failed++
	}
	if len(r.Problems) < maxFixityProblems {
		r.Problems = append(r.Problems, CheckProblem{Path: it.path, State: string(state), Reason: err.Error()})
	}
}

// readItem hashes one item. What has no id in its path is held to its git
// name alone.
func (a *Archive) readItem(it fixityItem) error {
	switch it.kind {
	case record.KindPayload, record.KindPayloadChunk, record.KindOriginal, record.KindOriginalChunk:
		_, err := io.Copy(io.Discard, &content{a: a, id: it.id, what: "payload or original", blobs: it.blobs, sum: sha256.New()})
		return err
	}
	kind, data, err := a.store.Get(it.blobs[0])
	switch {
	case err != nil:
		return err
	case kind != objects.Blob:
		return fmt.Errorf("it is a %s, want a blob", kind)
	case !it.id.IsZero() && cid.OfJSON(data) != it.id:
		return fmt.Errorf("its bytes have the id %s, want %s", cid.OfJSON(data), it.id)
	}
	return nil
}
