package custody

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/sign"
)

// A RemoteSync describes the synchronization with one remote.
type RemoteSync struct {
	Remote  string       `json:"remote"`
	Fetched *FetchResult `json:"fetched,omitempty"`
	Pushed  *PushResult  `json:"pushed,omitempty"`
	Receipt *Receipt     `json:"receipt,omitempty"`
	Error   string       `json:"error,omitempty"`

	err error
}

// A SyncResult describes the synchronization with every remote.
type SyncResult struct {
	Remotes []RemoteSync      `json:"remotes"`
	Logs    []logref.LogState `json:"logs"` // the answer logs that this archive holds
}

// Sync fetches from every remote, publishes the answer logs of this archive on their refs and, where witness is not
// nil, cosigns the logs that are here. Then it pushes to every remote and saves a receipt of what each shows
// afterwards. Where a remote is not reached, the error has the kind PartlyDone; where a history disagrees, it has the
// kind HistoriesDisagree. Both carry the result.
func Sync(ctx context.Context, a *archive.Archive, o FetchOptions, witness sign.Signer) (*SyncResult, error) {
	remotes, err := Remotes(a)
	if err != nil {
		return nil, err
	}
	if len(remotes) == 0 {
		return nil, problem.New(problem.Usage, problem.Next(DoListRemotes), "this archive has no remotes")
	}
	if _, _, err := a.Head(); err != nil {
		return nil, err
	}
	r := &SyncResult{Remotes: make([]RemoteSync, len(remotes))}
	for i, info := range remotes {
		one := &r.Remotes[i]
		one.Remote = info.Name
		one.Fetched, one.err = Fetch(ctx, a, info.Name, o)
	}
	if r.Logs, err = publishLogs(a, witness); err != nil {
		return r, err
	}
	for i := range r.Remotes {
		one := &r.Remotes[i]
		for tries := 1; one.err == nil; tries++ {
			if one.err = syncRemote(ctx, a, one, o); tries == syncTries || !one.wasOvertaken() {
				break
			}
			_, one.err = Fetch(ctx, a, one.Remote, o)
		}
	}
	return r, r.joinErrors()
}

// syncTries bounds the rounds of push and fetch with a remote that somebody else pushes to at the same time.
const syncTries = 3

// wasOvertaken reports whether the remote accepted another push between our fetch
// and our push. A ref whose commits the fetch did not take is left as it is there.
func (one *RemoteSync) wasOvertaken() bool {
	if errors.Is(one.err, remote.ErrRefused) {
		return true
	}
	return one.err == nil && one.Pushed != nil && slices.ContainsFunc(one.Pushed.Refs, func(c RefChange) bool {
		return c.Reason != "" && archive.IsMergeable(c.Name) && !one.mustBeCleared(c.Name)
	})
}

// mustBeCleared reports whether only the keeper of the remote can make room for our version of a ref.
func (one *RemoteSync) mustBeCleared(ref string) bool {
	return one.Fetched != nil && slices.ContainsFunc(one.Fetched.Refs, func(c RefChange) bool {
		return c.Name == ref && c.OwnerCommand != ""
	})
}

// publishLogs publishes the answer logs of this archive, cosigns them where witness
// is not nil, and returns their states.
func publishLogs(a *archive.Archive, witness sign.Signer) ([]logref.LogState, error) {
	logs, err := logref.PublishLogs(a, true)
	if err != nil || witness == nil {
		return logs, err
	}
	return logref.CosignLogs(a, witness)
}

// syncRemote pushes to one remote, checks that it then shows our newest snapshot, and saves the receipt.
func syncRemote(ctx context.Context, a *archive.Archive, one *RemoteSync, o FetchOptions) error {
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
		return unreachableError(info, err)
	}
	if head != nil && refs[archive.RefMain] != tip {
		return problem.New(problem.History, problem.Next(problem.DoFetch, one.Remote), "%s took snapshot %d and does not show it", one.Remote, head.Seq)
	}
	if head != nil {
		if one.Receipt, err = appendReceipt(a, info, head); err != nil {
			return err
		}
	}
	return nil
}

// joinErrors returns one error for all remotes that failed, nil where none did. Its
// step is that of the first failure, or of the first history that disagrees.
func (r *SyncResult) joinErrors() error {
	failed, alarms := 0, 0
	var first *problem.Error
	for i := range r.Remotes {
		one := &r.Remotes[i]
		if one.err == nil {
			continue
		}
		one.Error = one.err.Error()
		failure, ok := one.err.(*problem.Error)
		if !ok {
			return one.err
		}
		if one.Fetched == nil {
			one.Fetched, _ = failure.Partial.(*FetchResult)
		}
		if failed++; first == nil || failure.HasFound() && alarms == 0 {
			first = failure
		}
		if failure.HasFound() {
			alarms++
		}
	}
	if failed == 0 {
		return nil
	}
	e := &problem.Error{Kind: problem.PartlyDone, Next: first.Next, Partial: r, Err: first,
		Message: fmt.Sprintf("%d of %d remotes are not in sync: %s", failed, len(r.Remotes), first.Message)}
	if alarms > 0 {
		e.Kind, e.Outcome = first.Kind, problem.Found
	}
	return e
}
