package snapshot

import (
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// CheckSince verifies what came after since, a snapshot that was checked before with
// its store and under the trust that o names: nothing older is read, and no older signer
// is asked for. line holds the snapshots from the newest back to since, as [Follow]
// returns them. known may be the summary of since, which saves reading its tree.
//
// The report counts the items of the newer snapshots. It is nil where these alone do not
// say enough: where they drop an original, which needs older records, or where anything
// is wrong. CheckWith then says what the whole history is worth.
func CheckSince(st *objects.Store, line []*Snapshot, known *Summary, o Checking) (*Report, error) {
	if len(line) == 0 {
		return nil, nil
	}
	c, err := newChecker(st, o)
	if err != nil {
		return nil, err
	}
	todo, since := line[:len(line)-1], line[len(line)-1]
	if c.tree, err = OpenTree(st, since, known); err != nil {
		return nil, nil // CheckWith says what is left of it
	}
	c.since, c.last, c.withdrawals = since, since.Tree, true
	if err := c.check(st, line, todo, o); err != nil {
		return nil, nil
	}
	if r := &c.report; r.Sound() && r.NotChecked == 0 && len(c.left) == 0 && len(r.Unauthorized) == 0 {
		return r, nil
	}
	return nil, nil
}

// Follow returns the snapshots from the commit tip back to since, both included and the
// newest first, as [History] checks them; nil where these are not one line, of which each
// snapshot names the one before it. Nothing older than since is read.
func Follow(get func(objects.Hash) ([]byte, error), tip objects.Hash, since *Snapshot) []*Snapshot {
	end := objects.Sum(objects.Commit, since.Content)
	var line []*Snapshot
	for l := (link{commit: tip}); ; {
		if l.commit == end {
			if l.check(since) != nil {
				return nil
			}
			return append(line, since)
		}
		s, err := readSnapshot(get, l)
		if err != nil || l.check(s) != nil || len(s.Parents) != 1 || s.Seq <= since.Seq {
			return nil
		}
		line = append(line, s)
		l = s.links(l.commit)[0]
	}
}

// OpenTree returns the Tree of a snapshot whose objects get reads. With known,
// its summary, only the shards that are asked for are read; without, known is
// nil, all are.
func OpenTree(get Getter, s *Snapshot, known *Summary) (*Tree, error) {
	if known == nil || !known.Of(s) {
		var err error
		if known, _, err = Summarize(get, s.Tree, objects.Hash{}, nil); err != nil {
			return nil, err
		}
		if !known.Of(s) {
			return nil, fmt.Errorf("snapshot %d has another root than its files", s.Seq)
		}
	}
	return treeFrom(get, s.Tree, known), nil
}

// treeFrom returns the Tree of a git tree whose summary is known. The lines of
// a shard are read when they are first asked for.
func treeFrom(get Getter, tree objects.Hash, known *Summary) *Tree {
	t := &Tree{entries: known.Entries()}
	for i, sum := range known.shard {
		t.shard[i] = shard{root: sum.root, fresh: true, away: true, count: sum.count}
	}
	t.load = func(i int) ([]Line, error) {
		var lines []Line
		r := shardReader{get: get, lines: &lines}
		r.wanted[i] = true
		if err := r.dir("", tree, 0); err != nil {
			return nil, err
		}
		if sum := known.shard[i]; int64(len(lines)) != sum.count || merkle.Root(r.hashes[i]) != sum.root {
			return nil, fmt.Errorf("shard %s has another root than the snapshot before", shardName(i))
		}
		return lines, nil
	}
	return t
}

// at returns the shard of a path with its lines.
func (t *Tree) at(path string) *shard {
	i := shardOf(path)
	s := &t.shard[i]
	if !s.away {
		return s
	}
	lines, err := t.load(i)
	if err != nil && t.lost == nil {
		t.lost = err
	}
	s.away, s.lines, s.hashes = false, lines, make([]merkle.Hash, len(lines))
	for j, l := range lines {
		s.hashes[j] = l.leaf()
	}
	return s
}

// size returns the number of lines of the shard.
func (s *shard) size() int64 {
	if s.away {
		return s.count
	}
	return int64(len(s.lines))
}

// keptPayload returns the blobs of a payload that an earlier snapshot brought
// and this one still has, none where it has not.
func (v *visit) keptPayload(id cid.ID) []objects.Hash {
	path := layout.ArtifactPath(id)
	at, err := lookup(v.get, v.snapshot.Tree, path)
	if err != nil || at.IsZero() {
		return nil
	}
	if kind, _, err := v.get.Get(at); err == nil && kind == objects.Blob {
		return []objects.Hash{at}
	}
	var chunks []objects.Hash
	w := differ{get: v.get, fn: func(_ string, _, blob objects.Hash) error {
		chunks = append(chunks, blob)
		return nil
	}}
	if w.tree(path+"/", objects.Hash{}, at, strings.Count(path, "/")+1) != nil {
		return nil
	}
	return chunks
}

// keptOriginal reports whether an original lay in the snapshot that was checked
// before.
func (c *checker) keptOriginal(digest [32]byte) bool {
	if c.since == nil {
		return false
	}
	at, err := lookup(c.get, c.since.Tree, layout.OriginalPath(cid.FromDigest(cid.Raw, digest)))
	if err == nil && at.IsZero() {
		at, err = lookup(c.get, c.since.Tree, layout.PointerPath(layout.OriginalPath(cid.FromDigest(cid.Raw, digest))))
	}
	return err == nil && !at.IsZero()
}
