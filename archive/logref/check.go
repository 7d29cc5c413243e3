package logref

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/text/legible"
)

// CheckLogs compares every answer log of this archive with what was seen of it
// before: the copy on its ref, its own files where it is kept here, and what was
// cosigned here. Evidence of a fork is kept in a file. Files that do not lead to their
// checkpoint are an error of TypeDamaged.
func CheckLogs(a *archive.Archive) ([]LogState, error) {
	states, err := visitLogs(a, nil)
	if err != nil {
		return nil, err
	}
	damages, err := FindDamage(a)
	if err == nil && len(damages) > 0 {
		err = problem.New(problem.Damaged, problem.Advise(MendAdvice), "%s%s", damages[0], legible.AndMore(len(damages)-1))
	}
	return states, problem.Wrap(err, "answer log")
}

// CosignLogs is LogChecks, and cosigns every log as a witness. Cosignatures are
// committed to the log's ref, from where sync brings them to the others.
func CosignLogs(a *archive.Archive, s sign.Signer) ([]LogState, error) { return visitLogs(a, s) }

// visitLogs checks every log, and cosigns it where s is not nil.
func visitLogs(a *archive.Archive, s sign.Signer) ([]LogState, error) {
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "refs")
	}
	keys, err := LogKeys(a.Repository)
	if err != nil {
		return nil, err
	}
	states := []LogState{}
	for ref := range refs {
		id, ok := strings.CutPrefix(ref, archive.RefLog)
		if !ok {
			continue
		}
		tree, err := a.Store().TreeOf(refs[ref])
		if err != nil {
			return nil, problem.Wrap(err, ref)
		}
		epochs, err := a.Store().Tree(tree)
		if err != nil {
			return nil, problem.Wrap(err, ref)
		}
		for _, e := range epochs {
			epoch, err := strconv.ParseInt(e.Name, 10, 64)
			if err != nil || epoch < 1 {
				continue
			}
			state := LogState{Key: id, Epoch: epoch, Ref: ref}
			if err := checkLog(a, &state, tree, keys[id], s); err != nil {
				return nil, err
			}
			states = append(states, state)
		}
	}
	slices.SortFunc(states, func(x, y LogState) int {
		return strings.Compare(fmt.Sprintf("%s%20d", x.Key, x.Epoch), fmt.Sprintf("%s%20d", y.Key, y.Epoch))
	})
	return states, nil
}

// checkLog checks one epoch of a log, whose key is k and whose copy is in tree,
// and writes into state what it finds. With a signer it cosigns the log.
func checkLog(a *archive.Archive, state *LogState, tree objects.Hash, k sign.Key, s sign.Signer) error {
	dir := strconv.FormatInt(state.Epoch, 10)
	note, err := a.File(tree, dir+"/checkpoint")
	if err != nil {
		return err
	}
	c, err := sign.ReadCheckpoint(note)
	if err != nil {
		return problem.Negative(problem.Damaged, problem.Advise("fetch the log again from another copy"), "%s: %w", state.Ref, err)
	}
	state.Size, state.Published, state.Root = c.Size, c.Size, hex.EncodeToString(c.Root[:])
	_ = a.Store().Walk(tree, dir+"/cosigned", func(string, objects.Hash) error { state.Cosigned++; return nil })
	if k.IsZero() {
		state.Note = "its key is not in the archive's trust root or allowed_signers: nothing was checked"
		return nil
	}
	if c, err = sign.OpenCheckpoint(note, k); err != nil {
		return problem.New(problem.Verification, problem.Advise("do not rely on that log"), "%s: %w", state.Ref, err)
	}
	past := NewPast(a.Repository, tree, dir, c.Size)
	if _, err := checkTiles(a.Repository, tree, dir, 0, c); err != nil {
		return problem.New(problem.Verification, problem.Advise("fetch the log again from another copy"), "%s: its tiles do not lead to the root of its checkpoint: %w", state.Ref, err)
	}
	local, err := a.LocalPath(dirWitness)
	if err != nil {
		return err
	}
	w := answerlog.Witness{Dir: local, Signer: s}
	if s == nil {
		return compareKept(a, w, c, note, k, past, state)
	}
	cosigned, err := w.Cosign(note, k, a.World().Now().Unix(), past)
	switch {
	case errors.Is(err, answerlog.ErrOlder):
		state.Note = "older than the checkpoint that was cosigned here: not cosigned again"
		return nil
	case err != nil:
		return KeepConflict(a.Repository, err, state)
	}
	return addCosignature(a, state, dir, s.Key(), cosigned)
}

// compareKept compares a log with what was cosigned here before.
func compareKept(a *archive.Archive, w answerlog.Witness, c sign.Checkpoint, note []byte, k sign.Key, past answerlog.Past, state *LogState) error {
	kept, err := w.Last(c.Origin)
	if err != nil {
		return problem.Wrap(err, "witness")
	}
	if kept == nil {
		return nil
	}
	last, err := sign.OpenCheckpoint(kept, k)
	if err != nil {
		return problem.Wrap(err, "witness")
	}
	err = answerlog.Compare(last, kept, c, note, past)
	if errors.Is(err, answerlog.ErrOlder) {
		state.Note = fmt.Sprintf("it was seen here with %d entries: the copy is older", last.Size)
		return nil
	}
	if err != nil {
		return KeepConflict(a.Repository, err, state)
	}
	return nil
}

// addCosignature commits a cosigned checkpoint to the log's ref, unless the witness
// k has cosigned that checkpoint there.
func addCosignature(a *archive.Archive, state *LogState, dir string, k sign.Key, cosigned []byte) error {
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	tip, err := a.Store().Ref(state.Ref)
	if err != nil {
		return problem.Wrap(err, state.Ref)
	}
	base, err := a.Store().TreeOf(tip)
	if err != nil {
		return problem.Wrap(err, state.Ref)
	}
	point := k.Point()
	file := path.Join(dir, "cosigned", hex.EncodeToString(point[:]))
	old, err := a.File(base, file)
	if err != nil || sameCheckpoint(old, cosigned) {
		return err
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "answer log")
	}
	defer b.Abort()
	h, err := b.Put(objects.Blob, cosigned)
	if err != nil {
		return problem.Wrap(err, "answer log")
	}
	state.Changed = true
	if old == nil {
		state.Cosigned++
	}
	return a.CommitFiles(b, lock, state.Ref, base, []objects.Edit{{Path: file, Blob: h}}, tip)
}

// sameCheckpoint reports whether two notes are of one checkpoint.
func sameCheckpoint(a, b []byte) bool {
	x, err1 := sign.ReadCheckpoint(a)
	y, err2 := sign.ReadCheckpoint(b)
	return err1 == nil && err2 == nil && x == y
}

// dirWitness is the folder in archive.local of the checkpoints cosigned here.
const dirWitness = "witness"
