package custody

import (
	"encoding/hex"
	"errors"
	"path"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
)

// mergeRef merges another copy of a log or of the countersignatures, whose objects are here, into ours and reports
// whether the ref moved. The result has what either copy has: two custodians who cosign at one time lose nothing, and a
// copy that leaves something out removes nothing. Where neither copy has all of the other, the merge is a commit with
// both as parents.
func mergeRef(a *archive.Repository, lock *objects.Lock, name string, theirs objects.Hash) (bool, error) {
	ours, err := a.Store().Ref(name)
	if err != nil || ours == theirs {
		return false, problem.Wrap(err, name)
	}
	var base objects.Hash
	if !ours.IsZero() {
		if base, err = a.Store().TreeOf(ours); err != nil {
			return false, problem.Wrap(err, name)
		}
	}
	other, err := a.Store().TreeOf(theirs)
	if err != nil {
		return false, problem.Wrap(err, name)
	}
	if archive.IsLogRef(name) && !ours.IsZero() {
		if err := compareLogs(a, name, base, other); err != nil {
			return false, err
		}
	}
	if ours.IsZero() {
		return true, moveRef(a, lock, name, ours, theirs)
	}
	edits, err := mergeTrees(a, name, base, other)
	if err != nil {
		return false, err
	}
	line, err := a.Store().Ancestors(theirs)
	if err != nil {
		return false, problem.Wrap(err, name)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return false, problem.Wrap(err, name)
	}
	defer b.Abort()
	switch tree, err := b.Edit(base, edits); {
	case err != nil:
		return false, problem.Wrap(err, name)
	case tree == other && line[ours]:
		return true, moveRef(a, lock, name, ours, theirs)
	}
	return true, a.CommitFiles(b, lock, name, base, edits, ours, theirs)
}

// moveRef sets a ref whose objects are here.
func moveRef(a *archive.Repository, lock *objects.Lock, name string, from, to objects.Hash) error {
	return problem.Wrap(a.Store().Adopt(lock, a.Store(), &objects.Received{}, objects.RefUpdate{Name: name, Old: from, New: to}), name)
}

// compareLogs returns an error where two trees are not copies of one log; each epoch is compared. Where the key of the
// log signed two versions, the evidence is saved as well.
func compareLogs(a *archive.Repository, name string, ours, theirs objects.Hash) error {
	keys, err := logref.LogKeys(a)
	if err != nil {
		return err
	}
	epochs, err := a.Store().Tree(theirs)
	if err != nil {
		return problem.Wrap(err, name)
	}
	for _, e := range epochs {
		kept, err := a.File(ours, path.Join(e.Name, "checkpoint"))
		if err != nil || kept == nil {
			if err != nil {
				return err
			}
			continue
		}
		note, err := a.File(theirs, path.Join(e.Name, "checkpoint"))
		if err != nil {
			return err
		}
		last, err := sign.ReadCheckpoint(kept)
		if err != nil {
			return problem.Negative(problem.Damaged, problem.Next(problem.DoCheckLog), "%s: %w", name, err)
		}
		id := strings.TrimPrefix(name, archive.RefLog)
		open := sign.ReadCheckpoint
		if k := keys[id]; !k.IsZero() {
			open = func(note []byte) (sign.Checkpoint, error) { return sign.OpenCheckpoint(note, k) }
		}
		c, err := open(note)
		if err != nil {
			return refusedCopyError(name, err)
		}
		past := logref.NewPast(a, theirs, e.Name, c.Size)
		if c.Size < last.Size {
			past = logref.NewPast(a, ours, e.Name, last.Size)
		}
		err = answerlog.Compare(last, kept, c, note, past)
		var conflict *answerlog.ConflictError
		switch {
		case err == nil || errors.Is(err, answerlog.ErrOlder):
		case errors.As(err, &conflict) && !keys[id].IsZero():
			return logref.KeepConflict(a, err, &logref.LogState{Key: id, Epoch: epochOf(c.Origin)})
		default:
			return refusedCopyError(name, err)
		}
	}
	return nil
}

// refusedCopyError reports that a copy of a log is malformed or unverified. It accuses nobody of signing two logs.
func refusedCopyError(name string, err error) error {
	return problem.New(problem.Verification, problem.Advise("fetch the log from another copy, and tell the custodian of this one"), "%s: the other copy is not taken: %w", name, err)
}

// epochOf returns the epoch at the end of a log's origin, 0 where there is none.
func epochOf(origin string) int64 {
	n, err := strconv.ParseInt(path.Base(origin), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// mergeTrees returns the edits that turn our tree into the merge of both. Each epoch of a log comes from the larger
// copy, each witness's cosignature from the larger size. Countersignatures of snapshots come from both trees; ours win.
func mergeTrees(a *archive.Repository, name string, ours, theirs objects.Hash) ([]objects.Edit, error) {
	have, err := listFiles(a, ours)
	if err != nil {
		return nil, problem.Wrap(err, name)
	}
	other, err := listFiles(a, theirs)
	if err != nil {
		return nil, problem.Wrap(err, name)
	}
	larger := map[string]bool{} // epochs whose larger copy is theirs
	want := map[string]objects.Hash{}
	for file, h := range have {
		want[file] = h
	}
	if archive.IsLogRef(name) {
		for file, h := range other {
			epoch, rest, _ := strings.Cut(file, "/")
			if rest == "checkpoint" {
				larger[epoch] = have[file].IsZero() || checkpointSize(a, h) > checkpointSize(a, have[file])
			}
		}
		for file := range have {
			if epoch, rest, _ := strings.Cut(file, "/"); larger[epoch] && !strings.HasPrefix(rest, "cosigned/") {
				delete(want, file)
			}
		}
	}
	for file, h := range other {
		epoch, rest, _ := strings.Cut(file, "/")
		switch mine := have[file]; {
		default: // a cosignature
			if cosignatureSize(a, file, h) > cosignatureSize(a, file, mine) {
				want[file] = h
			}
		case !archive.IsLogRef(name):
			if mine.IsZero() {
				want[file] = h
			}
		case !strings.HasPrefix(rest, "cosigned/"):
			if larger[epoch] {
				want[file] = h
			}
		}
	}
	var edits []objects.Edit
	for file := range have {
		if want[file].IsZero() {
			edits = append(edits, objects.Edit{Path: file})
		}
	}
	for file, h := range want {
		if have[file] != h {
			edits = append(edits, objects.Edit{Path: file, Blob: h})
		}
	}
	return edits, nil
}

// listFiles returns the blobs of a tree by path.
func listFiles(a *archive.Repository, tree objects.Hash) (map[string]objects.Hash, error) {
	files := map[string]objects.Hash{}
	err := a.Store().Walk(tree, "", func(name string, h objects.Hash) error {
		files[name] = h
		return nil
	})
	return files, err
}

// checkpointSize returns the log size in a checkpoint blob, -1 where the blob is no checkpoint.
func checkpointSize(a *archive.Repository, blob objects.Hash) int64 {
	_, note, err := a.Store().Get(blob)
	if err != nil {
		return -1
	}
	c, err := sign.ReadCheckpoint(note)
	if err != nil {
		return -1
	}
	return c.Size
}

// cosignatureSize returns the log size in a file of cosigned/, -1 where the file
// lacks the cosignature of the witness that it is named after.
func cosignatureSize(a *archive.Repository, file string, blob objects.Hash) int64 {
	_, note, err := a.Store().Get(blob)
	if err != nil {
		return -1
	}
	signed, err := sign.Cosignatures(note)
	if err != nil {
		return -1
	}
	for _, c := range signed {
		if point := c.Key.Point(); hex.EncodeToString(point[:]) == path.Base(file) {
			return checkpointSize(a, blob)
		}
	}
	return -1
}
