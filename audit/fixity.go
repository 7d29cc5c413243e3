package audit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
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
	Snapshot   string                 `json:"snapshot"`
	Total      int                    `json:"total"`
	Checked    int                    `json:"checked"`
	OK         int                    `json:"ok"`
	Failed     int                    `json:"failed"`
	Absent     int                    `json:"absent"`
	NotChecked int                    `json:"not_checked"`
	Unfinished int                    `json:"unfinished"` // of those not checked: asked for, and the budget ended
	Problems   []archive.CheckProblem `json:"problems"`   // at most 1000
	Event      string                 `json:"event"`      // its identifier in the log
}

// maxFixityProblems bounds the list of a FixityResult; the counts go on.
const maxFixityProblems = 1000

// A fixityItem is one file, or the chunks of one payload or original.
type fixityItem struct {
	path  string
	at    uint64 // its place on the ring
	kind  record.Kind
	id    cid.ID
	blobs []objects.Hash

	damage error // of a folder whose list cannot be read: why
}

// place writes a place as the log does: 16 hexadecimal digits.
func (it fixityItem) place() string { return fmt.Sprintf("%016x", it.at) }

// Fixity reads payloads, originals, records and the other files of the newest
// snapshot and hashes them again, and notes in archive.local that it did.
//
// The items lie on a ring, ordered by a hash of their path under a salt that
// was drawn with the first check. A check takes the items that follow the end
// of the last one, so that samples of any size come round to everything.
func Fixity(ctx context.Context, a *archive.Archive, o FixityOptions) (*FixityResult, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if o.Sample < 0 || o.Sample > 100 || o.Budget < 0 {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("a sample is above 0 % and at most 100 %; a budget is a time such as 10m"), "a sample of %g %% within %s", o.Sample, o.Budget)
	}
	log, err := a.FixityEvents()
	if err != nil {
		return nil, err
	}
	ev := archive.FixityEvent{Type: archive.FixityType, Snapshot: head.ID.String()}
	if n := len(log); n > 0 {
		ev.Salt, ev.After = log[n-1].Salt, log[n-1].Upto
	} else if ev.Salt, err = randomHex(a, 16); err != nil {
		return nil, err
	}
	items, damaged, err := fixityItems(a, head.Tree, ev.Salt)
	if err != nil {
		return nil, err
	}
	r := &FixityResult{Snapshot: ev.Snapshot, Total: len(items) + len(damaged), Problems: []archive.CheckProblem{}}
	folders := tally{result: r}
	for _, it := range damaged {
		folders.count(it, it.damage)
	}
	// Round the ring, from the end of the last check.
	first, _ := slices.BinarySearchFunc(items, ev.After, func(it fixityItem, after string) int {
		if it.place() <= after {
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
		ev.Upto = items[len(items)-1].place()
	}
	ring := items
	if !o.Since.IsZero() {
		if items, err = notSince(a, head.Tree, items, log, o.Since); err != nil {
			return nil, err
		}
	}
	start := a.World().Now()
	done := readItems(ctx, a, items, start, o, r)
	if done < len(items) {
		r.Unfinished = len(items) - done
		ev.Upto = ev.After
		if done > 0 {
			ev.Upto = items[done-1].place()
		}
	}
	r.Checked = r.OK + r.Failed
	r.NotChecked = r.Total - r.Checked - r.Absent
	slices.SortFunc(r.Problems, func(x, y archive.CheckProblem) int { return cmp.Compare(x.Path, y.Path) })
	for i := range r.Problems {
		r.Problems[i].Seq = head.Seq
	}
	ev.Whole = done > 0 && done == r.Total
	ev.Arcs = arcs(ev.After, ring, items[:done])
	if err := noteFixity(a, &ev, r, start); err != nil {
		return nil, err
	}
	r.Event = ev.Identifier
	return r, ctx.Err()
}

// arcs returns the parts of the ring on which the items that were read lie.
func arcs(after string, ring, read []fixityItem) []archive.FixityArc {
	out, open := []archive.FixityArc{}, false
	for i, it := range ring {
		switch hit := len(read) > 0 && it.path == read[0].path; {
		case hit && !open:
			out, open, read = append(out, archive.FixityArc{After: after}), true, read[1:]
			if i > 0 {
				out[len(out)-1].After = ring[i-1].place()
			}
		case hit:
			read = read[1:]
		case open:
			out[len(out)-1].Upto, open = ring[i-1].place(), false
		}
	}
	if open {
		out[len(out)-1].Upto = ring[len(ring)-1].place()
	}
	return out
}

// fixityItems lists the items of a tree in the order of the ring, and apart
// from it the folders whose lists are damaged or absent: what lies in those is
// not known.
func fixityItems(a *archive.Archive, tree objects.Hash, salt string) (items, damaged []fixityItem, err error) {
	tops, damaged, err := shards(a, tree)
	if err != nil {
		return nil, nil, archive.Environment(err, "fixity")
	}
	parts, failed := make([][]fixityItem, len(tops)), make([]error, len(tops))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				parts[i], failed[i] = fixityItemsBelow(a, tree, tops[i], salt)
			}
		})
	}
	for i := range tops {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, err := range failed {
		if isDamage(err) {
			damaged = append(damaged, fixityItem{path: tops[i] + "/", damage: err})
		} else if err != nil {
			return nil, nil, archive.Environment(err, "fixity")
		}
	}
	items = slices.Concat(parts...)
	slices.SortFunc(items, func(x, y fixityItem) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.path, y.path))
	})
	return items, damaged, nil
}

func isDamage(err error) bool {
	return errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt)
}

// shards returns the paths two directories deep of a tree, and the files above
// them: together they hold everything but what lies in damaged folders.
func shards(a *archive.Archive, tree objects.Hash) (out []string, damaged []fixityItem, err error) {
	top, err := a.Store().Tree(tree)
	if isDamage(err) {
		return nil, []fixityItem{{path: "/", damage: err}}, nil
	} else if err != nil {
		return nil, nil, err
	}
	for _, e := range top {
		if e.Mode != objects.ModeTree {
			out = append(out, e.Name)
			continue
		}
		below, err := a.Store().Tree(e.Hash)
		if isDamage(err) {
			damaged = append(damaged, fixityItem{path: e.Name + "/", damage: err})
			continue
		} else if err != nil {
			return nil, nil, err
		}
		for _, f := range below {
			out = append(out, e.Name+"/"+f.Name)
		}
	}
	return out, damaged, nil
}

func fixityItemsBelow(a *archive.Archive, tree objects.Hash, under, salt string) ([]fixityItem, error) {
	var items []fixityItem
	err := a.Store().Walk(tree, under, func(path string, h objects.Hash) error {
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
		it.at = binary.BigEndian.Uint64(sum[:8])
		items = append(items, it)
		return nil
	})
	return items, err
}
