package custody

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// pushBatch is how many bytes of whole snapshots go to a remote at a time,
// before its branch moves: what an interrupted push may lose. A snapshot that
// is larger goes alone.
const pushBatch = 256 << 20

// A PushResult tells what was sent to a remote.
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

// Push brings a remote up to the newest snapshot, whole snapshots at a time,
// oldest first; one that is interrupted goes on from the last snapshot the
// remote has. The branch of the remote only moves forward: a remote whose
// newest snapshot is not in our history is an error that says to fetch.
func Push(ctx context.Context, a *archive.Archive, ref string, t Transfer) (*PushResult, error) {
	info, r, err := connect(a.Repository, ref, t)
	if err != nil {
		return nil, err
	}
	refs, err := r.Refs(ctx)
	if err != nil {
		return nil, unreachable(info, err)
	}
	return push(ctx, a, info, r, refs, t)
}

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
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	result := &PushResult{Remote: info.label(), URL: info.URL, Refs: []RefChange{}}
	there := refs[archive.RefMain]
	at := len(history) // index of the first snapshot that the remote has
	for i, s := range history {
		if objects.Sum(objects.Commit, s.Content) == there {
			at = i
			result.From = s.Seq
		}
	}
	switch {
	case there.IsZero() && info.Seq > 0:
		r := &FetchResult{Remote: info.label(), URL: info.URL, Relation: rollback, Refs: []RefChange{}, OurSeq: head.Seq, Ours: head.ID.String()}
		return nil, alarm(a.Repository, info, r, nil, nil)
	case !there.IsZero() && at == len(history):
		return nil, archive.Problem(archive.TypeHistory, archive.Advise("muniment fetch "+info.label()+" takes over what is newer there, or says how the histories differ"),
			"%s has a snapshot that is not in our history (commit %s); nothing was sent", info.label(), there)
	case at < len(history) && history[at].Seq < info.Seq:
		r := &FetchResult{Remote: info.label(), URL: info.URL, Relation: rollback, Refs: []RefChange{}, OurSeq: head.Seq, Ours: head.ID.String(),
			Seq: history[at].Seq, Snapshot: history[at].ID.String()}
		return nil, alarm(a.Repository, info, r, withID(history, info.Snapshot), history[at])
	}
	p := &pushSession{Archive: a, info: info, remote: r, transfer: t, result: result, limit: pushBatch}
	if err := p.snapshots(ctx, history[:at], there); err != nil {
		return nil, p.partly(err)
	}
	if err := p.others(ctx, refs, tip); err != nil {
		return nil, p.partly(err)
	}
	result.Seq, result.Snapshot = head.Seq, head.ID.String()
	return result, noteRemote(a.Repository, info, head)
}

func withID(history []*snapshot.Snapshot, id string) *snapshot.Snapshot {
	for _, s := range history {
		if s.ID.String() == id {
			return s
		}
	}
	return nil
}

// A pushing is one push under way.
type pushSession struct {
	*archive.Archive
	info     *RemoteInfo
	remote   *remote.Remote
	transfer Transfer
	result   *PushResult
	limit    int64 // bytes of a batch: pushBatch, less in tests
}

func (p *pushSession) partly(err error) error {
	err = unreachable(p.info, err)
	if told, ok := err.(*archive.Error); ok && p.result.Snapshots > 0 {
		told.Partial = p.result
	}
	return err
}

// snapshots sends those that the remote lacks, newest first in missing, and
// moves its branch after each batch of them.
func (p *pushSession) snapshots(ctx context.Context, missing []*snapshot.Snapshot, there objects.Hash) error {
	for len(missing) > 0 {
		sel, n, err := p.batch(missing, there)
		if err != nil {
			return archive.Environment(err, "push")
		}
		last := missing[len(missing)-n]
		commit := objects.Sum(objects.Commit, last.Content)
		total := sel.Objects()
		err = p.remote.Push(ctx, []objects.RefUpdate{{Name: archive.RefMain, Old: there, New: commit}}, sel, func(done int) { p.transfer.tell(done, total) })
		sel.Close()
		if err != nil {
			return err
		}
		p.result.Snapshots += n
		p.result.Objects += total
		p.result.Seq, p.result.Snapshot = last.Seq, last.ID.String()
		if err := noteRemote(p.Archive.Repository, p.info, last); err != nil {
			return err
		}
		missing, there = missing[:len(missing)-n], commit
	}
	return nil
}

// batch selects the oldest of the missing snapshots, as many as fit.
func (p *pushSession) batch(missing []*snapshot.Snapshot, there objects.Hash) (*objects.Selection, int, error) {
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

// others sends tags, logs and co-signatures: new ones, and those that go on
// where the remote's end.
func (p *pushSession) others(ctx context.Context, theirs map[string]objects.Hash, tip objects.Hash) error {
	ours, err := p.Store().Refs()
	if err != nil {
		return archive.Environment(err, "refs")
	}
	for _, name := range slices.Sorted(archive.KeysOf(ours)) {
		if name == archive.RefMain || !remote.IsExchanged(name) || theirs[name] == ours[name] {
			continue
		}
		change := RefChange{Name: name, To: ours[name].String()}
		if !theirs[name].IsZero() {
			change.From = theirs[name].String()
			line, err := p.Store().Ancestors(ours[name])
			if err != nil {
				return archive.Environment(err, name)
			}
			switch {
			case archive.IsTagRef(name):
				change.Reason = "the tag names something else there"
			case !line[theirs[name]]:
				change.Reason = "ours does not go on where the remote's ends"
			}
		}
		if change.Reason == "" {
			sel, err := p.Store().Select([]objects.Hash{ours[name]}, []objects.Hash{tip, theirs[name]})
			if err != nil {
				return archive.Environment(err, name)
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
	return nil
}

// A SyncOne is what came of one remote.
type SyncOne struct {
	Remote  string       `json:"remote"`
	Fetched *FetchResult `json:"fetched,omitempty"`
	Pushed  *PushResult  `json:"pushed,omitempty"`
	Receipt *Receipt     `json:"receipt,omitempty"`
	Error   string       `json:"error,omitempty"`

	err error
}

// A SyncResult tells what came of all remotes.
type SyncResult struct {
	Remotes []SyncOne         `json:"remotes"`
	Logs    []logref.LogState `json:"logs"` // the answer logs that are here
}

// Sync fetches from every remote, copies the answer logs of this archive to
// their refs and, where witness is not nil, cosigns the logs that are here; then
// it pushes to every remote and keeps a receipt of what each then shows. A
// remote that was not reached makes the error PartlyDone; one whose history
// disagrees makes it HistoriesDisagree. Both carry the result.
func Sync(ctx context.Context, a *archive.Archive, o FetchOptions, witness sign.Signer) (*SyncResult, error) {
	remotes, err := Remotes(a)
	if err != nil {
		return nil, err
	}
	if len(remotes) == 0 {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment remote add NAME URL"), "this archive has no remotes")
	}
	r := &SyncResult{Remotes: make([]SyncOne, len(remotes))}
	for i, info := range remotes {
		one := &r.Remotes[i]
		one.Remote = info.Name
		one.Fetched, one.err = Fetch(ctx, a, info.Name, o)
	}
	if r.Logs, err = syncLogs(a, witness); err != nil {
		return r, err
	}
	for i := range r.Remotes {
		one := &r.Remotes[i]
		for tries := 1; one.err == nil; tries++ {
			if one.err = syncOne(ctx, a, one, o); tries == syncTries || !one.crossed() {
				break
			}
			_, one.err = Fetch(ctx, a, one.Remote, o)
		}
	}
	return r, r.failure()
}

// syncTries is how often a remote that somebody else pushed to meanwhile is
// fetched from and pushed to before that is reported.
const syncTries = 3

// crossed reports whether somebody else's push came between our fetch and our
// push.
func (one *SyncOne) crossed() bool {
	if errors.Is(one.err, remote.ErrRefused) {
		return true
	}
	return one.err == nil && one.Pushed != nil && slices.ContainsFunc(one.Pushed.Refs, func(c RefChange) bool {
		return c.Reason != "" && archive.IsMergeable(c.Name)
	})
}

// syncLogs publishes the logs of this archive and, as a witness, cosigns.
func syncLogs(a *archive.Archive, witness sign.Signer) ([]logref.LogState, error) {
	logs, err := logref.PublishLogs(a, true)
	if err != nil || witness == nil {
		return logs, err
	}
	return logref.CosignLogs(a, witness)
}

// syncOne pushes to one remote and asks it what it has then.
func syncOne(ctx context.Context, a *archive.Archive, one *SyncOne, o FetchOptions) error {
	head, tip, err := a.Head()
	if err != nil {
		return err
	}
	if head != nil {
		if one.Pushed, err = Push(ctx, a, one.Remote, o.Transfer); err != nil {
			return err
		}
	}
	info, r, err := connect(a.Repository, one.Remote, o.Transfer)
	if err != nil {
		return err
	}
	refs, err := r.Refs(ctx)
	if err != nil {
		return unreachable(info, err)
	}
	if head != nil && refs[archive.RefMain] != tip {
		return archive.Problem(archive.TypeHistory, archive.Advise("muniment fetch "+one.Remote), "%s took snapshot %d and does not show it", one.Remote, head.Seq)
	}
	if head != nil {
		if one.Receipt, err = keepReceipt(a, info, head); err != nil {
			return err
		}
	}
	return nil
}

// failure sums up the remotes that did not do their part.
func (r *SyncResult) failure() error {
	failed, alarms := 0, 0
	var first *archive.Error
	for i := range r.Remotes {
		one := &r.Remotes[i]
		if one.err == nil {
			continue
		}
		one.Error = one.err.Error()
		told, ok := one.err.(*archive.Error)
		if !ok {
			return one.err
		}
		if one.Fetched == nil {
			one.Fetched, _ = told.Partial.(*FetchResult)
		}
		if failed++; first == nil || told.HasFound() && alarms == 0 {
			first = told
		}
		if told.HasFound() {
			alarms++
		}
	}
	if failed == 0 {
		return nil
	}
	e := &archive.Error{Kind: archive.TypePartlyDone, Next: first.Next, Partial: r, Err: first,
		Message: fmt.Sprintf("%d of %d remotes are not in sync: %s", failed, len(r.Remotes), first.Message)}
	if alarms > 0 {
		e.Kind, e.Outcome = first.Kind, archive.Found
	}
	return e
}
