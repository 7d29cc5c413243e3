package custody

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/text/legible"
)

// A PushResult describes what a push sent to a remote.
type PushResult struct {
	Remote    string      `json:"remote"`
	URL       string      `json:"url"`
	Seq       int64       `json:"seq"` // the newest snapshot there, afterwards
	Snapshot  string      `json:"snapshot"`
	From      int64       `json:"from_seq"` // the newest there before; 0: it was empty
	Snapshots int         `json:"snapshots"`
	Objects   int         `json:"objects"`
	Refs      []RefChange `json:"refs"`
}

// pushBatch bounds the bytes of snapshots that are sent before the remote's branch moves, and with that what an
// interrupted push may lose. A larger snapshot is sent alone.
const pushBatch = 256 << 20

// Push brings a remote up to our newest snapshot. It sends whole snapshots, oldest first; a push after an interrupted
// one continues from the last snapshot that arrived. ref is the name or the address of the remote. The branch of the
// remote only moves forward: where its newest snapshot is not in our history, the error has the kind HistoriesDisagree
// and the step to fetch.
func Push(ctx context.Context, a *archive.Archive, ref string, t Transfer) (*PushResult, error) {
	info, r, err := connect(a.Repository, ref, t)
	if err != nil {
		return nil, err
	}
	refs, err := r.Refs(ctx)
	if err != nil {
		return nil, unreachableError(info, err)
	}
	return push(ctx, a, info, r, refs, t)
}

// push does what Push describes; refs are the ones that the remote has shown.
func push(ctx context.Context, a *archive.Archive, info *RemoteInfo, r *remote.Remote, refs map[string]objects.Hash, t Transfer) (*PushResult, error) {
	head, tip, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if err := a.CheckRollback(head); err != nil {
		return nil, err
	}
	if err := mayPushTrust(a.Repository, head, t.AcceptTrust); err != nil {
		return nil, err
	}
	there := refs[archive.RefMain]
	missing, newest, err := snapshotsAfter(a, there)
	if err != nil {
		return nil, err
	}
	result := &PushResult{Remote: info.label(), URL: info.URL, Refs: []RefChange{}}
	switch {
	case there.IsZero() && info.Seq > 0:
		r := &FetchResult{Remote: info.label(), URL: info.URL, Relation: rollback, Refs: []RefChange{}, OurSeq: head.Seq, Ours: head.ID.String()}
		return nil, disagreementError(a.Repository, info, r, nil, nil)
	case !there.IsZero() && newest == nil:
		return nil, problem.New(problem.History, problem.Next(problem.DoFetch, info.label()).With("it takes over what is newer there, or says how the histories differ"),
			"%s has a snapshot that is not in our history (commit %s); nothing was sent", info.label(), there)
	case newest != nil && newest.Seq < info.Seq:
		r := &FetchResult{Remote: info.label(), URL: info.URL, Relation: rollback, Refs: []RefChange{}, OurSeq: head.Seq, Ours: head.ID.String(),
			Seq: newest.Seq, Snapshot: newest.ID.String()}
		seen, err := findOurs(a, info.Snapshot)
		if err != nil {
			return nil, err
		}
		return nil, disagreementError(a.Repository, info, r, seen, newest)
	case newest != nil:
		result.From = newest.Seq
	}
	p := &pushSession{Archive: a, info: info, remote: r, transfer: t, result: result, limit: pushBatch}
	if err := p.sendSnapshots(ctx, missing, there); err != nil {
		return nil, p.withPartial(err)
	}
	if err := p.sendOtherRefs(ctx, refs, tip); err != nil {
		return nil, p.withPartial(err)
	}
	result.Seq, result.Snapshot = head.Seq, head.ID.String()
	return result, saveNewestSeen(a.Repository, info, head)
}

// snapshotsAfter returns the snapshots of our history that a remote lacks whose newest
// commit is there, newest first, and the snapshot of that commit: nil where our history
// does not have it. Only these snapshots are read, the others stand in the history index.
func snapshotsAfter(a *archive.Archive, there objects.Hash) (missing []*snapshot.Snapshot, newest *snapshot.Snapshot, err error) {
	for row, err := range a.SnapshotRows() {
		if err != nil {
			return nil, nil, err
		}
		s, err := archive.SnapshotAt(a.Store(), row.Commit)
		if err != nil {
			return nil, nil, problem.Wrap(err, "history")
		}
		if row.Commit == there {
			return missing, s, nil
		}
		missing = append(missing, s)
	}
	return missing, nil, nil
}

// findOurs returns the snapshot of our history with an id, nil where it has none.
func findOurs(a *archive.Archive, id string) (*snapshot.Snapshot, error) {
	row, ok, err := a.HasSnapshot(id)
	if err != nil || !ok {
		return nil, err
	}
	s, err := archive.SnapshotAt(a.Store(), row.Commit)
	return s, problem.Wrap(err, "history")
}

// A pushSession is the state of one push.
type pushSession struct {
	*archive.Archive
	info     *RemoteInfo
	remote   *remote.Remote
	transfer Transfer
	result   *PushResult
	limit    int64 // bytes of a batch: pushBatch, less in tests
}

// withPartial returns err with the result so far, where snapshots have arrived.
func (p *pushSession) withPartial(err error) error {
	err = unreachableError(p.info, err)
	if failure, ok := err.(*problem.Error); ok && p.result.Snapshots > 0 {
		failure.Partial = p.result
	}
	return err
}

// sendSnapshots sends the missing snapshots, which are in order newest first, and
// moves the remote's branch after each batch. there is its newest commit.
func (p *pushSession) sendSnapshots(ctx context.Context, missing []*snapshot.Snapshot, there objects.Hash) error {
	for len(missing) > 0 {
		sel, n, err := p.selectBatch(missing, there)
		if err != nil {
			return problem.Wrap(err, "push")
		}
		last := missing[len(missing)-n]
		commit := objects.Sum(objects.Commit, last.Content)
		total := sel.Objects()
		err = p.remote.Push(ctx, []objects.RefUpdate{{Name: archive.RefMain, Old: there, New: commit}}, sel, func(done int) { p.transfer.report(done, total) })
		sel.Close()
		if err != nil {
			return err
		}
		p.result.Snapshots += n
		p.result.Objects += total
		p.result.Seq, p.result.Snapshot = last.Seq, last.ID.String()
		if err := saveNewestSeen(p.Archive.Repository, p.info, last); err != nil {
			return err
		}
		missing, there = missing[:len(missing)-n], commit
	}
	return nil
}

// selectBatch returns the objects of the oldest missing snapshots, as many as fit into a batch, and how many snapshots
// these are. there is the newest commit of the remote.
func (p *pushSession) selectBatch(missing []*snapshot.Snapshot, there objects.Hash) (*objects.Selection, int, error) {
	commit := func(n int) objects.Hash { // of the n-th oldest
		return objects.Sum(objects.Commit, missing[len(missing)-n].Content)
	}
	var have []objects.Hash
	if !there.IsZero() {
		have = append(have, there)
	}
	all, err := p.Store().Select([]objects.Hash{commit(len(missing))}, have)
	if err != nil {
		return nil, 0, err
	}
	if all.Bytes() <= p.limit || len(missing) == 1 {
		return all, len(missing), nil
	}
	all.Close()
	n, bytes, before := 0, int64(0), have
	for n < len(missing) {
		one, err := p.Store().Select([]objects.Hash{commit(n + 1)}, before)
		if err != nil {
			return nil, 0, err
		}
		bytes += one.Bytes()
		one.Close()
		if n > 0 && bytes > p.limit {
			break
		}
		n++
		before = []objects.Hash{commit(n)}
	}
	sel, err := p.Store().Select([]objects.Hash{commit(n)}, have)
	return sel, n, err
}

// sendOtherRefs sends the tags, logs and countersignatures that are new at the remote or extend its own, and notes
// every other one in the result with the reason. tip is our newest commit, which the remote has.
func (p *pushSession) sendOtherRefs(ctx context.Context, theirs map[string]objects.Hash, tip objects.Hash) error {
	ours, err := p.Store().Refs()
	if err != nil {
		return problem.Wrap(err, "refs")
	}
	var damaged error // of the first log that is not sent
	for _, name := range slices.Sorted(archive.KeysOf(ours)) {
		if name == archive.RefMain || !remote.IsExchanged(name) || theirs[name] == ours[name] {
			continue
		}
		change := RefChange{Name: name, To: ours[name].String()}
		if !theirs[name].IsZero() {
			change.From = theirs[name].String()
			line, err := p.Store().Ancestors(ours[name])
			if err != nil {
				return problem.Wrap(err, name)
			}
			switch {
			case archive.IsTagRef(name):
				change.Reason = "the tag names something else there"
			case !line[theirs[name]]:
				change.Reason = "ours does not go on where the remote's ends"
			}
		}
		if change.Reason == "" && archive.IsLogRef(name) {
			if err := p.checkSentLog(name, ours[name], theirs[name]); err != nil {
				damaged = cmp.Or(damaged, err)
				change.Reason = legible.OneLine(err)
			}
		}
		if change.Reason == "" {
			sel, err := p.Store().Select([]objects.Hash{ours[name]}, []objects.Hash{tip, theirs[name]})
			if err != nil {
				return problem.Wrap(err, name)
			}
			err = p.remote.Push(ctx, []objects.RefUpdate{{Name: name, Old: theirs[name], New: ours[name]}}, sel, nil)
			total := sel.Objects()
			sel.Close()
			if err != nil {
				return err
			}
			p.result.Objects += total
			change.Done = true
		}
		p.result.Refs = append(p.result.Refs, change)
	}
	return damaged
}

// checkSentLog returns an error where what a push adds to the remote's copy of a log does
// not lead to its signed checkpoint: a damaged copy never goes over a good one.
func (p *pushSession) checkSentLog(name string, ours, theirs objects.Hash) error {
	tree, err := p.Store().TreeOf(ours)
	if err != nil {
		return problem.Wrap(err, name)
	}
	var remote objects.Hash
	if !theirs.IsZero() {
		if remote, err = p.Store().TreeOf(theirs); err != nil {
			return problem.Wrap(err, name)
		}
	}
	keys, err := logref.LogKeys(p.Archive.Repository)
	if err != nil {
		return err
	}
	if err := logref.CheckSent(p.Archive.Repository, tree, remote, keys[strings.TrimPrefix(name, archive.RefLog)]); err != nil {
		return problem.Negative(problem.Damaged, problem.Next(problem.DoCheckLog), "%s: it was not sent to %s, whose copy is as it was: %w", name, p.info.label(), err)
	}
	return nil
}
