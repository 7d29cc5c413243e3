package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"muniment/cid"
	"muniment/objects"
)

// A HistoryError says at which snapshot a history breaks. It unwraps to the
// cause, such as objects.ErrNotFound where a copy is shallow.
type HistoryError struct {
	Seq   int64        // of the snapshot that is missing or wrong; 0 when it is the newest and unreadable
	Child objects.Hash // the commit that names it as a parent; zero where none does
	Err   error
}

// Error names the snapshot and the cause.
func (e *HistoryError) Error() string {
	if e.Seq == 0 {
		return fmt.Sprintf("newest snapshot: %v", e.Err)
	}
	return fmt.Sprintf("snapshot %d: %v", e.Seq, e.Err)
}

// Unwrap returns the cause.
func (e *HistoryError) Unwrap() error { return e.Err }

// History reads the snapshots from the commit tip back to the first, newest
// first; get returns the content of a commit. Every snapshot must parse, and
// its parent, Prev, Seq and archive must agree with the one before it. Where a
// snapshot joins two histories both are read, in the order of falling Seq.
//
// parsed are snapshots that History returned before, of this history or of another
// one. A commit among them is not read and parsed again; its links are checked like
// those of all.
func History(get func(objects.Hash) ([]byte, error), tip objects.Hash, parsed ...*Snapshot) ([]*Snapshot, error) {
	history, err := readHistory(get, tip, parsed)
	if err != nil {
		return nil, err
	}
	return history, nil
}

// link is the reference of a snapshot to one of its parents.
type link struct {
	commit  objects.Hash
	child   objects.Hash // zero for the tip
	id      cid.ID       // zero for the tip
	seq     int64        // 0 for the tip; the largest it may be for a parent in a join
	exact   bool
	archive cid.ID
}

// readHistory returns the readable snapshots, also together with an error.
func readHistory(get func(objects.Hash) ([]byte, error), tip objects.Hash, parsed []*Snapshot) ([]*Snapshot, error) {
	known := make(map[objects.Hash]*Snapshot, len(parsed))
	for _, s := range parsed {
		known[objects.Sum(objects.Commit, s.Content)] = s
	}
	var out []*Snapshot
	seen := map[objects.Hash]*Snapshot{}
	var broken error
	for waiting := []link{{commit: tip}}; len(waiting) > 0; {
		l := waiting[0]
		waiting = waiting[1:]
		s := seen[l.commit]
		if s == nil {
			var err error
			if s = known[l.commit]; s == nil {
				s, err = readSnapshot(get, l)
			}
			if err != nil {
				broken = errors.Join(broken, &HistoryError{l.seq, l.child, err})
				continue
			}
			seen[l.commit] = s
			out = append(out, s)
			waiting = append(waiting, s.links(l.commit)...)
		}
		if err := l.check(s); err != nil {
			broken = errors.Join(broken, &HistoryError{s.Seq, objects.Hash{}, err})
		}
	}
	broken = errors.Join(broken, checkJoins(out, seen))
	slices.SortStableFunc(out, func(a, b *Snapshot) int { return int(min(1, max(-1, b.Seq-a.Seq))) })
	return out, broken
}

// readSnapshot reads the commit of a link.
func readSnapshot(get func(objects.Hash) ([]byte, error), l link) (*Snapshot, error) {
	content, err := get(l.commit)
	if err != nil {
		return nil, err
	}
	// 1. The commit is the one its child, or the ref, names.
	if saw := objects.Sum(objects.Commit, content); saw != l.commit {
		return nil, fmt.Errorf("commit %s hashes to %s", l.commit, saw)
	}
	// 2. It is a snapshot.
	return Parse(content)
}

// links returns the references of s, whose commit is given, to its parents.
func (s *Snapshot) links(commit objects.Hash) []link {
	ids := []cid.ID{s.Prev, s.Join}
	var out []link
	for i, p := range s.Parents {
		out = append(out, link{p, commit, ids[i], s.Seq - 1, len(s.Parents) == 1, s.Archive})
	}
	return out
}

// check compares a snapshot with what its child says about it.
func (l link) check(s *Snapshot) error {
	switch {
	case l.seq == 0:
		return nil
	// 3. Its ID is the child's Prev, or Join.
	case s.ID != l.id:
		return fmt.Errorf("its id is %s, and snapshot %d says %s", s.ID, l.seq+1, l.id)
	// 4. Its Seq is one less; in a join, the larger of two is.
	case s.Seq > l.seq || l.exact && s.Seq != l.seq:
		return fmt.Errorf("it is a parent of snapshot %d, want %d", l.seq+1, s.Seq+1)
	// 5. It belongs to the same archive.
	case s.Archive != l.archive:
		return fmt.Errorf("its archive is %s, and that of snapshot %d is %s", s.Archive, l.seq+1, l.archive)
	}
	return nil
}

// checkJoins checks the rules of joins that need both parents: the Seq is one more than the larger
// of theirs, and neither parent is an ancestor of the other.
func checkJoins(all []*Snapshot, byCommit map[objects.Hash]*Snapshot) error {
	var broken error
	wrong := func(s *Snapshot, format string, args ...any) {
		broken = errors.Join(broken, &HistoryError{s.Seq, objects.Hash{}, fmt.Errorf(format, args...)})
	}
	joins := false
	var byID map[cid.ID]*Snapshot
	for _, s := range all {
		if len(s.Parents) != 2 {
			continue
		}
		a, b := byCommit[s.Parents[0]], byCommit[s.Parents[1]]
		if a == nil || b == nil {
			continue
		}
		if !joins {
			joins, byID = true, make(map[cid.ID]*Snapshot, len(all))
			for _, one := range all {
				byID[one.ID] = one
			}
		}
		switch {
		case max(a.Seq, b.Seq) != s.Seq-1:
			wrong(s, "it joins snapshots %d and %d", a.Seq, b.Seq)
		case a.Seq != b.Seq && (ancestors(byID, a.ID)[b.ID] || ancestors(byID, b.ID)[a.ID]):
			wrong(s, "it joins a snapshot with one before it")
		}
	}
	return broken
}

// FindEquivocation returns the snapshot of the history of first of which one key signed
// another one with the same Seq in the history of second, where neither history holds
// the other's; the one with the smallest Seq, nil where there is none. history holds
// both.
func FindEquivocation(history []*Snapshot, first, second *Snapshot) *Snapshot {
	byID := make(map[cid.ID]*Snapshot, len(history))
	for _, s := range history {
		byID[s.ID] = s
	}
	inFirst, inSecond := ancestors(byID, first.ID), ancestors(byID, second.ID)
	type signedAt struct {
		seq   int64
		point [32]byte
	}
	alone := map[signedAt]*Snapshot{}
	for id := range inFirst {
		if s := byID[id]; !inSecond[id] {
			alone[signedAt{s.Seq, s.Key.Point()}] = s
		}
	}
	var twice *Snapshot
	for id := range inSecond {
		s := byID[id]
		if mine := alone[signedAt{s.Seq, s.Key.Point()}]; mine != nil && !inFirst[id] && !bytes.Equal(mine.Payload, s.Payload) &&
			(twice == nil || mine.Seq < twice.Seq) {
			twice = mine
		}
	}
	return twice
}
