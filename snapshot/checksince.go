package snapshot

import (
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/merkle"
	"muniment/objects"
	"muniment/snapshot/record"
)

// checkSince checks what came after o.Since. done is false where that alone
// does not say enough, and the whole must be read.
func checkSince(st *objects.Store, tip objects.Hash, o Checking) (r *Report, done bool, err error) {
	c, err := check(st, tip, o)
	if err != nil {
		return nil, false, nil // the whole check says what of it is left
	}
	r = &c.report
	r.Followed = true
	done = r.Sound() && r.NotChecked == 0 && len(c.left) == 0 && len(r.Unauthorized) == 0
	return r, done, nil
}

// begin puts the checker at o.Since and returns the snapshots after it, newest
// first. All of them must follow it one by one.
func (c *checker) begin(st *objects.Store, history []*Snapshot, o Checking) ([]*Snapshot, error) {
	var todo []*Snapshot
	for _, s := range history {
		if s.ID == o.Since.ID {
			break
		}
		if len(s.Parents) != 1 || len(todo) > 0 && todo[len(todo)-1].Prev != s.ID {
			return nil, fmt.Errorf("snapshot %d does not follow snapshot %d one by one", s.Seq, o.Since.Seq)
		}
		todo = append(todo, s)
	}
	if len(todo) == len(history) || len(todo) > 0 && todo[len(todo)-1].Prev != o.Since.ID {
		return nil, fmt.Errorf("snapshot %s is not in the history", o.Since.ID)
	}
	t, err := OpenTree(st, o.Since, o.Summary)
	if err != nil {
		return nil, err
	}
	c.since, c.withdrawals = o.Since, true
	c.tree, c.last = t, o.Since.Tree
	for _, s := range history[len(todo):] {
		c.signer(s)
	}
	c.report.Snapshots = int64(len(history) - len(todo))
	c.total = int64(len(todo))
	return todo, nil
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
	path := record.ArtifactPath(id)
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
	at, err := lookup(c.get, c.since.Tree, record.OriginalPath(cid.FromDigest(cid.Raw, digest)))
	if err == nil && at.IsZero() {
		at, err = lookup(c.get, c.since.Tree, record.PointerPath(record.OriginalPath(cid.FromDigest(cid.Raw, digest))))
	}
	return err == nil && !at.IsZero()
}
