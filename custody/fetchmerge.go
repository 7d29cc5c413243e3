package custody

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// countersignaturesAfter judges the remote's countersignatures and returns those that this
// copy holds after the fetch: ours, and of the accepted ones what ours lack.
func (f *fetchSession) countersignaturesAfter(theirs objects.Hash) (snapshot.Countersignatures, error) {
	const name = snapshot.RefCountersignatures
	var err error
	if f.ourSigs, err = f.Store().Ref(name); err != nil {
		return nil, problem.Wrap(err, name)
	}
	files := map[string]objects.Hash{}
	if !f.ourSigs.IsZero() {
		tree, err := f.Store().TreeOf(f.ourSigs)
		if err == nil {
			files, err = listFiles(f.Repository, tree)
		}
		if err != nil {
			return nil, problem.Wrap(err, name)
		}
	}
	if f.sigs == nil && !theirs.IsZero() && theirs != f.ourSigs {
		known, err := f.source().Ancestors(f.ourSigs)
		if err != nil {
			return nil, problem.Wrap(err, name)
		}
		there := archive.NewRepository(f.Dir(), f.source(), f.World())
		judge := newCountersignatureJudge(there, []objects.Hash{f.theirTip, f.ourTip}, f.options.Trust, files)
		if f.sigs, err = judgeCopy(f.source(), name, theirs, known, fileJudge{judge.accept, judge.checkEarlier}, remoteChain); err != nil {
			f.sigs = &refCopy{name: name, tip: theirs, strange: err}
		}
	}
	out := snapshot.Countersignatures{}
	if f.sigs != nil {
		for file, h := range f.sigs.files {
			if files[file].IsZero() {
				files[file] = h
			}
		}
	}
	for file, h := range files {
		_, data, err := f.source().Get(h)
		if err != nil {
			return nil, problem.Wrap(err, name)
		}
		if seq, c, err := snapshot.ParseCountersignature(file, data); err == nil {
			out[seq] = append(out[seq], *c)
		}
	}
	return out, nil
}

// planMerge decides about the remote's version of a log or of the countersignatures: the result is the update of a ref
// that is new here, nil where there is none; a version to merge with ours is added to logCopies. Commits that are not
// taken as they are become one commit of the accepted files, in the quarantine or, under lock, in this archive.
func (f *fetchSession) planMerge(lock *objects.Lock, name string, ours, theirs, main objects.Hash) (*objects.RefUpdate, error) {
	known, err := f.source().Ancestors(ours)
	if err != nil {
		return nil, problem.Wrap(err, name)
	}
	if archive.IsLogRef(name) && !ours.IsZero() {
		if update, found, err := f.replaceDamaged(lock, name, ours, theirs, main); found || err != nil {
			return update, err
		}
	}
	if known[theirs] {
		return nil, nil // ours is newer; push sends it
	}
	change := RefChange{Name: name, To: theirs.String()}
	if !ours.IsZero() {
		change.From = ours.String()
	}
	c, err := f.judgeMerge(name, ours, theirs, main, known)
	if err != nil {
		return nil, err
	}
	tip := theirs
	if c.strange != nil {
		change.Reason = fmt.Sprintf("%s: its commits are not taken: %s", f.info.label(), legible.OneLine(c.strange))
		if !ours.IsZero() || len(c.files) > 0 {
			change.OwnerCommand = ownerCommand(name)
		}
		if tip, err = f.commitAccepted(lock, c, ours); err != nil {
			return nil, problem.Wrap(err, name)
		}
	}
	if !tip.IsZero() && archive.IsLogRef(name) {
		if err := f.checkLogCopy(name, ours, tip, main); err != nil {
			change.Reason, change.OwnerCommand, tip = legible.OneLine(err), "", objects.Hash{}
			f.logConflict = cmp.Or(f.logConflict, err)
		}
	}
	var update *objects.RefUpdate
	switch {
	case tip.IsZero():
	case !ours.IsZero():
		f.logCopies = append(f.logCopies, logCopy{len(f.result.Refs), tip})
	default:
		change.Done, change.To = true, tip.String()
		update = &objects.RefUpdate{Name: name, New: tip}
	}
	f.result.Refs = append(f.result.Refs, change)
	return update, nil
}

// judgeMerge returns the remote's version of a ref with the files that are accepted, none where nothing of it is.
func (f *fetchSession) judgeMerge(name string, ours, theirs, main objects.Hash, known map[objects.Hash]bool) (*refCopy, error) {
	if name == snapshot.RefCountersignatures {
		if f.sigs == nil || f.sigs.tip != theirs {
			if _, err := f.countersignaturesAfter(theirs); err != nil {
				return nil, err
			}
		}
		if f.sigs == nil || ours != f.ourSigs {
			return nil, problem.New(problem.Busy, problem.Advise("run the same command again"), "the archive got countersignatures meanwhile")
		}
		return f.sigs, nil
	}
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	judge, err := logJudge(there, name, main)
	var c *refCopy
	if err == nil {
		c, err = judgeCopy(f.source(), name, theirs, known, judge, remoteChain)
	}
	if err != nil {
		c = &refCopy{name: name, tip: theirs, strange: err}
	}
	return c, nil
}

// logJudge returns the judge of the copies of a log. The error is for a ref that is named
// after no key which may have one by the trust of the snapshot at main.
func logJudge(a *archive.Repository, name string, main objects.Hash) (fileJudge, error) {
	trusted, err := a.Store().TreeOf(main)
	if err != nil {
		return fileJudge{}, err
	}
	keys, err := logref.LogKeysIn(a, trusted)
	if err != nil {
		return fileJudge{}, err
	}
	info, err := a.File(trusted, layout.PathArchive)
	if err != nil {
		return fileJudge{}, err
	}
	id := cid.OfJSON(info)
	k, ok := keys[strings.TrimPrefix(name, archive.RefLog)]
	if !ok {
		return fileJudge{}, errors.New("no key that may have a log in this archive has this id")
	}
	var newest *logref.Copy
	return fileJudge{
		accept: func(tree objects.Hash, files map[string]objects.Hash) (map[string]objects.Hash, error, error) {
			var err error
			newest, err = logref.OpenCopy(a, tree, files, k, func(epoch int64) string { return sign.AnswerOrigin(id, k.ID(), epoch) })
			if err != nil {
				return nil, nil, fmt.Errorf("it is no copy of a log: %w", err)
			}
			return newest.Files, newest.Strange, nil
		},
		checkEarlier: func(files map[string]objects.Hash) error { return newest.CheckEarlier(files) },
	}, nil
}

// commitAccepted writes a commit of the files of a copy that are accepted; zero where none are, or ours has them all.
func (f *fetchSession) commitAccepted(lock *objects.Lock, c *refCopy, ours objects.Hash) (objects.Hash, error) {
	have := map[string]objects.Hash{}
	if !ours.IsZero() {
		tree, err := f.Store().TreeOf(ours)
		if err == nil {
			have, err = listFiles(f.Repository, tree)
		}
		if err != nil {
			return objects.Hash{}, err
		}
	}
	if !c.hasNew(have) {
		return objects.Hash{}, nil
	}
	f.rebuilt = true
	if f.quarantine != nil {
		lock = f.quarantine.lock
	}
	return c.commitAccepted(f.source(), lock)
}

// checkLogCopy compares the remote's copy of a log with ours while that copy is still in quarantine.
func (f *fetchSession) checkLogCopy(name string, ours, theirs, main objects.Hash) error {
	if f.quarantine == nil || ours.IsZero() {
		return nil // mergeRef compares copies whose objects are here
	}
	if err := f.quarantine.setMain(main); err != nil {
		return err
	}
	base, err := f.source().TreeOf(ours)
	if err != nil {
		return problem.Wrap(err, name)
	}
	other, err := f.source().TreeOf(theirs)
	if err != nil {
		return problem.Wrap(err, name)
	}
	there := archive.NewRepository(f.Dir(), f.source(), f.World())
	return compareLogs(there, name, base, other)
}

// A logCopy is the remote's copy of a log or of the countersignatures that we have a copy of too.
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
			change.Reason = legible.OneLine(err)
			if first == nil {
				first = err
			}
		}
	}
	return first
}
