package custody

import (
	"strconv"
	"sync"

	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
)

// A comparison is the result of comparing the remote's history with ours, where they do not disagree.
type comparison struct {
	relation snapshot.Relation
	theirs   *snapshot.Snapshot        // the newest
	came     int                       // snapshots that ours lacks, where theirs is ahead
	verified *archive.VerifiedSnapshot // note that theirs was verified, or nil
}

// compareNew compares the remote's history with ours and verifies what is new, reading none of the snapshots that this
// copy verified before. It is nil where that is not enough, or where anything is wrong: compareAll then reads both
// histories, and says what it is.
//
// Three files of archive.local say what need not be read again, and each is held to something signed. The note of the
// last verification names a snapshot that must lie on the line of parents between the remote's newest and the first, at
// or before our own newest, so that it can only pass over snapshots that are part of this archive. Its summary must
// give the root that this snapshot signed. The history index only names commits, and each is parsed, with its
// signature, before its content decides anything.
func (f *fetchSession) compareNew(refs map[string]objects.Hash) (*comparison, error) {
	if f.ourHead == nil || f.cutBack != nil {
		return nil, nil
	}
	if f.theirTip == f.ourTip {
		if !f.hasSeen(nil) {
			return nil, nil
		}
		f.describe(f.ourHead, snapshot.Same)
		return &comparison{relation: snapshot.Same, theirs: f.ourHead}, nil
	}
	if there, err := f.ours.HasCommit(f.theirTip); err != nil {
		return nil, err
	} else if there {
		return f.compareBehind(), nil
	}
	v, err := f.historyOptions(refs) // its note is held to our history below
	if err != nil || v.verified == nil {
		return nil, err
	}
	since := f.findOurs(v.verified.ID)
	if since == nil {
		return nil, nil
	}
	line := snapshot.Follow(archive.CommitReader(f.source()), f.theirTip, since)
	came := indexOf(line, f.ourHead)
	if came < 0 || !f.hasSeen(line) {
		return nil, nil
	}
	var mu sync.Mutex
	known := map[cid.ID]*snapshot.Snapshot{}
	earlier := func(id cid.ID) *snapshot.Snapshot {
		mu.Lock()
		defer mu.Unlock()
		s, asked := known[id]
		if !asked {
			s = f.findOurs(id.String())
			known[id] = s
		}
		return s
	}
	note, done, err := verifyNew(f.source(), line, v, f.findFirst, earlier)
	if !done {
		return nil, nil
	}
	f.describe(line[0], snapshot.Ahead)
	if err != nil {
		return nil, refusedError(f.info, err)
	}
	return &comparison{snapshot.Ahead, line[0], came, note}, nil
}

// compareBehind is compareNew where the remote's newest snapshot is part of our history.
func (f *fetchSession) compareBehind() *comparison {
	theirs, err := archive.SnapshotAt(f.Store(), f.theirTip)
	if err != nil {
		return nil
	}
	if f.info.Snapshot != "" {
		// Ours has more than theirs: what was seen there must lie at or before their newest.
		seen := f.findOurs(f.info.Snapshot)
		if seen == nil || snapshot.Follow(archive.CommitReader(f.Store()), f.theirTip, seen) == nil {
			return nil
		}
	}
	f.describe(theirs, snapshot.Behind)
	return &comparison{relation: snapshot.Behind, theirs: theirs}
}

// hasSeen reports whether the newest snapshot that was seen at the remote is on a line
// or in our history, to which the remote's adds that line.
func (f *fetchSession) hasSeen(line []*snapshot.Snapshot) bool {
	id := f.info.Snapshot
	return id == "" || findSnapshot(line, id) != nil || f.findOurs(id) != nil
}

// findOurs returns the snapshot of our history with an id, nil where it has none or where that cannot be read.
func (f *fetchSession) findOurs(id string) *snapshot.Snapshot {
	s, err := findOurs(f.ours, id)
	if err != nil || s == nil || s.ID.String() != id {
		return nil
	}
	return s
}

// findFirst returns the first snapshot of our history, nil where there is not one.
func (f *fetchSession) findFirst() *snapshot.Snapshot {
	const seq = 1
	rows, err := f.ours.FindRows(strconv.Itoa(seq))
	if err != nil || len(rows) != 1 {
		return nil
	}
	s, err := archive.SnapshotAt(f.Store(), rows[0].Commit)
	if err != nil || s.Seq != seq || s.Archive != f.ourHead.Archive {
		return nil
	}
	return s
}

// indexOf returns the index of a snapshot in a history, -1 where it is not there.
func indexOf(history []*snapshot.Snapshot, s *snapshot.Snapshot) int {
	for i, one := range history {
		if one.ID == s.ID {
			return i
		}
	}
	return -1
}
