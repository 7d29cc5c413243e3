package custody

import (
	"cmp"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/cid"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// A RefChange is the update of a tag, a log or the countersignatures in an archive or
// at a remote. From and To are object names; From is empty for a new ref.
type RefChange struct {
	Name   string `json:"name"`
	From   string `json:"from,omitempty"`
	To     string `json:"to"`
	Done   bool   `json:"done"`
	Reason string `json:"reason,omitempty"` // why it was not done
}

// planRefUpdates returns the updates of tags, logs and countersignatures that are
// accepted, and notes every ref in the result with the reason for a refusal. New
// refs become updates; logs and countersignatures that we have too are merged later
// (logCopies). A tag never moves. main is the commit that main will name.
func (f *fetchSession) planRefUpdates(refs map[string]objects.Hash, main objects.Hash) ([]objects.RefUpdate, error) {
	have, err := f.Store().Refs()
	if err != nil {
		return nil, archive.Environment(err, "refs")
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
		if archive.IsMergeable(name) && !have[name].IsZero() {
			line, err := f.source().Ancestors(have[name])
			if err != nil {
				return nil, archive.Environment(err, name)
			}
			if line[refs[name]] {
				continue // ours is newer; push sends it
			}
		}
		if archive.IsTagRef(name) && history == nil {
			if history, err = f.source().Ancestors(main); err != nil {
				return nil, archive.Environment(err, "refs")
			}
		}
		change.Reason = f.findRefFault(name, have[name], refs[name], history)
		if change.Reason == "" && archive.IsTagRef(name) {
			if err := f.checkTagSigner(refs[name], main); err != nil {
				change.Reason = archive.OneLine(err)
			}
		}
		if change.Reason == "" && archive.IsLogRef(name) {
			change.Reason = f.findLogFault(name, refs[name], main)
		}
		if change.Reason == "" && archive.IsLogRef(name) {
			if err := f.checkLogCopy(name, have[name], refs[name], main); err != nil {
				change.Reason = archive.OneLine(err)
				f.logConflict = cmp.Or(f.logConflict, err)
			}
		}
		switch {
		case change.Reason != "":
		case archive.IsMergeable(name) && !have[name].IsZero():
			f.logCopies = append(f.logCopies, logCopy{len(f.result.Refs), refs[name]})
		default:
			change.Done = true
			out = append(out, objects.RefUpdate{Name: name, Old: have[name], New: refs[name]})
		}
		f.result.Refs = append(f.result.Refs, change)
	}
	return out, nil
}

// findRefFault returns why a ref cannot be accepted, "" where it can. history has
// the commits that main leads to.
func (f *fetchSession) findRefFault(name string, ours, theirs objects.Hash, history map[objects.Hash]bool) string {
	if archive.IsTagRef(name) {
		if !ours.IsZero() {
			return "the tag names something else here"
		}
		return archive.TagDefect(f.source(), name, theirs, history)
	}
	report, err := f.source().Check([]objects.Hash{theirs}, nil)
	switch {
	case err != nil:
		return err.Error()
	case report.Failed+report.Absent > 0:
		return report.Problems[0].String()
	}
	tree, err := f.source().TreeOf(theirs)
	if err == nil && name == snapshot.RefCountersignatures {
		_, err = snapshot.ReadCountersignatures(f.source(), tree)
	}
	if err != nil {
		return archive.OneLine(err)
	}
	return ""
}

// findLogFault returns why a ref is no copy of a log that the trust in main, or the
// trust that was given, knows; "" where it is one.
func (f *fetchSession) findLogFault(name string, theirs, main objects.Hash) string {
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	trusted, err := there.Store().TreeOf(main)
	if err != nil {
		return archive.OneLine(err)
	}
	keys, err := logref.LogKeysIn(there, trusted)
	if err != nil {
		return archive.OneLine(err)
	}
	info, err := there.File(trusted, record.PathArchive)
	if err != nil {
		return archive.OneLine(err)
	}
	id := cid.OfJSON(info)
	k, known := keys[strings.TrimPrefix(name, archive.RefLog)]
	if !known {
		return "no key that may have a log in this archive has this id"
	}
	tree, err := there.Store().TreeOf(theirs)
	if err == nil {
		err = logref.CheckCopy(there, tree, k, func(epoch int64) string { return sign.AnswerOrigin(id, k.ID(), epoch) })
	}
	if err != nil {
		return "it is no copy of a log: " + archive.OneLine(err)
	}
	return ""
}

// checkTagSigner returns an error where the key of a tag may not sign snapshots of
// this history. The fetcher's trust decides or, without one, the newest snapshot:
// verification of the archive would fail on a stranger's tag.
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

// checkLogCopy compares the remote's copy of a log with ours while that copy is
// still in quarantine.
func (f *fetchSession) checkLogCopy(name string, ours, theirs, main objects.Hash) error {
	if f.quarantine == nil || ours.IsZero() {
		return nil // mergeRef compares copies whose objects are here
	}
	if err := f.quarantine.setMain(main); err != nil {
		return err
	}
	base, err := f.source().TreeOf(ours)
	if err != nil {
		return archive.Environment(err, name)
	}
	other, err := f.source().TreeOf(theirs)
	if err != nil {
		return archive.Environment(err, name)
	}
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	return compareLogs(there, name, base, other)
}

// A logCopy is the remote's copy of a log or of the countersignatures that we have a
// copy of too.
type logCopy struct {
	at     int // index in the result's Refs
	theirs objects.Hash
}

// mergeLogCopies merges the remote's logs and countersignatures into ours. A copy that
// is refused does not stop the others; the first error is returned.
func (f *fetchSession) mergeLogCopies(lock *objects.Lock) error {
	first := f.logConflict
	for _, c := range f.logCopies {
		change := &f.result.Refs[c.at]
		done, err := mergeRef(f.Repository, lock, change.Name, c.theirs)
		if change.Done = done; err != nil {
			change.Reason = archive.OneLine(err)
			if first == nil {
				first = err
			}
		}
	}
	return first
}
