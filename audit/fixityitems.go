package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// A fixityItem is what fixity counts as one: a file of the tree, or all chunks of a
// payload or an original.
type fixityItem struct {
	path  string
	at    uint64 // position on the ring
	kind  layout.Kind
	id    cid.ID
	blobs []objects.Hash

	damage error // why the list of a folder cannot be read; nil for files
}

// place returns the position on the ring as the log writes it: 16 hexadecimal digits.
func (it fixityItem) place() string { return fmt.Sprintf("%016x", it.at) }

// check returns an error where the bytes of an item in one file do not have the id
// of its path. Files without an id in their path are checked by their git name
// alone, which the store has done.
func (it fixityItem) check(data []byte) error {
	got := it.id
	switch it.kind {
	case layout.KindPayload, layout.KindPayloadChunk, layout.KindOriginal, layout.KindOriginalChunk:
		if len(data) > layout.MaxBlob || it.kind == layout.KindPayloadChunk || it.kind == layout.KindOriginalChunk {
			return fmt.Errorf("it has %d bytes in one file: a file up to %d bytes, chunks above", len(data), layout.MaxBlob)
		}
		got = cid.Of(data)
	case layout.KindRecord, layout.KindLoneRecord, layout.KindCitation, layout.KindReview:
		got = cid.OfJSON(data)
	}
	if got != it.id {
		return fmt.Errorf("its bytes have the id %s, want %s", got, it.id)
	}
	return nil
}

// listItems returns the items of a tree in the order of the ring and, as damaged, the
// folders whose lists are damaged or absent: their contents are unknown.
func listItems(a *archive.Archive, tree objects.Hash, salt string) (items, damaged []fixityItem, err error) {
	tops, damaged, err := listShards(a, tree)
	if err != nil {
		return nil, nil, problem.Wrap(err, "fixity")
	}
	parts, failed := make([][]fixityItem, len(tops)), make([]error, len(tops))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				parts[i], failed[i] = listItemsBelow(a, tree, tops[i], salt)
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
			return nil, nil, problem.Wrap(err, "fixity")
		}
	}
	items = slices.Concat(parts...)
	slices.SortFunc(items, func(x, y fixityItem) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.path, y.path))
	})
	return items, damaged, nil
}

// isDamage reports whether err is of an object that is absent or corrupt.
func isDamage(err error) bool {
	return errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt)
}

// listShards returns the paths of a tree at a depth of two directories and the files
// above them: together they cover the tree, except for damaged folders.
func listShards(a *archive.Archive, tree objects.Hash) (out []string, damaged []fixityItem, err error) {
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

// listItemsBelow returns the items of a tree below one path, in the order of paths.
func listItemsBelow(a *archive.Archive, tree objects.Hash, under, salt string) ([]fixityItem, error) {
	var items []fixityItem
	err := a.Store().Walk(tree, under, func(path string, h objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		it := fixityItem{path: path, kind: kind, blobs: []objects.Hash{h}}
		switch kind {
		case layout.KindPayload, layout.KindOriginal, layout.KindLoneRecord, layout.KindCitation:
			it.id = ids[0]
		case layout.KindRecord, layout.KindReview:
			it.id = ids[1]
		case layout.KindPayloadChunk, layout.KindOriginalChunk:
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

// coveredArcs returns the arcs of the ring that the items in read cover. ring has the
// items that were due, in order, and after is the place before the first of them.
func coveredArcs(after string, ring, read []fixityItem) []archive.FixityArc {
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

// dropRecent returns the items that no check at or after since has read and found
// intact. A check has read an item that lies on the arcs of the check and whose blobs
// the snapshot of the check holds too. Chunks are compared by name, not read.
func dropRecent(a *archive.Archive, tree objects.Hash, items []fixityItem, log []archive.FixityEvent, since time.Time) ([]fixityItem, error) {
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

// changedPaths returns the set of paths in which two trees differ; a payload or
// original in chunks counts with its directory.
func changedPaths(a *archive.Archive, from, to objects.Hash) (map[string]bool, error) {
	changes, err := snapshot.Diff(a.Store(), from, to)
	if err != nil {
		return nil, problem.Wrap(err, "fixity")
	}
	out := make(map[string]bool, len(changes))
	for _, c := range changes {
		out[c.Path] = true
	}
	return out, nil
}
