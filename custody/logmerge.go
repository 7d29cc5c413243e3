package custody

import (
	"encoding/hex"
	"errors"
	"path"
	"strconv"
	"strings"

	answerlog "muniment/answer/log"
	"muniment/archive"
	"muniment/archive/logref"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
)

// takeRef brings a log or the co-signatures up to another copy whose objects are
// here. What both hold is what results, so that two custodians who cosigned at
// one time lose nothing, and so that a copy that leaves something out takes
// nothing away. Where neither copy holds the other, a commit has both as
// parents. It reports whether the ref moved.
func takeRef(a *archive.Repository, lock *objects.Lock, name string, theirs objects.Hash) (bool, error) {
	ours, err := a.Store().Ref(name)
	if err != nil || ours == theirs {
		return false, archive.Environment(err, name)
	}
	var base objects.Hash
	if !ours.IsZero() {
		if base, err = a.Store().TreeOf(ours); err != nil {
			return false, archive.Environment(err, name)
		}
	}
	other, err := a.Store().TreeOf(theirs)
	if err != nil {
		return false, archive.Environment(err, name)
	}
	if archive.IsLogRef(name) && !ours.IsZero() {
		if err := compareCopies(a, name, base, other); err != nil {
			return false, err
		}
	}
	if ours.IsZero() {
		return true, moveRef(a, lock, name, ours, theirs)
	}
	edits, err := union(a, name, base, other)
	if err != nil {
		return false, err
	}
	line, err := a.Store().Ancestors(theirs)
	if err != nil {
		return false, archive.Environment(err, name)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return false, archive.Environment(err, name)
	}
	defer b.Abort()
	switch tree, err := b.Edit(base, edits); {
	case err != nil:
		return false, archive.Environment(err, name)
	case tree == other && line[ours]:
		return true, moveRef(a, lock, name, ours, theirs)
	}
	if archive.IsLogRef(name) {
		return true, logref.MoveLogRef(a, b, lock, name, base, edits, ours, theirs)
	}
	return true, history.CommitCosigs(a, b, lock, base, edits, ours, theirs)
}

func moveRef(a *archive.Repository, lock *objects.Lock, name string, from, to objects.Hash) error {
	return archive.Environment(a.Store().Adopt(lock, a.Store(), &objects.Received{}, objects.RefUpdate{Name: name, Old: from, New: to}), name)
}

// compareCopies checks that two copies of a log are of one log, epoch by epoch.
// A log that its key has signed in two versions is an error, and the evidence is
// kept.
func compareCopies(a *archive.Repository, name string, ours, theirs objects.Hash) error {
	keys, err := logref.LogKeys(a)
	if err != nil {
		return err
	}
	epochs, err := a.Store().Tree(theirs)
	if err != nil {
		return archive.Environment(err, name)
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
			return archive.Negative(archive.TypeDamaged, archive.Advise("muniment log check says more"), "%s: %w", name, err)
		}
		id := strings.TrimPrefix(name, archive.RefLog)
		open := sign.ReadCheckpoint
		if k := keys[id]; !k.IsZero() {
			open = func(note []byte) (sign.Checkpoint, error) { return sign.OpenCheckpoint(note, k) }
		}
		c, err := open(note)
		if err != nil {
			return notTaken(name, err)
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
			return logref.KeepConflict(a, err, &logref.LogState{Key: id, Epoch: lastNumber(c.Origin)})
		default:
			return notTaken(name, err)
		}
	}
	return nil
}

// notTaken is the error of a copy that is not what it should be, and says
// nothing of the log itself.
func notTaken(name string, err error) error {
	return archive.Problem(archive.TypeVerification, archive.Advise("fetch the log from another copy, and tell the custodian of this one"), "%s: the other copy is not taken: %w", name, err)
}

// lastNumber returns the epoch that an origin ends in, 0 where it is none.
func lastNumber(origin string) int64 {
	n, err := strconv.ParseInt(path.Base(origin), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// union lists what makes one tree of ours and theirs. Of each epoch of a log
// the larger copy is taken, and of each witness the cosignature of the larger
// size. Of co-signatures of snapshots all are taken, and ours stay.
func union(a *archive.Repository, name string, ours, theirs objects.Hash) ([]objects.Edit, error) {
	have, err := filesOf(a, ours)
	if err != nil {
		return nil, archive.Environment(err, name)
	}
	other, err := filesOf(a, theirs)
	if err != nil {
		return nil, archive.Environment(err, name)
	}
	larger := map[string]bool{} // epochs whose copy of theirs is the larger
	want := map[string]objects.Hash{}
	for file, h := range have {
		want[file] = h
	}
	if archive.IsLogRef(name) {
		for file, h := range other {
			epoch, rest, _ := strings.Cut(file, "/")
			if rest == "checkpoint" {
				larger[epoch] = have[file].IsZero() || sizeOf(a, h) > sizeOf(a, have[file])
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
			if cosignedSize(a, file, h) > cosignedSize(a, file, mine) {
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

func filesOf(a *archive.Repository, tree objects.Hash) (map[string]objects.Hash, error) {
	files := map[string]objects.Hash{}
	err := a.Store().Walk(tree, "", func(name string, h objects.Hash) error {
		files[name] = h
		return nil
	})
	return files, err
}

// sizeOf returns the size that a checkpoint names, -1 where it is none.
func sizeOf(a *archive.Repository, blob objects.Hash) int64 {
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

// cosignedSize is sizeOf for a file of cosigned/ that is right: it holds the
// cosignature of the witness whose name it has.
func cosignedSize(a *archive.Repository, file string, blob objects.Hash) int64 {
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
			return sizeOf(a, blob)
		}
	}
	return -1
}
