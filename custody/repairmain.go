package custody

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// findMainFault returns why main has to be moved, nil where it is sound or cannot be
// judged before its objects are healed.
func (s *repairSession) findMainFault() error {
	h, err := s.Store().Ref(archive.RefMain)
	if err == nil && h.IsZero() {
		_, _, err = s.Head() // nil before the first snapshot
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return errors.New("it is absent")
	}
	for _, id := range s.NotedSnapshots() {
		if !s.holds(h, id) {
			return fmt.Errorf("it does not lead to %s, which was seen here", id)
		}
	}
	if head, err := archive.SnapshotAt(s.Store(), h); err == nil {
		if next, err := archive.FindNext(s.Repository, head, h); err == nil && next != nil {
			return fmt.Errorf("snapshot %d (%s), which follows from it, is here", next.Seq, next.ID)
		}
	}
	return nil
}

// holds reports whether the history that ends at a commit has the snapshot with an ID, or cannot be read.
func (s *repairSession) holds(tip objects.Hash, id string) bool {
	if one, err := archive.SnapshotAt(s.Store(), tip); err != nil || one.ID.String() == id {
		return true
	}
	line, err := s.Store().Ancestors(tip)
	if err != nil {
		return true // heal lists the commits that are missing
	}
	for commit := range line {
		if one, err := archive.SnapshotAt(s.Store(), commit); err == nil && one.ID.String() == id {
			return true
		}
	}
	return false
}

// A mainRepair is where main will lead, and how that was found.
type mainRepair struct {
	at       objects.Hash
	snapshot *snapshot.Snapshot
	from     string
}

// A storedSnapshot is a snapshot and its commit.
type storedSnapshot struct {
	*snapshot.Snapshot
	at objects.Hash
}

// findMain returns the snapshot that main will lead to: the newest that this copy has noted as its own, or one that
// follows from it here and whose signers the trust in force knows; where only the remote has the noted one, that one.
// Nothing else that a remote shows becomes the newest snapshot: fetch takes it over, under its rules. Without any note
// it is the newest snapshot here, where there is one history and its signers are known. there is the remote's main, or
// zero.
func (s *repairSession) findMain(ctx context.Context, there objects.Hash) (mainRepair, error) {
	var all []storedSnapshot
	byID := map[string]*snapshot.Snapshot{}
	firsts := map[string]bool{}
	err := s.Store().Commits(func(h objects.Hash, content []byte) bool {
		if one, err := snapshot.Parse(content); err == nil {
			all = append(all, storedSnapshot{one, h})
			byID[one.ID.String()] = one
			if one.Prev.IsZero() {
				firsts[one.ID.String()] = true
			}
		}
		return true
	})
	if err != nil {
		return mainRepair{}, problem.Wrap(err, "repair")
	}
	slices.SortFunc(all, func(a, b storedSnapshot) int { return cmpNewest(a.Snapshot, b.Snapshot) })
	noted := s.findNoted(all)
	var anchors []*snapshot.Snapshot // noted ones that are here, the newest first
	for _, one := range all {
		if noted[one.ID.String()] {
			anchors = append(anchors, one.Snapshot)
		}
	}
	found := mainRepair{from: "no snapshot that this copy has noted is here"}
	for _, one := range all {
		if s.isOurs(one, anchors, byID) || len(anchors) == 0 && len(firsts) == 1 && s.judgeSigners(one, nil) == nil {
			found = mainRepair{at: one.at, snapshot: one.Snapshot, from: "the newest valid snapshot in this copy"}
			break
		}
	}
	for id := range byID {
		delete(noted, id)
	}
	if len(noted) == 0 || there.IsZero() || s.openSource(ctx) != nil {
		return found, nil
	}
	line, err := s.source.Ancestors(there)
	if err != nil {
		return found, nil
	}
	for commit := range line {
		one, err := archive.SnapshotAt(s.source, commit)
		if err == nil && noted[one.ID.String()] && (found.snapshot == nil || one.Seq > found.snapshot.Seq) {
			found = mainRepair{at: commit, snapshot: one, from: "the remote " + s.info.label() + ", where the newest snapshot that was seen here is"}
		}
	}
	return found, nil
}

// findNoted returns the IDs of the snapshots that this copy has noted as its own: in its local folder, as the newest
// that it verified at a remote, as what was staged upon, as what a tag names that was noted, and as what main names.
func (s *repairSession) findNoted(all []storedSnapshot) map[string]bool {
	noted := map[string]bool{}
	for _, id := range s.NotedSnapshots() {
		noted[id] = true
	}
	remotes, _ := listRemotes(s.Repository) // a damaged note of one says nothing
	for _, r := range remotes {
		if r.Snapshot != "" {
			noted[r.Snapshot] = true
		}
	}
	var named strings.Builder // objects that name commits
	if h, err := s.Store().Ref(archive.RefStaged); err == nil && !h.IsZero() {
		if _, content, err := s.Store().Get(h); err == nil {
			named.Write(content)
		}
	}
	known, _ := s.KnownRefs()
	for name, h := range known {
		if _, content, err := s.Store().Get(h); err == nil && archive.IsTagRef(name) {
			head, _, _ := strings.Cut(string(content), "\n\n")
			named.WriteString("\n" + head + "\n")
		}
	}
	if h, err := s.Store().Ref(archive.RefMain); err == nil {
		fmt.Fprintf(&named, "\nparent %s\n", h)
	}
	for _, one := range all {
		if strings.Contains(named.String(), "parent "+one.at.String()+"\n") || strings.Contains(named.String(), "object "+one.at.String()+"\n") {
			noted[one.ID.String()] = true
		}
	}
	return noted
}

// isOurs reports whether a snapshot is one of the anchors, or follows from one and is signed by keys that may.
func (s *repairSession) isOurs(one storedSnapshot, anchors []*snapshot.Snapshot, byID map[string]*snapshot.Snapshot) bool {
	for _, anchor := range anchors {
		if descends(one.Snapshot, anchor, byID) {
			return one.ID == anchor.ID || s.judgeSigners(one, anchor) == nil
		}
	}
	return false
}

// judgeSigners returns an error where the trust of this copy does not let the signers of
// the history that ends at a snapshot sign it. The trust is that of a fetch: what this
// copy was given, the root of ours, or what was handed down. Files are not read.
func (s *repairSession) judgeSigners(one storedSnapshot, ours *snapshot.Snapshot) error {
	given, err := s.GivenTrust()
	if err != nil {
		return err
	}
	history, err := snapshot.History(archive.CommitReader(s.Store()), one.at)
	if err != nil {
		return err
	}
	in, _, err := findTrust(s.Store(), history, nil, historyOptions{Trust: given, ours: ours})
	if err != nil {
		return err
	}
	permit := in.Permit
	if in.Root != nil && permit == nil {
		permit = snapshot.PermitRoot(in.Root, history)
	} else if permit == nil {
		permit = snapshot.PermitSigners(in.Allowed)
	}
	for _, each := range history {
		if err := permit(trust.Snapshot, each, []sign.Key{each.Key}); err != nil && !snapshot.IsUndersigned(err) {
			return fmt.Errorf("snapshot %d: %w", each.Seq, err)
		}
	}
	return nil
}

// cmpNewest orders snapshots by number, the largest first, then by time and id.
func cmpNewest(a, b *snapshot.Snapshot) int {
	switch {
	case a.Seq != b.Seq:
		return int(min(max(b.Seq-a.Seq, -1), 1))
	case !a.Time.Equal(b.Time):
		return b.Time.Compare(a.Time)
	}
	return strings.Compare(a.ID.String(), b.ID.String())
}

// descends reports whether a snapshot is another one or follows from it.
func descends(s, from *snapshot.Snapshot, byID map[string]*snapshot.Snapshot) bool {
	for stack := []*snapshot.Snapshot{s}; len(stack) > 0; {
		one := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if one == nil || one.Seq < from.Seq {
			continue
		}
		if one.ID == from.ID {
			return true
		}
		stack = append(stack, byID[one.Prev.String()])
		if !one.Join.IsZero() {
			stack = append(stack, byID[one.Join.String()])
		}
	}
	return false
}
