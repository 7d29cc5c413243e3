package custody

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/text/legible"
)

// replaceDamaged returns the update of a log's ref where the copy here has an epoch that does not hold together and the
// remote's copy of that epoch does, and reports whether it has. The update is nil where what is sound here contradicts
// the remote's copy. The other epochs are merged with those of the remote as those of any two copies.
func (f *fetchSession) replaceDamaged(lock *objects.Lock, name string, ours, theirs, main objects.Hash) (update *objects.RefUpdate, found bool, err error) {
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	judge, err := logJudge(there, name, main)
	if err != nil {
		return nil, false, nil // no key that may have a log: planMerge refuses it
	}
	ourTree, err := f.source().TreeOf(ours)
	if err != nil {
		return nil, false, problem.Wrap(err, name)
	}
	have, err := listFiles(there, ourTree)
	if err != nil {
		return nil, false, problem.Wrap(err, name)
	}
	if suspect, err := maybeDamaged(there, have, ourTree, theirs); err != nil || !suspect {
		return nil, false, problem.Wrap(err, name)
	}
	sound, foreign, err := judge.accept(ourTree, have)
	fault := cmp.Or(err, foreign)
	if fault == nil {
		return nil, false, nil
	}
	c, err := f.judgeMerge(name, objects.Hash{}, theirs, main, nil)
	if err != nil {
		return nil, false, err
	}
	damaged := slices.DeleteFunc(epochsOf(c.files), func(epoch string) bool {
		return !sound[epoch+"/checkpoint"].IsZero() || !slices.Contains(epochsOf(have), epoch)
	})
	if len(damaged) == 0 {
		return nil, false, nil
	}
	change := RefChange{Name: name, From: ours.String(), Reason: fmt.Sprintf("damaged here, and taken from %s: epoch %s (%s)", f.info.label(), strings.Join(damaged, ", "), legible.OneLine(fault))}
	tip, err := f.joinSound(there, lock, name, sound, c, main)
	if err != nil {
		change.Reason = legible.OneLine(err)
		f.logConflict = cmp.Or(f.logConflict, err)
	} else {
		change.Done, change.To = true, tip.String()
		update = &objects.RefUpdate{Name: name, Old: ours, New: tip}
	}
	if c.strange != nil {
		change.OwnerCommand = ownerCommand(name)
	}
	f.result.Refs = append(f.result.Refs, change)
	return update, true, nil
}

// joinSound returns a commit of the remote's copy of a log with what is sound of ours; it extends the remote's commits
// where these are taken as they are. It is zero where an error says that the two contradict each other.
func (f *fetchSession) joinSound(there *archive.Repository, lock *objects.Lock, name string, sound map[string]objects.Hash, c *refCopy, main objects.Hash) (tip objects.Hash, err error) {
	if f.quarantine != nil {
		lock = f.quarantine.lock
		if err := f.quarantine.setMain(main); err != nil {
			return tip, err
		}
	}
	commit := func(c *refCopy, parents ...objects.Hash) (tip, tree objects.Hash, err error) {
		f.rebuilt = true
		if tip, err = c.commitAccepted(f.source(), lock, parents...); err == nil {
			tree, err = f.source().TreeOf(tip)
		}
		return tip, tree, problem.Wrap(err, name)
	}
	var parents []objects.Hash
	var other objects.Hash
	if c.strange != nil {
		tip, other, err = commit(c)
	} else {
		tip, parents = c.tip, []objects.Hash{c.tip}
		other, err = f.source().TreeOf(c.tip)
	}
	if err != nil || len(sound) == 0 {
		return tip, problem.Wrap(err, name)
	}
	_, base, err := commit(&refCopy{name: name, files: sound})
	if err == nil {
		err = compareLogs(there, name, base, other)
	}
	if err != nil {
		return objects.Hash{}, err
	}
	edits, err := mergeTrees(there, name, base, other)
	if err != nil {
		return objects.Hash{}, err
	}
	merged := maps.Clone(sound)
	for _, e := range edits {
		if merged[e.Path] = e.Blob; e.Blob.IsZero() {
			delete(merged, e.Path)
		}
	}
	if maps.Equal(merged, c.files) {
		return tip, nil
	}
	tip, _, err = commit(&refCopy{name: name, files: merged}, parents...)
	return tip, err
}

// maybeDamaged reports whether the files of our copy of a log, by path, are not all that they would be if both it and
// the remote's copy at theirs held together. It reads the tiles that ours alone has.
func maybeDamaged(there *archive.Repository, have map[string]objects.Hash, ourTree, theirs objects.Hash) (bool, error) {
	tree, err := there.Store().TreeOf(theirs)
	if err != nil {
		return false, err
	}
	other, err := listFiles(there, tree)
	if err != nil {
		return false, err
	}
	longer := false
	for _, epoch := range epochsOf(have) {
		theirSize := checkpointSize(there, other[epoch+"/checkpoint"])
		ourSize := checkpointSize(there, have[epoch+"/checkpoint"])
		if longer = longer || ourSize > theirSize; theirSize < 0 || ourSize >= 0 && ourSize < theirSize {
			continue // nothing to take, or the merge takes all of theirs
		}
		for file, h := range other {
			in, rest, _ := strings.Cut(file, "/")
			fixed := ourSize == theirSize || rest != "checkpoint" && !strings.Contains(rest, ".p/") // does not change while a log grows
			if in == epoch && fixed && !strings.HasPrefix(rest, "cosigned/") && have[file] != h {
				return true, nil
			}
		}
	}
	return slices.ContainsFunc(epochsOf(have), func(epoch string) bool { return checkpointSize(there, have[epoch+"/checkpoint"]) < 0 }) ||
		longer && logref.CheckSent(there, ourTree, tree, sign.Key{}) != nil, nil
}

// epochsOf returns the names of the folders of epochs in which files of a log lie, sorted.
func epochsOf(files map[string]objects.Hash) []string {
	epochs := map[string]bool{}
	for file := range files {
		epoch, _, _ := strings.Cut(file, "/")
		epochs[epoch] = true
	}
	return slices.Sorted(maps.Keys(epochs))
}
