package custody

import (
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/text/legible"
)

// A RefChange is the update of a tag, a log or the countersignatures in an archive or
// at a remote. From and To are object names; From is empty for a new ref.
type RefChange struct {
	Name   string `json:"name"`
	From   string `json:"from,omitempty"`
	To     string `json:"to"`
	Done   bool   `json:"done"`
	Reason string `json:"reason,omitempty"` // why it was not done, or why ours cannot extend the remote's

	// OwnerCommand is what the keeper of the remote runs in that repository where its
	// commits are not taken, and ours therefore cannot extend them; else "".
	OwnerCommand string `json:"owner_command,omitempty"`
}

// planRefUpdates returns the updates of tags, logs and countersignatures that are accepted, and notes every ref in the
// result with the reason for a refusal. New refs become updates; logs and countersignatures that we have too are merged
// later (logCopies). A tag never moves. main is the commit that main will name, lock that of this archive.
func (f *fetchSession) planRefUpdates(refs map[string]objects.Hash, main objects.Hash, lock *objects.Lock) ([]objects.RefUpdate, error) {
	have, err := f.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "refs")
	}
	var history map[objects.Hash]bool // the commits that main leads to, read for the first tag
	var out []objects.RefUpdate
	for _, name := range slices.Sorted(archive.KeysOf(refs)) {
		if name == archive.RefMain || have[name] == refs[name] {
			continue
		}
		change := RefChange{Name: name, To: refs[name].String()}
		if !have[name].IsZero() {
			change.From = have[name].String()
		}
		if archive.IsMergeable(name) {
			update, err := f.planMerge(lock, name, have[name], refs[name], main)
			if err != nil {
				return nil, err
			}
			if update != nil {
				out = append(out, *update)
			}
			continue
		}
		if archive.IsTagRef(name) && history == nil {
			if history, err = f.source().Ancestors(main); err != nil {
				return nil, problem.Wrap(err, "refs")
			}
		}
		switch {
		case !archive.IsTagRef(name):
			change.Reason = "it is no tag"
		case !have[name].IsZero():
			change.Reason = "the tag names something else here"
		default:
			change.Reason = archive.TagDefect(f.source(), name, refs[name], history)
		}
		if change.Reason == "" {
			if err := f.checkTagSigner(refs[name], main); err != nil {
				change.Reason = legible.OneLine(err)
			}
		}
		if change.Reason == "" {
			change.Done = true
			out = append(out, objects.RefUpdate{Name: name, Old: have[name], New: refs[name]})
		}
		f.result.Refs = append(f.result.Refs, change)
	}
	return out, nil
}

// checkTagSigner returns an error where the key of a tag may not sign snapshots of this history. The fetcher's trust
// decides or, without one, the newest snapshot: verification of the archive would fail on a stranger's tag.
func (f *fetchSession) checkTagSigner(h, main objects.Hash) error {
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	_, data, err := there.Store().Get(h)
	if err != nil {
		return err
	}
	tag, err := snapshot.ParseTag(data)
	if err != nil {
		return err
	}
	named, err := archive.SnapshotAt(there.Store(), tag.Commit)
	if err != nil {
		return err
	}
	permit := snapshot.PermitSigners(f.options.Allowed)
	if root := f.options.Root; root != nil {
		snapshots, err := there.History(main)
		if err != nil {
			return err
		}
		permit = snapshot.PermitRoot(root, snapshots)
	}
	if permit == nil {
		head, err := archive.SnapshotAt(there.Store(), main)
		if err == nil {
			permit, err = history.OwnPermit(there, head)
		}
		if err != nil || permit == nil {
			return err
		}
	}
	err = permit(trust.Snapshot, named, []sign.Key{tag.Key})
	if snapshot.IsUndersigned(err) { // a tag has one signature; the threshold is of snapshots
		return nil
	}
	return err
}
